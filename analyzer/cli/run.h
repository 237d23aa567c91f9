// From options to an exit status: opens nothing before it is needed, writes the report to standard output and
// everything else to standard error.
#pragma once

#include "analyzer/cli/options.h"

namespace autotune {

int RunCommand(const Options& options);

// One command each; see options.cc for the table.
int RunScan(Options options);
int RunAudit(const Options& options);
int RunCache(const Options& options);
int RunCheck(const Options& options);
int RunManifestLint(const Options& options);
int RunManifestWrite(const Options& options);
int RunRulesList(const Options& options);
int RunRulesCheck(const Options& options);
int RunRulesExplain(const Options& options);

}  // namespace autotune
