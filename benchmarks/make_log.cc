// Writes big logs for benchmarks: the same bytes for the same arguments, on every machine.
//
//   make_log sparse SIZE_MIB SEED REAL_LOG... > out.log     training output, one REAL_LOG every 20 MiB
//   make_log noise  SIZE_MIB SEED             > out.log     training output of all styles and nothing else
//   make_log only   SIZE_MIB SEED REAL_LOG... > out.log     REAL_LOGs one after the other
//   make_log line   SIZE_MIB SEED             > out.log     one line
//   make_log files  COUNT SIZE_KIB SEED DIR REAL_LOG...     COUNT logs in DIR, one in fifty with a REAL_LOG in it
//
// REAL_LOGs are recorded runs (corpus/lab/*/train.log), written unchanged. What stands around them imitates what
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

namespace {

// splitmix64: the standard's distributions may differ between libraries, and these bytes must not.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t Next() {
    uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  uint64_t Below(uint64_t n) { return Next() % n; }
  // A number with `digits` after the point, below `limit`.
  std::string Decimal(uint64_t limit, int digits) {
    uint64_t scale = 1;
    for (int i = 0; i < digits; ++i) scale *= 10;
    return fmt::format("{}.{:0{}}", Below(limit), Below(scale), digits);
  }

 private:
  uint64_t state_;
};

std::string Repeat(const char* text, uint64_t times) {
  std::string out;
  while (times-- > 0) out += text;
  return out;
}

// One run's output, line after line. `style` picks the framework that prints the step lines.
class Trainer {
 public:
  Trainer(uint64_t seed, uint64_t style) : random_(seed), style_(style % 4), step_(random_.Below(1000000)) {}

  void AppendLine(std::string* out) {
    ++step_;
    const uint64_t kind = random_.Below(1000);
    if (kind < 640) {
      Step(out);
    } else if (kind < 800) {
      Bar(out);
    } else if (kind < 930) {
      *out += fmt::format(
          R"({{"ts": {}.{:03}, "rank": {}, "metrics": {{"loss": {}, "acc": 0.{:04}, "data_wait_ms": {}}}}})",
          1796000000 + step_, step_ % 1000, step_ % 8, random_.Decimal(4, 4), random_.Below(10000),
          random_.Decimal(9, 2));
      *out += '\n';
    } else if (kind < 960) {
      *out += fmt::format("INFO:     10.42.{}.{}:{} - \"POST /v1/completions HTTP/1.1\" 200 OK\n", random_.Below(256),
                          random_.Below(256), 30000 + random_.Below(30000));
    } else if (kind < 985) {
      *out +=
          fmt::format("gpu-node-{0:02}:{1}:{2} [{3}] NCCL INFO Channel {4:02}/0 : {3}[{3}] -> {5}[{5}] via P2P/CUMEM\n",
                      random_.Below(64), 400 + random_.Below(100), 700 + random_.Below(100), step_ % 8,
                      random_.Below(24), (step_ + 1) % 8);
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

 private:
  void Step(std::string* out) {
    const uint64_t minute = step_ / 60 % 60, second = step_ % 60;
    if (style_ == 0) {
      *out += fmt::format(
          "2026-11-30 20:{:02}:{:02},{:03} INFO trainer.py:412 step={} loss={} lr={}e-04 grad_norm={} tok/s={} "
          "mem={}GiB\n",
          minute, second, step_ % 1000, step_, random_.Decimal(3, 5), random_.Decimal(9, 3), random_.Decimal(1, 4),
          9000 + random_.Below(3000), 60 + random_.Below(19));
    } else if (style_ == 1) {
      *out += fmt::format(
          "{{'loss': {}, 'grad_norm': {}, 'learning_rate': {}e-05, 'mean_token_accuracy': 0.{:04}, 'epoch': {}}}\n",
          random_.Decimal(3, 4), random_.Decimal(2, 8), random_.Decimal(9, 8), random_.Below(10000),
          random_.Decimal(3, 2));
    } else if (style_ == 2) {
      *out += fmt::format(
          " [2026-11-30 20:{:02}:{:02}] iteration {:8}/  500000 | consumed samples: {:12} | elapsed time per iteration "
          "(ms): "
          "{} | throughput per GPU (TFLOP/s/GPU): {} | learning rate: {}E-05 | global batch size:  1024 | lm loss: "
          "{}E+00 | "
          "grad norm: {} | number of skipped iterations:   0 | number of nan iterations:   0 |\n",
          minute, second, step_, step_ * 1024, random_.Decimal(900, 1), random_.Decimal(600, 1), random_.Decimal(9, 6),
          random_.Decimal(9, 6), random_.Decimal(2, 3));
    } else {
      *out += fmt::format(
          "INFO 11-30 20:{:02}:{:02} [loggers.py:118] Engine 000: Avg prompt throughput: {} tokens/s, Avg generation "
          "throughput: {} tokens/s, Running: {} reqs, Waiting: {} reqs, GPU KV cache usage: {}%, Prefix cache hit "
          "rate: {}%\n",
          minute, second, random_.Decimal(9000, 1), random_.Decimal(3000, 1), random_.Below(256), random_.Below(99),
          random_.Decimal(99, 1), random_.Decimal(99, 1));
    }
  }

  // tqdm: redrawn in place, so a few drawings share a line.
  void Bar(std::string* out) {
    for (uint64_t times = 1 + random_.Below(6); times > 0; --times, ++step_) {
      const uint64_t done = step_ % 100;
      *out += fmt::format("\r{:3}%|{}{}| {}/1000000 [02:{:02}<10:11, {}it/s]", done, Repeat("█", done * 2 / 5),
                          Repeat(" ", 40 - done * 2 / 5), step_, step_ % 60, random_.Decimal(5, 2));
    }
    *out += '\n';
  }

  Random random_;
  uint64_t style_;
  uint64_t step_;
};

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

int Usage() {
  fmt::print(stderr,
             "usage: make_log sparse|noise|only|line SIZE_MIB SEED [REAL_LOG...] > out.log\n"
             "       make_log files COUNT SIZE_KIB SEED DIR [REAL_LOG...]\n");
  return 2;
}

void WriteStream(const std::string& kind, uint64_t size, uint64_t seed, const std::vector<std::string>& real) {
  constexpr uint64_t kEvery = uint64_t{20} << 20;
  Random random(seed);
  std::string buffer;
  uint64_t written = 0, next_real = kEvery, run = 0;
  Trainer trainer(random.Next(), run);
  while (written < size) {
    buffer.clear();
    if (kind == "only") {
      buffer = real[random.Below(real.size())];
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
  if (kind != "sparse" && kind != "noise" && kind != "only" && kind != "line") return Usage();
  const std::vector<std::string> real = ReadAll(argv + 4, argv + argc);
  if (real.empty() && (kind == "sparse" || kind == "only")) return Usage();
  WriteStream(kind, std::strtoull(argv[2], nullptr, 10) << 20, std::strtoull(argv[3], nullptr, 10), real);
}
