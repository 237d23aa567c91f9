// The hash of our tables of texts: Abseil's, which takes a third of std::hash's time on a log line. Differs from run to
// run; nothing that is printed may depend on it.
#pragma once

#include <absl/hash/hash.h>

#include <cstddef>
#include <string_view>

#include "analyzer/base/text.h"

namespace autotune {

struct TextHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return absl::Hash<absl::string_view>()(ToAbsl(text)); }
};

}  // namespace autotune
