// A verdict in the making: what the steps of Judge() find is put in here, one difference at a time, and the causes of
// the rules decide what each can do. A difference that can make this torch tune becomes a suspect, one that cannot is
// reported as harmless; what the log shows equal stays out of both.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/model/verdict.h"
#include "analyzer/rule/cause_rule.h"
#include "analyzer/rule/setting_rule.h"
#include "analyzer/verdict/judge.h"

namespace autotune {

struct Difference {
  std::string setting;
  Basis basis = Basis::kObserved;
  std::optional<std::string> manifest;  // as written; empty: not recorded
  std::optional<std::string> built;     // what the build's own log states, where the manifest records nothing
  std::optional<uint64_t> manifest_line;
  std::optional<std::string> observed;
  std::optional<uint64_t> log_line;
  std::string log_source;
  std::optional<double> confidence;  // instead of the cause's
  double doubt = 1;                  // factor on the confidence: ranks disagree, a value is derived, ...
  std::string why;                   // instead of the cause's
};

class Draft {
 public:
  Draft(const JudgeInput& input, const RuleSet& rules);

  const Run& run() const { return *input_.run; }
  const JudgeInput& input() const { return input_; }
  const RuleSet& rules() const { return rules_; }
  // The torch that this run uses, as far as anything says: "" unknown.
  const std::string& torch() const { return torch_; }
  // The run timed candidates (a table that only prints cached results does not count).
  bool tuned() const { return tuned_; }
  void set_tuned(bool tuned) { tuned_ = tuned; }

  // The manifest's value of a setting (a table row before a checklist line), null when there is none.
  const Fact* FactOf(std::string_view setting) const;
  std::vector<const Fact*> FactsOf(std::string_view setting) const;
  // Whether this run's torch reads a variable at all.
  bool IsRead(const SettingRule& setting) const;
  // Another setting's value as causes ask for it: the manifest's, else the log's.
  std::optional<std::string> ValueOf(std::string_view setting) const;

  void Equal(const std::string& setting, const std::string& value, std::optional<uint64_t> manifest_line,
             std::optional<uint64_t> log_line);
  void NotEqual(const std::string& setting) { equal_.erase(setting); }
  bool IsEqual(const std::string& setting) const { return equal_.count(setting) > 0; }

  // A difference: the cause that speaks for it says whether it is a suspect.
  void Differs(Difference difference);
  // A suspect that a step is sure about itself; texts that are empty come from the cause.
  void Suspect(Difference difference);
  // What the recorded cache proved or looked up: taken as it is, texts that are empty come from the cause.
  void FromCache(const autotune::Suspect& suspect);
  // A step has seen this setting, whatever came of it: it does not count as "not stated in this log".
  void Judged(const std::string& setting) { judged_.insert(setting); }
  bool WasJudged(const std::string& setting) const { return judged_.count(setting) > 0; }
  void Note(std::string text);

  // A step found evidence against a suspect: a factor on its confidence.
  void Doubt(const std::string& setting, double factor);
  bool Has(const std::string& setting, double at_least = 0) const;
  double Strongest() const;
  const std::vector<autotune::Suspect>& suspects() const { return suspects_; }

  Verdict Take(Verdict::State state);

 private:
  const CauseRule* Cause(const std::string& setting, const std::string& manifest, const std::string& observed) const;
  void AddSuspect(autotune::Suspect suspect);
  autotune::Suspect Fill(const Difference& difference, const CauseRule* cause) const;
  std::string Expand(const std::string& text, const Difference& difference, bool for_shell) const;
  std::string DefaultFix(const Difference& difference, const SettingRule* setting) const;

  const JudgeInput& input_;
  const RuleSet& rules_;
  std::string torch_;
  bool tuned_ = false;
  std::map<std::string, EqualSetting> equal_;
  std::set<std::string> judged_;
  std::vector<autotune::Suspect> suspects_;
  std::vector<HarmlessDifference> harmless_;
  std::vector<std::string> notes_;
};

}  // namespace autotune
