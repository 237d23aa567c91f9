// Family "evidence": a line (its wrapper taken off) states a setting's value.
//
//   { "id": "env-assignment", "title": "NAME=value of a variable that torch, Triton or vLLM reads",
//     "patterns": [ { "re": "\\b(?P<name>TORCHINDUCTOR_[A-Z_]+)=(?P<value>\\S*)", "all": true,
//                     "emit": [ { "setting": "{name}", "value": "{value}" } ] } ],
//     "samples": [ { "text": "export TORCHINDUCTOR_CACHE_DIR=/x",
//                    "emits": [ { "setting": "TORCHINDUCTOR_CACHE_DIR", "value": "/x" } ] },
//                  { "text": "# set TORCHINDUCTOR_CACHE_DIR to ...", "emits": [] } ] }
//
// Patterns are RE2 over bytes (Latin-1: "." and \S also match what is no UTF-8), so a character beyond ASCII may stand
// in a pattern, but not in a class. Templates: "{group}", "{{" for a brace. An emit that names a group which took no
// part in the match is left out: optional parts of one pattern need no second one.
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
  std::string re;    // RE2, searched unless it is anchored
  bool all = false;  // every match on the line, not only the first
  // RE2 that the next line of the same stream must match too; its groups join those of `re`. What is emitted stands on
  // the line that holds the value: the second when the value's template names one of its groups, else the first.
  std::string next;
  std::vector<EvidenceEmit> emit;
  std::vector<std::string> unless;  // RE2s: a line that one of them matches states nothing
  // One of these stands in every line that `re` matches. Written down only where rule/literals.h cannot draw them from
  // `re`, e.g. both spellings of what is case-insensitive there; lines without one are never looked at.
  std::vector<std::string> literals;
};

struct EvidenceSample {
  std::vector<std::string> text;  // lines that follow one another in one stream
  struct Emit {
    std::string setting, value;
    int line = 1;
  };                        // of `text`, from 1
  std::vector<Emit> emits;  // exactly these, in any order; empty: a near miss
};

struct EvidenceRule {
  std::string id, title, why;
  // Who writes such a line compiles graphs or takes them from a cache: a process that shows it and no tuning did not
  // tune; of one that shows neither, nothing is known.
  bool compiling = false;
  std::vector<EvidencePattern> patterns;
  std::vector<EvidenceSample> samples;
};

// The literals of a pattern: those written down, else those drawn from it.
std::vector<std::string> PatternLiterals(const EvidencePattern& pattern);

std::optional<EvidenceRule> DecodeEvidenceRule(const RuleFile& file, const RuleNode& root, std::vector<Diag>* diags);
void CheckEvidenceSamples(const EvidenceRule& rule, const RuleFile& file, std::vector<Diag>* diags);

}  // namespace autotune
