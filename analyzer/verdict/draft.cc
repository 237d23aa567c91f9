#include "analyzer/verdict/draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <tuple>
#include <utility>

#include "analyzer/verdict/values.h"

namespace autotune {
namespace {

// A suspect below this does not lead while another explanation is likelier, however it was found.
constexpr double kWeak = 0.45;
// What a difference is worth whose effect no rule knows.
constexpr double kUnknownEffect = 0.35;
constexpr double kMostByElimination = 0.6;

bool IsShellWord(std::string_view text) {
  constexpr std::string_view kPlain = "_./,:=+@%-";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || kPlain.find(c) != std::string_view::npos;
  });
}

// For a POSIX shell. A value comes out of a log or a manifest: nothing in it may be run.
std::string ShellQuoted(std::string_view text) {
  if (IsShellWord(text)) return std::string(text);
  std::string quoted = "'";
  for (char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted.push_back(static_cast<unsigned char>(c) < ' ' ? ' ' : c);
    }
  }
  return quoted + "'";
}

// "2.11.0" and "cu130" of "torch 2.11.0+cu130".
std::pair<std::string, std::string> VersionParts(std::string_view text) {
  const size_t start = std::min(text.find_first_of("0123456789"), text.size());
  size_t end = start;
  while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '.')) ++end;
  const std::string version(text.substr(start, end - start));
  if (end >= text.size() || text[end] != '+') return {version, ""};
  const size_t local = end + 1;
  end = local;
  while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '.')) ++end;
  return {version, std::string(text.substr(local, end - local))};
}

// What the setting was when the cache was built: as the manifest records it, else as the build's log states it.
std::string Before(const Difference& difference) {
  return difference.manifest ? *difference.manifest : difference.built.value_or("");
}

std::string TorchOf(const JudgeInput& input) {
  for (const StatedValue& stated : input.run->stated) {
    if (stated.setting == "torch" && TorchRelease(stated.value) > 0) return stated.value;
  }
  if (input.manifest) {
    for (const Fact& fact : input.manifest->facts) {
      if (fact.setting == "torch" && TorchRelease(fact.value) > 0) return fact.value;
    }
  }
  return "";
}

}  // namespace

Draft::Draft(const JudgeInput& input, const RuleSet& rules) : input_(input), rules_(rules), torch_(TorchOf(input)) {}

std::vector<const Fact*> Draft::FactsOf(std::string_view setting) const {
  std::vector<const Fact*> facts;
  if (!input_.manifest) return facts;
  for (const Fact& fact : input_.manifest->facts) {
    if (fact.setting == setting && !fact.from_checklist) facts.push_back(&fact);
  }
  if (!facts.empty()) return facts;
  for (const Fact& fact : input_.manifest->facts) {
    if (fact.setting == setting) facts.push_back(&fact);
  }
  return facts;
}

const Fact* Draft::FactOf(std::string_view setting) const {
  return input_.manifest ? FindFact(*input_.manifest, setting) : nullptr;
}

std::optional<std::string> Draft::ValueOf(std::string_view setting) const {
  if (const Fact* fact = FactOf(setting)) return fact->not_set ? "" : fact->value;
  if (const StatedValue* stated = FindStated(*input_.run, setting)) return stated->value;
  return std::nullopt;
}

void Draft::Equal(const std::string& setting, const std::string& value, std::optional<uint64_t> manifest_line,
                  std::optional<uint64_t> log_line) {
  equal_.try_emplace(setting, EqualSetting{setting, value, manifest_line, log_line});
  judged_.insert(setting);
}

const CauseRule* Draft::Cause(const std::string& setting, const std::string& manifest,
                              const std::string& observed) const {
  // A value that is not set is one that is in force by default, where that is known.
  std::string before = IsNotSet(manifest) ? "" : manifest;
  const SettingRule* rule = rules_.Setting(setting);
  if (before.empty() && rule) before = rule->otherwise;
  const Change change{setting, before, IsNotSet(observed) ? std::string_view() : std::string_view(observed), torch_,
                      [this](std::string_view other) { return ValueOf(other); }};
  return FindCause(rules_.causes, change);
}

