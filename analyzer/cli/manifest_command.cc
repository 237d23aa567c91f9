// autotune-scan manifest lint FILE
#include <algorithm>

#include "analyzer/base/text.h"
#include "analyzer/cli/exit_code.h"
#include "analyzer/cli/run.h"
#include "analyzer/cli/session.h"
#include "analyzer/cli/terminal.h"
#include "analyzer/input/source.h"
#include "analyzer/manifest/manifest.h"

namespace autotune {
namespace {

// A manifest is a page of Markdown; more than this is another file given by mistake.
constexpr size_t kLargestManifest = 16 << 20;

absl::StatusOr<std::string> ReadText(const std::string& path) {
  auto source = OpenSource(path);
  if (!source.ok()) return source.status();
  std::string text(64 << 10, '\0');
  size_t size = 0;
  while (size < kLargestManifest) {
    const absl::StatusOr<size_t> n = (*source)->Read(text.data() + size, text.size() - size);
    if (!n.ok()) return n.status();
    if (*n == 0) {
      text.resize(size);
      return text;
    }
    size += *n;
    if (size == text.size()) text.resize(2 * size);
  }
  return absl::InvalidArgumentError(ToAbsl(path + ": larger than any manifest; give the Markdown record of the cache"));
}

}  // namespace

int RunManifestLint(const Options& options) {
  const std::optional<RuleSet> rules = LoadRulesOrComplain(options);
  if (!rules) return kExitNotWhole;
  const std::string& path = options.paths[0];
  const absl::StatusOr<std::string> text = ReadText(path);
  if (!text.ok()) {
    Complain(FromAbsl(text.status().message()));
    return kExitNotWhole;
  }
  const Manifest manifest = ParseManifest(path, *text, *rules);
  if (manifest.facts.empty()) {
    Complain(path + ": no setting found; a manifest is Markdown with rows such as \"| Torch | 2.7.1 |\"");
    return kExitNotWhole;
  }
  const std::vector<Problem> problems = LintManifest(manifest, *text, *rules);
  CatchSignals();
  ReportOutput output(options, /*live=*/false);
  output.reporter()->Begin({path});
  output.reporter()->Facts(path, manifest.facts, problems);
  const bool fault = std::any_of(problems.begin(), problems.end(), [&](const Problem& p) {
    return options.strict || p.severity == Problem::Severity::kError;
  });
  return output.Finish(fault ? kExitFault : kExitOk);
}

}  // namespace autotune
