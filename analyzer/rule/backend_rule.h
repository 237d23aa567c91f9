// Family "backends": which GEMM back end a choice's printed name belongs to, e.g. `triton_mm_12` -> TRITON.
// Facts: torch/_inductor/select_algorithm.py and the callers' classes, torch 2.0 to 2.15.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/base/diag.h"

namespace autotune {

struct RuleFile;
struct RuleNode;

struct BackendRule {
  std::string id, title;
  std::string backend;                // "TRITON"
  std::vector<std::string> patterns;  // RE2, full match of the name
  bool op_name = false;               // also a name equal to the header's op (ATEN)
  struct Sample {
    std::string name, op;
    bool fires = false;
  };
  std::vector<Sample> samples;
};

std::optional<BackendRule> DecodeBackendRule(const RuleFile& file, const RuleNode& root, std::vector<Diag>* diags);
void CheckBackendSamples(const BackendRule& rule, const RuleFile& file, std::vector<Diag>* diags);

}  // namespace autotune
