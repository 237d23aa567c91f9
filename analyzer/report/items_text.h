// What `check` found, as terminal text and as Markdown: what differs first, then what is as recorded, then what cannot
// be told here and why.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/model/check_item.h"
#include "analyzer/report/reporter.h"

namespace autotune {

// `root` is "" for this machine.
std::string ItemsAsText(std::string_view path, std::string_view root, const std::vector<CheckItem>& items,
                        const ReportStyle& style);
std::string ItemsAsMarkdown(std::string_view path, std::string_view root, const std::vector<CheckItem>& items,
                            bool quiet);

}  // namespace autotune
