#include "analyzer/identity/kernel_source.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "analyzer/base/digest.h"
#include "analyzer/base/text.h"
#include "analyzer/identity/code_key.h"

namespace autotune {
namespace {

constexpr std::string_view kInductorMeta = "inductor_meta=";
constexpr std::string_view kTritonMeta = "triton_meta=";
constexpr std::string_view kConstexpr = " : tl.constexpr = ";

// Length of the Python expression at the start of `text`: up to a comma or closing bracket outside quotes and brackets.
// npos when it does not end.
size_t ExpressionLength(std::string_view text) {
  int depth = 0;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (quote != 0) {
      if (c == '\\') {
        ++i;
      } else if (c == quote) {
        quote = 0;
      }
      continue;
    }
    if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
      if (depth-- == 0) return i;
    } else if (c == ',' && depth == 0) {
      return i;
    }
  }
  return std::string_view::npos;
}

std::vector<MetaEntry> EntriesAfter(std::string_view source, std::string_view name) {
  size_t at = source.find(name);
  if (at == std::string_view::npos) return {};
  return DictEntries(source.substr(at + name.size()), at + name.size());
}

// The whole lines of a text, one by one.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}
  bool Next(std::string_view* line) {
    if (text_.empty()) return false;
    size_t end = text_.find('\n');
    *line = text_.substr(0, end);
    text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);
    return true;
  }

 private:
  std::string_view text_;
};

// "num_stages" -> the text between "num_stages=" and "," on a line of its own in the decorator.
std::string_view DecoratorValue(std::string_view source, std::string_view name) {
  std::string_view line;
  for (Lines lines(source); lines.Next(&line);) {
    std::string_view text = Trim(line);
    if (text.size() > name.size() + 1 && text.substr(0, name.size()) == name && text[name.size()] == '=') {
      std::string_view value = text.substr(name.size() + 1);
      return value.substr(0, value.find(','));
    }
    if (text.substr(0, 4) == "def ") break;
  }
  return {};
}

// "    BLOCK_M : tl.constexpr = 128" -> {"BLOCK_M", "128"}.
std::optional<std::pair<std::string_view, std::string_view>> Constexpr(std::string_view line) {
  size_t at = line.find(kConstexpr);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view name = Trim(line.substr(0, at));
  if (name.empty() || name.find_first_of(" (,") != std::string_view::npos) return std::nullopt;
  return std::make_pair(name, line.substr(at + kConstexpr.size()));
}

// The function's own lines: from its first constexpr line to the last one of that run.
std::string_view ConfigurationLines(std::string_view source, std::string_view* body) {
  size_t def = source.find("\ndef ");
  std::string_view rest = def == std::string_view::npos ? source : source.substr(def);
  size_t begin = std::string_view::npos, end = 0, at = 0;
  std::string_view line;
  for (Lines lines(rest); lines.Next(&line); at += line.size() + 1) {
    if (Constexpr(line)) {
      if (begin == std::string_view::npos) begin = at;
      end = std::min(at + line.size() + 1, rest.size());
    } else if (begin != std::string_view::npos) {
      break;
    }
  }
  if (begin == std::string_view::npos) {
    *body = rest;
    return {};
  }
  *body = rest.substr(end);
  return rest.substr(begin, end - begin);
}

bool IsPlainLiteral(std::string_view value) {
  static const RE2* const re = new RE2(R"(None|True|False|-?\d+|-?\d+\.\d*(e[-+]?\d+)?|-?\d+e[-+]?\d+|\(.*\)|\[.*\])");
  return RE2::FullMatch(ToRe2(value), *re);
}

using Configuration = std::map<std::string, std::string>;  // sorted as Python sorts: by bytes

std::string Extra(const Configuration& configuration, std::string_view stages, std::string_view warps) {
  std::string out;
  for (const auto& [name, value] : configuration) out += fmt::format("{}={}-", name, value);
  return fmt::format("{}num_stages={}-num_warps={}-", out, stages, warps);
}

std::vector<Configuration> Configurations(std::string_view source) {
  for (const MetaEntry& entry : InductorMeta(source)) {
    if (entry.key != kConfigArgs) continue;
    Configuration out;
    for (const MetaEntry& argument : DictEntries(entry.value)) out[argument.key] = std::string(argument.value);
    return {out};
  }
  Configuration out;
  std::string_view body, line;
  for (Lines lines(ConfigurationLines(source, &body)); lines.Next(&line);) {
    auto constant = Constexpr(line);
    if (!constant || constant->first == "INDEX_DTYPE") continue;  // the kernel's own, not the template's
    // These lines print a string without its quotes, the description with them.
    std::string_view value = constant->second;
    out[std::string(constant->first)] = IsPlainLiteral(value) ? std::string(value) : PythonRepr(value);
  }
  if (out.empty()) return {};
  std::vector<Configuration> variants = {out};
  auto tf32 = out.find("ALLOW_TF32");
  if (tf32 != out.end()) {  // GPUs without TF32, torch 2.7 to 2.11: the word 'False' in place of the value
    variants.push_back(out);
    variants.back()["ALLOW_TF32"] = PythonRepr(tf32->second);
  }
  return variants;
}

