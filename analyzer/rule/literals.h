// The literals that a pattern cannot match without: what makes a prefilter right.
//
//   \bTORCHINDUCTOR_(?:CACHE_DIR|CK_DIR)=(?P<value>\S*)     ->  "TORCHINDUCTOR_CACHE_DIR", "TORCHINDUCTOR_CK_DIR"
//   (?:fx|FX) graph cache (?P<state>hit|miss) for key        ->  " graph cache hit for key", " graph cache miss for
//   key"
//
// FilteredRE2 does the like, but lower-cases its atoms, which costs the filter in front of it its speed (the whole log
// would have to be folded), and does not say which atoms suffice. And it has to compile each pattern first, where a
// start of the program has milliseconds for all rules together.
//
// Literals never hold bytes that a JSON encoder may write otherwise (quotes, backslash, <, >, &, =, ', controls and all
// beyond ASCII), so that they also stand in a line that docker or a log shipper wrapped in JSON.
//
// The reading of RE2's syntax here may be coarse (what it does not know it takes for "anything"), but never wrong: an
// answer holds for every match. tests/unit/rule/literals_test.cc checks it against RE2 itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace autotune {

// Shorter literals stand in too many lines to be worth a look-up.
inline constexpr size_t kMinLiteral = 4;

// At least one of these stands in every text that `pattern` (RE2, searched) matches; of the sets that the pattern
// offers the one that fewest lines of a log should hold. Empty: none can be drawn. Case-insensitive parts give none.
std::vector<std::string> RequiredLiterals(std::string_view pattern);

// How seldom a literal is thought to be in a log (higher: rarer): its rarest kMinLiteral bytes decide, which are also
// what a filter takes as fingerprint; `rarest` is their offset. 0 for what is too short.
int LiteralRarity(std::string_view literal, size_t* rarest = nullptr);

}  // namespace autotune
