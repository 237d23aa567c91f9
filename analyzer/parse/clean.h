// What is left of a physical line once a terminal has shown it: no colours, cursor codes, NULs, byte order mark.
//
//   ESC[36m(RayTrainWorker pid=3312)ESC[0m \r 37%|███▋  | 10/27 [00:00<00:00]\r AUTOTUNE mm(8x8, 8x8)
//
// A cursor that leaves its place (ESC[A, ESC[2K, ESC[1G) overwrites like a carriage return and becomes one. Carriage
// returns stay in at first, because a wrapper's prefix stands before them and is not overwritten: whoever took the
// prefix off calls LastSegment().
#pragma once

#include <string>
#include <string_view>

namespace autotune {

// `raw` itself, or `*buffer`, without control codes and without carriage returns at the end. Invalid UTF-8 is left
// alone.
std::string_view CleanLine(std::string_view raw, std::string* buffer);

// The text behind the last carriage return that has some: what overwrote the rest. The text itself when there is none.
std::string_view LastSegment(std::string_view text);

// Columns that a terminal needs for the text: its UTF-8 characters.
size_t Columns(std::string_view text);

}  // namespace autotune
