// How far ahead lines are wanted whatever they say, by whom. A driver may leave out lines without literals where nobody
// wants them; so whatever a line without literals can do (a row of torch 2.0, the rest of a broken line), it does only
// where lines are wanted, and reading is the same with and without the gaps.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace autotune {

class WantedLines {
 public:
  // `owner` (a stream, a shape) wants all lines up to `until` from now on, or none any more (0).
  void Set(const void* owner, uint64_t until, uint64_t now) {
    const auto found = std::find_if(wants_.begin(), wants_.end(), [&](const Want& w) { return w.owner == owner; });
    if (found != wants_.end()) {
      found->until = until;
    } else if (until > now) {
      wants_.push_back({owner, until});
    } else {
      return;
    }
    wants_.erase(std::remove_if(wants_.begin(), wants_.end(), [&](const Want& w) { return w.until <= now; }),
                 wants_.end());
    until_ = 0;
    for (const Want& want : wants_) until_ = std::max(until_, want.until);
  }

  bool Has(uint64_t line) const { return line <= until_; }

 private:
  struct Want {
    const void* owner;
    uint64_t until;
  };
  std::vector<Want> wants_;  // a few: tables that are being written
  uint64_t until_ = 0;
};

}  // namespace autotune
