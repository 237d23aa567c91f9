// The report for an issue tracker: the answer on top, everything a reader may want to check folded below it.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analyzer/report/items_text.h"
#include "analyzer/report/markdown_text.h"
#include "analyzer/report/reporter.h"
#include "analyzer/report/wording.h"

namespace autotune {
namespace {

constexpr size_t kMostRows = 50;  // an issue comment holds 65,536 characters

std::string Value(const std::optional<std::string>& value) {
  if (!value) return "not stated";
  return value->empty() ? "not set" : MarkdownCode(*value, /*in_table=*/true);
}

std::string Line(const std::optional<uint64_t>& line) { return line ? fmt::format("{}", *line) : ""; }

void AddMore(size_t all, std::string* out) {
  if (all > kMostRows) *out += fmt::format("\nand {} more; `--format json` has them all\n", all - kMostRows);
}

class MarkdownReporter final : public Reporter {
 public:
  MarkdownReporter(Out out, const ReportStyle& style) : out_(std::move(out)), quiet_(style.quiet) {}

  void Begin(const std::vector<std::string>& inputs) override { inputs_ = inputs; }
  void OnBlock(const Block& block) override { costs_.Add(block); }
  bool wants_keys() const override { return false; }
  void OnOrphan(const Orphan&) override {}
  void OnEvidence(const Evidence&) override {}
  void OnCounter(std::string_view, std::string_view, uint64_t) override {}

  void End(const Run& run, const Manifest* manifest, const Verdict& verdict) override {
    std::string text = AnswerPart(run, manifest, verdict);
    if (!quiet_) {
      text += Suspects(manifest, verdict) + Notes(verdict) + SideBySide(verdict) + Problems(run) + Processes(verdict) +
              Compared(verdict) + Stated(run, manifest, verdict);
      text += "\n<sub>" +
              MarkdownText(fmt::format("autotune-scan {}; {} read", AUTOTUNE_VERSION, Count(run.lines, "line")));
      for (const std::string& note : ReadingNotes(run)) text += "; " + MarkdownText(note);
      text += "</sub>\n";
    }
    out_(text);
  }

  void Facts(std::string_view path, const std::vector<Fact>& facts, const std::vector<Problem>& problems) override;
  void Items(std::string_view path, std::string_view root, const std::vector<CheckItem>& items,
             const std::vector<Fact>&, const std::vector<Problem>&) override {
    out_(ItemsAsMarkdown(path, root, items, quiet_));
  }

 private:
  std::string AnswerPart(const Run& run, const Manifest* manifest, const Verdict& verdict) const;
  std::string Suspects(const Manifest* manifest, const Verdict& verdict) const;
  std::string Notes(const Verdict& verdict) const;
  std::string Problems(const Run& run) const;
  std::string SideBySide(const Verdict& verdict) const;
  std::string Processes(const Verdict& verdict) const;
  std::string Compared(const Verdict& verdict) const;
  std::string Stated(const Run& run, const Manifest* manifest, const Verdict& verdict) const;

