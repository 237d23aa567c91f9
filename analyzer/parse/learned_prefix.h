// Wrappers that nobody listed: their shape is learned from the line that carries a header (or a footer, or the title of
// a stats pair), since there the place where the wrapper ends is known.
//
//   <<node7/worker-12>> 10:11:12.345 | AUTOTUNE mm(8x8, 8x8)
//   <<node7/worker-12>> 10:11:12.352 |   mm 0.0061 ms 100.0%
//   \______________ ______________/
//     << # / # >> time |               words without digits and punctuation stay, times are masked, words with a digit
//     are ids
//
// Lines of one shape with equal ids are one stream; with other ids they are another's. An id that is never the same
// twice is a counter (a line number), and tells nothing apart. Which it is shows in the lines that follow, so lines of
// a new shape wait (few of them, and only such as can be parts of a block) until an id comes again, or a counter has
// counted long enough. A prefix that only ever stands before headers is prose about them, and none: "see AUTOTUNE
// mm(8x8, 8x8)".
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/parse/part.h"

namespace autotune {

class LearnedPrefixes {
 public:
  // A line of a learned shape. `stream` is empty while it is not known which ids tell streams apart.
  struct Hit {
    size_t shape;
    std::string_view rest;  // the text behind the prefix
    std::string ids;        // its ids, joined
  };
  // A line that waited.
  struct Waiting {
    std::string prefix, text, ids;
    uint64_t first, last;
    std::string outer_key, process, rank, pod;
  };

  bool empty() const { return shapes_.empty(); }
  // The longest known shape that the line begins with, among those of the same outer wrappers.
  std::optional<Hit> Match(std::string_view line, std::string_view outer_key) const;
  // Makes a shape of the prefix (or finds the one it has). False: no program writes this before a line.
  bool Learn(std::string_view prefix, std::string_view outer_key, Hit* hit);

  // What to do with a part line of a shape.
  enum class Verdict { kWait, kSettled };
  Verdict Add(const Hit& hit, Waiting line, Part::Kind kind);
  bool settled(size_t shape) const { return shapes_[shape].settled; }
  // The lines of the shape that waited, in order; they are taken.
  std::vector<Waiting> Take(size_t shape);
  // All that waited in shapes that settle only now, at the end of the input.
  std::vector<std::pair<size_t, std::vector<Waiting>>> TakeAll();
  // A header that waits alone and ended on line `last`: the prefix was debris on that line, the table follows bare.
  std::optional<Waiting> TakeLoneHeader(uint64_t last, std::string_view outer_key);
  // The part of the ids that tells streams apart; only of a settled shape.
  std::string StreamOf(const Hit& hit) const;

 private:
  struct Token {
    enum class Kind : uint8_t { kBlanks, kTime, kLevel, kId, kWord, kMark } kind;
    std::string text;  // kWord, kMark
  };
  struct Shape {
    std::string key;  // tokens as text, to find equal ones
    std::string outer_key;
    std::vector<Token> tokens;
    bool settled = false;
    std::vector<bool> counters;  // by id, when settled
    std::vector<std::pair<Waiting, Part::Kind>> waiting;
    uint64_t used = 0;
  };

  static bool Tokenize(std::string_view prefix, std::vector<Token>* tokens, std::string* ids);
  static bool MatchTokens(const std::vector<Token>& tokens, std::string_view line, std::string_view* rest,
                          std::string* ids);
  static void Settle(Shape* shape, bool at_end);

  std::vector<Shape> shapes_;
  uint64_t clock_ = 0;
};

// Labels that the text of an unlisted prefix gives: a rank ("rank=3", "[rank3]", "_TP3") and the one word that has
// letters and a number and is no time ("worker-12"); "" when there is none, or more than one.
struct PrefixLabels {
  std::string process, rank;
};
PrefixLabels LabelsOfPrefix(std::string_view prefix);

}  // namespace autotune