std::string Draft::Expand(const std::string& text, const Difference& difference, bool for_shell) const {
  const auto value = [&](std::string_view name) -> std::string {
    const std::string manifest = Before(difference), observed = difference.observed.value_or("");
    // "256 tokens" is 256 in a command.
    const SettingRule* rule = for_shell ? rules_.Setting(difference.setting) : nullptr;
    const std::optional<int64_t> number =
        rule && rule->compare == "number_in_text" ? FirstInteger(manifest) : std::nullopt;
    if (name == "manifest" && number) return std::to_string(*number);
    if (name == "setting") return difference.setting;
    if (name == "manifest") return IsNotSet(manifest) ? (for_shell ? "" : "not set") : manifest;
    if (name == "observed") return IsNotSet(observed) ? (for_shell ? "" : "not set") : observed;
    if (name == "torch") return torch_;
    if (name == "manifest_version") return VersionParts(manifest).first;
    if (name == "manifest_local") return VersionParts(manifest).second;
    if (name.starts_with("fact:")) {
      const std::string setting(name.substr(5));
      const Fact* fact = FactOf(setting);
      return fact && !fact->not_set ? fact->value : "";
    }
    return "{" + std::string(name) + "}";
  };
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t open = text.find('{', at), close = text.find('}', open);
    if (open == std::string::npos || close == std::string::npos) return out + text.substr(at);
    out.append(text, at, open - at);
    const std::string name = text.substr(open + 1, close - open - 1);
    std::string filled = value(name);
    if (for_shell && filled.empty() && name.starts_with("fact:")) {
      filled = "\"$" + name.substr(5) + "\"";
    } else if (for_shell) {
      filled = ShellQuoted(filled);
    }
    out += filled;
    at = close + 1;
  }
  return out;
}

std::string Draft::DefaultFix(const Difference& difference, const SettingRule* setting) const {
  const std::string manifest = Before(difference);
  if (setting && setting->environment) {
    if (IsNotSet(manifest)) return "unset " + difference.setting;
    return "export " + difference.setting + "=" + ShellQuoted(manifest);
  }
  if (IsNotSet(manifest))
    return fmt::format("# the cache was built without {}: build it again with it", difference.setting);
  return fmt::format("# run with {} = {}, as the cache was built", difference.setting, ShellQuoted(manifest));
}

autotune::Suspect Draft::Fill(const Difference& difference, const CauseRule* cause) const {
  const SettingRule* setting = rules_.Setting(difference.setting);
  autotune::Suspect suspect;
  suspect.setting = difference.setting;
  suspect.manifest = difference.manifest;
  suspect.manifest_line = difference.manifest_line;
  if (!difference.manifest) suspect.built = difference.built;
  suspect.observed = difference.observed;
  suspect.log_line = difference.log_line;
  suspect.log_source = difference.log_source;
  suspect.basis = difference.basis;
  double confidence =
      cause ? (difference.manifest || difference.built ? cause->confidence : cause->unrecorded) : kUnknownEffect;
  if (!cause && setting && (setting->effect == "retune" || setting->effect == "new_problems"))
    confidence = difference.manifest || difference.built ? 0.85 : 0.4;
  suspect.confidence = std::clamp(difference.confidence.value_or(confidence) * difference.doubt, 0.0, 1.0);
  if (suspect.basis == Basis::kElimination) suspect.confidence = std::min(suspect.confidence, kMostByElimination);
  suspect.why = !difference.why.empty() ? difference.why : cause ? Expand(cause->why, difference, false) : "";
  if (suspect.why.empty()) {
    suspect.why = fmt::format("{} was {} when the cache was built and is {} in this run{}{}", difference.setting,
                              difference.manifest || difference.built ? Before(difference) : "not recorded",
                              difference.observed.value_or("not set"), setting && !setting->why.empty() ? ": " : "",
                              setting ? setting->why : "");
  }
  const bool unset = cause && cause->fix.find("{manifest") != std::string::npos && IsNotSet(Before(difference));
  suspect.fix =
      cause && !cause->fix.empty() && !unset ? Expand(cause->fix, difference, true) : DefaultFix(difference, setting);
  return suspect;
}

bool Draft::IsRead(const SettingRule& setting) const {
  if (!setting.environment || torch_.empty()) return true;
  const bool skipped = std::any_of(setting.unread_in.begin(), setting.unread_in.end(),
                                   [&](const std::string& release) { return InReleases(torch_, release, release); });
  return !setting.unread && !skipped && InReleases(torch_, setting.read_from, setting.read_until);
}

void Draft::Differs(Difference difference) {
  judged_.insert(difference.setting);
  NotEqual(difference.setting);
  const SettingRule* setting = rules_.Setting(difference.setting);
  const CauseRule* cause = Cause(difference.setting, Before(difference), difference.observed.value_or(""));
  std::string effect = cause && !cause->effect.empty() ? cause->effect : setting ? setting->effect : "depends";
  if (setting && !IsRead(*setting)) {
    effect = "none";
    difference.why = fmt::format("torch {} does not read this variable", torch_);
  }
  const autotune::Suspect suspect = Fill(difference, cause);
  const bool harmless = effect == "none" || effect == "graph";
  if (tuned_ && !harmless) {
    AddSuspect(suspect);
    return;
  }
  std::string why = !difference.why.empty() ? difference.why : cause ? Expand(cause->why, difference, false) : "";
  if (why.empty() && setting) why = setting->why;
  if (!harmless)
    why = "this run did not tune, so the difference did no harm" + (why.empty() ? "" : "; in general: " + why);
  harmless_.push_back({difference.setting, suspect.manifest, suspect.built, suspect.observed, suspect.manifest_line,
                       suspect.log_line, std::move(why), suspect.fix});
}

