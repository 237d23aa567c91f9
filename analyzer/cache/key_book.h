// The recorded cache as the blocks of a log are looked up in it while they stream by.
//
//   auto book = KeyBook::Load("inductor_cache.tar.zst");   // one pass over the cache, before the logs are read
//   book->Observe(evidence);                               // every evidence of the log, as it comes
//   book->Fill(rules, &block);                             // every block, before it is reported
//   CacheFindings found = LookUp({&run, &manifest, &*book, run_cache_path}, rules);   // cache/lookup.h, at the end
//
// Without --cache a default KeyBook fills what needs no cache. LookUp walks the cache a second time, and only if
// kernels have to be edited and hashed; sources are too many to be kept from the first pass.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <memory>
#include <string>
#include <string_view>

#include "analyzer/cache/cache_reader.h"
#include "analyzer/identity/fill_keys.h"
#include "analyzer/model/block.h"
#include "analyzer/model/evidence.h"
#include "analyzer/rule/rule_set.h"

namespace autotune {

// The evidence setting of a kernel that the run is known to have used (rules/evidence/kernel-key): the value is its
// key, and behind a blank its description where the line has it.
inline constexpr std::string_view kKernelSetting = "kernel";

class KeyBook {
 public:
  KeyBook() = default;

  // An error when nothing could be read at all. A cache that is damaged in the middle loads; see status().
  static absl::StatusOr<KeyBook> Load(const std::string& path);

  void Observe(const Evidence& evidence);
  void Fill(const RuleSet& rules, Block* block) const;

  // Null without a cache.
  const RecordedCache* cache() const { return reading_ ? &reading_->cache : nullptr; }
  const CacheReading* reading() const { return reading_.get(); }
  absl::Status status() const { return reading_ ? reading_->status : absl::OkStatus(); }
  const KeyHints& hints() const { return hints_; }

 private:
  std::shared_ptr<const CacheReading> reading_;
  KeyHints hints_;
  bool foreign_kernel_ = false;  // the run used a kernel that the cache lacks
};

}  // namespace autotune
