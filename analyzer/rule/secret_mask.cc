// SecretMask of rule/matcher.h.
#include <re2/re2.h>

#include <algorithm>
#include <mutex>

#include "analyzer/rule/line_program.h"
#include "analyzer/rule/matcher.h"
#include "analyzer/rule/pattern.h"

namespace autotune {
namespace {

constexpr std::string_view kMask = "****";

// "(?:a)|(?:b)": one automaton that says whether any is worth running.
std::string Any(const std::vector<std::string>& patterns) {
  std::string any;
  for (const std::string& pattern : patterns) any += (any.empty() ? "(?:" : "|(?:") + pattern + ")";
  return any;
}

// Groups would clash in the alternation above, and are of no use there.
std::string WithoutName(std::string pattern) {
  for (size_t at; (at = pattern.find("(?P<secret>")) != std::string::npos;) pattern.replace(at, 11, "(?:");
  return pattern;
}

// Each match, or its group "secret", becomes the mask.
std::string Replace(const RE2& re, std::string_view text) {
  const auto& names = re.NamedCapturingGroups();
  const auto named = names.find("secret");
  const int group = named == names.end() ? 0 : named->second;
  std::vector<re2::StringPiece> pieces(static_cast<size_t>(group) + 1);
  std::string out;
  size_t done = 0, start = 0;
  while (start <= text.size() && re.Match(ToRe2(text), start, text.size(), RE2::UNANCHORED, pieces.data(), group + 1)) {
    const re2::StringPiece& secret = pieces[static_cast<size_t>(group)];
    const auto match_end = static_cast<size_t>(pieces[0].data() - text.data()) + pieces[0].size();
    if (secret.data() && !secret.empty()) {
      const auto begin = static_cast<size_t>(secret.data() - text.data());
      out.append(text, done, begin - done);
      out.append(kMask);
      done = begin + secret.size();
    }
    start = std::max(match_end, start + 1);
  }
  out.append(text, done, text.size() - done);
  return out;
}

}  // namespace

struct SecretMask::Impl {
  explicit Impl(const std::vector<SecretRule>& secrets) {
    for (const SecretRule& rule : secrets) {
      names.insert(names.end(), rule.names.begin(), rule.names.end());
      values.insert(values.end(), rule.values.begin(), rule.values.end());
    }
  }

  // At the first value seen: a log without evidence pays nothing.
  void Prepare() {
    const RE2::Options options = LinePatternOptions();
    std::vector<std::string> unnamed;
    for (const std::string& value : values) {
      unnamed.push_back(WithoutName(value));
    }
    any_name = std::make_unique<RE2>(ToRe2(Any(names)), options);
    any_value = std::make_unique<RE2>(ToRe2(Any(unnamed)), options);
  }

  void PrepareEach() {
    for (const std::string& value : values) {
      each_value.push_back(std::make_unique<RE2>(ToRe2(value), LinePatternOptions()));
    }
  }

  std::vector<std::string> names, values;
  std::once_flag prepared, each_prepared;
  std::unique_ptr<RE2> any_name, any_value;
  std::vector<std::unique_ptr<RE2>> each_value;
};

SecretMask::SecretMask(const RuleSet& rules)
    : impl_(rules.line_program ? rules.line_program->mask.impl_ : std::make_shared<Impl>(rules.secrets)) {}
SecretMask::SecretMask(const std::vector<SecretRule>& secrets) : impl_(std::make_shared<Impl>(secrets)) {}
SecretMask::~SecretMask() = default;

std::string SecretMask::Mask(std::string_view setting, std::string_view value) const {
  Impl& m = *impl_;
  if (value.empty()) return "";
  std::call_once(m.prepared, [&m] { m.Prepare(); });
  if (!setting.empty() && !m.names.empty() && RE2::FullMatch(ToRe2(setting), *m.any_name)) return std::string(kMask);
  if (m.values.empty() || !RE2::PartialMatch(ToRe2(value), *m.any_value)) return std::string(value);
  std::call_once(m.each_prepared, [&m] { m.PrepareEach(); });
  std::string masked(value);
  for (const auto& re : m.each_value) masked = Replace(*re, masked);
  return masked;
}

}  // namespace autotune
