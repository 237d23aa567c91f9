// Prints the rows of analyzer/input/pair_frequency.cc from log text on standard input. What that table is made from:
//
//   { make_log noise 16 7; cat corpus/lab/*/train.log; } | make_pair_table
//
// so training output weighs most, and what torch and Triton print (which the literals are about) little.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "analyzer/input/pair_frequency.h"

int main() {
  using autotune::PairFrequency;
  constexpr int kClasses = PairFrequency::kClasses;
  std::vector<double> count(kClasses * kClasses, 0.5);  // never seen is not impossible
  double total = kClasses * kClasses * 0.5;
  for (int before = -1, c = std::getchar(); c != EOF; before = c, c = std::getchar()) {
    if (before < 0) continue;
    ++count[PairFrequency::ClassOf(static_cast<uint8_t>(before)) * kClasses +
            PairFrequency::ClassOf(static_cast<uint8_t>(c))];
    ++total;
  }
  for (int first = 0; first < kClasses; ++first) {
    std::printf("    \"");
    for (int second = 0; second < kClasses; ++second) {
      const int bits =
          std::clamp(static_cast<int>(std::lround(-std::log2(count[first * kClasses + second] / total))), 0, 35);
      std::putchar("0123456789abcdefghijklmnopqrstuvwxyz"[bits]);
    }
    std::printf("\"\n");
  }
}
