// The report for a terminal. It answers first: what happened and why, where that shows, how sure it is, what fixes it;
// then the costs, then what was compared and found equal or harmless, and what this log cannot say.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analyzer/report/items_text.h"
#include "analyzer/report/page.h"
#include "analyzer/report/printable.h"
#include "analyzer/report/reporter.h"
#include "analyzer/report/wording.h"

namespace autotune {
namespace {

constexpr size_t kMostSuspects = 5, kMostProblems = 8, kMostProcesses = 8, kMostStated = 16, kMostFacts = 200;
constexpr int kIndent = 2;
constexpr int kHang = 12;  // where the text beside "where", "sure", "why", "fix" begins

Paint PaintOf(Verdict::State state, bool tuned) {
  if (state == Verdict::State::kClean) return Paint::kGood;
  return state == Verdict::State::kMismatch ? Paint::kBad : tuned ? Paint::kWarn : Paint::kBold;
}

Paint PaintOf(double confidence) {
  return confidence >= kCertain ? Paint::kGreen : confidence >= kLikely ? Paint::kYellow : Paint::kPlain;
}

std::string MoreNote(size_t left, std::string_view what) {
  return fmt::format("and {} more {}; --format json has them all", left, what);
}

// The two sides of a difference (a Suspect's or a HarmlessDifference's).
template <typename Compared>
void WriteChange(const Compared& compared, Page* page) {
  if (!compared.manifest && compared.built) {
    page->Entry(kIndent, "build", Paint::kDim, kHang, ValueInWords(compared.built));
  } else {
    page->Entry(kIndent, "manifest", Paint::kDim, kHang, ValueInWords(compared.manifest));
  }
  page->Entry(kIndent, "this run", Paint::kDim, kHang, ValueInWords(compared.observed));
}

// Where the two sides of a comparison stand: "log 12, manifest 31".
std::string Lines(const std::optional<uint64_t>& log_line, const std::optional<uint64_t>& manifest_line) {
  std::string text;
  if (log_line) text = fmt::format("log {}", *log_line);
  if (manifest_line) text += fmt::format("{}manifest {}", text.empty() ? "" : ", ", *manifest_line);
  return text;
}

class TextReporter final : public Reporter {
 public:
  TextReporter(Out out, const ReportStyle& style) : out_(std::move(out)), style_(style) {}

  void Begin(const std::vector<std::string>& inputs) override { inputs_ = inputs; }
  void OnBlock(const Block& block) override { costs_.Add(block); }
  bool wants_keys() const override { return false; }
  void OnOrphan(const Orphan&) override {}
  void OnEvidence(const Evidence&) override {}
  void OnCounter(std::string_view, std::string_view, uint64_t) override {}

  // One line: whoever waits at the stream sees it at once, and scripts can tell it from the report by its first words.
  void OnVerdict(const Run& run, const Manifest* manifest, const Verdict& verdict) override {
    if (style_.quiet) return;
    std::string text = Quiet(run, manifest, verdict);
    text.resize(std::min(text.find('\n'), text.size()));
    out_("so far: " + text + "\n");
  }

  void End(const Run& run, const Manifest* manifest, const Verdict& verdict) override {
    if (style_.quiet) {
      out_(Quiet(run, manifest, verdict));
      return;
    }
    Page page(style_.width, style_.color);
    WriteAnswer(run, manifest, verdict, &page);
    WriteOtherSuspects(manifest, verdict, &page);
    WriteNotes(verdict, &page);
    WriteComparison(verdict, &page);
    // What to look at next is urgent where the answer is weak, and an afterthought where it is not.
    const bool weak = verdict.suspects.empty() || verdict.suspects.front().confidence < kLikely ||
                      verdict.suspects.front().basis == Basis::kElimination;
    if (weak) WriteNextChecks(verdict, &page);
    WriteProblems(run, &page);
    WriteProcesses(verdict, &page);
    WriteCompared(verdict, &page);
    if (!weak) WriteNextChecks(verdict, &page);
    WriteStated(run, manifest, verdict, &page);
    WriteReading(run, &page);
    out_(page.Take());
  }

