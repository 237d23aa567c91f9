// One run as one self-contained page: the answer, the causes with the lines that show them, every fact of the manifest
// beside what the log says of it, and the tuned blocks with their rows. No script: it folds, prints and works anywhere.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

#include "analyzer/report/html_page.h"
#include "analyzer/report/reporter.h"
#include "analyzer/report/wording.h"

namespace autotune {
namespace {

// Rows and blocks that are kept for the page. A log of nothing but blocks would make a page that no browser opens.
constexpr size_t kMostBlocks = 500, kMostRows = 8000;
constexpr size_t kOpenBlocks = 2;  // that need no click
constexpr size_t kMostListed = 500;

std::string Code(std::string_view text) { return "<span class=\"code\">" + HtmlText(text) + "</span>"; }

std::string ValueCell(const std::optional<std::string>& value) {
  const std::string words = ValueInWords(value);
  return value && !value->empty() ? Code(words) : "<span class=\"dim\">" + words + "</span>";
}

// "value, and in small letters where it stands"
std::string PlacedValue(const std::optional<std::string>& value, const std::optional<uint64_t>& line) {
  std::string cell = ValueCell(value);
  if (line) cell += fmt::format(" <span class=\"dim\">line {}</span>", *line);
  return cell;
}

void Pair(std::string_view name, const std::string& html, std::string* out) {
  if (!html.empty()) *out += fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, html);
}

std::string More(size_t left, std::string_view what) {
  return left == 0 ? "" : fmt::format("<p class=\"dim\">and {} more {}; --format json has them all</p>\n", left, what);
}

std::string CauseHtml(const Suspect& s, const Manifest* manifest) {
  std::string out = fmt::format(
      "<div class=\"suspect\">\n<h3>{} <span>{}, {}</span></h3>\n<div class=\"meter\"><span "
      "style=\"width:{:.0f}%\"></span></div>\n",
      HtmlText(s.setting), Percent(s.confidence), BasisInWords(s.basis), 100 * s.confidence);
  if (!s.why.empty()) out += "<p>" + HtmlText(s.why) + "</p>\n";
  out += "<dl>\n";
  if (s.manifest || s.built || s.observed) {
    if (!s.manifest && s.built) {
      Pair("the build", ValueCell(s.built), &out);
    } else {
      Pair("manifest", PlacedValue(s.manifest, s.manifest_line), &out);
    }
    Pair("this run", PlacedValue(s.observed, s.log_line), &out);
  }
  Pair("see", Code(Places(s, manifest)), &out);
  out += "</dl>\n";
  if (!s.fix.empty()) out += "<pre class=\"fix\">" + HtmlLines(s.fix) + "</pre>\n";
  return out + "</div>\n";
}

std::string Causes(const Manifest* manifest, const Verdict& verdict) {
  if (verdict.suspects.empty()) return "";
  std::string out = "<section class=\"causes\"><h2>Why</h2>\n" + CauseHtml(verdict.suspects.front(), manifest);
  const size_t n = std::min(verdict.suspects.size(), kMostListed);
  if (n > 1) out += fmt::format("<details><summary>{} less likely</summary>\n", n - 1);
  for (size_t i = 1; i < n; ++i) out += CauseHtml(verdict.suspects[i], manifest);
  if (n > 1) out += "</details>\n";
  return out + "</section>\n";
}

std::string List(std::string_view title, const std::vector<std::string>& items, std::string_view tag) {
  if (items.empty()) return "";
  std::string out = fmt::format("<section><h2>{}</h2>\n<{}>\n", title, tag);
  for (const std::string& item : items) out += "<li>" + HtmlText(item) + "</li>\n";
  return out + fmt::format("</{}>\n</section>\n", tag);
}

// What the verdict says of one fact of the manifest.
struct Correlation {
  std::string_view kind = "none", words = "not compared";
  std::optional<std::string> observed;
  std::optional<uint64_t> line;
};

Correlation Correlate(const Fact& fact, const Verdict& verdict) {
  for (const Suspect& s : verdict.suspects) {
    if (s.setting == fact.setting) return {"differs", "differs", s.observed, s.log_line};
  }
  for (const EqualSetting& e : verdict.equal) {
    if (e.setting == fact.setting) return {"equal", "equal", e.value, e.log_line};
  }
  for (const HarmlessDifference& h : verdict.harmless) {
    if (h.setting == fact.setting) return {"harmless", "differs, harmless", h.observed, h.log_line};
  }
  const bool absent = std::count(verdict.not_observed.begin(), verdict.not_observed.end(), fact.setting) > 0;
  if (absent) return {"absent", "not stated in the log", std::nullopt, std::nullopt};
  return {};
}

std::string ManifestTable(const Manifest* manifest, const Verdict& verdict) {
  if (manifest == nullptr || manifest->facts.empty()) return "";
  std::string out =
      "<section><h2>Against the manifest</h2>\n<div class=\"wide\"><table class=\"facts\"><thead><tr><th>Setting</th>"
      "<th>Manifest</th><th>This run</th><th>Result</th></tr></thead><tbody>\n";
  std::set<std::pair<std::string, std::string>> seen;
  for (const Fact& fact : manifest->facts) {
    if (seen.size() >= kMostListed || !seen.emplace(fact.setting, fact.value).second) continue;
    const Correlation found = Correlate(fact, verdict);
    // A suspect without a value, or a fact that is only listed, has nothing to say in the run's column.
    const bool stated = found.observed || found.line;
    out += fmt::format(
        "<tr class=\"{3}\"><td class=\"code\">{0}</td><td>{1}</td><td>{2}</td><td class=\"result {3}\">{4}</td></tr>\n",
        HtmlText(fact.setting),
        PlacedValue(fact.not_set ? std::string() : fact.value, fact.line ? std::optional(fact.line) : std::nullopt),
        stated ? PlacedValue(found.observed, found.line) : "", found.kind, found.words);
  }
  out += "</tbody></table></div>\n";
  for (const HarmlessDifference& h : verdict.harmless) {
    if (h.why.empty()) continue;
    out += "<p class=\"dim\">" + Code(h.setting) + " is harmless: " + HtmlText(h.why) + "</p>\n";
  }
  return out + "</section>\n";
}

std::string_view StateClass(ProcessState::State state) {
  if (state == ProcessState::State::kTuned) return "mismatch";
  return state == ProcessState::State::kDidNotTune ? "clean" : "unknown";
}

// Several pods, ranks or logs.
std::string SideBySide(const Verdict& verdict) {
  if (verdict.processes.empty()) return "";
  std::string out =
      "<section><h2>Side by side</h2>\n<p>" + HtmlText(ProcessesInWords(verdict)) +
      "</p>\n<div class=\"wide\"><table><thead><tr><th>Process</th><th>What it did</th><th class=\"n\">Line</th>"
      "<th class=\"n\">Blocks</th><th class=\"n\">Cost</th></tr></thead><tbody>\n";
  const size_t shown = std::min(verdict.processes.size(), kMostListed);
  for (size_t i = 0; i < shown; ++i) {
    const ProcessState& p = verdict.processes[i];
    out += fmt::format(
        "<tr><td class=\"code\">{}</td><td class=\"state {}\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
        "<td class=\"n\">{}</td></tr>\n",
        HtmlText(NameInWords(p.name)), StateClass(p.state), StateInWords(p.state),
        p.line ? fmt::format("{}", *p.line) : "", p.blocks > 0 ? fmt::format("{}", p.blocks) : "",
        p.seconds > 0 ? Duration(p.seconds) : "");
  }
  out += "</tbody></table></div>\n" + More(verdict.processes.size() - shown, "processes");
  const std::vector<std::string> sentences = DisagreementsInWords(verdict);
  if (!sentences.empty()) out += "<ul>\n";
  for (const std::string& sentence : sentences) out += "<li>" + HtmlText(sentence) + "</li>\n";
  if (!sentences.empty()) out += "</ul>\n";
  return out + "</section>\n";
}

std::string RowHtml(const Choice& c, double fastest) {
  const double share = std::isfinite(c.ms) && c.ms > 0 && std::isfinite(fastest) ? 100 * fastest / c.ms : 0;
  return fmt::format(
      "<tr><td class=\"code\">{}</td><td class=\"n\">{}</td><td class=\"speed\"><span style=\"width:{:.1f}%\"></span>"
      "</td><td>{}</td><td class=\"n dim\">{}</td><td class=\"code dim\">{}</td></tr>\n",
      HtmlText(c.name), std::isfinite(c.ms) ? fmt::format("{}", c.ms) : "inf", share, HtmlText(c.backend), c.line,
      HtmlText(c.description));
}

std::string BlockFacts(const Block& b) {
  std::string out = "<dl>\n";
  if (b.benchmark_seconds) Pair("benchmarking", Duration(*b.benchmark_seconds), &out);
  if (b.precompile_seconds) Pair("precompiling", Duration(*b.precompile_seconds), &out);
  if (b.prescreen_seconds) Pair("prescreening", Duration(*b.prescreen_seconds), &out);
  const std::optional<int64_t> total = b.num_choices ? b.num_choices : b.num_choices_stats;
  if (total) Pair("choices", fmt::format("{} of {} shown", b.choices.size(), *total), &out);
  if (b.strides) {
    std::string strides;
    for (const auto& one : *b.strides) {
      strides += fmt::format("{}[{}]", strides.empty() ? "" : ", ", fmt::join(one, ", "));
    }
    Pair("strides", Code(strides), &out);
  }
  if (b.inputs_key)
    Pair("inputs key", Code(*b.inputs_key) + (b.inputs_key_exact ? "" : " (device or offset assumed)"), &out);
  if (!b.candidate_set.key.empty()) {
    Pair("candidate set", Code(b.candidate_set.key) + " (" + HtmlText(b.candidate_set.basis) + ")", &out);
  }
  if (!b.torch_range.empty()) Pair("layout of torch", HtmlText(b.torch_range), &out);
  return out + "</dl>\n";
}

class HtmlReporter final : public Reporter {
 public:
  explicit HtmlReporter(Out out) : out_(std::move(out)) {}

