#include "analyzer/cli/run.h"

#include "analyzer/cli/exit_code.h"

namespace autotune {

int RunCommand(const Options& options) {
  switch (options.command) {
    case Command::kScan:
      return RunScan(options);
    case Command::kAudit:
      return RunAudit(options);
    case Command::kManifestLint:
      return RunManifestLint(options);
    case Command::kManifestWrite:
      return RunManifestWrite(options);
    case Command::kCache:
      return RunCache(options);
    case Command::kCheck:
      return RunCheck(options);
    case Command::kRulesList:
      return RunRulesList(options);
    case Command::kRulesCheck:
      return RunRulesCheck(options);
    case Command::kRulesExplain:
      return RunRulesExplain(options);
  }
  return kExitNotWhole;
}

}  // namespace autotune