  void Facts(std::string_view path, const std::vector<Fact>& facts, const std::vector<Problem>& problems) override;
  void Items(std::string_view path, std::string_view root, const std::vector<CheckItem>& items,
             const std::vector<Fact>&, const std::vector<Problem>&) override {
    out_(ItemsAsText(path, root, items, style_));
  }

 private:
  std::string Quiet(const Run& run, const Manifest* manifest, const Verdict& verdict) const;
  void WriteAnswer(const Run& run, const Manifest* manifest, const Verdict& verdict, Page* page) const;
  void WriteSuspectBody(const Suspect& suspect, const Manifest* manifest, Page* page) const;
  void WriteOtherSuspects(const Manifest* manifest, const Verdict& verdict, Page* page) const;
  void WriteNotes(const Verdict& verdict, Page* page) const;
  void WriteNextChecks(const Verdict& verdict, Page* page) const;
  void WriteProblems(const Run& run, Page* page) const;
  void WriteComparison(const Verdict& verdict, Page* page) const;
  void WriteProcesses(const Verdict& verdict, Page* page) const;
  void WriteCompared(const Verdict& verdict, Page* page) const;
  void WriteStated(const Run& run, const Manifest* manifest, const Verdict& verdict, Page* page) const;
  void WriteReading(const Run& run, Page* page) const;
  // A line of a log: with one log its number is enough.
  std::string LogPlace(std::string_view source, uint64_t line) const {
    return inputs_.size() > 1 ? Place(source, line) : fmt::format("line {}", line);
  }

