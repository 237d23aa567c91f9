// How people write names and values in a manifest: comments behind a value, quotes, the many ways to say "not set".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/manifest/markdown.h"

namespace autotune {

// "  export `TRITON_CACHE_DIR`" -> "TRITON_CACHE_DIR"; quotes, bold marks left by bad nesting, a shell's $ go too.
std::string_view CleanName(std::string_view name);
// Upper-case letters, digits and underscores, with at least one underscore: "TRITON_CACHE_DIR".
bool IsVariableName(std::string_view word);
// The words of `text` that are variable names.
std::vector<std::string_view> VariableNames(std::string_view text);

// "must NOT be", "never", "!=": what follows is not the value.
bool DeniesIt(std::string_view text);

// The value in what stands behind a name. Comments are cut off where the setting's values cannot hold any
// ("`/workspace/cache` (on the PVC)", "2.7.1+cu126 — other versions ..."); free texts are kept whole. In a checklist,
// which is prose, code is the value and the rest comment whatever the setting.
std::string ValueIn(const MarkdownText& text, std::string_view compare, bool checklist);

bool SaysNotSet(std::string_view value);   // "N/A", "-", "", "unset", "N/A (CPU only)", ...
bool SaysUnknown(std::string_view value);  // "?", "TBD", "unknown": nothing is stated
// Whether a value of kind `compare` can look like that: a version has a digit, a dtype names one.
bool CouldBe(std::string_view compare, std::string_view value);

}  // namespace autotune
