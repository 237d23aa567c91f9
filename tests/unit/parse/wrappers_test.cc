// One table in every wrapper: listed, nested, JSON, and unlisted ones whose shape has to be learned.
#include <functional>

#include "tests/unit/parse/parse_fixture.h"

namespace autotune {
namespace {

using Wrap = std::function<std::string(const std::string& line, int number)>;

const std::vector<std::string>& Table() {
  static const std::vector<std::string> lines = {
      "Autotune Choices Stats:",
      R"({"num_choices": 3, "num_triton_choices": 2, "best_kernel": "mm", "best_time": 0.022099999710917473})",
      "AUTOTUNE mm(128x4096, 4096x4096)",
      "strides: [4096, 1], [1, 4096]",
      "dtypes: torch.float16, torch.float16",
      "  mm 0.0221 ms 100.0% ",
      "  triton_mm_27 0.0234 ms 94.4% ACC_TYPE='tl.float32', ALLOW_TF32=False, BLOCK_K=32, "
      "FLOAT32_PRECISION=\"'ieee'\", num_warps=4",
      "  triton_mm_23 0.0248 ms 89.1% ACC_TYPE='tl.float32', ALLOW_TF32=False, BLOCK_K=64, "
      "FLOAT32_PRECISION=\"'ieee'\", num_warps=4",
      "SingleProcess AUTOTUNE benchmarking takes 0.3042 seconds and 0.3121 seconds precompiling for 3 choices"};
  return lines;
}

std::string Prefixed(const std::string& prefix) {
  std::string text;
  for (const std::string& line : Table()) text += prefix + line + "\n";
  return text;
}

std::string Wrapped(const Wrap& wrap) {
  std::string text;
  int number = 0;
  for (const std::string& line : Table()) text += wrap(line, ++number) + "\n";
  return text;
}

std::string JsonEscape(const std::string& s) {
  std::string out;
  for (char c : s) {
    if (c == '"' || c == '\\') out.push_back('\\');
    if (c == '\x1b') {
      out += "\\u001b";
    } else if (c == '\r') {
      out += "\\r";
    } else {
      out.push_back(c);
    }
  }
  return out;
}

// The table above, whole, starting at line `line` of its title.
void ExpectTable(const Block& block, uint64_t title = 1) {
  EXPECT_EQ(block.op, "mm");
  EXPECT_EQ(block.line, title + 2);
  EXPECT_EQ(block.end_line, title + 8);
  EXPECT_TRUE(block.complete);
  EXPECT_EQ(block.stats_line, title + 1);
  EXPECT_EQ(block.num_choices, 3);
  EXPECT_EQ(block.num_choices_stats, 3);
  EXPECT_EQ(block.torch_range, ">=2.9");
  ASSERT_EQ(block.choices.size(), 3u);
  EXPECT_EQ(block.choices[1].name, "triton_mm_27");
  EXPECT_EQ(block.choices[1].description,
            "ACC_TYPE='tl.float32', ALLOW_TF32=False, BLOCK_K=32, FLOAT32_PRECISION=\"'ieee'\", num_warps=4");
}

struct LabelCase {
  const char* prefix;
  const char* process;
  int rank;
  const char* pod;
};

TEST(Rules, SamplesOfWrappersBackendsAndLayoutsHold) {
  std::vector<Diag> diags;
  LoadRules("", true, &diags).IgnoreError();
  for (const Diag& diag : diags) {
    for (const char* family : {"wrappers/", "backends/", "layouts/"}) {
      EXPECT_EQ(diag.file.find(family), std::string::npos) << Render(diag);
    }
  }
}

TEST(Wrappers, LabelsOfListedOnes) {
  const LabelCase cases[] = {
      {"", "-", -1, "-"},
      {"[pod/trainer-0/main] ", "pod/trainer-0/main", -1, "trainer-0"},
      {"[pod/trainer-0/main] 2026-02-03T10:11:12.123456789Z ", "pod/trainer-0/main", -1, "trainer-0"},
      {"2026-02-03T10:11:12.123456789Z ", "-", -1, "-"},
      {"2026-02-03T10:11:12.123456789Z stderr F ", "-", -1, "-"},
      {"tts-provider  | ", "tts-provider", -1, "-"},
      {"tts-provider  | (EngineCore pid=514) ", "EngineCore pid=514", -1, "-"},
      {"2025-06-13T09:12:34.1234568Z ", "-", -1, "-"},
      {"Mar 04 10:11:12 node-a trainer[2211]: ", "trainer[2211]", -1, "-"},
      {"2026-03-04T10:11:12+0100 node-a trainer[2211]: ", "trainer[2211]", -1, "-"},
      {" 9: ", "-", 9, "-"},
      {"10: ", "-", 10, "-"},
      {"[1,mpirank:0,algo-1]<stderr>:", "-", 0, "-"},
      {"[1,3]<stderr>:", "-", 3, "-"},
      {"[default7]:", "-", 7, "-"},
      {"[rank0]:", "-", 0, "-"},
      {"[rank: 2] ", "-", 2, "-"},
      {"rank3: ", "-", 3, "-"},
      {"\x1b[36m(RayTrainWorker pid=3312, ip=192.0.2.7)\x1b[0m ", "RayTrainWorker pid=3312, ip=192.0.2.7", -1, "-"},
      {"(Worker_TP1 pid=3313) ", "Worker_TP1 pid=3313", 1, "-"},
      {"(VllmWorker rank=1 pid=1300) ", "VllmWorker rank=1 pid=1300", 1, "-"},
      {"(EngineCore_DP0 pid=742) (RayWorkerWrapper pid=233, ip=192.0.2.9) ", "RayWorkerWrapper pid=233, ip=192.0.2.9",
       -1, "-"},
      {"[2026-01-12 10:00:01 TP3] ", "TP3", 3, "-"},
      {"[2026-01-12 10:00:01] ", "-", -1, "-"},
      {"2024-02-13T02:09:28,307 [WARN ] W-9000-demonet_1.0-stderr MODEL_LOG - ", "W-9000-demonet_1.0", -1, "-"},
      {"> ", "-", -1, "-"},
      {"> > ", "-", -1, "-"},
      {"# ", "-", -1, "-"},
      {"build\tRun tests\t2025-06-13T09:12:34.1234568Z ", "build", -1, "-"},
      {"ml/trainer-0[main]: ", "ml/trainer-0[main]", -1, "trainer-0"},
      {"[pod/llm-0/main] 2026-02-03T10:11:12.123Z (Worker_TP0 pid=3312) [rank0]:", "Worker_TP0 pid=3312", 0, "llm-0"},
      {"    ", "-", -1, "-"},
  };
  for (const LabelCase& c : cases) {
    SCOPED_TRACE(c.prefix);
    const Kept kept = ReadText(Prefixed(c.prefix));
    ASSERT_EQ(kept.blocks.size(), 1u);
    EXPECT_TRUE(kept.orphans.empty());
    ExpectTable(kept.blocks[0]);
    EXPECT_EQ(kept.blocks[0].labels.process.value_or("-"), c.process);
    EXPECT_EQ(kept.blocks[0].labels.rank.value_or(-1), c.rank);
    EXPECT_EQ(kept.blocks[0].labels.pod.value_or("-"), c.pod);
    EXPECT_EQ(Describe(ReadText(Prefixed(c.prefix), true)), Describe(kept));
  }
}

TEST(Wrappers, JsonEnvelopes) {
  const std::pair<std::string, std::string> envelopes[] = {
      {R"({"log":")", R"(\n","stream":"stderr","time":"2026-02-03T10:11:12.123456789Z"})"},
      {R"({"log":")", R"(","stream":"stderr","kubernetes":{"pod_name":"trainer-0","container_name":"main"}})"},
      {R"({"@timestamp":"2026-02-03T10:11:12Z","log.level":"info","message":")", R"(","ecs.version":"1.6.0"})"},
      {R"({"id":"AQ","content":{"timestamp":"2026-02-03T10:11:12Z","message":")", R"("}})"},
      {R"({"labels":{"pod":"trainer-0"},"line":")", R"(","timestamp":"2026-02-03T10:11:12Z"})"},
      {R"({"level":"info","msg":")", R"("})"},
      {R"({"__REALTIME_TIMESTAMP":"1","_PID":"22","MESSAGE":")", R"("})"},
      {R"({"textPayload":")", R"(","resource":{"labels":{"pod_name":"trainer-0"}}},)"},
      {R"({"seq":12,"payload_of_ours":")", R"(","host":"a"})"},
      {R"([pod/trainer-0/main] {"log":"\u001b[36m(Worker pid=7)\u001b[0m )", R"(\n","stream":"stderr"})"},
  };
  for (const auto& [before, after] : envelopes) {
    SCOPED_TRACE(before);
    const std::string text = Wrapped([&](const std::string& line, int) { return before + JsonEscape(line) + after; });
    const Kept kept = ReadText(text);
    ASSERT_EQ(kept.blocks.size(), 1u);
    EXPECT_TRUE(kept.orphans.empty());
    ExpectTable(kept.blocks[0]);
    EXPECT_EQ(Describe(ReadText(text, true)), Describe(kept));
  }
}

TEST(Wrappers, DockerPiecesAreJoined) {
  std::string text;
  for (const std::string& line : Table()) {
    if (line.size() < 60) {
      text += R"({"log":")" + JsonEscape(line) +
              R"(\n","stream":"stderr"})"
              "\n";
      continue;
    }
    text += R"({"log":")" + JsonEscape(line.substr(0, 50)) +
            R"(","stream":"stderr"})"
            "\n";
    text += R"({"log":"step 12 loss 2.1931\n","stream":"stdout"})"
            "\n";
    text += R"({"log":")" + JsonEscape(line.substr(50)) +
            R"(\n","stream":"stderr"})"
            "\n";
  }
  const Kept kept = ReadText(text);
  ASSERT_EQ(kept.blocks.size(), 1u);
  EXPECT_EQ(kept.blocks[0].stats_line, 2u);
  EXPECT_EQ(kept.blocks[0].line, 5u);
  ASSERT_EQ(kept.blocks[0].choices.size(), 3u);
  EXPECT_EQ(kept.blocks[0].choices[1].line, 9u);
  EXPECT_EQ(kept.blocks[0].choices[2].line, 12u);
  EXPECT_EQ(kept.blocks[0].end_line, 17u);
  EXPECT_EQ(kept.blocks[0].footer_line, 15u);
  EXPECT_EQ(Describe(ReadText(text, true)), Describe(kept));
}

