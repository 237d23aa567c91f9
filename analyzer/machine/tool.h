// Runs one of the driver's tools and takes what it prints.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace autotune {

// Standard output of a program from PATH; nothing when there is no such program, it fails, or it is not done in ten
// seconds (a driver that hangs must not hang us).
std::optional<std::string> OutputOf(const std::vector<std::string>& command);

}  // namespace autotune
