// The day a log was written, from the log's own words: a clock or a file's time would tell when it was copied.
#pragma once

#include <string>
#include <string_view>

namespace autotune {

// The first day that the lines of `text` name beside a time of day: "2026-11-30" from ISO dates (Docker, kubectl
// --timestamps, Python's logging), else "11-30" from dates without a year: glog's `I1130 12:00:00.1` (TORCH_LOGS),
// vLLM's `INFO 11-30 12:00:00`, syslog's `Nov 30 12:00:00`. "" when there is none.
std::string DayOf(std::string_view text);

}  // namespace autotune
