// Family "layouts": what the layout of a block alone says about the torch version that printed it.
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
  // "description", ...); "!x" means x is absent; "name~RE" / "desc~RE" / "op~RE": some choice name, description or the op matches.
  std::vector<std::string> when;
  std::string min, max;  // inclusive "2.8", "2.9"; "" open
  struct Sample { std::vector<std::string> features; bool fires = false; };
  std::vector<Sample> samples;
};

std::optional<LayoutRule> DecodeLayoutRule(const RuleFile& file, const RuleNode& root, std::vector<Diag>* diags);
void CheckLayoutSamples(const LayoutRule& rule, const RuleFile& file, std::vector<Diag>* diags);

}  // namespace autotune
