// What a machine tells of one thing: a value and where it stands, or why it cannot be told. Never a guess.
#pragma once

#include <optional>
#include <string>

namespace autotune {

struct Reading {
  std::optional<std::string> value;  // "": known not to be set, not installed
  std::string where;                 // the file, variable or program that told
  std::string why;                   // why there is no value, or what else is worth knowing of it

  static Reading Told(std::string value, std::string where, std::string why = "") {
    return {std::move(value), std::move(where), std::move(why)};
  }
  static Reading Untold(std::string why) { return {std::nullopt, "", std::move(why)}; }
};

}  // namespace autotune
