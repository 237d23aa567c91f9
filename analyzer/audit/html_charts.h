// The page's charts, as SVG inside HTML. Widths are percentages, so that a chart fits a phone and its letters keep
// their size.
#pragma once

#include <string>
#include <vector>

#include "analyzer/audit/totals.h"

namespace autotune {

// Bars, one a cause. "" where nothing was lost.
std::string CauseChart(const std::vector<CauseTotal>& causes);

// Columns, one a day that has runs, in time order; `height` in pixels. "" where no log names a day.
std::string DayChart(const std::vector<DayTotal>& days, int height);

}  // namespace autotune
