// `autotune-scan check`: a manifest's own checklist, run on a machine without any log. Each setting that the manifest
// records is asked of the machine and compared as a log's values are (verdict/compare.h); folders are looked into.
//
//   torch                        2.11.0+cu130    ok        /opt/venv/lib/python3.12/site-packages/torch/version.py
//   TORCHINDUCTOR_CACHE_DIR      /tmp/x          differs   environment
//   compile_mode                 -               untold    no file and no variable of a machine states it
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/machine/machine.h"
#include "analyzer/model/check_item.h"
#include "analyzer/model/evidence.h"
#include "analyzer/rule/rule_set.h"

namespace autotune {

struct CheckReport {
  std::vector<CheckItem> items;   // in the checklist's order, then the manifest's
  std::vector<Fact> facts;        // what the machine tells, in the same order; no lines
  std::vector<Problem> problems;  // one for each item that differs
};

// `text` is the manifest's.
CheckReport CheckMachine(const Manifest& manifest, std::string_view text, const Machine& machine, const RuleSet& rules);

}  // namespace autotune
