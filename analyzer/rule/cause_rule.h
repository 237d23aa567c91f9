// Family "causes": why a changed setting makes inductor tune again (or cannot), in which torch versions, the command that
// fixes it, and the edits on a cached kernel's source that prove it by re-hashing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/base/diag.h"

namespace autotune {

struct RuleFile;
struct RuleNode;

// One edit of a cached kernel's source text, as the changed setting would have generated it.
struct SourceEdit {
  std::string kind;   // "set_meta" (inductor_meta entry to a value), "remove_meta", "add_meta", "replace" (RE2 -> text)
  std::string key;    // meta entry, or the pattern of "replace"
  std::string value;  // Python text
  std::string after;  // add_meta: the entry it stands behind
};

struct CauseRule {
  std::string id, title;
  std::string setting;          // the setting it blames
  std::string from, until;      // torch versions, inclusive; "" open
  std::string effect;           // "retune" | "graph" | "none" | "new_problems"; "" as in the setting's rule
  std::string when;             // direction: "" any, "added", "removed", "reordered" (sets), "set", "unset"
  std::string why;              // template: {setting} {manifest} {observed}
  std::string fix;              // template
  double confidence = 0.9;      // of an observed difference with this effect
  // Alternatives; each is a list of edits applied together. {manifest}/{observed} may be used where the log states a value.
  std::vector<std::vector<SourceEdit>> edits;
  std::string edited_value;     // what the setting is in the run when the edits explain its keys ("1", "off", ...)
  struct Sample { std::string manifest, observed; std::string effect; };
  std::vector<Sample> samples;
};

std::optional<CauseRule> DecodeCauseRule(const RuleFile& file, const RuleNode& root, std::vector<Diag>* diags);
void CheckCauseSamples(const CauseRule& rule, const RuleFile& file, std::vector<Diag>* diags);

}  // namespace autotune