std::string FillValues(std::string_view text, const std::map<std::string, std::string>& values, bool* all_known) {
  static const RE2* const re = new RE2(R"(\{([A-Za-z_]+)\})");
  std::string out;
  re2::StringPiece rest = ToRe2(text), name;
  const char* done = text.data();
  while (RE2::FindAndConsume(&rest, *re, &name)) {
    auto found = values.find(std::string(name.data(), name.size()));
    if (found == values.end()) {
      *all_known = false;
      return "";
    }
    out.append(done, static_cast<size_t>(name.data() - 1 - done));
    out += found->second;
    done = name.data() + name.size() + 1;
  }
  out.append(done, static_cast<size_t>(text.data() + text.size() - done));
  return out;
}

// Constants of the body: "    M = 1024".
std::vector<std::pair<std::string_view, std::string_view>> BodyConstants(std::string_view body) {
  static const RE2* const re = new RE2(R"( +([A-Za-z_]\w*) = (-?\d+(?:\.\d+)?|ks\d+)\s*)");
  std::vector<std::pair<std::string_view, std::string_view>> out;
  std::string_view line;
  for (Lines lines(body); lines.Next(&line);) {
    re2::StringPiece name, value;
    if (RE2::FullMatch(ToRe2(line), *re, &name, &value)) out.emplace_back(FromRe2(name), FromRe2(value));
  }
  return out;
}

void CompareEntries(const std::vector<MetaEntry>& before, const std::vector<MetaEntry>& after,
                    SourceDifference::Place place, std::vector<SourceDifference>* out) {
  auto find = [](const std::vector<MetaEntry>& entries, const std::string& key) {
    return std::find_if(entries.begin(), entries.end(), [&](const MetaEntry& e) { return e.key == key; });
  };
  for (const MetaEntry& entry : before) {
    auto other = find(after, entry.key);
    if (other == after.end()) {
      out->push_back({place, entry.key, std::string(entry.value), ""});
    } else if (other->value != entry.value) {
      out->push_back({place, entry.key, std::string(entry.value), std::string(other->value)});
    }
  }
  for (const MetaEntry& entry : after) {
    if (find(before, entry.key) == before.end()) out->push_back({place, entry.key, "", std::string(entry.value)});
  }
}

}  // namespace

std::vector<MetaEntry> DictEntries(std::string_view text, size_t offset) {
  std::vector<MetaEntry> out;
  if (text.empty() || text[0] != '{') return out;
  size_t at = 1;
  while (at < text.size()) {
    while (at < text.size() && (text[at] == ' ' || text[at] == ',' || text[at] == '\n')) ++at;
    if (at >= text.size()) return {};
    if (text[at] == '}') return out;
    size_t begin = at;
    if (text[at] != '\'' && text[at] != '"') return {};
    size_t close = text.find(text[at], at + 1);
    if (close == std::string_view::npos || text.substr(close + 1, 2) != ": ") return {};
    size_t value = close + 3, length = ExpressionLength(text.substr(value));
    if (length == std::string_view::npos) return {};
    out.push_back({std::string(text.substr(begin + 1, close - begin - 1)), text.substr(value, length), offset + begin,
                   offset + value + length});
    at = value + length;
  }
  return {};
}

std::vector<MetaEntry> InductorMeta(std::string_view source) { return EntriesAfter(source, kInductorMeta); }

bool IsTemplateKernel(std::string_view source) {
  return source.find("\n@triton_heuristics.template(") != std::string_view::npos ||
         source.find("\n@template(") != std::string_view::npos;
}

std::string_view KernelFunction(std::string_view source) {
  size_t at = source.find("\ndef ");
  if (at == std::string_view::npos) return {};
  std::string_view name = source.substr(at + 5);
  return name.substr(0, name.find('('));
}

std::optional<std::string> DescriptionOf(std::string_view source, std::string_view stem) {
  std::string_view stages = DecoratorValue(source, "num_stages"), warps = DecoratorValue(source, "num_warps");
  if (stages.empty() || warps.empty()) return std::nullopt;
  std::string_view code = PythonStrip(source);
  for (const Configuration& configuration : Configurations(source)) {
    std::string extra = Extra(configuration, stages, warps);
    // With Meta's Triton, torch 2.8 to about 2.10, two more pairs follow.
    for (const char* more : {"", "num_consumer_groups=0-num_buffers_warp_spec=0-"}) {
      if (CodeHash(code, extra + more) == stem) return TritonDescription(extra + more);
    }
  }
  return std::nullopt;
}

