#include "analyzer/parse/block_reader.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>
#include <utility>

#include "analyzer/parse/labels.h"

namespace autotune {
namespace {

// Lines between two parts of one table that other programs may fill. Only matters where tables are mixed: behind it a
// header is taken to begin anew.
constexpr uint64_t kReach = 512;
// A table of all choices has hundreds of rows (CUTLASS thousands); what is beyond is counted, not kept.
constexpr size_t kMaxRows = 20000, kMaxBlockBytes = 16 << 20;
constexpr size_t kMaxGroup = 64, kMaxStats = 16;

Labels MakeLabels(const LinePlace& place) {
  Labels labels;
  SetLabels(place.process, place.rank, place.pod, &labels);
  return labels;
}

// Times are printed with four decimals, percentages with one: what a ratio of two printed times may differ by.
constexpr double kHalfTime = 0.00005, kHalfPct = 0.05, kSlack = 1e-6;

// Whether `row` can stand in one table with `best`, by the percentage that inductor computes from unrounded times.
bool SameTable(const Choice& best, const Choice& row, double allowance) {
  if (!row.pct || !best.pct || std::isinf(row.ms) || std::isinf(best.ms) || std::isnan(row.ms)) return true;
  if (row.ms <= kHalfTime || best.ms <= kHalfTime) return true;
  const double top = *best.pct;
  const double low = top * (best.ms - kHalfTime) / (row.ms + kHalfTime) - kHalfPct - kSlack;
  const double high = top * (best.ms + kHalfTime) / (row.ms - kHalfTime) + kHalfPct + kSlack;
  return *row.pct >= low - allowance && *row.pct <= high + allowance;
}

}  // namespace

void BlockReader::OnPart(const Part& part, const LinePlace& place) {
  switch (part.kind) {
    case Part::Kind::kHeader:
      OnHeader(part, place);
      break;
    case Part::Kind::kStrides:
      OnStrides(part, place);
      break;
    case Part::Kind::kDtypes:
      OnDtypes(part, place);
      break;
    case Part::Kind::kRow:
      OnRow(part.row, place);
      break;
    case Part::Kind::kFooter:
      OnFooter(part.footer, place);
      break;
    case Part::Kind::kStatsJson:
      OnStats(part.list, place);
      break;
    case Part::Kind::kTraceStats:
      OnTraceStats(part.list, place);
      break;
    case Part::Kind::kStatsTitle:
    case Part::Kind::kNone:
      break;
  }
  last_line_ = place.last;
}

void BlockReader::OnHeader(const Part& part, const LinePlace& place) {
  if (mixed_) {
    if (outstanding_ > 0 && place.first - last_line_ <= kReach) {
      ++outstanding_;
      context_->sink->OnCounter("mixed_tables", place.first);
      return;
    }
    mixed_ = false;
    outstanding_ = 0;
  }
  if (!group_.empty() && (AwaitsVerdict() || !group_.back().block.choices.empty() || group_.size() >= kMaxGroup)) {
    Resolve(false);
    if (mixed_ && outstanding_ > 0) {
      ++outstanding_;
      context_->sink->OnCounter("mixed_tables", place.first);
      return;
    }
    mixed_ = false;
  }
  Open open;
  open.in_doubt = outstanding_ > 0;
  open.block.source = context_->source;
  open.block.labels = MakeLabels(place);
  open.block.op = std::string(part.op);
  open.block.shapes = SplitShapes(part.shapes);
  open.block.line = place.first;
  open.block.end_line = place.last;
  group_.push_back(std::move(open));
  ++outstanding_;
}

bool BlockReader::OutOfPlace(bool already) {
  if (group_.empty()) return true;
  Open& open = group_.back();
  if (already && group_.size() > 1) {
    Dissolve();
    return true;
  }
  if (open.block.footer_line) return true;
  if (!open.block.choices.empty() || (already && open.in_doubt)) open.of_two = true;
  return already || !open.block.choices.empty();
}

void BlockReader::OnStrides(const Part& part, const LinePlace& place) {
  if (OutOfPlace(open() && group_.back().block.strides.has_value())) return;
  Block& block = group_.back().block;
  block.strides = SplitStrides(part.list);
  block.end_line = place.last;
}

void BlockReader::OnDtypes(const Part& part, const LinePlace& place) {
  if (OutOfPlace(open() && group_.back().block.dtypes.has_value())) return;
  Block& block = group_.back().block;
  block.dtypes = SplitDtypes(part.list);
  block.end_line = place.last;
}

Choice BlockReader::MakeChoice(const RowText& row, const LinePlace& place, std::string_view op) {
  Choice choice;
  choice.name = std::string(row.name);
  choice.ms = row.ms;
  choice.pct = row.pct;
  choice.description = std::string(row.description);
  choice.backend = std::string(context_->backends().Backend(row.name, op));
  choice.line = place.first;
  return choice;
}

void BlockReader::OnRow(const RowText& row, const LinePlace& place) {
  if (group_.empty() || AwaitsVerdict()) {
    if (!mixed_ && !AcceptsOrphanRow(row, place)) return;
    EmitOrphan(MakeChoice(row, place, ""), MakeLabels(place));
    // Rows without a header are a table whose footer may come: until then a new header's block is in doubt.
    if (outstanding_ == 0) outstanding_ = 1;
    return;
  }
  Open& open = group_.back();
  Block& block = open.block;
  if (block.choices.size() >= kMaxRows || open.bytes > kMaxBlockBytes) {
    context_->sink->OnCounter("dropped_row", place.first);
    return;
  }
  Choice choice = MakeChoice(row, place, block.op);
  if (choice.backend == "UNKNOWN") context_->sink->OnCounter("unknown_choice", place.first);
  if (!block.choices.empty()) {
    constexpr double kAllowance = 2.0;  // percent; a hand-made copy may round as it likes
    const Choice& before = block.choices.back();
    open.of_two = open.of_two || (choice.ms < before.ms - 2 * kHalfTime && !std::isinf(before.ms) &&
                                  !SameTable(block.choices.front(), choice, kAllowance));
  }
  (row.seconds ? open.signs.seconds : open.signs.milliseconds) = true;
  open.has_spaced_row |= row.spaced;
  open.signs.trailing_blank |= row.trailing_blank;
  open.signs.divided_by_zero |= row.divided_by_zero;
  open.bytes += choice.name.size() + choice.description.size();
  block.end_line = place.last;
  block.choices.push_back(std::move(choice));
}

void BlockReader::OnFooter(const FooterText& footer, const LinePlace& place) {
  outstanding_ = std::max(outstanding_ - 1, 0);
  if (group_.empty()) {
    EmitOrphan(footer, place);
    if (outstanding_ == 0) mixed_ = false;
    return;
  }
  if (AwaitsVerdict()) {
    Dissolve();
    EmitOrphan(footer, place);
    return;
  }
  Open& open = group_.back();
  Block& block = open.block;
  if (open.in_doubt && block.choices.empty()) open.of_two = true;  // the other table's footer
  block.footer_line = place.first;
  block.end_line = place.last;
  block.mode = footer.sub_process ? "SubProcess" : "SingleProcess";
  block.benchmark_seconds = footer.benchmark_seconds;
  block.precompile_seconds = footer.precompile_seconds;
  block.prescreen_seconds = footer.prescreen_seconds;
  block.num_choices = footer.num_choices;
  open.signs.footer_benchmarking = footer.benchmarking;
  if (group_.size() == 1 || open.of_two) Resolve(false);
}

void BlockReader::OnStats(std::string_view object, const LinePlace& place) {
  std::optional<Stats> stats = context_->stats.Read(object);
  if (!stats) {
    context_->sink->OnCounter("broken_stats", place.first);
    return;
  }
  if (AwaitsVerdict()) Resolve(false);
  if (stats_.size() >= kMaxStats) {
    EmitOrphan(stats_.front());
    stats_.pop_front();
  }
  stats_.push_back({*std::move(stats), place.first, MakeLabels(place)});
}

// Nothing that follows in a trace is this problem's table.
void BlockReader::OnTraceStats(std::string_view text, const LinePlace& place) {
  std::optional<Stats> stats = context_->stats.ReadQuoted(text);
  if (!stats) {
    context_->sink->OnCounter("broken_stats", place.first);
    return;
  }
  EmitOrphan(PendingStats{*std::move(stats), place.first, MakeLabels(place)});
}

// A row without a header is only believed when it can hardly be anything else: profilers print "forward 12.3 ms 45.0%".
bool BlockReader::AcceptsOrphanRow(const RowText& row, const LinePlace& place) {
  constexpr uint64_t kNear = 16;
  if (context_->backends().Backend(row.name, "") != "UNKNOWN" || IsKeywordList(row.description)) return true;
  return outstanding_ > 0 && last_line_ > 0 && place.first - last_line_ <= kNear;
}

void BlockReader::EmitOrphan(const Choice& choice, const Labels& labels) {
  Orphan orphan;
  orphan.kind = Orphan::Kind::kRow;
  orphan.source = context_->source;
  orphan.line = choice.line;
  orphan.labels = labels;
  orphan.row = choice;
  if (choice.backend == "UNKNOWN") context_->sink->OnCounter("unknown_choice", choice.line);
  context_->sink->OnOrphan(std::move(orphan));
}

void BlockReader::EmitOrphan(const FooterText& footer, const LinePlace& place) {
  Orphan orphan;
  orphan.kind = Orphan::Kind::kFooter;
  orphan.source = context_->source;
  orphan.line = place.first;
  orphan.labels = MakeLabels(place);
  orphan.mode = footer.sub_process ? "SubProcess" : "SingleProcess";
  orphan.num_choices = footer.num_choices;
  orphan.benchmark_seconds = footer.benchmark_seconds;
  orphan.precompile_seconds = footer.precompile_seconds;
  orphan.prescreen_seconds = footer.prescreen_seconds;
  context_->sink->OnOrphan(std::move(orphan));
}

void BlockReader::EmitOrphan(const PendingStats& stats) {
  Orphan orphan;
  orphan.kind = Orphan::Kind::kStats;
  orphan.source = context_->source;
  orphan.line = stats.line;
  orphan.labels = stats.labels;
  orphan.num_choices = stats.stats.num_choices;
  orphan.num_triton_choices = stats.stats.num_triton_choices;
  context_->sink->OnOrphan(std::move(orphan));
}

bool BlockReader::IsOneTable(const Open& open) {
  const std::vector<Choice>& rows = open.block.choices;
  if (open.of_two) return false;
  if (rows.empty()) return !open.block.footer_line;
  if (rows.front().pct && *rows.front().pct != 100.0) return false;
  if (open.block.num_choices && static_cast<int64_t>(rows.size()) > *open.block.num_choices) return false;
  std::unordered_set<std::string> seen;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (i > 0 && rows[i].ms < rows[i - 1].ms) return false;
    if (!SameTable(rows.front(), rows[i], 0)) return false;
    if (!seen.insert(rows[i].name + '\n' + rows[i].description).second) return false;
  }
  return true;
}

