// Hashes of plain Python values as graph-cache listings print them.
//
//   [esstihe2nyydk4mhzpvox3qkajyu5y5t23hk3fi2me7jn75xi3o] inductor_config[max_autotune]: False
//
// The hash is base32(sha256(pickle)), 51 characters. Facts: torch/_inductor/codecache.py (FxGraphCachePickler),
// torch 2.6 to 2.15: the C pickler in fast mode (no memo), protocol 4 up to Python 3.13 and 5 from 3.14 on, body framed
// when it has at least 4 bytes. torch 2.4 and 2.5 memoize strings and are not covered; nor are sets, and values over 64
// KiB.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace autotune {

struct PyValue {
  enum class Kind { kNone, kBool, kInt, kFloat, kStr, kBytes, kTuple, kList, kDict };
  Kind kind = Kind::kNone;
  bool boolean = false;
  int64_t integer = 0;
  double number = 0;
  std::string text;            // kStr (UTF-8), kBytes
  std::vector<PyValue> items;  // kTuple, kList; kDict: key, value, key, value
  static PyValue None() { return {}; }
  static PyValue Bool(bool v);
  static PyValue Int(int64_t v);
  static PyValue Float(double v);
  static PyValue Str(std::string v);
  static PyValue Bytes(std::string v);
  static PyValue Tuple(std::vector<PyValue> v);
  static PyValue List(std::vector<PyValue> v);
  static PyValue Dict(std::vector<std::pair<PyValue, PyValue>> v);
};

// The whole pickle. `protocol` 4 or 5.
std::string Pickle(const PyValue& value, int protocol);
// The 51 characters that stand in brackets.
std::string ComponentHash(const PyValue& value, int protocol);

// Reads Python's repr of a plain value ("('none', True, 0.8)", "{'name': 'NVIDIA H200'}"); empty when it is none.
std::optional<PyValue> ParsePyLiteral(std::string_view text);

// What a listing's value really is. Listings print strings without quotes, so "None" may be None or 'None' and only the
// hash tells. Tries the literal reading, then the text itself, in both protocols; empty when neither gives `hash`.
struct ListedValue {
  PyValue value;
  int protocol = 4;  // 4: Python <= 3.13, 5: Python >= 3.14
};
std::optional<ListedValue> IdentifyListed(std::string_view hash, std::string_view printed);

}  // namespace autotune
