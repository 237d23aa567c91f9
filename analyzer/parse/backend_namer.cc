#include "analyzer/parse/backend_namer.h"

namespace autotune {
namespace {

constexpr std::string_view kUnknown = "UNKNOWN";
// Names whose back end is remembered. A log has tens of kinds; hashes in names (cutlass_1b5e81af) are what fills it.
constexpr size_t kMaxKnown = 4096;

}  // namespace

BackendNamer::BackendNamer(const RuleSet& rules) : program_(ProgramOf(rules)) {
  for (const BackendRule& rule : rules.backends) {
    Entry& entry = entries_.emplace_back();
    entry.backend = rule.backend;
    for (const std::string& pattern : rule.patterns) entry.patterns.push_back(&program_->row_patterns.Of(pattern));
    if (rule.op_name && op_backend_.empty()) op_backend_ = rule.backend;
  }
}

std::string_view BackendNamer::Backend(std::string_view name, std::string_view op) {
  // All digits at the end become one: whatever a rule says of triton_mm_12 it says of triton_mm_0.
  key_.assign(name);
  const size_t digits = key_.find_last_not_of("0123456789") + 1;
  if (digits < key_.size()) key_.replace(digits, std::string::npos, "0");
  auto found = known_.find(key_);
  if (found == known_.end()) {
    if (known_.size() >= kMaxKnown) known_.clear();
    found = known_.emplace(key_, ByPattern(key_)).first;
    // A rule that asks for a certain number of digits is asked with the name itself.
    if (found->second == kUnknown && key_ != name) found->second = ByPattern(name);
  }
  if (found->second == kUnknown && !op_backend_.empty() && name == op) return op_backend_;
  return found->second;
}

std::string_view BackendNamer::ByPattern(std::string_view name) const {
  for (const Entry& entry : entries_) {
    for (const LazyPattern* pattern : entry.patterns) {
      if (pattern->FullMatch(name)) return entry.backend;
    }
  }
  return kUnknown;
}

}  // namespace autotune
