// What every HTML page of the program shares: escaping, its frame, its look, and how it gets onto the disk.
//
// A page needs no network and no other file. A log is written by strangers: everything from it is escaped by
// HtmlText(), and a Content-Security-Policy lets no script run but the page's own, which is named by its hash.
#pragma once

#include <absl/status/status.h>

#include <string>
#include <string_view>

namespace autotune {

// Text as HTML: markup and quotes become references, what cannot be seen becomes visible (Printable).
std::string HtmlText(std::string_view text);
// Likewise for texts of several lines, which stay lines.
std::string HtmlLines(std::string_view text);

// From the doctype to <body>. `script` is the page's own, "" where it has none.
std::string HtmlHead(std::string_view title, std::string_view script = "");
// From the footer to </html>. `note` stands beside the program's version.
std::string HtmlTail(std::string_view note = "", std::string_view script = "");

// One number over its name. `kind` is a class of the style sheet: "lead", "mismatch", "clean", "unknown".
std::string HtmlTile(std::string_view label, std::string_view value, std::string_view kind = "");

// Whether a page could be written to `path`: asked before hours of reading.
absl::Status CheckPageFile(const std::string& path);
// Writes beside `path` and puts the page in place whole: a reader never sees half of it.
absl::Status WritePageFile(const std::string& path, std::string_view page);

// Light and dark by the reader's own setting, phone to wide screen, paper (html_style.cc).
extern const std::string_view kPageStyle;

}  // namespace autotune
