#include "analyzer/audit/audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>

#include "analyzer/audit/archive_logs.h"
#include "analyzer/audit/day.h"
#include "analyzer/audit/manifest_shelf.h"
#include "analyzer/audit/walk.h"
#include "analyzer/base/cores.h"
#include "analyzer/base/text.h"
#include "analyzer/input/peeked_source.h"
#include "analyzer/manifest/manifest.h"
#include "analyzer/report/wording.h"
#include "analyzer/run_builder.h"
#include "analyzer/scan.h"

namespace autotune {
namespace {

constexpr size_t kHeadBytes = size_t{64} << 10;  // decides what a file is
constexpr size_t kDayBytes = size_t{16} << 10;   // which day it names
// Read at a time: larger pieces are mapped and unmapped by malloc anew for each log, which costs more than reading it.
constexpr size_t kChunkBytes = size_t{64} << 10;
constexpr size_t kKeptSuspects = 3;
constexpr size_t kMostInside = 256;  // manifests of an archive
constexpr size_t kAhead = 4096;      // files finished before their turn, at most

// Names that logs are written under: an ending, a rotation's number ("train.log.1"), "stdout" and its like without an
// ending. Anything else ("py", "json", a cache's entries without an ending) is a log only where the content proves it.
bool IsNamedLikeALog(std::string_view path) {
  std::string_view name = path.substr(path.find_last_of("/!") + 1);
  constexpr std::string_view kPacked[] = {".gz", ".zst", ".xz", ".bz2", ".lz4"};
  for (const std::string_view packed : kPacked) {
    if (name.size() > packed.size() && name.substr(name.size() - packed.size()) == packed)
      name.remove_suffix(packed.size());
  }
  const size_t dot = name.rfind('.');
  const std::string_view ending = dot == std::string_view::npos ? name : name.substr(dot + 1);
  if (std::all_of(ending.begin(), ending.end(), [](char c) { return c >= '0' && c <= '9'; })) return true;
  constexpr std::string_view kEndings[] = {"log", "txt", "out", "err", "stdout", "stderr", "console", "output"};

  return std::find(std::begin(kEndings), std::end(kEndings), ending) != std::end(kEndings);
}

// Text has hardly any control characters but line ends, tabs, backspaces and escapes. A killed node leaves some zero
// bytes in its logs; a program, an image or a pickle is full of them.
bool IsBinary(std::string_view head) {
  constexpr size_t kPiece = 128;  // counted in a byte, so that the compiler can use vectors
  size_t controls = 0;
  for (size_t i = 0; i < head.size(); i += kPiece) {
    uint8_t of_piece = 0;
    for (const char c : head.substr(i, kPiece)) {
      const auto byte = static_cast<unsigned char>(c);
      const bool usual = (byte >= '\b' && byte <= '\r') || byte == '\x1b';
      of_piece += static_cast<uint8_t>((byte < 0x20) & !usual);
    }
    controls += of_piece;
  }
  return controls * 20 > head.size();
}

bool IsMarkdown(std::string_view path) { return path.size() > 3 && path.substr(path.size() - 3) == ".md"; }

// "ci.zip!runs" of "ci.zip!runs/train.log", "ci.zip!" of "ci.zip!train.log".
std::string FolderOf(const std::string& member) {
  const size_t end = member.find_last_of("/!");
  return member.substr(0, member[end] == '!' ? end + 1 : end);
}

// A document's text; what is too long for one, or cannot be read, ends it.
std::string ReadText(Source* source) {
  constexpr size_t kMost = size_t{1} << 20;
  std::string text;
  char buffer[16384];
  while (text.size() < kMost) {
    const absl::StatusOr<size_t> n = source->Read(buffer, sizeof buffer);
    if (!n.ok() || *n == 0) break;
    text.append(buffer, *n);
  }
  return text;
}

// Takes the sentence that only a reporter is given all for.
class AnswerKeeper : public SilentReporter {
 public:
  void End(const Run& run, const Manifest* manifest, const Verdict& verdict) override {
    answer = Answer(run, manifest, verdict);
  }
  std::string answer;
};

std::string FirstStated(const Run& run, std::string_view setting) {
  const StatedValue* stated = FindStated(run, setting);
  return stated ? stated->value : "";
}

ProblemRecord MakeProblemRecord(const TunedProblem& problem) {
  ProblemRecord record;
  record.key = ProblemKey(problem.first);
  record.title = ProblemTitle(problem.first);
  record.blocks = problem.blocks;
  record.seconds = Seconds(problem);
  record.winners = problem.winners;
  const std::optional<int64_t> total =
      problem.first.num_choices ? problem.first.num_choices : problem.first.num_choices_stats;
  record.candidates = fmt::format("{} of {}", total.value_or(0), fmt::join(problem.backends, ", "));
  return record;
}

RunRecord MakeRecord(std::string source, std::string manifest, std::string day, std::string answer, ScanResult result) {
  const Run& run = result.run;
  RunRecord record;
  record.source = std::move(source);
  record.manifest = std::move(manifest);
  record.day = std::move(day);
  record.state = result.verdict.state;
  record.tuned = run.tuned();
  record.answer = std::move(answer);
  record.suspects = std::move(result.verdict.suspects);
  record.suspects.resize(std::min(record.suspects.size(), kKeptSuspects));
  record.notes = std::move(result.verdict.notes);
  for (std::string& note : ReadingNotes(run)) record.notes.push_back(std::move(note));
  for (const TunedProblem* problem : ByCost(run)) {
    record.problems.push_back(MakeProblemRecord(*problem));
    if (record.torch_range.empty()) record.torch_range = problem->first.torch_range;
  }
  record.blocks = run.blocks;
  record.truncated_blocks = run.truncated_blocks;
  record.orphans = run.orphans;
  record.problem_count = run.problems.size() + run.problems_dropped;
  record.processes = run.processes.size();
  record.benchmark_seconds = run.benchmark_seconds;
  record.precompile_seconds = run.precompile_seconds;
  record.prescreen_seconds = run.prescreen_seconds;
  record.torch = FirstStated(run, "torch");
  record.gpu = FirstStated(run, "gpu");
  record.bytes = run.bytes;
  record.lines = run.lines;
  record.ended_early = run.ended_early;
  return record;
}

// What one file gave: a run, or those of an archive's members.
struct FileResult {
  std::vector<RunRecord> runs;
  std::vector<absl::Status> errors;
  AuditCounts counts;  // of this file alone
};

class FileReader {
 public:
  FileReader(const AuditRequest& request, const RuleSet& rules, const ManifestShelf& shelf)
      : request_(request), rules_(rules), shelf_(shelf) {
    if (request.prefilter) prefilter_ = MakeScanPrefilter(rules);
  }

