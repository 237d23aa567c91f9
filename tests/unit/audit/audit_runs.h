// The program's audit as tests run it, and its rows as JSON tells them.
#pragma once

#include <gtest/gtest.h>
#include <simdjson.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <string>

#include "audit_tree.h"

namespace autotune {

namespace fs = std::filesystem;

inline const fs::path kLab = fs::path(SOURCE_DIR) / "corpus/lab";

struct Outcome {
  int code = -1;
  std::string out;
};

inline Outcome Shell(const std::string& command) {
  Outcome outcome;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return outcome;
  char buffer[65536];
  for (size_t n; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) outcome.out.append(buffer, n);
  const int status = pclose(pipe);
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  return outcome;
}

inline Outcome RunAudit(const std::string& args) {
  return Shell(std::string(BINARY) + " audit " + args + " 2>/dev/null");
}

struct Row {
  std::string state, cause, manifest;
  int64_t blocks = 0;
};

// source -> row
inline std::map<std::string, Row> Rows(const std::string& json_lines) {
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

}  // namespace autotune
