// Family "wrappers": a prefix (or envelope) that some program puts before each line it passes on.
//
//   [pod/trainer-0/main]   (Worker_TP0 pid=3312)   2026-02-03T10:11:12.1Z stderr F   [rank3]:   Mar 04 10:11:12 node trainer[2211]:
//
// A rule is a pattern anchored at the start of what is left of the line; the reader strips wrappers one by one, outermost
// first, until none matches. A wrapper that is not listed is learned from the header's own line (parse/unwrap.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/base/diag.h"

namespace autotune {

struct RuleFile;
struct RuleNode;

struct WrapperSample {
  std::string text;
  bool fires = false;
  std::string rest, process, rank, pod;  // what must come out; "" where nothing is named
};

struct WrapperRule {
  std::string id, title;
  // RE2, anchored at the start. Named groups give the labels: (?P<process>..) (?P<rank>..) (?P<pod>..); (?P<partial>P)
  // set to "P" marks a partial line to be joined with the next of the same stream; (?P<stream>..) tells streams apart.
  std::string pattern;
  // "prefix": strip the match. "json": the whole line is a JSON object; `field` holds the text.
  std::string kind = "prefix";
  std::vector<std::string> fields;  // kind json: names to try for the text ("log", "message", "msg")
  std::vector<WrapperSample> samples;
};

std::optional<WrapperRule> DecodeWrapperRule(const RuleFile& file, const RuleNode& root, std::vector<Diag>* diags);
void CheckWrapperSamples(const WrapperRule& rule, const RuleFile& file, std::vector<Diag>* diags);

}  // namespace autotune
