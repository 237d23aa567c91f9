#include "benchmarks/log_text.h"

#include <fmt/format.h>

namespace autotune::bench {
namespace {

std::string Repeat(const char* text, uint64_t times) {
  std::string out;
  while (times-- > 0) out += text;
  return out;
}

}  // namespace

uint64_t Random::Next() {
  uint64_t z = state_ += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

std::string Random::Decimal(uint64_t limit, int digits) {
  uint64_t scale = 1;
  for (int i = 0; i < digits; ++i) scale *= 10;
  const uint64_t whole = Below(limit);
  return fmt::format("{}.{:0{}}", whole, Below(scale), digits);
}

Trainer::Trainer(uint64_t seed, uint64_t style) : random_(seed), style_(style % 4), step_(random_.Below(1000000)) {}

// Numbers are drawn into arrays, whose initializers are evaluated in order; the arguments of a call are not.
void Trainer::AppendLine(std::string* out) {
  ++step_;
  const uint64_t kind = random_.Below(1000);
  if (kind < 640) {
    Step(out);
  } else if (kind < 800) {
    Bar(out);
  } else if (kind < 930) {
    const std::string n[] = {random_.Decimal(4, 4), random_.Decimal(1, 4), random_.Decimal(9, 2)};
    *out += fmt::format(R"({{"ts": {}.{:03}, "rank": {}, "metrics": {{"loss": {}, "acc": {}, "data_wait_ms": {}}}}})",
                        1796000000 + step_, step_ % 1000, step_ % 8, n[0], n[1], n[2]);
    *out += '\n';
  } else if (kind < 960) {
    const uint64_t n[] = {random_.Below(256), random_.Below(256), 30000 + random_.Below(30000)};
    *out += fmt::format("INFO:     10.42.{}.{}:{} - \"POST /v1/completions HTTP/1.1\" 200 OK\n", n[0], n[1], n[2]);
  } else if (kind < 985) {
    const uint64_t n[] = {random_.Below(64), 400 + random_.Below(100), 700 + random_.Below(100), random_.Below(24)};
    *out +=
        fmt::format("gpu-node-{0:02}:{1}:{2} [{3}] NCCL INFO Channel {4:02}/0 : {3}[{3}] -> {5}[{5}] via P2P/CUMEM\n",
                    n[0], n[1], n[2], step_ % 8, n[3], (step_ + 1) % 8);
  } else if (kind < 995) {
    *out += fmt::format(
        "[rank{}]:W1130 20:{:02}:{:02}.151000 460 torch/_dynamo/convert_frame.py:1016] [8/8] torch._dynamo hit "
        "config.recompile_limit ({})\n",
        step_ % 8, step_ / 60 % 60, step_ % 60, step_ % 64);
  } else {
    *out +=
        "/usr/local/lib/python3.12/dist-packages/torch/utils/checkpoint.py:86: UserWarning: None of the inputs have "
        "requires_grad=True. Gradients will be None\n  warnings.warn(\n";
  }
}

void Trainer::Step(std::string* out) {
  const uint64_t minute = step_ / 60 % 60, second = step_ % 60;
  if (style_ == 0) {
    const std::string n[] = {random_.Decimal(3, 5), random_.Decimal(9, 3), random_.Decimal(1, 4)};
    const uint64_t tokens = 9000 + random_.Below(3000);
    *out += fmt::format(
        "2026-11-30 20:{:02}:{:02},{:03} INFO trainer.py:412 step={} loss={} lr={}e-04 grad_norm={} tok/s={} "
        "mem={}GiB\n",
        minute, second, step_ % 1000, step_, n[0], n[1], n[2], tokens, 60 + step_ % 19);
  } else if (style_ == 1) {
    const std::string n[] = {random_.Decimal(3, 4), random_.Decimal(2, 8), random_.Decimal(9, 8), random_.Decimal(1, 4),
                             random_.Decimal(3, 2)};
    *out += fmt::format(
        "{{'loss': {}, 'grad_norm': {}, 'learning_rate': {}e-05, 'mean_token_accuracy': {}, 'epoch': {}}}\n", n[0],
        n[1], n[2], n[3], n[4]);
  } else if (style_ == 2) {
    const std::string n[] = {random_.Decimal(900, 1), random_.Decimal(600, 1), random_.Decimal(9, 6),
                             random_.Decimal(9, 6), random_.Decimal(2, 3)};
    *out += fmt::format(
        " [2026-11-30 20:{:02}:{:02}] iteration {:8}/  500000 | consumed samples: {:12} | elapsed time per iteration "
        "(ms): "
        "{} | throughput per GPU (TFLOP/s/GPU): {} | learning rate: {}E-05 | global batch size:  1024 | lm loss: "
        "{}E+00 | "
        "grad norm: {} | number of skipped iterations:   0 | number of nan iterations:   0 |\n",
        minute, second, step_, step_ * 1024, n[0], n[1], n[2], n[3], n[4]);
  } else {
    const std::string n[] = {random_.Decimal(9000, 1), random_.Decimal(3000, 1), random_.Decimal(99, 1),
                             random_.Decimal(99, 1)};
    *out += fmt::format(
        "INFO 11-30 20:{:02}:{:02} [loggers.py:118] Engine 000: Avg prompt throughput: {} tokens/s, Avg generation "
        "throughput: {} tokens/s, Running: {} reqs, Waiting: {} reqs, GPU KV cache usage: {}%, Prefix cache hit rate: "
        "{}%\n",
        minute, second, n[0], n[1], step_ % 256, step_ % 99, n[2], n[3]);
  }
}

// tqdm: redrawn in place, so a few drawings share a line.
void Trainer::Bar(std::string* out) {
  for (uint64_t times = 1 + random_.Below(6); times > 0; --times, ++step_) {
    const uint64_t done = step_ % 100;
    *out += fmt::format("\r{:3}%|{}{}| {}/1000000 [02:{:02}<10:11, {}it/s]", done, Repeat("█", done * 2 / 5),
                        Repeat(" ", 40 - done * 2 / 5), step_, step_ % 60, random_.Decimal(5, 2));
  }
  *out += '\n';
}

}  // namespace autotune::bench
