#include "analyzer/rule/line_program.h"

#include <algorithm>
#include <utility>

#include "analyzer/rule/literals.h"
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
  for (const std::string& unless : pattern_.unless) unless_.push_back(std::make_unique<RE2>(ToRe2(unless), options));
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

bool LinePattern::Excludes(size_t unless, std::string_view text) const {
  return RE2::PartialMatch(ToRe2(text), *unless_[unless]);
}

LineProgram::LineProgram(const std::vector<EvidenceRule>& evidence, const std::vector<SecretRule>& secrets)
    : mask(secrets) {
  for (const EvidenceRule& rule : evidence) {
    for (const EvidencePattern& pattern : rule.patterns) {
      patterns.emplace_back(rule.id, pattern);
      for (std::string& literal : PatternLiterals(pattern)) {
        literals.push_back(literal);
        scan.Add(std::move(literal), ids);
      }
      ++ids;
    }
  }
  std::sort(literals.begin(), literals.end());
  literals.erase(std::unique(literals.begin(), literals.end()), literals.end());
  // An "unless" can match no more than a pattern without its literals; most lines have none of them.
  for (const LinePattern& pattern : patterns) {
    first_unless.push_back(ids);
    for (const std::string& unless : pattern.pattern().unless) {
      std::vector<std::string> announced_by = RequiredLiterals(unless);
      if (announced_by.empty()) always.push_back(ids);
      for (std::string& literal : announced_by) scan.Add(std::move(literal), ids);
      ++ids;
    }
  }
}

}  // namespace autotune
