// Writes JSON text: small, fast, no tree. Invalid UTF-8 becomes U+FFFD, so the output is always valid JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace autotune {

// Appends `s` as a quoted JSON string.
void AppendJsonString(std::string_view s, std::string* out);
// Appends the shortest text that reads back as `value`; non-finite values become null.
void AppendJsonNumber(double value, std::string* out);

// A writer that knows where commas go.
//   JsonWriter w(&out);  w.BeginObject(); w.Key("op").String("mm"); w.Key("line").Int(3); w.EndObject();
class JsonWriter {
 public:
  explicit JsonWriter(std::string* out) : out_(out) {}
  JsonWriter& BeginObject() { return Open('{'); }
  JsonWriter& EndObject() { return Close('}'); }
  JsonWriter& BeginArray() { return Open('['); }
  JsonWriter& EndArray() { return Close(']'); }
  JsonWriter& Key(std::string_view key);
  JsonWriter& String(std::string_view value);
  JsonWriter& Int(int64_t value);
  JsonWriter& Number(double value);
  JsonWriter& Bool(bool value);
  JsonWriter& Null();
  JsonWriter& OptString(const std::optional<std::string>& v) { return v ? String(*v) : Null(); }
  JsonWriter& OptInt(const std::optional<int64_t>& v) { return v ? Int(*v) : Null(); }
  JsonWriter& OptLine(const std::optional<uint64_t>& v) { return v ? Int(static_cast<int64_t>(*v)) : Null(); }
  JsonWriter& OptNumber(const std::optional<double>& v) { return v ? Number(*v) : Null(); }

 private:
  JsonWriter& Open(char c);
  JsonWriter& Close(char c);
  void Separate();

  std::string* out_;
  bool comma_ = false;  // a comma is due before the next value or key
};

}  // namespace autotune
