// Training output as trainers and servers print it, made of chance: the same bytes for the same seed on every machine.
// Shared by make_log (files for whole-program benchmarks) and the benchmarks of single stages.
#pragma once

#include <cstdint>
#include <string>

namespace autotune::bench {

// splitmix64: the standard's distributions may differ between libraries, and these bytes must not.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t Next();
  uint64_t Below(uint64_t n) { return Next() % n; }
  // A number with `digits` after the point, below `limit`.
  std::string Decimal(uint64_t limit, int digits);

 private:
  uint64_t state_;
};

// One run's output, line after line. `style` picks the framework that prints the step lines.
class Trainer {
 public:
  Trainer(uint64_t seed, uint64_t style);
  void AppendLine(std::string* out);

 private:
  void Step(std::string* out);
  void Bar(std::string* out);

  Random random_;
  uint64_t style_;
  uint64_t step_;
};

}  // namespace autotune::bench