void BlockReader::Resolve(bool cut_mid_row) {
  if (group_.empty()) return;
  const Open& last = group_.back();
  if (last.of_two || (last.in_doubt && !IsOneTable(last))) {
    Dissolve();
    return;
  }
  // One whole table after another was cut: what was outstanding does not come any more.
  if (last.block.footer_line) outstanding_ = 0;
  std::vector<Open> group = std::move(group_);
  group_.clear();
  for (size_t i = 0; i < group.size(); ++i) Emit(std::move(group[i]), cut_mid_row && i + 1 == group.size());
}

void BlockReader::Dissolve() {
  std::vector<Open> group = std::move(group_);
  group_.clear();
  mixed_ = outstanding_ > 0;
  for (const Open& open : group) {
    context_->sink->OnCounter("mixed_tables", open.block.line);
    for (const Choice& choice : open.block.choices) EmitOrphan(choice, open.block.labels);
    if (!open.block.footer_line) continue;
    Orphan orphan;
    orphan.kind = Orphan::Kind::kFooter;
    orphan.source = context_->source;
    orphan.line = *open.block.footer_line;
    orphan.labels = open.block.labels;
    orphan.mode = open.block.mode;
    orphan.num_choices = open.block.num_choices;
    orphan.benchmark_seconds = open.block.benchmark_seconds;
    orphan.precompile_seconds = open.block.precompile_seconds;
    orphan.prescreen_seconds = open.block.prescreen_seconds;
    context_->sink->OnOrphan(std::move(orphan));
  }
}

