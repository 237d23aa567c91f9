// The Markdown record of how a cache was built -> facts with line numbers, and its faults.
#pragma once

#include <absl/status/statusor.h>

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/model/evidence.h"
#include "analyzer/rule/rule_set.h"

namespace autotune {

// Parses Markdown text (md4c): tables, lists, headings, the checklist; any order, CRLF, escapes, synonyms of row names
// (rules/settings). Never fails on odd text: what is no fact is left out.
Manifest ParseManifest(std::string path, std::string_view text, const RuleSet& rules);

// The file's text; an error says what is wrong and what to do (missing, a folder, too big for a manifest, UTF-16).
absl::StatusOr<std::string> ReadManifestText(const std::string& path);

// Reads and parses; an error when the file cannot be read, or holds no fact at all (says what a manifest looks like).
absl::StatusOr<Manifest> ReadManifest(const std::string& path, const RuleSet& rules);

// What cannot be true, or does not help, in line order.
std::vector<Problem> LintManifest(const Manifest& manifest, std::string_view text, const RuleSet& rules);

}  // namespace autotune
