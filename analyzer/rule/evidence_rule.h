// Family "evidence": a line (its wrapper taken off) states a setting's value.
//
//   { "id": "env-assignment", "title": "NAME=value of a variable that torch, Triton or vLLM reads",
//     "patterns": [ { "re": "\\b(?P<name>TORCHINDUCTOR_[A-Z_]+)=(?P<value>\\S*)", "all": true,
//                     "emit": [ { "setting": "{name}", "value": "{value}" } ] } ],
//     "samples": [ { "text": ["export TORCHINDUCTOR_CACHE_DIR=/x"], "emits": [ { "setting": "TORCHINDUCTOR_CACHE_DIR", "value": "/x", "line": 1 } ] },
//                  { "text": ["# set TORCHINDUCTOR_CACHE_DIR to ..."], "emits": [] } ] }
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/base/diag.h"

namespace autotune {

struct RuleFile;
struct RuleNode;

struct EvidenceEmit {
  std::string setting;  // template: "{name}" is a named group
  std::string value;    // template
};

struct EvidencePattern {
  std::string re;      // RE2, searched unless it is anchored
  bool all = false;    // every match on the line, not only the first
  std::string next;    // RE2 that the next line of the same stream must match too; its groups join those of `re`
  std::vector<EvidenceEmit> emit;
  std::vector<std::string> unless;  // RE2s: a line that one of them matches states nothing
};

struct EvidenceSample {
  std::vector<std::string> text;
  struct Emit { std::string setting, value; int line = 1; };
  std::vector<Emit> emits;  // exactly these; empty: a near miss
};

struct EvidenceRule {
  std::string id, title, why;
  std::vector<EvidencePattern> patterns;
  std::vector<EvidenceSample> samples;
};

std::optional<EvidenceRule> DecodeEvidenceRule(const RuleFile& file, const RuleNode& root, std::vector<Diag>* diags);
void CheckEvidenceSamples(const EvidenceRule& rule, const RuleFile& file, std::vector<Diag>* diags);

}  // namespace autotune
