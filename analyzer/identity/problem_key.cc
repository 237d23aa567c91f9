#include "analyzer/identity/problem_key.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "analyzer/identity/code_key.h"
#include "analyzer/identity/pickle_key.h"

namespace autotune {
namespace {

bool ParseNumber(std::string_view text, int64_t* value) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
  return error == std::errc() && end == text.data() + text.size();
}

std::optional<std::vector<int64_t>> Numbers(const std::vector<std::string>& texts) {
  std::vector<int64_t> out(texts.size());
  for (size_t i = 0; i < texts.size(); ++i) {
    if (!ParseNumber(texts[i], &out[i])) return std::nullopt;  // "s0": a dynamic dimension
  }
  return out;
}

std::optional<InputKey> DecodeInput(const PyValue& tuple) {
  const std::vector<PyValue>& items = tuple.items;
  if (tuple.kind != PyValue::Kind::kTuple || items.size() < 3 || items.size() % 2 == 0) return std::nullopt;
  if (items[0].kind != PyValue::Kind::kStr || items[1].kind != PyValue::Kind::kStr) return std::nullopt;
  InputKey out;
  out.device = items[0].text;
  out.dtype = items[1].text;
  size_t rank = (items.size() - 3) / 2;
  for (size_t i = 2; i < items.size(); ++i) {
    if (items[i].kind != PyValue::Kind::kInt) return std::nullopt;
    if (i < 2 + rank) {
      out.sizes.push_back(items[i].integer);
    } else if (i < 2 + 2 * rank) {
      out.strides.push_back(items[i].integer);
    } else {
      out.offset = items[i].integer;
    }
  }
  return out;
}

std::string JoinShape(const std::vector<int64_t>& sizes) {
  std::string out;
  for (size_t i = 0; i < sizes.size(); ++i) out += fmt::format("{}{}", i > 0 ? "x" : "", sizes[i]);
  return out;
}

}  // namespace

std::string InputsKey(const std::vector<InputKey>& inputs) {
  std::string out = "[";
  for (size_t i = 0; i < inputs.size(); ++i) {
    const InputKey& input = inputs[i];
    out += fmt::format("{}({}, {}", i > 0 ? ", " : "", PythonRepr(input.device), PythonRepr(input.dtype));
    for (int64_t size : input.sizes) out += fmt::format(", {}", size);
    for (int64_t stride : input.strides) out += fmt::format(", {}", stride);
    out += fmt::format(", {})", input.offset);
  }
  return out + "]";
}

std::optional<std::vector<InputKey>> ParseInputsKey(std::string_view text) {
  size_t close = text.rfind(']');
  if (close == std::string_view::npos) return std::nullopt;
  std::string_view hint = text.substr(close + 1);
  if (!hint.empty() && hint[0] != '_') return std::nullopt;
  std::optional<PyValue> list = ParsePyLiteral(text.substr(0, close + 1));
  if (!list || list->kind != PyValue::Kind::kList) return std::nullopt;
  std::vector<InputKey> out;
  for (const PyValue& item : list->items) {
    std::optional<InputKey> input = DecodeInput(item);
    if (!input) return std::nullopt;
    out.push_back(*std::move(input));
  }
  return out;
}

std::string PrintedShapes(const std::vector<InputKey>& inputs) {
  std::string out;
  for (size_t i = 0; i < inputs.size(); ++i) out += (i > 0 ? ", " : "") + JoinShape(inputs[i].sizes);
  return out;
}

std::string PrintedShapes(const std::vector<std::string>& shapes) {
  std::string out;
  for (size_t i = 0; i < shapes.size(); ++i) out += (i > 0 ? ", " : "") + shapes[i];
  return out;
}

std::optional<std::vector<int64_t>> ShapeNumbers(std::string_view shape) {
  std::vector<int64_t> out;
  while (!shape.empty()) {
    size_t x = shape.find('x');
    int64_t value = 0;
    if (!ParseNumber(shape.substr(0, x), &value)) return std::nullopt;
    out.push_back(value);
    if (x == std::string_view::npos) break;
    shape.remove_prefix(x + 1);
    if (shape.empty()) return std::nullopt;
  }
  return out;
}

std::string DtypeName(std::string_view spelled) {
  // torch.dtype's own names and their short forms; what Python prints is always the first of a pair.
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 22> kNames = {{
      {"bfloat16", "bf16"},
      {"float16", "fp16"},
      {"float32", "fp32"},
      {"float64", "fp64"},
      {"float16", "half"},
      {"float32", "float"},
      {"float64", "double"},
      {"int8", "i8"},
      {"uint8", "u8"},
      {"int16", "short"},
      {"int32", "int"},
      {"int64", "long"},
      {"bool", "b1"},
      {"complex64", "c64"},
      {"complex128", "c128"},
      {"float8_e4m3fn", "e4m3"},
      {"float8_e5m2", "e5m2"},
      {"uint16", "u16"},
      {"uint32", "u32"},
      {"uint64", "u64"},
      {"float8_e4m3fnuz", "e4m3fnuz"},
      {"float8_e5m2fnuz", "e5m2fnuz"},
  }};
  std::string_view name = spelled.substr(0, 6) == "torch." ? spelled.substr(6) : spelled;
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); });
  for (const auto& [full, brief] : kNames) {
    if (lower == full || lower == brief) return "torch." + std::string(full);
  }
  return "";
}

std::optional<std::vector<InputKey>> PrintedInputs(const Block& block, std::string_view device) {
  size_t n = block.shapes.size();
  if (!block.strides || !block.dtypes || block.strides->size() != n || block.dtypes->size() != n) return std::nullopt;
  std::vector<InputKey> out(n);
  for (size_t i = 0; i < n; ++i) {
    std::optional<std::vector<int64_t>> sizes = ShapeNumbers(block.shapes[i]), strides = Numbers((*block.strides)[i]);
    if (!sizes || !strides || sizes->size() != strides->size()) return std::nullopt;
    out[i] = InputKey{std::string(device), (*block.dtypes)[i], *std::move(sizes), *std::move(strides), 0};
  }
  return out;
}

std::optional<std::vector<InputKey>> ContiguousInputs(const Block& block, std::string_view device,
                                                      std::string_view dtype) {
  std::vector<InputKey> out;
  for (size_t i = 0; i < block.shapes.size(); ++i) {
    std::optional<std::vector<int64_t>> sizes = ShapeNumbers(block.shapes[i]);
    std::string name = block.dtypes && i < block.dtypes->size() ? (*block.dtypes)[i] : DtypeName(dtype);
    if (!sizes || name.empty()) return std::nullopt;
    std::vector<int64_t> strides(sizes->size(), 1);
    // torch's own row-major strides: a dimension of size 0 counts as 1.
    for (size_t d = sizes->size(); d-- > 1;) strides[d - 1] = strides[d] * std::max<int64_t>((*sizes)[d], 1);
    out.push_back(InputKey{std::string(device), std::move(name), *std::move(sizes), std::move(strides), 0});
  }
  if (out.empty()) return std::nullopt;
  return out;
}

}  // namespace autotune
