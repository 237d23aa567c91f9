// The JSON report: one object a line, {"type": ..., "data": {...}}, each written as soon as its event comes.
//
// Field names and meanings are promised to scripts (README, "JSON"): they may be added to, never changed. A fact that
// the log does not state is null; it is never left out, so that a reader can tell "not stated" from "not known to this
// version".
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "analyzer/base/json_writer.h"
#include "analyzer/report/reporter.h"

namespace autotune {
namespace {

constexpr int kSchema = 1;

// Sizes and strides are whole numbers or names of symbols ("s0", "s0*s1").
bool IsInteger(std::string_view s) {
  if (!s.empty() && s.front() == '-') s.remove_prefix(1);
  return !s.empty() && s.size() <= 18 && std::all_of(s.begin(), s.end(), [](char c) { return c >= '0' && c <= '9'; });
}

int64_t Signed(uint64_t n) { return static_cast<int64_t>(n); }

template <typename Strings>
void WriteStrings(const Strings& values, JsonWriter* w) {
  w->BeginArray();
  for (const auto& value : values) w->String(value);
  w->EndArray();
}

void WriteUnlessEmpty(std::string_view value, JsonWriter* w) {
  if (value.empty()) {
    w->Null();
  } else {
    w->String(value);
  }
}

void WriteMilliseconds(double ms, JsonWriter* w) {
  if (std::isinf(ms)) {
    w->String("inf");
  } else {
    w->Number(ms);
  }
}

void WriteLabels(const Labels& labels, JsonWriter* w) {
  w->Key("process").OptString(labels.process);
  w->Key("rank").OptInt(labels.rank);
  w->Key("pod").OptString(labels.pod);
}

void WriteStrides(const std::optional<std::vector<std::vector<std::string>>>& strides, JsonWriter* w) {
  if (!strides) {
    w->Null();
    return;
  }
  w->BeginArray();
  for (const auto& one : *strides) {
    w->BeginArray();
    for (const auto& stride : one) {
      if (IsInteger(stride)) {
        w->Int(std::stoll(stride));
      } else {
        w->String(stride);
      }
    }
    w->EndArray();
  }
  w->EndArray();
}

void WriteDtypes(const std::optional<std::vector<std::string>>& dtypes, JsonWriter* w) {
  if (dtypes) {
    WriteStrings(*dtypes, w);
  } else {
    w->Null();
  }
}

void WriteChoice(const Choice& c, JsonWriter* w) {
  w->BeginObject();
  w->Key("name").String(c.name);
  w->Key("ms");
  WriteMilliseconds(c.ms, w);
  w->Key("pct").OptNumber(c.pct);
  w->Key("description").String(c.description);
  w->Key("backend").String(c.backend);
  w->Key("line").Int(Signed(c.line));
  w->Key("hash_key").OptString(c.hash_key);
  w->EndObject();
}

// The fastest row that ran; of equally fast ones the first, as torch sorts them.
const Choice* Best(const std::vector<Choice>& choices) {
  const Choice* best = nullptr;
  for (const Choice& c : choices) {
    if (std::isfinite(c.ms) && (!best || c.ms < best->ms)) best = &c;
  }
  return best;
}

void WriteBest(const Choice* best, JsonWriter* w) {
  w->Key("best");
  if (!best) {
    w->Null();
    return;
  }
  w->BeginObject();
  w->Key("name").String(best->name);
  w->Key("ms").Number(best->ms);
  w->Key("line").Int(Signed(best->line));
  w->EndObject();
}

void WriteBlock(const Block& b, JsonWriter* w) {
  std::set<std::string_view> backends;
  int64_t failed = 0;
  for (const Choice& c : b.choices) {
    backends.insert(c.backend);
    failed += std::isinf(c.ms);
  }
  w->BeginObject();
  w->Key("source").String(b.source);
  w->Key("op").String(b.op);
  w->Key("line").Int(Signed(b.line));
  w->Key("end_line").Int(Signed(b.end_line));
  WriteLabels(b.labels, w);
  w->Key("shapes");
  WriteStrings(b.shapes, w);
  w->Key("strides");
  WriteStrides(b.strides, w);
  w->Key("dtypes");
  WriteDtypes(b.dtypes, w);
  w->Key("choices_shown").Int(static_cast<int64_t>(b.choices.size()));
  w->Key("num_choices").OptInt(b.num_choices);
  w->Key("num_choices_stats").OptInt(b.num_choices_stats);
  w->Key("num_triton_choices").OptInt(b.num_triton_choices);
  w->Key("stats_line").OptLine(b.stats_line);
  WriteBest(Best(b.choices), w);
  w->Key("backends");
  WriteStrings(backends, w);
  w->Key("failed_choices").Int(failed);
  w->Key("mode").OptString(b.mode);
  w->Key("benchmark_seconds").OptNumber(b.benchmark_seconds);
  w->Key("precompile_seconds").OptNumber(b.precompile_seconds);
  w->Key("prescreen_seconds").OptNumber(b.prescreen_seconds);
  w->Key("footer_line").OptLine(b.footer_line);
  w->Key("status").String(b.complete ? "complete" : "truncated");
  w->Key("torch_range");
  WriteUnlessEmpty(b.torch_range, w);
  w->Key("choices").BeginArray();
  for (const Choice& c : b.choices) WriteChoice(c, w);
  w->EndArray();
  w->Key("inputs_key").OptString(b.inputs_key);
  w->Key("inputs_key_exact").Bool(b.inputs_key_exact);
  w->Key("inputs_key_guess").OptString(b.inputs_key_guess);
  w->Key("candidate_set").BeginObject();
  w->Key("key");
  WriteUnlessEmpty(b.candidate_set.key, w);
  w->Key("basis");
  WriteUnlessEmpty(b.candidate_set.basis, w);
  w->Key("shown").Int(b.candidate_set.shown);
  w->Key("total").OptInt(b.candidate_set.total);
  w->EndObject();
  w->EndObject();
}

const char* OrphanKind(Orphan::Kind kind) {
  switch (kind) {
    case Orphan::Kind::kRow:
      return "row";
    case Orphan::Kind::kFooter:
      return "footer";
    case Orphan::Kind::kStats:
      return "stats";
  }
  return "row";
}

void WriteOrphan(const Orphan& o, JsonWriter* w) {
  w->BeginObject();
  w->Key("source").String(o.source);
  w->Key("kind").String(OrphanKind(o.kind));
  w->Key("line").Int(Signed(o.line));
  WriteLabels(o.labels, w);
  w->Key("row");
  if (o.row) {
    WriteChoice(*o.row, w);
  } else {
    w->Null();
  }
  w->Key("mode").OptString(o.mode);
  w->Key("num_choices").OptInt(o.num_choices);
  w->Key("num_triton_choices").OptInt(o.num_triton_choices);
  w->Key("benchmark_seconds").OptNumber(o.benchmark_seconds);
  w->Key("precompile_seconds").OptNumber(o.precompile_seconds);
  w->Key("prescreen_seconds").OptNumber(o.prescreen_seconds);
  w->EndObject();
}

void WriteEvidence(const Evidence& e, JsonWriter* w) {
  w->BeginObject();
  w->Key("source").String(e.source);
  w->Key("setting").String(e.setting);
  w->Key("value").String(e.value);
  w->Key("line").Int(Signed(e.line));
  w->Key("rule").String(e.rule);
  WriteLabels(e.labels, w);
  w->EndObject();
}

void WriteSuspect(const Suspect& s, JsonWriter* w) {
  w->BeginObject();
  w->Key("setting").String(s.setting);
  w->Key("manifest").OptString(s.manifest);
  w->Key("manifest_line").OptLine(s.manifest_line);
  w->Key("built").OptString(s.built);
  w->Key("observed").OptString(s.observed);
  w->Key("log_line").OptLine(s.log_line);
  w->Key("source");
  WriteUnlessEmpty(s.log_source, w);
  w->Key("confidence").Number(s.confidence);
  w->Key("basis").String(BasisName(s.basis));
  w->Key("why").String(s.why);
  w->Key("fix").String(s.fix);
  w->EndObject();
}

// `tuned` is null for a process of which the log shows neither tuning nor compiling.
void WriteProcess(const ProcessState& p, JsonWriter* w) {
  w->BeginObject();
  w->Key("source").String(p.source);
  w->Key("process");
  WriteUnlessEmpty(p.name, w);
  w->Key("tuned");
  if (p.state == ProcessState::State::kNothingSeen) {
    w->Null();
  } else {
    w->Bool(p.state == ProcessState::State::kTuned);
  }
  w->Key("line").OptLine(p.line);
  w->Key("blocks").Int(Signed(p.blocks));
  w->Key("seconds").Number(p.seconds);
  w->EndObject();
}

void WriteDisagreement(const Disagreement& d, JsonWriter* w) {
  w->BeginObject();
  w->Key("setting").String(d.setting);
  w->Key("sides").BeginArray();
  for (const Disagreement::Side& side : d.sides) {
    w->BeginObject();
    w->Key("value").String(side.value);
    w->Key("processes");
    WriteStrings(side.processes, w);
    w->Key("source").String(side.source);
    w->Key("line").Int(Signed(side.line));
    w->Key("all_that_tuned").Bool(side.all_that_tuned);
    w->EndObject();
  }
  w->EndArray();
  w->EndObject();
}

void WriteVerdict(const Verdict& v, JsonWriter* w) {
  w->BeginObject();
  w->Key("state").String(StateName(v.state));
  w->Key("suspects").BeginArray();
  for (const Suspect& s : v.suspects) WriteSuspect(s, w);
  w->EndArray();
  w->Key("equal").BeginArray();
  for (const EqualSetting& e : v.equal) {
    w->BeginObject();
    w->Key("setting").String(e.setting);
    w->Key("value").String(e.value);
    w->Key("manifest_line").OptLine(e.manifest_line);
    w->Key("log_line").OptLine(e.log_line);
    w->EndObject();
  }
  w->EndArray();
  w->Key("not_observed");
  WriteStrings(v.not_observed, w);
  w->Key("harmless").BeginArray();
  for (const HarmlessDifference& h : v.harmless) {
    w->BeginObject();
    w->Key("setting").String(h.setting);
    w->Key("manifest").OptString(h.manifest);
    w->Key("manifest_line").OptLine(h.manifest_line);
    w->Key("built").OptString(h.built);
    w->Key("observed").OptString(h.observed);
    w->Key("log_line").OptLine(h.log_line);
    w->Key("why").String(h.why);
    w->EndObject();
  }
  w->EndArray();
  w->Key("next_checks");
  WriteStrings(v.next_checks, w);
  w->Key("notes");
  WriteStrings(v.notes, w);
  w->Key("processes").BeginArray();
  for (const ProcessState& p : v.processes) WriteProcess(p, w);
  w->EndArray();
  w->Key("disagreements").BeginArray();
  for (const Disagreement& d : v.disagreements) WriteDisagreement(d, w);
  w->EndArray();
  w->EndObject();
}

void WriteSummary(const Run& r, JsonWriter* w) {
  w->BeginObject();
  w->Key("blocks").Int(Signed(r.blocks));
  w->Key("truncated_blocks").Int(Signed(r.truncated_blocks));
  w->Key("problems").Int(Signed(r.problems.size() + r.problems_dropped));
  w->Key("orphans").Int(Signed(r.orphans));
  w->Key("processes").Int(Signed(r.processes.size()));
  w->Key("benchmark_seconds").Number(r.benchmark_seconds);
  w->Key("precompile_seconds").Number(r.precompile_seconds);
  w->Key("prescreen_seconds").Number(r.prescreen_seconds);
  w->Key("bytes").Int(Signed(r.bytes));
  w->Key("lines").Int(Signed(r.lines));
  w->Key("ended_early").Bool(r.ended_early);
  w->Key("counters").BeginObject();
  for (const auto& [kind, count] : r.counters) w->Key(kind).Int(Signed(count));
  w->EndObject();
  w->EndObject();
}

class JsonReporter final : public Reporter {
 public:
  JsonReporter(Out out, const ReportStyle& style) : out_(std::move(out)), quiet_(style.quiet) {}

