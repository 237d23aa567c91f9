// All rules of one run of the program: what a line, a name, a manifest row or a setting means. Rules are data: they
// live in rules/<family>/<id>.json, are compiled into the binary, and `--rules DIR` adds to them or replaces them by
// id.
//
// Each family has its own struct, decoder and sample check in rule/<family>_rule.h; this header only gathers them.
// Common keys of every rule file: "id" (the file's name), "title", "why" (optional prose), "samples" (at least one that
// fires and one near miss, checked at load). Unknown keys are errors.
#pragma once

#include <absl/status/statusor.h>

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/diag.h"
#include "analyzer/rule/backend_rule.h"
#include "analyzer/rule/cause_rule.h"
#include "analyzer/rule/device_rule.h"
#include "analyzer/rule/evidence_rule.h"
#include "analyzer/rule/extern_rule.h"
#include "analyzer/rule/layout_rule.h"
#include "analyzer/rule/lint_rule.h"
#include "analyzer/rule/rule_node.h"
#include "analyzer/rule/secret_rule.h"
#include "analyzer/rule/setting_rule.h"
#include "analyzer/rule/wrapper_rule.h"

namespace autotune {

struct LineProgram;  // rule/line_program.h

struct RuleSet {
  std::vector<WrapperRule> wrappers;   // prefixes put before lines; parse/unwrap
  std::vector<BackendRule> backends;   // choice name -> back end; parse/block_reader
  std::vector<LayoutRule> layouts;     // block layout -> torch range; parse/layout
  std::vector<EvidenceRule> evidence;  // line -> setting = value; rule/matcher
  std::vector<SecretRule> secrets;     // values to mask before anything is kept
  std::vector<SettingRule> settings;   // manifest row names, how values compare, what a difference can do
  std::vector<CauseRule> causes;       // why / fix texts, edits that prove a cause by re-hashing
  std::vector<DeviceRule> devices;     // GPU names, architectures, shared-memory limits
  std::vector<LintRule> lint;          // messages of `manifest lint`
  std::vector<ExternRule> externs;     // family "extern_keys": keys of choices that call ready-made code; identity/
  std::vector<RuleFile> files;         // every file the set was made of, for `rules list|explain`

  // `evidence` and `secrets` ready to run, shared by all who read logs. Made at load; null in a set made by hand, whose
  // readers then make their own. Whoever changes those two lists resets it.
  std::shared_ptr<const LineProgram> line_program;

  // By the contract's name ("TORCHINDUCTOR_CACHE_DIR", "torch"); null when no rule has it.
  const SettingRule* Setting(std::string_view name) const;
};

// The folder names that hold rules, sorted.
std::vector<std::string> RuleFamilies();

// The rules compiled into the binary (generated at build time from rules/, in name order).
std::span<const RuleFile> EmbeddedRuleFiles();

// Loads the embedded rules, then those of `dir` (empty: none) over them. Errors are in `diags`, one each, all of them;
// the status says how many. With `check_samples` every rule's samples are run too: always for `dir` and in `rules
// check`; the embedded rules' samples are checked by the build's own test, so that a start costs milliseconds.
absl::StatusOr<RuleSet> LoadRules(const std::string& dir, bool check_samples, std::vector<Diag>* diags);

}  // namespace autotune
