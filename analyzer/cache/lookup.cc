#include "analyzer/cache/lookup.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <re2/re2.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "analyzer/base/text.h"
#include "analyzer/cache/compare_caches.h"
#include "analyzer/cache/proof.h"
#include "analyzer/cache/run_view.h"
#include "analyzer/identity/code_key.h"
#include "analyzer/identity/key_backend.h"
#include "analyzer/identity/problem_key.h"

namespace autotune {
namespace {

std::string Upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return out;
}

std::set<std::string> BackendList(std::string_view text) {
  std::set<std::string> out;
  while (!text.empty()) {
    size_t comma = text.find(',');
    std::string item = Upper(Trim(text.substr(0, comma)));
    if (!item.empty()) out.insert(std::move(item));
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  return out;
}

std::string_view WithoutSlash(std::string_view path) {
  while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
  return path;
}

// The first whole number in "256 tokens", "1,024".
std::optional<int64_t> FirstNumber(std::string_view text) {
  std::string digits;
  for (char c : text) {
    if (c >= '0' && c <= '9') {
      digits.push_back(c);
    } else if (!digits.empty() && c != ',' && c != '_') {
      break;
    }
  }
  int64_t value = 0;
  if (digits.empty() || std::from_chars(digits.data(), digits.data() + digits.size(), value).ec != std::errc()) {
    return std::nullopt;
  }
  return value;
}

class LookUpRun {
 public:
  LookUpRun(const LookUpInput& input, const RuleSet& rules)
      : input_(input), rules_(rules), recorded_(*input.book->cache()), backends_(rules) {}

  CacheFindings Find() {
    if (!input_.book->status().ok()) {
      Note("the recorded cache could not be read to its end: what it seems to lack may stand behind the damage");
    }
    if (!input_.run->tuned()) return std::move(out_);
    ReadRunCache();
    view_ = ViewRun(input_, recorded_, run_reading_ ? &run_reading_->cache : nullptr, rules_);
    if (IsRecordedRun()) return std::move(out_);

    bool machine = CompareMachine();
    bool proved = Proofs();
    bool backend = MissingBackends();
    bool precision = Precision();
    if (!backend) NewProblems();
    if (!machine && !proved && !backend && !precision) NotReached();
    CountProblems();
    Rank();
    return std::move(out_);
  }

 private:
  // Strongest basis first, then the most believed; one suspect a setting.
  void Rank() {
    std::stable_sort(out_.suspects.begin(), out_.suspects.end(), [](const Suspect& a, const Suspect& b) {
      return a.basis != b.basis ? a.basis < b.basis : a.confidence > b.confidence;
    });
    std::set<std::string> seen;
    auto again = [&](const Suspect& suspect) { return !seen.insert(suspect.setting).second; };
    out_.suspects.erase(std::remove_if(out_.suspects.begin(), out_.suspects.end(), again), out_.suspects.end());
  }

  void Note(std::string text) { out_.notes.push_back(std::move(text)); }

  Suspect Blame(std::string setting, Basis basis, double confidence, std::string why) {
    Suspect out;
    out.setting = std::move(setting);
    out.basis = basis;
    out.confidence = confidence;
    out.why = std::move(why);
    if (const Fact* fact = Recorded(input_.manifest, out.setting)) {
      out.manifest = fact->value;
      out.manifest_line = fact->line;
    }
    if (const StatedValue* stated = Stated(*input_.run, out.setting)) {
      out.observed = stated->value;
      out.log_line = stated->first_line;
      out.log_source = stated->source;
    }
    return out;
  }
  void At(const Block& block, Suspect* suspect) {
    if (suspect->log_line) return;
    suspect->log_line = block.line;
    suspect->log_source = block.source;
  }

  void ReadRunCache() {
    if (input_.run_cache.empty()) return;
    CacheReading reading = ReadCache(input_.run_cache, ReadOptions{});
    if (!reading.status.ok()) out_.errors.push_back(reading.status);
    if (reading.files == 0) return;
    run_reading_ = std::make_unique<CacheReading>(std::move(reading));
    for (std::string& note : CompareCaches(recorded_, run_reading_->cache, rules_)) Note(std::move(note));
  }

  // The log of the build itself, or of a run that only printed what it found.
  bool IsRecordedRun() {
    bool all =
        !view_.problems.empty() && std::all_of(view_.problems.begin(), view_.problems.end(),
                                               [](const LookedUpProblem& problem) { return problem.is_recorded_run; });
    if (all)
      Note("the times of every table are those of the recorded cache: this log wrote it, or printed what it found");
    return all;
  }

  // Level one: the file `cache/<system hash>` of this machine.
  bool CompareMachine() {
    const std::vector<RecordedSystem>& systems = recorded_.systems;
    if (systems.empty()) return false;
    bool found = false;
    auto compare = [&](const char* setting, auto recorded_value) {
      const StatedValue* stated = Stated(*input_.run, setting);
      std::set<std::string> recorded;
      for (const RecordedSystem& system : systems) {
        std::string value = recorded_value(system);
        if (!value.empty()) recorded.insert(std::move(value));
      }
      std::optional<std::string> observed;
      if (stated) observed = stated->value;
      if (run_reading_) {
        for (const RecordedSystem& system : run_reading_->cache.systems) {
          std::string value = recorded_value(system);
          if (!value.empty() && recorded.count(value) == 0) observed = value;
        }
      }
      if (recorded.empty() || !observed || SameVersion(recorded, *observed)) return;
      std::string lists = fmt::format("{}", fmt::join(recorded, ", "));
      const Fact* fact = Recorded(input_.manifest, setting);
      // When log and manifest agree, it is the cache that is not the manifest's.
      bool foreign_cache = fact && !fact->not_set && SameVersion({fact->value}, *observed);
      Suspect suspect = Blame(foreign_cache ? "cache_contents" : setting, Basis::kCacheLookup, 0.95,
                              fmt::format("the recorded cache was tuned with {} {}, this run has {}: the name of the "
                                          "tuning file is a hash over that, so another, empty file is read",
                                          setting, lists, *observed));
      if (!foreign_cache) {
        if (!suspect.manifest) suspect.manifest = lists;
        suspect.observed = observed;
        if (stated) suspect.log_line = stated->first_line;
      }
      out_.suspects.push_back(std::move(suspect));
      found = true;
    };
    compare("gpu", [](const RecordedSystem& s) { return s.device.compare(0, 3, "gfx") == 0 ? "" : s.device; });
    compare("architecture", [](const RecordedSystem& s) { return s.device.compare(0, 3, "gfx") == 0 ? s.device : ""; });
    compare("triton", [](const RecordedSystem& s) { return TritonKeyVersion(s.triton); });
    compare("cuda", [](const RecordedSystem& s) { return s.cuda; });
    compare("hip", [](const RecordedSystem& s) { return s.hip; });
    return found;
  }

  // Logs print a version with or without its last parts ("3.6.0+git1", "13.0.88"), an architecture with or without its
  // features.
  static bool SameVersion(const std::set<std::string>& recorded, const std::string& observed) {
    return std::any_of(recorded.begin(), recorded.end(), [&](const std::string& value) {
      auto starts = [](const std::string& text, const std::string& start) {
        if (text.compare(0, start.size(), start) != 0) return false;
        return text.size() == start.size() ||
               std::string_view("+.-: ").find(text[start.size()]) != std::string_view::npos;
      };
      return starts(value, observed) || starts(observed, value);
    });
  }

  // Whether a cause may be named: its conditions hold for what manifest and log say, and the log does not state the
  // setting equal to the manifest.
  bool Applicable(const CauseRule& cause) const {
    const Fact* fact = Recorded(input_.manifest, cause.setting);
    const StatedValue* stated = Stated(*input_.run, cause.setting);
    std::string manifest = fact && !fact->not_set ? fact->value : "";
    std::string observed = stated ? stated->value : cause.edited_value == "not set" ? "" : cause.edited_value;
    if (stated && fact && Upper(stated->value) == Upper(fact->value)) return false;
    Change change;
    change.setting = cause.setting;
    change.manifest = manifest;
    change.observed = observed;
    change.torch = view_.torch;
    change.fact = [&](std::string_view setting) -> std::optional<std::string> {
      if (const Fact* other = Recorded(input_.manifest, setting)) return other->value;
      if (const StatedValue* other = Stated(*input_.run, setting)) return other->value;
      return std::nullopt;
    };
    return FindCause({cause}, change) != nullptr;
  }

  // Level five, candidates: kernels of the run by hash.
  bool Proofs() {
    if (view_.foreign.empty()) return false;
    std::set<const CauseRule*> applicable;
    for (const CauseRule& cause : rules_.causes) {
      if (!cause.edits.empty() && Applicable(cause)) applicable.insert(&cause);
    }
    ProofResult proof = Prove(recorded_.path, view_.foreign, rules_.causes, view_.sizes, view_.torch);
    if (!proof.status.ok()) out_.errors.push_back(proof.status);
    if (proof.tried == 0) {
      Note(fmt::format("{} kernels of the run have no counterpart of the same description in the recorded cache",
                       view_.foreign.size()));
      return false;
    }
    std::set<size_t> left;
    for (size_t i = 0; i < view_.foreign.size(); ++i) {
      if (!view_.foreign[i].recorded.empty()) left.insert(i);
    }
    // Those whose conditions hold first; among equals the likelier one.
    std::stable_sort(proof.causes.begin(), proof.causes.end(), [&](const ProvedCause& a, const ProvedCause& b) {
      if (a.explained.size() != b.explained.size()) return a.explained.size() > b.explained.size();
      bool first = applicable.count(a.cause) > 0, second = applicable.count(b.cause) > 0;
      if (first != second) return first;
      return a.cause->prior > b.cause->prior;
    });
    bool any = false;
    std::set<std::string> named;
    std::vector<std::set<size_t>> accounted;
    for (const ProvedCause& cause : proof.causes) {
      if (cause.by_sizes) {
        proved_by_sizes_ = std::max(proved_by_sizes_, cause.explained.size());
        size_candidates_ = proof.tried;
        for (size_t kernel : cause.explained) left.erase(kernel);
        continue;
      }
      bool fresh = std::any_of(cause.explained.begin(), cause.explained.end(),
                               [&](size_t kernel) { return left.count(kernel) > 0; });
      bool same_as_before = std::find(accounted.begin(), accounted.end(), cause.explained) != accounted.end();
      if (!fresh && (!same_as_before || applicable.count(cause.cause) == 0)) continue;
      for (const CauseRule* rule : {cause.cause, cause.second}) {
        if (!rule || !named.insert(rule->setting).second) continue;
        NameCause(*rule, cause, proof.tried, applicable.count(rule) > 0, fresh);
      }
      any = true;
      accounted.push_back(cause.explained);
      for (size_t kernel : cause.explained) left.erase(kernel);
    }
    if (!left.empty()) {
      Note(fmt::format("{} of {} kernels that the run used come out of no known setting's edit of the recorded sources",
                       left.size(), proof.tried));
      if (run_reading_) any = CompareSourcesOf(left) || any;
    }
    return any;
  }

  void NameCause(const CauseRule& rule, const ProvedCause& cause, size_t tried, bool applicable, bool first) {
    bool all = cause.explained.size() == tried;
    double confidence = all ? 0.99 : 0.9;
    if (!applicable) confidence *= 0.8;
    if (!first) confidence *= 0.6;  // another setting with the same edit stands before it
    std::string what = cause.second
                           ? fmt::format("the edits of {} and {} together", cause.cause->setting, cause.second->setting)
                           : fmt::format("that one edit");
    Suspect suspect =
        Blame(rule.setting, all || cause.second ? Basis::kHashProof : Basis::kCacheLookup, confidence, "");
    if (!suspect.observed) suspect.observed = rule.edited_value;
    if (rule.setting == "triton" || rule.setting == "cuda") FillRunVersion(rule.setting, &suspect);
    std::string state = suspect.observed && !suspect.observed->empty() ? " = " + *suspect.observed : "";
    suspect.why = fmt::format(
        "the recorded kernels, edited as {}{} writes them and hashed again, give {} of {} keys that this run used "
        "({}); "
        "unedited they give none of these",
        rule.setting, state, cause.explained.size(), tried, what);
    if (!suspect.log_line && view_.first_kernel_line) {
      suspect.log_line = view_.first_kernel_line;
      suspect.log_source = view_.kernel_source;
    }
    out_.suspects.push_back(std::move(suspect));
  }

  void FillRunVersion(const std::string& setting, Suspect* suspect) const {
    if (!run_reading_ || Stated(*input_.run, setting)) return;
    for (const RecordedSystem& system : run_reading_->cache.systems) {
      std::string value = setting == "triton" ? TritonKeyVersion(system.triton) : system.cuda;
      if (!value.empty()) suspect->observed = value;
    }
  }

  // Two sources of one candidate side by side: whatever differs is named as the source calls it.
  bool CompareSourcesOf(const std::set<size_t>& kernels) {
    std::map<std::string, SourceDifference> seen;
    std::map<std::string, size_t> counts;
    size_t compared = CompareKernelSources(recorded_.path, input_.run_cache, view_.foreign, kernels, &seen, &counts);
    bool found = false;
    for (const auto& [name, difference] : seen) {
      std::string text =
          fmt::format("{} {}: {} -> {} in {} of {} kernels compared",
                      difference.place == SourceDifference::Place::kMeta         ? "inductor_meta"
                      : difference.place == SourceDifference::Place::kTritonMeta ? "triton_meta"
                      : difference.place == SourceDifference::Place::kConstant   ? "constant"
                                                                                 : "text",
                      difference.name, ShownName(difference.before.empty() ? "(none)" : difference.before),
                      ShownName(difference.after.empty() ? "(none)" : difference.after), counts[name], compared);
      Note("the kernels of both caches differ in " + text);
      if (difference.place != SourceDifference::Place::kMeta || counts[name] < compared || seen.size() > 1) continue;
      Suspect suspect = Blame(SettingOfMeta(difference.name), Basis::kHashProof, 0.95,
                              "the same candidates of both caches differ in this alone: " + text);
      if (!suspect.manifest) suspect.manifest = difference.before;
      if (!suspect.observed) suspect.observed = difference.after;
      out_.suspects.push_back(std::move(suspect));
      found = true;
    }
    return found;
  }

  // The setting that some cause's edit of this entry stands for, else the entry as the configuration calls it.
  std::string SettingOfMeta(const std::string& entry) const {
    for (const CauseRule& cause : rules_.causes) {
      for (const auto& edits : cause.edits) {
        for (const SourceEdit& edit : edits) {
          if (edit.key == entry && edits.size() == 1) return cause.setting;
        }
      }
    }
    return fmt::format("inductor_config[{}]", entry);
  }

  // The setting that governs an op's back ends: the cause that says so for this op.
  std::string BackendSetting(const std::string& op) const {
    const CauseRule* widest = nullptr;  // for an op that no cause names
    for (const CauseRule& cause : rules_.causes) {
      if (cause.when != "added" || cause.row_ops.empty()) continue;
      if (!widest || cause.row_ops.size() > widest->row_ops.size()) widest = &cause;
      for (const std::string& pattern : cause.row_ops) {
        if (RE2::FullMatch(ToRe2(op), pattern)) return cause.setting;
      }
    }
    return widest ? widest->setting : "";
  }

  // Level five again, seen from the rows: a back end that no recorded choice is of.
  bool MissingBackends() {
    static const std::set<std::string> kSelectable = {"ATEN", "TRITON", "CPP",    "CUTLASS",
                                                      "CK",   "CKTILE", "NVGEMM", "CUTEDSL"};
    std::map<std::string, std::set<std::string>> recorded;  // setting -> back ends
    for (const RecordedProblem& problem : recorded_.problems) {
      std::set<std::string>& set = recorded[BackendSetting(problem.op)];
      for (const RecordedChoice& choice : problem.choices) set.insert(backends_.Of(problem.op, choice.key));
    }
    std::map<std::string, std::set<std::string>> run;
    std::map<std::string, const Block*> first;
    for (const LookedUpProblem& problem : view_.problems) {
      std::string setting = BackendSetting(problem.tuned->first.op);
      std::set<std::string> shown = problem.tuned->backends;
      if (problem.run_entry) {
        for (const RecordedChoice& choice : problem.run_entry->choices) {
          shown.insert(backends_.Of(problem.run_entry->op, choice.key));
        }
      }
      for (const std::string& backend : shown) {
        if (kSelectable.count(backend) == 0) continue;
        run[setting].insert(backend);
        if (recorded[setting].count(backend) == 0) first.try_emplace(setting, &problem.tuned->first);
      }
    }
    bool found = false;
    for (const auto& [setting, block] : first) {
      const Fact* fact = Recorded(input_.manifest, setting);
      std::set<std::string> listed = fact && !fact->not_set ? BackendList(fact->value) : std::set<std::string>{};
      std::vector<std::string> added, promised;
      for (const std::string& backend : run[setting]) {
        if (recorded[setting].count(backend) > 0) continue;
        (listed.count(backend) > 0 ? promised : added).push_back(backend);
      }
      // Without any recorded choice and without a list there is nothing to compare with: NoResults() speaks then.
      if (!added.empty() && (!recorded[setting].empty() || !listed.empty())) {
        Suspect suspect =
            Blame(setting, Basis::kCacheLookup, 0.95,
                  fmt::format("no recorded choice is of back end {}, and this run has candidates of it: one "
                              "unknown candidate makes torch time all of them again",
                              fmt::join(added, ", ")));
        if (!suspect.manifest) suspect.manifest = fmt::format("{}", fmt::join(recorded[setting], ","));
        if (!suspect.observed) suspect.observed = fmt::format("{}", fmt::join(run[setting], ","));
        At(*block, &suspect);
        out_.suspects.push_back(std::move(suspect));
        found = true;
      } else if (!promised.empty() && !recorded[setting].empty()) {
        Suspect suspect =
            Blame("cache_contents", Basis::kCacheLookup, 0.85,
                  fmt::format("the manifest lists {}, but no recorded choice is of that back end: the build "
                              "did not have it, so this run's candidates are unknown",
                              fmt::join(promised, ", ")));
        At(*block, &suspect);
        out_.suspects.push_back(std::move(suspect));
        found = true;
      }
    }
    return NoResults() || found;
  }

  bool NoResults() {
    if (!recorded_.problems.empty() || view_.problems.empty() || !out_.suspects.empty()) return false;
    if (!input_.book->status().ok()) return false;  // they may stand behind the damage
    Suspect suspect =
        Blame("cache_contents", Basis::kCacheLookup, 0.85,
              "the recorded cache holds no tuning results at all: there is nothing that this run could find");
    At(view_.problems[0].tuned->first, &suspect);
    out_.suspects.push_back(std::move(suspect));
    return true;
  }

  // Level four.
  bool Precision() {
    const StatedValue* stated = Stated(*input_.run, "float32_matmul_precision");
    bool found = false;
    for (const LookedUpProblem& problem : view_.problems) {
      if (problem.matches.empty() || problem.is_recorded_run) continue;
      std::set<std::string> recorded;
      for (const ProblemMatch& match : problem.matches) recorded.insert(recorded_.problems[match.problem].precision);
      std::string observed = stated ? stated->value : problem.run_entry ? problem.run_entry->precision : "";
      if (observed.empty() || recorded.count(observed) > 0 || recorded.count("") > 0) continue;
      if (run_reading_ && stated && HasEntry(run_reading_->cache, problem, recorded)) continue;
      Suspect suspect = Blame("float32_matmul_precision", Basis::kCacheLookup, 0.95,
                              fmt::format("{} is recorded with precision {}, this run looks it up with {}",
                                          ProblemName(problem.tuned->first), fmt::join(recorded, ", "), observed));
      if (!suspect.manifest) suspect.manifest = fmt::format("{}", fmt::join(recorded, ","));
      suspect.observed = observed;
      At(problem.tuned->first, &suspect);
      out_.suspects.push_back(std::move(suspect));
      found = true;
      break;
    }
    return found;
  }

  static bool HasEntry(const RecordedCache& run_cache, const LookedUpProblem& problem,
                       const std::set<std::string>& precisions) {
    return std::any_of(run_cache.problems.begin(), run_cache.problems.end(), [&](const RecordedProblem& own) {
      return problem.run_entry && own.op == problem.run_entry->op && own.inputs == problem.run_entry->inputs &&
             precisions.count(own.precision) > 0;
    });
  }

  // Levels two and three: op and inputs.
  void NewProblems() {
    std::vector<const Block*> blocks;
    std::vector<std::optional<NearestProblem>> nearest;
    for (const LookedUpProblem& problem : view_.problems) {
      if (!problem.matches.empty()) continue;
      blocks.push_back(&problem.tuned->first);
      nearest.push_back(problem.nearest);
    }
    if (blocks.empty() || recorded_.problems.empty()) return;
    NewProblemsCause cause = ExplainNewProblems(blocks, nearest);
    std::string example =
        nearest[0] ? fmt::format("the nearest to {} there is {}({}): {}", ProblemName(*blocks[0]), blocks[0]->op,
                                 PrintedShapes(nearest[0]->inputs), DescribeDifference(*nearest[0], *blocks[0]))
                   : fmt::format("{} is an op that it has no problem of", ProblemName(*blocks[0]));
    std::string why = fmt::format("{} of {} tuned problems are not in the recorded cache; {}", blocks.size(),
                                  view_.problems.size(), example);
    Suspect suspect;
    switch (cause.kind) {
      case NewProblemsCause::Kind::kDtype:
        suspect = Blame("dtype", Basis::kCacheLookup, 0.93, std::move(why));
        suspect.observed = cause.after;
        if (!suspect.manifest) suspect.manifest = cause.before;
        break;
      case NewProblemsCause::Kind::kScaled:
        suspect = Scaled(cause, std::move(why));
        break;
      case NewProblemsCause::Kind::kModel:
        suspect = Blame("model", Basis::kCacheLookup, 0.8, std::move(why));
        suspect.observed = ProblemName(*blocks[0]);
        break;
    }
    if (proved_by_sizes_ > 0 && cause.kind == NewProblemsCause::Kind::kScaled) {
      bool all = proved_by_sizes_ == size_candidates_;
      if (all) suspect.basis = Basis::kHashProof;
      suspect.why +=
          fmt::format("; with the new sizes put in, the recorded kernels hash to {} of {} keys that this run used",
                      proved_by_sizes_, size_candidates_);
    }
    suspect.log_line.reset();
    At(*blocks[0], &suspect);
    out_.suspects.push_back(std::move(suspect));
  }

  // Every changed size has one ratio: a length or a count that all of them hang on. Which one, only the manifest can
  // say.
  Suspect Scaled(const NewProblemsCause& cause, std::string why) {
    for (const char* setting : {"sequence_length", "batch_size"}) {
      const Fact* fact = Recorded(input_.manifest, setting);
      std::optional<int64_t> before = fact && !fact->not_set ? FirstNumber(fact->value) : std::nullopt;
      if (!before || *before * cause.scale_after % cause.scale_before != 0) continue;
      int64_t after = *before * cause.scale_after / cause.scale_before;
      bool is_a_size =
          std::find(cause.changed.begin(), cause.changed.end(), std::make_pair(*before, after)) != cause.changed.end();
      if (!is_a_size) continue;
      Suspect suspect = Blame(setting, Basis::kCacheLookup, 0.93, std::move(why));
      suspect.observed = fmt::format("{}", after);
      return suspect;
    }
    Suspect suspect = Blame("input_shapes", Basis::kCacheLookup, 0.9, std::move(why));
    suspect.observed = fmt::format("{}", cause.changed[0].second);
    if (!suspect.manifest) suspect.manifest = fmt::format("{}", cause.changed[0].first);
    return suspect;
  }

  // All that the run is known to have looked up is recorded: then it is the file itself that was not read.
  void NotReached() {
    const TunedProblem* example = nullptr;
    size_t recorded = 0;
    for (const LookedUpProblem& problem : view_.problems) {
      if (problem.matches.empty() || problem.is_recorded_run) continue;
      ++recorded;
      if (!example) example = problem.tuned;
    }
    if (recorded == 0) return;
    if (!view_.foreign.empty()) return;
    if (view_.equal_kernels == 0 && !AllRowsAreConstants()) {
      Note(fmt::format(
          "{} of {} tuned problems are in the recorded cache; no kernel of this run is known by its key, so "
          "either the file was not read or a setting that is part of the kernels differs",
          recorded, view_.problems.size()));
      return;
    }
    std::string why =
        view_.equal_kernels > 0
            ? fmt::format(
                  "{} kernels that this run used are in the recorded cache, byte for byte, and so are {} of {} tuned "
                  "problems: nothing that is part of a key differs, the recorded file itself was not read",
                  view_.equal_kernels, recorded, view_.problems.size())
            : fmt::format(
                  "every candidate of {} is in the recorded cache: nothing that is part of a key differs, the "
                  "recorded file itself was not read",
                  ProblemName(example->first));
    const Fact* folder = Recorded(input_.manifest, "TORCHINDUCTOR_CACHE_DIR");
    const StatedValue* stated = Stated(*input_.run, "TORCHINDUCTOR_CACHE_DIR");
    bool elsewhere = folder && stated && !folder->not_set && WithoutSlash(folder->value) != WithoutSlash(stated->value);
    Suspect suspect =
        Blame(elsewhere ? "TORCHINDUCTOR_CACHE_DIR" : "cache_contents", Basis::kCacheLookup, 0.93, std::move(why));
    At(example->first, &suspect);
    out_.suspects.push_back(std::move(suspect));
  }

  // Rows of ready-made code alone, all shown: their keys are constants.
  bool AllRowsAreConstants() const {
    bool any = false;
    for (const LookedUpProblem& problem : view_.problems) {
      const Block& block = problem.tuned->first;
      if (problem.matches.empty()) continue;
      any = true;
      bool whole = block.num_choices && *block.num_choices == static_cast<int64_t>(block.choices.size());
      for (const Choice& choice : block.choices) whole = whole && choice.backend == "ATEN";
      for (int64_t row : problem.matches[0].rows) whole = whole && row >= 0;
      if (!whole || problem.matches[0].rows.size() != block.choices.size()) return false;
    }
    return any;
  }

  void CountProblems() {
    size_t found = 0;
    for (const LookedUpProblem& problem : view_.problems) found += !problem.matches.empty();
    if (!view_.problems.empty()) {
      Note(fmt::format("recorded cache: {} problems; of the {} that this run tuned it has {}",
                       recorded_.problems.size(), view_.problems.size(), found));
    }
    if (view_.equal_kernels + view_.foreign.size() > 0) {
      Note(fmt::format("kernels that this run used: {} are in the recorded cache, {} are not", view_.equal_kernels,
                       view_.foreign.size() + view_.kernels_left_out));
    }
  }

  const LookUpInput& input_;
  const RuleSet& rules_;
  const RecordedCache& recorded_;
  KeyBackends backends_;
  std::unique_ptr<CacheReading> run_reading_;
  RunView view_;
  CacheFindings out_;
  size_t proved_by_sizes_ = 0, size_candidates_ = 0;
};

}  // namespace

CacheFindings LookUp(const LookUpInput& input, const RuleSet& rules) {
  CacheFindings none;
  if (!input.run || !input.book || !input.book->cache()) {
    if (!input.run_cache.empty())
      none.notes.push_back("--run-cache is compared with the recorded cache: give --cache too");
    return none;
  }
  return LookUpRun(input, rules).Find();
}

}  // namespace autotune
