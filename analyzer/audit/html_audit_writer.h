// The audit as one HTML file: a table that sorts and filters, seconds lost by cause and by day as charts, the evidence
// of each run a click away. It needs no network and no other file, prints, and is readable without its script.
#pragma once

#include <absl/status/status.h>

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/audit/audit.h"
#include "analyzer/audit/record.h"
#include "analyzer/audit/totals.h"

namespace autotune {

class HtmlAuditWriter {
 public:
  void OnRun(const RunRecord& run);
  void OnError(const absl::Status& error);
  absl::Status Write(const std::string& path, const Totals& totals, const AuditCounts& counts) const;
  // The page's text.
  std::string Page(const Totals& totals, const AuditCounts& counts) const;

 private:
  std::string rows_;                 // of the table, each complete
  std::string evidence_;             // JSON, one array element a row, in the same order
  std::vector<std::string> errors_;  // a few are shown
  size_t runs_ = 0, error_count_ = 0;
};

// The page's script (html_script.cc).
extern const std::string_view kPageScript;

}  // namespace autotune