void BlockReader::TakeStats(Block* block) {
  size_t before = 0;
  while (before < stats_.size() && stats_[before].line < block->line) ++before;
  if (before == 0) return;
  size_t taken = before - 1;
  for (size_t i = 0; i < before && !block->choices.empty(); ++i) {
    const Stats& stats = stats_[i].stats;
    const Choice& best = block->choices.front();
    if (stats.best_kernel == best.name && stats.best_time && std::abs(*stats.best_time - best.ms) <= 2 * kHalfTime)
      taken = i;
  }
  block->num_choices_stats = stats_[taken].stats.num_choices;
  block->num_triton_choices = stats_[taken].stats.num_triton_choices;
  block->stats_line = stats_[taken].line;
  stats_.erase(stats_.begin() + static_cast<std::ptrdiff_t>(taken));
  // The others: of prescreening, which prints a pair of its own (torch >= 2.9); or of a rank whose block is still to
  // come.
  for (size_t i = 0; i + 1 < before;) {
    if (!block->prescreen_seconds && ++stats_[i].passed_over < 2) {
      ++i;
      continue;
    }
    if (!block->prescreen_seconds) EmitOrphan(stats_[i]);
    stats_.erase(stats_.begin() + static_cast<std::ptrdiff_t>(i));
    --before;
  }
}

void BlockReader::Emit(Open open, bool cut_mid_row) {
  Block& block = open.block;
  TakeStats(&block);
  const bool table_without_footer = open.signs.seconds && !open.signs.milliseconds;  // torch 2.0 prints none
  block.complete = block.footer_line.has_value() || (table_without_footer && !cut_mid_row);
  block.torch_range = context_->layouts().TorchRange(block, open.signs);
  if (!block.complete) context_->sink->OnCounter("cut_block", block.line);
  context_->sink->OnBlock(std::move(block));
}

void BlockReader::Finish(bool cut_mid_row) {
  Resolve(cut_mid_row);
  for (const PendingStats& stats : stats_) EmitOrphan(stats);
  stats_.clear();
}

}  // namespace autotune
