#include "analyzer/base/json_writer.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <iterator>

namespace autotune {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

// Bytes that go out as they are: printable ASCII but for the two that JSON escapes.
constexpr std::array<bool, 256> PlainBytes() {
  std::array<bool, 256> plain{};
  for (size_t c = 0x20; c < 0x80; ++c) plain[c] = c != '"' && c != '\\';
  return plain;
}
constexpr std::array<bool, 256> kPlain = PlainBytes();

void AppendEscape(unsigned char c, std::string* out) {
  switch (c) {
    case '"':
      *out += "\\\"";
      return;
    case '\\':
      *out += "\\\\";
      return;
    case '\n':
      *out += "\\n";
      return;
    case '\r':
      *out += "\\r";
      return;
    case '\t':
      *out += "\\t";
      return;
    case '\b':
      *out += "\\b";
      return;
    case '\f':
      *out += "\\f";
      return;
    default:
      fmt::format_to(std::back_inserter(*out), "\\u{:04x}", c);
  }
}

struct Sequence {
  size_t length;  // bytes to step over, at least 1
  bool valid;
};

// The UTF-8 sequence at the start of `s` (Unicode 15, table 3-7). Of an invalid one the longest part that could have
// begun a valid one is stepped over, so that each cut character becomes one U+FFFD, as Python's errors="replace" has
// it.
Sequence Utf8At(std::string_view s) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(s[i]); };
  const unsigned char lead = byte(0);
  size_t length = 0;
  unsigned char low = 0x80, high = 0xBF;  // bounds of the second byte
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3;
    if (lead == 0xE0) low = 0xA0;   // overlong
    if (lead == 0xED) high = 0x9F;  // surrogates
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4;
    if (lead == 0xF0) low = 0x90;   // overlong
    if (lead == 0xF4) high = 0x8F;  // beyond U+10FFFF
  } else {
    return {1, false};
  }
  for (size_t i = 1; i < length; ++i) {
    if (i >= s.size() || byte(i) < low || byte(i) > high) return {i, false};
    low = 0x80;
    high = 0xBF;
  }
  return {length, true};
}

}  // namespace

void AppendJsonString(std::string_view s, std::string* out) {
  out->push_back('"');
  size_t start = 0;  // of the run that needs no change
  size_t i = 0;
  while (i < s.size()) {
    const unsigned char c = static_cast<unsigned char>(s[i]);
    if (kPlain[c]) {
      ++i;
      continue;
    }
    if (c >= 0x80) {
      const Sequence sequence = Utf8At(s.substr(i));
      if (!sequence.valid) {
        out->append(s, start, i - start);
        out->append(kReplacement);
        start = i + sequence.length;
      }
      i += sequence.length;
      continue;
    }
    out->append(s, start, i - start);
    AppendEscape(c, out);
    start = ++i;
  }
  out->append(s, start, i - start);
  out->push_back('"');
}

void AppendJsonNumber(double value, std::string* out) {
  if (!std::isfinite(value)) {
    *out += "null";
    return;
  }
  fmt::format_to(std::back_inserter(*out), "{}", value);
}

JsonWriter& JsonWriter::Key(std::string_view key) {
  Separate();
  AppendJsonString(key, out_);
  out_->push_back(':');
  comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::String(std::string_view value) {
  Separate();
  AppendJsonString(value, out_);
  return *this;
}

JsonWriter& JsonWriter::Int(int64_t value) {
  Separate();
  const fmt::format_int text(value);
  out_->append(text.data(), text.size());
  return *this;
}

JsonWriter& JsonWriter::Number(double value) {
  Separate();
  AppendJsonNumber(value, out_);
  return *this;
}

JsonWriter& JsonWriter::Bool(bool value) {
  Separate();
  *out_ += value ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::Null() {
  Separate();
  *out_ += "null";
  return *this;
}

JsonWriter& JsonWriter::Open(char c) {
  Separate();
  out_->push_back(c);
  comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::Close(char c) {
  out_->push_back(c);
  comma_ = true;
  return *this;
}

void JsonWriter::Separate() {
  if (comma_) out_->push_back(',');
  comma_ = true;
}

}  // namespace autotune
