#include "analyzer/audit/html_charts.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyzer/report/html_page.h"
#include "analyzer/report/wording.h"

namespace autotune {
namespace {

constexpr size_t kCausesShown = 12;

}  // namespace

std::string CauseChart(const std::vector<CauseTotal>& causes) {
  if (causes.empty()) return "";
  const size_t shown = std::min(causes.size(), kCausesShown);
  double most = 0;
  for (const CauseTotal& cause : causes) most = std::max(most, cause.seconds);
  // Names are HTML, so that a long one wraps on a phone; the bars alone are SVG.
  std::string out = "<figure><figcaption>Seconds lost by cause</figcaption>\n<ul class=\"bars\">\n";
  for (size_t i = 0; i < shown; ++i) {
    const CauseTotal& cause = causes[i];
    const double width = most > 0 ? 100 * cause.seconds / most : 0;
    out += fmt::format(
        "<li><span>{}</span><span class=\"value\">{}, {}</span><svg aria-hidden=\"true\" width=\"100%\" "
        "height=\"10\"><rect class=\"track\" width=\"100%\" height=\"10\" rx=\"5\"/>"
        "<rect class=\"{}\" width=\"{:.2f}%\" height=\"10\" rx=\"5\"/></svg></li>\n",
        HtmlText(cause.setting.empty() ? "not known" : cause.setting),
        cause.seconds > 0 ? Duration(cause.seconds) : "0 s", Count(cause.runs, "run"),
        cause.setting.empty() ? "rest" : "bar", std::max(width, cause.seconds > 0 ? 1.0 : 0.0));
  }
  out += "</ul>\n";
  if (shown < causes.size()) out += fmt::format("<p class=\"dim\">and {} more causes</p>\n", causes.size() - shown);
  return out + "</figure>\n";
}

std::string DayChart(const std::vector<DayTotal>& all, int height) {
  std::vector<DayTotal> days;
  uint64_t without = 0;
  double most = 0;
  for (const DayTotal& day : all) {
    if (day.day.empty()) {
      without = day.runs;
    } else {
      days.push_back(day);
      most = std::max(most, day.seconds);
    }
  }
  if (days.empty()) return "";
  std::string out = fmt::format(
      "<figure><figcaption>Seconds lost by day</figcaption>\n<svg role=\"img\" aria-label=\"Seconds lost by day\" "
      "width=\"100%\" height=\"{}\">\n<text class=\"value\" x=\"0\" y=\"12\">{}</text>"
      "<line x1=\"0\" x2=\"100%\" y1=\"{}\" y2=\"{}\"/>\n",
      height + 24, most > 0 ? Duration(most) : "", height, height);
  const double pitch = std::min(100.0 / static_cast<double>(days.size()), 12.0);
  for (size_t i = 0; i < days.size(); ++i) {
    const double column = most > 0 ? (height - 22) * days[i].seconds / most : 0;
    const double shown = std::max(column, days[i].seconds > 0 ? 2.0 : 0.0);
    out += fmt::format(
        "<rect class=\"bar\" x=\"{:.3f}%\" y=\"{:.1f}\" width=\"{:.3f}%\" height=\"{:.1f}\" rx=\"3\"><title>{}: {}, {} "
        "of "
        "{} tuned</title></rect>\n",
        pitch * static_cast<double>(i), height - shown, pitch * 0.8, shown, HtmlText(days[i].day),
        days[i].seconds > 0 ? Duration(days[i].seconds) : "nothing lost", days[i].tuned, Count(days[i].runs, "run"));
  }
  out += fmt::format("<text x=\"0\" y=\"{}\">{}</text>", height + 18, HtmlText(days.front().day));
  if (days.size() > 1) {
    const double end = pitch * static_cast<double>(days.size()) - pitch * 0.2;
    const bool room = end > 45;  // else both labels would run into each other
    out += room ? fmt::format("<text x=\"{:.2f}%\" y=\"{}\" text-anchor=\"end\">{}</text>", end, height + 18,
                              HtmlText(days.back().day))
                : fmt::format("<text x=\"100%\" y=\"{}\" text-anchor=\"end\">to {}</text>", height + 18,
                              HtmlText(days.back().day));
  }
  out += "\n</svg>\n";
  if (without > 0) out += fmt::format("<p class=\"dim\">{} without a day in the log</p>\n", Count(without, "run"));
  return out + "</figure>\n";
}

}  // namespace autotune
