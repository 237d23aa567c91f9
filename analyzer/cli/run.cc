#include "analyzer/cli/run.h"

#include "analyzer/cli/exit_code.h"

namespace autotune {

int RunCommand(const Options& options) {
  switch (options.command) {
    case Command::kScan:
      return RunScan(options);
    case Command::kManifestLint:
      return RunManifestLint(options);
    case Command::kCache: return RunCache(options);
    case Command::kRulesList:
    case Command::kRulesCheck:
    case Command::kRulesExplain:
      break;
  }
  return kExitNotWhole;
}

}  // namespace autotune
