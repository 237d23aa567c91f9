// Family "lint": a fault of a manifest: what cannot be true, or does not help. A rule names one of the checks that
// manifest/lint.h knows ("pattern", "contradiction", "unread_variable", "wiped_path", "undecided", "checklist", ...) with its
// operands, the message and the fix.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/base/diag.h"

namespace autotune {

struct RuleFile;
struct RuleNode;

struct LintRule {
  std::string id, title;
  std::string check;
  std::vector<std::string> settings;  // operands of the check
  std::string pattern;                // RE2, where the check takes one
  std::string severity = "error";     // "error" | "warning"
  std::string message, fix;           // templates: {setting} {value} {other} {other_value} ...
  struct Sample { std::string manifest; bool fires = false; };  // Markdown text
  std::vector<Sample> samples;
};

std::optional<LintRule> DecodeLintRule(const RuleFile& file, const RuleNode& root, std::vector<Diag>* diags);

}  // namespace autotune
