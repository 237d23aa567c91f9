#include "analyzer/audit/html_audit_writer.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyzer/audit/audit_writer.h"
#include "analyzer/audit/html_charts.h"
#include "analyzer/base/json_writer.h"
#include "analyzer/base/text.h"
#include "analyzer/report/html_page.h"
#include "analyzer/report/printable.h"
#include "analyzer/report/wording.h"

namespace autotune {
namespace {

constexpr size_t kProblemsOfRun = 12, kProblemsOfPage = 25, kErrorsShown = 50;

std::string_view StateClass(const RunRecord& run) {
  if (run.state == Verdict::State::kClean) return "clean";
  return run.state == Verdict::State::kMismatch ? "mismatch" : "unknown";
}

// JSON inside <script>: "</script>" and "<!--" must not appear in it.
std::string ScriptJson(std::string json) {
  std::string out;
  for (const char c : json) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

std::string PlacesOf(const Suspect& s, const RunRecord& run) {
  std::string places;
  if (s.log_line) places = Place(s.log_source.empty() ? run.source : s.log_source, *s.log_line);
  if (s.manifest_line) places += (places.empty() ? "" : ", ") + Place(run.manifest, *s.manifest_line);
  return places;
}

// What a click on a row shows; names are short because there is one a run.
std::string EvidenceJson(const RunRecord& run) {
  std::string json;
  JsonWriter w(&json);
  const auto text = [&w](const char* key, std::string_view value) {
    if (!value.empty()) w.Key(key).String(Printable(value));
  };
  w.BeginObject();
  text("a", run.answer);
  text("m", run.manifest);
  text("g", run.gpu);
  w.Key("l").Int(static_cast<int64_t>(run.lines));
  w.Key("t").BeginArray();
  for (const double seconds : {run.benchmark_seconds, run.precompile_seconds, run.prescreen_seconds}) {
    w.String(seconds > 0 ? Duration(seconds) : "");
  }
  w.EndArray();
  w.Key("s").BeginArray();
  for (const Suspect& s : run.suspects) {
    w.BeginObject();
    text("n", s.setting);
    text("c", Percent(s.confidence));
    text("b", BasisInWords(s.basis));
    if (s.manifest) text("x", ValueInWords(s.manifest));
    if (s.observed) text("o", ValueInWords(s.observed));
    text("p", PlacesOf(s, run));
    text("w", s.why);
    if (!s.fix.empty()) w.Key("f").String(PrintableLines(s.fix));
    w.EndObject();
  }
  w.EndArray();
  w.Key("p").BeginArray();
  for (size_t i = 0; i < std::min(run.problems.size(), kProblemsOfRun); ++i) {
    const ProblemRecord& problem = run.problems[i];
    w.BeginArray();
    w.String(Printable(problem.title)).String(Count(problem.blocks, "block"));
    w.String(problem.seconds > 0 ? Duration(problem.seconds) : "");
    w.EndArray();
  }
  w.EndArray();
  w.Key("q").Int(static_cast<int64_t>(run.problem_count));
  w.Key("n").BeginArray();
  for (const std::string& note : run.notes) w.String(Printable(note));
  w.EndArray();
  w.EndObject();
  return ScriptJson(std::move(json));
}

std::string Tiles(const Totals& totals) {
  std::string out = "<dl class=\"tiles\">\n";
  out += HtmlTile("lost to tuning", totals.seconds() > 0 ? Duration(totals.seconds()) : "0 s", "lead");
  out += HtmlTile("runs", std::to_string(totals.runs()));
  out += HtmlTile("mismatch", std::to_string(totals.mismatch()), "mismatch");
  out += HtmlTile("clean", std::to_string(totals.clean()), "clean");
  out += HtmlTile("not judged", std::to_string(totals.unknown()), "unknown");
  out += HtmlTile("problems tuned again", fmt::format("{} of {}", totals.tuned_again(), totals.problems()));
  return out + "</dl>\n";
}

std::string Problems(const Totals& totals) {
  std::vector<ProblemTotal> problems = totals.ByProblem();
  if (problems.empty()) return "";
  std::string out =
      "<section><h2>Tuned again and again</h2>\n<div class=\"wide\"><table "
      "class=\"problems\"><thead><tr><th>Problem</th>"
      "<th class=\"n\">Runs</th><th class=\"n\">Blocks</th><th class=\"n\">Lost</th><th>Winning "
      "kernels</th></tr></thead>"
      "<tbody>\n";
  const size_t all = problems.size();
  problems.resize(std::min(all, kProblemsOfPage));
  for (const ProblemTotal& problem : problems) {
    const bool noise = problem.winners < 2 || problem.apart < Totals::kNoise;
    std::string winners = WinnersInWords(problem);
    if (!winners.empty() && !problem.gpu.empty()) winners += " on " + problem.gpu;
    out += fmt::format(
        "<tr><td class=\"code\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
        "<td class=\"{}\">{}</td></tr>\n",
        HtmlText(problem.title), problem.runs, problem.blocks, problem.seconds > 0 ? Duration(problem.seconds) : "",
        noise ? "dim" : "warn", HtmlText(winners.empty() ? "all runs agree" : winners));
  }
  out += "</tbody></table></div>\n";
  if (all > problems.size()) out += fmt::format("<p class=\"dim\">and {} more</p>\n", all - problems.size());
  return out + "</section>\n";
}

constexpr std::string_view kRunsHead =
    "<div class=\"tools\" hidden>\n"
    "<input type=\"search\" id=\"find\" placeholder=\"Filter by log, cause, torch, day\" aria-label=\"Filter runs\">\n"
    "<div class=\"states\" role=\"group\" aria-label=\"State\">\n"
    "<button type=\"button\" data-state=\"\" aria-pressed=\"true\">All</button>\n"
    "<button type=\"button\" data-state=\"mismatch\" aria-pressed=\"false\">Mismatch</button>\n"
    "<button type=\"button\" data-state=\"clean\" aria-pressed=\"false\">Clean</button>\n"
    "<button type=\"button\" data-state=\"unknown\" aria-pressed=\"false\">Not judged</button>\n"
    "</div>\n<output id=\"shown\" aria-live=\"polite\"></output>\n</div>\n"
    "<table class=\"runs\"><thead><tr><th data-kind=\"text\">State</th><th data-kind=\"text\">Log</th>"
    "<th data-kind=\"text\">Cause</th><th data-kind=\"number\" class=\"n\">Lost</th>"
    "<th data-kind=\"number\" class=\"n\">Blocks</th><th data-kind=\"number\" class=\"n\">Problems</th>"
    "<th data-kind=\"number\" class=\"n\">Processes</th><th data-kind=\"text\">torch</th>"
    "<th data-kind=\"text\">Day</th></tr></thead><tbody>\n";

}  // namespace

void HtmlAuditWriter::OnRun(const RunRecord& run) {
  const double seconds = run.state == Verdict::State::kClean ? 0 : run.seconds();
  rows_ += fmt::format(
      "<tr data-state=\"{0}\"><td class=\"state {0}\">{1}</td><td class=\"log\"><button type=\"button\" "
      "aria-expanded=\"false\">{2}</button></td><td class=\"cause\">{3}</td><td class=\"n lost\" "
      "data-v=\"{4}\">{5}</td>"
      "<td class=\"n more\">{6}</td><td class=\"n more\">{7}</td><td class=\"n more\">{8}</td><td "
      "class=\"more\">{9}</td>"
      "<td class=\"more day\">{10}</td></tr>\n",
      StateClass(run), StateWord(run), HtmlText(run.source), HtmlText(CauseInWords(run)), seconds,
      seconds > 0 ? Duration(seconds) : "", run.blocks, run.problem_count, run.processes, HtmlText(TorchInWords(run)),
      HtmlText(run.day));
  if (runs_++ > 0) evidence_ += ",\n";
  evidence_ += EvidenceJson(run);
}

void HtmlAuditWriter::OnError(const absl::Status& error) {
  if (error_count_++ < kErrorsShown) errors_.emplace_back(FromAbsl(error.message()));
}

std::string HtmlAuditWriter::Page(const Totals& totals, const AuditCounts& counts) const {
  std::string page = HtmlHead(Count(totals.runs(), "run"), kPageScript);
  page +=
      fmt::format("<header><h1>What tuning cost</h1>\n<p>{}.</p></header>\n<main>\n", HtmlText(SummaryInWords(totals)));
  page += Tiles(totals);
  const std::vector<CauseTotal> causes = totals.ByCause();
  // As high as the list of causes beside it, within reason.
  const int height = std::clamp(static_cast<int>(causes.size()) * 42 - 30, 150, 330);
  page += "<div class=\"charts\">\n" + CauseChart(causes) + DayChart(totals.ByDay(), height) + "</div>\n";
  page += "<section><h2>Runs</h2>\n";
  page += kRunsHead;
  page += rows_;
  page += "</tbody></table>\n</section>\n";
  page += Problems(totals);
  const std::vector<std::string> left_out = LeftOutInWords(counts);
  if (!left_out.empty() || !errors_.empty()) {
    page += "<section><h2>What was read</h2>\n<ul class=\"dim\">\n";
    for (const std::string& words : left_out) page += "<li>" + HtmlText(words) + "</li>\n";
    for (const std::string& error : errors_) page += "<li class=\"warn\">" + HtmlText(error) + "</li>\n";
    if (error_count_ > errors_.size())
      page += fmt::format("<li>and {} more that could not be read</li>\n", error_count_ - errors_.size());
    page += "</ul>\n</section>\n";
  }
  page += "</main>\n<script type=\"application/json\" id=\"evidence\">[" + evidence_ + "]</script>\n";
  return page + HtmlTail("", kPageScript);
}

absl::Status HtmlAuditWriter::Write(const std::string& path, const Totals& totals, const AuditCounts& counts) const {
  return WritePageFile(path, Page(totals, counts));
}

}  // namespace autotune
