#include "analyzer/cli/options.h"

#include <absl/strings/numbers.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>

#include "analyzer/base/diag.h"
#include "analyzer/base/text.h"
#include "analyzer/cli/help.h"
#include "analyzer/report/printable.h"

namespace autotune {
namespace {

// The command line as typed, before words are turned into values.
struct Typed {
  Options options;
  std::string format = "text";
  std::string color = "auto";
  std::string threads = "0";
  bool no_prefilter = false;
  bool help = false;
  bool version = false;
};

// Which options a command takes, beside --help and --version.
enum OptionSet : unsigned {
  kReporting = 1,  // --format --color --quiet
  kStrict = 2,
  kRules = 4,
  kManifest = 8,
  kScanning = 16,  // what a scan compares with, and how it reads
  kHidden = 32,
  kPage = 64,      // --html
  kCsv = 128,      // --format csv
  kRoot = 256,     // --root
  kWriting = 512,  // what a manifest is written from, and where to
};

struct CommandSpec {
  std::string_view name;
  Command command;
  unsigned options;
  // The words behind the command: what they are called, and how many there may be.
  std::string_view operand;
  size_t min_operands, max_operands;
};

constexpr size_t kAny = static_cast<size_t>(-1);

// A new command is a new row here, its help in help.cc and its case in run.cc.
constexpr CommandSpec kCommands[] = {
    {"", Command::kScan, kReporting | kStrict | kRules | kManifest | kScanning | kPage | kHidden, "LOG", 0, kAny},
    {"audit", Command::kAudit, kReporting | kRules | kManifest | kHidden | kPage | kCsv, "PATH", 1, kAny},
    {"cache", Command::kCache, kReporting | kRules | kManifest, "PATH", 1, 1},
    {"check", Command::kCheck, kReporting | kRules | kManifest | kRoot, "", 0, 0},
    {"manifest lint", Command::kManifestLint, kReporting | kStrict | kRules, "FILE", 1, 1},
    {"manifest write", Command::kManifestWrite, kRules | kRoot | kWriting, "", 0, 0},
    {"rules list", Command::kRulesList, kRules, "", 0, 0},
    {"rules check", Command::kRulesCheck, 0, "DIR", 0, 1},
    {"rules explain", Command::kRulesExplain, kRules, "ID", 1, 1},
};

// CLI11 is told the options of the one command at hand only: building all of them costs more than the rest of a start.
void AddOptions(const CommandSpec& spec, CLI::App* app, Typed* typed) {
  Options* o = &typed->options;
  app->option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app->set_help_flag();
  app->allow_extras();
  app->add_flag("-h,--help", typed->help);
  app->add_flag("-V,--version", typed->version);
  if (spec.options & kReporting) {
    app->add_option("--format", typed->format);
    app->add_option("--color", typed->color);
    app->add_flag("-q,--quiet", o->quiet);
  }
  if (spec.options & kStrict) app->add_flag("--strict", o->strict);
  if (spec.options & kRules) app->add_option("--rules", o->rules);
  if (spec.options & kManifest) app->add_option("--manifest", o->manifest);
  if (spec.options & kScanning) {
    app->add_option("--baseline", o->baseline);
    app->add_option("--cache", o->cache);
    app->add_option("--run-cache", o->run_cache);
    app->add_flag("--fail-fast", o->fail_fast);
    app->add_flag("-f,--follow", o->follow);
  }
  if (spec.options & kRoot) app->add_option("--root", o->root);
  if (spec.options & kWriting) {
    app->add_option("--log", o->log);
    app->add_option("--cache", o->cache);
    app->add_option("-o,--output", o->output);
  }
  if (spec.options & kPage) app->add_option("--html", o->html);
  if (spec.options & kHidden) {
    app->add_flag("--no-prefilter", typed->no_prefilter)->group("");  // no group: hidden
    app->add_option("--threads", typed->threads)->group("");
  }
}

UsageError Error(const CommandSpec& spec, std::string message) {
  message = Printable(message) + fmt::format("\n\"autotune-scan {}{}--help\" tells what there is\n", spec.name,
                                             spec.name.empty() ? "" : " ");
  return {"autotune-scan: " + message};
}

std::string DidYouMean(const std::string& typed, const std::vector<std::string>& known) {
  const std::string nearest = Nearest(typed, known);
  return nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest);
}

bool StartsWithWords(const std::vector<std::string>& args, std::string_view words, size_t* count) {
  *count = 0;
  while (!words.empty()) {
    const size_t blank = std::min(words.find(' '), words.size());
    if (*count == args.size() || args[*count] != words.substr(0, blank)) return false;
    ++*count;
    words.remove_prefix(std::min(blank + 1, words.size()));
  }
  return true;
}

// "rules" -> {"list", "check", "explain"}; empty when `group` is no group of commands.
std::vector<std::string> MembersOf(std::string_view group) {
  std::vector<std::string> members;
  for (const CommandSpec& spec : kCommands) {
    const size_t blank = spec.name.find(' ');
    if (blank != std::string_view::npos && spec.name.substr(0, blank) == group) {
      members.emplace_back(spec.name.substr(blank + 1));
    }
  }
  return members;
}

// What a line says that opens with a group's name and no command of the group.
CommandLine GroupAlone(const std::vector<std::string>& args, const std::vector<std::string>& members) {
  if (args.size() > 1 && (args[1] == "--help" || args[1] == "-h")) {
    std::string help;
    for (const std::string& member : members) help += (help.empty() ? "" : "\n") + HelpText(args[0] + " " + member);
    return PrintAndExit{help};
  }
  const std::string hint = args.size() > 1 ? DidYouMean(args[1], members) : "";
  return Error(kCommands[0], fmt::format("{} is followed by {}{}", args[0], fmt::join(members, ", "), hint));
}

// The command that the line opens with, and how many words name it: none for a scan.
const CommandSpec& FindCommand(const std::vector<std::string>& args, size_t* words) {
  for (const CommandSpec& spec : kCommands) {
    if (!spec.name.empty() && StartsWithWords(args, spec.name, words)) return spec;
  }
  *words = 0;
  return kCommands[0];
}

// Words that CLI11 could not place: operands, or options that the command does not have.
std::optional<UsageError> TakeOperands(const CommandSpec& spec, const std::vector<std::string>& rest,
                                       Options* options) {
  bool operands_only = false;
  for (const std::string& word : rest) {
    if (!operands_only && word == "--") {
      operands_only = true;
    } else if (!operands_only && word.size() > 1 && word[0] == '-') {
      const std::string name = word.substr(0, word.find('='));
      std::vector<std::string> known = OptionNames(spec.name);
      return Error(spec, fmt::format("unknown option {}{}", name, DidYouMean(name, known)));
    } else {
      options->paths.push_back(word);
    }
  }
  if (options->paths.size() < spec.min_operands)
    return Error(spec, fmt::format("{} needs {}", spec.name, spec.operand));
  if (options->paths.size() > spec.max_operands) {
    return Error(spec, fmt::format("{}: one word too many: \"{}\"", spec.name, options->paths[spec.max_operands]));
  }
  return std::nullopt;
}

template <typename Value>
struct Word {
  std::string_view word;
  Value value;
};

// One word out of a few; an error names them all.
template <typename Value, size_t n>
std::optional<std::string> TakeWord(std::string_view option, const std::string& typed, const Word<Value> (&words)[n],
                                    Value* value) {
  std::vector<std::string> known;
  for (const auto& w : words) {
    if (w.word == typed) {
      *value = w.value;
      return std::nullopt;
    }
    known.emplace_back(w.word);
  }
  return fmt::format("{} takes {}, not \"{}\"{}", option, fmt::join(known, ", "), typed, DidYouMean(typed, known));
}

constexpr Word<Format> kFormats[] = {{"text", Format::kText}, {"json", Format::kJson}, {"markdown", Format::kMarkdown}};
constexpr Word<Format> kAuditFormats[] = {
    {"text", Format::kText}, {"json", Format::kJson}, {"csv", Format::kCsv}, {"markdown", Format::kMarkdown}};
constexpr Word<ColorWhen> kColors[] = {
    {"auto", ColorWhen::kAuto}, {"always", ColorWhen::kAlways}, {"never", ColorWhen::kNever}};

// "--manifest: 1 required TEXT missing" -> "--manifest needs a value"
std::string Explain(const CLI::ParseError& error) {
  const std::string what = error.what();
  const size_t colon = what.find(':');
  if (error.get_name() == "ArgumentMismatch" && colon != std::string::npos)
    return what.substr(0, colon) + " needs a value";
  return what;
}

}  // namespace

