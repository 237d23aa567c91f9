// What the logs of training runs are full of: decides which bytes of a literal are looked for first. A wrong answer
// here costs time and nothing else.
#pragma once

namespace autotune {

// How seldom a byte is, roughly: 1 in nearly every word, 6 hardly ever.
int ByteRarity(char byte);

// Whether these four bytes stand in most lines of a debug log or of a traceback, and so tell nothing. Sometimes yes
// where they do not.
bool IsCommonText(const char* four_bytes);

}  // namespace autotune
