// What the parse tests share: the embedded rules, a sink that keeps everything, and a reader of a whole text.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/model/sink.h"
#include "analyzer/parse/log_parser.h"
#include "analyzer/rule/rule_set.h"

namespace autotune {

inline const RuleSet& TestRules() {
  static const RuleSet* rules = [] {
    std::vector<Diag> diags;
    auto loaded = LoadRules("", false, &diags);
    for (const Diag& diag : diags) ADD_FAILURE() << Render(diag);
    return new RuleSet(*std::move(loaded));
  }();
  return *rules;
}

struct Kept : LogSink {
  void OnBlock(Block block) override { blocks.push_back(std::move(block)); }
  void OnOrphan(Orphan orphan) override { orphans.push_back(std::move(orphan)); }
  void OnEvidence(const Evidence& e) override { evidence.push_back(e); }
  void OnCounter(std::string_view kind, uint64_t) override { ++counters[std::string(kind)]; }

  std::vector<Block> blocks;  // in order of header
  std::vector<Orphan> orphans;
  std::vector<Evidence> evidence;
  std::map<std::string, int> counters;
};

// Everything that the parser said, as text, to compare two readings.
inline std::string Describe(const Kept& kept) {
  std::ostringstream out;
  for (const Block& b : kept.blocks) {
    out << "block " << b.op << ' ' << b.line << '-' << b.end_line << ' ' << b.complete << ' ' << b.torch_range << ' '
        << b.labels.process.value_or("-") << ' ' << b.labels.rank.value_or(-1) << ' ' << b.labels.pod.value_or("-")
        << ' ' << b.stats_line.value_or(0) << ' ' << b.footer_line.value_or(0) << '\n';
    for (const Choice& c : b.choices) {
      out << "  " << c.line << ' ' << c.name << ' ' << c.ms << ' ' << c.pct.value_or(-1) << ' ' << c.backend << ' '
          << c.description << '\n';
    }
  }
  for (const Orphan& o : kept.orphans) out << "orphan " << static_cast<int>(o.kind) << ' ' << o.line << '\n';
  for (const Evidence& e : kept.evidence)
    out << "evidence " << e.setting << '=' << e.value << ' ' << e.line << ' ' << e.rule << '\n';
  return out.str();
}

// With `gaps`, lines that hold no literal are left out while none is wanted, as the prefilter does.
inline Kept ReadText(std::string_view text, bool gaps = false) {
  static const std::vector<std::string> literals = LogParser::Literals(TestRules());
  Kept kept;
  LogParser parser(TestRules(), "log", &kept);
  uint64_t number = 0;
  const bool ended_whole = text.empty() || text.back() == '\n';
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    ++number;
    const bool matters = !gaps || parser.wants_line(number) ||
                         (LogParser::wants_percent(number) && line.find('%') != std::string_view::npos) ||
                         std::any_of(literals.begin(), literals.end(),
                                     [&](const std::string& l) { return line.find(l) != std::string_view::npos; });
    if (matters) parser.Line(line, number);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  parser.Finish(ended_whole);
  return kept;
}

inline std::string ReadFileText(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace autotune
