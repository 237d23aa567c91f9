#include "analyzer/rule/json_fault.h"

#include <simdjson.h>

#include <algorithm>
#include <optional>

namespace autotune {
namespace {

// As simdjson's own limit; a rule is some five deep.
constexpr int kMaxDepth = 1024;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsHex(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

// A recursive descent over RFC 8259 that stops at the first fault. Each function returns false once `fault_` is set.
class FaultFinder {
 public:
  explicit FaultFinder(std::string_view text) : text_(text) {}

  JsonFault Find() {
    SkipBlanks();
    if (Value(0)) {
      SkipBlanks();
      if (at_ < text_.size()) {
        Fail("unexpected text behind the end of the rule", "one file holds one rule: one { ... }");
      } else {
        NotUtf8();
      }
    }
    return *fault_;
  }

 private:
  bool Fail(std::string message, std::string fix = "") { return FailAt(at_, std::move(message), std::move(fix)); }
  bool FailAt(size_t offset, std::string message, std::string fix = "") {
    if (!fault_) fault_ = JsonFault{offset, std::move(message), std::move(fix)};
    return false;
  }

  // All that is left once the grammar holds: the first line that is not UTF-8, at its first byte beyond ASCII.
  void NotUtf8() {
    for (size_t start = 0; start < text_.size();) {
      const size_t end = std::min(text_.find('\n', start), text_.size());
      const std::string_view line = text_.substr(start, end - start);
      if (!simdjson::validate_utf8(line.data(), line.size())) {
        const auto byte =
            std::find_if(line.begin(), line.end(), [](char c) { return static_cast<signed char>(c) < 0; });
        FailAt(start + static_cast<size_t>(byte - line.begin()), "not UTF-8", "save the file as UTF-8");
        return;
      }
      start = end + 1;
    }
    Fail("the JSON parser refuses this text");
  }

  char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool Take(char c) {
    if (Peek() != c || at_ >= text_.size()) return false;
    ++at_;
    return true;
  }
  void SkipBlanks() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
  }

  bool Value(int depth) {
    if (depth > kMaxDepth) return Fail("nested too deep");
    if (at_ >= text_.size()) return Fail("the text ends where a value should stand", "close what was opened");
    const char c = Peek();
    if (c == '{') return Object(depth);
    if (c == '[') return Array(depth);
    if (c == '"') return String();
    if (c == '-' || IsDigit(c)) return Number();
    for (const std::string_view word : {"true", "false", "null"}) {
      if (text_.substr(at_).substr(0, word.size()) == word) {
        at_ += word.size();
        return true;
      }
    }
    if (c == '\'') return Fail("strings stand in double quotes", "write \" instead of '");
    if (c == '/' || c == '#') return NoComments();
    if (c == '}' || c == ']') return Fail("expected a value", "take out the comma before it");
    return Fail("expected a value: \"text\", a number, true, false, null, [ or {");
  }

  bool Object(int depth) {
    ++at_;
    SkipBlanks();
    if (Take('}')) return true;
    while (true) {
      if (Peek() == '}') return Fail("expected a key", "take out the comma before it");
      if (Peek() == '/' || Peek() == '#') return NoComments();
      if (Peek() != '"') return Fail("expected a key in double quotes");
      if (!String()) return false;
      SkipBlanks();
      if (!Take(':')) return Fail("expected \":\" behind the key");
      SkipBlanks();
      if (!Value(depth + 1)) return false;
      SkipBlanks();
      if (Take('}')) return true;
      if (!Take(',')) return Separator('}');
      SkipBlanks();
    }
  }

  bool Array(int depth) {
    ++at_;
    SkipBlanks();
    if (Take(']')) return true;
    while (true) {
      if (!Value(depth + 1)) return false;
      SkipBlanks();
      if (Take(']')) return true;
      if (!Take(',')) return Separator(']');
      SkipBlanks();
    }
  }

  bool NoComments() { return Fail("JSON has no comments", "say it in \"why\""); }

  bool Separator(char close) {
    return Fail(std::string("expected \",\" or \"") + close + "\"",
                at_ >= text_.size() ? "close what was opened" : "a comma is missing before it");
  }

  bool String() {
    const size_t open = at_++;
    while (at_ < text_.size()) {
      const unsigned char c = static_cast<unsigned char>(text_[at_]);
      if (c == '"') {
        ++at_;
        return true;
      }
      if (c == '\n' || c == '\r') return FailAt(open, "this string has no closing quote on its line");
      if (c < 0x20) return Fail("a control character in a string", "write it as \\t or \\u0000");
      if (c == '\\' && !Escape()) return false;
      if (c != '\\') ++at_;
    }
    return FailAt(open, "this string has no closing quote");
  }

  bool Escape() {
    const size_t backslash = at_++;
    const char c = Peek();
    if (c == 'u') {
      for (int i = 1; i <= 4; ++i) {
        if (at_ + i >= text_.size() || !IsHex(text_[at_ + i])) return FailAt(backslash, "\\u needs four hex digits");
      }
      at_ += 5;
      return true;
    }
    if (at_ < text_.size() && std::string_view("\"\\/bfnrt").find(c) != std::string_view::npos) {
      ++at_;
      return true;
    }
    return FailAt(backslash, "JSON has no such escape", "in a pattern each backslash is written twice: \"\\\\d\"");
  }

  bool Number() {
    Take('-');
    if (!IsDigit(Peek())) return Fail("expected a digit");
    if (Take('0')) {
      if (IsDigit(Peek())) return Fail("a number has no leading zero");
    } else {
      while (IsDigit(Peek())) ++at_;
    }
    if (Take('.')) {
      if (!IsDigit(Peek())) return Fail("expected a digit");
      while (IsDigit(Peek())) ++at_;
    }
    if (Take('e') || Take('E')) {
      if (!Take('+')) Take('-');
      if (!IsDigit(Peek())) return Fail("expected a digit");
      while (IsDigit(Peek())) ++at_;
    }
    return true;
  }

  std::string_view text_;
  size_t at_ = 0;
  std::optional<JsonFault> fault_;
};

}  // namespace

JsonFault FindJsonFault(std::string_view text) { return FaultFinder(text).Find(); }

}  // namespace autotune
