// The checks that lint rules (rules/lint/*.json) can name. What they judge, with what operands and in what words, is
// data.
//
// clang-format off: a table
//   value         a fact of `settings` whose value matches `pattern` and not `unless`
//   unset         a fact of `settings` that says N/A (`unless` looks at its raw text)
//   unread        a variable that no torch and no Triton reads                        {why}
//   unread_here   a variable that the torch of settings[0] does not read              {other_value} {expected}
//   disagree      settings[0] ("title" too) names another GPU, or another vendor's,   {others}
//                 than the rest; one problem for all of them
//   same_version  the groups of `pattern` in the value of settings[0], joined by ".", {other} {other_value} {expected}
//                 are not how the version of settings[1] starts
//   pairing       versions of settings[0] and [1] that do not go together by `pairs`  {other} {other_value} {expected}
//   tokens        a part of a comma list that `pattern` does not match whole          {token}
//   checklist     a checklist line that says other than the manifest's rows           {other_value} {other_line}
//   no_effect     a checklist line for a variable that is in no tuning key            {why}
//   repeated      two rows of one setting that differ                                 {other_value} {other_line}
//   text          a paragraph, item or row whose text matches `pattern` and not       {text}
//                 `unless`; with "settings": ["checklist"] a checklist's lines alone
//   near_name     a row that is no setting but nearly one                             {expected}
// All know {setting}, {value} and {line}.
// clang-format on
#pragma once

#include <vector>

#include "analyzer/base/diag.h"
#include "analyzer/manifest/manifest.h"
#include "analyzer/rule/rule_set.h"

namespace autotune {

// Runs every lint rule's samples: a firing one must give a problem of that rule, a near miss none. Called for `rules
// check` and by the tests; needs the whole set because samples are manifests.
void CheckLintSamples(const RuleSet& rules, std::vector<Diag>* diags);

}  // namespace autotune
