#include <fmt/format.h>

#include "analyzer/audit/audit_writer.h"
#include "analyzer/report/wording.h"

namespace autotune {

std::string_view StateWord(const RunRecord& run) {
  switch (run.state) {
    case Verdict::State::kClean:
      return "CLEAN";
    case Verdict::State::kMismatch:
      return "MISMATCH";
    case Verdict::State::kUnknown:
      break;
  }
  return run.tuned && run.manifest.empty() ? "TUNED" : "UNKNOWN";
}

std::string CauseInWords(const RunRecord& run) {
  if (run.state == Verdict::State::kClean) return "";
  if (const Suspect* cause = NamedCause(run)) return fmt::format("{} {}", cause->setting, Percent(cause->confidence));
  if (!run.suspects.empty()) return fmt::format("perhaps {}", run.suspects[0].setting);
  return run.tuned && run.manifest.empty() ? "no manifest" : "";
}

const std::string& TorchInWords(const RunRecord& run) { return run.torch.empty() ? run.torch_range : run.torch; }

std::string SummaryInWords(const Totals& totals) {
  std::string words = fmt::format("{}: {} mismatch, {} clean, {} unknown; {} of {}", Count(totals.runs(), "run"),
                                  totals.mismatch(), totals.clean(), totals.unknown(), Count(totals.blocks(), "block"),
                                  Count(totals.problems(), "problem"));
  if (totals.seconds() > 0) words += fmt::format("; {} lost to tuning", Duration(totals.seconds()));
  return words;
}

std::vector<std::string> LeftOutInWords(const AuditCounts& counts) {
  std::vector<std::string> words;
  if (counts.interrupted) words.emplace_back("interrupted: what was finished until then is here");
  if (counts.errors > 0) words.push_back(Count(counts.errors, "file") + " could not be read whole");
  if (counts.manifests > 0) words.push_back(Count(counts.manifests, "manifest") + " read");
  if (counts.archives > 0) words.push_back(Count(counts.archives, "archive") + " read in place");
  if (counts.binary > 0) words.push_back(Count(counts.binary, "file") + " without text left out");
  if (counts.not_logs > 0)
    words.push_back(Count(counts.not_logs, "file") +
                    (counts.not_logs == 1 ? " that is no log left out" : " that are no logs left out"));
  if (counts.ignored > 0) words.push_back(Count(counts.ignored, "name") + " hidden or ignored");
  return words;
}

}  // namespace autotune
