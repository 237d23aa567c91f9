#include "analyzer/identity/choice_key.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "analyzer/base/digest.h"
#include "analyzer/identity/code_key.h"

namespace autotune {
namespace {

std::string PythonList(const std::vector<int64_t>& values) { return fmt::format("[{}]", fmt::join(values, ", ")); }

bool RowMajor(const InputKey& input) {
  return input.sizes.size() == 2 && input.strides[1] == 1 && input.strides[0] == input.sizes[1];
}

}  // namespace

std::string_view WithoutCounter(std::string_view name) {
  size_t digits = name.find_last_not_of("0123456789");
  bool counter = digits != std::string_view::npos && digits > 0 && digits + 1 < name.size() && name[digits] == '_';
  return counter ? name.substr(0, digits) : name;
}

std::string ChoiceIdentity(std::string_view name, std::string_view description) {
  std::string_view base = name.substr(0, 8) == "cutlass_" ? name : WithoutCounter(name);
  return description.empty() ? std::string(base) : fmt::format("{} {}", base, description);
}

std::string ExternKey(std::string_view name, std::vector<std::pair<std::string, std::string>> keywords,
                      std::string_view hash) {
  std::sort(keywords.begin(), keywords.end());
  std::string out(name);
  for (const auto& [keyword, repr] : keywords) out += fmt::format("-{}={}", keyword, repr);
  return fmt::format("{}-{}", out, hash);
}

std::string TritonKey(std::string_view name, std::string_view source, std::string_view description) {
  return fmt::format("{}-{}", WithoutCounter(name), TritonSourceHash(source, description));
}

std::string CppKey(std::string_view category, std::string_view source) {
  return fmt::format("{}-{}", category, CodeHash(source));
}

std::string_view CppCategory(std::string_view name) {
  std::string_view base = WithoutCounter(name);
  return base.substr(0, 4) == "cpp_" ? base.substr(4) : base;
}

std::string CutlassKey(std::string_view category, std::string_view source, std::string_view extra, int swizzle) {
  std::string key = fmt::format("{}-{}", category, CodeHash(source, extra));
  return swizzle == 0 ? key : fmt::format("{}-{}", key, swizzle);
}

int Swizzle(std::string_view description) {
  constexpr std::string_view kWord = "swizzle=";
  size_t at = description.rfind(kWord);
  int value = 0;
  if (at == std::string_view::npos) return 0;
  std::string_view digits = description.substr(at + kWord.size());
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

std::string RocmKey(std::string_view category, std::string_view source, std::string_view command) {
  return fmt::format("{}-{}", category, CodeHash(source, PythonRepr(command)));
}

std::string NvGemmKey(std::string_view description) {
  std::string out(description);
  size_t blank = out.find(' ');
  if (blank != std::string::npos) out[blank] = '_';
  return out;
}

std::string SubgraphKey(std::string_view name, const std::vector<InputKey>& inputs, std::string_view graph) {
  std::string out(name.substr(0, name.rfind('_')));
  for (const InputKey& input : inputs) out.append("-").append(PythonList(input.sizes));
  for (const InputKey& input : inputs) out.append("-").append(PythonList(input.strides));
  return fmt::format("{}-{}", out, graph);
}

std::optional<std::string> DecomposeKGraph(const std::vector<InputKey>& inputs, int64_t splits) {
  if (inputs.size() != 2 || !RowMajor(inputs[0]) || !RowMajor(inputs[1]) || splits < 1) return std::nullopt;
  const std::string& dtype = inputs[0].dtype;
  if (dtype != inputs[1].dtype || (dtype != "torch.bfloat16" && dtype != "torch.float16")) return std::nullopt;
  int64_t m = inputs[0].sizes[0], k = inputs[0].sizes[1], n = inputs[1].sizes[1];
  if (k != inputs[1].sizes[0] || k % splits != 0) return std::nullopt;
  std::string out = "graph():";
  auto node = [&](std::string_view name, int users, std::string_view target, const std::string& args) {
    out += fmt::format("\n    %{} : [num_users={}] = call_function[target=torch.ops.{}](args = ({}), kwargs = {{}})",
                       name, users, target, args);
  };
  for (std::string_view arg : {"arg0_1", "arg1_1"}) {
    out += fmt::format("\n    %{} : [num_users=1] = placeholder[target={}]", arg, arg);
  }
  node("view", 1, "aten.view.default", fmt::format("%arg0_1, [{}, {}, {}]", m, splits, k / splits));
  node("permute", 2, "aten.permute.default", "%view, [1, 0, 2]");
  node("view_1", 2, "aten.view.default", fmt::format("%arg1_1, [{}, {}, {}]", splits, k / splits, n));
  node("convert_element_type", 0, "prims.convert_element_type.default", "%permute, torch.float32");
  node("convert_element_type_1", 0, "prims.convert_element_type.default", "%view_1, torch.float32");
  node("bmm", 1, "aten.bmm.dtype", "%permute, %view_1, torch.float32");
  node("sum_1", 1, "aten.sum.dim_IntList", "%bmm, [0]");
  node("convert_element_type_2", 1, "prims.convert_element_type.default", "%sum_1, " + dtype);
  return out + "\n    return convert_element_type_2";
}

std::string PrecompileKey(std::string_view op, std::string_view inputs, std::string_view precision,
                          const std::vector<std::string>& keys) {
  std::string out = fmt::format("{}:{}:{}", op, inputs, precision);
  for (const std::string& key : keys) out += ":" + key;
  return out;
}

std::string CandidateSetKey(std::string_view op, std::string_view inputs, std::string_view precision,
                            const std::vector<std::string>& keys) {
  return CodeHash(PrecompileKey(op, inputs, precision, keys));
}

std::string PrintedFingerprint(std::string_view op, std::string_view shapes, std::vector<std::string> identities) {
  std::sort(identities.begin(), identities.end());
  return fmt::format("p{}", Sha256Base32(fmt::format("{}({})\n{}", op, shapes, fmt::join(identities, "\n"))));
}

}  // namespace autotune
