// How the program behaves as a process: among pipes that close, signals, terminals and full disks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/unit/cli/child.h"

namespace autotune {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr std::string_view kBlock =
    "AUTOTUNE mm(1024x256, 256x512)\n"
    "strides: [256, 1], [1, 256]\n"
    "dtypes: torch.bfloat16, torch.bfloat16\n"
    "  mm 0.0058 ms 100.0% \n"
    "  triton_mm_3 0.0061 ms 95.1% ACC_TYPE='tl.float32', ALLOW_TF32=False, BLOCK_K=64\n"
    "SingleProcess AUTOTUNE benchmarking takes 0.7602 seconds and 0.4962 seconds precompiling for 2 choices\n";

TEST(Process, ABlockComesOutWhileTheStreamGoesOn) {
  Child child({"--format", "json"});
  child.Write(kBlock);
  EXPECT_TRUE(child.WaitFor("\"type\":\"block\"")) << child.out();
  EXPECT_THAT(child.out(), Not(HasSubstr("\"type\":\"verdict\"")));
  child.CloseStdin();
  EXPECT_EQ(child.Finish(), 0);
  EXPECT_THAT(child.out(), HasSubstr("\"type\":\"summary\""));
  EXPECT_EQ(child.err(), "");
}

TEST(Process, AnInterruptEndsTheReadingAndNotTheReport) {
  Child child({"--format", "json", "-"});
  child.Write(kBlock);
  ASSERT_TRUE(child.WaitFor("\"type\":\"block\""));
  child.Signal(SIGINT);
  EXPECT_EQ(child.Finish(), 130);  // with our end of its standard input still open
  EXPECT_THAT(child.out(), HasSubstr("\"type\":\"verdict\""));
  EXPECT_THAT(child.out(), HasSubstr("\"blocks\":1"));
  EXPECT_EQ(child.err(), "");
}

TEST(Process, AClosedPipeEndsQuietly) {
  Child child({"--format", "json"});
  child.Write(kBlock);
  ASSERT_TRUE(child.WaitFor("\"type\":\"block\""));
  child.CloseStdout();
  child.Write(kBlock);
  child.Write(kBlock);
  child.CloseStdin();
  EXPECT_EQ(child.Finish(), 0);
  EXPECT_EQ(child.err(), "");
}

TEST(Process, AReportThatCannotBeWrittenIsAFailure) {
  Child::Setup setup;
  setup.stdout_file = "/dev/full";
  Child child({"-"}, setup);
  child.Write(kBlock);
  child.CloseStdin();
  EXPECT_EQ(child.Finish(), 2);
  EXPECT_THAT(child.err(), HasSubstr("cannot write the report: No space left on device"));
}

TEST(Process, WithoutALogATerminalGetsUsage) {
  Child::Setup setup;
  setup.stdin_terminal = true;
  Child child({}, setup);
  EXPECT_EQ(child.Finish(), 2);
  EXPECT_EQ(child.out(), "");
  EXPECT_THAT(child.err(), HasSubstr("autotune-scan train.log --manifest"));
}

TEST(Process, ColourIsForTerminalsThatWantIt) {
  const auto report = [](std::vector<std::string> args, std::vector<std::string> environment) {
    Child::Setup setup;
    setup.stdout_terminal = true;
    setup.environment = std::move(environment);
    Child child(std::move(args), setup);
    child.Write(kBlock);
    child.CloseStdin();
    child.Finish();
    // A stream's first verdict comes before the report.
    const std::string out = child.out();
    EXPECT_THAT(out, StartsWith("so far: "));
    return out.substr(out.find('\n') + 1);
  };
  EXPECT_THAT(report({}, {"TERM=xterm"}), StartsWith("\x1b["));
  EXPECT_THAT(report({}, {"TERM=xterm", "NO_COLOR="}), StartsWith("\x1b["));
  EXPECT_THAT(report({}, {"TERM=xterm", "NO_COLOR=1"}), StartsWith("TUNED"));
  EXPECT_THAT(report({"--color", "always"}, {"TERM=xterm", "NO_COLOR=1"}), StartsWith("\x1b["));
  EXPECT_THAT(report({"--color", "never"}, {"TERM=xterm"}), StartsWith("TUNED"));
  EXPECT_THAT(report({}, {"TERM=dumb"}), StartsWith("TUNED"));
  EXPECT_THAT(report({}, {}), StartsWith("TUNED"));
}

TEST(Process, OptionsAndNamesAreRepeatedHarmlessly) {
  Child child({"--manifest", "\x1b]0;owned\x07.md", "\x1b[2J.log"});
  EXPECT_EQ(child.Finish(), 2);
  EXPECT_THAT(child.err(), Not(HasSubstr("\x1b")));
}

TEST(Process, AMisspeltCommandIsGuessed) {
  Child child({"cahce", "x.tar"});
  EXPECT_EQ(child.Finish(), 2);
  EXPECT_THAT(child.err(), HasSubstr("did you mean the command cache?"));
}

}  // namespace
}  // namespace autotune
