#include "analyzer/parse/part.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "analyzer/base/text.h"

namespace autotune {
namespace {

using Kind = Part::Kind;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool IsWord(char c) { return IsLetter(c) || IsDigit(c); }

// A template for its length: the comparison is one instruction or two then, not a call.
template <size_t kSize>
bool Take(std::string_view* s, const char (&literal)[kSize]) {
  constexpr size_t kLength = kSize - 1;
  if (s->size() < kLength || std::memcmp(s->data(), literal, kLength) != 0) return false;
  s->remove_prefix(kLength);
  return true;
}

// Where the first word ends. (find_first_of() calls memchr for each byte of the text.)
size_t FindBlank(std::string_view s) {
  for (size_t i = 0; i < s.size(); ++i) {
    if (s[i] == ' ' || s[i] == '\t') return i;
  }
  return std::string_view::npos;
}

// One or more blanks.
bool TakeBlanks(std::string_view* s) {
  size_t i = 0;
  while (i < s->size() && ((*s)[i] == ' ' || (*s)[i] == '\t')) ++i;
  s->remove_prefix(i);
  return i > 0;
}

// 0.0276, 98.7: a few digits with a point in them, as nearly all numbers of a table are; several times faster than
// from_chars. Exact, since both integers are small: a division of doubles rounds correctly.
bool TakeShortDecimal(std::string_view* s, double* value) {
  constexpr double kPowers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7};
  constexpr size_t kMostBefore = 7, kMostBehind = 7;
  int64_t digits = 0;
  size_t i = 0;
  for (; i < s->size() && IsDigit((*s)[i]); ++i) {
    if (i == kMostBefore) return false;
    digits = digits * 10 + ((*s)[i] - '0');
  }
  if (i == s->size() || (*s)[i] != '.') return false;
  const size_t point = i++;
  for (; i < s->size() && IsDigit((*s)[i]); ++i) {
    if (i - point > kMostBehind) return false;
    digits = digits * 10 + ((*s)[i] - '0');
  }
  if (i - point == 1 || (i < s->size() && ((*s)[i] == 'e' || (*s)[i] == 'E'))) return false;
  *value = static_cast<double>(digits) / kPowers[i - point - 1];
  s->remove_prefix(i);
  return true;
}

// 0.0276, 710, 8.913267612457275, 1e-05; no sign.
bool TakeNumber(std::string_view* s, double* value) {
  if (s->empty() || !IsDigit(s->front())) return false;
  if (TakeShortDecimal(s, value)) return true;
  const auto [end, error] = std::from_chars(s->data(), s->data() + s->size(), *value);
  if (error != std::errc()) return false;
  s->remove_prefix(static_cast<size_t>(end - s->data()));
  return true;
}

bool TakeInteger(std::string_view* s, int64_t* value) {
  if (s->empty() || !IsDigit(s->front())) return false;
  const auto [end, error] = std::from_chars(s->data(), s->data() + s->size(), *value);
  if (error != std::errc()) return false;
  s->remove_prefix(static_cast<size_t>(end - s->data()));
  return true;
}

// --- header
// -------------------------------------------------------------------------------------------------------------

bool IsShape(std::string_view item) {
  if (item.empty()) return true;
  bool digit = false;
  for (char c : item) {
    if (IsDigit(c)) {
      digit = true;
    } else if (c == 'x' && digit) {
      digit = false;
    } else {
      return false;
    }
  }
  return digit;
}

// The op's name and what stands behind its bracket; custom ops have names like "my_lib::op.default".
bool TakeOp(std::string_view* s, std::string_view* op) {
  size_t i = 0;
  while (i < s->size() && (IsWord((*s)[i]) || (*s)[i] == ':' || (*s)[i] == '.')) ++i;
  if (i == 0 || i == s->size() || !IsLetter(s->front()) || (*s)[i] != '(') return false;
  *op = s->substr(0, i);
  s->remove_prefix(i + 1);
  return true;
}

bool ScanHeader(std::string_view s, Part* part) {
  if (!Take(&s, "AUTOTUNE ") || !TakeOp(&s, &part->op) || s.empty() || s.back() != ')') return false;
  s.remove_suffix(1);
  if (Trim(s).empty()) return false;  // prose says "AUTOTUNE mm()"
  part->shapes = s;
  for (size_t from = 0; from <= s.size();) {
    const size_t comma = std::min(s.find(',', from), s.size());
    if (!IsShape(Trim(s.substr(from, comma - from)))) return false;
    from = comma + 1;
  }
  return true;
}

// --- strides and dtypes
// -----------------------------------------------------------------------------------------------------

// Bracketed lists, ", " between them.
bool IsStrideLists(std::string_view s) {
  while (true) {
    if (!Take(&s, "[")) return false;
    int depth = 1;
    size_t i = 0;
    for (; i < s.size() && depth > 0; ++i) depth += s[i] == '[' ? 1 : s[i] == ']' ? -1 : 0;
    if (depth > 0) return false;
    s.remove_prefix(i);
    if (s.empty()) return true;
    if (!Take(&s, ",")) return false;
    TakeBlanks(&s);
  }
}

bool ScanStrides(std::string_view s, Part* part) {
  if (!Take(&s, "strides: [")) return false;
  part->list = std::string_view(s.data() - 1, s.size() + 1);
  return IsStrideLists(part->list);
}

bool ScanDtypes(std::string_view s, Part* part) {
  if (!Take(&s, "dtypes: ") || s.substr(0, 6) != "torch." || s.back() == ',') return false;
  part->list = s;
  return std::all_of(s.begin(), s.end(), [](char c) { return IsWord(c) || c == '.' || c == ',' || c == ' '; });
}

// --- rows
// ---------------------------------------------------------------------------------------------------------------

// "0.0123 ms 98.7%", "0.0123s 98.7%", "inf ms 0.0%", "0.0000 ms <DIVIDED BY ZERO ERROR>", and what is behind.
bool TakeTime(std::string_view* text, RowText* row) {
  std::string_view s = *text;
  if (Take(&s, "inf")) {
    row->ms = std::numeric_limits<double>::infinity();
  } else if (Take(&s, "nan")) {
    row->ms = std::numeric_limits<double>::quiet_NaN();
  } else if (!TakeNumber(&s, &row->ms)) {
    return false;
  }
  const bool blank_before = TakeBlanks(&s);
  row->seconds = false;
  if (Take(&s, "ms")) {
    row->spaced = blank_before && s.substr(0, 1) == " " && *(s.data() - 3) == ' ';
  } else if (!Take(&s, "us") && !Take(&s, "\xc2\xb5s")) {
    row->seconds = true;
    if (!Take(&s, "s")) return false;
  }
  if (!TakeBlanks(&s)) return false;
  double pct = 0;
  row->pct.reset();
  row->divided_by_zero = Take(&s, "<DIVIDED BY ZERO ERROR>");
  if (!row->divided_by_zero) {
    if (TakeNumber(&s, &pct)) {
      row->pct = pct;
    } else if (!Take(&s, "nan")) {
      return false;
    }
    if (!Take(&s, "%")) return false;
  }
  // Behind it a blank, or the mark that a person put there ("<-", an emoji).
  if (!s.empty() && s.front() != ' ' && s.front() != '\t' && s.front() != '<' &&
      static_cast<unsigned char>(s.front()) < 0x80) {
    return false;
  }
  *text = s;
  return true;
}

bool IsRowName(std::string_view name) {
  constexpr std::string_view kNotFirst = "[({\"'`|>#*+-=,;:/\\", kNotLast = ":|],;\"'`=";
  if (kNotFirst.find(name.front()) != std::string_view::npos || kNotLast.find(name.back()) != std::string_view::npos)
    return false;
  if (name.back() == ')' && name.find('(') == std::string_view::npos) return false;
  return std::any_of(name.begin(), name.end(), IsLetter);
}

// A name of several words: a keyword list, or a caller's whole text "TritonTemplateCaller(PATH, KEY=VALUE, ...)".
bool IsLongName(std::string_view name) {
  const size_t bracket = name.find('(');
  if (name.back() == ')' && bracket != std::string_view::npos) {
    constexpr std::string_view kCaller = "Caller";
    const std::string_view word = name.substr(0, bracket);
    return word.size() >= kCaller.size() && word.substr(word.size() - kCaller.size()) == kCaller &&
           std::all_of(word.begin(), word.end(), IsWord);
  }
  return IsKeywordList(name);
}

bool ScanLongNamedRow(std::string_view s, RowText* row, std::string_view* rest) {
  for (size_t blank = s.find(' '); blank != std::string_view::npos; blank = s.find(' ', blank + 1)) {
    if (blank + 1 == s.size() || (!IsDigit(s[blank + 1]) && s[blank + 1] != 'i' && s[blank + 1] != 'n')) continue;
    std::string_view time = s.substr(blank + 1);
    if (!TakeTime(&time, row)) continue;
    row->name = TrimRight(s.substr(0, blank));
    *rest = time;
    return IsLongName(row->name);
  }
  return false;
}

bool ScanRow(std::string_view s, bool blank_behind, RowText* row) {
  const size_t end = FindBlank(s);
  if (end == std::string_view::npos) return false;
  row->name = s.substr(0, end);
  std::string_view rest = s.substr(end);
  TakeBlanks(&rest);
  if (!IsRowName(row->name) || !TakeTime(&rest, row)) {
    const bool long_name =
        row->name.find('=') != std::string_view::npos || row->name.find("Caller(") != std::string_view::npos;
    if (!long_name || !IsLetter(s.front()) || !ScanLongNamedRow(s, row, &rest)) return false;
  }
  row->description = Trim(rest);
  row->trailing_blank = row->description.empty() && blank_behind;
  const char last = row->description.empty() ? ' ' : row->description.back();
  if (last == ']' || last == ')') {  // Ray's note on a row that other workers printed too
    const size_t note = row->description.find("[repeated ");
    if (note != std::string_view::npos) row->description = TrimRight(row->description.substr(0, note));
  }
  return true;
}

// --- footer
// -------------------------------------------------------------------------------------------------------------

bool ScanFooter(std::string_view s, FooterText* footer) {
  *footer = FooterText();
  footer->sub_process = s.substr(0, 3) == "Sub";
  if (!Take(&s, "SingleProcess AUTOTUNE ") && !Take(&s, "SubProcess AUTOTUNE ")) return false;
  footer->benchmarking = Take(&s, "benchmarking ");
  if (!Take(&s, "takes ") || !TakeNumber(&s, &footer->benchmark_seconds) || !Take(&s, " seconds")) return false;
  if (footer->benchmarking) {
    double seconds = 0;
    if (!Take(&s, " and ") || !TakeNumber(&s, &seconds) || !Take(&s, " seconds precompiling")) return false;
    footer->precompile_seconds = seconds;
    if (Take(&s, " for ")) {
      int64_t choices = 0;
      if (!TakeInteger(&s, &choices) || !Take(&s, " choices")) return false;
      footer->num_choices = choices;
      if (Take(&s, " and ")) {
        if (!TakeNumber(&s, &seconds) || !Take(&s, " seconds prescreening")) return false;
        footer->prescreen_seconds = seconds;
      }
    }
  }
  return s.empty() || Take(&s, " [repeated ");
}

bool IsStatsObject(std::string_view s) {
  return s.size() > 2 && s.back() == '}' && TrimLeft(s.substr(1)).substr(0, 1) == "\"" &&
         s.find("\"num_triton_choices\"") != std::string_view::npos &&
         s.find("\"num_choices\"") != std::string_view::npos;
}

// An event of a TORCH_TRACE file says how a problem's tuning ended (torch/_inductor/select_algorithm.py, seen in torch
// 2.11). There is no table beside it.
bool ScanTraceStats(std::string_view s, Part* part) {
  if (!Take(&s, "\"autotune_choices_stats\": ")) return false;
  if (!s.empty() && s.back() == ',') s.remove_suffix(1);
  if (s.size() < 4 || s.substr(0, 2) != "\"{" || s.substr(s.size() - 2) != "}\"") return false;
  part->list = s;
  return true;
}

// --- beginnings -----------------------------------------------------------------------------------------------------

// Whether `s`, cut somewhere, begins the fixed text with numbers at '#', or is such a text and more.
bool BeginsForm(std::string_view s, std::string_view form) {
  for (char f : form) {
    if (s.empty()) return true;
    if (f == '#') {
      size_t i = 0;
      while (i < s.size() && (IsDigit(s[i]) || s[i] == '.' || s[i] == 'e' || s[i] == '-')) ++i;
      if (i == 0) return false;
      s.remove_prefix(i);
    } else {
      if (s.front() != f) return false;
      s.remove_prefix(1);
    }
  }
  return s.empty();
}

bool BeginsHeader(std::string_view s) {
  std::string_view op;
  if (!Take(&s, "AUTOTUNE ")) return false;
  if (!TakeOp(&s, &op))
    return std::all_of(s.begin(), s.end(), [](char c) { return IsWord(c) || c == ':' || c == '.'; });
  return std::all_of(s.begin(), s.end(), [](char c) { return IsDigit(c) || c == 'x' || c == ',' || c == ' '; });
}

bool BeginsRow(std::string_view s) {
  const size_t end = FindBlank(s);
  if (!IsRowName(s.substr(0, end))) return false;
  if (end == std::string_view::npos) return true;
  s.remove_prefix(end);
  TakeBlanks(&s);
  for (std::string_view form : {"# ms #%", "#s #%", "inf ms #%", "# ms <DIVIDED BY ZERO ERROR>"}) {
    if (BeginsForm(s, form)) return true;
  }
  return false;
}

}  // namespace

