#include "analyzer/identity/code_key.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <initializer_list>

#include "analyzer/base/digest.h"

namespace autotune {
namespace {

constexpr std::string_view kBase32Alphabet = "abcdefghijklmnopqrstuvwxyz234567";

// Length in bytes of the white space character that `text` starts with, 0 when it starts with another. The set is
// Python's str.isspace().
size_t BlankAtStart(std::string_view text) {
  if (text.empty()) return 0;
  auto c = static_cast<unsigned char>(text[0]);
  if ((c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x20)) return 1;
  for (std::string_view blank : {"\xc2\x85", "\xc2\xa0", "\xe1\x9a\x80", "\xe2\x80\xa8", "\xe2\x80\xa9", "\xe2\x80\xaf",
                                 "\xe2\x81\x9f", "\xe3\x80\x80"}) {
    if (text.substr(0, blank.size()) == blank) return blank.size();
  }
  bool en_quad_to_hair_space = text.size() >= 3 && text.substr(0, 2) == "\xe2\x80" &&
                               static_cast<unsigned char>(text[2]) >= 0x80 &&
                               static_cast<unsigned char>(text[2]) <= 0x8a;
  return en_quad_to_hair_space ? 3 : 0;
}

size_t BlankAtEnd(std::string_view text) {
  for (size_t length : {size_t{1}, size_t{2}, size_t{3}}) {
    if (length <= text.size() && BlankAtStart(text.substr(text.size() - length)) == length) return length;
  }
  return 0;
}

bool AllOf(std::string_view text, std::string_view set) {
  return text.find_first_not_of(set) == std::string_view::npos;
}

std::string ReplaceAll(std::string_view text, std::string_view from, std::string_view to) {
  std::string out;
  out.reserve(text.size());
  while (true) {
    size_t at = text.find(from);
    out.append(text.substr(0, at));
    if (at == std::string_view::npos) return out;
    out.append(to);
    text.remove_prefix(at + from.size());
  }
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

}  // namespace

std::string CodeHash20(std::string_view code, std::string_view extra) {
  return CodeHash(std::string(code) + std::string(extra));
}

std::string_view PythonStrip(std::string_view text) {
  while (size_t blank = BlankAtStart(text)) text.remove_prefix(blank);
  while (size_t blank = BlankAtEnd(text)) text.remove_suffix(blank);
  return text;
}

std::string PythonRepr(std::string_view text) {
  bool single = text.find('\'') != std::string_view::npos, twofold = text.find('"') != std::string_view::npos;
  char quote = single && !twofold ? '"' : '\'';
  std::string out(1, quote);
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (c == quote || c == '\\') {
      out.push_back('\\');
      out.push_back(c);
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c == '\t') {
      out += "\\t";
    } else if (byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out.push_back(c);
    }
  }
  out.push_back(quote);
  return out;
}

std::string CachedPath(std::string_view stem, std::string_view extension) {
  return fmt::format("{}/{}.{}", stem.size() < 3 ? std::string_view() : stem.substr(1, 2), stem, extension);
}

bool IsCodeHash(std::string_view text) { return text.size() == 52 && text[0] == 'c' && AllOf(text, kBase32Alphabet); }

std::string TritonExtra(std::string_view description) { return ReplaceAll(description, ", ", "-") + "-"; }

std::string TritonDescription(std::string_view extra) {
  if (!extra.empty() && extra.back() == '-') extra.remove_suffix(1);
  return ReplaceAll(extra, "-", ", ");
}

std::string TritonSourceHash(std::string_view source, std::string_view description) {
  return CodeHash(PythonStrip(source), description.empty() ? std::string() : TritonExtra(description));
}

std::optional<TritonGeneration> TritonFolderGeneration(std::string_view folder) {
  constexpr std::string_view kHexDigits = "0123456789abcdef";
  if (folder.size() == 32 && AllOf(folder, kHexDigits)) return TritonGeneration::kMd5;
  if (folder.size() == 64 && AllOf(folder, kHexDigits)) return TritonGeneration::kHex;
  if (folder.size() == 52 && AllOf(folder, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")) return TritonGeneration::kBase32;
  return std::nullopt;
}

const char* TritonGenerationName(TritonGeneration generation) {
  switch (generation) {
    case TritonGeneration::kMd5:
      return "triton <= 2.3";
    case TritonGeneration::kHex:
      return "triton 3.0 - 3.2";
    case TritonGeneration::kBase32:
      return "triton >= 3.3";
  }
  return "";
}

std::string TritonFolderName(std::string_view hex, TritonGeneration generation) {
  if (hex.size() % 2 != 0 || hex.empty()) return "";
  std::string out;
  uint32_t bits = 0, held = 0;
  for (size_t i = 0; i < hex.size(); i += 2) {
    int high = HexDigit(hex[i]), low = HexDigit(hex[i + 1]);
    if (high < 0 || low < 0) return "";
    bits = bits << 8 | static_cast<uint32_t>(high << 4 | low);
    for (held += 8; held >= 5; held -= 5) out.push_back(kBase32Alphabet[bits >> (held - 5) & 31]);
  }
  if (generation != TritonGeneration::kBase32) return std::string(hex);
  if (held > 0) out.push_back(kBase32Alphabet[bits << (5 - held) & 31]);
  for (char& c : out) c = static_cast<char>(c >= 'a' ? c - 'a' + 'A' : c);
  return out;
}

std::string TritonKeyVersion(std::string_view triton_key) {
  std::string_view first = triton_key.substr(0, triton_key.find('-'));
  if (first.size() <= 64 || !AllOf(first.substr(first.size() - 64), "0123456789abcdef")) return "";
  return std::string(first.substr(0, first.size() - 64));
}

}  // namespace autotune
