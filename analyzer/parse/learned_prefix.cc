#include "analyzer/parse/learned_prefix.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "analyzer/base/text.h"

namespace autotune {
namespace {

constexpr size_t kMaxPrefix = 256, kMaxShapes = 64, kMaxWaiting = 256;
constexpr char kIdEnd = '\x1f';

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsWordChar(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

size_t Digits(std::string_view s) {
  size_t n = 0;
  while (n < s.size() && IsDigit(s[n])) ++n;
  return n;
}

// Length of a time that `s` begins with, 0 for none: 2026-01-02, 01/02/2026, 10:11:12, 10:11:12,345, +01:00, Z behind a
// time, 1796000000.123, 12.345678, 17s.
size_t TimeLength(std::string_view s) {
  const size_t first = Digits(s);
  if (first == 0) return 0;
  const auto at = [&](size_t i) { return i < s.size() ? s[i] : '\0'; };
  const auto fraction = [&](size_t i) {
    if (at(i) != '.' && at(i) != ',') return i;
    const size_t n = Digits(s.substr(i + 1));
    return n == 0 ? i : i + 1 + n;
  };
  const auto ended = [&](size_t i) { return !IsWordChar(at(i)) || at(i) == 'T' || at(i) == 'Z'; };
  if ((first == 4 || first == 2) && (at(first) == '-' || at(first) == '/') && Digits(s.substr(first + 1)) == 2 &&
      at(first + 3) == at(first)) {
    const size_t n = Digits(s.substr(first + 4));
    if ((n == 2 || n == 4) && ended(first + 4 + n)) return first + 4 + n;
  }
  if (first <= 2 && at(first) == ':' && Digits(s.substr(first + 1)) == 2) {
    size_t i = first + 3;
    if (at(i) == ':' && Digits(s.substr(i + 1)) == 2) i = fraction(i + 3);
    if (ended(i)) return i;
  }
  const size_t end = fraction(first);
  if (end - first >= 4 && ended(end) && at(end) != '.') return end;  // seconds with three decimals and more
  if (first >= 10 && ended(first)) return first;                     // seconds or more since 1970
  if (at(end) == 's' && !IsWordChar(at(end + 1))) return end + 1;    // elapsed
  return 0;
}

template <size_t N>
bool IsOneOf(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view w) {
    return w.size() == word.size() && std::equal(w.begin(), w.end(), word.begin(), [](char a, char b) {
             return a == std::tolower(static_cast<unsigned char>(b));
           });
  });
}

bool IsLevel(std::string_view word) {
  constexpr std::array<std::string_view, 13> kLevels = {"trace",   "debug",  "info", "notice",   "warn",
                                                        "warning", "error",  "err",  "critical", "fatal",
                                                        "stdout",  "stderr", "crit"};
  return IsOneOf(word, kLevels);
}

bool IsCalendarWord(std::string_view word) {
  constexpr std::array<std::string_view, 22> kWords = {"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug",
                                                       "sep", "oct", "nov", "dec", "mon", "tue", "wed", "thu",
                                                       "fri", "sat", "sun", "utc", "t",   "z"};
  return IsOneOf(word, kWords);
}

size_t WordLength(std::string_view s) {
  size_t n = 0;
  while (n < s.size() && IsWordChar(s[n])) ++n;
  return n;
}

bool HasDigit(std::string_view s) { return std::any_of(s.begin(), s.end(), IsDigit); }

// Whether each id of the sequence is a number greater than the one before.
bool Counts(const std::vector<std::string>& values) {
  for (size_t i = 1; i < values.size(); ++i) {
    const std::string &a = values[i - 1], &b = values[i];
    if (a.empty() || b.empty() || Digits(a) != a.size() || Digits(b) != b.size()) return false;
    if (a.size() > b.size() || (a.size() == b.size() && a >= b)) return false;
  }
  return values.size() > 1;
}

std::vector<std::string> SplitIds(std::string_view ids) {
  std::vector<std::string> out;
  for (size_t from = 0; from < ids.size();) {
    const size_t end = ids.find(kIdEnd, from);
    out.emplace_back(ids.substr(from, end - from));
    from = end + 1;
  }
  return out;
}

}  // namespace

