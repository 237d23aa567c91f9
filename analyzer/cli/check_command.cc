// autotune-scan check --manifest FILE [--root DIR]
#include <fmt/format.h>

#include "analyzer/base/text.h"
#include "analyzer/cli/exit_code.h"
#include "analyzer/cli/run.h"
#include "analyzer/cli/session.h"
#include "analyzer/cli/terminal.h"
#include "analyzer/machine/check.h"
#include "analyzer/manifest/manifest.h"

namespace autotune {

int RunCheck(const Options& options) {
  const std::optional<RuleSet> rules = LoadRulesOrComplain(options);
  if (!rules) return kExitNotWhole;
  const absl::StatusOr<std::string> text = ReadManifestText(options.manifest);
  if (!text.ok()) {
    Complain(FromAbsl(text.status().message()));
    return kExitNotWhole;
  }
  const Manifest manifest = ParseManifest(options.manifest, *text, *rules);
  if (manifest.facts.empty()) {
    Complain(options.manifest + ": no setting found; a manifest is Markdown with rows such as \"| Torch | 2.7.1 |\"");
    return kExitNotWhole;
  }
  const Machine machine(options.root, *rules);
  if (!machine.root().IsFolder("/")) {
    Complain(fmt::format("{} is no folder; --root takes the folder of a root file system", options.root));
    return kExitNotWhole;
  }
  const CheckReport report = CheckMachine(manifest, *text, machine, *rules);
  CatchSignals();
  ReportOutput output(options, /*live=*/false);
  output.reporter()->Begin({options.manifest});
  output.reporter()->Items(options.manifest, options.root, report.items, report.facts, report.problems);
  return output.Finish(report.problems.empty() ? kExitOk : kExitFault);
}

}  // namespace autotune
