#include "analyzer/machine/build_values.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <optional>
#include <set>

#include "analyzer/base/text.h"
#include "analyzer/verdict/blocks.h"
#include "analyzer/verdict/compare.h"
#include "analyzer/verdict/shapes.h"
#include "analyzer/verdict/values.h"

namespace autotune {
namespace {

std::string Unquoted(std::string_view text) {
  text = Trim(text);
  if (text.size() >= 2 && text.front() == text.back() && (text.front() == '\'' || text.front() == '"'))
    text = text.substr(1, text.size() - 2);
  return std::string(text);
}

// "3.6.0" of a Triton key, which is the version followed by digests.
std::string WithoutDigests(const std::string& value) {
  static const RE2& digests = *new RE2(R"(^(\d+\.\d+\.\d+.*?)[0-9a-f]{64}(?:-[0-9a-f]{64})*-?$)");
  std::string version;
  return RE2::FullMatch(value, digests, &version) ? version : value;
}

class Gatherer {
 public:
  Gatherer(const BuildSources& sources, const RuleSet& rules, std::vector<std::string>* remarks)
      : sources_(sources), rules_(rules), remarks_(remarks) {}

  std::map<std::string, BuildValue> Gather() {
    if (sources_.log) TakeLog(*sources_.log);
    if (sources_.cache_report) TakeCache(*sources_.cache_report);
    if (sources_.log) TakeShapes(*sources_.log);
    if (sources_.machine) TakeMachine(*sources_.machine);
    return std::move(values_);
  }

 private:
  void Add(const std::string& setting, const std::string& value, const std::string& from) {
    const auto [at, fresh] = values_.try_emplace(setting, BuildValue{value, from});
    if (fresh) return;
    const SettingRule* rule = rules_.Setting(setting);
    if (rule && Compare(*rule, at->second.value, value) == Relation::kDiffers) {
      remarks_->push_back(fmt::format("{}: {} says {}, {} says {}; the first is written", setting, at->second.from,
                                      at->second.value, from, value));
    }
  }

  Relation Compare(const SettingRule& rule, const std::string& recorded, const std::string& value) const {
    Fact fact;
    fact.value = recorded;
    fact.not_set = recorded.empty();
    return CompareValues(rule, fact, value, rules_).relation;
  }

  void TakeLog(const Run& run) {
    for (const auto& [setting, stated] : StatedBySetting(run, rules_)) {
      const SettingRule* rule = rules_.Setting(setting);
      if (!rule || (rule->compare == "never" && !rule->unread)) continue;
      for (const StatedValue* value : stated) {
        // A listing holds what is in force, which a compile mode may have set: of variables it says nothing, except of
        // the back ends, which have no other way to be set.
        const bool component = value->setting != setting || value->rule == "key-listing";
        if (component && rule->compare != "backend_set") continue;
        std::string text = WithoutDigests(Unquoted(value->value));
        if (rule->compare == "path") text = NormalPath(text);
        // A fresh folder means that caches were off; torch's own folder, that none was set.
        if (rule->compare == "path" && HasFreshFolder(value->value)) continue;
        if (IsNotSet(text) || text.find('\n') != std::string::npos) continue;
        Add(setting, text, "the log");
        break;
      }
    }
    // Only inductor prints these tables.
    if (!run.problems.empty()) Add("compile_backend", "inductor", "the log");
  }

  void TakeCache(const CacheReport& report) {
    for (const Fact& fact : report.facts) {
      const std::string name = fact.setting == "backends" ? "TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS" : fact.setting;
      const SettingRule* rule = rules_.Setting(name);
      // "as 2.11" and "none (CPU)" are readings, no values; several precisions are no setting.
      if (!rule || rule->compare == "never" || name == "torch" || IsNotSet(fact.value) ||
          fact.value.find('(') != std::string::npos)
        continue;
      if (name == "float32_matmul_precision" && fact.value.find(',') != std::string::npos) continue;
      // The log's list may hold back ends without candidates.
      if (fact.setting == "backends" && (values_.count(name) || fact.value.find("UNKNOWN") != std::string::npos))
        continue;
      Add(name, fact.value, "the cache");
    }
    if (sources_.cache && !sources_.cache->cache.problems.empty()) Add("compile_backend", "inductor", "the cache");
  }

  // What the tuned problems show.
  void TakeShapes(const Run& run) {
    const std::vector<const TunedProblem*> problems = TimedProblems(run);
    std::set<std::string> dtypes;
    for (const TunedProblem* problem : problems) {
      if (problem->first.dtypes) dtypes.insert(problem->first.dtypes->begin(), problem->first.dtypes->end());
    }
    if (dtypes.size() == 1) Add("dtype", *dtypes.begin(), "the log");
    const SequenceReading sequence = ReadSequence(problems, 0);
    if (sequence.value && sequence.certain && !values_.count("sequence_length"))
      Add("sequence_length", fmt::format("{}", *sequence.value), "the log");
  }

  // Whether the machine can be the one of the build: it has a torch, and nothing that it tells contradicts.
  bool IsOfTheBuild(const Machine& machine) {
    if (values_.empty()) {
      if (!machine.packages().found()) remarks_->push_back("torch: " + machine.packages().Python().why);
      return true;
    }
    if (!machine.packages().found()) return false;
    for (const SettingRule& rule : rules_.settings) {
      const auto known = values_.find(rule.name);
      if (rule.probes.empty() || known == values_.end()) continue;
      const SettingReading reading = machine.Read(rule);
      if (!reading.value || reading.counts_cards ||
          Compare(rule, known->second.value, *reading.value) != Relation::kDiffers)
        continue;
      remarks_->push_back(fmt::format("{} is {} here and {} in {}: this machine is not taken for the one of the build",
                                      rule.name, reading.value->empty() ? "not set" : *reading.value,
                                      known->second.value, known->second.from));
      return false;
    }
    return true;
  }

  void TakeMachine(const Machine& machine) {
    if (!IsOfTheBuild(machine)) return;
    for (const SettingRule& rule : rules_.settings) {
      const SettingReading reading = machine.Read(rule);
      if (!reading.value || values_.count(rule.name)) continue;
      values_[rule.name] = {*reading.value, "this machine"};
    }
  }

  const BuildSources& sources_;
  const RuleSet& rules_;
  std::vector<std::string>* remarks_;
  std::map<std::string, BuildValue> values_;
};

}  // namespace

std::map<std::string, BuildValue> GatherBuildValues(const BuildSources& sources, const RuleSet& rules,
                                                    std::vector<std::string>* remarks) {
  return Gatherer(sources, rules, remarks).Gather();
}

}  // namespace autotune
