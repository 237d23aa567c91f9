#include "analyzer/cli/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

#include "analyzer/cli/help.h"

namespace autotune {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Options Parse(const std::vector<std::string>& args) {
  const CommandLine line = ParseCommandLine(args);
  if (const auto* error = std::get_if<UsageError>(&line)) ADD_FAILURE() << error->message;
  const auto* options = std::get_if<Options>(&line);
  return options ? *options : Options{};
}

std::string ParseError(const std::vector<std::string>& args) {
  const CommandLine line = ParseCommandLine(args);
  const auto* error = std::get_if<UsageError>(&line);
  return error ? error->message : "";
}

std::string Printed(const std::vector<std::string>& args) {
  const CommandLine line = ParseCommandLine(args);
  const auto* print = std::get_if<PrintAndExit>(&line);
  return print ? print->text : "";
}

TEST(Options, AScanIsWhatNoCommandOpens) {
  const Options none = Parse({});
  EXPECT_EQ(none.command, Command::kScan);
  EXPECT_THAT(none.paths, IsEmpty());
  const Options o = Parse({"a.log", "--manifest", "m.md", "-", "--baseline=b.log", "--cache", "c", "--run-cache", "r",
                           "--format", "json", "--color=always", "--strict", "-q", "--rules", "dir"});
  EXPECT_EQ(o.command, Command::kScan);
  EXPECT_THAT(o.paths, ElementsAre("a.log", "-"));
  EXPECT_EQ(o.manifest, "m.md");
  EXPECT_EQ(o.baseline, "b.log");
  EXPECT_EQ(o.cache, "c");
  EXPECT_EQ(o.run_cache, "r");
  EXPECT_EQ(o.format, Format::kJson);
  EXPECT_EQ(o.color, ColorWhen::kAlways);
  EXPECT_EQ(o.rules, "dir");
  EXPECT_TRUE(o.strict);
  EXPECT_TRUE(o.quiet);
  EXPECT_TRUE(o.prefilter);
}

TEST(Options, HiddenOnesWorkAndAreNotTold) {
  const Options o = Parse({"--no-prefilter", "--threads", "3", "a.log"});
  EXPECT_FALSE(o.prefilter);
  EXPECT_EQ(o.threads, 3);
  EXPECT_EQ(HelpText("").find("prefilter"), std::string::npos);
}

TEST(Options, TheLastOfARepeatedOptionCounts) {
  EXPECT_EQ(Parse({"--format", "json", "--format", "markdown"}).format, Format::kMarkdown);
}

TEST(Options, EverythingBehindTwoDashesIsALog) {
  EXPECT_THAT(Parse({"--quiet", "--", "--strange.log", "-x"}).paths, ElementsAre("--strange.log", "-x"));
}

TEST(Options, Commands) {
  EXPECT_EQ(Parse({"cache", "c.tar"}).command, Command::kCache);
  EXPECT_EQ(Parse({"manifest", "lint", "m.md"}).command, Command::kManifestLint);
  EXPECT_EQ(Parse({"rules", "list"}).command, Command::kRulesList);
  EXPECT_EQ(Parse({"rules", "check"}).command, Command::kRulesCheck);
  EXPECT_THAT(Parse({"rules", "check", "dir"}).paths, ElementsAre("dir"));
  EXPECT_THAT(Parse({"rules", "explain", "torch"}).paths, ElementsAre("torch"));
  EXPECT_EQ(Parse({"./cache", "x"}).command, Command::kScan) << "a log of a command's name";
  EXPECT_THAT(Parse({"train.log", "cache"}).paths, ElementsAre("train.log", "cache")) << "the command comes first";
}

TEST(Options, MistakesAreNamedWithWhatWasMeant) {
  EXPECT_THAT(ParseError({"--formt", "json"}), HasSubstr("unknown option --formt; did you mean --format?"));
  EXPECT_THAT(ParseError({"--manifst=m.md"}), HasSubstr("unknown option --manifst; did you mean --manifest?"));
  EXPECT_THAT(ParseError({"-x"}), HasSubstr("unknown option -x"));
  EXPECT_THAT(ParseError({"--format", "jsn"}),
              HasSubstr("--format takes text, json, markdown, not \"jsn\"; did you mean json?"));
  EXPECT_THAT(ParseError({"--color", "blue"}), HasSubstr("--color takes auto, always, never, not \"blue\""));
  EXPECT_THAT(ParseError({"a.log", "--manifest"}), HasSubstr("--manifest needs a value"));
  EXPECT_THAT(ParseError({"--manifest", "--quiet"}), HasSubstr("--manifest needs a value"));
  EXPECT_THAT(ParseError({"--threads", "many"}), HasSubstr("--threads"));
  EXPECT_THAT(ParseError({"rules"}), HasSubstr("rules is followed by list, check, explain"));
  EXPECT_THAT(ParseError({"rules", "lst"}), HasSubstr("did you mean list?"));
  EXPECT_THAT(ParseError({"rules", "explain"}), HasSubstr("rules explain needs ID"));
  EXPECT_THAT(ParseError({"rules", "list", "x"}), HasSubstr("one word too many: \"x\""));
  EXPECT_THAT(ParseError({"cache"}), HasSubstr("cache needs PATH"));
  EXPECT_THAT(ParseError({"cache", "a", "--baseline", "b"}), HasSubstr("unknown option --baseline"));
}

TEST(Options, HelpAndVersionPrintAndEndWhateverElseIsThere) {
  EXPECT_EQ(Printed({"--help"}), HelpText(""));
  EXPECT_EQ(Printed({"-h", "--formt"}), HelpText(""));
  EXPECT_EQ(Printed({"cache", "--help"}), HelpText("cache"));
  EXPECT_EQ(Printed({"manifest", "--help"}), HelpText("manifest lint") + "\n" + HelpText("manifest write"));
  EXPECT_EQ(Printed({"--version"}), "autotune-scan " AUTOTUNE_VERSION "\n");
}

TEST(Help, TellsOfEveryCommandAndEveryOption) {
  std::vector<std::string> commands = CommandNames();
  for (const std::string& command : commands) {
    EXPECT_THAT(HelpText(""), HasSubstr("\n  " + command)) << "in the list of commands";
    EXPECT_THAT(HelpText(command), HasSubstr("Usage: autotune-scan " + command));
  }
  commands.push_back("");
  for (const std::string& command : commands) {
    for (const std::string& option : OptionNames(command)) {
      const bool common = option == "--help" || option == "--version";
      if (!common || command.empty()) {
        EXPECT_THAT(HelpText(command), HasSubstr(option)) << command;
      }
    }
  }
}

// Man page and completions are written by hand; none may lag behind the table of commands.
TEST(Help, ManPageAndCompletionsKnowEveryCommandAndOption) {
  for (const char* file : {"man/autotune-scan.1", "completions/autotune-scan.bash", "completions/_autotune-scan",
                           "completions/autotune-scan.fish"}) {
    std::ifstream in(std::string(SOURCE_DIR) + "/analyzer/cli/" + file);
    std::string text(std::istreambuf_iterator<char>(in), {});
    text.erase(std::remove(text.begin(), text.end(), '\\'), text.end());  // the man page writes \-\-format
    std::vector<std::string> commands = CommandNames();
    commands.push_back("");
    for (const std::string& command : commands) {
      for (std::string option : OptionNames(command)) {
        // fish writes "-l format" for --format
        if (std::string(file).find(".fish") != std::string::npos) option = "-l " + option.substr(2);
        EXPECT_THAT(text, HasSubstr(option)) << file << " of " << command;
      }
      const std::string last = command.substr(command.rfind(' ') + 1);
      EXPECT_THAT(text, HasSubstr(last)) << file;
    }
  }
}

TEST(Help, FitsAnOrdinaryTerminal) {
  std::vector<std::string> commands = CommandNames();
  commands.push_back("");
  for (const std::string& command : commands) {
    std::istringstream text(HelpText(command));
    for (std::string line; std::getline(text, line);) EXPECT_LE(line.size(), 80u) << line;
  }
}

}  // namespace
}  // namespace autotune