  FileResult Read(const FoundFile& file) const {
    FileResult result;
    result.counts.files = 1;
    if (shelf_.Find(file.path) != nullptr) {
      result.counts.manifests = 1;
      return result;
    }
    auto source = OpenSource(file.path);
    if (!source.ok()) {
      result.errors.push_back(source.status());
      return result;
    }
    auto peeked = std::make_unique<PeekedSource>(*std::move(source), kHeadBytes);
    if (IsArchive(peeked->head())) {
      result.counts.archives = 1;
      Archive(file, &result);
    } else {
      Log(file, shelf_, std::move(peeked), &result);
    }
    return result;
  }

  bool Stopped() const { return request_.stop != nullptr && request_.stop->load(std::memory_order_relaxed); }

 private:
  // Twice through an archive that holds Markdown: a manifest may stand behind the logs that it is for.
  void Archive(const FoundFile& file, FileResult* result) const {
    ManifestShelf inside;
    uint64_t manifests = 0;
    if (request_.manifest.empty()) {
      const absl::Status ignored = ForEachMember(file.path, [&](std::unique_ptr<Source> member) {
        if (IsMarkdown(member->name())) {
          inside.Put(FolderOf(member->name()), ParseManifest(member->name(), ReadText(member.get()), rules_));
        }
        return !Stopped() && inside.size() < kMostInside;
      });
      static_cast<void>(ignored);  // the second time tells it
    }
    absl::Status status = ForEachMember(file.path, [&](std::unique_ptr<Source> member) {
      const std::string name = member->name();
      const bool hidden = name[name.find_last_of("/!") + 1] == '.';  // "__MACOSX/._train.log"
      if (inside.Find(name) != nullptr) {
        ++manifests;
      } else if (!hidden) {
        const FoundFile at{name, FolderOf(name), file.path + "!", 0, false};
        bool ambiguous = false;
        const bool has_own = !inside.Nearest(at, &ambiguous).empty() || ambiguous;
        Log(has_own ? at : file, has_own ? inside : shelf_,
            std::make_unique<PeekedSource>(std::move(member), kHeadBytes), result);
      }
      return !Stopped();
    });
    result->counts.manifests += manifests;
    if (!status.ok()) result->errors.push_back(std::move(status));
  }

  // `shelf` holds the manifests that may be this log's, `file` says where it lies among them.
  void Log(const FoundFile& file, const ManifestShelf& shelf, std::unique_ptr<PeekedSource> source,
           FileResult* result) const {
    if (IsBinary(source->head())) {
      ++result->counts.binary;
      return;
    }
    const std::string name = source->name();
    std::string day = DayOf(std::string_view(source->head()).substr(0, kDayBytes));
    bool ambiguous = false;
    std::string manifest = request_.manifest.empty() ? shelf.Nearest(file, &ambiguous) : request_.manifest;

    ScanRequest scan;
    scan.logs = {name};
    scan.manifest = manifest;
    scan.read_manifest = shelf.Find(manifest);
    scan.made_prefilter = prefilter_.get();
    scan.threads = 1;
    scan.chunk = kChunkBytes;
    scan.prefilter = request_.prefilter;
    scan.stop = request_.stop;
    scan.open = [&source](const std::string&) -> absl::StatusOr<std::unique_ptr<Source>> { return std::move(source); };
    AnswerKeeper keeper;
    ScanResult scanned = Scan(scan, rules_, &keeper);
    if (Stopped()) return;  // half a log is no run
    for (const absl::Status& error : scanned.errors) result->errors.push_back(error);
    const bool is_log = file.named || IsNamedLikeALog(name);
    if (!scanned.run.tuned() && (!is_log || (scanned.run.bytes == 0 && scanned.errors.empty()))) {
      ++result->counts.not_logs;
      return;
    }
    result->runs.push_back(
        MakeRecord(name, std::move(manifest), std::move(day), std::move(keeper.answer), std::move(scanned)));
    if (ambiguous) {
      result->runs.back().notes.emplace_back(
          "several manifests lie beside this log and none is called like it: give one with --manifest");
    }
  }