  void Begin(const std::vector<std::string>& inputs) override { inputs_ = inputs; }
  void OnBlock(const Block& block) override {
    costs_.Add(block);
    rows_ += block.choices.size();
    if (blocks_.size() < kMostBlocks && rows_ <= kMostRows) blocks_.push_back(block);
  }
  void OnOrphan(const Orphan&) override {}
  void OnEvidence(const Evidence&) override {}
  void OnCounter(std::string_view, std::string_view, uint64_t) override {}
  void Facts(std::string_view, const std::vector<Fact>&, const std::vector<Problem>&) override {}

  void End(const Run& run, const Manifest* manifest, const Verdict& verdict) override {
    const std::string_view word = StateWord(run, manifest, verdict);
    const std::string answer = Answer(run, manifest, verdict);
    std::string page = HtmlHead(fmt::format("{}: {}", word, Inputs()));
    page += fmt::format(
        "<header><p class=\"badge {0}\"><span class=\"state {0}\">{1}</span></p>\n<h1 class=\"answer\">{2}</h1>\n<p "
        "class=\"log\">{3}{4}</p></header>\n<main>\n",
        StateName(verdict.state), word, HtmlText(answer), HtmlText(Inputs()),
        manifest ? " against " + HtmlText(manifest->path) : "");
    page += Tiles(run) + Causes(manifest, verdict) + List("Notes", verdict.notes, "ul");
    page += SideBySide(verdict) + ManifestTable(manifest, verdict) + Processes(verdict) + Tuned(run);
    page += List("Check next", verdict.next_checks, "ol") + Stated(run, verdict);
    std::string read = Count(run.lines, "line") + " read";
    for (const std::string& note : ReadingNotes(run)) read += "; " + note;
    page += "</main>\n";
    out_(page + HtmlTail(read));
  }

