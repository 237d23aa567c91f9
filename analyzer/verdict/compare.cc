#include "analyzer/verdict/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "analyzer/verdict/values.h"

namespace autotune {
namespace {

// What all statements of one setting come to, against the manifest.
struct Reading {
  const StatedValue* equal = nullptr;      // the first that agrees
  const StatedValue* different = nullptr;  // the last that does not: later lines show what is in force
  const Fact* fact = nullptr;
  bool reordered = false;
};

constexpr double kShown = 0.7;  // a suspect this likely is what the answer is about, not something to check next

bool ComesLater(const StatedValue& a, const StatedValue& b) { return a.first_line > b.first_line; }

// The ranks (or pods) that state one value are not those that state the other.
bool RanksDisagree(const StatedValue& a, const StatedValue& b) {
  std::vector<std::string> both;
  std::set_intersection(a.processes.begin(), a.processes.end(), b.processes.begin(), b.processes.end(),
                        std::back_inserter(both));
  return both.empty() && !a.processes.empty() && !b.processes.empty();
}

// Several rows may record one setting ("Trainable params: fp32", "Frozen backbone: bf16"): agreeing with one is enough.
Reading Read(const SettingRule& setting, const std::vector<const Fact*>& facts,
             const std::vector<const StatedValue*>& stated, const RuleSet& rules) {
  Reading reading;
  for (const StatedValue* value : stated) {
    const Fact* equal = nullptr;
    const Fact* different = nullptr;
    for (const Fact* fact : facts) {
      const Comparison compared = CompareValues(setting, *fact, value->value, rules);
      if (compared.relation == Relation::kEqual && !equal) {
        equal = fact;
        reading.reordered = reading.reordered || compared.reordered;
      }
      if (compared.relation == Relation::kDiffers && !different) different = fact;
    }
    if (equal) {
      if (!reading.equal) reading.equal = value;
      if (!reading.fact) reading.fact = equal;
    } else if (different && (!reading.different || ComesLater(*value, *reading.different))) {
      reading.different = value;
      if (!reading.equal) reading.fact = different;
    }
  }
  return reading;
}

Difference Differing(const std::string& setting, const Fact& fact, const StatedValue& stated, bool variable) {
  Difference difference;
  difference.setting = setting;
  difference.manifest = fact.value;
  difference.manifest_line = fact.line;
  difference.observed = stated.value;
  difference.log_line = stated.first_line;
  difference.log_source = stated.source;
  // "N/A" means "not set" for a variable; elsewhere it means as often that nobody looked.
  if (!variable && (fact.not_set || IsNotSet(fact.value))) difference.doubt = 0.8;
  return difference;
}

void Conclude(const std::string& setting, const Reading& reading, bool variable, Draft* draft) {
  const Fact& fact = *reading.fact;
  if (!reading.different) {
    draft->Equal(setting, fact.value, fact.line, reading.equal->first_line);
    if (!reading.reordered) return;
    // Equal as a set: what is left is the order, which stands in the graph key alone.
    Difference order = Differing(setting, fact, *reading.equal, variable);
    const EqualSetting kept{setting, fact.value, fact.line, reading.equal->first_line};
    draft->Differs(order);
    draft->Equal(kept.setting, kept.value, kept.manifest_line, kept.log_line);
    return;
  }
  Difference difference = Differing(setting, fact, *reading.different, variable);
  if (reading.equal) {
    if (RanksDisagree(*reading.equal, *reading.different)) {
      draft->Note(fmt::format("{}: {} as recorded, but {} says {} (line {})", setting, fact.value,
                              fmt::join(reading.different->processes, ", "), reading.different->value,
                              reading.different->first_line));
      difference.doubt *= 0.9;
    } else if (ComesLater(*reading.equal, *reading.different)) {
      draft->Note(fmt::format("{}: line {} says {}, line {} says {} as recorded; it counts as not stated", setting,
                              reading.different->first_line, reading.different->value, reading.equal->first_line,
                              reading.equal->value));
      draft->Judged(setting);
      return;
    } else {
      draft->Note(fmt::format("{}: line {} says {} as recorded, but line {} says {}", setting,
                              reading.equal->first_line, reading.equal->value, reading.different->first_line,
                              reading.different->value));
      difference.doubt *= 0.7;
    }
  }
  draft->Differs(std::move(difference));
}

const SettingRule* RuleOf(const std::string& setting, const RuleSet& rules) {
  const size_t colon = setting.find(':');
  return rules.Setting(setting.substr(0, colon));
}

}  // namespace

std::map<std::string, std::vector<const StatedValue*>> StatedBySetting(const Run& run, const RuleSet& rules) {
  std::map<std::string, std::string> components;
  for (const SettingRule& setting : rules.settings) {
    for (const std::string& name : setting.listing_names) components.emplace(name, setting.name);
  }
  std::map<std::string, std::vector<const StatedValue*>> stated;
  for (const StatedValue& value : run.stated) {
    const auto component = components.find(value.setting);
    stated[component == components.end() ? value.setting : component->second].push_back(&value);
  }
  return stated;
}

void CompareManifest(Draft* draft) {
  if (!draft->input().manifest) return;
  const auto stated = StatedBySetting(draft->run(), draft->rules());
  std::set<std::string> seen;
  for (const Fact& row : draft->input().manifest->facts) {
    const SettingRule* rule = RuleOf(row.setting, draft->rules());
    const auto values = stated.find(row.setting);
    if (!rule || values == stated.end() || !seen.insert(row.setting).second) continue;
    const Reading reading = Read(*rule, draft->FactsOf(row.setting), values->second, draft->rules());
    if (reading.fact) Conclude(row.setting, reading, rule->environment, draft);
  }
}

void LookAtUnrecorded(Draft* draft) {
  const auto stated = StatedBySetting(draft->run(), draft->rules());
  const auto baseline = draft->input().baseline ? StatedBySetting(*draft->input().baseline, draft->rules())
                                                : std::map<std::string, std::vector<const StatedValue*>>();
  for (const auto& [setting, values] : stated) {
    const SettingRule* rule = draft->rules().Setting(setting);
    // What a build's own log states is compared with that (baseline.h).
    if (!rule || !rule->environment || !draft->IsRead(*rule) || draft->FactOf(setting) || baseline.count(setting))
      continue;
    // Where a folder was is not known from a record that does not name it: its default is not what anybody uses.
    if (rule->compare == "path") continue;
    Fact not_set;
    not_set.not_set = true;
    for (const StatedValue* value : values) {
      // A listing holds the value in force, which a compile mode may have set.
      if (value->rule == "key-listing" || value->setting != setting) continue;
      if (CompareValues(*rule, not_set, value->value, draft->rules()).relation != Relation::kDiffers) continue;
      const Change change{setting, rule->otherwise, value->value, draft->torch(),
                          [draft](std::string_view other) { return draft->ValueOf(other); }};
      const CauseRule* cause = FindCause(draft->rules().causes, change);
      if (!cause || cause->effect != "retune") continue;
      Difference difference;
      difference.setting = setting;
      difference.observed = value->value;
      difference.log_line = value->first_line;
      difference.log_source = value->source;
      draft->Suspect(std::move(difference));
      break;
    }
  }
}

std::vector<std::string> NotObserved(const Draft& draft) {
  std::vector<std::string> settings;
  if (!draft.input().manifest) return settings;
  for (const Fact& fact : draft.input().manifest->facts) {
    const SettingRule* rule = RuleOf(fact.setting, draft.rules());
    if (fact.not_set || !rule || rule->compare == "never" || draft.WasJudged(fact.setting)) continue;
    if (std::find(settings.begin(), settings.end(), fact.setting) == settings.end()) settings.push_back(fact.setting);
  }
  return settings;
}

std::vector<std::string> NextChecks(const Draft& draft) {
  std::vector<std::string> checks;
  if (!draft.input().manifest) return checks;
  // What the log shows equal needs no look, nor what it shows to be the cause; what no torch reads does not either.
  const auto open = [&](const Fact& fact) {
    const SettingRule* rule = RuleOf(fact.setting, draft.rules());
    return rule && !fact.not_set && !draft.IsEqual(fact.setting) && !draft.Has(fact.setting, kShown) &&
           rule->effect != "none" && !rule->unread && fact.setting.find(':') == std::string::npos &&
           rule->compare != "never";
  };
  std::vector<const Fact*> facts;
  std::set<std::string> seen;
  for (const bool checklist : {true, false}) {
    std::vector<const Fact*> part;
    for (const Fact& fact : draft.input().manifest->facts) {
      if (fact.from_checklist == checklist && open(fact) && seen.insert(fact.setting).second) part.push_back(&fact);
    }
    if (!checklist) {
      std::stable_sort(part.begin(), part.end(), [&](const Fact* a, const Fact* b) {
        return RuleOf(a->setting, draft.rules())->order < RuleOf(b->setting, draft.rules())->order;
      });
    }
    facts.insert(facts.end(), part.begin(), part.end());
  }
  for (const Fact* fact : facts) {
    std::string command;
    for (const CauseRule& cause : draft.rules().causes) {
      if (cause.setting == fact->setting && !cause.check.empty()) {
        command = cause.check;
        break;
      }
    }
    const SettingRule* rule = RuleOf(fact->setting, draft.rules());
    if (command.empty() && rule->environment) command = "printenv " + fact->setting;
    checks.push_back(fmt::format("{} should be {} (manifest line {}){}{}", fact->setting, fact->value, fact->line,
                                 command.empty() ? "" : ": ", command));
  }
  return checks;
}

}  // namespace autotune
