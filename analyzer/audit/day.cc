#include "analyzer/audit/day.h"

#include <re2/re2.h>

#include <algorithm>

#include "analyzer/base/text.h"

namespace autotune {
namespace {

#define AUTOTUNE_MONTH "(0[1-9]|1[0-2])"
#define AUTOTUNE_DAY "(0[1-9]|[12][0-9]|3[01])"
#define AUTOTUNE_CLOCK "[0-2][0-9]:[0-5][0-9]"

// Year, month and day, then a time: "2026-11-30T12:00:00Z", "2026/11/30 12:00", "[2026-11-30 12:00:00,123]".
const RE2& FullDate() {
  static const RE2& pattern =
      *new RE2("(?:^|[^0-9])(20[0-9]{2})[-/]" AUTOTUNE_MONTH "[-/]" AUTOTUNE_DAY "[T _]" AUTOTUNE_CLOCK);
  return pattern;
}

const RE2& MonthAndDay() {
  static const RE2& pattern = *new RE2("(?m)(?:^|[\\s\\]:])(?:[IWEFVC]|(?:INFO|WARNING|ERROR|DEBUG) )" AUTOTUNE_MONTH
                                       "-?" AUTOTUNE_DAY " " AUTOTUNE_CLOCK ":[0-5][0-9]");
  return pattern;
}

const RE2& Syslog() {
  static const RE2& pattern =
      *new RE2("(?m)^(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) ([ 0-3]?[0-9]) " AUTOTUNE_CLOCK ":[0-5][0-9] ");
  return pattern;
}

}  // namespace

std::string DayOf(std::string_view text) {
  std::string year, month, day;
  if (RE2::PartialMatch(ToRe2(text), FullDate(), &year, &month, &day)) return year + "-" + month + "-" + day;
  if (RE2::PartialMatch(ToRe2(text), MonthAndDay(), &month, &day)) return month + "-" + day;
  if (RE2::PartialMatch(ToRe2(text), Syslog(), &month, &day)) {
    constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
    const size_t number = kMonths.find(month) / 3 + 1;
    const std::string_view digits = TrimLeft(day);
    return (number < 10 ? "0" : "") + std::to_string(number) + "-" + (digits.size() < 2 ? "0" : "") +
           std::string(digits);
  }
  return "";
}

}  // namespace autotune
