// The texts that the benchmarks of single stages run over.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "benchmarks/log_text.h"

namespace autotune::bench {

// Training output of all styles, nothing of interest in it.
inline const std::string& Noise() {
  static const std::string text = [] {
    std::string out;
    for (uint64_t style = 0; out.size() < (8 << 20); ++style) {
      Trainer trainer(style + 1, style);
      for (const size_t end = out.size() + (64 << 10); out.size() < end;) trainer.AppendLine(&out);
    }
    return out;
  }();
  return text;
}

// A recorded run of the corpus, over and over to a few MiB.
inline std::string Recorded(const std::string& run) {
  const std::filesystem::path path = std::filesystem::path(SOURCE_DIR) / "corpus" / "lab" / run / "train.log";
  std::ifstream in(path, std::ios::binary);
  const std::string log{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  std::string out;
  while (!log.empty() && out.size() < (4 << 20)) out += log;
  return out;
}

}  // namespace autotune::bench
