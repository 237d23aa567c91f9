#include "analyzer/rule/line_program.h"

#include <algorithm>
#include <utility>

#include "analyzer/rule/pattern.h"

namespace autotune {

const LinePattern& LinePattern::Ready() const {
  std::call_once(compiled_, [this] { Compile(); });
  return *this;
}

void LinePattern::Compile() const {
  const RE2::Options options = LinePatternOptions();
  re_ = std::make_unique<RE2>(ToRe2(pattern_.re), options);
  if (!pattern_.next.empty()) next_ = std::make_unique<RE2>(ToRe2(pattern_.next), options);
  for (const std::string& unless : pattern_.unless) unless_.emplace_back(unless, options);
  for (const EvidenceEmit& emit : pattern_.emit) {
    Emit& made = emits_.emplace_back();
    made.setting = Resolve(emit.setting);
    made.value = Resolve(emit.value);
    made.on_next = std::any_of(made.value.begin(), made.value.end(),
                               [](const Piece& piece) { return piece.slot && piece.slot->of_next; });
  }
}

std::vector<LinePattern::Piece> LinePattern::Resolve(const std::string& text) const {
  std::vector<Piece> pieces;
  // Templates were checked at load (R022).
  for (const TemplatePart& part : ParseTemplate(text).value_or(std::vector<TemplatePart>{})) {
    Piece& piece = pieces.emplace_back();
    if (!part.is_group) {
      piece.text = part.text;
    } else if (const auto it = re_->NamedCapturingGroups().find(part.text); it != re_->NamedCapturingGroups().end()) {
      piece.slot = Slot{false, it->second};
    } else if (next_) {
      const auto& groups = next_->NamedCapturingGroups();
      if (const auto found = groups.find(part.text); found != groups.end()) piece.slot = Slot{true, found->second};
    }
  }
  return pieces;
}

bool LinePattern::Excludes(std::string_view text, size_t start) const {
  return std::any_of(unless_.begin(), unless_.end(),
                     [&](const LazyPattern& pattern) { return pattern.PartialMatch(text, start); });
}

LineProgram::LineProgram(const RuleSet& rules) : mask(rules.secrets), wrappers(rules.wrappers) {
  for (const EvidenceRule& rule : rules.evidence) {
    for (const EvidencePattern& pattern : rule.patterns) {
      const auto id = static_cast<uint32_t>(patterns.size());
      patterns.emplace_back(rule.id, pattern);
      for (std::string& literal : PatternLiterals(pattern)) {
        literals.push_back(literal);
        scan.Add(std::move(literal), id);
      }
    }
  }
  std::sort(literals.begin(), literals.end());
  literals.erase(std::unique(literals.begin(), literals.end()), literals.end());
}

std::shared_ptr<const LineProgram> ProgramOf(const RuleSet& rules) {
  return rules.line_program ? rules.line_program : std::make_shared<const LineProgram>(rules);
}

}  // namespace autotune