  void Begin(const std::vector<std::string>& inputs) override {
    if (quiet_) return;
    Line("begin", [&](JsonWriter* w) {
      w->BeginObject();
      w->Key("schema").Int(kSchema);
      w->Key("version").String(AUTOTUNE_VERSION);
      w->Key("inputs");
      WriteStrings(inputs, w);
      w->EndObject();
    });
  }

  void OnBlock(const Block& block) override {
    if (!quiet_) Line("block", [&](JsonWriter* w) { WriteBlock(block, w); });
  }

  void OnOrphan(const Orphan& orphan) override {
    if (!quiet_) Line("orphan", [&](JsonWriter* w) { WriteOrphan(orphan, w); });
  }

  void OnEvidence(const Evidence& evidence) override {
    if (!quiet_) Line("evidence", [&](JsonWriter* w) { WriteEvidence(evidence, w); });
  }

  void OnCounter(std::string_view kind, std::string_view source, uint64_t line) override {
    if (quiet_) return;
    Line("counter", [&](JsonWriter* w) {
      w->BeginObject();
      w->Key("source").String(source);
      w->Key("kind").String(kind);
      w->Key("line").Int(Signed(line));
      w->EndObject();
    });
  }

  void End(const Run& run, const Manifest*, const Verdict& verdict) override {
    Line("verdict", [&](JsonWriter* w) { WriteVerdict(verdict, w); });
    if (!quiet_) Line("summary", [&](JsonWriter* w) { WriteSummary(run, w); });
  }

