#include "analyzer/rule/matcher.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/rule/rule_set.h"

namespace autotune {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

RuleSet Rules(std::vector<EvidencePattern> patterns) {
  RuleSet rules;
  rules.evidence.push_back({"rule-a", "", "", false, std::move(patterns), {}});
  return rules;
}

class Collector {
 public:
  explicit Collector(const RuleSet& rules) : matcher_(rules) {}

  bool Line(std::string_view text, uint64_t line = 1, uint64_t stream = 0) {
    return matcher_.Match(text, line, stream, [&](Evidence e) {
      found_.push_back(fmt::format("{}:{}={} ({})", e.line, e.setting, e.value, e.rule));
    });
  }
  std::vector<std::string> Take() { return std::exchange(found_, {}); }
  const EvidenceMatcher& matcher() const { return matcher_; }

 private:
  EvidenceMatcher matcher_;
  std::vector<std::string> found_;
};

EvidencePattern Assignment(bool all) {
  EvidencePattern pattern;
  pattern.re = R"(\b(?P<name>TORCHINDUCTOR_[A-Z_]+)=(?P<value>\S*))";
  pattern.all = all;
  pattern.emit = {{"{name}", "{value}"}};
  return pattern;
}

TEST(MatcherTest, FillsTemplatesFromGroups) {
  const RuleSet rules = Rules({Assignment(false)});
  Collector c(rules);
  EXPECT_FALSE(c.Line("export TORCHINDUCTOR_CACHE_DIR=/x y", 7));
  EXPECT_THAT(c.Take(), ElementsAre("7:TORCHINDUCTOR_CACHE_DIR=/x (rule-a)"));
  EXPECT_FALSE(c.Line("TORCHINDUCTOR_CACHE_DIR is unset"));
  EXPECT_FALSE(c.Line(""));
  EXPECT_FALSE(c.Line("TOR"));
  EXPECT_THAT(c.Take(), IsEmpty());
}

TEST(MatcherTest, FirstMatchOrAll) {
  const std::string line = "TORCHINDUCTOR_A=1 TORCHINDUCTOR_B=2 TORCHINDUCTOR_A=1 TORCHINDUCTOR_C=";
  const RuleSet first = Rules({Assignment(false)}), all = Rules({Assignment(true)});
  Collector one(first), every(all);
  one.Line(line);
  every.Line(line);
  EXPECT_THAT(one.Take(), ElementsAre("1:TORCHINDUCTOR_A=1 (rule-a)"));
  EXPECT_THAT(every.Take(), ElementsAre("1:TORCHINDUCTOR_A=1 (rule-a)", "1:TORCHINDUCTOR_B=2 (rule-a)",
                                        "1:TORCHINDUCTOR_C= (rule-a)"));
}

TEST(MatcherTest, SaysTheSameOnceALineButOnEveryLine) {
  RuleSet rules = Rules({Assignment(true), Assignment(true)});
  rules.evidence.push_back({"rule-b", "", "", false, {Assignment(false)}, {}});
  Collector c(rules);
  c.Line("TORCHINDUCTOR_A=1", 1);
  c.Line("TORCHINDUCTOR_A=1", 2);
  EXPECT_THAT(c.Take(), ElementsAre("1:TORCHINDUCTOR_A=1 (rule-a)", "2:TORCHINDUCTOR_A=1 (rule-a)"));
}

TEST(MatcherTest, LeavesOutEmitsOfGroupsThatTookNoPart) {
  EvidencePattern pattern;
  pattern.re = R"(versions: torch (?P<torch>\S+)(?: triton (?P<triton>\S+))?)";
  pattern.emit = {{"torch", "{torch}"}, {"triton", "{triton}"}, {"seen", "{{yes}}"}};
  const RuleSet rules = Rules({pattern});
  Collector c(rules);
  c.Line("versions: torch 2.8 triton 3.4");
  EXPECT_THAT(c.Take(), ElementsAre("1:torch=2.8 (rule-a)", "1:triton=3.4 (rule-a)", "1:seen={yes} (rule-a)"));
  c.Line("versions: torch 2.8");
  EXPECT_THAT(c.Take(), ElementsAre("1:torch=2.8 (rule-a)", "1:seen={yes} (rule-a)"));
}

TEST(MatcherTest, UnlessSilencesTheLine) {
  EvidencePattern pattern = Assignment(true);
  pattern.unless = {"^#", "Try setting"};
  const RuleSet rules = Rules({pattern});
  Collector c(rules);
  c.Line("# TORCHINDUCTOR_A=1");
  c.Line("Try setting TORCHINDUCTOR_A=1");
  EXPECT_THAT(c.Take(), IsEmpty());
  c.Line("TORCHINDUCTOR_A=1 # yes");
  EXPECT_THAT(c.Take(), ElementsAre("1:TORCHINDUCTOR_A=1 (rule-a)"));
}

TEST(MatcherTest, ReadsBytesThatAreNoUtf8) {
  const RuleSet rules = Rules({Assignment(false)});
  Collector c(rules);
  c.Line(std::string_view("\xFF\0 TORCHINDUCTOR_A=/t\xC3mp", 24));
  EXPECT_THAT(c.Take(), ElementsAre("1:TORCHINDUCTOR_A=/t\xC3mp (rule-a)"));
}

EvidencePattern TwoLines() {
  EvidencePattern pattern;
  pattern.re = R"(- name: (?P<name>TORCH[A-Z_]+)$)";
  pattern.next = R"(^\s*value: (?P<value>.*)$)";
  pattern.emit = {{"{name}", "{value}"}, {"named", "{name}"}};
  return pattern;
}

TEST(MatcherTest, ATwoLineRuleStandsWhereItsValueStands) {
  const RuleSet rules = Rules({TwoLines()});
  Collector c(rules);
  EXPECT_TRUE(c.Line("  - name: TORCH_LOGS", 4));
  EXPECT_TRUE(c.matcher().waiting(5));
  EXPECT_THAT(c.Take(), IsEmpty());
  EXPECT_FALSE(c.Line("    value: +inductor", 6));
  EXPECT_THAT(c.Take(), ElementsAre("6:TORCH_LOGS=+inductor (rule-a)", "4:named=TORCH_LOGS (rule-a)"));
  EXPECT_FALSE(c.matcher().waiting(7));
}

TEST(MatcherTest, ATwoLineRuleWaitsForTheVeryNextLineOfItsStream) {
  const RuleSet rules = Rules({TwoLines()});
  Collector c(rules);
  EXPECT_TRUE(c.Line("- name: TORCH_A", 1, 1));
  EXPECT_TRUE(c.Line("- name: TORCH_B", 2, 2));
  EXPECT_FALSE(c.Line("something else", 3, 3));
  EXPECT_TRUE(c.matcher().waiting(3));
  EXPECT_FALSE(c.Line("value: b", 4, 2));
  EXPECT_FALSE(c.Line("not a value", 5, 1));
  EXPECT_FALSE(c.Line("value: a", 6, 1));
  EXPECT_THAT(c.Take(), ElementsAre("4:TORCH_B=b (rule-a)", "2:named=TORCH_B (rule-a)"));
  // A first line may be the second of nothing and the first of the next.
  EXPECT_TRUE(c.Line("- name: TORCH_A", 7));
  EXPECT_TRUE(c.Line("- name: TORCH_B", 8));
  EXPECT_FALSE(c.Line("value: 1", 9));
  EXPECT_THAT(c.Take(), ElementsAre("9:TORCH_B=1 (rule-a)", "8:named=TORCH_B (rule-a)"));
}

TEST(MatcherTest, AStreamThatSaysNothingMoreIsNotWaitedForForever) {
  const RuleSet rules = Rules({TwoLines()});
  Collector c(rules);
  EXPECT_TRUE(c.Line("- name: TORCH_A", 1, 1));
  EXPECT_TRUE(c.matcher().waiting(1 + EvidenceMatcher::kMaxWait));
  EXPECT_FALSE(c.matcher().waiting(2 + EvidenceMatcher::kMaxWait));
  c.Line("value: late", 2 + EvidenceMatcher::kMaxWait, 1);
  EXPECT_THAT(c.Take(), IsEmpty());
  for (uint64_t stream = 0; stream < 100000; ++stream) c.Line("- name: TORCH_A", stream + 1000, stream);
  c.Line("value: last", 101000, 99999);
  EXPECT_THAT(c.Take(), ElementsAre("101000:TORCH_A=last (rule-a)", "100999:named=TORCH_A (rule-a)"));
}

TEST(MatcherTest, LinesWithoutALiteralAreNeverMatched) {
  EvidencePattern pattern;
  pattern.re = "(?i)matmul precision (?P<p>\\w+)";
  pattern.emit = {{"float32_matmul_precision", "{p}"}};
  pattern.literals = {"matmul precision", "Matmul Precision"};
  const RuleSet rules = Rules({pattern});
  EXPECT_THAT(EvidenceMatcher::Literals(rules), ElementsAre("Matmul Precision", "matmul precision"));
  Collector c(rules);
  c.Line("Matmul Precision high");
  c.Line("MATMUL PRECISION high");
  EXPECT_THAT(c.Take(), ElementsAre("1:float32_matmul_precision=high (rule-a)"));
}

// What a matcher remembers of earlier lines must not show: one that has seen them and one that has not say the same.
TEST(MatcherTest, RepeatedTextSaysWhatItSaidTheFirstTime) {
  EvidencePattern edges;
  edges.re = R"((?P<whole>\bSETTING_A\b)|(?P<part>SETTING_A))";
  edges.emit = {{"whole", "{whole}"}, {"part", "{part}"}};
  edges.all = true;
  EvidencePattern to_end;
  to_end.re = R"(LONG_TEXT=(?P<v>x*)(?P<end>$)?)";
  to_end.emit = {{"v", "{v}"}, {"end", "{v}{end}"}};
  const RuleSet rules = Rules({edges, to_end});
  std::vector<std::string> lines = {"SETTING_A",      "SETTING_AB", "xSETTING_A",   "SETTING_A SETTING_AB xSETTING_A",
                                    "SETTING_A-",     "-SETTING_A", "LONG_TEXT=xx", "LONG_TEXT=xxy",
                                    "a LONG_TEXT=xx", "LONG_TEXT="};
  for (const size_t length : {500u, 1000u, 1005u, 1006u, 1007u, 1008u, 1020u, 1030u, 5000u}) {
    lines.push_back("LONG_TEXT=" + std::string(length, 'x'));
  }
  for (int i = 0; i < 9000; ++i) lines.push_back(fmt::format("LONG_TEXT={:x>{}}", "", i % 700));
  Collector old(rules);
  for (int round = 0; round < 2; ++round) {
    for (const std::string& line : lines) {
      Collector fresh(rules);
      if (line.size() > 900 || line.size() < 40 || round == 0) {
        fresh.Line(line);
        old.Line(line);
        ASSERT_EQ(old.Take(), fresh.Take()) << line;
      }
    }
  }
}

TEST(MatcherTest, MasksSecrets) {
  EvidencePattern pattern;
  pattern.re = R"((?P<name>(?:VLLM|TORCH)_\w+)=(?P<value>.*))";
  pattern.emit = {{"{name}", "{value}"}};
  RuleSet rules = Rules({pattern});
  rules.secrets.push_back({"s", "", {"[A-Z_]+_KEY"}, {"hf_(?P<secret>\\w{4,})", "p(w+)"}, {}});
  Collector c(rules);
  c.Line("VLLM_API_KEY=abc");
  c.Line("TORCH_ARGS=--hub hf_abcdef and hf_012345 pww", 2);
  c.Line("VLLM_API_KEY=", 3);
  EXPECT_THAT(c.Take(),
              ElementsAre("1:VLLM_API_KEY=**** (rule-a)", "2:TORCH_ARGS=--hub hf_**** and hf_**** **** (rule-a)",
                          "3:VLLM_API_KEY= (rule-a)"));
}

TEST(MatcherTest, ParsersShareWhatTheRuleSetCompiled) {
  std::vector<Diag> diags;
  const auto rules = LoadRules("", false, &diags);
  ASSERT_TRUE(rules.ok());
  ASSERT_NE(rules->line_program, nullptr);
  RuleSet own = *rules;
  own.line_program = nullptr;
  EXPECT_EQ(EvidenceMatcher::Literals(*rules), EvidenceMatcher::Literals(own));
  Collector shared(*rules), alone(own);
  const std::string line = "export TORCHINDUCTOR_CACHE_DIR=/x";
  shared.Line(line);
  alone.Line(line);
  const auto said = shared.Take();
  EXPECT_EQ(said, alone.Take());
  EXPECT_THAT(said, testing::Contains(testing::HasSubstr("TORCHINDUCTOR_CACHE_DIR=/x")));
}

TEST(SecretMaskTest, EmbeddedRulesMaskWhatNobodyMaySee) {
  std::vector<Diag> diags;
  const auto rules = LoadRules("", false, &diags);
  ASSERT_TRUE(rules.ok());
  const SecretMask mask(*rules);
  EXPECT_EQ(mask.Mask("HF_TOKEN", "x"), "****");
  EXPECT_EQ(mask.Mask("", "export AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI"), "export AWS_SECRET_ACCESS_KEY=****");
  EXPECT_EQ(mask.Mask("pip_index", "https://bot:pw1@pypi.example/simple"), "https://bot:****@pypi.example/simple");
  for (const char* text : {"ATEN,TRITON", "2.9.1+cu128", "/tmp/torchinductor_user", "gfx942:sramecc+:xnack-", "",
                           "None", "84b7dc96bd", "0cfa4c7a2b3abde48b9ea648e9f9f070ef1fb2dc8e4130083a72bc3095ce1851",
                           "f2k3rzzbqmjtd3uqkx6cgzxkkkk3hfhgyxkqxdfq3ndw3avqmbxe", "{'name': 'NVIDIA L40S'}",
                           "Not enough SMs to use max_autotune_gemm mode", "C:\\Users\\user\\.triton\\cache"}) {
    EXPECT_EQ(mask.Mask("TORCHINDUCTOR_CACHE_DIR", text), text);
  }
}

}  // namespace
}  // namespace autotune
