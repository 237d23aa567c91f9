// Flags -> options -> one command -> exit status. Everything else is in cli/ and behind Scan().
#include <cstdio>
#include <string>
#include <variant>
#include <vector>

#include "analyzer/base/heap.h"
#include "analyzer/cli/exit_code.h"
#include "analyzer/cli/options.h"
#include "analyzer/cli/run.h"

int main(int argc, char** argv) {
  using namespace autotune;
  UseLargePages();
  const CommandLine line = ParseCommandLine(std::vector<std::string>(argv + (argc > 0), argv + argc));
  if (const auto* print = std::get_if<PrintAndExit>(&line)) {
    std::fputs(print->text.c_str(), stdout);
    return kExitOk;
  }
  if (const auto* error = std::get_if<UsageError>(&line)) {
    std::fputs(error->message.c_str(), stderr);
    return kExitNotWhole;
  }
  return RunCommand(std::get<Options>(line));
}
