#include "analyzer/scan.h"

#include <absl/strings/str_cat.h>

#include <memory>
#include <optional>
#include <utility>

#include "analyzer/base/text.h"
#include "analyzer/input/line_feed.h"
#include "analyzer/manifest/manifest.h"
#include "analyzer/parse/log_parser.h"
#include "analyzer/run_builder.h"
#include "analyzer/verdict/judge.h"

namespace autotune {
namespace {

// Hands a log's findings on to the reader (when there is one) and sums them up.
class Collector : public LogSink {
 public:
  Collector(RunBuilder* builder, Reporter* reporter, std::string source)
      : builder_(builder), reporter_(reporter), source_(std::move(source)) {}

  void OnBlock(Block block) override {
    builder_->Add(block);
    if (reporter_ != nullptr) reporter_->OnBlock(block);
  }
  void OnOrphan(Orphan orphan) override {
    builder_->Add(orphan);
    if (reporter_ != nullptr) reporter_->OnOrphan(orphan);
  }
  void OnEvidence(Evidence evidence) override {
    builder_->Add(evidence);
    if (reporter_ != nullptr) reporter_->OnEvidence(evidence);
  }
  void OnCounter(std::string_view kind, uint64_t line) override {
    builder_->Count(kind);
    if (reporter_ != nullptr) reporter_->OnCounter(kind, source_, line);
  }

 private:
  RunBuilder* builder_;
  Reporter* reporter_;
  std::string source_;
};

// The parser as the feed sees it.
class ParserFeed : public LineConsumer {
 public:
  ParserFeed(LogParser* parser, LogSink* sink) : parser_(parser), sink_(sink) {}
  void Line(std::string_view raw, uint64_t number) override { parser_->Line(raw, number); }
  bool wants_next_line() const override { return parser_->wants_next_line(); }
  void LongLine(uint64_t number) override { sink_->OnCounter("long_line", number); }

 private:
  LogParser* parser_;
  LogSink* sink_;
};

// Opens and reads one log whole; what breaks is added to `errors`, what was read stays.
void ReadOne(const std::string& path, const RuleSet& rules, const ScanRequest& request, RunBuilder* builder,
             Reporter* reporter, Run* run, std::vector<absl::Status>* errors) {
  run->sources.push_back(path);
  auto source = request.open(path);
  absl::Status status = source.status();
  if (source.ok()) {
    Collector collector(builder, reporter, path);
    status = ReadLog(**source, rules, request, &collector, run);
  }
  if (!status.ok()) {
    run->ended_early = true;
    errors->push_back(std::move(status));
  }
}

}  // namespace

absl::Status ReadLog(Source& source, const RuleSet& rules, const ScanRequest& request, LogSink* sink, Run* run) {
  LogParser parser(rules, source.name(), sink);
  ParserFeed feed(&parser, sink);
  FeedOptions options;
  options.threads = request.threads;
  options.progress = request.progress;
  const FeedResult read = FeedLines(source, options, &feed);
  parser.Finish(read.ended_whole);
  run->bytes += read.bytes;
  run->lines += read.lines;
  return read.status;
}

ScanResult Scan(const ScanRequest& request, const RuleSet& rules, Reporter* reporter) {
  ScanResult result;
  std::optional<Manifest> manifest;
  if (!request.manifest.empty()) {
    auto read = ReadManifest(request.manifest, rules);
    if (read.ok()) {
      manifest = *std::move(read);
    } else {
      result.errors.push_back(read.status());
    }
  }

  reporter->Begin(request.logs);
  RunBuilder builder(&result.run);
  for (const std::string& log : request.logs) {
    ReadOne(log, rules, request, &builder, reporter, &result.run, &result.errors);
  }

  std::optional<Run> baseline;
  if (!request.baseline.empty()) {
    RunBuilder baseline_builder(&baseline.emplace());
    ReadOne(request.baseline, rules, request, &baseline_builder, nullptr, &*baseline, &result.errors);
  }

  JudgeInput judged;
  judged.run = &result.run;
  judged.manifest = manifest ? &*manifest : nullptr;
  judged.baseline = baseline ? &*baseline : nullptr;
  result.verdict = Judge(judged, rules);
  reporter->End(result.run, judged.manifest, result.verdict);
  return result;
}

}  // namespace autotune
