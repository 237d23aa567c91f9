// autotune-scan manifest write [--log BUILD.log] [--cache PATH] [--root DIR] [-o FILE]
#include <absl/strings/numbers.h>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>

#include "analyzer/base/text.h"
#include "analyzer/cli/exit_code.h"
#include "analyzer/cli/run.h"
#include "analyzer/cli/session.h"
#include "analyzer/cli/terminal.h"
#include "analyzer/machine/manifest_writer.h"
#include "analyzer/scan.h"

namespace autotune {
namespace {

// SOURCE_DATE_EPOCH makes the line reproducible (reproducible-builds.org).
std::string Now() {
  std::time_t seconds = std::time(nullptr);
  const char* epoch = std::getenv("SOURCE_DATE_EPOCH");
  int64_t given = 0;
  if (epoch != nullptr && absl::SimpleAtoi(epoch, &given)) seconds = static_cast<std::time_t>(given);
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(seconds));
}

// The build's log, with the keys that its cache gives to the tables. Nothing when it cannot be read at all.
std::optional<Run> ReadBuildLog(const Options& options, const RuleSet& rules, int* code) {
  ScanRequest request;
  request.logs = {options.log};
  request.cache = options.cache;
  request.threads = options.threads;
  request.stop = &stop_reading;
  SilentReporter reporter;
  ScanResult result = Scan(request, rules, &reporter);
  for (const absl::Status& error : result.errors) {
    Complain(FromAbsl(error.message()));
    *code = kExitNotWhole;
  }
  if (result.run.lines == 0) return std::nullopt;
  return std::move(result.run);
}

bool WriteFile(const std::string& path, const std::string& text) {
  errno = 0;
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  if (out) return true;
  Complain(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
  return false;
}

}  // namespace

int RunManifestWrite(const Options& options) {
  const std::optional<RuleSet> rules = LoadRulesOrComplain(options);
  if (!rules) return kExitNotWhole;
  CatchSignals();
  int code = kExitOk;
  const Machine machine(options.root, *rules);
  if (!machine.root().IsFolder("/")) {
    Complain(fmt::format("{} is no folder; --root takes the folder of a root file system", options.root));
    return kExitNotWhole;
  }
  BuildSources sources;
  sources.machine = &machine;
  sources.generated = Now();

  std::optional<CacheReading> cache;
  CacheReport cache_report;
  if (!options.cache.empty()) {
    cache = ReadCache(options.cache, {.verify = true});
    if (!cache->status.ok()) {
      Complain(FromAbsl(cache->status.message()));
      code = kExitNotWhole;
      if (cache->files == 0) return code;
    }
    cache_report = InspectReading(*cache, nullptr, *rules);
    for (const Problem& problem : cache_report.problems) {
      if (problem.severity == Problem::Severity::kError) Complain(options.cache + ": " + problem.message);
    }
    sources.cache = &*cache;
    sources.cache_report = &cache_report;
    sources.cache_path = options.cache;
  }
  std::optional<Run> log;
  if (!options.log.empty()) {
    log = ReadBuildLog(options, *rules, &code);
    if (!log) return kExitNotWhole;
    sources.log = &*log;
  }

  const WrittenManifest written = WriteManifest(sources, *rules);
  for (const std::string& remark : written.remarks) Complain(remark);
  if (Interrupted()) return kExitInterrupted;
  if (!options.output.empty() && options.output != "-")
    return WriteFile(options.output, written.text) ? code : kExitNotWhole;
  StdoutWriter out(/*live=*/false);
  out.Write(written.text);
  out.Flush();
  if (out.error().empty()) return code;
  Complain("cannot write the manifest: " + out.error());
  return kExitNotWhole;
}

}  // namespace autotune
