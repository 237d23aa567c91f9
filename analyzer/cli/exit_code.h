// What the exit status means; scripts and CI jobs decide by it (README, "Exit status").
#pragma once

namespace autotune {

enum ExitCode : int {
  kExitOk = 0,             // all was read and nothing is wrong
  kExitFault = 1,          // all was read; the run tuned against its manifest, or a fault was found
  kExitNotWhole = 2,       // bad option, unreadable or broken input: the job could not be done whole; outranks 1
  kExitInterrupted = 130,  // SIGINT; what was read until then is reported
};

}  // namespace autotune
