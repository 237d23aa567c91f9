// The audit for scripts: one object a line. Field names are promised (see --help); they may be added to.
#include "analyzer/audit/audit_writer.h"
#include "analyzer/base/json_writer.h"
#include "analyzer/base/text.h"

namespace autotune {
namespace {

constexpr int kSchema = 1;

int64_t Signed(uint64_t n) { return static_cast<int64_t>(n); }

void StringOrNull(std::string_view value, JsonWriter* w) {
  if (value.empty()) {
    w->Null();
  } else {
    w->String(value);
  }
}

void WriteCause(const Suspect* cause, JsonWriter* w) {
  if (cause == nullptr) {
    w->Null();
    return;
  }
  w->BeginObject();
  w->Key("setting").String(cause->setting);
  w->Key("manifest").OptString(cause->manifest);
  w->Key("manifest_line").OptLine(cause->manifest_line);
  w->Key("observed").OptString(cause->observed);
  w->Key("log_line").OptLine(cause->log_line);
  w->Key("confidence").Number(cause->confidence);
  w->Key("basis").String(BasisName(cause->basis));
  w->Key("why").String(cause->why);
  w->Key("fix").String(cause->fix);
  w->EndObject();
}

class JsonAuditWriter : public AuditWriter {
 public:
  JsonAuditWriter(Out out, bool quiet) : out_(std::move(out)), quiet_(quiet) {}

  void Begin(const std::vector<std::string>& paths) override {
    Line("begin", [&](JsonWriter* w) {
      w->Key("schema").Int(kSchema);
      w->Key("version").String(AUTOTUNE_VERSION);
      w->Key("inputs").BeginArray();
      for (const std::string& path : paths) w->String(path);
      w->EndArray();
    });
  }

  void OnRun(const RunRecord& run) override {
    if (quiet_) return;
    Line("run", [&](JsonWriter* w) {
      w->Key("source").String(run.source);
      w->Key("manifest");
      StringOrNull(run.manifest, w);
      w->Key("day");
      StringOrNull(run.day, w);
      w->Key("state").String(StateName(run.state));
      w->Key("tuned").Bool(run.tuned);
      w->Key("cause");
      WriteCause(NamedCause(run), w);
      w->Key("suspects").BeginArray();
      for (const Suspect& suspect : run.suspects) WriteCause(&suspect, w);
      w->EndArray();
      w->Key("blocks").Int(Signed(run.blocks));
      w->Key("truncated_blocks").Int(Signed(run.truncated_blocks));
      w->Key("orphans").Int(Signed(run.orphans));
      w->Key("problems").Int(Signed(run.problem_count));
      w->Key("processes").Int(Signed(run.processes));
      w->Key("seconds").Number(run.seconds());
      w->Key("benchmark_seconds").Number(run.benchmark_seconds);
      w->Key("precompile_seconds").Number(run.precompile_seconds);
      w->Key("prescreen_seconds").Number(run.prescreen_seconds);
      w->Key("torch");
      StringOrNull(run.torch, w);
      w->Key("torch_range");
      StringOrNull(run.torch_range, w);
      w->Key("gpu");
      StringOrNull(run.gpu, w);
      w->Key("bytes").Int(Signed(run.bytes));
      w->Key("lines").Int(Signed(run.lines));
      w->Key("ended_early").Bool(run.ended_early);
      w->Key("answer").String(run.answer);
      w->Key("notes").BeginArray();
      for (const std::string& note : run.notes) w->String(note);
      w->EndArray();
    });
  }
  void OnError(const absl::Status& error) override {
    Line("error", [&](JsonWriter* w) { w->Key("message").String(FromAbsl(error.message())); });
  }
  void End(const Totals& totals, const AuditCounts& counts) override;

 private:
  template <typename Fill>
  void Line(std::string_view type, Fill fill) {
    std::string line;
    JsonWriter w(&line);
    w.BeginObject();
    w.Key("type").String(type);
    w.Key("data").BeginObject();
    fill(&w);
    w.EndObject();
    w.EndObject();
    line += '\n';
    out_(line);
  }

  const Out out_;
  const bool quiet_;
};

void JsonAuditWriter::End(const Totals& totals, const AuditCounts& counts) {
  for (const CauseTotal& cause : totals.ByCause()) {
    Line("total", [&](JsonWriter* w) {
      w->Key("by").String("cause");
      w->Key("setting");
      StringOrNull(cause.setting, w);
      w->Key("runs").Int(Signed(cause.runs));
      w->Key("blocks").Int(Signed(cause.blocks));
      w->Key("seconds").Number(cause.seconds);
    });
  }
  for (const DayTotal& day : totals.ByDay()) {
    Line("total", [&](JsonWriter* w) {
      w->Key("by").String("day");
      w->Key("day");
      StringOrNull(day.day, w);
      w->Key("runs").Int(Signed(day.runs));
      w->Key("tuned").Int(Signed(day.tuned));
      w->Key("blocks").Int(Signed(day.blocks));
      w->Key("seconds").Number(day.seconds);
    });
  }
  for (const ProblemTotal& problem : totals.ByProblem()) {
    Line("total", [&](JsonWriter* w) {
      w->Key("by").String("problem");
      w->Key("problem").String(problem.title);
      w->Key("runs").Int(Signed(problem.runs));
      w->Key("blocks").Int(Signed(problem.blocks));
      w->Key("seconds").Number(problem.seconds);
      w->Key("winners").Int(Signed(problem.winners));
      w->Key("winners_apart").Number(problem.apart);
      w->Key("winners_gpu");
      StringOrNull(problem.gpu, w);
      w->Key("noise").Bool(problem.winners > 1 && problem.apart < Totals::kNoise);
    });
  }
  Line("summary", [&](JsonWriter* w) {
    w->Key("runs").Int(Signed(totals.runs()));
    w->Key("mismatch").Int(Signed(totals.mismatch()));
    w->Key("clean").Int(Signed(totals.clean()));
    w->Key("unknown").Int(Signed(totals.unknown()));
    w->Key("tuned").Int(Signed(totals.tuned()));
    w->Key("blocks").Int(Signed(totals.blocks()));
    w->Key("problems").Int(Signed(totals.problems()));
    w->Key("problems_tuned_again").Int(Signed(totals.tuned_again()));
    w->Key("seconds").Number(totals.seconds());
    w->Key("bytes").Int(Signed(totals.bytes()));
    w->Key("lines").Int(Signed(totals.lines()));
    w->Key("files").Int(Signed(counts.files));
    w->Key("archives").Int(Signed(counts.archives));
    w->Key("manifests").Int(Signed(counts.manifests));
    w->Key("binary").Int(Signed(counts.binary));
    w->Key("not_logs").Int(Signed(counts.not_logs));
    w->Key("ignored").Int(Signed(counts.ignored));
    w->Key("errors").Int(Signed(counts.errors));
    w->Key("interrupted").Bool(counts.interrupted);
  });
}

}  // namespace

std::unique_ptr<AuditWriter> MakeJsonAuditWriter(Out out, const ReportStyle& style) {
  return std::make_unique<JsonAuditWriter>(std::move(out), style.quiet);
}

}  // namespace autotune
