// The program over trees made of recorded runs whose causes are known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "audit_runs.h"

namespace autotune {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

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

TEST(Audit, AManifestInsideAnArchiveIsThatOfTheLogsBesideIt) {
  Tree tree;
  const std::string manifest = Tree::ReadFile((kLab / "base-cold" / "manifest.md").string());
  const auto log = [](const char* run) { return Tree::ReadFile((kLab / run / "train.log").string()); };
  tree.Write("in/a/logs/train.log", log("seq-320"));
  tree.Write("in/a/manifest.md", manifest);
  tree.Write("in/b/train.log", log("seq-320"));
  tree.Write("in/b/README.md", "# What this is\n\nLogs of a run.\n");
  tree.Write("runs/manifest.md", manifest);
  // The manifest behind its log, in a tar that can be read from front to back only.
  ASSERT_EQ(Shell("cd " + tree.Path("in") + " && tar -czf ../runs/ci.tgz a/logs a/manifest.md b").code, 0);
  std::map<std::string, Row> rows = Rows(RunAudit(tree.Path("runs") + " --format json").out);
  ASSERT_EQ(rows.size(), 2u);
  const Row own = rows[tree.Path("runs/ci.tgz!a/logs/train.log")], outer = rows[tree.Path("runs/ci.tgz!b/train.log")];
  EXPECT_EQ(own.manifest, tree.Path("runs/ci.tgz!a/manifest.md"));
  EXPECT_EQ(own.state, "mismatch");
  EXPECT_EQ(outer.manifest, tree.Path("runs/manifest.md")) << "the archive has none for it: the nearest beside it";
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
