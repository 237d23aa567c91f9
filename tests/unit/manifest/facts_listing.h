// A manifest's facts and faults as text, one a line, as corpus/manifests/*.expect has them:
//
//   11 gpu = NVIDIA A100 80GB PCIe
//   19 hip not set
//   57 TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS = ATEN (checklist)
//   13 no setting: TORCHINDUCTOR_COMPILE_TREADS
//   51 error removed-backend-claim TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "analyzer/manifest/lint.h"
#include "analyzer/manifest/manifest.h"

namespace autotune {

inline const RuleSet& Rules() {
  static const RuleSet* rules = [] {
    std::vector<Diag> diags;
    absl::StatusOr<RuleSet> loaded = LoadRules("", false, &diags);
    return new RuleSet(loaded.ok() ? *std::move(loaded) : RuleSet());
  }();
  return *rules;
}

inline std::string ListFacts(const Manifest& manifest) {
  std::string out = fmt::format("{} title: {}\n", manifest.title_line, manifest.title);
  for (const Fact& fact : manifest.facts)
    out += fmt::format("{} {} {}{}\n", fact.line, fact.setting, fact.not_set ? "not set" : "= " + fact.value,
                       fact.from_checklist ? " (checklist)" : "");
  for (const Manifest::UnknownRow& row : manifest.unknown_rows)
    out += fmt::format("{} no setting: {}\n", row.line, row.name);
  return out;
}

inline std::string ListProblems(const Manifest& manifest, std::string_view text) {
  std::string out;
  for (const Problem& problem : LintManifest(manifest, text, Rules()))
    out +=
        fmt::format("{} {} {} {}\n", problem.line, problem.severity == Problem::Severity::kError ? "error" : "warning",
                    problem.id, problem.setting);
  return out;
}

inline std::string FactsOf(std::string_view text) { return ListFacts(ParseManifest("m.md", text, Rules())); }
inline std::string ProblemsOf(std::string_view text) {
  return ListProblems(ParseManifest("m.md", text, Rules()), text);
}

}  // namespace autotune
