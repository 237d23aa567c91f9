// The audit as a terminal shows it: one row a run, then the totals that matter most.
#include <fmt/format.h>

#include <algorithm>

#include "analyzer/audit/audit_writer.h"
#include "analyzer/base/text.h"
#include "analyzer/report/page.h"
#include "analyzer/report/printable.h"
#include "analyzer/report/wording.h"

namespace autotune {
namespace {

constexpr size_t kProblemsShown = 10, kDaysShown = 14;
constexpr int kCauseWidth = 34;  // "ENABLE_PERSISTENT_TMA_MATMUL 85 %"

Paint StatePaint(const RunRecord& run) {
  if (run.state == Verdict::State::kClean) return Paint::kGood;
  return run.state == Verdict::State::kMismatch ? Paint::kBad : Paint::kWarn;
}

std::string Lost(double seconds) { return seconds > 0 ? Duration(seconds) : ""; }

class TextAuditWriter : public AuditWriter {
 public:
  TextAuditWriter(Out out, const ReportStyle& style) : out_(std::move(out)), style_(style) {}

  void Begin(const std::vector<std::string>&) override {}

  void OnRun(const RunRecord& run) override {
    if (style_.quiet) return;
    Page page(style_.width, style_.color);
    if (!titled_) {
      page.Row(0, {{"RUN", 8, false, Paint::kDim},
                   {"LOST", 12, true, Paint::kDim},
                   {"BLOCKS", 6, true, Paint::kDim},
                   {"CAUSE", kCauseWidth, false, Paint::kDim},
                   {"LOG", 3, false, Paint::kDim}});
      titled_ = true;
    }
    const bool clean = run.state == Verdict::State::kClean;
    page.Row(0, {{std::string(StateWord(run)), 8, false, StatePaint(run)},
                 {clean ? "" : Lost(run.seconds()), 12, true},
                 {std::to_string(run.blocks), 6, true},
                 {CauseInWords(run), kCauseWidth, false},
                 {"-", 1}});
    // A path whose middle is missing names no file: it is whole, however narrow the terminal.
    std::string line = page.Take();
    while (!line.empty() && line.back() == '\n') line.pop_back();
    if (!line.empty()) line.pop_back();  // the "-" held the columns before it open: a row ends in no blanks
    out_(line + Printable(run.source) + "\n");
  }
  void OnError(const absl::Status&) override {}  // told on standard error as it comes

  void End(const Totals& totals, const AuditCounts& counts) override {
    Page page(style_.width, style_.color);
    if (titled_) page.Blank();
    page.Text(0, SummaryInWords(totals), Paint::kBold);
    if (totals.tuned() + totals.mismatch() > 0) {
      Causes(totals, &page);
      Days(totals, &page);
      Problems(totals, &page);
    }
    const std::vector<std::string> left_out = LeftOutInWords(counts);
    if (!left_out.empty()) page.Blank();
    for (const std::string& words : left_out) page.Text(0, words, Paint::kDim);
    Send(&page);
  }

 private:
  void Causes(const Totals& totals, Page* page) {
    page->Section("By cause");
    for (const CauseTotal& cause : totals.ByCause()) {
      page->Row(2, {{Lost(cause.seconds), 12, true},
                    {Count(cause.runs, "run"), 10, true},
                    {cause.setting.empty() ? "not known" : cause.setting, 0}});
    }
  }

  void Days(const Totals& totals, Page* page) {
    std::vector<DayTotal> days = totals.ByDay();
    if (days.size() == 1 && days[0].day.empty()) return;
    page->Section("By day", days.size() > kDaysShown ? fmt::format("the last {}", kDaysShown) : "");
    if (days.size() > kDaysShown) days.erase(days.begin(), days.end() - kDaysShown);
    for (const DayTotal& day : days) {
      page->Row(2, {{Lost(day.seconds), 12, true},
                    {fmt::format("{} of {}", day.tuned, Count(day.runs, "run")), 14, true},
                    {day.day.empty() ? "no day in the log" : day.day, 0}});
    }
  }

  void Problems(const Totals& totals, Page* page) {
    std::vector<ProblemTotal> problems = totals.ByProblem();
    if (problems.empty()) return;
    page->Section("By problem",
                  fmt::format("{} of {} tuned in more than one run", totals.tuned_again(), totals.problems()));
    const size_t all = problems.size();
    problems.resize(std::min(all, kProblemsShown));
    for (const ProblemTotal& problem : problems) {
      page->Row(2, {{Lost(problem.seconds), 12, true}, {Count(problem.runs, "run"), 10, true}, {problem.title, 0}});
      const std::string winners = WinnersInWords(problem);
      if (!winners.empty()) page->Text(28, winners, problem.apart < Totals::kNoise ? Paint::kDim : Paint::kYellow);
    }
    if (all > problems.size())
      page->Text(2, fmt::format("and {} more (--format json tells all)", all - problems.size()), Paint::kDim);
  }

  void Send(Page* page) { out_(page->Take()); }

  const Out out_;
  const ReportStyle style_;
  bool titled_ = false;
};

}  // namespace

std::unique_ptr<AuditWriter> MakeTextAuditWriter(Out out, const ReportStyle& style) {
  return std::make_unique<TextAuditWriter>(std::move(out), style);
}

}  // namespace autotune