bool LearnedPrefixes::Tokenize(std::string_view prefix, std::vector<Token>* tokens, std::string* ids) {
  for (size_t i = 0; i < prefix.size();) {
    const std::string_view rest = prefix.substr(i);
    if (IsBlank(rest.front())) {
      tokens->push_back({Token::Kind::kBlanks, ""});
      while (i < prefix.size() && IsBlank(prefix[i])) ++i;
    } else if (const size_t time = TimeLength(rest); time > 0) {
      tokens->push_back({Token::Kind::kTime, ""});
      i += time;
    } else if (const size_t length = WordLength(rest); length > 0) {
      const std::string_view word = rest.substr(0, length);
      if (HasDigit(word)) {
        tokens->push_back({Token::Kind::kId, ""});
        ids->append(word).push_back(kIdEnd);
      } else if (IsLevel(word)) {
        tokens->push_back({Token::Kind::kLevel, ""});
      } else if (IsCalendarWord(word)) {
        tokens->push_back({Token::Kind::kTime, ""});
      } else {
        tokens->push_back({Token::Kind::kWord, std::string(word)});
      }
      i += length;
    } else {
      tokens->push_back({Token::Kind::kMark, std::string(1, rest.front())});
      ++i;
    }
  }
  return !tokens->empty();
}

bool LearnedPrefixes::MatchTokens(const std::vector<Token>& tokens, std::string_view line, std::string_view* rest,
                                  std::string* ids) {
  ids->clear();
  size_t i = 0;
  for (size_t t = 0; t < tokens.size(); ++t) {
    const Token& token = tokens[t];
    const std::string_view s = line.substr(i);
    switch (token.kind) {
      case Token::Kind::kBlanks:
        // At either end there may be none: numbers are right-aligned, and blanks behind the prefix are the row's own.
        if ((s.empty() || !IsBlank(s.front())) && t != 0 && t + 1 != tokens.size()) return false;
        while (i < line.size() && IsBlank(line[i])) ++i;
        break;
      case Token::Kind::kTime: {
        size_t length = TimeLength(s);
        if (length == 0 && IsCalendarWord(s.substr(0, WordLength(s)))) length = WordLength(s);
        if (length == 0) return false;
        i += length;
        break;
      }
      case Token::Kind::kLevel:
        if (!IsLevel(s.substr(0, WordLength(s)))) return false;
        i += WordLength(s);
        break;
      case Token::Kind::kId: {
        const std::string_view word = s.substr(0, WordLength(s));
        if (!HasDigit(word)) return false;
        ids->append(word).push_back(kIdEnd);
        i += word.size();
        break;
      }
      case Token::Kind::kWord:
      case Token::Kind::kMark:
        if (s.substr(0, token.text.size()) != token.text) return false;
        i += token.text.size();
        if (token.kind == Token::Kind::kWord && i < line.size() && IsWordChar(line[i])) return false;
        break;
    }
  }
  *rest = line.substr(i);
  return true;
}

std::optional<LearnedPrefixes::Hit> LearnedPrefixes::Match(std::string_view line, std::string_view outer_key) const {
  std::optional<Hit> best;
  std::string_view rest;
  std::string ids;
  for (size_t i = 0; i < shapes_.size(); ++i) {
    if (shapes_[i].outer_key != outer_key || !MatchTokens(shapes_[i].tokens, line, &rest, &ids)) continue;
    if (!best || rest.size() < best->rest.size()) best = Hit{i, rest, ids};
  }
  return best;
}