uint64_t ProblemSignature(std::string_view source) {
  std::string_view body;
  ConfigurationLines(source, &body);
  std::hash<std::string_view> hash;
  return hash(body) * 31 + hash(KernelFunction(source));
}

class CompiledEdit {
 public:
  CompiledEdit(std::string kind, std::string key, std::string value, std::string after)
      : kind_(std::move(kind)), key_(std::move(key)), value_(std::move(value)), after_(std::move(after)) {
    if (kind_ == "replace") pattern_ = std::make_unique<RE2>(key_, RE2::Quiet);
  }

  bool ok() const { return !pattern_ || pattern_->ok(); }

  bool Apply(std::string* source) const {
    if (pattern_) {
      std::string before = *source;
      return RE2::GlobalReplace(source, *pattern_, value_) > 0 && *source != before;
    }
    std::vector<MetaEntry> entries = InductorMeta(*source);
    auto find = [&](const std::string& key) {
      return std::find_if(entries.begin(), entries.end(), [&](const MetaEntry& e) { return e.key == key; });
    };
    auto entry = find(key_);
    if (kind_ == "add_meta") {
      auto anchor = find(after_);
      if (entry != entries.end() || anchor == entries.end()) return false;
      source->insert(anchor->end, fmt::format(", '{}': {}", key_, value_));
      return true;
    }
    if (entry == entries.end()) return false;
    if (kind_ == "remove_meta") {
      bool first = entry == entries.begin(), last = entry + 1 == entries.end();
      size_t begin = first ? entry->begin : (entry - 1)->end, end = first && !last ? (entry + 1)->begin : entry->end;
      source->erase(begin, end - begin);
      return true;
    }
    if (kind_ != "set_meta" || entry->value == value_) return false;
    size_t length = entry->value.size();
    source->replace(entry->end - length, length, value_);
    return true;
  }

 private:
  std::string kind_, key_, value_, after_;
  std::unique_ptr<RE2> pattern_;
};

std::vector<std::shared_ptr<const CompiledEdit>> CompileEdits(const std::vector<SourceEdit>& edits,
                                                              const std::map<std::string, std::string>& values) {
  std::vector<std::shared_ptr<const CompiledEdit>> out;
  for (const SourceEdit& edit : edits) {
    bool known = true;
    std::string value = FillValues(edit.value, values, &known);
    auto compiled = std::make_shared<const CompiledEdit>(edit.kind, edit.key, std::move(value), edit.after);
    if (!known || !compiled->ok()) return {};
    out.push_back(std::move(compiled));
  }
  return out;
}

std::optional<std::string> ApplyEdits(std::string_view source,
                                      const std::vector<std::shared_ptr<const CompiledEdit>>& edits) {
  if (edits.empty()) return std::nullopt;
  std::string out(source);
  for (const auto& edit : edits) {
    if (!edit->Apply(&out)) return std::nullopt;
  }
  return out;
}

std::vector<SourceDifference> CompareSources(std::string_view before, std::string_view after) {
  std::vector<SourceDifference> out;
  CompareEntries(EntriesAfter(before, kTritonMeta), EntriesAfter(after, kTritonMeta),
                 SourceDifference::Place::kTritonMeta, &out);
  CompareEntries(InductorMeta(before), InductorMeta(after), SourceDifference::Place::kMeta, &out);
  std::string_view body_before, body_after;
  ConfigurationLines(before, &body_before);
  ConfigurationLines(after, &body_after);
  auto constants_before = BodyConstants(body_before), constants_after = BodyConstants(body_after);
  for (const auto& [name, value] : constants_before) {
    auto other = std::find_if(constants_after.begin(), constants_after.end(),
                              [key = name](const auto& constant) { return constant.first == key; });
    if (other != constants_after.end() && other->second != value) {
      out.push_back(
          {SourceDifference::Place::kConstant, std::string(name), std::string(value), std::string(other->second)});
    }
  }
  if (!out.empty() || before == after) return out;
  std::string_view a, b;
  Lines lines_a(before), lines_b(after);
  while (true) {
    bool more_a = lines_a.Next(&a), more_b = lines_b.Next(&b);
    if (!more_a && !more_b) return out;
    if (!more_a) a = {};
    if (!more_b) b = {};
    if (a != b) {
      out.push_back({SourceDifference::Place::kText, "", std::string(Trim(a)), std::string(Trim(b))});
      return out;
    }
  }
}

}  // namespace autotune
