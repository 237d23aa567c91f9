// Family "settings": one setting of the contract: what manifests and logs call it, how two values of it compare, and
// what a difference can do. The only place where the program knows a setting by name.
//
// A file holds one setting, or a small family of settings that are alike (the variables of one part of inductor) as a
// list:
//
//   { "id": "torch", "title": "...", "setting": "torch", "compare": "version", "rows": ["torch", "pytorch version"],
//     "samples": [ { "row": "PyTorch version", "setting": "torch" }, { "row": "Torch audio", "setting": "" } ] }
//   { "id": "environment-cutlass", "title": "...", "settings": [ { "setting": "TORCHINDUCTOR_CUTLASS_DIR", ... }, ...
//   ], ... }
//
// A row name is matched in the spelling of NormalRow(). "section: row" wins over a plain row inside a section whose
// heading holds the section's words: "model: architecture" under "## Model", "architecture" elsewhere. "section: *"
// takes every row of such a section that nothing else takes, as "setting:row name" (each row is a fact of its own).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/base/diag.h"

namespace autotune {

struct RuleFile;
struct RuleNode;

struct SettingRule {
  std::string id;  // of the rule file
  std::string title;
  std::string name;  // the contract's name (key "setting"): "TORCHINDUCTOR_CACHE_DIR", "torch", "gpu", ...
  // How values compare: "text" (exact), "word" (case-insensitive), "integer", "boolean" (1/0, true/false, unset =
  // otherwise), "version" (local part +cu126 counts when both have one), "backend_set" (upper-cased set, order noted),
  // "path", "dtype" (bf16 = torch.bfloat16), "gpu" (marketing name or gfx), "number_in_text" ("1024 tokens" = 1024),
  // "never" (not comparable)
  std::string compare = "text";
  std::string otherwise;  // value in force when unset, "" when unknown or not the same in every torch
  std::vector<std::string>
      manifest_rows;  // key "rows": row names as NormalRow() spells them ("gemm backends", "model: architecture")
  std::vector<std::string>
      listing_names;  // key "listing": components of `[hash] name: value` listings: "inductor_config[max_autotune]"
  bool environment = false;            // a variable that some torch or Triton reads
  bool unread = false;                 // a variable that people write down although no torch and no Triton reads it
  std::string read_from, read_until;   // torch versions that read the variable, inclusive; "" open
  std::vector<std::string> unread_in;  // versions between those two that do not
  // What a difference can do: "retune" (every problem), "graph" (graph cache misses, nothing is tuned), "none" (in no
  // key), "new_problems" (only problems with other keys), "depends" (a cause rule decides)
  std::string effect = "depends";
  std::string why;  // where the effect is known from
  // What a value says of the GPU's vendor: "+cu126" of a torch build: "nvidia"; with "unset_denies" what N/A says: a
  // HIP row that is not set denies "amd".
  struct VendorMark {
    std::string pattern, vendor;  // RE2, searched; "nvidia", "amd", "intel", "cpu"
  };
  std::vector<VendorMark> vendors;
  std::string unset_denies;
  int order = 100;  // place in reports and in "check next" lists
  // How a machine tells the value, best first, and what else must be there (key "probe"; machine/machine.h):
  //   "variable NAME"       an environment variable; every setting with "environment" is asked for its own name too
  //   "assigned FILE NAME"  NAME = '...' in a file below site-packages: "assigned torch/version.py cuda"
  //   "package NAME"        the version of an installed distribution
  //   "python"              the version of the Python that has torch
  //   "rocm"                the ROCm installed, where it is the release that torch was built for
  //   "gpu name", "gpu architecture", "gpu count [NAME...]"    the driver; variables that hide cards
  //   "inductor-cache", "triton-cache", "ck-folder MODULE"     the value is a folder that must be of this kind
  //   "link MODULE PATH"    below the folder of an installed module this must be a link or folder that holds something
  std::vector<std::string> probes;
};

// All settings of a file; nothing when it has an error (which is then in `diags`).
std::vector<SettingRule> DecodeSettingRules(const RuleFile& file, const RuleNode& root, std::vector<Diag>* diags);
// `rules` are the settings of `file` alone.
void CheckSettingSamples(const std::vector<SettingRule>& rules, const RuleFile& file, std::vector<Diag>* diags);

// A row name without case, Markdown escapes and punctuation: letters, digits and single blanks.
//   "GPU count (world_size)" -> "gpu count world size"     "TORCHINDUCTOR\_CK\_DIR" -> "torchinductor ck dir"
std::string NormalRow(std::string_view row);

struct RowMatch {
  const SettingRule* rule = nullptr;  // null: no setting is called that
  std::string setting;                // its name; "cache_files:inductor_cache" for a "section: *" row
};
// What `row` means under the headings `sections` (outermost first).
RowMatch SettingOfRow(const std::vector<SettingRule>& rules, std::string_view row,
                      const std::vector<std::string>& sections);

// Two rules that claim the same row or the same name: one Diag each, at the later one's place in `files`.
void CheckSettingClashes(const std::vector<SettingRule>& rules, const std::vector<RuleFile>& files,
                         std::vector<Diag>* diags);

}  // namespace autotune