bool LearnedPrefixes::Learn(std::string_view prefix, std::string_view outer_key, Hit* hit) {
  if (prefix.size() > kMaxPrefix || Trim(prefix).empty() || prefix.find("AUTOTUNE") != std::string_view::npos)
    return false;
  // A quote or a word before the header: code that prints one, or prose.
  const char last = prefix.back();
  if (IsWordChar(last) || last == '\'' || last == '"' || last == '`' || last == '.' || last == '\\' || last == '(')
    return false;
  // The gutter of two logs side by side (diff -y): the other one is left of it.
  const std::string_view gutter = Trim(prefix);
  if (gutter.size() == 1 && std::string_view("<>|").find(gutter) != std::string_view::npos &&
      (prefix.find('\t') != std::string_view::npos || prefix.find("        ") != std::string_view::npos)) {
    return false;
  }
  Shape shape;
  shape.outer_key = std::string(outer_key);
  std::string ids;
  if (!Tokenize(prefix, &shape.tokens, &ids)) return false;
  for (const Token& token : shape.tokens)
    shape.key.append(1, static_cast<char>('0' + static_cast<int>(token.kind))).append(token.text);
  size_t i = 0;
  while (i < shapes_.size() && (shapes_[i].key != shape.key || shapes_[i].outer_key != shape.outer_key)) ++i;
  if (i == shapes_.size()) {
    if (shapes_.size() < kMaxShapes) {
      shapes_.push_back(std::move(shape));
    } else {  // the one that was not used for longest makes room
      i = static_cast<size_t>(std::min_element(shapes_.begin(), shapes_.end(),
                                               [](const Shape& a, const Shape& b) { return a.used < b.used; }) -
                              shapes_.begin());
      shapes_[i] = std::move(shape);
    }
  }
  shapes_[i].used = ++clock_;
  hit->shape = i;
  hit->ids = ids;
  return true;
}

// Whether the lines that wait show which ids are counters.
void LearnedPrefixes::Settle(Shape* shape, bool at_end) {
  const auto& waiting = shape->waiting;
  const bool only_headers =
      std::all_of(waiting.begin(), waiting.end(), [](const auto& w) { return w.second == Part::Kind::kHeader; });
  if (only_headers) return;
  const size_t ids = SplitIds(waiting.front().first.ids).size();
  const Waiting& newest = waiting.back().first;
  for (size_t i = 0; i + 1 < waiting.size(); ++i) {
    const bool headers = waiting[i].second == Part::Kind::kHeader && waiting.back().second == Part::Kind::kHeader;
    if (waiting[i].first.ids != newest.ids || headers) continue;
    shape->settled = true;
    shape->counters.assign(ids, false);
    return;
  }
  // One id that counts with every line, the others the same all the time; and only one table so far, for the first
  // lines of many ranks in order count as well.
  constexpr size_t kEnough = 6;
  if (waiting.size() < (at_end ? 2 : kEnough)) return;
  std::vector<bool> counters(ids);
  for (size_t column = 0; column < ids; ++column) {
    std::vector<std::string> values;
    for (const auto& w : waiting) values.push_back(SplitIds(w.first.ids)[column]);
    const bool constant =
        std::all_of(values.begin(), values.end(), [&](const std::string& v) { return v == values.front(); });
    if (!constant && !Counts(values)) return;
    counters[column] = !constant;
  }
  Part::Kind before = Part::Kind::kNone;
  for (const auto& w : waiting) {
    if (w.second == before && w.second != Part::Kind::kRow) return;
    before = w.second;
  }
  shape->settled = true;
  shape->counters = std::move(counters);
}

LearnedPrefixes::Verdict LearnedPrefixes::Add(const Hit& hit, Waiting line, Part::Kind kind) {
  Shape& shape = shapes_[hit.shape];
  shape.used = ++clock_;
  if (shape.settled) return Verdict::kSettled;
  if (shape.waiting.size() >= kMaxWaiting) shape.waiting.erase(shape.waiting.begin());
  line.ids = hit.ids;
  shape.waiting.emplace_back(std::move(line), kind);
  Settle(&shape, false);
  return shape.settled ? Verdict::kSettled : Verdict::kWait;
}

