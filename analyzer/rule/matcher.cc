#include "analyzer/rule/matcher.h"

#include <re2/re2.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "analyzer/base/text.h"
#include "analyzer/rule/line_program.h"
#include "analyzer/rule/match_memo.h"

namespace autotune {
namespace {

// Streams that may wait at a time; a log that mixes more pods than this in the very moment of a two-line statement
// loses the oldest. Keeps memory bounded.
constexpr size_t kMaxPending = 64;

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

bool Fill(const std::vector<LinePattern::Piece>& pieces, const Groups& groups, const Groups& next, std::string* out) {
  out->clear();
  for (const LinePattern::Piece& piece : pieces) {
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

// What was said in one call. Keeps its strings' memory from line to line.
class Said {
 public:
  void Clear() { count_ = 0; }

  // False when it was said before.
  bool Add(const Statement& statement, uint64_t line) {
    for (size_t i = 0; i < count_; ++i) {
      if (all_[i].line == line && all_[i].setting == statement.setting && all_[i].value == statement.value)
        return false;
    }
    if (count_ == all_.size()) all_.emplace_back();
    Entry& entry = all_[count_++];
    entry.line = line;
    entry.setting = statement.setting;
    entry.value = statement.value;
    return true;
  }

 private:
  struct Entry {
    uint64_t line = 0;
    std::string setting, value;
  };
  std::vector<Entry> all_;
  size_t count_ = 0;
};

}  // namespace

struct EvidenceMatcher::Impl {
  // A first line that was met, and what of it the second will need.
  struct Pending {
    uint64_t stream, line;
    size_t pattern;
    std::vector<std::optional<std::string>> groups;
  };

  explicit Impl(const RuleSet& rules)
      : program(rules.line_program ? rules.line_program
                                   : std::make_shared<const LineProgram>(rules.evidence, rules.secrets)) {
    marked.resize(program->patterns.size());
  }

  // Which patterns may match: those that have a literal in the text.
  void Mark(std::string_view text) {
    program->scan.Scan(text, [this](uint32_t id) {
      if (marked[id]) return;
      marked[id] = true;
      candidates.push_back(id);
    });
    for (const uint32_t id : candidates) marked[id] = false;
    std::sort(candidates.begin(), candidates.end());
  }

  std::vector<Statement> State(const LinePattern& pattern, const Groups& own, const Groups& next) const {
    std::vector<Statement> statements;
    for (const LinePattern::Emit& wanted : pattern.emits()) {
      Statement statement;
      if (!Fill(wanted.setting, own, next, &statement.setting) || statement.setting.empty()) continue;
      if (!Fill(wanted.value, own, next, &statement.value)) continue;
      statement.value = program->mask.Mask(statement.setting, statement.value);
      statement.on_next = wanted.on_next;
      statements.push_back(std::move(statement));
    }
    return statements;
  }

  void Tell(const LinePattern& pattern, const std::vector<Statement>& statements, uint64_t line, uint64_t next_line,
            const std::function<void(Evidence)>& emit) {
    for (const Statement& statement : statements) {
      const uint64_t stands = statement.on_next ? next_line : line;
      if (!said.Add(statement, stands)) continue;
      Evidence evidence;
      evidence.setting = statement.setting;
      evidence.value = statement.value;
      evidence.line = stands;
      evidence.rule = pattern.rule();
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
      const LinePattern& pattern = program->patterns[first.pattern];
      if (!Find(*pattern.next(), text, 0, &buffer, &next_groups) || pattern.Excludes(text)) continue;
      groups.assign(first.groups.begin(), first.groups.end());
      Tell(pattern, State(pattern, groups, next_groups), first.line, line, emit);
    }
  }

  void Start(uint32_t index, std::string_view text, uint64_t line, uint64_t stream,
             const std::function<void(Evidence)>& emit) {
    const LinePattern& pattern = program->patterns[index].Ready();
    const RE2& re = pattern.re();
    if (!re.ok()) return;  // the rules were checked at load
    re2::StringPiece match;
    for (size_t start = 0; start <= text.size();) {
      if (!re.Match(ToRe2(text), start, text.size(), RE2::UNANCHORED, &match, 1)) return;
      if (start == 0 && pattern.Excludes(text)) return;
      if (pattern.next()) {
        if (Find(re, text, start, &buffer, &groups)) Wait(index, line, stream);
        return;
      }
      const std::vector<Statement>* statements = memo.Find(index, text, FromRe2(match));
      if (!statements) {
        if (!Find(re, text, start, &buffer, &groups)) return;
        statements = memo.Keep(State(pattern, groups, {}));
      }
      Tell(pattern, *statements, line, line, emit);
      if (!pattern.pattern().all) return;
      start = static_cast<size_t>(match.data() - text.data()) + std::max<size_t>(match.size(), 1);
    }
  }

  void Wait(size_t index, uint64_t line, uint64_t stream) {
    std::erase_if(pending, [&](const Pending& p) { return line - p.line > kMaxWait; });
    if (pending.size() == kMaxPending) pending.erase(pending.begin());
    Pending& first = pending.emplace_back(Pending{stream, line, index, {}});
    for (const auto& group : groups) first.groups.push_back(group ? std::optional<std::string>(*group) : std::nullopt);
  }

  std::shared_ptr<const LineProgram> program;
  std::vector<Pending> pending;  // in order of lines
  MatchMemo memo;

  // Kept between lines for their memory.
  std::vector<bool> marked;
  std::vector<uint32_t> candidates;  // of this line, in order of rules
  std::vector<re2::StringPiece> buffer;
  Groups groups, next_groups;
  Said said;  // in this call
};

EvidenceMatcher::EvidenceMatcher(const RuleSet& rules) : impl_(std::make_unique<Impl>(rules)) {}
EvidenceMatcher::~EvidenceMatcher() = default;

bool EvidenceMatcher::Match(std::string_view text, uint64_t line, uint64_t stream,
                            const std::function<void(Evidence)>& emit) {
  Impl& m = *impl_;
  m.Mark(text);
  if (!m.candidates.empty() || !m.pending.empty()) {
    m.said.Clear();
    if (!m.pending.empty()) m.Continue(text, line, stream, emit);
    for (const uint32_t id : m.candidates) m.Start(id, text, line, stream, emit);
  }
  m.candidates.clear();
  return std::any_of(m.pending.begin(), m.pending.end(), [&](const auto& p) { return p.stream == stream; });
}

bool EvidenceMatcher::waiting(uint64_t line) const {
  return std::any_of(impl_->pending.begin(), impl_->pending.end(),
                     [&](const auto& p) { return line - p.line <= kMaxWait; });
}

std::vector<std::string> EvidenceMatcher::Literals(const RuleSet& rules) {
  if (rules.line_program) return rules.line_program->literals;
  return LineProgram(rules.evidence, rules.secrets).literals;
}

}  // namespace autotune
