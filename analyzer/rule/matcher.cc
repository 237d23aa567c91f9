#include "analyzer/rule/matcher.h"

#include <re2/re2.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "analyzer/base/text.h"
#include "analyzer/rule/line_memo.h"
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

// What was said in one call, each setting and value once a line.
class Said {
 public:
  struct Entry {
    const LinePattern* pattern;
    uint64_t line;
    std::string setting, value;
  };

  void Clear() { all_.clear(); }
  const std::vector<Entry>& all() const { return all_; }

  // False when it was said before.
  bool Add(const LinePattern& pattern, const Statement& statement, uint64_t line) {
    for (const Entry& said : all_) {
      if (said.line == line && said.setting == statement.setting && said.value == statement.value) return false;
    }
    all_.push_back({&pattern, line, statement.setting, statement.value});
    return true;
  }

 private:
  std::vector<Entry> all_;
};

// Length of what torch's logger puts before a message: level, date, time, process id (torch/_logging/_internal.py,
// TorchLogsFormatter). No rule looks into it, so that a message said again, or by another rank, is the same text.
//
//   V1130 20:16:04.694000 7236 torch/_inductor/codecache.py:1402] [0/0] FX graph cache miss for key fabc...
//   \________________________/
size_t StampLength(std::string_view text) {
  constexpr std::string_view kForm = "?0000 00:00:00.000000 ";  // 0: a digit
  if (text.size() <= kForm.size() || text[0] < 'A' || text[0] > 'Z') return 0;
  const auto is_digit = [&](size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
  for (size_t i = 1; i < kForm.size(); ++i) {
    if (kForm[i] == '0' ? !is_digit(i) : text[i] != kForm[i]) return 0;
  }
  size_t end = kForm.size();
  while (is_digit(end)) ++end;
  return end > kForm.size() && end < text.size() && text[end] == ' ' ? end : 0;
}

}  // namespace

struct EvidenceMatcher::Impl {
  // A first line that was met, and what of it the second will need.
  struct Pending {
    uint64_t stream, line;
    size_t pattern;
    std::vector<std::optional<std::string>> groups;
  };

  explicit Impl(const RuleSet& rules) : program(ProgramOf(rules)) { marked.resize(program->patterns.size()); }

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

  void Emit(const Said::Entry& entry, uint64_t line, const EvidenceMatcher::Emit& emit) {
    evidence.setting = entry.setting;
    evidence.value = entry.value;
    evidence.line = line;
    evidence.rule = entry.pattern->rule();
    emit(evidence);
  }

  void Tell(const LinePattern& pattern, const std::vector<Statement>& statements, uint64_t line, uint64_t next_line,
            const EvidenceMatcher::Emit& emit) {
    for (const Statement& statement : statements) {
      const uint64_t stands = statement.on_next ? next_line : line;
      if (said.Add(pattern, statement, stands)) Emit(said.all().back(), stands, emit);
    }
  }

  // A rule waits for the stream's next line.
  bool Awaits(uint64_t stream) const {
    return std::any_of(pending.begin(), pending.end(), [&](const Pending& p) { return p.stream == stream; });
  }

  // The rules that waited for this line of the stream.
  void Continue(std::string_view text, uint64_t line, uint64_t stream, const EvidenceMatcher::Emit& emit) {
    std::vector<Pending> due;
    const auto mine =
        std::stable_partition(pending.begin(), pending.end(), [&](const Pending& p) { return p.stream != stream; });
    std::move(mine, pending.end(), std::back_inserter(due));
    pending.erase(mine, pending.end());
    for (const Pending& first : due) {
      if (line - first.line > kMaxWait) continue;
      const LinePattern& pattern = program->patterns[first.pattern];
      if (!Find(*pattern.next(), text, 0, &buffer, &next_groups) || pattern.Excludes(text, 0)) continue;
      groups.assign(first.groups.begin(), first.groups.end());
      Tell(pattern, State(pattern, groups, next_groups), first.line, line, emit);
    }
  }

  void Start(uint32_t index, std::string_view text, size_t first, uint64_t line, uint64_t stream,
             const EvidenceMatcher::Emit& emit) {
    const LinePattern& pattern = program->patterns[index].Ready();
    const RE2& re = pattern.re();
    if (!re.ok()) return;  // the rules were checked at load
    re2::StringPiece match;
    for (size_t start = first; start <= text.size();) {
      if (!re.Match(ToRe2(text), start, text.size(), RE2::UNANCHORED, &match, 1)) return;
      if (start == first && pattern.Excludes(text, first)) return;
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
  LineMemo<std::vector<Said::Entry>> plain_lines, stamped_lines;  // the latter without their stamps

  // Kept between lines for their memory.
  std::vector<bool> marked;
  std::vector<uint32_t> candidates;  // of this line, in order of rules
  std::vector<re2::StringPiece> buffer;
  Groups groups, next_groups;
  Said said;  // in this call
  Evidence evidence;
};

EvidenceMatcher::EvidenceMatcher(const RuleSet& rules) : impl_(std::make_unique<Impl>(rules)) {}
EvidenceMatcher::~EvidenceMatcher() = default;

bool EvidenceMatcher::Match(std::string_view text, uint64_t line, uint64_t stream, const EvidenceMatcher::Emit& emit) {
  Impl& m = *impl_;
  const bool awaited = m.Awaits(stream);
  const size_t start = StampLength(text);
  auto& lines = start > 0 ? m.stamped_lines : m.plain_lines;
  const std::vector<Said::Entry>* const known = awaited ? nullptr : lines.Find(text.substr(start));
  if (known) {
    for (const Said::Entry& said : *known) m.Emit(said, line, emit);
    return false;
  }
  m.said.Clear();
  if (awaited) m.Continue(text, line, stream, emit);
  m.Mark(text.substr(start));
  for (const uint32_t id : m.candidates) m.Start(id, text, start, line, stream, emit);
  m.candidates.clear();
  if (m.Awaits(stream)) return true;
  if (!awaited) lines.Keep(text.substr(start), m.said.all());
  return false;
}

bool EvidenceMatcher::waiting(uint64_t line) const {
  return std::any_of(impl_->pending.begin(), impl_->pending.end(),
                     [&](const auto& p) { return line - p.line <= kMaxWait; });
}

std::vector<std::string> EvidenceMatcher::Literals(const RuleSet& rules) { return ProgramOf(rules)->literals; }

}  // namespace autotune
