// One item of a manifest's checklist, looked at on a machine. Plain data, made by machine/, printed by report/.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace autotune {

struct CheckItem {
  enum class State { kOk, kDiffers, kUntold };
  std::string item;     // what was looked at: "torch", "TORCHINDUCTOR_CACHE_DIR folder", "ck4inductor library/src"
  std::string setting;  // the contract's name
  State state = State::kUntold;
  std::optional<std::string> manifest;  // "" : recorded as not set; empty optional: not recorded
  std::optional<std::string> observed;  // "" : known not to be set here; empty optional: cannot be told
  std::optional<uint64_t> manifest_line;
  std::string where;      // the file, variable or program that told the value
  std::string message;    // why it differs, why it cannot be told, what else is worth knowing
  std::string fix;        // kDiffers: a command or an edit
  bool harmless = false;  // kDiffers: it cannot make this torch tune again
};

// "ok", "differs", "untold", as in the JSON output.
constexpr const char* StateName(CheckItem::State state) {
  return state == CheckItem::State::kOk ? "ok" : state == CheckItem::State::kDiffers ? "differs" : "untold";
}

}  // namespace autotune
