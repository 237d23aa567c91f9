#include "analyzer/identity/pickle_key.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "analyzer/base/digest.h"

namespace autotune {
namespace {

constexpr size_t kBatch = 1000;  // pickle's _BATCHSIZE for lists and dictionaries

void Little(uint64_t value, int bytes, std::string* out) {
  for (int i = 0; i < bytes; ++i) out->push_back(static_cast<char>(value >> (8 * i) & 0xff));
}

void Counted(std::string_view bytes, char short_code, char long_code, std::string* out) {
  bool is_short = bytes.size() <= 255;
  out->push_back(is_short ? short_code : long_code);
  Little(bytes.size(), is_short ? 1 : 4, out);
  out->append(bytes);
}

void Integer(int64_t value, std::string* out) {
  if (value >= 0 && value <= 0xff) {
    out->push_back('K');
    Little(static_cast<uint64_t>(value), 1, out);
  } else if (value >= 0 && value <= 0xffff) {
    out->push_back('M');
    Little(static_cast<uint64_t>(value), 2, out);
  } else if (value >= std::numeric_limits<int32_t>::min() && value <= std::numeric_limits<int32_t>::max()) {
    out->push_back('J');
    Little(static_cast<uint64_t>(value), 4, out);
  } else {  // LONG1: the shortest two's complement that keeps the sign
    int bytes = 8;
    while (bytes > 1) {
      int64_t rest = value >> (8 * (bytes - 1));
      bool sign = (value >> (8 * (bytes - 1) - 1) & 1) != 0;
      if ((rest == 0 && !sign) || (rest == -1 && sign)) {
        --bytes;
      } else {
        break;
      }
    }
    out->push_back('\x8a');
    out->push_back(static_cast<char>(bytes));
    Little(static_cast<uint64_t>(value), bytes, out);
  }
}

void Body(const PyValue& value, std::string* out);

// Items of a list (`width` 1) or pairs of a dictionary (`width` 2) in groups of 1000, as the C pickler does for exact
// lists and dictionaries: only a container of one element uses the single opcode, and a dictionary whose last group is
// full is followed by an empty group.
void Batches(const std::vector<PyValue>& items, size_t width, char single, char plural, std::string* out) {
  if (items.empty()) return;
  if (items.size() == width) {
    for (const PyValue& item : items) Body(item, out);
    out->push_back(single);
    return;
  }
  size_t begin = 0, step = kBatch * width;
  bool full = true;
  while (begin < items.size() || (width == 2 && full)) {
    size_t end = std::min(items.size(), begin + step);
    full = end - begin == step;
    out->push_back('(');
    for (; begin < end; ++begin) Body(items[begin], out);
    out->push_back(plural);
  }
}

void Body(const PyValue& value, std::string* out) {
  switch (value.kind) {
    case PyValue::Kind::kNone:
      out->push_back('N');
      break;
    case PyValue::Kind::kBool:
      out->push_back(value.boolean ? '\x88' : '\x89');
      break;
    case PyValue::Kind::kInt:
      Integer(value.integer, out);
      break;
    case PyValue::Kind::kFloat: {
      uint64_t bits;
      std::memcpy(&bits, &value.number, sizeof bits);
      out->push_back('G');
      for (int i = 7; i >= 0; --i) out->push_back(static_cast<char>(bits >> (8 * i) & 0xff));
      break;
    }
    case PyValue::Kind::kStr:
      Counted(value.text, '\x8c', 'X', out);
      break;
    case PyValue::Kind::kBytes:
      Counted(value.text, 'C', 'B', out);
      break;
    case PyValue::Kind::kTuple: {
      size_t n = value.items.size();
      if (n == 0) {
        out->push_back(')');
        break;
      }
      if (n > 3) out->push_back('(');
      for (const PyValue& item : value.items) Body(item, out);
      out->push_back(n == 1 ? '\x85' : n == 2 ? '\x86' : n == 3 ? '\x87' : 't');
      break;
    }
    case PyValue::Kind::kList:
      out->push_back(']');
      Batches(value.items, 1, 'a', 'e', out);
      break;
    case PyValue::Kind::kDict:
      out->push_back('}');
      Batches(value.items, 2, 's', 'u', out);
      break;
  }
}

// A reader of Python literals: what repr() prints for plain values.
class Literal {
 public:
  explicit Literal(std::string_view text) : text_(text) {}

  std::optional<PyValue> Whole() {
    std::optional<PyValue> value = Value(0);
    Blanks();
    if (!value || !text_.empty()) return std::nullopt;
    return value;
  }

 private:
  void Blanks() {
    while (!text_.empty() && text_[0] == ' ') text_.remove_prefix(1);
  }
  bool Take(std::string_view word) {
    if (text_.substr(0, word.size()) != word) return false;
    text_.remove_prefix(word.size());
    return true;
  }

  std::optional<PyValue> Value(int depth) {
    Blanks();
    if (text_.empty() || depth > 64) return std::nullopt;
    if (Take("None")) return PyValue::None();
    if (Take("True")) return PyValue::Bool(true);
    if (Take("False")) return PyValue::Bool(false);
    switch (text_[0]) {
      case '(':
        return Sequence(PyValue::Kind::kTuple, ')', depth);
      case '[':
        return Sequence(PyValue::Kind::kList, ']', depth);
      case '{':
        return Sequence(PyValue::Kind::kDict, '}', depth);
      case '\'':
      case '"':
        return String();
      default:
        return Number();
    }
  }