  const AuditRequest& request_;
  const RuleSet& rules_;
  const ManifestShelf& shelf_;
  std::unique_ptr<const Prefilter> prefilter_;
};

// Results by number, handed out in order. Workers wait when they are too far ahead of it.
class Queue {
 public:
  explicit Queue(size_t size) : size_(size) {}

  // The number of the next file to read; size when there is none.
  size_t Take() {
    std::unique_lock lock(mutex_);
    taken_out_.wait(lock, [&] { return next_in_ < next_out_ + kAhead || next_in_ >= size_ || closed_; });
    return closed_ ? size_ : std::min(next_in_++, size_);
  }
  void Put(size_t number, FileResult result) {
    const std::lock_guard lock(mutex_);
    results_.emplace(number, std::move(result));
    put_in_.notify_one();
  }
  // The next result in order; null when it is not there `wait` later.
  std::unique_ptr<FileResult> Next(std::chrono::milliseconds wait) {
    std::unique_lock lock(mutex_);
    if (!put_in_.wait_for(lock, wait, [&] { return results_.count(next_out_) > 0; })) return nullptr;
    auto result = std::make_unique<FileResult>(std::move(results_.extract(next_out_).mapped()));
    ++next_out_;
    taken_out_.notify_all();
    return result;
  }
  void Close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    taken_out_.notify_all();
  }
  // After the workers have ended: what is left, in order.
  std::map<size_t, FileResult> Rest() { return std::move(results_); }

 private:
  const size_t size_;
  std::mutex mutex_;
  std::condition_variable put_in_, taken_out_;
  std::map<size_t, FileResult> results_;
  size_t next_in_ = 0, next_out_ = 0;
  bool closed_ = false;
};

void Add(const AuditCounts& one, AuditCounts* all) {
  all->files += one.files;
  all->archives += one.archives;
  all->binary += one.binary;
  all->not_logs += one.not_logs;
  all->manifests += one.manifests;
}

}  // namespace

AuditCounts Audit(const AuditRequest& request, const RuleSet& rules, AuditSink* sink) {
  AuditCounts counts;
  FoundFiles found = FindFiles(request.paths);
  counts.ignored = found.ignored;
  counts.errors = found.errors.size();
  for (const absl::Status& error : found.errors) sink->OnError(error);
  if (!request.manifest.empty()) found.markdown.clear();
  ManifestShelf shelf(found, rules);
  if (!request.manifest.empty()) {
    if (const absl::Status read = shelf.Add(request.manifest, rules); !read.ok()) {
      sink->OnError(read);
      ++counts.errors;
    }
  }
  const FileReader reader(request, rules, shelf);
  const std::vector<FoundFile>& files = found.files;

  AuditProgress progress;
  progress.all_files = files.size();
  for (const FoundFile& file : files) progress.all_bytes += file.bytes;
  std::atomic<uint64_t> bytes_done = 0, files_done = 0;
  const auto deliver = [&](FileResult result) {
    Add(result.counts, &counts);
    counts.errors += result.errors.size();
    for (RunRecord& run : result.runs) sink->OnRun(std::move(run));
    for (const absl::Status& error : result.errors) sink->OnError(error);
  };

  Queue queue(files.size());
  const size_t wanted = static_cast<size_t>(request.threads > 0 ? request.threads : UsableCores());
  std::vector<std::thread> workers;
  for (size_t i = 0; i < std::clamp<size_t>(files.size(), 1, std::max<size_t>(wanted, 1)); ++i) {
    workers.emplace_back([&] {
      for (size_t n = queue.Take(); n < files.size() && !reader.Stopped(); n = queue.Take()) {
        queue.Put(n, reader.Read(files[n]));
        bytes_done += files[n].bytes;
        ++files_done;
      }
    });
  }
  for (size_t delivered = 0; delivered < files.size() && !reader.Stopped();) {
    if (auto result = queue.Next(std::chrono::milliseconds(100))) {
      deliver(std::move(*result));
      ++delivered;
    }
    progress.files = files_done;
    progress.bytes = bytes_done;
    sink->OnProgress(progress);
  }
  queue.Close();
  for (std::thread& worker : workers) worker.join();
  for (auto& [number, result] : queue.Rest()) deliver(std::move(result));
  counts.interrupted = reader.Stopped();
  return counts;
}

}  // namespace autotune
