#include "analyzer/cache/key_book.h"

#include "analyzer/identity/problem_key.h"

namespace autotune {

absl::StatusOr<KeyBook> KeyBook::Load(const std::string& path) {
  CacheReading reading = ReadCache(path, ReadOptions{});
  if (!reading.status.ok() && reading.files == 0) return reading.status;
  KeyBook book;
  book.reading_ = std::make_shared<const CacheReading>(std::move(reading));
  return book;
}

void KeyBook::Observe(const Evidence& evidence) {
  if (evidence.setting == "torch") {
    if (hints_.torch.empty()) hints_.torch = evidence.value;
  } else if (evidence.setting == "gpu") {
    // A card named by the log: CUDA and HIP devices are both called "cuda" by torch.
    if (hints_.device.empty() && !evidence.value.empty()) hints_.device = "cuda";
  } else if (evidence.setting == "dtype") {
    if (hints_.dtype.empty()) hints_.dtype = DtypeName(evidence.value);
  } else if (evidence.setting == kKernelSetting && reading_) {
    std::string key = evidence.value.substr(0, evidence.value.find(' '));
    foreign_kernel_ = foreign_kernel_ || !reading_->cache.Kernel(key);
    hints_.kernels_match = !foreign_kernel_;
  }
}

void KeyBook::Fill(const RuleSet& rules, Block* block) const { FillKeys(rules, cache(), hints_, block); }

}  // namespace autotune
