// The command line as a struct. Parsing does no I/O and looks at no environment, so that tests see every outcome:
// options to run with, a text to print (--help, --version), or an error that says what to type instead.
//
// A command is the leading words of the line ("manifest lint"); a line that opens with none scans logs. A log that is
// really named like a command is given as ./NAME.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace autotune {

enum class Command {
  kScan,
  kAudit,
  kCache,
  kCheck,
  kManifestLint,
  kManifestWrite,
  kRulesList,
  kRulesCheck,
  kRulesExplain
};
enum class Format { kText, kJson, kMarkdown, kCsv };  // kCsv: of an audit alone
enum class ColorWhen { kAuto, kAlways, kNever };

struct Options {
  Command command = Command::kScan;
  std::vector<std::string> paths;  // LOG..., or the command's PATH, FILE, DIR or ID
  std::string manifest, baseline, cache, run_cache;
  std::string log;     // the build's, for a manifest to write
  std::string output;  // a written manifest goes there; "" standard output
  std::string root;    // the root file system that a check looks at; "" this machine
  std::string html;    // a page is written here
  std::string rules;   // folder of rules laid over the built-in ones
  Format format = Format::kText;
  ColorWhen color = ColorWhen::kAuto;
  bool strict = false;
  bool quiet = false;
  bool fail_fast = false;  // end at the first certain mismatch
  bool follow = false;     // a file: go on reading at its end, over rotations
  bool prefilter = true;   // hidden --no-prefilter: tests read every line the long way and compare
  int threads = 0;         // hidden --threads: 0 is as many as the machine has
};

// A text for standard output, exit 0.
struct PrintAndExit {
  std::string text;
};

// A text for standard error, exit 2: the message, a suggestion where something known is near, where to read on.
struct UsageError {
  std::string message;
};

using CommandLine = std::variant<Options, PrintAndExit, UsageError>;

// `args` without the program's name.
CommandLine ParseCommandLine(const std::vector<std::string>& args);

// Every command as typed ("cache", "manifest lint", ...), for suggestions, completions and the man page's test.
std::vector<std::string> CommandNames();

// Every option of a command that --help tells of ("--format", ...), for the same.
std::vector<std::string> OptionNames(std::string_view command);

}  // namespace autotune
