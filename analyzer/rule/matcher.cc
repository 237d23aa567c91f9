#include "analyzer/rule/matcher.h"

#include <re2/re2.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "analyzer/rule/literal_scan.h"
#include "analyzer/rule/literals.h"
#include "analyzer/rule/pattern.h"

namespace autotune {
namespace {

// Streams that may wait at a time; a log that mixes more pods than this in the very moment of a two-line statement
// loses the oldest. Keeps memory bounded.
constexpr size_t kMaxPending = 64;

// A named group of `re` (or of `next`), by number.
struct Slot {
  bool of_next = false;
  int group = 0;
};

struct Piece {
  std::string text;
  std::optional<Slot> slot;
};

struct Emit {
  std::vector<Piece> setting, value;
  bool on_next = false;  // the value stands on the second line
};

// One pattern with its expressions, compiled at its first use.
class LinePattern {
 public:
  LinePattern(const EvidenceRule& rule, const EvidencePattern& pattern) : rule_(&rule), pattern_(&pattern) {}

  const EvidenceRule& rule() const { return *rule_; }
  const EvidencePattern& pattern() const { return *pattern_; }
  const RE2& re() const { return *re_; }
  const RE2* next() const { return next_.get(); }
  const std::vector<Emit>& emits() const { return emits_; }

  void Prepare() {
    if (re_) return;
    const RE2::Options options = LinePatternOptions();
    re_ = std::make_unique<RE2>(ToRe2(pattern_->re), options);
    if (!pattern_->next.empty()) next_ = std::make_unique<RE2>(ToRe2(pattern_->next), options);
    for (const std::string& unless : pattern_->unless) {
      unless_.push_back(std::make_unique<RE2>(ToRe2(unless), options));
    }
    for (const EvidenceEmit& emit : pattern_->emit) {
      Emit& made = emits_.emplace_back();
      made.setting = Resolve(emit.setting);
      made.value = Resolve(emit.value);
      made.on_next = std::any_of(made.value.begin(), made.value.end(),
                                 [](const Piece& piece) { return piece.slot && piece.slot->of_next; });
    }
  }

  bool Excluded(std::string_view text) const {
    return std::any_of(unless_.begin(), unless_.end(),
                       [&](const auto& re) { return RE2::PartialMatch(ToRe2(text), *re); });
  }

 private:
  std::vector<Piece> Resolve(const std::string& text) const {
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

  const EvidenceRule* rule_;
  const EvidencePattern* pattern_;
  std::unique_ptr<RE2> re_, next_;
  std::vector<std::unique_ptr<RE2>> unless_;
  std::vector<Emit> emits_;
};

// The groups of a match; nullopt: took no part.
using Groups = std::vector<std::optional<std::string_view>>;

bool Find(const RE2& re, std::string_view text, size_t start, std::vector<re2::StringPiece>* buffer, Groups* groups) {
  const int count = re.NumberOfCapturingGroups() + 1;
  buffer->resize(static_cast<size_t>(count));
  if (!re.ok() || !re.Match(ToRe2(text), start, text.size(), RE2::UNANCHORED, buffer->data(), count)) return false;
  groups->clear();
  for (const re2::StringPiece& piece : *buffer) {
    groups->push_back(piece.data() ? std::optional(FromRe2(piece)) : std::nullopt);
  }
  return true;
}

bool Fill(const std::vector<Piece>& pieces, const Groups& groups, const Groups& next, std::string* out) {
  out->clear();
  for (const Piece& piece : pieces) {
    if (!piece.slot) {
      *out += piece.text;
      continue;
    }
    const Groups& from = piece.slot->of_next ? next : groups;
    const auto index = static_cast<size_t>(piece.slot->group);
    if (index >= from.size() || !from[index]) return false;
    *out += *from[index];
  }
  return true;
}

}  // namespace

struct EvidenceMatcher::Impl {
  // A first line that was met, and what of it the second will need.
  struct Pending {
    uint64_t stream, line;
    size_t pattern;
    std::vector<std::optional<std::string>> groups;
  };

  explicit Impl(const RuleSet& rules) : mask(rules) {
    for (const EvidenceRule& rule : rules.evidence) {
      for (const EvidencePattern& pattern : rule.patterns) {
        const auto id = static_cast<uint32_t>(patterns.size());
        patterns.emplace_back(rule, pattern);
        for (std::string& literal : PatternLiterals(pattern)) scan.Add(std::move(literal), id);
      }
    }
    marked.resize(patterns.size());
  }