  void Facts(std::string_view path, const std::vector<Fact>& facts, const std::vector<Problem>& problems) override {
    for (const Fact& f : facts) {
      if (quiet_) break;
      Line("fact", [&](JsonWriter* w) {
        w->BeginObject();
        w->Key("source").String(path);
        w->Key("setting").String(f.setting);
        w->Key("value");
        w->OptString(f.not_set ? std::nullopt : std::optional<std::string>(f.value));
        w->Key("raw").String(f.raw);
        w->Key("line").Int(Signed(f.line));
        w->EndObject();
      });
    }
    for (const Problem& p : problems) {
      Line("problem", [&](JsonWriter* w) {
        w->BeginObject();
        w->Key("source").String(path);
        w->Key("line");
        w->OptLine(p.line ? std::optional<uint64_t>(p.line) : std::nullopt);
        w->Key("severity").String(p.severity == Problem::Severity::kError ? "error" : "warning");
        w->Key("setting");
        WriteUnlessEmpty(p.setting, w);
        w->Key("message").String(p.message);
        w->Key("fix").String(p.fix);
        w->Key("id").String(p.id);
        w->EndObject();
      });
    }
  }

  void Items(std::string_view path, std::string_view, const std::vector<CheckItem>& items,
             const std::vector<Fact>& facts, const std::vector<Problem>& problems) override {
    for (const CheckItem& item : items) {
      if (quiet_ && item.state != CheckItem::State::kDiffers) continue;
      Line("item", [&](JsonWriter* w) {
        w->BeginObject();
        w->Key("source").String(path);
        w->Key("item").String(item.item);
        w->Key("setting").String(item.setting);
        w->Key("state").String(StateName(item.state));
        w->Key("manifest");
        w->OptString(item.manifest);
        w->Key("manifest_line");
        w->OptLine(item.manifest_line);
        w->Key("observed");
        w->OptString(item.observed);
        w->Key("where");
        WriteUnlessEmpty(item.where, w);
        w->Key("message").String(item.message);
        w->Key("fix").String(item.fix);
        w->Key("harmless").Bool(item.state == CheckItem::State::kDiffers && item.harmless);
        w->EndObject();
      });
    }
    Facts(path, facts, problems);
  }

 private:
  template <typename WriteData>
  void Line(const char* type, WriteData&& write_data) {
    if (gone_) return;
    line_.clear();
    JsonWriter w(&line_);
    w.BeginObject();
    w.Key("type").String(type);
    w.Key("data");
    write_data(&w);
    w.EndObject();
    line_.push_back('\n');
    gone_ = !out_(line_);
  }

  Out out_;
  bool quiet_;
  bool gone_ = false;  // the reader has closed its end
  std::string line_;   // reused: a log of nothing but blocks allocates once
};

}  // namespace

std::unique_ptr<Reporter> MakeJsonReporter(Out out, const ReportStyle& style) {
  return std::make_unique<JsonReporter>(std::move(out), style);
}

}  // namespace autotune
