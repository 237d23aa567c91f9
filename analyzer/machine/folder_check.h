// The items of a checklist that look into a folder: a cache that must be there, usable, whole and of the recorded size,
// and on a file system that outlives the container; the Composable Kernel package.
#pragma once

#include <string>
#include <vector>

#include "analyzer/machine/machine.h"
#include "analyzer/model/check_item.h"
#include "analyzer/model/evidence.h"
#include "analyzer/rule/rule_set.h"

namespace autotune {

struct FolderCheck {
  const Manifest& manifest;
  const Machine& machine;
  const RuleSet& rules;
  std::vector<CheckItem>* items;
};

// A cache folder: `setting` names it, the machine's value of it counts, else the manifest's. `inductor` caches hold
// tuning results, Triton's hold none.
void CheckCacheFolder(const FolderCheck& check, const SettingRule& setting, bool inductor);

// TORCHINDUCTOR_CK_DIR: torch 2.5 to 2.9 take no other folder than that of the installed `module`
// (torch/_inductor/utils.py, use_ck_template: "Invalid path to CK library").
void CheckCkFolder(const FolderCheck& check, const SettingRule& setting, const std::string& module);

// `path` below the folder of an installed module: "library/src" of ck4inductor, from which the instances of
// gemm_universal are read (ck4inductor/util.py, library_path). `line` is the manifest's, 0 when it does not mention it.
void CheckLink(const FolderCheck& check, const SettingRule& setting, const std::string& module, const std::string& path,
               uint64_t line);

}  // namespace autotune