TEST(Wrappers, CriPartsAreJoinedWithinTheirStream) {
  std::string text;
  for (const std::string& line : Table()) {
    const std::string time = "2026-02-03T10:11:12.123456789Z ";
    for (size_t at = 0; at < line.size(); at += 13) {
      const bool last = at + 13 >= line.size();
      text += time + "stderr " + (last ? "F " : "P ") + line.substr(at, 13) + "\n";
      if (!last) text += time + "stdout F step 1\n";
    }
  }
  const Kept kept = ReadText(text);
  ASSERT_EQ(kept.blocks.size(), 1u);
  ASSERT_EQ(kept.blocks[0].choices.size(), 3u);
  EXPECT_TRUE(kept.blocks[0].complete);
  EXPECT_EQ(kept.blocks[0].num_triton_choices, 2);
  EXPECT_EQ(Describe(ReadText(text, true)), Describe(kept));
}

TEST(Wrappers, UnlistedOnesAreLearned) {
  const std::string prefixes[] = {
      "<<node7/worker-12>> 10:11:12.345 | ",
      "node17: ",
      "trainer-7d9f8-x2k main ",
      "2026-01-02 03:04:05,678 - INFO - stderr of job 4711 - ",
      "@cell_12 => ",
      "{run=17, host=a} ",
      "+ ",
      "* ",
      "<<node7>> [rank3]: ",
      "[pod/x-1/main] ~~17~~ ",
      "E20260102 03:04:05.678901  4711 relay.cc:99] ",
  };
  for (const std::string& prefix : prefixes) {
    SCOPED_TRACE(prefix);
    const Kept kept = ReadText(Prefixed(prefix));
    ASSERT_EQ(kept.blocks.size(), 1u);
    EXPECT_TRUE(kept.orphans.empty());
    ExpectTable(kept.blocks[0]);
    EXPECT_EQ(Describe(ReadText(Prefixed(prefix), true)), Describe(kept));
  }
  EXPECT_EQ(ReadText(Prefixed("<<node7>> [rank3]: ")).blocks.at(0).labels.rank, 3);
  EXPECT_EQ(ReadText(Prefixed("{worker-3} ")).blocks.at(0).labels.process, "worker-3");
}

