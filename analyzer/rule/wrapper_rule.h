// Family "wrappers": a prefix (or envelope) that some program puts before each line it passes on.
//
//   [pod/trainer-0/main]   (Worker_TP0 pid=3312)   2026-02-03T10:11:12.1Z stderr F   [rank3]:   Mar 04 10:11:12 node
//   trainer[2211]:
//
// A rule is a pattern anchored at the start of what is left of the line; the reader strips wrappers one by one,
// outermost first, until none matches (parse/unwrap.h). Of several that match, the one that takes most of the line
// wins. A wrapper that is not listed is learned from the header's own line (parse/learned_prefix.h).
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
  // "prefix": the match is taken off. "json": the whole line is one JSON object, `text_fields` name the text.
  // "debris": like prefix, but what some program left on the line (a progress bar), not a label: it tells no streams
  // apart.
  std::string kind = "prefix";
  // RE2, anchored at the start ("" for json). Named groups give the labels: (?P<process>..) (?P<rank>..) (?P<pod>..);
  // (?P<stream>..) tells streams apart without naming a process; (?P<partial>..) set to "P" marks a part of a line that
  // goes on in the next line of the same stream; (?P<text>..) is the text, when it is not all that follows the match.
  std::string pattern;
  // Bytes, one of which stands in every line that `pattern` can match. Only such lines are tried: for patterns that
  // would else be searched through every line.
  std::vector<std::string> literals;
  // Kind json: names to try in order; "kubernetes.pod_name" is a field of a field. A text without final line break is
  // partial where `splits_lines` says so (Docker cuts lines at 16 KiB and ends only the last piece with one).
  std::vector<std::string> text_fields, process_fields, rank_fields, pod_fields, stream_fields;
  bool splits_lines = false;
  std::string unescape;  // of the text: "" nothing, "html", "json"
  // A setting on such a line is quoted, not in force (`# export X=1`): evidence rules see the line with the wrapper on.
  bool quotes = false;
  std::vector<WrapperSample> samples;
};

std::optional<WrapperRule> DecodeWrapperRule(const RuleFile& file, const RuleNode& root, std::vector<Diag>* diags);
// Prefix rules alone: what a JSON envelope gives is checked by parse's own tests, since it takes parse to open one.
void CheckWrapperSamples(const WrapperRule& rule, const RuleFile& file, std::vector<Diag>* diags);

}  // namespace autotune
