// autotune-scan audit PATH...: many past runs, their verdicts, and what they cost together.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <iterator>
#include <utility>

#include "analyzer/audit/audit.h"
#include "analyzer/audit/audit_writer.h"
#include "analyzer/audit/html_audit_writer.h"
#include "analyzer/base/text.h"
#include "analyzer/cli/exit_code.h"
#include "analyzer/cli/run.h"
#include "analyzer/cli/session.h"
#include "analyzer/cli/terminal.h"
#include "analyzer/manifest/manifest.h"
#include "analyzer/report/wording.h"

namespace autotune {
namespace {

std::unique_ptr<AuditWriter> MakeWriter(const Options& options, Out out) {
  const ReportStyle style = StdoutStyle(options);
  switch (options.format) {
    case Format::kJson:
      return MakeJsonAuditWriter(std::move(out), style);
    case Format::kMarkdown:
      return MakeMarkdownAuditWriter(std::move(out), style);
    case Format::kCsv:
      return MakeCsvAuditWriter(std::move(out), style);
    case Format::kText:
      break;
  }
  return MakeTextAuditWriter(std::move(out), style);
}

// "-" among the paths is standard input: one path a line, or each ended by a zero byte (find -print0).
std::vector<std::string> WithListsRead(const std::vector<std::string>& paths) {
  std::vector<std::string> all;
  for (const std::string& path : paths) {
    if (path != "-") {
      all.push_back(path);
      continue;
    }
    const std::string list(std::istreambuf_iterator<char>(std::cin), {});
    const char end = list.find('\0') != std::string::npos ? '\0' : '\n';
    for (size_t at = 0; at < list.size();) {
      const size_t stop = std::min(list.find(end, at), list.size());
      std::string one = list.substr(at, stop - at);
      if (end == '\n' && !one.empty() && one.back() == '\r') one.pop_back();
      if (!one.empty()) all.push_back(std::move(one));
      at = stop + 1;
    }
  }
  return all;
}

// Files, bytes and the time left on standard error, where that is a terminal.
class AuditProgressBar {
 public:
  explicit AuditProgressBar(bool wanted) : wanted_(wanted && isatty(STDERR_FILENO)), start_(Clock::now()) {}
  ~AuditProgressBar() { Clear(); }
  void Draw(const AuditProgress& progress) {
    const Clock::time_point now = Clock::now();
    if (!wanted_ || now < next_) return;
    next_ = now + std::chrono::milliseconds(200);
    const double seconds = std::chrono::duration<double>(now - start_).count();
    if (seconds < 0.5) return;
    const double share =
        progress.all_bytes > 0 ? static_cast<double>(progress.bytes) / static_cast<double>(progress.all_bytes) : 0;
    constexpr int kBarWidth = 20;
    const int full = static_cast<int>(share * kBarWidth);
    std::string line =
        fmt::format("\r\033[K[{}{}] {} of {} files, {:.0f} of {:.0f} MB", std::string(full, '#'),
                    std::string(kBarWidth - full, '.'), progress.files, progress.all_files,
                    static_cast<double>(progress.bytes) / 1e6, static_cast<double>(progress.all_bytes) / 1e6);
    if (share > 0.01) line += fmt::format(", {} left", Duration(seconds / share * (1 - share)));
    drawn_ = true;
    [[maybe_unused]] const ssize_t n = write(STDERR_FILENO, line.data(), line.size());
  }
  void Clear() {
    if (std::exchange(drawn_, false)) [[maybe_unused]]
      const ssize_t n = write(STDERR_FILENO, "\r\033[K", 4);
  }

 private:
  using Clock = std::chrono::steady_clock;
  const bool wanted_;
  const Clock::time_point start_;
  Clock::time_point next_;
  bool drawn_ = false;
};

class Distributor : public AuditSink {
 public:
  Distributor(AuditWriter* report, HtmlAuditWriter* page, AuditProgressBar* bar)
      : report_(report), page_(page), bar_(bar) {}

  void OnRun(RunRecord run) override {
    bar_->Clear();
    totals_.Add(run);
    report_->OnRun(run);
    if (page_) page_->OnRun(run);
  }
  void OnError(const absl::Status& error) override {
    bar_->Clear();
    Complain(FromAbsl(error.message()));
    report_->OnError(error);
    if (page_) page_->OnError(error);
  }
  void OnProgress(const AuditProgress& progress) override { bar_->Draw(progress); }
  const Totals& totals() const { return totals_; }

 private:
  AuditWriter* const report_;
  HtmlAuditWriter* const page_;
  AuditProgressBar* const bar_;
  Totals totals_;
};

}  // namespace

int RunAudit(const Options& options) {
  if (!PageFileIsFine(options)) return kExitNotWhole;
  const std::optional<RuleSet> rules = LoadRulesOrComplain(options);
  if (!rules) return kExitNotWhole;
  if (!options.manifest.empty()) {
    const absl::StatusOr<Manifest> manifest = ReadManifest(options.manifest, *rules);
    if (!manifest.ok()) {  // else every run would be judged by nothing
      Complain(FromAbsl(manifest.status().message()));
      return kExitNotWhole;
    }
  }
  CatchSignals();
  AuditRequest request;
  request.paths = WithListsRead(options.paths);
  request.manifest = options.manifest;
  request.threads = options.threads;
  request.prefilter = options.prefilter;
  request.stop = &stop_reading;

  StdoutWriter out(/*live=*/isatty(STDOUT_FILENO));
  const std::unique_ptr<AuditWriter> report =
      MakeWriter(options, [&out](std::string_view bytes) { return out.Write(bytes); });
  std::unique_ptr<HtmlAuditWriter> page;
  if (!options.html.empty()) page = std::make_unique<HtmlAuditWriter>();
  AuditProgressBar bar(!options.quiet);
  Distributor distributor(report.get(), page.get(), &bar);
  report->Begin(request.paths);
  const AuditCounts counts = Audit(request, *rules, &distributor);
  bar.Clear();
  report->End(distributor.totals(), counts);
  out.Flush();

  int code = distributor.totals().broken_promise() ? kExitFault : kExitOk;
  if (counts.errors > 0) code = kExitNotWhole;
  if (!out.error().empty()) {
    Complain("cannot write the report: " + out.error());
    code = kExitNotWhole;
  }
  if (page) {
    const absl::Status written = page->Write(options.html, distributor.totals(), counts);
    if (!written.ok()) {
      Complain(FromAbsl(written.message()));
      code = kExitNotWhole;
    }
  }
  return Interrupted() ? kExitInterrupted : code;
}

}  // namespace autotune
