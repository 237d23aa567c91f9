#include "analyzer/scan.h"

#include <optional>
#include <utility>

#include "analyzer/base/cores.h"
#include "analyzer/cache/key_book.h"
#include "analyzer/cache/lookup.h"
#include "analyzer/cache/torch_trace.h"
#include "analyzer/input/line_feed.h"
#include "analyzer/live_judge.h"
#include "analyzer/manifest/manifest.h"
#include "analyzer/parse/log_parser.h"
#include "analyzer/read_ahead.h"
#include "analyzer/run_builder.h"
#include "analyzer/verdict/judge.h"

namespace autotune {
namespace {

// What one log's findings go through: keys are filled in, the reader (when there is one) is told, the Run sums them up.
class Collector : public LogSink {
 public:
  Collector(const RuleSet& rules, KeyBook* book, Reporter* reporter, RunBuilder* builder, LiveJudge* live,
            std::string source)
      : rules_(rules), book_(book), reporter_(reporter), builder_(builder), live_(live), source_(std::move(source)) {}

  void OnBlock(Block block) override {
    const bool shown = reporter_ != nullptr && reporter_->wants_keys();
    if (shown || !builder_->Knows(block)) book_->Fill(rules_, &block);
    if (reporter_ != nullptr) reporter_->OnBlock(block);
    builder_->Add(block);
    if (live_ != nullptr) live_->Look();
  }
  void OnOrphan(Orphan orphan) override {
    if (reporter_ != nullptr) reporter_->OnOrphan(orphan);
    builder_->Add(orphan);
    if (live_ != nullptr) live_->Look();
  }
  void OnEvidence(const Evidence& evidence) override {
    book_->Observe(evidence);
    if (reporter_ != nullptr) reporter_->OnEvidence(evidence);
    builder_->Add(evidence);
    if (live_ != nullptr) live_->Look();
  }
  void OnCounter(std::string_view kind, uint64_t line) override {
    if (reporter_ != nullptr) reporter_->OnCounter(kind, source_, line);
    builder_->Count(kind);
  }

 private:
  const RuleSet& rules_;
  KeyBook* book_;
  Reporter* reporter_;
  RunBuilder* builder_;
  LiveJudge* live_;
  std::string source_;
};

// The parser as the feed sees it, artifacts of TORCH_TRACE files spelled out.
class ParserFeed : public LineConsumer {
 public:
  ParserFeed(LogParser* parser, LogSink* sink)
      : parser_(parser),
        sink_(sink),
        trace_([parser](std::string_view line, uint64_t number) { parser->Line(line, number); }) {}
  void Line(std::string_view raw, uint64_t number) override {
    if (!trace_.Line(raw, number)) parser_->Line(raw, number);
  }
  Wanted wants(uint64_t number) const override {
    if (trace_.wants_next_line() || parser_->wants_line(number)) return Wanted::kAll;
    return LogParser::wants_percent(number) ? Wanted::kWithPercent : Wanted::kNone;
  }
  void LongLine(uint64_t number) override { sink_->OnCounter("long_line", number); }

 private:
  LogParser* parser_;
  LogSink* sink_;
  TorchTrace trace_;
};

bool IsStopped(const ScanRequest& request) {
  return request.stop != nullptr && request.stop->load(std::memory_order_relaxed);
}

// Everything that reading logs needs, and where what breaks is kept: what was read before it stays.
class Reading {
 public:
  Reading(const ScanRequest& request, const RuleSet& rules, std::vector<absl::Status>* errors)
      : request_(request), rules_(rules), errors_(errors) {
    if (!request.prefilter) return;
    prefilter_ = request.made_prefilter;
    if (prefilter_ != nullptr) return;
    own_prefilter_ = MakeScanPrefilter(rules);
    prefilter_ = own_prefilter_.get();
  }

  // Reads `logs` into `run`, in order. `reporter` and `live` may be null.
  void Logs(const std::vector<std::string>& logs, KeyBook* book, Reporter* reporter, LiveJudge* live, Run* run) {
    RunBuilder builder(run);
    // Who judges while reading stops in the middle of a log.
    ReadAhead ahead(logs, live != nullptr ? 1 : Threads(), request_.open,
                    [this](Source& source, LogSink* sink, Run* counts) {
                      return ReadLog(source, rules_, request_, prefilter_, sink, counts);
                    });
    for (const std::string& path : logs) {
      if (IsStopped(request_)) {
        run->ended_early = true;
        break;
      }
      run->sources.push_back(path);
      Collector collector(rules_, book, reporter, &builder, live, path);
      if (!Keep(ahead.Take(&collector, run))) run->ended_early = true;
    }
  }

