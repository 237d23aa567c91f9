#include "analyzer/rule/evidence_rule.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "analyzer/rule/literals.h"
#include "analyzer/rule/matcher.h"
#include "analyzer/rule/pattern.h"
#include "analyzer/rule/rule_node.h"
#include "analyzer/rule/rule_set.h"

namespace autotune {
namespace {

// Checks that need the patterns compiled: for a person's own rules, and for ours in the tests.
class PatternCheck {
 public:
  PatternCheck(const EvidencePattern& pattern, const RuleNode& node, RuleReader* reader)
      : pattern_(pattern), node_(node), reader_(reader) {}

  void Run() {
    CheckLiterals();
    std::vector<std::string> groups = Groups(pattern_.re);
    for (std::string& group : Groups(pattern_.next)) {
      if (std::find(groups.begin(), groups.end(), group) != groups.end()) {
        reader_->Error(*node_.Find("next"), "R023", fmt::format("group \"{}\" is also one of \"re\"", group),
                       "give it another name");
      }
      groups.push_back(std::move(group));
    }
    if (pattern_.all && !pattern_.next.empty()) {
      reader_->Error(*node_.Find("all"), "R025", "\"all\" and \"next\" do not go together",
                     "write one pattern for what may repeat, and one for what goes on in the next line");
    }
    const std::vector<RuleNode>& emits = node_.Find("emit")->items;
    for (size_t i = 0; i < pattern_.emit.size() && i < emits.size(); ++i) {
      CheckTemplate(pattern_.emit[i].setting, *emits[i].Find("setting"), groups);
      CheckTemplate(pattern_.emit[i].value, *emits[i].Find("value"), groups);
    }
  }

 private:
  static std::vector<std::string> Groups(const std::string& re) {
    std::vector<std::string> names;
    if (re.empty()) return names;
    const RE2 compiled(ToRe2(re), LinePatternOptions());
    for (const auto& [index, name] : compiled.CapturingGroupNames()) names.push_back(name);
    return names;
  }

  void CheckLiterals() {
    for (const std::string& literal : pattern_.literals) {
      if (literal.size() >= kMinLiteral) continue;
      reader_->Error(*node_.Find("literals"), "R020",
                     fmt::format("literal \"{}\" is shorter than {} bytes", literal, kMinLiteral));
    }
    if (!PatternLiterals(pattern_).empty()) return;
    reader_->Error(*node_.Find("re"), "R020",
                   fmt::format("no literal of {} bytes stands in every line that this matches", kMinLiteral),
                   "ask for a fixed word, spell out [Ff]orms instead of (?i), or list them as \"literals\"");
  }

  void CheckTemplate(const std::string& text, const RuleNode& at, const std::vector<std::string>& groups) {
    const auto parts = ParseTemplate(text);
    if (!parts) {
      reader_->Error(at, "R022", "a brace of this template has no partner", "write {{ or }} for a brace");
      return;
    }
    for (const TemplatePart& part : *parts) {
      if (!part.is_group || std::find(groups.begin(), groups.end(), part.text) != groups.end()) continue;
      const std::string nearest = Nearest(part.text, groups);
      reader_->Error(at, "R022", fmt::format("no group is named \"{}\"", part.text),
                     !nearest.empty() ? fmt::format("write {{{}}}", nearest)
                     : groups.empty() ? "name one in the pattern: (?P<" + part.text + ">...)"
                                      : fmt::format("the pattern's groups are {}", fmt::join(groups, ", ")));
    }
  }