std::vector<LearnedPrefixes::Waiting> LearnedPrefixes::Take(size_t shape) {
  std::vector<Waiting> lines;
  for (auto& w : shapes_[shape].waiting) lines.push_back(std::move(w.first));
  shapes_[shape].waiting.clear();
  return lines;
}

std::vector<std::pair<size_t, std::vector<LearnedPrefixes::Waiting>>> LearnedPrefixes::TakeAll() {
  std::vector<std::pair<size_t, std::vector<Waiting>>> all;
  for (size_t i = 0; i < shapes_.size(); ++i) {
    Shape& shape = shapes_[i];
    if (shape.settled || shape.waiting.empty()) continue;
    Settle(&shape, true);
    if (shape.settled) all.emplace_back(i, Take(i));
  }
  return all;
}

std::optional<LearnedPrefixes::Waiting> LearnedPrefixes::TakeLoneHeader(uint64_t last, std::string_view outer_key) {
  for (Shape& shape : shapes_) {
    if (shape.settled || shape.waiting.size() != 1 || shape.waiting[0].second != Part::Kind::kHeader) continue;
    if (shape.waiting[0].first.last != last || shape.outer_key != outer_key) continue;
    Waiting header = std::move(shape.waiting[0].first);
    shape.waiting.clear();
    return header;
  }
  return std::nullopt;
}

std::string LearnedPrefixes::StreamOf(const Hit& hit) const {
  const Shape& shape = shapes_[hit.shape];
  std::string stream = std::to_string(hit.shape) + kIdEnd;
  const std::vector<std::string> ids = SplitIds(hit.ids);
  for (size_t i = 0; i < ids.size(); ++i) {
    if (i < shape.counters.size() && shape.counters[i]) continue;
    stream.append(ids[i]).push_back(kIdEnd);
  }
  return stream;
}

PrefixLabels LabelsOfPrefix(std::string_view prefix) {
  PrefixLabels labels;
  std::vector<std::string_view> named;
  for (size_t i = 0; i < prefix.size();) {
    const std::string_view rest = prefix.substr(i);
    if (const size_t time = TimeLength(rest); time > 0) {
      i += time;
      continue;
    }
    // A label's own punctuation stays in it: "worker-12", "node7/worker.3".
    size_t length = 0;
    while (length < rest.size() &&
           (IsWordChar(rest[length]) ||
            (length > 0 && std::string_view("-./@=:").find(rest[length]) != std::string_view::npos)))
      ++length;
    if (length == 0) {
      ++i;
      continue;
    }
    std::string_view word = rest.substr(0, length);
    i += length;
    while (!word.empty() && !IsWordChar(word.back())) word.remove_suffix(1);
    const bool letters =
        std::any_of(word.begin(), word.end(), [](char c) { return std::isalpha(static_cast<unsigned char>(c)); });
    if (letters && HasDigit(word)) named.push_back(word);
  }
  for (std::string_view word : named) {
    std::string lower(word);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
    for (std::string_view mark : {"rank", "_tp"}) {
      const size_t at = lower.rfind(mark);
      if (at == std::string::npos) continue;
      size_t digits = at + mark.size();
      while (digits < lower.size() && std::string_view("=:_-").find(lower[digits]) != std::string_view::npos) ++digits;
      const size_t count = Digits(std::string_view(lower).substr(digits));
      if (count > 0 && digits + count == lower.size()) labels.rank = lower.substr(digits);
    }
  }
  const bool only_rank = named.size() == 1 && !labels.rank.empty() && named[0].size() <= labels.rank.size() + 5;
  if (named.size() == 1 && !only_rank) labels.process = std::string(named[0]);
  return labels;
}

}  // namespace autotune