TEST(Wrappers, UnlistedTimesMayGoOn) {
  const std::string text = Wrapped([](const std::string& line, int n) {
    return "w3 2026-01-02 03:04:" + std::to_string(10 + n) + "." + std::to_string(100 + 7 * n) + " +" +
           std::to_string(n) + ".5s :: " + line;
  });
  const Kept kept = ReadText(text);
  ASSERT_EQ(kept.blocks.size(), 1u);
  ExpectTable(kept.blocks[0]);
}

TEST(Wrappers, UnlistedCountersTellNothingApart) {
  const std::string text =
      Wrapped([](const std::string& line, int n) { return "    " + std::to_string(n + 5) + "\t" + line; });
  const Kept kept = ReadText(text);
  ASSERT_EQ(kept.blocks.size(), 1u);
  ExpectTable(kept.blocks[0]);
  EXPECT_EQ(Describe(ReadText(text, true)), Describe(kept));
}

TEST(Wrappers, UnlistedStreamsAreKeptApartByTheirIds) {
  for (const std::string shape : {"<<w@>> ", "job/@ 10:11:12 ", "host-a@b: ", "(@) ~ "}) {
    for (int streams : {2, 8}) {
      std::string text;
      for (const std::string& line : Table()) {
        for (int i = 0; i < streams; ++i) {
          std::string prefix = shape;
          prefix.replace(prefix.find('@'), 1, std::to_string(i + 3));
          text += prefix + line + "\n";
        }
      }
      SCOPED_TRACE(shape + " " + std::to_string(streams));
      const Kept kept = ReadText(text);
      EXPECT_EQ(kept.blocks.size(), static_cast<size_t>(streams));
      EXPECT_TRUE(kept.orphans.empty());
      for (const Block& block : kept.blocks) {
        EXPECT_TRUE(block.complete);
        EXPECT_EQ(block.choices.size(), 3u);
        EXPECT_EQ(block.num_choices_stats, 3);
      }
      EXPECT_EQ(Describe(ReadText(text, true)), Describe(kept));
    }
  }
}

