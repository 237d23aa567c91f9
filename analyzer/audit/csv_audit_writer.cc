// The runs of an audit as one table for a spreadsheet (RFC 4180: CRLF, quotes doubled).
#include <fmt/format.h>

#include "analyzer/audit/audit_writer.h"
#include "analyzer/report/printable.h"

namespace autotune {
namespace {

std::string Field(std::string_view value) {
  std::string text = Printable(value);
  // What opens a formula in Excel, LibreOffice and Google Sheets. A log is written by strangers.
  if (!text.empty() && std::string_view("=+-@").find(text[0]) != std::string_view::npos) text.insert(0, "'");
  if (text.find_first_of("\",") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + "\"";
}

class CsvAuditWriter : public AuditWriter {
 public:
  explicit CsvAuditWriter(Out out) : out_(std::move(out)) {}

  void Begin(const std::vector<std::string>&) override {
    out_(
        "source,day,state,cause,confidence,basis,manifest_value,observed_value,log_line,manifest,manifest_line,blocks,"
        "problems,processes,seconds,benchmark_seconds,precompile_seconds,prescreen_seconds,torch,torch_range,gpu,bytes,"
        "lines\r\n");
  }
  void OnRun(const RunRecord& run) override {
    const Suspect* cause = NamedCause(run);
    const auto line = [](const std::optional<uint64_t>& n) { return n ? std::to_string(*n) : std::string(); };
    std::string row = fmt::format("{},{},{},", Field(run.source), run.day, StateName(run.state));
    if (cause) {
      row +=
          fmt::format("{},{},{},{},{},{},", Field(cause->setting), cause->confidence, BasisName(cause->basis),
                      Field(cause->manifest.value_or("")), Field(cause->observed.value_or("")), line(cause->log_line));
    } else {
      row += ",,,,,,";
    }
    row += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{}\r\n", Field(run.manifest),
                       cause ? line(cause->manifest_line) : "", run.blocks, run.problem_count, run.processes,
                       run.seconds(), run.benchmark_seconds, run.precompile_seconds, run.prescreen_seconds,
                       Field(run.torch), Field(run.torch_range), Field(run.gpu), run.bytes, run.lines);
    out_(row);
  }
  void OnError(const absl::Status&) override {}
  void End(const Totals&, const AuditCounts&) override {}

 private:
  const Out out_;
};

}  // namespace

std::unique_ptr<AuditWriter> MakeCsvAuditWriter(Out out, const ReportStyle&) {
  return std::make_unique<CsvAuditWriter>(std::move(out));
}

}  // namespace autotune
