// The audit for an issue or a wiki page: a table of the runs, then the totals.
#include <fmt/format.h>

#include <algorithm>

#include "analyzer/audit/audit_writer.h"
#include "analyzer/report/markdown_text.h"
#include "analyzer/report/wording.h"

namespace autotune {
namespace {

constexpr size_t kProblemsShown = 20;

std::string Lost(double seconds) { return seconds > 0 ? Duration(seconds) : ""; }

class MarkdownAuditWriter : public AuditWriter {
 public:
  MarkdownAuditWriter(Out out, bool quiet) : out_(std::move(out)), quiet_(quiet) {}

  void Begin(const std::vector<std::string>&) override {}

  void OnRun(const RunRecord& run) override {
    if (quiet_) return;
    if (!titled_) {
      out_(
          "| Run | Cause | Lost | Blocks | Problems | Processes | torch | Day | Log |\n"
          "| --- | --- | ---: | ---: | ---: | ---: | --- | --- | --- |\n");
    }
    titled_ = true;
    const bool clean = run.state == Verdict::State::kClean;
    out_(fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", StateWord(run),
                     MarkdownText(CauseInWords(run)), clean ? "" : Lost(run.seconds()), run.blocks, run.problem_count,
                     run.processes, MarkdownText(TorchInWords(run)), run.day,
                     MarkdownCode(run.source, /*in_table=*/true)));
  }
  void OnError(const absl::Status&) override {}

  void End(const Totals& totals, const AuditCounts& counts) override {
    out_(fmt::format("{}**{}**\n", titled_ ? "\n" : "", MarkdownText(SummaryInWords(totals))));
    if (totals.tuned() + totals.mismatch() > 0) {
      out_("\n| Cause | Runs | Lost |\n| --- | ---: | ---: |\n");
      for (const CauseTotal& cause : totals.ByCause()) {
        out_(fmt::format("| {} | {} | {} |\n", cause.setting.empty() ? "not known" : MarkdownText(cause.setting),
                         cause.runs, Lost(cause.seconds)));
      }
      out_("\n| Day | Runs | Tuned | Lost |\n| --- | ---: | ---: | ---: |\n");
      for (const DayTotal& day : totals.ByDay()) {
        out_(fmt::format("| {} | {} | {} | {} |\n", day.day.empty() ? "no day in the log" : day.day, day.runs,
                         day.tuned, Lost(day.seconds)));
      }
      Problems(totals.ByProblem());
    }
    bool first = true;
    for (const std::string& words : LeftOutInWords(counts)) {
      out_(fmt::format("{}- {}\n", first ? "\n" : "", words));
      first = false;
    }
  }

 private:
  void Problems(const std::vector<ProblemTotal>& problems) {
    if (problems.empty()) return;
    out_("\n| Problem | Runs | Lost | Winners |\n| --- | ---: | ---: | --- |\n");
    for (size_t i = 0; i < std::min(problems.size(), kProblemsShown); ++i) {
      const ProblemTotal& problem = problems[i];
      out_(fmt::format("| {} | {} | {} | {} |\n", MarkdownCode(problem.title, /*in_table=*/true), problem.runs,
                       Lost(problem.seconds), WinnersInWords(problem)));
    }
    if (problems.size() > kProblemsShown) out_(fmt::format("\nand {} more\n", problems.size() - kProblemsShown));
  }

  const Out out_;
  const bool quiet_;
  bool titled_ = false;
};

}  // namespace

std::unique_ptr<AuditWriter> MakeMarkdownAuditWriter(Out out, const ReportStyle& style) {
  return std::make_unique<MarkdownAuditWriter>(std::move(out), style.quiet);
}

}  // namespace autotune