  // Adds `status` to the errors unless it is fine; whether it was.
  bool Keep(absl::Status status) {
    const bool ok = status.ok();
    if (!ok) errors_->push_back(std::move(status));
    return ok;
  }

 private:
  int Threads() const { return request_.threads > 0 ? request_.threads : UsableCores(); }

  const ScanRequest& request_;
  const RuleSet& rules_;
  std::vector<absl::Status>* errors_;
  std::unique_ptr<Prefilter> own_prefilter_;
  const Prefilter* prefilter_ = nullptr;
};

std::optional<Manifest> OpenManifest(const std::string& path, const RuleSet& rules, Reading* reading) {
  if (path.empty()) return std::nullopt;
  auto manifest = ReadManifest(path, rules);
  if (!reading->Keep(manifest.status())) return std::nullopt;
  return *std::move(manifest);
}

KeyBook OpenKeyBook(const std::string& path, Reading* reading) {
  if (path.empty()) return KeyBook();
  auto book = KeyBook::Load(path);
  if (!reading->Keep(book.status())) return KeyBook();
  reading->Keep(book->status());
  return *std::move(book);
}

}  // namespace

std::unique_ptr<Prefilter> MakeScanPrefilter(const RuleSet& rules) {
  std::vector<std::string> literals = LogParser::Literals(rules);
  for (std::string& literal : TorchTrace::Literals()) literals.push_back(std::move(literal));
  return std::make_unique<Prefilter>(literals);
}

absl::Status ReadLog(Source& source, const RuleSet& rules, const ScanRequest& request, const Prefilter* prefilter,
                     LogSink* sink, Run* run) {
  LogParser parser(rules, source.name(), sink);
  ParserFeed feed(&parser, sink);
  FeedOptions options;
  options.prefilter = prefilter;
  options.threads = request.threads;
  if (request.chunk > 0) options.chunk = request.chunk;
  options.progress = request.progress;
  options.stop = request.stop;
  const FeedResult read = FeedLines(source, options, &feed);
  parser.Finish(read.ended_whole);
  run->bytes += read.bytes;
  run->lines += read.lines;
  run->ended_early |= IsStopped(request);
  return read.status;
}

ScanResult Scan(const ScanRequest& request, const RuleSet& rules, Reporter* reporter) {
  ScanResult result;
  Reading reading(request, rules, &result.errors);
  std::optional<Manifest> opened;
  if (request.read_manifest == nullptr) opened = OpenManifest(request.manifest, rules, &reading);
  KeyBook book = OpenKeyBook(request.cache, &reading);

  std::optional<Run> baseline;
  if (!request.baseline.empty()) {
    KeyBook unused;
    reading.Logs({request.baseline}, &unused, nullptr, nullptr, &baseline.emplace());
  }

  JudgeInput judged;
  judged.run = &result.run;
  judged.manifest = opened ? &*opened : request.read_manifest;
  judged.baseline = baseline ? &*baseline : nullptr;
  LiveJudge live(judged, rules, reporter, request.fail_fast ? request.stop : nullptr);

  reporter->Begin(request.logs);
  reading.Logs(request.logs, &book, reporter, request.live || request.fail_fast ? &live : nullptr, &result.run);
  result.failed_fast = live.stopped();
  if (!request.cache.empty() || !request.run_cache.empty()) {
    CacheFindings found = LookUp({&result.run, judged.manifest, &book, request.run_cache}, rules);
    for (absl::Status& error : found.errors) reading.Keep(std::move(error));
    judged.cache_read = book.cache() != nullptr;
    judged.cache_suspects = std::move(found.suspects);
    judged.cache_notes = std::move(found.notes);
  }
  result.verdict = Judge(judged, rules);
  reporter->End(result.run, judged.manifest, result.verdict);
  return result;
}

}  // namespace autotune
