// How an audit reaches its reader: rows as runs are finished (in path order), totals at the end. Same files in, same
// bytes out: no clock, no host, no order of threads.
//
// JSON: `begin`, one `run` an object and line, one `error` for each file that could not be read, `total`s, `summary`.
// A fact that a log does not state is null.
#pragma once

#include <absl/status/status.h>

#include <memory>
#include <string>
#include <vector>

#include "analyzer/audit/audit.h"
#include "analyzer/audit/record.h"
#include "analyzer/audit/totals.h"
#include "analyzer/report/reporter.h"

namespace autotune {

class AuditWriter {
 public:
  virtual ~AuditWriter() = default;
  virtual void Begin(const std::vector<std::string>& paths) = 0;
  virtual void OnRun(const RunRecord& run) = 0;
  virtual void OnError(const absl::Status& error) = 0;
  virtual void End(const Totals& totals, const AuditCounts& counts) = 0;
};

std::unique_ptr<AuditWriter> MakeTextAuditWriter(Out out, const ReportStyle& style);
std::unique_ptr<AuditWriter> MakeJsonAuditWriter(Out out, const ReportStyle& style);
std::unique_ptr<AuditWriter> MakeMarkdownAuditWriter(Out out, const ReportStyle& style);
// Runs alone, one a record (RFC 4180), for a spreadsheet. A value that a spreadsheet would take for a formula gets an
// apostrophe before it.
std::unique_ptr<AuditWriter> MakeCsvAuditWriter(Out out, const ReportStyle& style);

// "MISMATCH", "CLEAN", "TUNED" (no manifest to judge by), "UNKNOWN"
std::string_view StateWord(const RunRecord& run);

// "sequence_length 95 %", "perhaps cache_contents", "no manifest", ""
std::string CauseInWords(const RunRecord& run);

// "2.11.0+cu130" where the log states it, else what the blocks' layout says (">=2.8")
const std::string& TorchInWords(const RunRecord& run);

// "12 runs: 5 mismatch, 4 clean, 3 unknown; 40 blocks of 9 problems; 31.0 s lost to tuning"
std::string SummaryInWords(const Totals& totals);

// What was left out and why, one sentence each; empty when nothing was.
std::vector<std::string> LeftOutInWords(const AuditCounts& counts);

}  // namespace autotune