TEST(Wrappers, ListedStreamsAreKeptApart) {
  for (const std::string shape :
       {"[pod/t-@/main] ", "@: ", "[default@]:", "(Worker_TP@ pid=33@) ", "svc-@  | ",
        "Mar 04 10:11:12 n trainer[2@]: ", "[1,mpirank:@,algo-1]<stderr>:", "[2026-01-12 10:00:01 TP@] ",
        "2024-02-13T02:09:28,307 [WARN ] W-900@-m_1.0-stderr MODEL_LOG - "}) {
    SCOPED_TRACE(shape);
    std::string text;
    for (const std::string& line : Table()) {
      for (char id : {'0', '1', '2'}) {
        std::string prefix = shape;
        std::replace(prefix.begin(), prefix.end(), '@', id);
        text += prefix + line + "\n";
      }
    }
    const Kept kept = ReadText(text);
    EXPECT_EQ(kept.blocks.size(), 3u);
    EXPECT_TRUE(kept.orphans.empty());
  }
}

TEST(Wrappers, ProseAboutAHeaderIsNoWrapper) {
  for (const char* text : {"see AUTOTUNE mm(8x8, 8x8)\n",
                           "10:11:12 INFO tuned: AUTOTUNE mm(8x8, 8x8)\n10:11:13 INFO tuned: AUTOTUNE mm(8x8, 8x8)\n",
                           "`AUTOTUNE mm(8x8, 8x8)\n", "print(f\"AUTOTUNE mm(8x8, 8x8)\n"}) {
    EXPECT_TRUE(ReadText(text).blocks.empty()) << text;
  }
}

TEST(Wrappers, SideBySideLogsStartNoBlock) {
  std::string text;
  for (const std::string& line : Table()) text += line + "\t\t|\t" + line + "\n";
  EXPECT_TRUE(ReadText(text).blocks.empty());
  std::string right;
  for (const std::string& line : Table()) right += "\t\t\t\t\t>\t" + line + "\n";
  EXPECT_TRUE(ReadText(right).blocks.empty());
}

TEST(Wrappers, ProgressBarsAreOverwritten) {
  const std::string bars[] = {"\r 37%|###   | 10/27 [00:00<00:00, 98.21it/s]\r",
                              "Epoch 0:   0%|          | 0/100 [00:00<?, ?it/s]\r            \r",
                              "  5%|5         | 1/20 [01:10<22:12, 70.11s/it]",
                              "12it [00:03,  3.90it/s]",
                              "\x1b[1A\x1b[2K",
                              "50%|#####\x1b[A",
                              "loss=1.0 \x1b[1G"};
  for (const std::string& bar : bars) {
    for (const std::string prefix : {"", "[pod/t-0/main] "}) {
      std::string text;
      for (size_t i = 0; i < Table().size(); ++i) text += prefix + (i % 2 == 0 ? bar : "") + Table()[i] + "\r\n";
      SCOPED_TRACE(prefix + bar);
      const Kept kept = ReadText(text);
      ASSERT_EQ(kept.blocks.size(), 1u);
      ExpectTable(kept.blocks[0]);
    }
  }
}

TEST(Wrappers, DebrisBeforeTheHeaderAlone) {
  std::string text = "tuning now... ";
  for (size_t i = 2; i < Table().size(); ++i) text += Table()[i] + "\n";
  const Kept kept = ReadText(text);
  ASSERT_EQ(kept.blocks.size(), 1u);
  EXPECT_EQ(kept.blocks[0].choices.size(), 3u);
}

}  // namespace
}  // namespace autotune
