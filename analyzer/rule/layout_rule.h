// Family "layouts": what the layout of a block alone says about the torch version that printed it.
//
//   { "id": "footer-for-n-choices", "when": ["footer:for_n"], "min": "2.6", ... }
//
// All rules that hold narrow the range together. Facts: the decision table drawn from torch 2.0 to 2.15.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/base/diag.h"

namespace autotune {

struct RuleFile;
struct RuleNode;

struct LayoutRule {
  std::string id, title;
  // All must hold. Features are named by parse/layout.h ("unit:s", "footer:takes", "footer:for_n", "strides", "stats",
  // "description", ...); "!x" means x is absent; "name~RE" / "desc~RE" / "op~RE": some choice's name (whole), its
  // description (searched) or the op (whole) matches.
  std::vector<std::string> when;
  std::string min, max;  // inclusive "2.8", "2.9"; "" open
  struct Sample {
    std::vector<std::string> features;  // "name=triton_mm_3" and so on stand for what "name~" is matched with
    bool fires = false;
  };
  std::vector<Sample> samples;
};

// Whether all conditions hold among `features`.
bool LayoutHolds(const std::vector<std::string>& when, const std::vector<std::string>& features);

std::optional<LayoutRule> DecodeLayoutRule(const RuleFile& file, const RuleNode& root, std::vector<Diag>* diags);
void CheckLayoutSamples(const LayoutRule& rule, const RuleFile& file, std::vector<Diag>* diags);

}  // namespace autotune
