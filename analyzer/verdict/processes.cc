#include "analyzer/verdict/processes.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/model/process_name.h"
#include "analyzer/verdict/blocks.h"
#include "analyzer/verdict/compare.h"
#include "analyzer/verdict/values.h"

namespace autotune {
namespace {

// One side of the comparison: the writers of one log, one pod, or one process.
struct Unit {
  std::string name, source;
  std::vector<const LogWriter*> writers;
};

using NameOf = std::string (*)(const LogWriter&);

std::string SourceOf(const LogWriter& writer) { return writer.source; }
std::string PodOf(const LogWriter& writer) { return writer.labels.pod ? "pod/" + *writer.labels.pod : ""; }
std::string LabelOf(const LogWriter& writer) { return ProcessName(writer.labels); }

size_t NamesBy(NameOf name_of, const Run& run) {
  std::set<std::string> names;
  for (const LogWriter& writer : run.writers) {
    if (std::string name = name_of(writer); !name.empty()) names.insert(std::move(name));
  }
  return names.size();
}

bool Tuned(const LogWriter& w) {
  if (w.orphans > 0) return true;
  return w.blocks > 0 &&
         !OnlyLooksUp(w.blocks, w.stats > 0 || w.timed < w.blocks, w.benchmark_seconds, w.precompile_seconds);
}

std::vector<Unit> UnitsOf(const Run& run) {
  const bool by_log = run.sources.size() > 1;
  const NameOf name_of = by_log ? SourceOf : NamesBy(PodOf, run) > 1 ? PodOf : LabelOf;
  std::vector<Unit> units;
  std::map<std::string, size_t> index;
  const auto unit_of = [&](const std::string& name, const std::string& source) -> Unit& {
    const auto [found, is_new] = index.try_emplace(name, units.size());
    if (is_new) units.push_back({name, source, {}});
    return units[found->second];
  };
  if (by_log) {
    for (const std::string& source : run.sources) unit_of(source, source);
  }
  for (const LogWriter& writer : run.writers) {
    const std::string name = name_of(writer);
    // Lines without a label in a stream of labelled ones are a launcher's, or nobody knows whose.
    if (name.empty() && !Tuned(writer)) continue;
    unit_of(name, writer.source).writers.push_back(&writer);
  }
  // "pod/trainer-0/main" where one container is all that speaks.
  for (Unit& unit : units) {
    if (name_of != PodOf || unit.writers.empty()) continue;
    const std::string label = unit.writers.front()->labels.process.value_or("");
    const bool alone = std::all_of(unit.writers.begin(), unit.writers.end(), [&](const LogWriter* writer) {
      return writer->labels.process == unit.writers.front()->labels.process;
    });
    if (alone && label.substr(0, unit.name.size()) == unit.name) unit.name = label;
  }
  const bool named = std::any_of(units.begin(), units.end(), [](const Unit& unit) { return !unit.name.empty(); });
  if (units.size() < 2 || !named) units.clear();
  return units;
}

std::set<std::string> CompilingRules(const RuleSet& rules) {
  std::set<std::string> ids;
  for (const EvidenceRule& rule : rules.evidence) {
    if (rule.compiling) ids.insert(rule.id);
  }
  return ids;
}

ProcessState StateOf(const Unit& unit, const Run& run, const std::set<std::string>& compiling) {
  ProcessState state;
  state.name = unit.name;
  state.source = unit.source;
  for (const LogWriter* writer : unit.writers) {
    if (!Tuned(*writer)) continue;
    state.state = ProcessState::State::kTuned;
    state.blocks += writer->blocks;
    state.seconds += writer->benchmark_seconds + writer->precompile_seconds + writer->prescreen_seconds;
    if (!state.line || writer->first_line < *state.line) state.line = writer->first_line;
  }
  if (state.state == ProcessState::State::kTuned) return state;
  for (const LogWriter* writer : unit.writers) {
    std::optional<uint64_t> line;
    if (writer->blocks > 0) line = writer->first_line;  // a table of results found in the cache
    for (const LogWriter::Statement& statement : writer->statements) {
      const bool compiles = compiling.count(run.stated[statement.stated].rule) > 0;
      if (compiles && (!line || statement.line < *line)) line = statement.line;
    }
    if (!line) continue;
    state.state = ProcessState::State::kDidNotTune;
    if (!state.line || *line < *state.line) state.line = line;
  }
  return state;
}

// What one unit states of one setting.
struct Statements {
  std::vector<std::pair<const StatedValue*, uint64_t>> values;  // and where this unit first does
};

Relation Compare(const SettingRule& setting, const std::string& a, const std::string& b, const RuleSet& rules) {
  Fact fact;
  fact.value = a;
  return CompareValues(setting, fact, b, rules).relation;
}

// Equal when any two values are, different when all are: a unit may state what it began with and what came of it.
Relation Compare(const SettingRule& setting, const std::string& side, const Statements& statements,
                 const RuleSet& rules) {
  Relation relation = Relation::kDiffers;
  for (const auto& [stated, line] : statements.values) {
    const Relation one = Compare(setting, side, stated->value, rules);
    if (one == Relation::kEqual) return one;
    if (one == Relation::kUnclear) relation = one;
  }
  return relation;
}

std::vector<Disagreement::Side> SidesOf(const SettingRule& setting, const std::vector<Unit>& units,
                                        const std::map<size_t, Statements>& stated, const RuleSet& rules) {
  std::vector<Disagreement::Side> sides;
  for (const auto& [unit, statements] : stated) {
    Disagreement::Side* own = nullptr;
    bool unclear = false;
    for (Disagreement::Side& side : sides) {
      const Relation relation = Compare(setting, side.value, statements, rules);
      if (relation == Relation::kEqual && own == nullptr) own = &side;
      unclear = unclear || relation == Relation::kUnclear;
    }
    if (own == nullptr && unclear) continue;
    if (own == nullptr) {
      const auto& [value, line] = statements.values.front();
      sides.push_back({value->value, {}, line, value->source, false});
      own = &sides.back();
    }
    own->processes.push_back(units[unit].name);
  }
  std::stable_sort(sides.begin(), sides.end(), [](const Disagreement::Side& a, const Disagreement::Side& b) {
    return a.processes.size() > b.processes.size();
  });
  return sides;
}

std::vector<Disagreement> Disagreements(const Run& run, const std::vector<Unit>& units, const RuleSet& rules) {
  std::map<const StatedValue*, std::string> names;
  for (const auto& [name, values] : StatedBySetting(run, rules)) {
    for (const StatedValue* value : values) names.emplace(value, name);
  }
  std::map<std::string, std::map<size_t, Statements>> by_setting;
  for (size_t unit = 0; unit < units.size(); ++unit) {
    for (const LogWriter* writer : units[unit].writers) {
      for (const LogWriter::Statement& statement : writer->statements) {
        const StatedValue* value = &run.stated[statement.stated];
        by_setting[names[value]][unit].values.emplace_back(value, statement.line);
      }
    }
  }
  std::vector<std::pair<int, Disagreement>> found;
  for (const auto& [name, stated] : by_setting) {
    const SettingRule* rule = rules.Setting(name);
    // What is in no key cannot be why one tunes and another does not.
    if (!rule || rule->effect == "none" || rule->unread || stated.size() < 2) continue;
    std::vector<Disagreement::Side> sides = SidesOf(*rule, units, stated, rules);
    // To each its own (a card, a port): that is what tells them apart.
    const bool own = sides.size() > 2 && sides.front().processes.size() == 1;
    if (sides.size() > 1 && !own) found.push_back({rule->order, {name, std::move(sides)}});
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Disagreement> disagreements;
  for (auto& [order, disagreement] : found) disagreements.push_back(std::move(disagreement));
  return disagreements;
}

// Tables are printed, log lines are logged: ranks may label these and not those. Where lines without a label tuned, of
// no other process can be said that it did not. False: then nothing is known of any.
bool DoubtUnlabelled(std::vector<ProcessState>* states) {
  const bool unlabelled =
      std::any_of(states->begin(), states->end(), [](const ProcessState& s) { return s.name.empty(); });
  if (!unlabelled) return true;
  bool known = false;
  for (ProcessState& state : *states) {
    if (state.state == ProcessState::State::kDidNotTune) {
      state.state = ProcessState::State::kNothingSeen;
      state.line.reset();
    }
    known = known || (!state.name.empty() && state.state == ProcessState::State::kTuned);
  }
  return known;
}

// The side whose processes are just those that tuned.
void MarkTuned(const std::vector<ProcessState>& states, std::vector<Disagreement>* disagreements) {
  std::set<std::string> tuned;
  for (const ProcessState& state : states) {
    if (state.state == ProcessState::State::kTuned) tuned.insert(state.name);
  }
  if (tuned.empty() || tuned.size() == states.size()) return;
  for (Disagreement& disagreement : *disagreements) {
    for (Disagreement::Side& side : disagreement.sides) {
      side.all_that_tuned = std::set<std::string>(side.processes.begin(), side.processes.end()) == tuned;
    }
  }
}

}  // namespace

void CompareProcesses(const Run& run, const RuleSet& rules, Verdict* verdict) {
  const std::vector<Unit> units = UnitsOf(run);
  if (units.empty()) return;
  const std::set<std::string> compiling = CompilingRules(rules);
  for (const Unit& unit : units) verdict->processes.push_back(StateOf(unit, run, compiling));
  verdict->disagreements = Disagreements(run, units, rules);
  if (!DoubtUnlabelled(&verdict->processes) && verdict->disagreements.empty()) verdict->processes.clear();
  MarkTuned(verdict->processes, &verdict->disagreements);
  verdict->processes_dropped = run.writers_dropped;
}

}  // namespace autotune
