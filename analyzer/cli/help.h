// What --help says: for people who have a slow run in front of them, so examples come first and exit codes are told.
#pragma once

#include <string>
#include <string_view>

namespace autotune {

// The help of one command ("" is the scan of logs), or an empty string for a command that does not exist.
std::string HelpText(std::string_view command);

// A few lines for somebody who typed the program's name alone.
std::string UsageText();

}  // namespace autotune
