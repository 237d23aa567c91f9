#include "analyzer/parse/layout.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <unordered_map>
#include <utility>

#include "analyzer/base/text_hash.h"
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

// Which of the tests match, a bit each.
using TestBits = std::vector<uint64_t>;

void Set(TestBits* bits, size_t i) { (*bits)[i / 64] |= uint64_t{1} << (i % 64); }
bool Has(const TestBits& bits, size_t i) { return ((bits[i / 64] >> (i % 64)) & 1) != 0; }

// The kind of a name or description: its words, whatever their numbers.
void AppendSkeleton(std::string_view text, std::string* out) {
  const size_t before = out->size();
  out->resize(before + text.size());  // at once: this runs for every byte of every name
  char* to = out->data() + before;
  bool digits = false;
  for (const char c : text) {
    const bool digit = c >= '0' && c <= '9';
    *to = digit ? '0' : c;
    to += !(digit && digits);
    digits = digit;
  }
  out->resize(static_cast<size_t>(to - out->data()));
}

// Texts whose answer is known. Bounded: when it is full it begins anew.
using Known = std::unordered_map<std::string, TestBits, TextHash, std::equal_to<>>;
constexpr size_t kMaxKnown = 2048;

const TestBits& Keep(Known* known, std::string_view text, TestBits bits) {
  if (known->size() >= kMaxKnown) known->clear();
  return known->emplace(text, std::move(bits)).first->second;
}

}  // namespace

struct LayoutJudge::Impl {
  std::shared_ptr<const LineProgram> program;  // whose patterns the tests are
  std::vector<TextTest> tests;
  std::vector<Compiled> compiled;
  Known by_description;  // the same few hundred configurations for each problem
  Known by_skeleton;
  std::unordered_map<std::string, std::string, TextHash, std::equal_to<>> ranges;  // by features and tests
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

  // What the tests say of an op, a name or a description, by its kind.
  const TestBits& OfKind(TextTest::Of of, std::string_view text) {
    key.assign(1, static_cast<char>(of));
    // A rule may ask for an op's very digits; of the rest it asks for words.
    if (of == TextTest::Of::kOp) {
      key += text;
    } else {
      AppendSkeleton(text, &key);
    }
    const auto found = by_skeleton.find(key);
    if (found != by_skeleton.end()) return found->second;
    TestBits bits((tests.size() + 63) / 64);
    for (size_t i = 0; i < tests.size(); ++i) {
      if (tests[i].of == of && Matches(tests[i], text)) Set(&bits, i);
    }
    return Keep(&by_skeleton, key, std::move(bits));
  }

  const TestBits& OfDescription(std::string_view text) {
    const auto found = by_description.find(text);
    if (found != by_description.end()) return found->second;
    return Keep(&by_description, text, OfKind(TextTest::Of::kDescription, text));
  }

  void AddChoice(const Choice& choice, TestBits* matched) {
    const auto add = [matched](const TestBits& bits) {
      for (size_t i = 0; i < bits.size(); ++i) (*matched)[i] |= bits[i];
    };
    add(OfKind(TextTest::Of::kName, choice.name));
    add(OfDescription(choice.description));
  }

  // Of what the rules that hold say.
  std::string Range(uint32_t bits, const TestBits& matched) const {
    std::string_view min, max;
    for (const Compiled& c : compiled) {
      const auto is_matched = [&](size_t test) { return Has(matched, test); };
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

  const std::string& RangeOf(const Block& block, const LayoutSigns& signs) {
    TestBits matched = OfKind(TextTest::Of::kOp, block.op);
    for (const Choice& choice : block.choices) AddChoice(choice, &matched);
    const uint32_t bits = FeatureBits(block, signs);
    key.assign(reinterpret_cast<const char*>(&bits), sizeof(bits));
    key.append(reinterpret_cast<const char*>(matched.data()), matched.size() * sizeof(matched[0]));
    const auto found = ranges.find(key);
    if (found != ranges.end()) return found->second;
    if (ranges.size() >= kMaxKnown) ranges.clear();
    return ranges.emplace(key, Range(bits, matched)).first->second;
  }
};

LayoutJudge::LayoutJudge(const RuleSet& rules) : impl_(std::make_unique<Impl>()) {
  impl_->program = ProgramOf(rules);
  for (const LayoutRule& rule : rules.layouts) impl_->Compile(rule);
}

LayoutJudge::~LayoutJudge() = default;

std::string LayoutJudge::TorchRange(const Block& block, const LayoutSigns& signs) {
  return impl_->RangeOf(block, signs);
}

}  // namespace autotune
