// A message to a person: what is wrong, where, the offending text, and what to do. Printed as
//
//   rules/evidence/env.json:7:15: error R012: unknown key "patern"; did you mean "pattern"?
//       "patern": "^TORCH",
//        ^
//   fix: rename the key
//
// Errors of opening and loading travel as absl::Status; what a person reads is a Diag.
#pragma once

#include <string>
#include <vector>

namespace autotune {

struct Diag {
  enum class Level { kNote, kWarning, kError };
  Level level = Level::kError;
  std::string code;  // stable: "R012"; empty where none is promised
  std::string file;
  int line = 0;    // from 1; 0: the file as a whole
  int column = 0;  // from 1, in bytes
  std::string message;
  std::string excerpt;  // the offending source line, empty when there is none
  std::string fix;
};

// The text above, ending in a newline; the caret line is left out when there is no excerpt.
std::string Render(const Diag& diag);

// The nearest of `known` to a misspelt word, "" when none is near (optimal string alignment distance <= 2, or <= 1 for
// words under five letters).
std::string Nearest(const std::string& word, const std::vector<std::string>& known);

}  // namespace autotune
