// Family "lint": a fault of a manifest: what cannot be true, or does not help. A rule names one of the checks that
// manifest/lint.cc knows, gives it its operands, and has the message and the fix.
//
//   { "id": "wiped-folder", "title": "...", "check": "value", "settings": ["TRITON_CACHE_DIR"],
//     "pattern": "^~/\\.triton", "severity": "error", "message": "{setting} is {value}, which ...", "fix": "...",
//     "samples": [ { "manifest": ["| TRITON_CACHE_DIR | ~/.triton |"], "fires": true }, { ..., "fires": false } ] }
//
// Which checks there are, and what their operands mean, stands in manifest/lint.h.
#pragma once

#include <optional>
#include <string>
#include <utility>
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
  std::string unless;                 // RE2: what it matches is no fault
  std::string blames;                 // the setting that the problem names; "" : the first operand
  // All must hold for the rule to look at a manifest at all.
  struct Condition {
    std::string setting;
    std::string pattern;      // its value matches (RE2, searched) ...
    std::string unless;       // ... or does not; both "": it is set
    std::string from, until;  // versions, inclusive: "2.5" to "2.9"
    bool not_set = false;     // it is stated as N/A
  };
  std::vector<Condition> when;
  // "pairing": versions that belong together, by their leading parts: "2.7" of one with "3.3" of the other.
  std::vector<std::pair<std::string, std::string>> pairs;
  std::string severity = "error";  // "error" | "warning"
  std::string message, fix;        // templates: {setting} {value} {other} {other_value} ...
  std::string why;
  struct Sample {
    std::string manifest;  // Markdown text; in the file a list of its lines
    bool fires = false;
  };
  std::vector<Sample> samples;
};

std::optional<LintRule> DecodeLintRule(const RuleFile& file, const RuleNode& root, std::vector<Diag>* diags);

}  // namespace autotune
