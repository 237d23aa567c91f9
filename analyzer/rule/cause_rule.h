// Family "causes": why a changed setting makes inductor tune again (or cannot), in which torch versions, the command
// that fixes it, and the edits on a cached kernel's source that prove it by re-hashing.
//
// A file holds the causes of one setting, or of settings that are alike:
//
//   { "id": "gemm-backends", "title": "...",
//     "causes": [ { "name": "added", "setting": "TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS", "when": "added",
//                   "effect": "retune", "why": "...", "fix": "export ...={manifest}" }, ... ],
//     "samples": [ { "manifest": "ATEN", "observed": "ATEN,TRITON", "cause": "added" },
//                  { "manifest": "ATEN,TRITON", "observed": "ATEN", "cause": "removed" } ] }
//
// Of the causes that apply to a change, the one with most conditions speaks; a change that none applies to keeps the
// effect of its setting (rules/settings). A sample whose "cause" is "" is a near miss: no cause of the file applies.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/base/diag.h"

namespace autotune {

struct RuleFile;
struct RuleNode;

// One edit of a cached kernel's source text, as the changed setting would have generated it. Values are Python text;
// "{M}", "{N}", "{K}" in them are the sizes of the run's problem, "{run}" the value that the run's own kernel has at
// this place (only a run's cache can tell it).
struct SourceEdit {
  std::string kind;   // "set_meta" (inductor_meta entry to a value), "remove_meta", "add_meta", "replace" (RE2 -> text)
  std::string key;    // meta entry, or the pattern of "replace"
  std::string value;  // Python text
  std::string after;  // add_meta: the entry it stands behind
};

struct CauseRule {
  std::string id;  // "FILE/NAME"; "FILE" when the cause has no name
  std::string title;
  std::string setting;      // the setting it blames
  std::string from, until;  // torch releases, inclusive ("2.11" is every 2.11.x); "" open

  // Conditions; all must hold.
  std::string when;         // see ChangeIs(); "" any
  std::string if_manifest;  // RE2, whole value, any case; "" any
  std::string if_observed;
  std::string if_added;  // RE2, of the new items of a set, upper-case, in the run's order, joined by ","
  struct Need {          // another setting's value, as the manifest records it or else the log states it
    std::string setting;
    std::string matches;  // RE2, whole value, any case; an unknown value matches nothing
    bool negate = false;
  };
  std::vector<Need> needs;

  std::string effect;  // "retune" | "graph" | "none" | "new_problems"; "" as in the setting's rule
  std::string why;     // template: {setting} {manifest} {observed} {torch}, {fact:OTHER_SETTING}
  std::string fix;  // the same, values quoted for a shell; also {manifest_version}, {manifest_local} of "2.11.0+cu130"
  std::string check;        // a command that prints the value on the machine of the run
  double confidence = 0.9;  // how often an observed difference with this effect is the cause
  double unrecorded = 0.4;  // the same when the manifest does not record the setting
  double prior = 0.1;       // share among causes when only "some setting baked into the kernels differs" is known

  // A back-end set whose effect shows in rows: the ops whose candidates it governs.
  std::vector<std::string> row_ops;
  // A choice of this name (RE2, whole name) shows that the setting has the value `row_value`.
  std::string row_name, row_value;

  // Alternatives; each is a list of edits applied together. {manifest}/{observed} may be used where the log states a
  // value.
  std::vector<std::vector<SourceEdit>> edits;
  std::string edited_value;  // what the setting is in the run when the edits explain its keys ("1", "off", ...)

  struct Sample {
    std::string setting;  // "" where the file has one setting
    std::string manifest, observed, torch;
    std::string cause;                                      // the name of the cause that speaks; "" none
    std::vector<std::pair<std::string, std::string>> with;  // other settings' values, for `needs`
  };
  std::vector<Sample> samples;  // of the whole file; kept with its first cause
};

// A value that changed: what the manifest records ("" when it says not set, or nothing) and what the run has.
struct Change {
  std::string_view setting, manifest, observed;
  std::string_view torch;                                                    // "" unknown: taken for the newest
  std::function<std::optional<std::string>(std::string_view setting)> fact;  // other settings; may be empty
};

// Whether a change is of a kind:
//   "set", "unset"                     one side has no value
//   "added", "removed", "reordered"    comma-separated sets, case ignored; "added" whenever something new is there
//   "release", "patch", "local"        versions: major.minor differ; only the rest; only the local part (+cu126)
bool ChangeIs(std::string_view kind, std::string_view manifest, std::string_view observed);

// The cause that speaks for a change; null when none applies.
const CauseRule* FindCause(const std::vector<CauseRule>& causes, const Change& change);

// major * 1000 + minor of "2.11.0+cu130"; 0 when it does not begin like a version.
int TorchRelease(std::string_view version);
// Whether a torch version lies in [from, until]; an unknown version ("") counts as the newest.
bool InReleases(std::string_view torch, std::string_view from, std::string_view until);

// All causes of a file; nothing when it has an error (which is then in `diags`).
std::vector<CauseRule> DecodeCauseRules(const RuleFile& file, const RuleNode& root, std::vector<Diag>* diags);
void CheckCauseSamples(const std::vector<CauseRule>& rules, const RuleFile& file, std::vector<Diag>* diags);

}  // namespace autotune
