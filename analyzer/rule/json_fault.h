// Where a text stops being JSON, and in what way: for the message to the person who wrote it. simdjson has refused the
// text by then; its error has no place, and "TAPE_ERROR" is no advice.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace autotune {

struct JsonFault {
  size_t offset = 0;    // of the first byte that cannot stand where it stands; text.size() when something is missing
  std::string message;  // "expected \",\" or \"}\""
  std::string fix;
};

// The first fault. Of a text that is whole JSON: one that says so at its end, which no caller should come to see.
JsonFault FindJsonFault(std::string_view text);

}  // namespace autotune
