// What the text and the markdown report both say: the verdict as a sentence, costs, winners that disagree. Facts only;
// how they are laid out is each report's own. Nothing here is escaped yet: log text leaves by Printable() or by
// Markdown's escaping.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/model/block.h"
#include "analyzer/model/evidence.h"
#include "analyzer/model/run.h"
#include "analyzer/model/verdict.h"

namespace autotune {

// From here on a suspect is the cause, and from here on probably; below, it is one of several.
inline constexpr double kCertain = 0.9, kLikely = 0.6;

// "0.76 s", "12.4 s", "3 min 07 s", "2 h 05 min"
std::string Duration(double seconds);

// "1 block", "3 blocks"
std::string Count(uint64_t n, std::string_view what);

// "94 %"; never 100 %, which no reading of a log deserves.
std::string Percent(double confidence);

// "MISMATCH", "CLEAN", "TUNED" (no manifest to judge by), "UNKNOWN"
std::string_view StateWord(const Run& run, const Manifest* manifest, const Verdict& verdict);

// The answer in one sentence: "This run tuned 3 problems for 1.9 s because torch is 2.11.0 where the manifest says
// 2.10.0." How sure it is shows in the words, too.
std::string Answer(const Run& run, const Manifest* manifest, const Verdict& verdict);

// A value as one of two that differ: "not stated" when absent, "not set" when empty.
std::string ValueInWords(const std::optional<std::string>& value);

// Whether Answer() shows this value whole; a longer one is cut in its middle there and must be told apart.
bool FitsAnswer(const std::optional<std::string>& value);

// "the log states another value"
std::string_view BasisInWords(Basis basis);

// "train.log:12", "line 12" when the source is not known or is standard input.
std::string Place(std::string_view source, uint64_t line);

// Both places of a suspect: "train.log:12, m.md:31"; empty when it has none.
std::string Places(const Suspect& suspect, const Manifest* manifest);

// "mm(2048x512, 512x512) bfloat16": what was tuned; dtypes only as far as they are stated, one when they are all alike.
std::string ProblemTitle(const Block& block);

// "ATEN, TRITON; 20 choices; best triton_mm_12 at 0.0061 ms"
std::string ProblemDetail(const TunedProblem& problem);

// Empty when all blocks of the problem chose the same kernel. A lead below 2 % is timer noise: it explains nothing.
std::string WinnersNote(const TunedProblem& problem);

double Seconds(const TunedProblem& problem);  // benchmark + precompile + prescreen
double Seconds(const Run& run);

// "3 problems, 6 blocks; benchmarking 3.38 s, precompiling 4.94 s": what of it the log states.
std::string CostSummary(const Run& run);

// Most expensive first, then in log order.
std::vector<const TunedProblem*> ByCost(const Run& run);

// "tuned", "did not tune", "not known"
std::string_view StateInWords(ProcessState::State state);

// A process's name, "lines without a label" where it has none.
std::string NameInWords(const std::string& process);

// "2 tuned, 1 did not tune": of the processes that are compared.
std::string ProcessesInWords(const Verdict& verdict);

// "pod/b states TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS=ATEN,TRITON (line 12) where pod/a states ATEN (line 3)"
std::vector<std::string> DisagreementsInWords(const Verdict& verdict);

// Cost of each process: "rank 3", "EngineCore pid=514", "trainer-0". Bounded: what is beyond the cap is summed as one.
class ProcessCosts {
 public:
  struct Cost {
    std::string process;
    uint64_t blocks = 0;
    double seconds = 0;
  };
  void Add(const Block& block);
  std::vector<Cost> ByCost() const;  // most expensive first, then by name

 private:
  static constexpr size_t kMaxProcesses = 4096;
  struct Sum {
    uint64_t blocks = 0;
    double seconds = 0;
  };
  std::map<std::string, Sum> costs_;
};

// What the log states and the verdict does not already tell of, in order of first statement.
std::vector<const StatedValue*> StatedBeside(const Run& run, const Verdict& verdict);

// What was survived while reading: "1 block cut short", "2 lines longer than the limit".
std::vector<std::string> ReadingNotes(const Run& run);

}  // namespace autotune
