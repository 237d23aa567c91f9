// The program over trees made of recorded runs whose causes are known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <map>

#include "audit_tree.h"

namespace autotune {
namespace {

namespace fs = std::filesystem;
using testing::AnyOf;
using testing::HasSubstr;

const fs::path kLab = fs::path(SOURCE_DIR) / "corpus/lab";

struct Outcome {
  int code = -1;
  std::string out;
};

Outcome Shell(const std::string& command) {
  Outcome outcome;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return outcome;
  char buffer[65536];
  for (size_t n; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) outcome.out.append(buffer, n);
  const int status = pclose(pipe);
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  return outcome;
}

Outcome RunAudit(const std::string& args) { return Shell(std::string(BINARY) + " audit " + args + " 2>/dev/null"); }

struct Row {
  std::string state, cause, manifest;
  int64_t blocks = 0;
};

// source -> row
std::map<std::string, Row> Rows(const std::string& json_lines) {
  std::map<std::string, Row> rows;
  simdjson::dom::parser parser;
  simdjson::dom::document_stream stream;
  const simdjson::padded_string padded(json_lines);
  EXPECT_FALSE(parser.parse_many(padded).get(stream));
  for (auto one : stream) {
    simdjson::dom::element line;
    if (one.get(line)) {
      ADD_FAILURE() << "not JSON";
      continue;
    }
    if (std::string_view(line["type"]) != "run") continue;
    Row row;
    const simdjson::dom::element data = line["data"];
    row.state = std::string_view(data["state"]);
    row.blocks = data["blocks"];
    std::string_view text;
    if (!data["cause"]["setting"].get(text)) row.cause = text;
    if (!data["manifest"].get(text)) row.manifest = text;
    rows[std::string(std::string_view(data["source"]))] = row;
  }
  return rows;
}

// A run of the lab beside the manifest of the build whose cache it was given.
void Put(const std::string& run, const std::string& build, const Tree& tree) {
  tree.Write(run + "/train.log", Tree::ReadFile((kLab / run / "train.log").string()));
  tree.Write(run + "/manifest.md", Tree::ReadFile((kLab / build / "manifest.md").string()));
}

TEST(Audit, EachRunIsJudgedByTheManifestBesideIt) {
  Tree tree;
  Put("seq-320", "base-cold", tree);
  Put("warm-control", "base-cold", tree);
  Put("disable-caches", "base-cold", tree);
  Put("backends-added-triton", "aten-only-cold", tree);
  const Outcome outcome = RunAudit(tree.Path("") + " --format json");
  EXPECT_EQ(outcome.code, 1);
  std::map<std::string, Row> rows = Rows(outcome.out);
  ASSERT_EQ(rows.size(), 4u);
  const auto row = [&](const char* name) { return rows[tree.Path("") + name + std::string("/train.log")]; };
  EXPECT_EQ(row("warm-control").state, "clean");
  EXPECT_EQ(row("seq-320").state, "mismatch");
  EXPECT_EQ(row("seq-320").manifest, tree.Path("") + "seq-320/manifest.md");
  // Wrong blame is worse than none: a cause is the right one, or not named.
  EXPECT_THAT(row("seq-320").cause, AnyOf("sequence_length", "input_shapes", ""));
  EXPECT_EQ(row("disable-caches").cause, "TORCHINDUCTOR_FORCE_DISABLE_CACHES");
  EXPECT_THAT(row("backends-added-triton").cause, AnyOf("TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS", ""));
}

TEST(Audit, SameBytesWhateverTheThreadsDo) {
  Tree tree;
  for (int i = 0; i < 40; ++i) {
    const char* run = i % 3 ? "seq-320" : "warm-control";
    tree.Write("runs/" + std::to_string(i) + ".log", Tree::ReadFile((kLab / run / "train.log").string()));
  }
  const std::string one = RunAudit(tree.Path("runs") + " --threads 1").out;
  EXPECT_THAT(one, HasSubstr("40 runs"));
  EXPECT_EQ(one, RunAudit(tree.Path("runs") + " --threads 8").out);
}

TEST(Audit, ArchivesCompressedLogsAndListsOfPaths) {
  Tree tree;
  tree.Write("in/train.log", Tree::ReadFile((kLab / "seq-320" / "train.log").string()));
  ASSERT_EQ(Shell("cd " + tree.Path("") +
                  " && mkdir runs && tar -czf runs/ci.tar.gz in && gzip -c in/train.log > runs/b.log.gz"
                  " && gzip -k in/train.log && tar -cf runs/nested.tar in/train.log.gz")
                .code,
            0);
  std::map<std::string, Row> rows = Rows(RunAudit(tree.Path("runs") + " --format json").out);
  EXPECT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[tree.Path("runs/ci.tar.gz!in/train.log")].blocks, 3);
  EXPECT_EQ(rows[tree.Path("runs/nested.tar!in/train.log.gz")].blocks, 3);
  EXPECT_EQ(rows[tree.Path("runs/b.log.gz")].blocks, 3);
  const Outcome listed =
      Shell("find " + tree.Path("runs") + " -name '*.log.gz' -print0 | " BINARY " audit - --format json");
  EXPECT_EQ(Rows(listed.out).size(), 1u);
}

TEST(Audit, WhatIsNoLogIsNoRowAndWhatIsBrokenIsListed) {
  Tree tree;
  tree.Write("runs/ok.log", "nothing was tuned here\n");
  tree.Write("runs/tool.py", "print('AUTOTUNE')\n");
  tree.Write("runs/image.log", std::string("\x89PNG\0\0\0\1\2\3", 10));
  tree.Write("runs/broken.log.gz", "\x1f\x8b\x08 this is no gzip");
  const Outcome outcome = RunAudit(tree.Path("runs") + " --format json");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.out, HasSubstr("\"type\":\"error\""));
  EXPECT_THAT(outcome.out, HasSubstr("\"binary\":1"));
  EXPECT_THAT(outcome.out, HasSubstr("\"not_logs\":1"));
  EXPECT_EQ(Rows(outcome.out).count(tree.Path("runs/ok.log")), 1u);
}

TEST(Audit, TheRunsAsOneTableForASpreadsheet) {
  Tree tree;
  tree.Write("runs/a,b.log", Tree::ReadFile((kLab / "seq-320" / "train.log").string()));
  const Outcome outcome = RunAudit(tree.Path("runs") + " --format csv");
  EXPECT_THAT(outcome.out, HasSubstr("source,day,state,cause"));
  EXPECT_THAT(outcome.out, HasSubstr("\"" + tree.Path("runs/a,b.log") + "\","));
  EXPECT_THAT(outcome.out, HasSubstr("\r\n"));
}

}  // namespace
}  // namespace autotune