void Draft::Suspect(Difference difference) {
  judged_.insert(difference.setting);
  if (!tuned_) return;
  AddSuspect(
      Fill(difference, Cause(difference.setting, difference.manifest.value_or(""), difference.observed.value_or(""))));
}

void Draft::FromCache(const autotune::Suspect& found) {
  autotune::Suspect suspect = found;
  // A look-up that misses may blame the folder; when the log shows the right folder, it is what lies in there.
  if (suspect.basis != Basis::kHashProof && IsEqual(suspect.setting)) {
    if (suspect.setting != "TORCHINDUCTOR_CACHE_DIR") {
      Note(fmt::format("the recorded cache points at {}, which this log shows equal to the manifest", suspect.setting));
      return;
    }
    suspect.setting = "cache_contents";
  }
  NotEqual(suspect.setting);
  Difference difference;
  difference.setting = suspect.setting;
  const Fact* fact = FactOf(suspect.setting);
  if (!suspect.manifest && fact) suspect.manifest = fact->value;
  if (!suspect.manifest_line && fact) suspect.manifest_line = fact->line;
  difference.manifest = suspect.manifest;
  difference.observed = suspect.observed;
  const autotune::Suspect filled =
      Fill(difference, Cause(suspect.setting, suspect.manifest.value_or(""), suspect.observed.value_or("")));
  if (suspect.why.empty()) suspect.why = filled.why;
  if (suspect.fix.empty()) suspect.fix = filled.fix;
  AddSuspect(std::move(suspect));
}

// One suspect a setting: the strongest basis speaks, with the most that any is believed.
void Draft::AddSuspect(autotune::Suspect suspect) {
  judged_.insert(suspect.setting);
  const auto known = std::find_if(suspects_.begin(), suspects_.end(),
                                  [&](const autotune::Suspect& other) { return other.setting == suspect.setting; });
  if (known == suspects_.end()) {
    suspects_.push_back(std::move(suspect));
    return;
  }
  const double most = std::max(known->confidence, suspect.confidence);
  if (suspect.basis < known->basis || (suspect.basis == known->basis && suspect.confidence > known->confidence)) {
    if (!suspect.manifest) suspect.manifest = known->manifest;
    if (!suspect.manifest_line) suspect.manifest_line = known->manifest_line;
    if (!suspect.observed) suspect.observed = known->observed;
    if (!suspect.log_line)
      std::tie(suspect.log_line, suspect.log_source) = std::tie(known->log_line, known->log_source);
    *known = std::move(suspect);
  }
  known->confidence = known->basis == Basis::kElimination ? std::min(most, kMostByElimination) : most;
}

void Draft::Note(std::string text) {
  if (std::find(notes_.begin(), notes_.end(), text) == notes_.end()) notes_.push_back(std::move(text));
}

void Draft::Doubt(const std::string& setting, double factor) {
  for (autotune::Suspect& suspect : suspects_) {
    if (suspect.setting == setting) suspect.confidence *= factor;
  }
}

bool Draft::Has(const std::string& setting, double at_least) const {
  return std::any_of(suspects_.begin(), suspects_.end(), [&](const autotune::Suspect& suspect) {
    return suspect.setting == setting && suspect.confidence >= at_least;
  });
}

double Draft::Strongest() const {
  double strongest = 0;
  for (const autotune::Suspect& suspect : suspects_) strongest = std::max(strongest, suspect.confidence);
  return strongest;
}

Verdict Draft::Take(Verdict::State state) {
  Verdict verdict;
  verdict.state = state;
  // What is equal is never a suspect.
  suspects_.erase(std::remove_if(suspects_.begin(), suspects_.end(),
                                 [&](const autotune::Suspect& suspect) { return IsEqual(suspect.setting); }),
                  suspects_.end());
  // Two digits are more than anybody can know.
  for (autotune::Suspect& suspect : suspects_) suspect.confidence = std::round(suspect.confidence * 100) / 100;
  const auto order = [&](const autotune::Suspect& suspect) {
    const SettingRule* setting = rules_.Setting(suspect.setting);
    return std::make_tuple(suspect.confidence < kWeak, suspect.confidence < kWeak ? Basis::kHashProof : suspect.basis,
                           -suspect.confidence, setting ? setting->order : 1000, suspect.setting);
  };
  std::stable_sort(suspects_.begin(), suspects_.end(),
                   [&](const auto& a, const auto& b) { return order(a) < order(b); });
  verdict.suspects = std::move(suspects_);
  for (auto& [setting, equal] : equal_) verdict.equal.push_back(std::move(equal));
  std::stable_sort(verdict.equal.begin(), verdict.equal.end(), [](const EqualSetting& a, const EqualSetting& b) {
    return a.manifest_line.value_or(0) < b.manifest_line.value_or(0);
  });
  verdict.harmless = std::move(harmless_);
  verdict.notes = std::move(notes_);
  return verdict;
}

}  // namespace autotune
