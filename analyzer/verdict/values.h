// Two values of one setting, compared in the setting's own sense (rules/settings, key "compare").
//
//   "2.11.0+cu130"  against  "2.11.0"           equal: a local part counts when both have one
//   "ATEN,TRITON"   against  "triton, aten"     equal as a set; the order is a difference of its own
//   "bf16 (~1.4B)"  against  "torch.bfloat16"   equal
//   "/workspace/c"  against  "/workspace/c/tmpekgv209y"   equal, and `fresh_folder` says that caches are switched off
//
// What cannot be compared is unclear, never different.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/model/evidence.h"
#include "analyzer/rule/rule_set.h"

namespace autotune {

enum class Relation { kEqual, kDiffers, kUnclear };

struct Comparison {
  Relation relation = Relation::kUnclear;
  bool reordered = false;     // the same set in another order
  bool fresh_folder = false;  // a path with torch's fresh folder (tmp and eight characters) below it
};

// "", "N/A", "none", "-", "not set", ...: how manifests and programs write that there is no value.
bool IsNotSet(std::string_view value);

Comparison CompareValues(const SettingRule& setting, const Fact& fact, std::string_view observed, const RuleSet& rules);

// Spellings of one dtype to torch's own: "bf16", "bfloat16" -> "torch.bfloat16"; all that occur in a text.
std::vector<std::string> DtypesIn(std::string_view text);

// A folder without quotes, doubled and trailing slashes, and without torch's fresh folder at its end.
std::string NormalPath(std::string_view path);
bool HasFreshFolder(std::string_view path);
// <tmp>/torchinductor_<user>: what torch takes when TORCHINDUCTOR_CACHE_DIR is not set.
bool IsDefaultCacheFolder(std::string_view path);

// The first integer in a text: 1024 of "1,024 tokens".
std::optional<int64_t> FirstInteger(std::string_view text);

}  // namespace autotune
