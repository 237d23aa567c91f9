// The audit as one HTML file: a table that sorts and filters, seconds lost by cause and by day as charts, the evidence
// of each run a click away. It needs no network and no other file, prints, and is readable without its script.
//
// A log is written by strangers: everything from it is escaped, and a Content-Security-Policy lets nothing run but the
// page's own script, which is named by its hash.
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
  // Writes the page beside `path` and puts it in place whole: a reader never sees half of it.
  absl::Status Write(const std::string& path, const Totals& totals, const AuditCounts& counts) const;
  // The page's text.
  std::string Page(const Totals& totals, const AuditCounts& counts) const;

 private:
  std::string rows_;                 // of the table, each complete
  std::string evidence_;             // JSON, one array element a row, in the same order
  std::vector<std::string> errors_;  // a few are shown
  size_t runs_ = 0, error_count_ = 0;
};

// Text as HTML: markup and quotes become references, what cannot be seen becomes visible (Printable).
std::string HtmlText(std::string_view text);

// The page's style sheet and script (html_style.cc, html_script.cc).
extern const std::string_view kPageStyle, kPageScript;

}  // namespace autotune