  void Report(const LinePattern& pattern, const Groups& own, const Groups& next, uint64_t line, uint64_t next_line,
              const std::function<void(Evidence)>& emit) {
    for (const Emit& wanted : pattern.emits()) {
      Evidence evidence;
      if (!Fill(wanted.setting, own, next, &evidence.setting) || evidence.setting.empty()) continue;
      if (!Fill(wanted.value, own, next, &evidence.value)) continue;
      evidence.line = wanted.on_next ? next_line : line;
      evidence.rule = pattern.rule().id;
      const bool told = std::any_of(said.begin(), said.end(), [&](const Evidence& e) {
        return e.line == evidence.line && e.setting == evidence.setting && e.value == evidence.value;
      });
      if (told) continue;
      said.push_back(evidence);
      evidence.value = mask.Mask(evidence.setting, evidence.value);
      emit(std::move(evidence));
    }
  }

  // The rules that waited for this line of the stream.
  void Continue(std::string_view text, uint64_t line, uint64_t stream, const std::function<void(Evidence)>& emit) {
    std::vector<Pending> due;
    const auto mine =
        std::stable_partition(pending.begin(), pending.end(), [&](const Pending& p) { return p.stream != stream; });
    std::move(mine, pending.end(), std::back_inserter(due));
    pending.erase(mine, pending.end());
    for (const Pending& first : due) {
      if (line - first.line > kMaxWait) continue;
      const LinePattern& pattern = patterns[first.pattern];
      if (!Find(*pattern.next(), text, 0, &buffer, &next_groups) || pattern.Excluded(text)) continue;
      groups.assign(first.groups.begin(), first.groups.end());
      Report(pattern, groups, next_groups, first.line, line, emit);
    }
  }

  void Start(size_t index, std::string_view text, uint64_t line, uint64_t stream,
             const std::function<void(Evidence)>& emit) {
    LinePattern& pattern = patterns[index];
    pattern.Prepare();
    size_t start = 0;
    bool first = true;
    while (start <= text.size() && Find(pattern.re(), text, start, &buffer, &groups)) {
      if (first && pattern.Excluded(text)) return;
      first = false;
      if (pattern.next()) {
        Wait(index, line, stream);
        return;
      }
      Report(pattern, groups, {}, line, line, emit);
      if (!pattern.pattern().all) return;
      const std::string_view match = *groups[0];
      start = static_cast<size_t>(match.data() - text.data()) + std::max<size_t>(match.size(), 1);
    }
  }

  void Wait(size_t index, uint64_t line, uint64_t stream) {
    std::erase_if(pending, [&](const Pending& p) { return line - p.line > kMaxWait; });
    if (pending.size() == kMaxPending) pending.erase(pending.begin());
    Pending& first = pending.emplace_back(Pending{stream, line, index, {}});
    for (const auto& group : groups) first.groups.push_back(group ? std::optional<std::string>(*group) : std::nullopt);
  }

  LiteralScan scan;
  std::vector<LinePattern> patterns;  // in order of rules
  std::vector<Pending> pending;       // in order of lines
  SecretMask mask;

  // Kept between lines for their memory.
  std::vector<bool> marked;
  std::vector<uint32_t> candidates;
  std::vector<re2::StringPiece> buffer;
  Groups groups, next_groups;
  std::vector<Evidence> said;  // of this call, unmasked
};

EvidenceMatcher::EvidenceMatcher(const RuleSet& rules) : impl_(std::make_unique<Impl>(rules)) {}
EvidenceMatcher::~EvidenceMatcher() = default;

bool EvidenceMatcher::Match(std::string_view text, uint64_t line, uint64_t stream,
                            const std::function<void(Evidence)>& emit) {
  Impl& m = *impl_;
  m.scan.Scan(text, [&m](uint32_t id) {
    if (m.marked[id]) return;
    m.marked[id] = true;
    m.candidates.push_back(id);
  });
  if (m.candidates.empty() && m.pending.empty()) return false;
  m.said.clear();
  if (!m.pending.empty()) m.Continue(text, line, stream, emit);
  std::sort(m.candidates.begin(), m.candidates.end());
  for (const uint32_t id : m.candidates) {
    m.marked[id] = false;
    m.Start(id, text, line, stream, emit);
  }
  m.candidates.clear();
  return std::any_of(m.pending.begin(), m.pending.end(), [&](const auto& p) { return p.stream == stream; });
}

bool EvidenceMatcher::waiting(uint64_t line) const {
  return std::any_of(impl_->pending.begin(), impl_->pending.end(),
                     [&](const auto& p) { return line - p.line <= kMaxWait; });
}

std::vector<std::string> EvidenceMatcher::Literals(const RuleSet& rules) {
  std::vector<std::string> literals;
  for (const EvidenceRule& rule : rules.evidence) {
    for (const EvidencePattern& pattern : rule.patterns) {
      for (std::string& literal : PatternLiterals(pattern)) literals.push_back(std::move(literal));
    }
  }
  std::sort(literals.begin(), literals.end());
  literals.erase(std::unique(literals.begin(), literals.end()), literals.end());
  return literals;
}

}  // namespace autotune
