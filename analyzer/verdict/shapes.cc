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

// Attention's products have the sequence twice: q k^T is S x S from heads of size D, p v is S x D from S x S. Linear
// attention has it between: k^T v is D x D over S, with the left matrix transposed.
std::optional<int64_t> SequenceOf(const Product& product) {
  if (product.m == product.n && product.left_transposed == true && product.right_transposed == false) return product.k;
  if (product.m == product.n || product.m == product.k) return product.m;
  return std::nullopt;
}

// Whether the last two strides are those of a transposed matrix: [65536, 1, 256].
std::optional<bool> Transposed(const Block& block, size_t input) {
  if (!block.strides || input >= block.strides->size()) return std::nullopt;
  const std::vector<std::string>& strides = (*block.strides)[input];
  if (strides.size() < 2) return std::nullopt;
  return strides[strides.size() - 2] == "1" && strides.back() != "1";
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
  if (reading->shows_expected || (reading->value && !expected_here)) return;
  reading->value = expected_here ? expected : length;
  reading->shows_expected = expected_here;
  reading->certain = true;
  reading->line = block.line;
  reading->source = block.source;
  reading->problem = ProblemText(block);
}

struct ReadProblem {
  const TunedProblem* problem;
  std::optional<Product> product;
};

std::vector<ReadProblem> ReadProducts(const std::vector<const TunedProblem*>& problems) {
  std::vector<ReadProblem> read;
  for (const TunedProblem* problem : problems) read.push_back({problem, AsProduct(problem->first)});
  return read;
}

// Q (K^T V), the other product of linear attention: S x D from D x D.
bool HasLinearAttention(const std::vector<ReadProblem>& problems, int64_t sequence, int64_t head) {
  return std::any_of(problems.begin(), problems.end(), [&](const ReadProblem& one) {
    return one.product && one.product->batched && one.product->m == sequence && one.product->n == head &&
           one.product->k == head;
  });
}

void ReadBatched(const TunedProblem& problem, const Product& product, int64_t expected,
                 const std::vector<ReadProblem>& problems, const std::vector<int64_t>& rows, SequenceReading* reading) {
  const std::optional<int64_t> sequence = SequenceOf(product);
  if (!sequence || !FitsTokens(product, *sequence, rows)) return;
  const bool is_expected = expected > 0 && *sequence == expected;
  if (reading->shows_expected || (reading->value && !is_expected)) return;
  reading->shows_expected = is_expected;
  // Without strides k^T v looks like q k^T.
  const bool open =
      !is_expected && !product.left_transposed && product.k == expected && FitsTokens(product, expected, rows);
  if (open && HasLinearAttention(problems, expected, *sequence)) return;
  reading->certain = !open;
  reading->value = *sequence;
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
  std::optional<Product> product;
  if (a.size() == 2 && b.size() == 2 && a[1] == b[0])
    product = Product{1, a[0], b[1], a[1], false, std::nullopt, std::nullopt};
  if (a.size() == 3 && b.size() == 3 && a[0] == b[0] && a[2] == b[1])
    product = Product{a[0], a[1], b[2], a[2], true, std::nullopt, std::nullopt};
  if (product) {
    product->left_transposed = Transposed(block, left);
    product->right_transposed = Transposed(block, left + 1);
  }
  return product;
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
  const std::vector<ReadProblem> read = ReadProducts(problems);
  SequenceReading reading;
  for (const ReadProblem& one : read) {
    if (IsAttention(one.problem->first.op)) {
      ReadAttention(*one.problem, expected, &reading);
    } else if (one.product && one.product->batched) {
      ReadBatched(*one.problem, *one.product, expected, read, rows, &reading);
    }
  }
  return reading;
}

std::string ProblemText(const Block& block) { return fmt::format("{}({})", block.op, fmt::join(block.shapes, ", ")); }

}  // namespace autotune
