// Hand-made findings that the tests of all reports share.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "analyzer/report/reporter.h"

namespace autotune {

struct Captured {
  std::string text;
  int writes = 0;
  Out Sink() {
    return [this](std::string_view bytes) {
      text += bytes;
      ++writes;
      return true;
    };
  }
};

inline Choice MakeChoice(std::string name, double ms, std::string backend, uint64_t line) {
  Choice choice;
  choice.name = std::move(name);
  choice.ms = ms;
  choice.pct = 100;
  choice.backend = std::move(backend);
  choice.line = line;
  return choice;
}

inline Block SampleBlock() {
  Block block;
  block.source = "train.log";
  block.op = "mm";
  block.line = 14;
  block.end_line = 19;
  block.shapes = {"1024x256", "256x512", ""};
  block.strides = {{{"256", "1"}, {"1", "s0"}, {}}};
  block.dtypes = {{"torch.bfloat16", "torch.bfloat16"}};
  block.choices = {MakeChoice("triton_mm_3", 0.0061, "TRITON", 17), MakeChoice("mm", 0.0058, "ATEN", 18),
                   MakeChoice("triton_mm_9", INFINITY, "TRITON", 19)};
  block.num_choices = 20;
  block.benchmark_seconds = 0.76;
  block.precompile_seconds = 1.14;
  block.complete = true;
  block.torch_range = ">=2.8";
  return block;
}

inline Run SampleRun() {
  Run run;
  run.sources = {"train.log"};
  TunedProblem problem;
  problem.first = SampleBlock();
  problem.blocks = 1;
  problem.benchmark_seconds = 0.76;
  problem.precompile_seconds = 1.14;
  problem.backends = {"ATEN", "TRITON"};
  run.problems = {problem};
  run.blocks = 1;
  run.benchmark_seconds = 0.76;
  run.precompile_seconds = 1.14;
  run.lines = 40;
  run.bytes = 4000;
  return run;
}

inline Manifest SampleManifest() {
  Manifest manifest;
  manifest.path = "m.md";
  return manifest;
}

inline Suspect SampleSuspect() {
  Suspect suspect;
  suspect.setting = "TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS";
  suspect.manifest = "ATEN";
  suspect.observed = "ATEN,TRITON";
  suspect.manifest_line = 31;
  suspect.log_line = 12;
  suspect.log_source = "train.log";
  suspect.confidence = 0.97;
  suspect.basis = Basis::kObserved;
  suspect.why = "a back end was added: its candidates are not in the cache";
  suspect.fix = "export TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS=ATEN";
  return suspect;
}

inline Verdict SampleVerdict() {
  Verdict verdict;
  verdict.state = Verdict::State::kMismatch;
  verdict.suspects = {SampleSuspect()};
  verdict.equal = {{"torch", "2.11.0+cu130", 21, 2}};
  verdict.not_observed = {"triton", "python"};
  return verdict;
}

// What a hostile log may state: clears the screen, sets the title, turns the text round, is no UTF-8, breaks a table,
// opens HTML, a link, a mention.
inline const std::string kHostile =
    "\x1b[2J\x1b]0;owned\x07\xe2\x80\xae\xff\r\n| <script>alert(1)</script> [x](http://x) `@someone` \xc2\x9b";

}  // namespace autotune