CommandLine ParseCommandLine(const std::vector<std::string>& args) {
  size_t words = 0;
  const CommandSpec& spec = FindCommand(args, &words);
  if (words == 0 && !args.empty()) {
    // A log of a group's name is given as ./rules.
    const std::vector<std::string> members = MembersOf(args[0]);
    if (!members.empty()) return GroupAlone(args, members);
  }

  Typed typed;
  typed.options.command = spec.command;
  CLI::App app;
  AddOptions(spec, &app, &typed);
  try {
    app.parse(std::vector<std::string>(args.rbegin(), args.rend() - static_cast<ptrdiff_t>(words)));
  } catch (const CLI::ParseError& error) {
    if (!typed.help) return Error(spec, Explain(error));
  }
  if (typed.help) return PrintAndExit{HelpText(spec.name)};
  if (typed.version) return PrintAndExit{"autotune-scan " AUTOTUNE_VERSION "\n"};
  for (const auto& [name, value] : {std::pair("--manifest", &typed.options.manifest),
                                    {"--baseline", &typed.options.baseline},
                                    {"--cache", &typed.options.cache},
                                    {"--run-cache", &typed.options.run_cache},
                                    {"--html", &typed.options.html},
                                    {"--root", &typed.options.root},
                                    {"--log", &typed.options.log},
                                    {"--output", &typed.options.output},
                                    {"--rules", &typed.options.rules}}) {
    // CLI11 takes "--manifest --quiet" for a file named --quiet.
    if (value->substr(0, 2) == "--") {
      return Error(spec, fmt::format("{} needs a value (a file named {} is given as ./{})", name, *value, *value));
    }
  }
  if (auto error = TakeOperands(spec, app.remaining(), &typed.options)) return *error;
  if (spec.command == Command::kCheck && typed.options.manifest.empty())
    return Error(spec, "check needs --manifest FILE, whose checklist it runs");
  if (auto error = spec.options & kCsv ? TakeWord("--format", typed.format, kAuditFormats, &typed.options.format)
                                       : TakeWord("--format", typed.format, kFormats, &typed.options.format)) {
    return Error(spec, *error);
  }
  if (auto error = TakeWord("--color", typed.color, kColors, &typed.options.color)) return Error(spec, *error);
  if (!absl::SimpleAtoi(ToAbsl(typed.threads), &typed.options.threads) || typed.options.threads < 0) {
    return Error(spec, fmt::format("--threads takes a number, not \"{}\"", typed.threads));
  }
  typed.options.prefilter = !typed.no_prefilter;
  return typed.options;
}

std::vector<std::string> CommandNames() {
  std::vector<std::string> names;
  for (const CommandSpec& spec : kCommands) {
    if (!spec.name.empty()) names.emplace_back(spec.name);
  }
  return names;
}

std::vector<std::string> OptionNames(std::string_view command) {
  std::vector<std::string> names;
  for (const CommandSpec& spec : kCommands) {
    if (spec.name != command) continue;
    CLI::App app;
    Typed typed;
    AddOptions(spec, &app, &typed);
    for (const CLI::Option* option : app.get_options()) {
      const bool shown = !option->get_group().empty();
      if (shown && !option->get_lnames().empty()) names.push_back("--" + option->get_lnames().front());
    }
  }
  return names;
}

}  // namespace autotune
