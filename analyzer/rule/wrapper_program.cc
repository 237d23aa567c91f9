#include "analyzer/rule/wrapper_program.h"

#include <algorithm>
#include <utility>

#include "analyzer/base/text.h"

namespace autotune {
namespace {

RE2::Options ByteOptions() {
  RE2::Options options;
  options.set_encoding(RE2::Options::EncodingLatin1);  // a log need not be UTF-8
  options.set_log_errors(false);
  return options;
}

WrapperProgram::Prefix::Groups FindGroups(const RE2& pattern) {
  WrapperProgram::Prefix::Groups groups;
  groups.count = pattern.NumberOfCapturingGroups() + 1;
  for (const auto& [name, index] : pattern.NamedCapturingGroups()) {
    if (name == "process") groups.process = index;
    if (name == "rank") groups.rank = index;
    if (name == "pod") groups.pod = index;
    if (name == "stream") groups.stream = index;
    if (name == "partial") groups.partial = index;
    if (name == "text") groups.text = index;
  }
  return groups;
}

}  // namespace

const RE2& WrapperProgram::Prefix::pattern() const {
  std::call_once(compiled_, [this] {
    pattern_ = std::make_unique<RE2>(ToRe2(rule_->pattern), ByteOptions());
    groups_ = FindGroups(*pattern_);
  });
  return *pattern_;
}

WrapperProgram::WrapperProgram(std::vector<WrapperRule> rules) : rules_(std::move(rules)) {
  for (const WrapperRule& rule : rules_) {
    if (rule.kind == "json") {
      json_.push_back(&rule);
    } else {
      (rule.literals.empty() ? prefixes_ : searched_).emplace_back(rule);
    }
  }
}

void WrapperProgram::Match(std::string_view text, std::vector<int>* matches) const {
  std::call_once(compiled_, [this] {
    set_ = std::make_unique<RE2::Set>(ByteOptions(), RE2::ANCHOR_START);
    for (const Prefix& prefix : prefixes_) set_->Add(ToRe2(prefix.rule().pattern), nullptr);
    set_->Compile();
  });
  // Which ones match costs twice what whether one does; of most lines none, as of the one before.
  if (matches->empty() && !set_->Match(ToRe2(text), nullptr)) return;
  matches->clear();
  set_->Match(ToRe2(text), matches);
  std::sort(matches->begin(), matches->end());
}

}  // namespace autotune