Kind ScanPart(std::string_view text, Part* part) {
  const std::string_view s = Trim(text);
  part->kind = Kind::kNone;
  if (s.empty()) return Kind::kNone;
  switch (s.front()) {
    case 'A':
      if (ScanHeader(s, part)) return part->kind = Kind::kHeader;
      if (s == "Autotune Choices Stats:") return part->kind = Kind::kStatsTitle;
      break;
    case 'S':
      if (ScanFooter(s, &part->footer)) return part->kind = Kind::kFooter;
      break;
    case 's':
      if (ScanStrides(s, part)) return part->kind = Kind::kStrides;
      break;
    case 'd':
      if (ScanDtypes(s, part)) return part->kind = Kind::kDtypes;
      break;
    case '{':
      part->list = s;
      return part->kind = IsStatsObject(s) ? Kind::kStatsJson : Kind::kNone;
    case '"':
      if (ScanTraceStats(s, part)) return part->kind = Kind::kTraceStats;
      break;
    default:
      break;
  }
  const bool one_blank_behind =
      !text.empty() && text.back() == ' ' && s.data() + s.size() + 1 == text.data() + text.size();
  if (ScanRow(s, one_blank_behind, &part->row)) part->kind = Kind::kRow;
  return part->kind;
}

bool MayBeginPart(std::string_view text) {
  const std::string_view s = Trim(text);
  if (s.empty()) return false;
  switch (s.front()) {
    case 'A':
      if (s.substr(0, 9) == "AUTOTUNE ") return BeginsHeader(s);
      break;
    case 'S':
      for (std::string_view prefix : {"SingleProcess AUTOTUNE ", "SubProcess AUTOTUNE "}) {
        if (s.size() < prefix.size() || s.substr(0, prefix.size()) != prefix) continue;
        const std::string_view rest = s.substr(prefix.size());
        return BeginsForm(rest, "takes # seconds") ||
               BeginsForm(
                   rest,
                   "benchmarking takes # seconds and # seconds precompiling for # choices and # seconds prescreening");
      }
      break;
    case 's':
      if (s.substr(0, 9) == "strides: ") return true;
      break;
    case 'd':
      if (s.substr(0, 8) == "dtypes: ") return true;
      break;
    case '{':
      return s.substr(0, 14) == "{\"num_choices\"";
    default:
      break;
  }
  return BeginsRow(s);
}

