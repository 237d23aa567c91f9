// How the patterns of the line rules (evidence, secrets) are compiled, and the templates filled from their groups.
#pragma once

#include <re2/re2.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/text.h"

namespace autotune {

// Over bytes: a log need not be UTF-8. Memory is bounded a pattern, since a dense log may use many at once and the
// whole program has 32 MiB; RE2 falls back to its slower engines where that is too little.
inline RE2::Options LinePatternOptions() {
  RE2::Options options;
  options.set_encoding(RE2::Options::EncodingLatin1);
  options.set_log_errors(false);
  options.set_max_mem(1 << 20);
  return options;
}

// "vllm.factor.{name}" -> text, group, text ...
struct TemplatePart {
  std::string text;
  bool is_group = false;  // `text` is a group's name
};

// nullopt: a brace without its partner, or an empty name.
inline std::optional<std::vector<TemplatePart>> ParseTemplate(std::string_view text) {
  std::vector<TemplatePart> parts;
  const auto literal = [&](char c) {
    if (parts.empty() || parts.back().is_group) parts.push_back({});
    parts.back().text += c;
  };
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((c == '{' || c == '}') && i + 1 < text.size() && text[i + 1] == c) {
      literal(c);
      ++i;
    } else if (c == '{') {
      const size_t close = text.find('}', i);
      if (close == std::string_view::npos || close == i + 1) return std::nullopt;
      parts.push_back({std::string(text.substr(i + 1, close - i - 1)), true});
      i = close;
    } else if (c == '}') {
      return std::nullopt;
    } else {
      literal(c);
    }
  }
  return parts;
}

}  // namespace autotune
