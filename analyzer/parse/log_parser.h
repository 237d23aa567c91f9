// One log's physical lines in, blocks, orphans and evidence out.
//
//   LogParser parser(rules, "train.log", &sink);
//   parser.Line("AUTOTUNE mm(8x8, 8x8)", 1);   // every physical line, without its "\n", in order ...
//   parser.Finish(true);                        // ... and the end
//
// A line goes through: carriage returns and cursor codes -> wrapper (listed or learned) -> joining of partial lines ->
// the block reader of its stream -> evidence rules. A driver may leave out lines without any of Literals() that are not
// wanted otherwise: they could not have changed anything (tests read the whole corpus both ways).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/model/sink.h"
#include "analyzer/rule/rule_set.h"

namespace autotune {

class LogParser {
 public:
  // `rules` and `sink` must outlive this.
  LogParser(const RuleSet& rules, std::string source, LogSink* sink);
  ~LogParser();
  LogParser(const LogParser&) = delete;
  LogParser& operator=(const LogParser&) = delete;

  // `number` counts physical lines from 1; numbers may jump over lines that were left out.
  void Line(std::string_view raw, uint64_t number);
  // Line `number`, which comes next, can matter whatever it says (it may continue a cut row, a partial line, a two-line
  // rule).
  bool wants_line(uint64_t number) const;
  // It can matter when it has a '%' in it: rows of torch 2.0 ("mm 0.0184s 100.0%") hold nothing else that is rare, and
  // a log may begin in the middle of their table.
  static bool wants_percent(uint64_t number);
  // `ended_whole`: the input ended with a line break (a row cut in the middle is told from a finished one by it).
  void Finish(bool ended_whole);

  // Literals (bytes, case-sensitive) one of which stands in every line that can matter when it is not wanted as above.
  // Derived from the rules and from the block layouts; the prefilter is built from these and adds none of its own.
  static std::vector<std::string> Literals(const RuleSet& rules);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace autotune
