// The pipeline: logs in, findings to a reporter, a Run and a verdict out. The binary's own door, and the tests'.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "analyzer/input/prefilter.h"
#include "analyzer/input/source.h"
#include "analyzer/model/run.h"
#include "analyzer/model/sink.h"
#include "analyzer/model/verdict.h"
#include "analyzer/report/reporter.h"
#include "analyzer/rule/rule_set.h"

namespace autotune {

struct ScanRequest {
  std::vector<std::string> logs;                     // paths, "-" is standard input
  std::string manifest, baseline, cache, run_cache;  // "" none
  int threads = 0;                                   // 0: as many as the machine has
  bool prefilter = true;                             // off: every line takes the long way (tests compare both)
  // Called now and then on long reads with the bytes read so far and the total (0: not known).
  std::function<void(uint64_t done, uint64_t total)> progress;
  // Judge while reading: Reporter::OnVerdict is told of the first verdict when a block closes, and of each that
  // differs.
  bool live = false;
  // End the reading as soon as a mismatch is certain (kCertain): what was read is judged and reported. Implies `live`,
  // needs `stop`, which it sets.
  bool fail_fast = false;
  // Made already by who scans many logs: the filter of MakeScanPrefilter(), and what `manifest` holds. Null: made here.
  const Prefilter* made_prefilter = nullptr;
  const Manifest* read_manifest = nullptr;
  size_t chunk = 0;  // bytes read at a time; 0: what suits one log of any size
  // How logs are opened; tests put streams from memory here.
  std::function<absl::StatusOr<std::unique_ptr<Source>>(const std::string& path)> open = OpenSource;
  // Set (by a signal handler, or when nobody reads the report any more) to end the reading: what was read is still
  // judged.
  std::atomic<bool>* stop = nullptr;
};

struct ScanResult {
  Run run;
  Verdict verdict;
  bool failed_fast = false;          // `fail_fast` ended the reading
  std::vector<absl::Status> errors;  // inputs that could not be read whole; what was read is in `run`
};

// Reads one source to its end, feeding `sink`, and counts bytes and lines into `run`. `prefilter` is made of
// LogParser::Literals(rules); null: every line takes the long way.
absl::Status ReadLog(Source& source, const RuleSet& rules, const ScanRequest& request, const Prefilter* prefilter,
                     LogSink* sink, Run* run);

// The lines that no scan needs to look at, by the literals of the rules.
std::unique_ptr<Prefilter> MakeScanPrefilter(const RuleSet& rules);

ScanResult Scan(const ScanRequest& request, const RuleSet& rules, Reporter* reporter);

}  // namespace autotune
