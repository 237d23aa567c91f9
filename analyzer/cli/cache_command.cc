// autotune-scan cache PATH [--manifest FILE]
#include <algorithm>

#include "analyzer/base/text.h"
#include "analyzer/cache/inspect.h"
#include "analyzer/cli/exit_code.h"
#include "analyzer/cli/run.h"
#include "analyzer/cli/session.h"
#include "analyzer/cli/terminal.h"
#include "analyzer/manifest/manifest.h"

namespace autotune {

int RunCache(const Options& options) {
  const std::optional<RuleSet> rules = LoadRulesOrComplain(options);
  if (!rules) return kExitNotWhole;
  int code = kExitOk;
  std::optional<Manifest> manifest;
  if (!options.manifest.empty()) {
    absl::StatusOr<Manifest> read = ReadManifest(options.manifest, *rules);
    if (read.ok()) {
      manifest = *std::move(read);
    } else {
      Complain(FromAbsl(read.status().message()));
      code = kExitNotWhole;
    }
  }

  const std::string& path = options.paths[0];
  const absl::StatusOr<CacheReport> report = InspectCache(path, manifest ? &*manifest : nullptr, *rules);
  if (!report.ok()) {
    Complain(FromAbsl(report.status().message()));
    return kExitNotWhole;
  }
  if (!report->status.ok()) {
    Complain(FromAbsl(report->status.message()));
    code = kExitNotWhole;
  }
  const bool fault = std::any_of(report->problems.begin(), report->problems.end(),
                                 [](const Problem& p) { return p.severity == Problem::Severity::kError; });
  CatchSignals();
  ReportOutput output(options, /*live=*/false);
  output.reporter()->Begin({path});
  output.reporter()->Facts(path, report->facts, report->problems);
  return output.Finish(std::max<int>(code, fault ? kExitFault : kExitOk));
}

}  // namespace autotune
