// The stages that only lines of interest go through: taking wrappers off, blocks, evidence.
#include <benchmark/benchmark.h>

#include <cstring>

#include "analyzer/parse/log_parser.h"
#include "benchmarks/bench_text.h"

namespace autotune {
namespace {

const RuleSet& Rules() {
  static const RuleSet rules = [] {
    std::vector<Diag> diags;
    return *LoadRules("", false, &diags);
  }();
  return rules;
}

struct NullSink : LogSink {
  void OnBlock(Block) override { ++found; }
  void OnOrphan(Orphan) override { ++found; }
  void OnEvidence(const Evidence&) override { ++found; }
  void OnCounter(std::string_view, uint64_t) override {}
  uint64_t found = 0;
};

// Every line of the text, as if each had passed the prefilter.
void ParseAll(benchmark::State& state, const std::string& text) {
  if (text.empty()) return state.SkipWithError("corpus/lab has no such run");
  uint64_t found = 0;
  for (auto _ : state) {
    NullSink sink;
    LogParser parser(Rules(), "train.log", &sink);
    uint64_t number = 0;
    for (const char *begin = text.data(), *end = begin + text.size(); begin < end;) {
      const char* at = static_cast<const char*>(std::memchr(begin, '\n', static_cast<size_t>(end - begin)));
      if (at == nullptr) at = end;
      parser.Line(std::string_view(begin, static_cast<size_t>(at - begin)), ++number);
      begin = at + 1;
    }
    parser.Finish(true);
    found = sink.found;
  }
  state.counters["found"] = static_cast<double>(found);
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * static_cast<int64_t>(text.size()));
}

void BM_ParseAutotuneOnly(benchmark::State& state) { ParseAll(state, bench::Recorded("base-cold")); }
BENCHMARK(BM_ParseAutotuneOnly)->Unit(benchmark::kMillisecond);

void BM_ParseInductorDebug(benchmark::State& state) { ParseAll(state, bench::Recorded("inductor-debug-cold")); }
BENCHMARK(BM_ParseInductorDebug)->Unit(benchmark::kMillisecond);

void BM_ParseNoise(benchmark::State& state) { ParseAll(state, bench::Noise()); }
BENCHMARK(BM_ParseNoise)->Unit(benchmark::kMillisecond);

// What a start costs.
void BM_LoadRules(benchmark::State& state) {
  for (auto _ : state) {
    std::vector<Diag> diags;
    benchmark::DoNotOptimize(LoadRules("", false, &diags).ok());
  }
}
BENCHMARK(BM_LoadRules)->Unit(benchmark::kMicrosecond);

// What each log costs, however small.
void BM_MakeParser(benchmark::State& state) {
  for (auto _ : state) {
    NullSink sink;
    LogParser parser(Rules(), "train.log", &sink);
    parser.Finish(true);
  }
}
BENCHMARK(BM_MakeParser)->Unit(benchmark::kMicrosecond);

void BM_Literals(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(LogParser::Literals(Rules()).size());
}
BENCHMARK(BM_Literals)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace autotune
