// Family "settings": one setting of the contract: what manifests and logs call it, how two values of it compare, and what
// a difference can do. The only place where the program knows a setting by name.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/base/diag.h"

namespace autotune {

struct RuleFile;
struct RuleNode;

struct SettingRule {
  std::string id;     // the setting: "TORCHINDUCTOR_CACHE_DIR", "torch", "gpu", ... (file name: kebab-case of it)
  std::string title;
  std::string name;   // the contract's name (key "setting")
  // How values compare: "text" (exact), "word" (case-insensitive), "integer", "boolean" (1/0, true/false, unset = otherwise),
  // "version" (local part +cu126 counts when both have one), "backend_set" (upper-cased set, order noted), "path",
  // "dtype" (bf16 = torch.bfloat16), "gpu" (marketing name or gfx), "number_in_text" ("1024 tokens" = 1024), "never" (not comparable)
  std::string compare = "text";
  std::string otherwise;                    // value in force when unset, "" when unknown
  std::vector<std::string> manifest_rows;   // row names, lower case, letters digits and single blanks only ("gemm backends")
  std::vector<std::string> listing_names;   // components of `[hash] name: value` listings that are this setting
  bool environment = false;                 // a variable that some torch or Triton reads
  std::string read_from, read_until;        // torch versions that read it, inclusive; "" open
  // What a difference can do: "retune" (every problem), "graph" (graph cache misses, nothing is tuned), "none" (in no key),
  // "new_problems" (only problems with other keys), "depends" (a cause rule decides)
  std::string effect = "depends";
  int order = 100;                          // place in reports and in "check next" lists
  std::vector<std::string> samples;         // manifest rows that must map here
  std::vector<std::string> near_misses;     // and rows that must not
};

std::optional<SettingRule> DecodeSettingRule(const RuleFile& file, const RuleNode& root, std::vector<Diag>* diags);
void CheckSettingSamples(const SettingRule& rule, const RuleFile& file, std::vector<Diag>* diags);

}  // namespace autotune
