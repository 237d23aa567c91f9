// Which back end a choice's name belongs to, by rules/backends. Names repeat (triton_mm_12, triton_mm_7, ...), so
// answers are remembered by the name without its counter: a dense log costs a hash look-up a row, no regular
// expression.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analyzer/base/text_hash.h"
#include "analyzer/rule/line_program.h"
#include "analyzer/rule/rule_set.h"

namespace autotune {

class BackendNamer {
 public:
  explicit BackendNamer(const RuleSet& rules);

  // "TRITON", ... or "UNKNOWN". A rule's pattern comes before "the name equals the header's op".
  std::string_view Backend(std::string_view name, std::string_view op);

 private:
  std::string_view ByPattern(std::string_view name) const;

  struct Entry {
    std::string backend;
    std::vector<const LazyPattern*> patterns;
  };
  std::shared_ptr<const LineProgram> program_;  // whose patterns these are
  std::vector<Entry> entries_;                  // never grows once made: names point into it
  std::string op_backend_;                      // of a name that equals the op; "" when no rule says so
  std::unordered_map<std::string, std::string_view, TextHash, std::equal_to<>> known_;
  std::string key_;
};

}  // namespace autotune
