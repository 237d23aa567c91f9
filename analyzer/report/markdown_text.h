// Log text inside Markdown: nothing in it may become a link, an image, HTML, a mention or a second column of a table.
// For GitHub's dialect (GFM 0.29), which the other trackers read, too.
#pragma once

#include <string>
#include <string_view>

namespace autotune {

// As running text: what Markdown would act on gets a backslash; "@name" gets a zero-width blank so that nobody is
// called.
std::string MarkdownText(std::string_view text);

// As a code span that no backtick in it can end. Inside a table a pipe needs a backslash even there.
std::string MarkdownCode(std::string_view text, bool in_table = false);

// As a fenced block, line breaks kept; the fence is longer than any in the text.
std::string MarkdownFence(std::string_view text);

}  // namespace autotune