 private:
  std::string Inputs() const {
    const std::string all = fmt::format("{}", fmt::join(inputs_, ", "));
    return all == "-" ? "standard input" : all;
  }
  std::string LogPlace(std::string_view source, uint64_t line) const {
    return inputs_.size() > 1 ? Place(source, line) : fmt::format("line {}", line);
  }
  std::string Tiles(const Run& run) const;
  std::string Processes(const Verdict& verdict) const;
  std::string Tuned(const Run& run) const;
  std::string BlockHtml(const Block& block, size_t number) const;
  std::string Stated(const Run& run, const Verdict& verdict) const;

  Out out_;
  std::vector<std::string> inputs_;
  ProcessCosts costs_;
  std::vector<Block> blocks_;  // the first ones, whole
  size_t rows_ = 0;
};

std::string HtmlReporter::Tiles(const Run& run) const {
  std::string out = "<dl class=\"tiles\">\n";
  out += HtmlTile("tuning took",
                  Seconds(run) > 0 ? Duration(Seconds(run))
                  : run.tuned()    ? "not stated"
                                   : "0 s",
                  "lead");
  out += HtmlTile("problems", fmt::format("{}", run.problems.size() + run.problems_dropped));
  out += HtmlTile("blocks", fmt::format("{}", run.blocks));
  if (run.processes.size() > 1) out += HtmlTile("processes", fmt::format("{}", run.processes.size()));
  return out + "</dl>\n";
}

std::string HtmlReporter::Processes(const Verdict& verdict) const {
  const std::vector<ProcessCosts::Cost> costs = costs_.ByCost();
  if (costs.size() < 2 || costs.size() <= verdict.processes.size()) return "";
  std::string out =
      "<section><h2>By process</h2>\n<div class=\"wide\"><table><thead><tr><th>Process</th><th class=\"n\">Blocks</th>"
      "<th class=\"n\">Cost</th></tr></thead><tbody>\n";
  for (size_t i = 0; i < std::min(costs.size(), kMostListed); ++i) {
    out += fmt::format("<tr><td class=\"code\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>\n",
                       HtmlText(costs[i].process), costs[i].blocks, Duration(costs[i].seconds));
  }
  out += "</tbody></table></div>\n" + More(costs.size() - std::min(costs.size(), kMostListed), "processes");
  return out + "</section>\n";
}

// The problems, most expensive first, then the blocks themselves in the log's order.
std::string HtmlReporter::Tuned(const Run& run) const {
  if (run.problems.empty()) return "";
  std::string out =
      "<section><h2>Tuned</h2>\n<p>" + HtmlText(CostSummary(run)) +
      "</p>\n<div class=\"wide\"><table class=\"problems\"><thead><tr><th class=\"n\">Cost</th><th>Problem</th>"
      "<th class=\"n\">Blocks</th><th>First</th><th>Details</th></tr></thead><tbody>\n";
  const std::vector<const TunedProblem*> problems = ByCost(run);
  const size_t shown = std::min(problems.size(), kMostListed);
  for (size_t i = 0; i < shown; ++i) {
    const TunedProblem& p = *problems[i];
    const std::string winners = WinnersNote(p);
    out += fmt::format(
        "<tr><td class=\"n\">{}</td><td class=\"code\">{}</td><td class=\"n\">{}</td><td>{}</td><td>{}{}</td></tr>\n",
        Seconds(p) > 0 ? Duration(Seconds(p)) : "", HtmlText(ProblemTitle(p.first)), p.blocks,
        HtmlText(LogPlace(p.first.source, p.first.line)), HtmlText(ProblemDetail(p)),
        winners.empty() ? "" : "<br>" + HtmlText(winners));
  }
  out += "</tbody></table></div>\n" + More(problems.size() - shown + run.problems_dropped, "problems");
  out += "</section>\n<section><h2>Blocks</h2>\n";
  for (size_t i = 0; i < blocks_.size(); ++i) out += BlockHtml(blocks_[i], i);
  out += More(run.blocks - std::min<uint64_t>(run.blocks, blocks_.size()), "blocks");
  return out + "</section>\n";
}

std::string HtmlReporter::BlockHtml(const Block& b, size_t number) const {
  double fastest = INFINITY;
  for (const Choice& c : b.choices) fastest = std::min(fastest, c.ms);
  std::string where = LogPlace(b.source, b.line);
  for (const std::optional<std::string>& label : {b.labels.pod, b.labels.process}) {
    if (label) where += ", " + *label;
  }
  if (b.labels.rank) where += fmt::format(", rank {}", *b.labels.rank);
  if (!b.complete) where += ", cut short";
  std::string out = fmt::format(
      "<details class=\"block\"{}><summary><span class=\"code\">{}</span> <span class=\"dim\">{}"
      "</span></summary>\n",
      number < kOpenBlocks ? " open" : "", HtmlText(ProblemTitle(b)), HtmlText(where));
  if (!b.choices.empty()) {
    out +=
        "<div class=\"wide\"><table class=\"rows\"><thead><tr><th>Kernel</th><th class=\"n\">ms</th><th>Speed</th>"
        "<th>Back end</th><th class=\"n\">Line</th><th>Description</th></tr></thead><tbody>\n";
    for (const Choice& c : b.choices) out += RowHtml(c, fastest);
    out += "</tbody></table></div>\n";
  }
  return out + BlockFacts(b) + "</details>\n";
}

std::string HtmlReporter::Stated(const Run& run, const Verdict& verdict) const {
  const std::vector<const StatedValue*> stated = StatedBeside(run, verdict);
  if (stated.empty()) return "";
  std::string out = fmt::format(
      "<section><details><summary>What the log states beside that ({})</summary>\n<div class=\"wide\"><table>"
      "<thead><tr><th>Setting</th><th>Value</th><th>First</th><th class=\"n\">Times</th></tr></thead><tbody>\n",
      Count(stated.size(), "value"));
  const size_t shown = std::min(stated.size(), kMostListed);
  for (size_t i = 0; i < shown; ++i) {
    const StatedValue& s = *stated[i];
    out += fmt::format("<tr><td class=\"code\">{}</td><td>{}</td><td>{}</td><td class=\"n\">{}</td></tr>\n",
                       HtmlText(s.setting), ValueCell(s.value), HtmlText(LogPlace(s.source, s.first_line)), s.count);
  }
  return out + "</tbody></table></div>\n" + More(stated.size() - shown, "values") + "</details></section>\n";
}

}  // namespace

std::unique_ptr<Reporter> MakeHtmlReporter(Out out) { return std::make_unique<HtmlReporter>(std::move(out)); }

}  // namespace autotune
