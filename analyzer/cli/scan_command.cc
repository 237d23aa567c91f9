// autotune-scan [LOG...]: one run, its verdict, and the exit status that follows from it.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "analyzer/base/diag.h"
#include "analyzer/base/text.h"
#include "analyzer/cli/exit_code.h"
#include "analyzer/cli/help.h"
#include "analyzer/cli/run.h"
#include "analyzer/cli/session.h"
#include "analyzer/cli/terminal.h"
#include "analyzer/input/followed_source.h"
#include "analyzer/scan.h"

namespace autotune {
namespace {

// Somebody may wait at a pipe, a terminal or a socket; nobody waits inside a regular file.
bool IsStream(const std::string& path) {
  struct stat info {};
  const int result = path == "-" ? fstat(STDIN_FILENO, &info) : stat(path.c_str(), &info);
  return result == 0 && !S_ISREG(info.st_mode);
}

// "autotune-scan cahce x.tar" reads as two logs. Where there is no such file, a command was meant: nothing is read
// then.
bool CommandMeant(const std::string& path) {
  if (path == "-" || access(path.c_str(), F_OK) == 0) return false;
  std::vector<std::string> words;
  for (const std::string& name : CommandNames()) words.push_back(name.substr(0, name.find(' ')));
  const std::string nearest = Nearest(path, words);
  if (!nearest.empty()) Complain(fmt::format("there is no log \"{}\"; did you mean the command {}?", path, nearest));
  return !nearest.empty();
}

// Standard input can be read once.
bool StdinTwice(const Options& options) {
  const auto uses = std::count(options.paths.begin(), options.paths.end(), "-") + (options.manifest == "-") +
                    (options.baseline == "-");
  if (uses > 1) Complain("standard input (-) can be read once: give all but one as files");
  return uses > 1;
}

bool TunedAgainstPromise(const Options& options, const ScanResult& result) {
  if (result.verdict.state == Verdict::State::kMismatch) return true;
  return result.verdict.state == Verdict::State::kUnknown && !options.manifest.empty() && result.run.tuned();
}

int ExitOf(const Options& options, const ScanResult& result) {
  if (result.failed_fast) return kExitFault;
  if (Interrupted()) return kExitInterrupted;
  if (!result.errors.empty()) return kExitNotWhole;
  if (options.strict && result.run.truncated_blocks > 0) {
    Complain(fmt::format("--strict: {} of {} blocks cut short", result.run.truncated_blocks, result.run.blocks));
    return kExitNotWhole;
  }
  return TunedAgainstPromise(options, result) ? kExitFault : kExitOk;
}

}  // namespace

int RunScan(Options options) {
  if (options.paths.empty()) {
    if (StdinIsTerminal()) {
      const std::string usage = UsageText();
      [[maybe_unused]] const ssize_t n = write(STDERR_FILENO, usage.data(), usage.size());
      return kExitNotWhole;
    }
    options.paths = {"-"};
  }
  if (CommandMeant(options.paths[0]) || StdinTwice(options) || !PageFileIsFine(options)) return kExitNotWhole;
  const std::optional<RuleSet> rules = LoadRulesOrComplain(options);
  if (!rules) return kExitNotWhole;

  if (options.follow && options.paths.size() > 1) {
    Complain("--follow takes one log: the second would never be reached");
    return kExitNotWhole;
  }
  const bool live = options.follow || std::any_of(options.paths.begin(), options.paths.end(), IsStream);
  const bool one_terminal = options.format == Format::kJson && isatty(STDOUT_FILENO);
  Progress progress(!options.quiet && !one_terminal);
  ReportOutput output(options, live);

  ScanRequest request;
  request.logs = options.paths;
  request.manifest = options.manifest;
  request.baseline = options.baseline;
  request.cache = options.cache;
  request.run_cache = options.run_cache;
  request.threads = options.threads;
  request.prefilter = options.prefilter;
  request.progress = [&progress](uint64_t done, uint64_t total) { progress.Update(done, total); };
  request.stop = &stop_reading;
  request.live = live;
  request.fail_fast = options.fail_fast;
  if (options.follow) {
    request.open = [](const std::string& path) {
      return path == "-" ? OpenSource(path) : OpenFollowed(path, &stop_reading);
    };
  }

  CatchSignals();
  const ScanResult result = Scan(request, *rules, output.reporter());
  progress.Clear();
  const int code = output.Finish(ExitOf(options, result));
  if (Interrupted()) return code;
  for (const absl::Status& error : result.errors) Complain(FromAbsl(error.message()));
  return code;
}

}  // namespace autotune
