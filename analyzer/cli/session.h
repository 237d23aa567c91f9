// What every command starts with: the rules, and a reporter of the wanted format at standard output.
#pragma once

#include <memory>
#include <optional>

#include "analyzer/cli/exit_code.h"
#include "analyzer/cli/options.h"
#include "analyzer/cli/terminal.h"
#include "analyzer/report/reporter.h"
#include "analyzer/rule/rule_set.h"

namespace autotune {

// The rules in force, or nothing when they could not be loaded; every fault found is told on standard error.
std::optional<RuleSet> LoadRulesOrComplain(const Options& options);

// A reporter and the writer that it writes through; beside it the page of --html, where one is wanted.
class ReportOutput {
 public:
  ReportOutput(const Options& options, bool live);
  Reporter* reporter() { return both_ ? both_.get() : reporter_.get(); }
  // Writes what is left. The code earned so far, or kExitNotWhole when the report could not be written.
  int Finish(int code);

 private:
  StdoutWriter writer_;
  std::unique_ptr<Reporter> reporter_, page_reporter_, both_;
  const std::string page_path_;
  std::string page_;
};

// Whether the page of --html can be written where it is wanted (or none is); else that is told on standard error.
bool PageFileIsFine(const Options& options);

}  // namespace autotune