  Out out_;
  bool quiet_;
  std::vector<std::string> inputs_;
  ProcessCosts costs_;
};

std::string MarkdownReporter::AnswerPart(const Run& run, const Manifest* manifest, const Verdict& verdict) const {
  std::string against;
  for (const std::string& input : inputs_) {
    against += (against.empty() ? "" : ", ") + (input == "-" ? "standard input" : MarkdownCode(input));
  }
  if (manifest) against += " against " + MarkdownCode(manifest->path);
  std::string text = fmt::format("### {}: {}\n\n**{}**\n", StateWord(run, manifest, verdict), against,
                                 MarkdownText(Answer(run, manifest, verdict)));
  if (verdict.suspects.empty()) return text;
  const Suspect& first = verdict.suspects.front();
  const std::string places = Places(first, manifest);
  text += "\n";
  if (!places.empty()) text += "- where: " + MarkdownCode(places) + "\n";
  text += fmt::format("- sure: {}, {}\n", Percent(first.confidence), BasisInWords(first.basis));
  if (!first.why.empty()) text += "- why: " + MarkdownText(first.why) + "\n";
  if (!first.fix.empty()) text += "\nFix:\n\n" + MarkdownFence(first.fix);
  return text;
}

std::string MarkdownReporter::Suspects(const Manifest* manifest, const Verdict& verdict) const {
  if (verdict.suspects.size() < 2) return "";
  std::string text =
      "\n#### Less likely\n\n| setting | manifest | this run | sure | where | why |\n|---|---|---|---|---|---|\n";
  for (size_t i = 1; i < std::min(verdict.suspects.size(), kMostRows); ++i) {
    const Suspect& s = verdict.suspects[i];
    text += fmt::format("| {} | {} | {} | {}, {} | {} | {} |\n", MarkdownCode(s.setting, true),
                        Value(s.manifest ? s.manifest : s.built), Value(s.observed), Percent(s.confidence),
                        BasisInWords(s.basis), MarkdownCode(Places(s, manifest), true), MarkdownText(s.why));
  }
  AddMore(verdict.suspects.size(), &text);
  return text;
}

std::string MarkdownReporter::Notes(const Verdict& verdict) const {
  std::string text;
  if (!verdict.notes.empty()) text += "\n#### Notes\n\n";
  for (const std::string& note : verdict.notes) text += "- " + MarkdownText(note) + "\n";
  if (!verdict.next_checks.empty()) text += "\n#### Check next\n\n";
  for (const std::string& check : verdict.next_checks) text += "1. " + MarkdownText(check) + "\n";
  return text;
}

std::string MarkdownReporter::Problems(const Run& run) const {
  if (run.problems.empty()) return "";
  std::string text =
      fmt::format("\n#### Tuned\n\n{}\n\n| cost | problem | blocks | line | details |\n|---:|---|---:|---:|---|\n",
                  CostSummary(run));
  const std::vector<const TunedProblem*> problems = ByCost(run);
  for (size_t i = 0; i < std::min(problems.size(), kMostRows); ++i) {
    const TunedProblem& p = *problems[i];
    const std::string winners = WinnersNote(p);
    text += fmt::format(
        "| {} | {} | {} | {} | {}{} |\n", Seconds(p) > 0 ? Duration(Seconds(p)) : "",
        MarkdownCode(ProblemTitle(p.first), true), p.blocks,
        inputs_.size() > 1 ? MarkdownCode(Place(p.first.source, p.first.line), true) : fmt::format("{}", p.first.line),
        MarkdownText(ProblemDetail(p)), winners.empty() ? "" : "; " + winners);
  }
  AddMore(problems.size() + run.problems_dropped, &text);
  return text;
}

std::string MarkdownReporter::SideBySide(const Verdict& verdict) const {
  if (verdict.processes.empty()) return "";
  std::string text =
      fmt::format("\n#### Side by side\n\n{}\n\n| process | | line | blocks | cost |\n|---|---|---:|---:|---:|\n",
                  MarkdownText(ProcessesInWords(verdict)));
  for (size_t i = 0; i < std::min(verdict.processes.size(), kMostRows); ++i) {
    const ProcessState& process = verdict.processes[i];
    text += fmt::format(
        "| {} | {} | {} | {} | {} |\n", process.name.empty() ? NameInWords("") : MarkdownCode(process.name, true),
        StateInWords(process.state), Line(process.line), process.blocks > 0 ? fmt::format("{}", process.blocks) : "",
        process.seconds > 0 ? Duration(process.seconds) : "");
  }
  AddMore(verdict.processes.size(), &text);
  const std::vector<std::string> sentences = DisagreementsInWords(verdict);
  if (!sentences.empty()) text += "\n";
  for (const std::string& sentence : sentences) text += "- " + MarkdownText(sentence) + "\n";
  return text;
}

std::string MarkdownReporter::Processes(const Verdict& verdict) const {
  const std::vector<ProcessCosts::Cost> costs = costs_.ByCost();
  if (costs.size() < 2 || costs.size() <= verdict.processes.size()) return "";
  std::string text = "\n#### By process\n\n| cost | blocks | process |\n|---:|---:|---|\n";
  for (size_t i = 0; i < std::min(costs.size(), kMostRows); ++i) {
    text += fmt::format("| {} | {} | {} |\n", Duration(costs[i].seconds), costs[i].blocks,
                        MarkdownCode(costs[i].process, true));
  }
  AddMore(costs.size(), &text);
  return text;
}

std::string MarkdownReporter::Compared(const Verdict& verdict) const {
  std::string text;
  if (!verdict.harmless.empty()) {
    text +=
        "\n<details><summary>Harmless differences</summary>\n\n| setting | manifest (or build) | this run | why "
        "|\n|---|---|---|---|\n";
    for (const HarmlessDifference& h : verdict.harmless) {
      text += fmt::format("| {} | {} | {} | {} |\n", MarkdownCode(h.setting, true),
                          Value(h.manifest ? h.manifest : h.built), Value(h.observed), MarkdownText(h.why));
    }
    text += "\n</details>\n";
  }
  if (!verdict.equal.empty()) {
    text +=
        "\n<details><summary>Equal to the manifest</summary>\n\n| setting | value | log line | manifest line |\n"
        "|---|---|---:|---:|\n";
    for (const EqualSetting& e : verdict.equal) {
      text += fmt::format("| {} | {} | {} | {} |\n", MarkdownCode(e.setting, true), Value(e.value), Line(e.log_line),
                          Line(e.manifest_line));
    }
    text += "\n</details>\n";
  }
  if (!verdict.not_observed.empty()) {
    text += "\nNot stated in this log: ";
    for (size_t i = 0; i < verdict.not_observed.size(); ++i) {
      text += (i ? ", " : "") + MarkdownCode(verdict.not_observed[i]);
    }
    text += "\n";
  }
  return text;
}

std::string MarkdownReporter::Stated(const Run& run, const Manifest* manifest, const Verdict& verdict) const {
  const std::vector<const StatedValue*> stated = StatedBeside(run, verdict);
  if (stated.empty()) return "";
  std::string text = fmt::format(
      "\n<details><summary>The log {}states</summary>\n\n| setting | value | first line | times |\n"
      "|---|---|---:|---:|\n",
      manifest ? "also " : "");
  for (size_t i = 0; i < std::min(stated.size(), kMostRows); ++i) {
    const StatedValue& s = *stated[i];
    text += fmt::format(
        "| {} | {} | {} | {} |\n", MarkdownCode(s.setting, true), Value(s.value),
        inputs_.size() > 1 ? MarkdownCode(Place(s.source, s.first_line), true) : fmt::format("{}", s.first_line),
        s.count);
  }
  AddMore(stated.size(), &text);
  return text + "\n</details>\n";
}

void MarkdownReporter::Facts(std::string_view path, const std::vector<Fact>& facts,
                             const std::vector<Problem>& problems) {
  std::string text = fmt::format("### {}: {}\n", MarkdownCode(path),
                                 problems.empty() ? "no fault found" : Count(problems.size(), "fault"));
  if (!problems.empty()) text += "\n| | line | setting | fault | fix |\n|---|---:|---|---|---|\n";
  for (const Problem& p : problems) {
    text += fmt::format("| {} | {} | {} | {} | {} |\n", p.severity == Problem::Severity::kError ? "error" : "warning",
                        p.line ? fmt::format("{}", p.line) : "", MarkdownCode(p.setting, true), MarkdownText(p.message),
                        MarkdownText(p.fix));
  }
  if (!quiet_ && !facts.empty()) {
    text += "\n<details><summary>Read</summary>\n\n| setting | value | line |\n|---|---|---:|\n";
    for (size_t i = 0; i < facts.size(); ++i) {
      const Fact& f = facts[i];
      text += fmt::format("| {} | {} | {} |\n", MarkdownCode(f.setting, true), f.not_set ? "not set" : Value(f.value),
                          f.line ? fmt::format("{}", f.line) : "");
    }
    text += "\n</details>\n";
  }
  out_(text);
}

}  // namespace

std::unique_ptr<Reporter> MakeMarkdownReporter(Out out, const ReportStyle& style) {
  return std::make_unique<MarkdownReporter>(std::move(out), style);
}

}  // namespace autotune