  const EvidencePattern& pattern_;
  const RuleNode& node_;
  RuleReader* reader_;
};

bool DecodePattern(const RuleFile& file, const RuleNode& node, std::vector<Diag>* diags, EvidencePattern* pattern) {
  RuleReader reader(file, node, diags);
  pattern->re = reader.Pattern("re");
  pattern->all = reader.Bool("all", false);
  pattern->next = reader.Pattern("next", false);
  pattern->unless = reader.Patterns("unless");
  pattern->literals = reader.Strings("literals");
  bool ok = true;
  for (const RuleNode& item : reader.Array("emit", true)) {
    RuleReader emit(file, item, diags);
    pattern->emit.push_back({emit.String("setting"), emit.String("value", false)});
    if (!item.Find("value")) emit.String("value");
    emit.Done();
    ok = ok && emit.ok();
  }
  reader.Done();
  if (ok && reader.ok() && !file.trusted) PatternCheck(*pattern, node, &reader).Run();
  return ok && reader.ok();
}

bool DecodeSample(const RuleFile& file, const RuleNode& node, std::vector<Diag>* diags, EvidenceSample* sample) {
  RuleReader reader(file, node, diags);
  sample->text = reader.Strings("text", true);
  bool ok = true;
  for (const RuleNode& item : reader.Array("emits")) {
    RuleReader emit(file, item, diags);
    EvidenceSample::Emit& expected = sample->emits.emplace_back();
    expected.setting = emit.String("setting");
    expected.value = emit.String("value", false);
    if (!item.Find("value")) emit.String("value");
    expected.line = static_cast<int>(emit.Number("line", 1));
    emit.Done();
    ok = ok && emit.ok();
  }
  reader.Done();
  return ok && reader.ok();
}

std::string Show(const EvidenceSample::Emit& emit, bool with_line) {
  return fmt::format("{} = \"{}\"{}", emit.setting, emit.value, with_line ? fmt::format(" on line {}", emit.line) : "");
}

// Where a sample stands in its file: the decoded rule has no places, and only a wrong sample needs one.
RuleNode SamplePlace(const RuleFile& file, size_t index) {
  RuleNode root;
  std::vector<Diag> ignored;
  ParseRuleFile(file, &root, &ignored);
  const RuleNode* samples = root.Find("samples");
  return samples && index < samples->items.size() ? samples->items[index] : root;
}

}  // namespace

std::vector<std::string> PatternLiterals(const EvidencePattern& pattern) {
  return pattern.literals.empty() ? RequiredLiterals(pattern.re) : pattern.literals;
}

std::optional<EvidenceRule> DecodeEvidenceRule(const RuleFile& file, const RuleNode& root, std::vector<Diag>* diags) {
  RuleReader reader(file, root, diags);
  EvidenceRule rule;
  rule.id = reader.String("id");
  rule.title = reader.String("title");
  rule.why = reader.String("why", false);
  rule.compiling = reader.Bool("compiling", false);
  bool ok = true;
  for (const RuleNode& node : reader.Array("patterns", true)) {
    ok = DecodePattern(file, node, diags, &rule.patterns.emplace_back()) && ok;
  }
  const std::vector<RuleNode>& samples = reader.Array("samples", true);
  // Of rules that the build has checked nobody asks for the samples; `rules explain` shows them out of the file.
  for (const RuleNode& node : file.trusted ? std::vector<RuleNode>{} : samples) {
    ok = DecodeSample(file, node, diags, &rule.samples.emplace_back()) && ok;
  }
  reader.Done();
  if (!ok || !reader.ok()) return std::nullopt;
  return rule;
}

void CheckEvidenceSamples(const EvidenceRule& rule, const RuleFile& file, std::vector<Diag>* diags) {
  using Emit = EvidenceSample::Emit;
  const auto before = [](const Emit& a, const Emit& b) {
    return std::tie(a.line, a.setting, a.value) < std::tie(b.line, b.setting, b.value);
  };
  const auto same = [&](const Emit& a, const Emit& b) { return !before(a, b) && !before(b, a); };
  RuleSet alone;
  alone.evidence.push_back(rule);
  bool fires = false, near_miss = false;
  for (size_t i = 0; i < rule.samples.size(); ++i) {
    const EvidenceSample& sample = rule.samples[i];
    (sample.emits.empty() ? near_miss : fires) = true;
    std::vector<Emit> found;
    EvidenceMatcher matcher(alone);
    for (size_t line = 0; line < sample.text.size(); ++line) {
      matcher.Match(sample.text[line], line + 1, 0, [&](Evidence evidence) {
        found.push_back({std::move(evidence.setting), std::move(evidence.value), static_cast<int>(evidence.line)});
      });
    }
    std::vector<Emit> expected = sample.emits;
    std::sort(expected.begin(), expected.end(), before);
    std::sort(found.begin(), found.end(), before);
    if (std::equal(found.begin(), found.end(), expected.begin(), expected.end(), same)) continue;
    std::vector<std::string> missing, extra;
    const bool lines = sample.text.size() > 1;
    for (const Emit& emit : expected) {
      if (std::none_of(found.begin(), found.end(), [&](const Emit& e) { return same(e, emit); })) {
        missing.push_back(Show(emit, lines));
      }
    }
    for (const Emit& emit : found) {
      if (std::none_of(expected.begin(), expected.end(), [&](const Emit& e) { return same(e, emit); })) {
        extra.push_back(Show(emit, lines));
      }
    }
    const RuleNode place = SamplePlace(file, i);
    diags->push_back(
        RuleDiag(file, place.line, place.column, "R031",
                 fmt::format("this sample does not give what it says: {}{}{}",
                             missing.empty() ? "" : "missing " + fmt::format("{}", fmt::join(missing, ", ")),
                             missing.empty() || extra.empty() ? "" : "; ",
                             extra.empty() ? "" : "not asked for " + fmt::format("{}", fmt::join(extra, ", "))),
                 "correct the pattern or the sample"));
  }
  CheckBothKinds(file, fires, near_miss, diags);
}

}  // namespace autotune
