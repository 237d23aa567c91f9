// What the layout of a block alone says about the torch version that printed it, by rules/layouts.
//
// Features of a block, as layout rules name them:
//   unit:s  unit:ms                                     of its rows
//   footer:takes  footer:benchmarking  footer:for_n  footer:prescreening
//   strides  dtypes  stats                              lines that are there
//   description  trailing_blank  divided_by_zero        some row has it
//   op=NAME  name=NAME  desc=TEXT                       what "op~RE", "name~RE", "desc~RE" are matched with
//
// All rules that hold narrow the range together; when they contradict each other nothing is said.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/model/block.h"
#include "analyzer/rule/rule_set.h"

namespace autotune {

// What the reader saw of a block beside the model's fields.
struct LayoutSigns {
  bool seconds = false, milliseconds = false;
  bool footer_benchmarking = false;
  bool trailing_blank = false, divided_by_zero = false;
};

class LayoutJudge {
 public:
  explicit LayoutJudge(const RuleSet& rules);  // which must outlive it
  ~LayoutJudge();

  // ">=2.8", "2.6 - 2.7", "2.0", "<=2.4", "" when the layout says nothing.
  std::string TorchRange(const Block& block, const LayoutSigns& signs);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace autotune
