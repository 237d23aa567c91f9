#include "analyzer/manifest/spelling.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "analyzer/base/text.h"

namespace autotune {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

std::string Lower(std::string_view s) {
  std::string out(s);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

bool IsVariableByte(char c) { return (c >= 'A' && c <= 'Z') || IsDigit(c) || c == '_'; }

// Words of `lower`: runs of letters, digits and underscores.
template <class Found>
bool AnyWord(std::string_view s, Found found) {
  for (size_t i = 0; i < s.size();) {
    size_t end = i;
    while (end < s.size() && (std::isalnum(static_cast<unsigned char>(s[end])) != 0 || s[end] == '_')) ++end;
    if (end > i && found(s.substr(i, end - i))) return true;
    i = std::max(end, i + 1);
  }
  return false;
}

std::string_view Unquote(std::string_view s) {
  s = Trim(s);
  while (s.size() >= 2 && s.front() == s.back() && (s.front() == '"' || s.front() == '\'' || s.front() == '`'))
    s = Trim(s.substr(1, s.size() - 2));
  return s;
}

// Code at the start, and further code behind commas or slashes: "`ATEN`, `TRITON` (no CK)" -> up to "(no CK)".
size_t EndOfLeadingCode(const MarkdownText& text) {
  size_t end = 0;
  for (const auto& [begin, span_end] : text.code) {
    const std::string_view gap = std::string_view(text.text).substr(end, begin - end);
    if (gap.find_first_not_of(" ,/+&") != std::string_view::npos) break;
    end = span_end;
  }
  return end;
}

size_t StartOfComment(const MarkdownText& text) {
  const std::string_view s = text.text;
  for (size_t i = 1; i < s.size(); ++i) {
    if (s[i] != ' ' && s[i] != ';' && s[i] != '\t') continue;
    if (text.IsCode(i)) continue;
    for (const std::string_view mark : {" (", " — ", " – ", " -- ", " - ", " # ", "; ", " <-", " ← "})
      if (s.substr(i, mark.size()) == mark) return i;
  }
  return s.size();
}

}  // namespace

std::string_view CleanName(std::string_view name) {
  name = Trim(name);
  for (const std::string_view word : {"export ", "declare -x ", "setenv ", "env ", "ENV ", "$env:", "${", "$"})
    if (name.starts_with(word)) name = TrimLeft(name.substr(word.size()));
  while (!name.empty() && (name.front() == '*' || name.front() == '`')) name.remove_prefix(1);
  while (!name.empty() && (name.back() == '*' || name.back() == '`' || name.back() == ':' || name.back() == '}'))
    name.remove_suffix(1);
  return Unquote(name);
}

bool IsVariableName(std::string_view word) {
  return word.size() > 3 && word.front() >= 'A' && word.front() <= 'Z' && word.find('_') != std::string_view::npos &&
         std::all_of(word.begin(), word.end(), IsVariableByte);
}

std::vector<std::string_view> VariableNames(std::string_view text) {
  std::vector<std::string_view> names;
  AnyWord(text, [&](std::string_view word) {
    if (IsVariableName(word)) names.push_back(word);
    return false;
  });
  return names;
}

bool DeniesIt(std::string_view text) {
  if (text.find("!=") != std::string_view::npos || text.ends_with('!')) return true;
  return AnyWord(Lower(text), [](std::string_view word) { return word == "not" || word == "never" || word == "no"; });
}

std::string ValueIn(const MarkdownText& text, std::string_view compare, bool checklist) {
  static constexpr std::array<std::string_view, 7> kStrict = {"path",    "backend_set", "boolean", "version",
                                                              "integer", "word",        "never"};
  const bool strict = std::find(kStrict.begin(), kStrict.end(), compare) != kStrict.end();
  std::string_view value = text.text;
  if (strict || checklist) {
    const size_t code = EndOfLeadingCode(text);
    value = value.substr(0, code > 0 ? code : StartOfComment(text));
  }
  if (checklist)
    while (value.ends_with('.') || value.ends_with(',')) value.remove_suffix(1);
  return std::string(Unquote(value));
}

bool SaysNotSet(std::string_view value) {
  static constexpr std::array<std::string_view, 21> kNotSet = {"",
                                                               "-",
                                                               "--",
                                                               "—",
                                                               "–",
                                                               "n/a",
                                                               "n.a.",
                                                               "na",
                                                               "none",
                                                               "null",
                                                               "nil",
                                                               "unset",
                                                               "not set",
                                                               "(unset)",
                                                               "(not set)",
                                                               "(none)",
                                                               "undefined",
                                                               "not used",
                                                               "unused",
                                                               "not applicable",
                                                               "not installed"};
  const std::string lower = Lower(Unquote(value));
  if (std::find(kNotSet.begin(), kNotSet.end(), lower) != kNotSet.end()) return true;
  // "N/A (CPU only)", "none — NVIDIA build"
  for (const std::string_view start :
       {"n/a (", "n/a —", "n/a –", "n/a -", "n/a,", "n/a;", "none (", "not set (", "unset ("})
    if (lower.starts_with(start)) return true;
  return false;
}

bool SaysUnknown(std::string_view value) {
  static constexpr std::array<std::string_view, 7> kUnknown = {"?", "??", "???", "tbd", "todo", "unknown", "fixme"};
  return std::find(kUnknown.begin(), kUnknown.end(), Lower(Unquote(value))) != kUnknown.end();
}

bool CouldBe(std::string_view compare, std::string_view value) {
  if (compare == "version" || compare == "integer" || compare == "number_in_text")
    return std::any_of(value.begin(), value.end(), IsDigit);
  if (compare == "dtype") {
    static constexpr std::array<std::string_view, 7> kStarts = {"bf16", "bfloat", "fp", "float",
                                                                "half", "double", "int"};
    static constexpr std::array<std::string_view, 11> kWords = {"f16",  "f32",  "f64", "tf32",  "i8",   "uint8",
                                                                "e4m3", "e5m2", "nf4", "mxfp4", "nvfp4"};
    return AnyWord(Lower(value), [&](std::string_view word) {
      if (std::find(kWords.begin(), kWords.end(), word) != kWords.end()) return true;
      return std::any_of(kStarts.begin(), kStarts.end(), [&](std::string_view start) {
        if (!word.starts_with(start)) return false;
        const std::string_view rest = word.substr(start.size());
        // "fp32", "float8_e4m3fn", "int4"; not "fpga", "internal"
        return rest.empty() ? start != "fp" && start != "int" : IsDigit(rest.front());
      });
    });
  }
  return true;
}

}  // namespace autotune
