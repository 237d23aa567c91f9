#include "analyzer/verdict/blocks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <re2/re2.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "analyzer/base/text.h"
#include "analyzer/verdict/shapes.h"
#include "analyzer/verdict/values.h"

namespace autotune {
namespace {

using Problems = std::vector<const TunedProblem*>;

// Looking results up takes well under a millisecond each; timing one candidate takes more than this (seen: 0.18 s for
// two ATen candidates).
constexpr double kLookUpSeconds = 0.005;

void At(const Block& block, uint64_t line, Difference* difference) {
  difference->log_line = line;
  difference->log_source = block.source;
}

void Recorded(const Draft& draft, Difference* difference) {
  const Fact* fact = draft.FactOf(difference->setting);
  if (!fact) return;
  difference->manifest = fact->value;
  difference->manifest_line = fact->line;
}

// --- back ends ------------------------------------------------------------------------------------------------------

struct SeenBackend {
  const Block* block = nullptr;
  uint64_t line = 0;
  std::string row;
};

// Back ends of the rows that a setting governs, each with the first row that shows it.
std::map<std::string, SeenBackend> BackendsOf(const Problems& problems, const CauseRule& cause) {
  std::map<std::string, SeenBackend> seen;
  for (const TunedProblem* problem : problems) {
    if (!GovernsRowsOf(cause, problem->first.op)) continue;
    for (const Choice& choice : problem->first.choices)
      seen.try_emplace(choice.backend, SeenBackend{&problem->first, choice.line, choice.name});
  }
  return seen;
}

// Names that stand in a list of back ends; others come with one of these (a split-k graph with Triton) or with none.
bool IsListed(const std::string& backend) {
  static const std::set<std::string>& listed =
      *new std::set<std::string>{"ATEN", "TRITON", "CPP", "CUTLASS", "CK", "CKTILE", "NVGEMM", "CUTEDSL"};
  return listed.count(backend) > 0;
}

void AskBackends(const CauseRule& cause, const Problems& problems, Draft* draft) {
  const std::map<std::string, SeenBackend> seen = BackendsOf(problems, cause);
  const SettingRule* rule = draft->rules().Setting(cause.setting);
  const Fact* fact = draft->FactOf(cause.setting);
  if (!fact || !rule || seen.empty()) return;
  const std::string recorded = fact->not_set || IsNotSet(fact->value) ? rule->otherwise : fact->value;
  if (recorded.empty()) return;
  std::vector<std::string> names, added;
  const SeenBackend* first = nullptr;
  for (const auto& [backend, where] : seen) {
    if (!IsListed(backend)) continue;
    names.push_back(backend);
    if (!ChangeIs("added", recorded, backend)) continue;
    added.push_back(backend);
    if (!first || where.line < first->line) first = &where;
  }
  if (added.empty()) return;
  draft->NotEqual(cause.setting);
  Difference difference;
  difference.setting = cause.setting;
  difference.basis = Basis::kCandidateSet;
  difference.manifest = fact->value;
  difference.manifest_line = fact->line;
  difference.observed = fmt::format("{}", fmt::join(names, ","));
  At(*first->block, first->line, &difference);
  difference.why = fmt::format(
      "{} took part in tuning (row {} of {}), the cache was built with {}: its candidates are not in the cache, so "
      "every problem that has them is tuned again",
      fmt::join(added, " and "), first->row, ProblemText(*first->block), recorded);
  // Some ops fall back to ATen without being asked.
  if (added == std::vector<std::string>{"ATEN"}) difference.doubt = 0.8;
  draft->Suspect(std::move(difference));
}

// --- other traces in rows -------------------------------------------------------------------------------------------

// Candidates that only one switch brings: `triton_mm_persistent_tma_3`.
void AskRowNames(const CauseRule& cause, const Problems& problems, Draft* draft) {
  const SettingRule* rule = draft->rules().Setting(cause.setting);
  const RE2 pattern(cause.row_name);
  for (const TunedProblem* problem : problems) {
    for (const Choice& choice : problem->first.choices) {
      if (!RE2::FullMatch(choice.name, pattern)) continue;
      Fact none;
      none.not_set = true;
      const Fact* fact = draft->FactOf(cause.setting);
      if (rule &&
          CompareValues(*rule, fact ? *fact : none, cause.row_value, draft->rules()).relation != Relation::kDiffers) {
        return;
      }
      Difference difference;
      difference.setting = cause.setting;
      difference.basis = Basis::kCandidateSet;
      Recorded(*draft, &difference);
      difference.observed = cause.row_value;
      At(problem->first, choice.line, &difference);
      draft->NotEqual(cause.setting);
      draft->Suspect(std::move(difference));
      return;
    }
  }
}

// The default lists hold some twenty Triton candidates, the exhaustive ones more than nine hundred (torch 2.4 to 2.14).
constexpr int64_t kExhaustive = 200;

void AskSearchSpace(const Problems& problems, Draft* draft) {
  const std::string setting = "TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_SEARCH_SPACE";
  for (const TunedProblem* problem : problems) {
    const Block& block = problem->first;
    const std::optional<Product> product = AsProduct(block);
    const bool plain = std::all_of(block.choices.begin(), block.choices.end(), [](const Choice& choice) {
      return choice.backend == "ATEN" || choice.backend == "TRITON";
    });
    // Scaled products have some hundred configurations by default; other back ends' libraries have hundreds.
    if (!product || !plain || block.op.find("scaled") != std::string::npos) continue;
    const int64_t count = block.num_triton_choices.value_or(block.num_choices.value_or(0));
    if (count < kExhaustive) continue;
    const Fact* fact = draft->FactOf(setting);
    if (fact && !ChangeIs("added", fact->value, "EXHAUSTIVE")) return;
    Difference difference;
    difference.setting = setting;
    difference.basis = Basis::kCandidateSet;
    Recorded(*draft, &difference);
    difference.observed = fmt::format("EXHAUSTIVE ({} candidates)", count);
    At(block, block.line, &difference);
    difference.why = fmt::format(
        "{} had {} candidates; only the exhaustive search space is that large, and the cache was built without it",
        ProblemText(block), count);
    difference.confidence = fact ? 0.95 : 0.8;
    draft->Suspect(std::move(difference));
    return;
  }
}

// ALLOW_TF32=True is printed where float32 matmul precision is "high" or "medium" (torch 2.6 to 2.14). False proves
// "highest" only where nothing else forbids TF32: sizes that it cannot take (FORCE_SAME_PRECISION), from 2.14 on small
// problems.
void AskPrecision(const Problems& problems, Draft* draft) {
  const std::string setting = "float32_matmul_precision";
  const Fact* fact = draft->FactOf(setting);
  if (!fact || fact->not_set || draft->WasJudged(setting)) return;
  const bool recorded_highest = fact->value == "highest";
  for (const TunedProblem* problem : problems) {
    const std::optional<Product> product = AsProduct(problem->first);
    if (!product) continue;
    for (const Choice& choice : problem->first.choices) {
      const bool on = choice.description.find("ALLOW_TF32=True") != std::string::npos;
      const bool off = choice.description.find("ALLOW_TF32=False") != std::string::npos;
      const bool aligned = product->m % 16 == 0 && product->n % 16 == 0 && product->k % 8 == 0;
      const bool proves_off = off && aligned && InReleases(draft->torch(), "2.6", "2.13") && !draft->torch().empty();
      if (!(recorded_highest && on) && !(!recorded_highest && proves_off)) continue;
      Difference difference;
      difference.setting = setting;
      difference.basis = Basis::kCandidateSet;
      Recorded(*draft, &difference);
      difference.observed = on ? "high or medium (ALLOW_TF32=True)" : "highest (ALLOW_TF32=False)";
      if (off) difference.doubt = 0.75;
      At(problem->first, choice.line, &difference);
      draft->Suspect(std::move(difference));
      return;
    }
  }
}

// --- torch ----------------------------------------------------------------------------------------------------------

// ">=2.8", "2.6 - 2.7", "2.9", "<=2.5" -> [from, until]; open ends are empty.
std::pair<std::string, std::string> RangeOf(std::string_view text) {
  static const RE2& version = *new RE2(R"((\d+\.\d+))");
  re2::StringPiece rest = ToRe2(text);
  std::string a, b;
  if (!RE2::FindAndConsume(&rest, version, &a)) return {};
  if (RE2::FindAndConsume(&rest, version, &b)) return {a, b};
  if (text.find(">=") != std::string_view::npos) return {a, ""};
  if (text.find("<=") != std::string_view::npos) return {"", a};
  return {a, a};
}

void AskLayout(const Problems& problems, Draft* draft) {
  const Fact* fact = draft->FactOf("torch");
  if (!fact || fact->not_set || draft->WasJudged("torch") || TorchRelease(fact->value) == 0) return;
  for (const TunedProblem* problem : problems) {
    const auto [from, until] = RangeOf(problem->first.torch_range);
    if ((from.empty() && until.empty()) || InReleases(fact->value, from, until)) continue;
    Difference difference;
    difference.setting = "torch";
    difference.basis = Basis::kCandidateSet;
    Recorded(*draft, &difference);
    difference.observed = problem->first.torch_range;
    difference.confidence = 0.85;
    difference.why = fmt::format(
        "the layout of this table is that of torch {}, the cache was built with {}: kernels of "
        "another release have other sources, and so other keys",
        problem->first.torch_range, fact->value);
    At(problem->first, problem->first.line, &difference);
    draft->Suspect(std::move(difference));
    return;
  }
}

// --- shapes and dtypes ----------------------------------------------------------------------------------------------

bool IsPowerOfTwo(int64_t value) { return value > 0 && (value & (value - 1)) == 0; }

bool HasConvolution(const Problems& problems) {
  return std::any_of(problems.begin(), problems.end(),
                     [](const TunedProblem* problem) { return problem->first.op.starts_with("convolution"); });
}

void AskSequence(const Problems& problems, Draft* draft) {
  const std::string setting = "sequence_length";
  const Fact* fact = draft->FactOf(setting);
  if (!fact || fact->not_set || draft->WasJudged(setting)) return;
  const std::optional<int64_t> expected = FirstInteger(fact->value);
  if (!expected || *expected <= 1) return;
  const SequenceReading reading = ReadSequence(problems, *expected);
  if (reading.shows_expected) {
    draft->Equal(setting, fact->value, fact->line, reading.line);
    return;
  }
  Difference difference;
  difference.setting = setting;
  difference.basis = Basis::kShape;
  Recorded(*draft, &difference);
  if (reading.value) {
    if (!reading.certain) difference.doubt = 0.8;
    difference.observed = fmt::format("{}", *reading.value);
    difference.log_line = reading.line;
    difference.log_source = reading.source;
    difference.why =
        fmt::format("{} is attention over {} tokens, the cache was built for {}: shapes are part of the key",
                    reading.problem, *reading.value, *expected);
    draft->Suspect(std::move(difference));
    return;
  }
  // Tokens alone: rows of every product are batch x sequence, give or take the token that a language model's loss
  // drops.
  const std::vector<int64_t> rows = TokenRows(problems);
  const bool whole = std::any_of(rows.begin(), rows.end(), [&](int64_t row) {
    return row % *expected == 0 || (*expected > 2 && row % (*expected - 1) == 0);
  });
  // Fewer rows than a batch could have are no tokens: heads, experts; beside convolutions rows are pixels.
  if (rows.empty() || rows.front() < 64 || HasConvolution(problems)) return;
  if (whole) {
    // 1280 rows are 5 x 256 or 4 x 320: with a length that is a power of two, an odd batch is the less likely.
    const int64_t batch = rows.front() / *expected;
    if (rows.front() % *expected != 0 || !IsPowerOfTwo(*expected) || IsPowerOfTwo(batch)) return;
    difference.confidence = 0.3;
    difference.why = fmt::format("most products have {} rows: {} sequences of {} tokens, or fewer of another length",
                                 rows.front(), batch, *expected);
  } else {
    difference.confidence = rows.front() > *expected ? 0.6 : 0.4;
    difference.why = fmt::format(
        "no product has a multiple of {} rows (tokens are batch x sequence); most have {}, which is no batch of such "
        "sequences",
        *expected, rows.front());
  }
  difference.observed = fmt::format("{} rows", rows.front());
  for (const TunedProblem* problem : problems) {
    const std::optional<Product> product = AsProduct(problem->first);
    if (!product || product->batched || product->m != rows.front()) continue;
    At(problem->first, problem->first.line, &difference);
    break;
  }
  draft->Suspect(std::move(difference));
}

void AskBatch(const Problems& problems, Draft* draft) {
  const std::string setting = "batch_size";
  const Fact* fact = draft->FactOf(setting);
  if (!fact || fact->not_set || draft->WasJudged(setting)) return;
  const std::optional<int64_t> expected = FirstInteger(fact->value);
  const Fact* length = draft->FactOf("sequence_length");
  const std::vector<int64_t> rows = TokenRows(problems);
  if (!expected || *expected <= 0 || !length || length->not_set || rows.empty()) return;
  const int64_t sequence = FirstInteger(length->value).value_or(0);
  const SequenceReading reading = ReadSequence(problems, sequence);
  // Only where the sequence is known do rows tell the batch.
  if (sequence <= 0 || !reading.shows_expected) return;
  const bool whole = std::any_of(rows.begin(), rows.end(), [&](int64_t row) { return row == *expected * sequence; });
  if (whole) {
    draft->Equal(setting, fact->value, fact->line, reading.line);
    return;
  }
  if (rows.front() % sequence != 0) return;
  Difference difference;
  difference.setting = setting;
  difference.basis = Basis::kShape;
  Recorded(*draft, &difference);
  difference.observed = fmt::format("{}", rows.front() / sequence);
  difference.log_line = reading.line;
  difference.log_source = reading.source;
  difference.doubt = 0.85;
  draft->Suspect(std::move(difference));
}

bool IsCommonFloat(const std::string& dtype) {
  return dtype == "torch.float16" || dtype == "torch.bfloat16" || dtype == "torch.float32" || dtype == "torch.float64";
}

void AskDtypes(const Problems& problems, Draft* draft) {
  const std::string setting = "dtype";
  std::vector<std::string> recorded;
  const Fact* fact = nullptr;
  for (const Fact* row : draft->FactsOf(setting)) {
    const std::vector<std::string> dtypes = DtypesIn(row->value);
    if (!dtypes.empty() && !fact) fact = row;
    recorded.insert(recorded.end(), dtypes.begin(), dtypes.end());
  }
  if (!fact || draft->WasJudged(setting)) return;
  std::map<std::string, std::pair<size_t, const Block*>> seen;
  for (const TunedProblem* problem : problems) {
    if (!problem->first.dtypes) continue;
    for (const std::string& dtype : *problem->first.dtypes) {
      if (!IsCommonFloat(dtype)) continue;
      auto& [count, block] = seen[dtype];
      ++count;
      if (!block) block = &problem->first;
    }
  }
  if (seen.empty()) return;
  const auto most = std::max_element(seen.begin(), seen.end(),
                                     [](const auto& a, const auto& b) { return a.second.first < b.second.first; });
  for (const std::string& dtype : recorded) {
    if (!seen.count(dtype)) continue;
    draft->Equal(setting, dtype, fact->line, seen[dtype].second->line);
    return;
  }
  Difference difference;
  difference.setting = setting;
  difference.basis = Basis::kShape;
  difference.manifest = fact->value;
  difference.manifest_line = fact->line;
  difference.observed = most->first;
  At(*most->second.second, most->second.second->line, &difference);
  // Weights in float32 are computed with in less under autocast, and manifests record weights.
  const bool autocast =
      std::find(recorded.begin(), recorded.end(), "torch.float32") != recorded.end() && most->first != "torch.float64";
  if (autocast) difference.confidence = 0.6;
  draft->Suspect(std::move(difference));
}

// A device index is in every kernel's source: ranks beyond those of the build have keys of their own.
void AskRanks(const Problems& problems, Draft* draft) {
  const std::string setting = "world_size";
  const Fact* fact = draft->FactOf(setting);
  const std::optional<int64_t> built = fact && !fact->not_set ? FirstInteger(fact->value) : std::nullopt;
  if (!built) return;
  const Block* first = nullptr;
  bool all_beyond = !problems.empty();
  int64_t highest = 0;
  for (const TunedProblem* problem : problems) {
    const std::optional<int64_t> rank = problem->first.labels.rank;
    all_beyond = all_beyond && rank && *rank >= *built;
    if (!rank) continue;
    highest = std::max(highest, *rank);
    if (!first) first = &problem->first;
  }
  if (!all_beyond || !first) return;
  Difference difference;
  difference.setting = setting;
  difference.basis = Basis::kObserved;
  Recorded(*draft, &difference);
  difference.observed = fmt::format("{} or more (rank {} tuned)", highest + 1, highest);
  difference.confidence = 0.8;
  At(*first, first->line, &difference);
  difference.why = fmt::format(
      "only ranks that the build with {} card(s) did not have tuned: a card's index is in every kernel's source, so "
      "those ranks have keys of their own",
      *built);
  draft->NotEqual(setting);
  draft->Suspect(std::move(difference));
}

// --- gates ----------------------------------------------------------------------------------------------------------

// Back ends that were asked for and are missing. That alone never tunes (what is left is a subset), but a gate that the
// recorded card would have passed says that this is another card.
void AskGates(Draft* draft) {
  for (const StatedValue& stated : draft->run().stated) {
    if (stated.setting == "missing_backend") {
      draft->Note(fmt::format("line {}: {}; that back end's candidates are missing, which by itself tunes nothing",
                              stated.first_line, stated.value));
    }
    if (stated.setting != "gate") continue;
    draft->Note(fmt::format("line {}: {}; no Triton candidates on this device", stated.first_line, stated.value));
    const Fact* fact = draft->FactOf("gpu");
    if (!fact || fact->not_set || draft->WasJudged("gpu")) continue;
    const std::string recorded = draft->ValueOf("TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS").value_or("TRITON");
    if (ChangeIs("added", recorded, "TRITON")) continue;
    Difference difference;
    difference.setting = "gpu";
    Recorded(*draft, &difference);
    difference.observed = stated.value;
    difference.log_line = stated.first_line;
    difference.log_source = stated.source;
    difference.confidence = 0.6;
    difference.why =
        fmt::format("torch found this card too small for Triton templates ({}), which it would not say on {}",
                    stated.value, fact->value);
    draft->Suspect(std::move(difference));
  }
}

// "Hardware limit: 232448" is the shared memory that a block may use: a property of the card.
void AskSharedMemory(Draft* draft) {
  const Fact* fact = draft->FactOf("gpu");
  if (!fact || fact->not_set || draft->WasJudged("gpu")) return;
  const DeviceRule* device = DeviceOfName(draft->rules().devices, fact->value);
  if (!device || device->shared_memory == 0) return;
  for (const StatedValue& stated : draft->run().stated) {
    const std::optional<int64_t> limit = FirstInteger(stated.value);
    if (stated.setting != "shared_memory_limit" || !limit || *limit == device->shared_memory) continue;
    Difference difference;
    difference.setting = "gpu";
    Recorded(*draft, &difference);
    difference.observed = fmt::format("a card with {} bytes of shared memory", *limit);
    difference.log_line = stated.first_line;
    difference.log_source = stated.source;
    difference.confidence = 0.85;
    difference.why =
        fmt::format("a block may use {} bytes of shared memory here; {}, on which the cache was built, has {}", *limit,
                    fact->value, device->shared_memory);
    draft->Suspect(std::move(difference));
    return;
  }
}

}  // namespace

bool GovernsRowsOf(const CauseRule& cause, std::string_view op) {
  return std::find(cause.row_ops.begin(), cause.row_ops.end(), op) != cause.row_ops.end();
}

bool OnlyLooksUp(uint64_t blocks, bool unsure, double benchmark_seconds, double precompile_seconds) {
  const double count = static_cast<double>(std::max<uint64_t>(blocks, 1));
  return !unsure && benchmark_seconds / count < kLookUpSeconds && precompile_seconds / count < kLookUpSeconds;
}

bool IsCachedPrintout(const TunedProblem& problem) {
  const Block& block = problem.first;
  return OnlyLooksUp(problem.blocks, block.stats_line || !block.benchmark_seconds, problem.benchmark_seconds,
                     problem.precompile_seconds);
}

std::vector<const TunedProblem*> TimedProblems(const Run& run) {
  std::vector<const TunedProblem*> timed;
  for (const TunedProblem& problem : run.problems) {
    if (!IsCachedPrintout(problem)) timed.push_back(&problem);
  }
  return timed;
}

void AskBlocks(Draft* draft) {
  const Problems problems = TimedProblems(draft->run());
  for (const CauseRule& cause : draft->rules().causes) {
    if (!cause.row_ops.empty() && InReleases(draft->torch(), cause.from, cause.until))
      AskBackends(cause, problems, draft);
    if (!cause.row_name.empty()) AskRowNames(cause, problems, draft);
  }
  AskSearchSpace(problems, draft);
  AskPrecision(problems, draft);
  AskLayout(problems, draft);
  AskSequence(problems, draft);
  AskBatch(problems, draft);
  AskDtypes(problems, draft);
  AskRanks(problems, draft);
  AskGates(draft);
  AskSharedMemory(draft);
}

}  // namespace autotune
