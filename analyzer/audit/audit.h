// Many past runs at once: logs in folders, archives and lists, each judged by the manifest that belongs to it.
//
// Logs are read by several threads, each log by one; what was found is handed over in the order of the paths, whatever
// the threads do. Memory: a RunRecord for each log that was finished before its turn, and what one log needs a thread.
#pragma once

#include <absl/status/status.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "analyzer/audit/record.h"
#include "analyzer/rule/rule_set.h"

namespace autotune {

struct AuditRequest {
  std::vector<std::string> paths;  // files, archives, folders
  std::string manifest;            // for all runs; "": the nearest *.md beside or above each that reads as a manifest
  int threads = 0;                 // 0: as many as the machine has
  bool prefilter = true;
  std::atomic<bool>* stop = nullptr;  // set to end soon: what is finished is kept
};

struct AuditProgress {
  uint64_t files = 0, all_files = 0;
  uint64_t bytes = 0, all_bytes = 0;  // as they lie on the disk
};

// Where findings go, in path order, on the thread that called Audit().
class AuditSink {
 public:
  virtual ~AuditSink() = default;
  virtual void OnRun(RunRecord run) = 0;
  virtual void OnError(const absl::Status& error) = 0;  // a file that could not be read, or not whole
  virtual void OnProgress(const AuditProgress& progress) = 0;
};

// What was seen and is no run, and how the audit ended.
struct AuditCounts {
  uint64_t files = 0;      // looked at
  uint64_t archives = 0;   // opened
  uint64_t binary = 0;     // files that hold no text
  uint64_t not_logs = 0;   // text of another kind: source code, data, documents without AUTOTUNE blocks
  uint64_t manifests = 0;  // Markdown files that read as manifests
  uint64_t ignored = 0;    // hidden, ignored or special names
  uint64_t errors = 0;
  bool interrupted = false;
};

AuditCounts Audit(const AuditRequest& request, const RuleSet& rules, AuditSink* sink);

}  // namespace autotune
