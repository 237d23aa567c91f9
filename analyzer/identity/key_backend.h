// Which back end a recorded key belongs to: "triton_mm-cxdg…" TRITON, "addmm-alpha=1-…" ATEN, "packed_gemm-c…" CPP.
// A key holds the family of the printed name without its counter, so rules/backends decide here as they do for rows.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "analyzer/rule/rule_set.h"

namespace autotune {

class KeyBackends {
 public:
  explicit KeyBackends(const RuleSet& rules);
  ~KeyBackends();
  KeyBackends(const KeyBackends&) = delete;
  KeyBackends& operator=(const KeyBackends&) = delete;

  // "UNKNOWN" when no rule knows the name.
  const std::string& Of(std::string_view op, std::string_view key);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace autotune
