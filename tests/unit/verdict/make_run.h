// Hand-made runs and manifests for the tests of this room: only what a judgement reads is filled in.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "analyzer/model/run.h"
#include "analyzer/verdict/judge.h"
#include "tests/unit/embedded_rules.h"

namespace autotune {

class ManifestMaker {
 public:
  ManifestMaker& Row(std::string setting, std::string value, bool checklist = false) {
    Fact fact;
    fact.setting = std::move(setting);
    fact.not_set = value == "N/A";
    fact.value = fact.not_set ? "" : value;
    fact.raw = std::move(value);
    fact.from_checklist = checklist;
    fact.line = manifest_.facts.size() + 1;
    manifest_.facts.push_back(std::move(fact));
    return *this;
  }
  Manifest Build() const { return manifest_; }

 private:
  Manifest manifest_;
};

// The manifest of a usual build.
inline ManifestMaker UsualManifest() {
  ManifestMaker maker;
  maker.Row("gpu", "NVIDIA H200").Row("world_size", "1 (1)").Row("architecture", "sm_90 (NVIDIA Hopper)");
  maker.Row("torch", "2.11.0+cu130").Row("hip", "N/A").Row("triton", "3.6.0").Row("python", "3.12.3");
  maker.Row("compile_backend", "inductor").Row("compile_mode", "max-autotune-no-cudagraphs");
  maker.Row("TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS", "ATEN,TRITON");
  maker.Row("TORCHINDUCTOR_CACHE_DIR", "/workspace/inductor_cache").Row("TRITON_CACHE_DIR", "/workspace/triton_cache");
  maker.Row("TORCHINDUCTOR_COMPILE_THREADS", "16").Row("dtype", "bf16").Row("sequence_length", "256 tokens");
  return maker;
}

class RunMaker {
 public:
  RunMaker() {
    run_.lines = 100;
    run_.bytes = 5000;
    run_.sources = {"train.log"};
  }

  RunMaker& State(std::string setting, std::string value, std::string process = "") {
    StatedValue stated;
    stated.setting = std::move(setting);
    stated.value = std::move(value);
    stated.rule = "env-assignment";
    stated.first_line = ++line_;
    stated.count = 1;
    stated.source = "train.log";
    stated.processes.insert(std::move(process));
    run_.stated.push_back(std::move(stated));
    return *this;
  }

  // A problem with an ATen row of the op's name and a Triton row, unless `backends` says otherwise.
  RunMaker& Tune(std::string op, std::vector<std::string> shapes,
                 std::vector<std::string> backends = {"ATEN", "TRITON"}, const std::string& dtype = "torch.bfloat16") {
    TunedProblem problem;
    Block& block = problem.first;
    block.source = "train.log";
    block.op = std::move(op);
    block.shapes = std::move(shapes);
    block.dtypes.emplace(block.shapes.size(), dtype);
    block.line = ++line_;
    for (const std::string& backend : backends) {
      Choice choice;
      choice.name = backend == "ATEN" ? block.op : backend == "TRITON" ? "triton_mm_1" : backend + "_0";
      choice.backend = backend;
      choice.ms = 0.01;
      choice.line = ++line_;
      if (backend == "TRITON") choice.description = "ACC_TYPE='tl.float32', ALLOW_TF32=False, BLOCK_K=32";
      block.choices.push_back(std::move(choice));
      problem.backends.insert(backend);
    }
    block.stats_line = block.line - 1;
    block.num_choices = static_cast<int64_t>(block.choices.size());
    block.benchmark_seconds = 0.2;
    block.precompile_seconds = 0.1;
    block.complete = true;
    problem.blocks = 1;
    problem.benchmark_seconds = 0.2;
    problem.precompile_seconds = 0.1;
    run_.problems.push_back(std::move(problem));
    ++run_.blocks;
    return *this;
  }
  // The block of the last Tune().
  Block& last() { return run_.problems.back().first; }
  TunedProblem& last_problem() { return run_.problems.back(); }
  Run& run() { return run_; }
  Run Build() const { return run_; }

 private:
  Run run_;
  uint64_t line_ = 0;
};

// Two linear layers and a product of attention over 4 sequences of `tokens`, as the recorded runs of corpus/lab have.
inline RunMaker& TuneUsual(RunMaker& maker, int64_t tokens = 256, const std::string& dtype = "torch.bfloat16",
                           const std::vector<std::string>& backends = {"ATEN", "TRITON"}) {
  const std::string rows = std::to_string(4 * tokens), s = std::to_string(tokens);
  maker.Tune("mm", {rows + "x256", "256x512"}, backends, dtype);
  maker.Tune("addmm", {rows + "x256", rows + "x512", "512x256"}, backends, dtype);
  maker.Tune("bmm", {"4x" + s + "x256", "4x256x" + s}, backends, dtype);
  return maker;
}

inline Verdict JudgeRun(const Run& run, const Manifest* manifest, const Run* baseline = nullptr) {
  JudgeInput input;
  input.run = &run;
  input.manifest = manifest;
  input.baseline = baseline;
  return Judge(input, EmbeddedRules());
}

inline std::vector<std::string> Names(const Verdict& verdict) {
  std::vector<std::string> names;
  for (const Suspect& suspect : verdict.suspects) names.push_back(suspect.setting);
  return names;
}

inline const Suspect* Find(const Verdict& verdict, const std::string& setting) {
  for (const Suspect& suspect : verdict.suspects) {
    if (suspect.setting == setting) return &suspect;
  }
  return nullptr;
}

inline bool IsEqual(const Verdict& verdict, const std::string& setting) {
  for (const EqualSetting& equal : verdict.equal) {
    if (equal.setting == setting) return true;
  }
  return false;
}

inline const HarmlessDifference* Harmless(const Verdict& verdict, const std::string& setting) {
  for (const HarmlessDifference& harmless : verdict.harmless) {
    if (harmless.setting == setting) return &harmless;
  }
  return nullptr;
}

}  // namespace autotune
