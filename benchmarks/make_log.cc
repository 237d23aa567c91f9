// Writes big logs for benchmarks: the same bytes for the same arguments, on every machine.
//
//   make_log sparse SIZE_MIB SEED REAL_LOG... > out.log     training output, one REAL_LOG every 20 MiB
//   make_log noise  SIZE_MIB SEED             > out.log     training output of all styles and nothing else
//   make_log tables SIZE_MIB SEED REAL_LOG... > out.log     the AUTOTUNE blocks of REAL_LOGs and nothing else
//   make_log only   SIZE_MIB SEED REAL_LOG... > out.log     REAL_LOGs one after the other
//   make_log fresh  SIZE_MIB SEED REAL_LOG... > out.log     the same, none of torch's log lines twice
//   make_log line   SIZE_MIB SEED             > out.log     one line
//   make_log files  COUNT SIZE_KIB SEED DIR REAL_LOG...     COUNT logs in DIR, one in fifty with a REAL_LOG in it
//
// REAL_LOGs are recorded runs (corpus/lab/*/train.log), written unchanged but for the times of torch's log lines in
// `only`, where they would else repeat. What stands around them imitates what
// trainers and servers print: step lines of several frameworks, progress bars redrawn with '\r', JSON metrics,
// warnings, NCCL and HTTP lines. The size is a lower bound: no line and no real log is cut.
#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "benchmarks/log_text.h"

namespace {

using autotune::bench::Random;
using autotune::bench::Trainer;

std::vector<std::string> ReadAll(char** begin, char** end) {
  std::vector<std::string> logs;
  for (char** path = begin; path != end; ++path) {
    std::ifstream in(*path, std::ios::binary);
    logs.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    if (logs.back().empty()) {
      fmt::print(stderr, "make_log: {}: empty or not readable\n", *path);
      std::exit(2);
    }
    if (logs.back().back() != '\n') logs.back() += '\n';
  }
  return logs;
}

void Write(const std::string& bytes, std::FILE* out) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), out) != bytes.size()) {
    std::perror("make_log: writing");
    std::exit(2);
  }
}

// Times of torch's log lines ("V1130 20:16:04.694000 7236 torch/...") are never the same twice, but a recorded run that
// is written again and again repeats them: this gives them other microseconds.
void Restamp(Random* random, std::string* log) {
  for (size_t at = log->find('.'); at != std::string::npos; at = log->find('.', at + 1)) {
    if (at < 9 || (*log)[at - 3] != ':' || (*log)[at - 6] != ':' || (*log)[at - 9] != ' ') continue;
    const std::string digits = fmt::format("{:06}", random->Below(1000000));
    if (log->find_first_not_of("0123456789", at + 1) == at + 1 + digits.size()) {
      log->replace(at + 1, digits.size(), digits);
    }
  }
}

// A number behind each of torch's log lines, so that none is the same twice.
void NumberLines(uint64_t* number, std::string* log) {
  std::string out;
  for (size_t from = 0, end; (end = log->find('\n', from)) != std::string::npos; from = end + 1) {
    const std::string line = log->substr(from, end - from);
    out += line;
    if (line.find(" torch/") != std::string::npos) out += fmt::format(" #{}", ++*number);
    out += '\n';
  }
  *log = std::move(out);
}

// The lines of a log that inductor printed as results of tuning: from a stats title or a header to the footer.
std::string TablesOf(const std::string& log) {
  std::string out;
  bool inside = false;
  for (size_t from = 0, end; (end = log.find('\n', from)) != std::string::npos; from = end + 1) {
    const std::string line = log.substr(from, end - from + 1);
    const auto holds = [&line](const char* text) { return line.find(text) != std::string::npos; };
    const bool footer = holds("Process AUTOTUNE benchmarking takes ");
    inside = inside || footer || holds("Autotune Choices Stats:") || holds("AUTOTUNE ");
    if (inside) out += line;
    if (footer) inside = false;
  }
  return out;
}

int Usage() {
  fmt::print(stderr,
             "usage: make_log sparse|noise|tables|only|fresh|line SIZE_MIB SEED [REAL_LOG...] > out.log\n"
             "       make_log files COUNT SIZE_KIB SEED DIR [REAL_LOG...]\n");
  return 2;
}

void WriteStream(const std::string& kind, uint64_t size, uint64_t seed, const std::vector<std::string>& real) {
  constexpr uint64_t kEvery = uint64_t{20} << 20;
  Random random(seed);
  std::string buffer;
  uint64_t written = 0, next_real = kEvery, run = 0, number = 0;
  Trainer trainer(random.Next(), run);
  while (written < size) {
    buffer.clear();
    if (kind == "tables") {
      buffer = TablesOf(real[random.Below(real.size())]);
    } else if (kind == "only") {
      buffer = real[random.Below(real.size())];
      Restamp(&random, &buffer);
    } else if (kind == "fresh") {
      buffer = real[random.Below(real.size())];
      NumberLines(&number, &buffer);
    } else if (kind == "line") {
      buffer = fmt::format("{:016x} ", random.Next());
    } else {
      while (buffer.size() < (64 << 10)) trainer.AppendLine(&buffer);
    }
    Write(buffer, stdout);
    written += buffer.size();
    if (kind == "sparse" && written >= next_real) {
      const std::string& log = real[random.Below(real.size())];
      Write(log, stdout);
      written += log.size();
      next_real += kEvery;
      trainer = Trainer(random.Next(), ++run);
    } else if (kind == "noise") {
      trainer = Trainer(random.Next(), ++run);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return Usage();
  const std::string kind = argv[1];
  if (kind == "files") {
    if (argc < 6) return Usage();
    const uint64_t count = std::strtoull(argv[2], nullptr, 10), size = std::strtoull(argv[3], nullptr, 10) << 10;
    const std::string folder = argv[5];
    const std::vector<std::string> real = ReadAll(argv + 6, argv + argc);
    Random random(std::strtoull(argv[4], nullptr, 10));
    for (uint64_t i = 0; i < count; ++i) {
      Trainer trainer(random.Next(), i);
      std::string text;
      if (!real.empty() && i % 50 == 0) text = real[random.Below(real.size())];
      while (text.size() < size) trainer.AppendLine(&text);
      const std::string path = fmt::format("{}/pod-{:05}.log", folder, i);
      std::FILE* out = std::fopen(path.c_str(), "wb");
      if (out == nullptr) {
        std::perror(path.c_str());
        return 2;
      }
      Write(text, out);
      std::fclose(out);
    }
    return 0;
  }
  if (kind != "sparse" && kind != "noise" && kind != "tables" && kind != "only" && kind != "fresh" && kind != "line")
    return Usage();
  const std::vector<std::string> real = ReadAll(argv + 4, argv + argc);
  if (real.empty() && kind != "noise" && kind != "line") return Usage();
  WriteStream(kind, std::strtoull(argv[2], nullptr, 10) << 20, std::strtoull(argv[3], nullptr, 10), real);
}
