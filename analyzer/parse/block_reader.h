// The parts of one stream's lines to blocks and orphans.
//
// A block goes header -> strides, dtypes -> rows -> footer and is handed on at its footer, or when the next header of
// the stream (or the end) shows that there will be none. Foreign lines never come here: they neither belong to a block
// nor end it.
//
// Two writers on one stream are the danger: torch writes to stderr line by line, and ranks without a launcher's labels
// write into each other's tables. Nothing tells their lines apart, and a block made of two would be a lie. So:
//
//   * A header that follows a header without rows makes a group. `strides:`, `dtypes:` or the footer twice in it: the
//     group was written by two. No block; rows and footers are orphans.
//   * A block that begins while an earlier table of the stream still lacks its footer is in doubt: that table may go on
//   in
//     it. It must then be one table by its own numbers: first row 100.0%, times ascending, each percentage the ratio of
//     its own times as far as they are printed, no choice twice, no more rows than choices, strides and dtypes before
//     rows.
//   * A block in no doubt is only given up for what no table of torch can have: a row faster than the one before, and
//   of
//     another table by its percentage; or strides behind rows.
//
// `Autotune Choices Stats:` pairs stand before the header, of two ranks perhaps before both: a block takes the pair
// that names its first row, else the last one.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/model/sink.h"
#include "analyzer/parse/backend_namer.h"
#include "analyzer/parse/layout.h"
#include "analyzer/parse/part.h"

namespace autotune {

// What the readers of all streams share.
struct BlockContext {
  BlockContext(const RuleSet& rules_of_all, std::string source_name, LogSink* out)
      : rules(rules_of_all), source(std::move(source_name)), sink(out) {}

  // Made when the first row comes: most logs of a pile have none.
  BackendNamer& backends() { return made_backends ? *made_backends : made_backends.emplace(rules); }
  LayoutJudge& layouts() { return made_layouts ? *made_layouts : made_layouts.emplace(rules); }

  const RuleSet& rules;
  std::string source;
  LogSink* sink;
  StatsReader stats;
  std::optional<BackendNamer> made_backends;
  std::optional<LayoutJudge> made_layouts;
};

// Where a line stands and who wrote it. Joined lines have several physical ones.
struct LinePlace {
  uint64_t first = 0, last = 0;
  std::string_view process, rank, pod;  // "" not named
};

class BlockReader {
 public:
  explicit BlockReader(BlockContext* context) : context_(context) {}

  void OnPart(const Part& part, const LinePlace& place);
  // `cut_mid_row`: the input ended in the middle of a line that may be a row of this stream.
  void Finish(bool cut_mid_row);

  bool open() const { return !group_.empty(); }
  // Rows may follow that no literal gives away: the open block has none yet, or such as torch 2.0 prints.
  bool awaits_rows() const { return open() && !group_.back().block.footer_line && !group_.back().has_spaced_row; }
  // Items that the open header announces; strides and dtypes have as many.
  size_t open_shapes() const { return group_.empty() ? 0 : group_.back().block.shapes.size(); }
  uint64_t last_line() const { return last_line_; }

 private:
  struct RowCheck {
    double ms;
    std::optional<double> pct;
  };
  struct Open {
    Block block;
    LayoutSigns signs;
    bool in_doubt = false, of_two = false;
    bool has_spaced_row = false;  // "... ms ..."
    size_t bytes = 0;
  };
  struct PendingStats {
    Stats stats;
    uint64_t line;
    Labels labels;
    int passed_over = 0;  // blocks that took another pair
  };

  void OnHeader(const Part& part, const LinePlace& place);
  void OnStrides(const Part& part, const LinePlace& place);
  void OnDtypes(const Part& part, const LinePlace& place);
  void OnRow(const RowText& row, const LinePlace& place);
  void OnFooter(const FooterText& footer, const LinePlace& place);
  void OnStats(std::string_view object, const LinePlace& place);
  void OnTraceStats(std::string_view text, const LinePlace& place);

  bool AwaitsVerdict() const { return !group_.empty() && group_.back().block.footer_line.has_value(); }
  // Strides or dtypes where they cannot be: twice, or behind rows.
  bool OutOfPlace(bool already);
  Choice MakeChoice(const RowText& row, const LinePlace& place, std::string_view op);
  bool AcceptsOrphanRow(const RowText& row, const LinePlace& place);
  void EmitOrphan(const Choice& choice, const Labels& labels);
  void EmitOrphan(const FooterText& footer, const LinePlace& place);
  void EmitOrphan(const PendingStats& stats);

  void Resolve(bool cut_mid_row);  // the group is over: its blocks go out, or it turns out to be of two
  void Dissolve();                 // the group is of two: rows and footers become orphans
  void Emit(Open open, bool cut_mid_row);
  void TakeStats(Block* block);
  static bool IsOneTable(const Open& open);

  BlockContext* context_;
  std::vector<Open> group_;  // headers without rows, and last the block that rows go to
  std::deque<PendingStats> stats_;
  bool mixed_ = false;      // a dissolved group goes on
  int outstanding_ = 0;     // tables begun in this stream whose footer has not come
  uint64_t last_line_ = 0;  // of the last part
};

}  // namespace autotune
