// The stages that every byte goes through: reading, counting line breaks, looking for literals, and all of it together.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <vector>

#include "analyzer/input/line_feed.h"
#include "analyzer/input/newlines.h"
#include "analyzer/input/prefilter.h"
#include "analyzer/parse/log_parser.h"
#include "benchmarks/bench_text.h"

namespace autotune {
namespace {

using bench::Noise;

constexpr size_t kChunk = 256 << 10;  // FeedOptions::chunk

const std::vector<std::string>& Literals() {
  static const std::vector<std::string> literals = [] {
    std::vector<Diag> diags;
    return LogParser::Literals(*LoadRules("", false, &diags));
  }();
  return literals;
}

// Runs `look` over the noise, chunk by chunk, each one in the second-level cache as the feed has it.
template <class Look>
void OverChunks(benchmark::State& state, const Look& look) {
  const std::string& text = Noise();
  std::string chunk(kChunk, 0);
  size_t at = 0;
  for (auto _ : state) {
    state.PauseTiming();
    if (at + kChunk > text.size()) at = 0;
    std::memcpy(chunk.data(), text.data() + at, kChunk);
    at += kChunk;
    state.ResumeTiming();
    look(chunk.data(), chunk.data() + kChunk);
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * static_cast<int64_t>(kChunk));
}

void BM_Newlines(benchmark::State& state) {
  const CountNewlinesFunction count = CountNewlinesWays()[static_cast<size_t>(state.range(0))];
  OverChunks(state, [count](const char* begin, const char* end) { benchmark::DoNotOptimize(count(begin, end)); });
}
BENCHMARK(BM_Newlines)->DenseRange(0, static_cast<int64_t>(CountNewlinesWays().size()) - 1);

void BM_LineSplit(benchmark::State& state) {
  OverChunks(state, [](const char* begin, const char* end) {
    uint64_t lines = 0;
    while (const void* at = std::memchr(begin, '\n', static_cast<size_t>(end - begin))) {
      begin = static_cast<const char*>(at) + 1;
      ++lines;
    }
    benchmark::DoNotOptimize(lines);
  });
}
BENCHMARK(BM_LineSplit);

void BM_Prefilter(benchmark::State& state) {
  const Prefilter prefilter(Literals(), Prefilter::Supported()[static_cast<size_t>(state.range(0))]);
  OverChunks(state, [&](const char* begin, const char* end) {
    while (const char* at = prefilter.Find(begin, end)) {
      begin = static_cast<const char*>(std::memchr(at, '\n', static_cast<size_t>(end - at)));
      if (begin == nullptr) break;
    }
  });
}
BENCHMARK(BM_Prefilter)->DenseRange(0, static_cast<int64_t>(Prefilter::Supported().size()) - 1);

void BM_PrefilterBuild(benchmark::State& state) {
  for (auto _ : state) {
    const Prefilter prefilter(Literals());
    if (state.range(0) != 0) prefilter.Announce(uint64_t{1} << 40);
  }
}
BENCHMARK(BM_PrefilterBuild)->Arg(0)->Arg(1);

// The floor of everything: bytes that are in no cache, touched once.
void BM_Memory(benchmark::State& state) {
  const std::vector<uint64_t> words((size_t{256} << 20) / sizeof(uint64_t), 1);
  for (auto _ : state) benchmark::DoNotOptimize(std::accumulate(words.begin(), words.end(), uint64_t{0}));
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * words.size() * sizeof(uint64_t)));
}
BENCHMARK(BM_Memory);

// A file in the page cache.
class NoiseFile {
 public:
  NoiseFile() : path_(std::filesystem::temp_directory_path() / ("input_bench." + std::to_string(getpid()))) {
    std::ofstream out(path_, std::ios::binary);
    for (int i = 0; i < 16; ++i) out << Noise();
  }
  ~NoiseFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }
  int64_t size() const { return static_cast<int64_t>(std::filesystem::file_size(path_)); }

 private:
  std::filesystem::path path_;
};

void BM_Read(benchmark::State& state) {
  const NoiseFile file;
  std::string chunk(kChunk, 0);
  const int fd = open(file.path().c_str(), O_RDONLY);
  for (auto _ : state) {
    lseek(fd, 0, SEEK_SET);
    while (read(fd, chunk.data(), chunk.size()) > 0) continue;
  }
  close(fd);
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * file.size());
}
BENCHMARK(BM_Read);

struct Counter : LineConsumer {
  void Line(std::string_view, uint64_t) override { ++lines; }
  Wanted wants(uint64_t) const override { return Wanted::kNone; }
  uint64_t lines = 0;
};

// range(0): threads.
void BM_Feed(benchmark::State& state) {
  const NoiseFile file;
  const Prefilter prefilter(Literals());
  FeedOptions options;
  options.prefilter = &prefilter;
  options.threads = static_cast<int>(state.range(0));
  for (auto _ : state) {
    Counter counter;
    benchmark::DoNotOptimize(FeedLines(**OpenSource(file.path()), options, &counter).lines);
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * file.size());
}
BENCHMARK(BM_Feed)->Arg(1)->Arg(2)->UseRealTime();

}  // namespace
}  // namespace autotune