bool BeginsWithPartWords(std::string_view text) {
  const std::string_view s = TrimLeft(text);
  for (std::string_view words : {"AUTOTUNE ", "Autotune Choices Stats:", "SingleProcess AUTOTUNE ",
                                 "SubProcess AUTOTUNE ", "strides: [", "dtypes: torch.", "{\"num_choices\""}) {
    if (s.substr(0, words.size()) == words) return true;
  }
  return false;
}

std::vector<std::string> SplitShapes(std::string_view shapes) {
  std::vector<std::string> items;
  for (size_t from = 0; from <= shapes.size();) {
    const size_t comma = std::min(shapes.find(',', from), shapes.size());
    items.emplace_back(Trim(shapes.substr(from, comma - from)));
    from = comma + 1;
  }
  return items;
}

std::vector<std::vector<std::string>> SplitStrides(std::string_view list) {
  std::vector<std::vector<std::string>> lists;
  int square = 0, round = 0;
  size_t from = 0;
  for (size_t i = 0; i < list.size(); ++i) {
    const char c = list[i];
    round += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == '[' && square++ == 0) {
      lists.emplace_back();
      from = i + 1;
    }
    const bool ends_list = c == ']' && --square == 0;
    if (square < 0 || lists.empty()) return lists;
    if (!ends_list && !(c == ',' && square == 1 && round == 0)) continue;  // Max(1, s0) is one entry
    const std::string_view entry = Trim(list.substr(from, i - from));
    if (!entry.empty()) lists.back().emplace_back(entry);
    from = i + 1;
  }
  return lists;
}

