// autotune-scan rules list | check [DIR] | explain ID
#include <sys/stat.h>

#include <string>

#include "analyzer/base/text.h"
#include "analyzer/cli/exit_code.h"
#include "analyzer/cli/run.h"
#include "analyzer/cli/session.h"
#include "analyzer/cli/terminal.h"
#include "analyzer/manifest/lint.h"
#include "analyzer/report/printable.h"
#include "analyzer/rule/rule_report.h"

namespace autotune {
namespace {

int Print(std::string_view text, int code) {
  CatchSignals();
  StdoutWriter writer(/*live=*/false);
  writer.Write(PrintableLines(text));
  writer.Flush();
  if (writer.error().empty()) return code;
  Complain("cannot write: " + writer.error());
  return kExitNotWhole;
}

}  // namespace

int RunRulesList(const Options& options) {
  const std::optional<RuleSet> rules = LoadRulesOrComplain(options);
  return rules ? Print(ListRules(*rules), kExitOk) : kExitNotWhole;
}

int RunRulesExplain(const Options& options) {
  const std::optional<RuleSet> rules = LoadRulesOrComplain(options);
  if (!rules) return kExitNotWhole;
  const absl::StatusOr<std::string> text = ExplainRule(*rules, options.paths[0]);
  if (text.ok()) return Print(*text, kExitOk);
  Complain(FromAbsl(text.status().message()));
  return kExitNotWhole;
}

int RunRulesCheck(const Options& options) {
  const std::string dir = options.paths.empty() ? "" : options.paths[0];
  struct stat info {};
  if (!dir.empty() && (stat(dir.c_str(), &info) != 0 || !S_ISDIR(info.st_mode))) {
    Complain(dir + ": no such folder; give one that holds FAMILY/ID.json files, as rules/ does");
    return kExitNotWhole;
  }
  const RuleCheck check = CheckRules(dir, CheckLintSamples);
  return Print(check.text, check.errors > 0 ? kExitFault : kExitOk);
}

}  // namespace autotune
