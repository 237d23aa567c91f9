#include "analyzer/verdict/new_problems.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <tuple>
#include <utility>

#include "analyzer/verdict/shapes.h"

namespace autotune {
namespace {

// A run that tunes every size it meets has thousands; the first ones say what changed.
constexpr size_t kMostRead = 200;

using Move = std::pair<int64_t, int64_t>;  // a size before and now

// What two problems of one op and as many inputs differ in.
struct Distance {
  size_t sizes = 0;  // how many sizes moved
  bool strides = false, dtypes = false;
  std::vector<Move> rows, batch, inner, other;  // moved sizes by their part in the product
  size_t all_sizes = 0;

  size_t cost() const { return 4 * sizes + strides + dtypes; }
};

bool IsSymbol(const std::string& stride) {
  return std::any_of(stride.begin(), stride.end(), [](unsigned char c) { return std::isalpha(c); });
}

bool HasSymbols(const Block& block) {
  if (!block.strides) return false;
  return std::any_of(block.strides->begin(), block.strides->end(),
                     [](const std::vector<std::string>& one) { return std::any_of(one.begin(), one.end(), IsSymbol); });
}

// Strides that follow from the sizes (a plain or transposed matrix) move with them; only their order says more.
std::vector<size_t> StrideOrder(const std::vector<std::string>& strides) {
  std::vector<size_t> order;
  for (size_t i = 0; i < strides.size(); ++i) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    const std::string &x = strides[a], &y = strides[b];
    return x.size() != y.size() ? x.size() > y.size() : x > y;
  });
  return order;
}

bool StridesDiffer(const Block& a, const Block& b) {
  if (!a.strides || !b.strides || a.strides->size() != b.strides->size()) return false;
  for (size_t i = 0; i < a.strides->size(); ++i) {
    const std::vector<std::string>&x = (*a.strides)[i], &y = (*b.strides)[i];
    const bool broadcast = std::count(x.begin(), x.end(), "0") != std::count(y.begin(), y.end(), "0");
    if (x.size() != y.size() || broadcast || StrideOrder(x) != StrideOrder(y)) return true;
  }
  return false;
}

// In which part of a product a size stands: input i, dimension d.
std::vector<Move>* Part(const Block& block, size_t input, size_t dimension, Distance* distance) {
  if (IsAttention(block.op)) {
    if (dimension == 0) return &distance->batch;
    return dimension == 2 ? &distance->inner : &distance->other;
  }
  if (block.op == "convolution" && input == 0) {
    if (dimension == 0) return &distance->batch;
    return dimension >= 2 ? &distance->rows : &distance->other;
  }
  const std::optional<Product> product = AsProduct(block);
  if (!product) return &distance->other;
  if (product->batched) return dimension == 0 ? &distance->batch : &distance->inner;
  const size_t left = block.op == "addmm" ? 1 : 0;
  const bool rows = dimension == 0 && input <= left;  // of the left matrix, and of the bias spread over them
  return rows ? &distance->rows : &distance->other;
}

std::optional<Distance> Between(const Block& old_block, const Block& block) {
  if (old_block.op != block.op || old_block.shapes.size() != block.shapes.size()) return std::nullopt;
  Distance distance;
  for (size_t i = 0; i < block.shapes.size(); ++i) {
    const std::vector<int64_t> before = ParseShape(old_block.shapes[i]), now = ParseShape(block.shapes[i]);
    if (before.size() != now.size()) return std::nullopt;
    distance.all_sizes += now.size();
    for (size_t d = 0; d < now.size(); ++d) {
      if (before[d] == now[d]) continue;
      ++distance.sizes;
      Part(block, i, d, &distance)->emplace_back(before[d], now[d]);
    }
  }
  distance.strides = StridesDiffer(old_block, block);
  distance.dtypes = old_block.dtypes && block.dtypes && *old_block.dtypes != *block.dtypes;
  return distance;
}

struct Nearest {
  const TunedProblem* problem = nullptr;
  const TunedProblem* old_problem = nullptr;
  Distance distance;
};

Nearest FindNearest(const TunedProblem& problem, const std::vector<const TunedProblem*>& olds) {
  Nearest nearest;
  nearest.problem = &problem;
  for (const TunedProblem* old_problem : olds) {
    std::optional<Distance> distance = Between(old_problem->first, problem.first);
    if (!distance || (nearest.old_problem && distance->cost() >= nearest.distance.cost())) continue;
    nearest.old_problem = old_problem;
    nearest.distance = *std::move(distance);
  }
  return nearest;
}

