// The labels of a line's wrappers as the model has them.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "analyzer/model/block.h"

namespace autotune {

// "" where a wrapper names none. A rank that is no number (a field of a JSON record may hold anything) is none.
inline void SetLabels(std::string_view process, std::string_view rank, std::string_view pod, Labels* labels) {
  const auto set = [](std::string_view from, std::optional<std::string>* to) {
    if (from.empty()) {
      to->reset();
    } else if (to->has_value()) {
      (*to)->assign(from);
    } else {
      to->emplace(from);
    }
  };
  set(process, &labels->process);
  set(pod, &labels->pod);
  int64_t number = 0;
  const char* const end = rank.data() + rank.size();
  const auto [read, error] = std::from_chars(rank.data(), end, number);
  labels->rank.reset();
  if (error == std::errc() && read == end) labels->rank = number;
}

}  // namespace autotune