  std::optional<PyValue> Sequence(PyValue::Kind kind, char close, int depth) {
    PyValue out;
    out.kind = kind;
    text_.remove_prefix(1);
    bool comma = true, any_comma = false;
    while (true) {
      Blanks();
      if (Take(std::string_view(&close, 1))) break;
      if (!comma) return std::nullopt;
      for (int part = 0; part < (kind == PyValue::Kind::kDict ? 2 : 1); ++part) {
        std::optional<PyValue> item = Value(depth + 1);
        if (!item) return std::nullopt;
        out.items.push_back(*std::move(item));
        Blanks();
        if (kind == PyValue::Kind::kDict && part == 0 && !Take(":")) return std::nullopt;
      }
      comma = Take(",");
      any_comma = any_comma || comma;
    }
    bool parenthesised = kind == PyValue::Kind::kTuple && out.items.size() == 1 && !any_comma;
    if (parenthesised) return std::nullopt;  // "(1)" is no tuple, and repr never prints it
    return out;
  }

  std::optional<PyValue> String() {
    char quote = text_[0];
    text_.remove_prefix(1);
    std::string out;
    while (!text_.empty() && text_[0] != quote) {
      char c = text_[0];
      text_.remove_prefix(1);
      if (c != '\\') {
        out.push_back(c);
        continue;
      }
      if (text_.empty()) return std::nullopt;
      char escaped = text_[0];
      text_.remove_prefix(1);
      switch (escaped) {
        case 'n':
          out.push_back('\n');
          break;
        case 'r':
          out.push_back('\r');
          break;
        case 't':
          out.push_back('\t');
          break;
        case '\\':
        case '\'':
        case '"':
          out.push_back(escaped);
          break;
        default:
          return std::nullopt;  // \x.., \u....: not plain enough to be sure of the bytes
      }
    }
    if (!Take(std::string_view(&quote, 1))) return std::nullopt;
    return PyValue::Str(std::move(out));
  }

  std::optional<PyValue> Number() {
    size_t length = std::min(text_.find_first_not_of("+-.0123456789eEinfa"), text_.size());
    std::string word(text_.substr(0, length));
    if (word.empty()) return std::nullopt;
    char* end = nullptr;
    if (word.find_first_not_of("-0123456789") == std::string::npos) {
      errno = 0;
      int64_t value = std::strtoll(word.c_str(), &end, 10);
      if (errno != 0 || *end != '\0' || word == "-") return std::nullopt;
      text_.remove_prefix(length);
      return PyValue::Int(value);
    }
    double value = std::strtod(word.c_str(), &end);
    if (*end != '\0') return std::nullopt;
    text_.remove_prefix(length);
    return PyValue::Float(value);
  }

  std::string_view text_;
};

}  // namespace

PyValue PyValue::Bool(bool v) {
  PyValue out;
  out.kind = Kind::kBool;
  out.boolean = v;
  return out;
}
PyValue PyValue::Int(int64_t v) {
  PyValue out;
  out.kind = Kind::kInt;
  out.integer = v;
  return out;
}
PyValue PyValue::Float(double v) {
  PyValue out;
  out.kind = Kind::kFloat;
  out.number = v;
  return out;
}
PyValue PyValue::Str(std::string v) {
  PyValue out;
  out.kind = Kind::kStr;
  out.text = std::move(v);
  return out;
}
PyValue PyValue::Bytes(std::string v) {
  PyValue out = Str(std::move(v));
  out.kind = Kind::kBytes;
  return out;
}
PyValue PyValue::Tuple(std::vector<PyValue> v) {
  PyValue out;
  out.kind = Kind::kTuple;
  out.items = std::move(v);
  return out;
}
PyValue PyValue::List(std::vector<PyValue> v) {
  PyValue out = Tuple(std::move(v));
  out.kind = Kind::kList;
  return out;
}
PyValue PyValue::Dict(std::vector<std::pair<PyValue, PyValue>> v) {
  PyValue out;
  out.kind = Kind::kDict;
  for (auto& [key, value] : v) {
    out.items.push_back(std::move(key));
    out.items.push_back(std::move(value));
  }
  return out;
}

std::string Pickle(const PyValue& value, int protocol) {
  std::string body;
  Body(value, &body);
  body.push_back('.');
  std::string out = {'\x80', static_cast<char>(protocol)};
  if (body.size() >= 4) {
    out.push_back('\x95');
    Little(body.size(), 8, &out);
  }
  return out + body;
}

std::string ComponentHash(const PyValue& value, int protocol) { return Sha256Base32(Pickle(value, protocol)); }

std::optional<PyValue> ParsePyLiteral(std::string_view text) { return Literal(text).Whole(); }

std::optional<ListedValue> IdentifyListed(std::string_view hash, std::string_view printed) {
  std::vector<PyValue> readings;
  if (std::optional<PyValue> literal = ParsePyLiteral(printed)) readings.push_back(*std::move(literal));
  readings.push_back(PyValue::Str(std::string(printed)));
  for (const PyValue& reading : readings) {
    for (int protocol : {4, 5}) {
      if (ComponentHash(reading, protocol) == hash) return ListedValue{reading, protocol};
    }
  }
  return std::nullopt;
}

}  // namespace autotune
