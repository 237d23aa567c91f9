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

// A reporter and the writer that it writes through.
class ReportOutput {
 public:
  ReportOutput(const Options& options, bool live);
  Reporter* reporter() { return reporter_.get(); }
  // Writes what is left. The code earned so far, or kExitNotWhole when the report could not be written.
  int Finish(int code);

 private:
  StdoutWriter writer_;
  std::unique_ptr<Reporter> reporter_;
};

}  // namespace autotune