size_t CountStrides(std::string_view list) {
  size_t lists = 0;
  int square = 0;
  for (const char c : list) {
    if (c == '[') lists += square++ == 0;
    if (c == ']') --square;
    if (square < 0 || lists == 0) break;  // as SplitStrides() does
  }
  return lists;
}

std::vector<std::string> SplitDtypes(std::string_view list) {
  std::vector<std::string> items;
  for (size_t from = 0; from <= list.size();) {
    const size_t comma = std::min(list.find(',', from), list.size());
    items.emplace_back(Trim(list.substr(from, comma - from)));
    from = comma + 1;
  }
  return items;
}

bool IsKeywordList(std::string_view text) {
  bool first = true;
  for (size_t from = 0; from <= text.size();) {
    const size_t comma = std::min(text.find(", ", from), text.size());
    const std::string_view item = text.substr(from, comma - from);
    size_t name = 0;
    while (name < item.size() && IsWord(item[name])) ++name;
    const bool keyword = name > 0 && name < item.size() && item[name] == '=' && IsLetter(item.front());
    if (!keyword && first) return false;
    // A value has no blanks and no second "=": "num_warps=4step 1 loss=2" is no item.
    const std::string_view value = keyword ? item.substr(name + 1) : item;
    if (value.find(' ') != std::string_view::npos || value.find('=') != std::string_view::npos) return false;
    first = false;
    from = comma + 2;
  }
  return !first;
}

}  // namespace autotune
