// Where the findings of one log go, in log order, each as soon as it is known (a block when it closes). Called on one
// thread.
#pragma once

#include <string_view>

#include "analyzer/model/block.h"
#include "analyzer/model/evidence.h"

namespace autotune {

class LogSink {
 public:
  virtual ~LogSink() = default;
  virtual void OnBlock(Block block) = 0;
  virtual void OnOrphan(Orphan orphan) = 0;
  virtual void OnEvidence(const Evidence& evidence) = 0;
  // Something that was survived, by kind: "cut_block", "long_line", "unknown_choice", "mixed_tables", "bad_utf8", ...
  virtual void OnCounter(std::string_view kind, uint64_t line) = 0;
};

}  // namespace autotune
