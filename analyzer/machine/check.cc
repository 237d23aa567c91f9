#include "analyzer/machine/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "analyzer/machine/folder_check.h"
#include "analyzer/manifest/markdown.h"
#include "analyzer/model/run.h"
#include "analyzer/verdict/compare.h"
#include "analyzer/verdict/draft.h"
#include "analyzer/verdict/values.h"

namespace autotune {
namespace {

using State = CheckItem::State;

// "8 (16)": eight cards, sixteen processes.
std::optional<std::string> CardsRecorded(const Fact& fact) {
  const size_t open = fact.raw.find(" (");
  if (open == std::string::npos || fact.raw.find_first_not_of("0123456789") != open) return std::nullopt;
  return fact.raw.substr(0, open);
}

class Checker {
 public:
  Checker(const Manifest& manifest, std::string_view text, const Machine& machine, const RuleSet& rules)
      : manifest_(manifest), machine_(machine), rules_(rules), pieces_(ReadMarkdown(text)) {}

  CheckReport Report() {
    const std::vector<const SettingRule*> settings = Settings();
    for (const SettingRule* setting : settings) Ask(*setting);
    Compare();
    for (const SettingRule* setting : settings) {
      ReportValue(*setting);
      ReportFolders(*setting);
    }
    for (const CheckItem& item : report_.items) AddProblem(item);
    return std::move(report_);
  }

 private:
  // What the manifest records, in the order of its checklist, then of its rows.
  std::vector<const SettingRule*> Settings() const {
    std::vector<const SettingRule*> settings;
    const auto add = [&](const SettingRule* rule) {
      if (rule && std::find(settings.begin(), settings.end(), rule) == settings.end()) settings.push_back(rule);
    };
    std::vector<std::pair<uint64_t, const SettingRule*>> checklist;
    for (const Fact& fact : manifest_.facts) {
      if (fact.from_checklist) checklist.emplace_back(fact.line, rules_.Setting(fact.setting));
    }
    for (const SettingRule& rule : rules_.settings) {
      for (const std::string& probe : rule.probes) {
        if (const uint64_t line = MentionOf(probe); line > 0) checklist.emplace_back(line, &rule);
      }
    }
    std::stable_sort(checklist.begin(), checklist.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [line, rule] : checklist) add(rule);
    for (const Fact& fact : manifest_.facts) add(rules_.Setting(fact.setting));
    return settings;
  }

  // The checklist's line that speaks of a link ("`library/src` symlink inside ck4inductor package exists"); 0: none.
  uint64_t MentionOf(std::string_view probe) const {
    const std::vector<std::string> words = ProbeWords(probe);
    if (words[0] != "link") return 0;
    for (const MarkdownPiece& piece : pieces_) {
      if (piece.kind == MarkdownPiece::Kind::kHeading || !(piece.task || InChecklist(piece.sections))) continue;
      for (const MarkdownText& cell : piece.cells) {
        if (cell.text.find(words[2]) != std::string::npos) return cell.line;
      }
    }
    return 0;
  }

  void Ask(const SettingRule& setting) {
    SettingReading reading = machine_.Read(setting);
    if (reading.value) {
      Fact fact;
      fact.setting = setting.name;
      fact.value = fact.raw = *reading.value;
      fact.not_set = reading.value->empty();
      report_.facts.push_back(std::move(fact));
    }
    readings_[setting.name] = std::move(reading);
  }

