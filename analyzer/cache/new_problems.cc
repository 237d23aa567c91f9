#include "analyzer/cache/new_problems.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

namespace autotune {
namespace {

std::optional<NearestProblem> Compare(const RecordedProblem& recorded, const Block& block, int64_t* cost) {
  std::optional<std::vector<InputKey>> inputs = ParseInputsKey(recorded.inputs);
  if (!inputs || inputs->size() != block.shapes.size()) return std::nullopt;
  NearestProblem out;
  out.recorded = &recorded;
  out.same_dtypes = out.same_strides = true;
  *cost = 0;
  for (size_t i = 0; i < inputs->size(); ++i) {
    const InputKey& input = (*inputs)[i];
    std::optional<std::vector<int64_t>> sizes = ShapeNumbers(block.shapes[i]);
    if (!sizes || sizes->size() != input.sizes.size()) return std::nullopt;
    for (size_t d = 0; d < sizes->size(); ++d) {
      if ((*sizes)[d] == input.sizes[d]) continue;
      out.changed.emplace_back(input.sizes[d], (*sizes)[d]);
      out.rows_changed = out.rows_changed || i + 1 < inputs->size() || d + 1 < sizes->size();
    }
    if (block.dtypes && i < block.dtypes->size())
      out.same_dtypes = out.same_dtypes && (*block.dtypes)[i] == input.dtype;
  }
  if (std::optional<std::vector<InputKey>> printed = PrintedInputs(block, "")) {
    for (size_t i = 0; i < inputs->size(); ++i) {
      out.same_strides = out.same_strides && (*printed)[i].strides == (*inputs)[i].strides;
    }
  }
  out.same_sizes = out.changed.empty();
  *cost = static_cast<int64_t>(out.changed.size()) * 10 + (out.same_dtypes ? 0 : 5) +
          (out.same_strides || !out.same_sizes ? 0 : 1);
  out.inputs = *std::move(inputs);
  return out;
}

}  // namespace

std::optional<NearestProblem> FindNearest(const RecordedCache& cache, const Block& block) {
  std::optional<NearestProblem> best;
  int64_t best_cost = 0;
  for (const RecordedProblem& recorded : cache.problems) {
    if (recorded.op != block.op) continue;
    int64_t cost = 0;
    std::optional<NearestProblem> candidate = Compare(recorded, block, &cost);
    if (!candidate || (best && cost >= best_cost)) continue;
    best = std::move(candidate);
    best_cost = cost;
  }
  return best;
}

std::string DescribeDifference(const NearestProblem& nearest, const Block& block) {
  std::vector<std::string> parts;
  if (!nearest.changed.empty()) {
    std::vector<std::string> changes;
    for (const auto& [before, after] : nearest.changed) {
      std::string change = fmt::format("{} -> {}", before, after);
      if (std::find(changes.begin(), changes.end(), change) == changes.end()) changes.push_back(std::move(change));
    }
    parts.push_back(fmt::format("sizes {}", fmt::join(changes, ", ")));
  }
  if (!nearest.same_dtypes && block.dtypes) {
    for (size_t i = 0; i < nearest.inputs.size() && i < block.dtypes->size(); ++i) {
      if (nearest.inputs[i].dtype == (*block.dtypes)[i]) continue;
      parts.push_back(fmt::format("dtype {} -> {}", nearest.inputs[i].dtype, (*block.dtypes)[i]));
      break;
    }
  }
  if (nearest.same_sizes && !nearest.same_strides && block.strides) {
    for (size_t i = 0; i < nearest.inputs.size() && i < block.strides->size(); ++i) {
      std::string before = fmt::format("[{}]", fmt::join(nearest.inputs[i].strides, ", "));
      std::string after = fmt::format("[{}]", fmt::join((*block.strides)[i], ", "));
      if (before != after) parts.push_back(fmt::format("strides of input {} {} -> {}", i, before, after));
    }
  }
  return parts.empty() ? "nothing that the block prints" : fmt::format("{}", fmt::join(parts, "; "));
}

NewProblemsCause ExplainNewProblems(const std::vector<const Block*>& blocks,
                                    const std::vector<std::optional<NearestProblem>>& nearest) {
  NewProblemsCause out;
  bool dtype = true, scaled = true, rows = false;
  std::set<std::pair<int64_t, int64_t>> changes;
  for (size_t i = 0; i < blocks.size(); ++i) {
    if (!nearest[i]) return out;  // an op that the recorded run never had
    const NearestProblem& near = *nearest[i];
    dtype = dtype && near.same_sizes && !near.same_dtypes;
    scaled = scaled && near.same_dtypes && !near.changed.empty();
    rows = rows || near.rows_changed;
    changes.insert(near.changed.begin(), near.changed.end());
    if (!near.same_dtypes && out.after.empty() && blocks[i]->dtypes && !blocks[i]->dtypes->empty()) {
      for (size_t k = 0; k < near.inputs.size() && k < blocks[i]->dtypes->size(); ++k) {
        if (near.inputs[k].dtype == (*blocks[i]->dtypes)[k]) continue;
        out.before = near.inputs[k].dtype;
        out.after = (*blocks[i]->dtypes)[k];
        break;
      }
    }
  }
  if (dtype && !blocks.empty()) {
    out.kind = NewProblemsCause::Kind::kDtype;
    return out;
  }
  out.before.clear();
  out.after.clear();
  // One change of the input scales every size that hangs on it alike: 1024 -> 1280 (4 x 256 -> 4 x 320) and 256 -> 320.
  // A layer of another width changes the last size of a weight alone.
  if (!scaled || !rows || changes.empty()) return out;
  bool first = true;
  for (const auto& [before, after] : changes) {
    int64_t divisor = std::gcd(before, after);
    if (divisor == 0) return out;
    std::pair<int64_t, int64_t> ratio = {before / divisor, after / divisor};
    if (first) {
      std::tie(out.scale_before, out.scale_after) = ratio;
      first = false;
    } else if (ratio != std::make_pair(out.scale_before, out.scale_after)) {
      return out;
    }
  }
  out.kind = NewProblemsCause::Kind::kScaled;
  out.changed.assign(changes.begin(), changes.end());
  return out;
}

}  // namespace autotune
