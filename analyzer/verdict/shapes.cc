#include "analyzer/verdict/shapes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>

namespace autotune {
namespace {

// The input that is the left matrix: behind the bias where there is one.
size_t LeftInput(std::string_view op) { return op == "addmm" || op == "baddbmm" || op == "bias_addmm" ? 1 : 0; }

// Heads are batched with samples: batch = samples x heads and rows = samples x sequence, so a size is a possible
// sequence only if batch x size is a multiple of the rows, and the rows are one of the size.
bool FitsTokens(const Product& product, int64_t size, const std::vector<int64_t>& rows) {
  if (rows.empty()) return true;
  return std::any_of(rows.begin(), rows.end(), [&](int64_t row) {
    return row > 0 && size > 0 && product.batch * size % row == 0 && row % size == 0;
  });
}

// Attention's products have the sequence twice: q k^T is S x S from heads of size D, p v is S x D from S x S.
std::optional<int64_t> Square(const Product& product) {
  if (product.m == product.n || product.m == product.k) return product.m;
  return std::nullopt;
}

void ReadAttention(const TunedProblem& problem, int64_t expected, SequenceReading* reading) {
  const Block& block = problem.first;
  if (block.shapes.size() < 2) return;
  const std::vector<int64_t> q = ParseShape(block.shapes[0]), k = ParseShape(block.shapes[1]);
  if (q.size() != 4 || k.size() != 4) return;
  // Decoding asks with one new token; the sequence is what was said before.
  const bool decoding = block.op.find("decoding") != std::string::npos;
  const int64_t length = decoding ? k[2] : q[2];
  const bool expected_here = expected > 0 && (length == expected || k[2] == expected);
  if (reading->value && !expected_here) return;
  reading->value = expected_here ? expected : length;
  reading->shows_expected = reading->shows_expected || expected_here;
  reading->fits_expected = reading->fits_expected || expected_here;
  reading->line = block.line;
  reading->source = block.source;
  reading->problem = ProblemText(block);
}

void ReadBatched(const TunedProblem& problem, const Product& product, int64_t expected,
                 const std::vector<int64_t>& rows, SequenceReading* reading) {
  const std::optional<int64_t> square = Square(product);
  if (!square || !FitsTokens(product, *square, rows)) return;
  const bool is_expected = expected > 0 && *square == expected;
  // K^T V of linear attention is square in the head's size, with the sequence between: then nothing is certain.
  const bool may_be = expected > 0 && !is_expected && (product.n == expected || product.k == expected) &&
                      FitsTokens(product, expected, rows);
  reading->fits_expected = reading->fits_expected || is_expected || may_be;
  reading->shows_expected = reading->shows_expected || is_expected;
  if (may_be || (reading->value && !is_expected)) return;
  reading->value = *square;
  reading->line = problem.first.line;
  reading->source = problem.first.source;
  reading->problem = ProblemText(problem.first);
}

}  // namespace

std::vector<int64_t> ParseShape(std::string_view shape) {
  std::vector<int64_t> sizes;
  while (!shape.empty()) {
    int64_t size = 0;
    const auto [end, error] = std::from_chars(shape.data(), shape.data() + shape.size(), size);
    if (error != std::errc()) return {};
    sizes.push_back(size);
    const size_t used = static_cast<size_t>(end - shape.data());
    if (used == shape.size()) break;
    if (shape[used] != 'x') return {};
    shape.remove_prefix(used + 1);
  }
  return sizes;
}

std::optional<Product> AsProduct(const Block& block) {
  const size_t left = LeftInput(block.op);
  if (block.shapes.size() < left + 2 || IsAttention(block.op)) return std::nullopt;
  const std::vector<int64_t> a = ParseShape(block.shapes[left]), b = ParseShape(block.shapes[left + 1]);
  if (a.size() == 2 && b.size() == 2 && a[1] == b[0]) return Product{1, a[0], b[1], a[1], false};
  if (a.size() == 3 && b.size() == 3 && a[0] == b[0] && a[2] == b[1]) return Product{a[0], a[1], b[2], a[2], true};
  return std::nullopt;
}

bool IsAttention(std::string_view op) { return op.starts_with("flex_"); }

std::vector<int64_t> TokenRows(const std::vector<const TunedProblem*>& problems) {
  std::map<int64_t, size_t> counts;
  for (const TunedProblem* problem : problems) {
    const std::optional<Product> product = AsProduct(problem->first);
    if (product && !product->batched) ++counts[product->m];
  }
  std::vector<int64_t> rows;
  for (const auto& [row, count] : counts) rows.push_back(row);
  std::stable_sort(rows.begin(), rows.end(), [&](int64_t a, int64_t b) { return counts[a] > counts[b]; });
  return rows;
}

SequenceReading ReadSequence(const std::vector<const TunedProblem*>& problems, int64_t expected) {
  const std::vector<int64_t> rows = TokenRows(problems);
  SequenceReading reading;
  for (const TunedProblem* problem : problems) {
    if (IsAttention(problem->first.op)) {
      ReadAttention(*problem, expected, &reading);
      continue;
    }
    const std::optional<Product> product = AsProduct(problem->first);
    if (product && product->batched) ReadBatched(*problem, *product, expected, rows, &reading);
  }
  return reading;
}

std::string ProblemText(const Block& block) { return fmt::format("{}({})", block.op, fmt::join(block.shapes, ", ")); }

}  // namespace autotune
