// Log text made safe to print. A log is written by strangers: an escape sequence in it could clear the screen, rewrite
// the verdict above it or change the terminal's title; a bidirectional override could show a value in another order.
//
// Valid UTF-8 stays. What moves a cursor or cannot be seen becomes visible: `\x1b`, `\u{202e}`; bytes that are no UTF-8
// become U+FFFD. Line breaks and tabs become one blank.
#pragma once

#include <string>
#include <string_view>

namespace autotune {

std::string Printable(std::string_view text);

// Likewise, but line ends stay: for texts of several lines that hold somebody else's words.
std::string PrintableLines(std::string_view text);

// Columns that printable text takes in a terminal: wide characters (CJK, emoji) take two, combining marks none.
int TerminalColumns(std::string_view printable);

// At most `columns` wide; what is cut out of the middle is shown as "...". Both ends of a path or a list identify it.
std::string Shorten(std::string_view printable, int columns);

}  // namespace autotune
