#include "analyzer/parse/layout.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <unordered_map>

#include "analyzer/rule/line_program.h"

namespace autotune {
namespace {

// Fixed features as bits, in this order.
constexpr std::array<std::string_view, 12> kFeatures = {
    "unit:s",  "unit:ms", "footer:takes", "footer:benchmarking", "footer:for_n",   "footer:prescreening",
    "strides", "dtypes",  "stats",        "description",         "trailing_blank", "divided_by_zero"};

uint32_t FeatureBits(const Block& block, const LayoutSigns& signs) {
  const bool footer = block.footer_line.has_value();
  const bool described =
      std::any_of(block.choices.begin(), block.choices.end(), [](const Choice& c) { return !c.description.empty(); });
  const bool has[kFeatures.size()] = {signs.seconds,
                                      signs.milliseconds,
                                      footer && !signs.footer_benchmarking,
                                      footer && signs.footer_benchmarking,
                                      block.num_choices.has_value(),
                                      block.prescreen_seconds.has_value(),
                                      block.strides.has_value(),
                                      block.dtypes.has_value(),
                                      block.stats_line.has_value(),
                                      described,
                                      signs.trailing_blank,
                                      signs.divided_by_zero};
  uint32_t bits = 0;
  for (size_t i = 0; i < kFeatures.size(); ++i) bits |= uint32_t{has[i]} << i;
  return bits;
}

// "2.11" to 2011, so that releases compare as numbers.
int Release(std::string_view s) {
  int major = 0, minor = 0;
  const auto [dot, error] = std::from_chars(s.data(), s.data() + s.size(), major);
  if (error != std::errc() || dot == s.data() + s.size()) return 0;
  std::from_chars(dot + 1, s.data() + s.size(), minor);
  return major * 1000 + minor;
}

struct TextTest {
  enum class Of { kOp, kName, kDescription } of;
  const LazyPattern* pattern;
};

struct Compiled {
  uint32_t wanted = 0, unwanted = 0;
  bool impossible = false;  // asks for a feature that nobody knows
  std::vector<size_t> tests, absent_tests;
  const LayoutRule* rule;
};

// The kind of a choice: what its name and the keywords of its description are, whatever their numbers.
void AppendSkeleton(std::string_view text, std::string* out) {
  const size_t before = out->size();
  out->resize(before + text.size() + 1);  // at once: this runs for every byte of every row
  char* to = out->data() + before;
  bool digits = false;
  for (const char c : text) {
    const bool digit = c >= '0' && c <= '9';
    *to = digit ? '0' : c;
    to += !(digit && digits);
    digits = digit;
  }
  *to++ = '\n';
  out->resize(static_cast<size_t>(to - out->data()));
}

}  // namespace

struct LayoutJudge::Impl {
  std::shared_ptr<const LineProgram> program;  // whose patterns the tests are
  std::vector<TextTest> tests;
  std::vector<Compiled> compiled;
  std::unordered_map<std::string, std::vector<bool>> by_choice;  // skeleton -> which tests match
  std::string key;

  size_t AddTest(std::string_view kind, std::string_view pattern) {
    using Of = TextTest::Of;
    const Of of = kind == "op" ? Of::kOp : kind == "name" ? Of::kName : Of::kDescription;
    tests.push_back({of, &program->row_patterns.Of(pattern)});
    return tests.size() - 1;
  }

  void Compile(const LayoutRule& rule) {
    Compiled& out = compiled.emplace_back();
    out.rule = &rule;
    for (std::string_view condition : rule.when) {
      const bool negate = !condition.empty() && condition.front() == '!';
      if (negate) condition.remove_prefix(1);
      const size_t tilde = condition.find('~');
      if (tilde != std::string_view::npos) {
        (negate ? out.absent_tests : out.tests)
            .push_back(AddTest(condition.substr(0, tilde), condition.substr(tilde + 1)));
        continue;
      }
      const auto found = std::find(kFeatures.begin(), kFeatures.end(), condition);
      if (found == kFeatures.end()) {
        out.impossible = out.impossible || !negate;
      } else {
        (negate ? out.unwanted : out.wanted) |= uint32_t{1} << (found - kFeatures.begin());
      }
    }
  }

  bool Matches(const TextTest& test, std::string_view text) const {
    return test.of == TextTest::Of::kDescription ? test.pattern->PartialMatch(text) : test.pattern->FullMatch(text);
  }

  void AddChoice(const Choice& choice, std::vector<bool>* matched) {
    key.clear();
    AppendSkeleton(choice.name, &key);
    AppendSkeleton(choice.description, &key);
    auto found = by_choice.find(key);
    if (found == by_choice.end()) {
      constexpr size_t kMaxKnown = 4096;
      if (by_choice.size() >= kMaxKnown) by_choice.clear();
      std::vector<bool> which(tests.size());
      for (size_t i = 0; i < tests.size(); ++i) {
        if (tests[i].of == TextTest::Of::kName) which[i] = Matches(tests[i], choice.name);
        if (tests[i].of == TextTest::Of::kDescription) which[i] = Matches(tests[i], choice.description);
      }
      found = by_choice.emplace(key, std::move(which)).first;
    }
    for (size_t i = 0; i < tests.size(); ++i) {
      if (found->second[i]) (*matched)[i] = true;
    }
  }
};

LayoutJudge::LayoutJudge(const RuleSet& rules) : impl_(std::make_unique<Impl>()) {
  impl_->program = ProgramOf(rules);
  for (const LayoutRule& rule : rules.layouts) impl_->Compile(rule);
}

LayoutJudge::~LayoutJudge() = default;

std::string LayoutJudge::TorchRange(const Block& block, const LayoutSigns& signs) {
  const uint32_t bits = FeatureBits(block, signs);
  std::vector<bool> matched(impl_->tests.size());
  for (size_t i = 0; i < impl_->tests.size(); ++i) {
    if (impl_->tests[i].of == TextTest::Of::kOp) matched[i] = impl_->Matches(impl_->tests[i], block.op);
  }
  for (const Choice& choice : block.choices) impl_->AddChoice(choice, &matched);

  std::string_view min, max;
  for (const Compiled& c : impl_->compiled) {
    const auto is_matched = [&](size_t test) { return matched[test]; };
    if (c.impossible || (bits & c.wanted) != c.wanted || (bits & c.unwanted) != 0) continue;
    if (!std::all_of(c.tests.begin(), c.tests.end(), is_matched)) continue;
    if (std::any_of(c.absent_tests.begin(), c.absent_tests.end(), is_matched)) continue;
    if (!c.rule->min.empty() && (min.empty() || Release(c.rule->min) > Release(min))) min = c.rule->min;
    if (!c.rule->max.empty() && (max.empty() || Release(c.rule->max) < Release(max))) max = c.rule->max;
  }
  if (min.empty() && max.empty()) return "";
  if (max.empty()) return std::string(">=").append(min);
  if (min.empty()) return std::string("<=").append(max);
  if (Release(min) > Release(max)) return "";
  std::string range(min);
  if (min != max) range.append(" - ").append(max);
  return range;
}

}  // namespace autotune