  // The machine's values as a log would state them: one judge compares both, and knows causes and fixes.
  void Compare() {
    Manifest manifest = manifest_;
    Run run;
    for (auto& [name, reading] : readings_) {
      if (!reading.value) continue;
      StatedValue stated;
      stated.setting = name;
      stated.value = *reading.value;
      const SettingRule& setting = *rules_.Setting(name);
      // A variable that is not set leaves the default in force, which may be what was recorded.
      if (setting.environment && stated.value.empty()) stated.value = setting.otherwise;
      for (Fact& fact : manifest.facts) {
        if (fact.setting != name) continue;
        if (reading.counts_cards) fact.value = CardsRecorded(fact).value_or(fact.value);
        if (reading.also && CompareValues(setting, fact, *reading.also, rules_).relation == Relation::kEqual)
          stated.value = *reading.also;
      }
      run.stated.push_back(std::move(stated));
    }
    JudgeInput input;
    input.run = &run;
    input.manifest = &manifest;
    Draft draft(input, rules_);
    draft.set_tuned(true);
    CompareManifest(&draft);
    Verdict verdict = draft.Take(Verdict::State::kMismatch);
    for (EqualSetting& equal : verdict.equal) equal_.insert(equal.setting);
    for (Suspect& suspect : verdict.suspects) {
      if (!equal_.count(suspect.setting)) differs_[suspect.setting] = {suspect.why, suspect.fix, false};
    }
    for (HarmlessDifference& harmless : verdict.harmless) {
      if (!equal_.count(harmless.setting)) differs_[harmless.setting] = {harmless.why, harmless.fix, true};
    }
  }

  void ReportValue(const SettingRule& setting) {
    const Fact* fact = FindFact(manifest_, setting.name);
    if (fact == nullptr) return;  // a link alone is mentioned
    const SettingReading& reading = readings_[setting.name];
    CheckItem item;
    item.item = item.setting = setting.name;
    item.manifest = fact->not_set ? "" : fact->value;
    item.manifest_line = fact->line;
    item.observed = reading.value;
    item.where = reading.where;
    const auto differs = differs_.find(setting.name);
    if (!reading.value) {
      item.message = reading.why;
    } else if (differs != differs_.end()) {
      item.state = State::kDiffers;
      item.message = differs->second.why;
      item.fix = differs->second.fix;
      item.harmless = differs->second.harmless;
    } else if (equal_.count(setting.name)) {
      item.state = State::kOk;
      item.message = reading.why;
    } else if (setting.unread) {
      const bool same = *reading.value == *item.manifest;
      item.state = same ? State::kOk : State::kDiffers;
      item.harmless = true;
      if (!same) item.message = setting.why;
      if (!same) item.fix = item.manifest->empty() ? "unset " + setting.name : "take the row out of the manifest";
    } else {
      item.message = fmt::format("{} and {} cannot be compared", fact->value, *reading.value);
    }
    report_.items.push_back(std::move(item));
  }

  void ReportFolders(const SettingRule& setting) {
    const FolderCheck check{manifest_, machine_, rules_, &report_.items};
    for (const std::string& probe : setting.probes) {
      const std::vector<std::string> words = ProbeWords(probe);
      if (words[0] == "inductor-cache") CheckCacheFolder(check, setting, /*inductor=*/true);
      if (words[0] == "triton-cache") CheckCacheFolder(check, setting, /*inductor=*/false);
      if (words[0] == "ck-folder") CheckCkFolder(check, setting, words[1]);
      if (words[0] == "link") CheckLink(check, setting, words[1], words[2], MentionOf(probe));
    }
  }

  void AddProblem(const CheckItem& item) {
    if (item.state != State::kDiffers) return;
    Problem problem;
    problem.severity = item.harmless ? Problem::Severity::kWarning : Problem::Severity::kError;
    problem.line = item.manifest_line.value_or(0);
    problem.setting = item.setting;
    problem.message = item.message;
    problem.fix = item.fix;
    problem.id = item.item;
    report_.problems.push_back(std::move(problem));
  }

  struct Difference {
    std::string why, fix;
    bool harmless = false;
  };

  const Manifest& manifest_;
  const Machine& machine_;
  const RuleSet& rules_;
  const std::vector<MarkdownPiece> pieces_;
  std::map<std::string, SettingReading> readings_;
  std::set<std::string> equal_;
  std::map<std::string, Difference> differs_;
  CheckReport report_;
};

}  // namespace

CheckReport CheckMachine(const Manifest& manifest, std::string_view text, const Machine& machine,
                         const RuleSet& rules) {
  return Checker(manifest, text, machine, rules).Report();
}

}  // namespace autotune