  Out out_;
  ReportStyle style_;
  std::vector<std::string> inputs_;
  ProcessCosts costs_;
};

// One line for the answer and one for each fix: what a CI job's log has room for. Not wrapped, so that grep finds it.
std::string TextReporter::Quiet(const Run& run, const Manifest* manifest, const Verdict& verdict) const {
  Page page(1 << 20, style_.color);
  std::string answer = Answer(run, manifest, verdict);
  if (!verdict.suspects.empty()) {
    const Suspect& first = verdict.suspects.front();
    const std::string places = Places(first, manifest);
    answer += fmt::format(" {} sure{}{}.", Percent(first.confidence), places.empty() ? "" : ": ", places);
  }
  page.Entry(0, StateWord(run, manifest, verdict), PaintOf(verdict.state, run.tuned()), 0, answer);
  if (!verdict.suspects.empty() && !verdict.suspects.front().fix.empty()) {
    page.Verbatim(0, "fix:", Paint::kBold, 5, verdict.suspects.front().fix, Paint::kCommand);
  }
  return page.Take();
}

void TextReporter::WriteAnswer(const Run& run, const Manifest* manifest, const Verdict& verdict, Page* page) const {
  std::string against = fmt::format("{}", fmt::join(inputs_, ", "));
  if (against == "-") against = "standard input";
  if (manifest) against += " against " + manifest->path;
  page->Entry(0, StateWord(run, manifest, verdict), PaintOf(verdict.state, run.tuned()), 10, against, Paint::kDim);
  page->Blank();
  page->Text(kIndent, Answer(run, manifest, verdict), Paint::kBold);
  if (verdict.suspects.empty()) return;
  page->Blank();
  const Suspect& first = verdict.suspects.front();
  if (!FitsAnswer(first.manifest) || !FitsAnswer(first.built) || !FitsAnswer(first.observed)) WriteChange(first, page);
  WriteSuspectBody(first, manifest, page);
}

void TextReporter::WriteSuspectBody(const Suspect& s, const Manifest* manifest, Page* page) const {
  const std::string places = Places(s, manifest);
  if (!places.empty()) page->Entry(kIndent, "where", Paint::kDim, kHang, places);
  page->Entry(kIndent, "sure", Paint::kDim, kHang, fmt::format("{}: {}", Percent(s.confidence), BasisInWords(s.basis)),
              PaintOf(s.confidence));
  if (!s.why.empty()) page->Entry(kIndent, "why", Paint::kDim, kHang, s.why);
  if (!s.fix.empty()) page->Verbatim(kIndent, "fix", Paint::kDim, kHang, s.fix, Paint::kCommand);
}

void TextReporter::WriteOtherSuspects(const Manifest* manifest, const Verdict& verdict, Page* page) const {
  const size_t n = verdict.suspects.size();
  if (n < 2) return;
  page->Section("Less likely");
  for (size_t i = 1; i < std::min(n, kMostSuspects); ++i) {
    const Suspect& s = verdict.suspects[i];
    if (i > 1) page->Blank();
    page->Text(kIndent, s.setting, Paint::kBold);
    if (s.manifest || s.built || s.observed) WriteChange(s, page);
    WriteSuspectBody(s, manifest, page);
  }
  if (n > kMostSuspects) page->Text(kIndent, MoreNote(n - kMostSuspects, "suspects"), Paint::kDim);
}

void TextReporter::WriteNotes(const Verdict& verdict, Page* page) const {
  if (!verdict.notes.empty()) {
    page->Section("Notes");
    for (const std::string& note : verdict.notes) page->Entry(kIndent, "-", Paint::kDim, kIndent + 2, note);
  }
}

void TextReporter::WriteNextChecks(const Verdict& verdict, Page* page) const {
  if (verdict.next_checks.empty()) return;
  page->Section("Check next");
  int number = 0;
  for (const std::string& check : verdict.next_checks) {
    page->Entry(kIndent, fmt::format("{:>2}.", ++number), Paint::kDim, kIndent + 4, check);
  }
}

void TextReporter::WriteProblems(const Run& run, Page* page) const {
  if (run.problems.empty()) return;
  page->Section("Tuned", CostSummary(run));
  const std::vector<const TunedProblem*> problems = ByCost(run);
  constexpr int kSeconds = 10;
  for (size_t i = 0; i < std::min(problems.size(), kMostProblems); ++i) {
    const TunedProblem& p = *problems[i];
    const std::string cost = Seconds(p) > 0 ? Duration(Seconds(p)) : "-";
    page->Entry(kIndent, fmt::format("{:>{}}", cost, kSeconds), Paint::kYellow, kIndent + kSeconds + 2,
                ProblemTitle(p.first), Paint::kBold);
    std::string detail = LogPlace(p.first.source, p.first.line);
    if (p.blocks > 1) detail += ", " + Count(p.blocks, "block");
    page->Text(kIndent + kSeconds + 2, detail + ": " + ProblemDetail(p), Paint::kDim);
    const std::string winners = WinnersNote(p);
    if (!winners.empty()) page->Text(kIndent + kSeconds + 2, winners);
  }
  const size_t left = problems.size() - std::min(problems.size(), kMostProblems) + run.problems_dropped;
  if (left > 0) page->Text(kIndent + kSeconds + 2, MoreNote(left, "problems"), Paint::kDim);
}

// Several pods, ranks or logs side by side.
void TextReporter::WriteComparison(const Verdict& verdict, Page* page) const {
  if (verdict.processes.empty()) return;
  page->Section("Side by side", ProcessesInWords(verdict));
  const bool logs = inputs_.size() > 1;
  constexpr int kState = 12;  // "did not tune"
  constexpr int kNamed = kIndent + kState + 2;
  for (size_t i = 0; i < std::min(verdict.processes.size(), kMostProcesses); ++i) {
    const ProcessState& process = verdict.processes[i];
    const bool tuned = process.state == ProcessState::State::kTuned;
    std::string name = NameInWords(process.name);
    if (process.state == ProcessState::State::kNothingSeen) {
      name += " (none of its lines tells)";
    } else if (process.line) {
      name += logs ? fmt::format(":{}", *process.line) : fmt::format(" (line {})", *process.line);
    }
    if (tuned && process.blocks > 0) name += ", " + Count(process.blocks, "block");
    if (tuned && process.seconds > 0) name += ", " + Duration(process.seconds);
    page->Entry(kIndent, StateInWords(process.state), tuned ? Paint::kYellow : Paint::kDim, kNamed, name);
  }
  const size_t left = verdict.processes.size() - std::min(verdict.processes.size(), kMostProcesses);
  if (left > 0) page->Text(kNamed, MoreNote(left, "processes"), Paint::kDim);
  const std::vector<std::string> sentences = DisagreementsInWords(verdict);
  if (!sentences.empty()) page->Blank();
  for (const std::string& sentence : sentences) page->Entry(kIndent, "-", Paint::kDim, kIndent + 2, sentence);
}

// Where the processes that are compared are those that tuned, their costs stand there.
void TextReporter::WriteProcesses(const Verdict& verdict, Page* page) const {
  const std::vector<ProcessCosts::Cost> costs = costs_.ByCost();
  if (costs.size() < 2 || costs.size() <= verdict.processes.size()) return;
  page->Section("By process", fmt::format("{} processes", costs.size()));
  double rest = 0;
  for (size_t i = 0; i < costs.size(); ++i) {
    if (i >= kMostProcesses) {
      rest += costs[i].seconds;
      continue;
    }
    page->Row(kIndent, {{Duration(costs[i].seconds), 10, true, Paint::kYellow},
                        {Count(costs[i].blocks, "block"), 10, true, Paint::kDim},
                        {costs[i].process}});
  }
  if (costs.size() > kMostProcesses) {
    page->Row(kIndent, {{Duration(rest), 10, true, Paint::kYellow},
                        {"", 10},
                        {fmt::format("{} more processes", costs.size() - kMostProcesses)}});
  }
}

void TextReporter::WriteCompared(const Verdict& verdict, Page* page) const {
  if (!verdict.harmless.empty()) {
    page->Section("Harmless differences", "they cannot make this torch tune");
    for (const HarmlessDifference& h : verdict.harmless) {
      page->Text(kIndent, h.setting, Paint::kBold);
      WriteChange(h, page);
      const std::string lines = Lines(h.log_line, h.manifest_line);
      if (!lines.empty()) page->Entry(kIndent, "where", Paint::kDim, kHang, lines);
      if (!h.why.empty()) page->Entry(kIndent, "why", Paint::kDim, kHang, h.why);
    }
  }
  if (!verdict.equal.empty()) {
    page->Section("Equal to the manifest");
    size_t widest = 0;
    for (const EqualSetting& e : verdict.equal) widest = std::max(widest, e.setting.size());
    const int name = static_cast<int>(std::min<size_t>(widest, static_cast<size_t>(page->width()) / 2));
    constexpr int kLines = 22;
    for (const EqualSetting& e : verdict.equal) {
      page->Row(kIndent, {{e.setting, name},
                          {e.value, std::max(page->width() - kIndent - name - kLines - 4, 8), false, Paint::kGreen},
                          {Lines(e.log_line, e.manifest_line), 0, false, Paint::kDim}});
    }
  }
  if (!verdict.not_observed.empty()) {
    page->Section("Not stated in this log", "so these may differ unseen");
    page->Text(kIndent, fmt::format("{}", fmt::join(verdict.not_observed, ", ")));
  }
}

void TextReporter::WriteStated(const Run& run, const Manifest* manifest, const Verdict& verdict, Page* page) const {
  const std::vector<const StatedValue*> stated = StatedBeside(run, verdict);
  if (stated.empty()) return;
  page->Section(manifest ? "The log also states" : "The log states");
  size_t widest = 0;
  for (size_t i = 0; i < std::min(stated.size(), kMostStated); ++i)
    widest = std::max(widest, stated[i]->setting.size());
  const int name = static_cast<int>(std::min<size_t>(widest, static_cast<size_t>(page->width()) / 2));
  constexpr int kLines = 22;
  for (size_t i = 0; i < std::min(stated.size(), kMostStated); ++i) {
    const StatedValue& s = *stated[i];
    std::string place = LogPlace(s.source, s.first_line);
    if (s.count > 1) place += fmt::format(", {} times", s.count);
    page->Row(kIndent, {{s.setting, name},
                        {s.value, std::max(page->width() - kIndent - name - kLines - 4, 8)},
                        {place, 0, false, Paint::kDim}});
  }
  if (stated.size() > kMostStated) page->Text(kIndent, MoreNote(stated.size() - kMostStated, "values"), Paint::kDim);
}

void TextReporter::WriteReading(const Run& run, Page* page) const {
  const std::vector<std::string> notes = ReadingNotes(run);
  page->Blank();
  std::string read = fmt::format("{} read", Count(run.lines, "line"));
  for (const std::string& note : notes) read += "; " + note;
  page->Text(0, read, Paint::kDim);
}

void TextReporter::Facts(std::string_view path, const std::vector<Fact>& facts, const std::vector<Problem>& problems) {
  Page page(style_.width, style_.color);
  const auto errors = static_cast<size_t>(std::count_if(
      problems.begin(), problems.end(), [](const Problem& p) { return p.severity == Problem::Severity::kError; }));
  const size_t warnings = problems.size() - errors;
  if (problems.empty()) {
    page.Entry(0, "OK", Paint::kGood, 10, fmt::format("{}: no fault found", path));
  } else {
    page.Entry(0, errors > 0 ? "FAULTS" : "WARNINGS", errors > 0 ? Paint::kBad : Paint::kWarn, 10,
               fmt::format("{}: {}, {}", path, Count(errors, "error"), Count(warnings, "warning")));
  }
  for (const Problem& p : problems) {
    const bool error = p.severity == Problem::Severity::kError;
    page.Blank();
    std::string head = p.setting;
    if (p.line > 0) head = fmt::format("{}{}line {}", head, head.empty() ? "" : ", ", p.line);
    page.Entry(kIndent, error ? "error" : "warning", error ? Paint::kBad : Paint::kWarn, kHang, head, Paint::kBold);
    page.Text(kHang, p.message);
    if (!p.fix.empty()) page.Entry(kIndent, "fix", Paint::kDim, kHang, p.fix, Paint::kCommand);
  }
  if (!style_.quiet && !facts.empty()) {
    page.Section("Read", Count(facts.size(), "fact"));
    size_t widest = 0;
    for (const Fact& f : facts) widest = std::max(widest, f.setting.size());
    const int name = static_cast<int>(std::min<size_t>(widest, static_cast<size_t>(page.width()) / 2));
    const bool lines = std::any_of(facts.begin(), facts.end(), [](const Fact& f) { return f.line > 0; });
    const int value = std::max(page.width() - kIndent - name - (lines ? 14 : 2), 8);
    for (size_t i = 0; i < std::min(facts.size(), kMostFacts); ++i) {
      const Fact& f = facts[i];
      page.Row(kIndent, {{f.setting, name},
                         {f.not_set ? "not set" : f.value, value, false, f.not_set ? Paint::kDim : Paint::kPlain},
                         {f.line > 0 ? fmt::format("line {}", f.line) : "", 0, false, Paint::kDim}});
    }
    if (facts.size() > kMostFacts) page.Text(kIndent, MoreNote(facts.size() - kMostFacts, "facts"), Paint::kDim);
  }
  out_(page.Take());
}

}  // namespace

std::unique_ptr<Reporter> MakeTextReporter(Out out, const ReportStyle& style) {
  return std::make_unique<TextReporter>(std::move(out), style);
}

}  // namespace autotune
