#include "analyzer/cli/session.h"

#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "analyzer/base/text.h"
#include "analyzer/report/html_page.h"
#include "analyzer/report/printable.h"

namespace autotune {
namespace {

std::unique_ptr<Reporter> MakeReporter(const Options& options, Out out) {
  const ReportStyle style = StdoutStyle(options);
  switch (options.format) {
    case Format::kJson:
      return MakeJsonReporter(std::move(out), style);
    case Format::kMarkdown:
      return MakeMarkdownReporter(std::move(out), style);
    case Format::kCsv:  // of an audit alone; the command line lets no other command have it
    case Format::kText:
      break;
  }
  return MakeTextReporter(std::move(out), style);
}

}  // namespace

std::optional<RuleSet> LoadRulesOrComplain(const Options& options) {
  std::vector<Diag> diags;
  absl::StatusOr<RuleSet> rules = LoadRules(options.rules, /*check_samples=*/!options.rules.empty(), &diags);
  for (const Diag& diag : diags) {
    const std::string text = PrintableLines(Render(diag));
    [[maybe_unused]] const ssize_t n = write(STDERR_FILENO, text.data(), text.size());
  }
  if (rules.ok()) return *std::move(rules);
  Complain(FromAbsl(rules.status().message()));
  return std::nullopt;
}

ReportOutput::ReportOutput(const Options& options, bool live)
    : writer_(live),
      reporter_(MakeReporter(options, [this](std::string_view bytes) { return writer_.Write(bytes); })),
      page_path_(options.html) {
  if (page_path_.empty()) return;
  page_reporter_ = MakeHtmlReporter([this](std::string_view bytes) {
    page_ += bytes;
    return true;
  });
  both_ = MakePairReporter(reporter_.get(), page_reporter_.get());
}

int ReportOutput::Finish(int code) {
  writer_.Flush();
  if (!writer_.error().empty()) {
    Complain("cannot write the report: " + writer_.error());
    code = std::max<int>(code, kExitNotWhole);
  }
  if (page_path_.empty()) return code;
  const absl::Status written = WritePageFile(page_path_, page_);
  if (written.ok()) return code;
  Complain(FromAbsl(written.message()));
  return std::max<int>(code, kExitNotWhole);
}

bool PageFileIsFine(const Options& options) {
  const absl::Status status = options.html.empty() ? absl::OkStatus() : CheckPageFile(options.html);
  if (!status.ok()) Complain(FromAbsl(status.message()));
  return status.ok();
}

}  // namespace autotune