// All moves stretch by one factor, that of the first.
bool OneFactor(const std::vector<Move>& moves) {
  return std::all_of(moves.begin(), moves.end(), [&](const Move& move) {
    return move.first * moves.front().second == move.second * moves.front().first;
  });
}

bool AllAre(const std::vector<Nearest>& news, bool (*holds)(const Nearest&)) {
  return std::all_of(news.begin(), news.end(), holds);
}

void Show(const Nearest& nearest, NewProblemsReading* reading) {
  reading->example = nearest.problem;
  reading->nearest = nearest.old_problem;
}

// Sizes of the inputs moved, and nothing else: rows (tokens), attention (sequence), or the batch.
bool ReadMovedSize(const std::vector<Nearest>& news, NewProblemsReading* reading) {
  std::vector<Move> all;
  std::set<Move> rows;
  for (const Nearest& one : news) {
    const Distance& distance = one.distance;
    if (!one.old_problem || distance.strides) return false;
    rows.insert(distance.rows.begin(), distance.rows.end());
    for (const auto* part : {&distance.rows, &distance.batch, &distance.inner})
      all.insert(all.end(), part->begin(), part->end());
  }
  // A gradient of a weight sums over tokens: there they are an inner size.
  for (const Nearest& one : news) {
    for (const Move& move : one.distance.other) {
      if (!rows.count(move)) return false;
    }
  }
  if (all.empty()) return false;
  const auto take = [&](NewProblems kind, std::vector<Move> Distance::*part) {
    for (const Nearest& one : news) {
      if ((one.distance.*part).empty()) continue;
      reading->kind = kind;
      std::tie(reading->from, reading->to) = (one.distance.*part).front();
      Show(one, reading);
      return true;
    }
    return false;
  };
  // Several factors are several inputs that changed, or sizes that a convolution rounds: then it is some size.
  if (OneFactor(all)) {
    return take(NewProblems::kSequence, &Distance::inner) || take(NewProblems::kBatch, &Distance::batch) ||
           take(NewProblems::kTokens, &Distance::rows);
  }
  return take(NewProblems::kTokens, &Distance::rows) || take(NewProblems::kTokens, &Distance::inner) ||
         take(NewProblems::kTokens, &Distance::batch);
}

bool ReadDtype(const std::vector<Nearest>& news, NewProblemsReading* reading) {
  if (!AllAre(news, [](const Nearest& one) {
        return one.old_problem != nullptr && one.distance.sizes == 0 && !one.distance.strides && one.distance.dtypes;
      }))
    return false;
  reading->kind = NewProblems::kDtype;
  Show(news.front(), reading);
  const std::vector<std::string>&before = *reading->nearest->first.dtypes, &now = *reading->example->first.dtypes;
  for (size_t i = 0; i < std::min(before.size(), now.size()); ++i) {
    if (before[i] == now[i]) continue;
    reading->old_dtype = before[i];
    reading->dtype = now[i];
    break;
  }
  return true;
}

bool ReadDynamic(const std::vector<Nearest>& news, NewProblemsReading* reading) {
  if (!AllAre(news, [](const Nearest& one) {
        return one.old_problem != nullptr && HasSymbols(one.problem->first) != HasSymbols(one.old_problem->first);
      }))
    return false;
  reading->kind = NewProblems::kDynamic;
  Show(news.front(), reading);
  return true;
}

}  // namespace

bool SameProblem(const Block& a, const Block& b) {
  return a.op == b.op && a.shapes == b.shapes && (!a.strides || !b.strides || *a.strides == *b.strides) &&
         (!a.dtypes || !b.dtypes || *a.dtypes == *b.dtypes);
}

NewProblemsReading ReadNewProblems(const std::vector<const TunedProblem*>& news,
                                   const std::vector<const TunedProblem*>& olds) {
  std::vector<Nearest> nearest;
  for (const TunedProblem* problem : news) {
    if (nearest.size() == kMostRead) break;
    nearest.push_back(FindNearest(*problem, olds));
  }
  NewProblemsReading reading;
  if (ReadDynamic(nearest, &reading) || ReadDtype(nearest, &reading) || ReadMovedSize(nearest, &reading))
    return reading;
  reading.kind = NewProblems::kModel;
  // The most telling one: nothing like it was tuned, else the farthest.
  const auto farthest = std::max_element(nearest.begin(), nearest.end(), [](const Nearest& a, const Nearest& b) {
    return (a.old_problem ? a.distance.cost() : 1000) < (b.old_problem ? b.distance.cost() : 1000);
  });
  Show(*farthest, &reading);
  return reading;
}

}  // namespace autotune
