// Layouts, damage and mixtures, each in the smallest log that shows it.
#include <cmath>
#include <set>

#include "analyzer/parse/part.h"
#include "tests/unit/parse/parse_fixture.h"

namespace autotune {
namespace {

Kept Read(const std::string& text) {
  const Kept kept = ReadText(text);
  EXPECT_EQ(Describe(ReadText(text, true)), Describe(kept)) << "with lines left out";
  return kept;
}

int Count(const Kept& kept, Orphan::Kind kind) {
  return static_cast<int>(
      std::count_if(kept.orphans.begin(), kept.orphans.end(), [&](const Orphan& o) { return o.kind == kind; }));
}

Part::Kind Scan(const std::string& line) {
  Part part;
  return ScanPart(line, &part);
}

TEST(Parts, Headers) {
  for (const char* line : {"AUTOTUNE mm(8x8, 8x8)", "  AUTOTUNE scaled_mm(512x4096, 4096x3072, 1, , 3072)  ",
                           "AUTOTUNE _scaled_mm_v2(8x8, 8x8)", "AUTOTUNE convolution(1x256x64x64, 64x256x1x1)",
                           "AUTOTUNE my_lib::op.default(8)", "AUTOTUNE mm(0x8, 8x8)", "AUTOTUNE f(8x8, , )"}) {
    EXPECT_EQ(Scan(line), Part::Kind::kHeader) << line;
  }
  for (const char* line :
       {"AUTOTUNE mm(...)", "AUTOTUNE mm()", "AUTOTUNE mm(8x8, 8x8) [repeated 3x across cluster]",
        "AUTOTUNE mm(s0x8, 8x8)", "AUTOTUNE {name}({sizes})", "AUTOTUNE mm(8x, 8x8)", "MAX_AUTOTUNE mm(8x8, 8x8)",
        "AUTOTUNE mm(8x8, 8x8)\tAUTOTUNE mm(8x8, 8x8)", "AUTOTUNE logs appear in the .err files and can be ignored.",
        "AUTOTUNE (8x8)", "autotune mm(8x8, 8x8)"}) {
    EXPECT_NE(Scan(line), Part::Kind::kHeader) << line;
  }
  EXPECT_EQ(SplitShapes("512x64, 64x64, , "), (std::vector<std::string>{"512x64", "64x64", "", ""}));
}

TEST(Parts, Rows) {
  Part part;
  struct {
    const char* line;
    const char* name;
    double ms;
    double pct;  // -1 none
    const char* description;
  } const rows[] = {
      {"  mm 0.0061 ms 100.0% ", "mm", 0.0061, 100, ""},
      {"  triton_mm_0 0.0291s 100.0%", "triton_mm_0", 0.0291, 100, ""},
      {"x_y.binary 710.6013 ms 0.3%", "x_y.binary", 710.6013, 0.3, ""},
      {"  mm 0.0000 ms <DIVIDED BY ZERO ERROR>", "mm", 0, -1, ""},
      {"  t inf ms 0.0% A=1, B=2", "t", INFINITY, 0, "A=1, B=2"},
      {"  mm    0.0061 ms   100.0%   <- baseline", "mm", 0.0061, 100, "<- baseline"},
      {"  mm\t0.0061\tms\t100.0%\t\xf0\x9f\x8f\x86", "mm", 0.0061, 100, "\xf0\x9f\x8f\x86"},
      {"  ExternKernelCaller(extern_kernels.mm) 0.2101 ms 100.0%", "ExternKernelCaller(extern_kernels.mm)", 0.2101, 100,
       ""},
      {"  A='tl.float32', B=True, num_warps=8 0.2460 ms 85.4%", "A='tl.float32', B=True, num_warps=8", 0.246, 85.4, ""},
      {"  mm 0.0061 ms 100.0%  [repeated 3x across cluster] (Ray deduplicates logs by default.)", "mm", 0.0061, 100,
       ""},
      {"  <lambda> 0.0061 ms 100.0% ", "<lambda>", 0.0061, 100, ""},
  };
  for (const auto& row : rows) {
    ASSERT_EQ(ScanPart(row.line, &part), Part::Kind::kRow) << row.line;
    EXPECT_EQ(part.row.name, row.name);
    EXPECT_EQ(part.row.ms, row.ms);
    EXPECT_EQ(part.row.pct.value_or(-1), row.pct);
    EXPECT_EQ(part.row.description, row.description);
  }
  for (const char* line :
       {"  triton_mm_6 0.0514 ms 10", "  triton_mm_6 0.0514 ms 100.0", "  triton_mm_6 0.0514",
        "_resize_autotune_buffers took 0.0123 ms 100.0% of", "[0/0]   cutlass_1b5e81af 4.6012 ms 100.0% x",
        "0.5 ms 100.0% x", "- mm 0.0061 ms 100.0%", ">>time: 0.049ms for x", "mm: 0.1 ms 3.0%",
        "  mm 0.0061 ms 100.0%x", "loss 0.2 ms", "  mm -0.1 ms 100.0%"}) {
    EXPECT_NE(Scan(line), Part::Kind::kRow) << line;
  }
}

TEST(Parts, Footers) {
  for (const char* line :
       {"SingleProcess AUTOTUNE takes 5.1835 seconds", "SubProcess AUTOTUNE takes 8.913267612457275 seconds",
        "SingleProcess AUTOTUNE benchmarking takes 1.2345 seconds and 0.1234 seconds precompiling",
        "SingleProcess AUTOTUNE benchmarking takes 1.2345 seconds and 0.1234 seconds precompiling for 20 choices",
        "SingleProcess AUTOTUNE benchmarking takes 9.1 seconds and 0.1 seconds precompiling for 62 choices and 21.3 "
        "seconds prescreening",
        "SingleProcess AUTOTUNE takes 5.1835 seconds [repeated 3x across cluster]"}) {
    EXPECT_EQ(Scan(line), Part::Kind::kFooter) << line;
  }
  for (const char* line :
       {"AUTOTUNE takes 5.1835 seconds", "SingleProcess AUTOTUNE takes about 5 seconds",
        "SingleProcess AUTOTUNE takes 5.1835 seconds in total",
        "SingleProcess AUTOTUNE benchmarking takes 1.2345 seconds", "MyProcess AUTOTUNE takes 1 seconds",
        "SingleProcess AUTOTUNE benchmarking takes 1.2 seconds and 0.1 seconds precompiling for 20"}) {
    EXPECT_NE(Scan(line), Part::Kind::kFooter) << line;
  }
}

TEST(Blocks, StridesWithSymbols) {
  const Kept kept = Read(
      "AUTOTUNE mm(8x8, 8x8, 1)\nstrides: [s77*s12, 1], [Max(1, s0), 1], []\ndtypes: torch.float16, torch.float16, "
      "torch.float8_e4m3fn\n  mm 0.1 ms 100.0% \n");
  ASSERT_EQ(kept.blocks.size(), 1u);
  using Lists = std::vector<std::vector<std::string>>;
  EXPECT_EQ(kept.blocks[0].strides, (Lists{{"s77*s12", "1"}, {"Max(1, s0)", "1"}, {}}));
  EXPECT_FALSE(kept.blocks[0].complete);
  EXPECT_EQ(kept.blocks[0].torch_range, ">=2.8");
}

TEST(Blocks, StatsWithInfinityOverSeveralLinesAndWithoutTitle) {
  const std::string table =
      "AUTOTUNE mm(8x8, 8x8)\n  mm 0.1 ms 100.0% \nSingleProcess AUTOTUNE benchmarking takes 0.1 seconds and 0.1 "
      "seconds precompiling for 1 choices\n";
  EXPECT_EQ(Read("Autotune Choices Stats:\n{\"num_choices\": 4, \"num_triton_choices\": 3, \"best_kernel\": \"t\", "
                 "\"best_time\": Infinity}\n" +
                 table)
                .blocks.at(0)
                .num_choices_stats,
            4);
  EXPECT_EQ(Read("{\"num_choices\": 4, \"num_triton_choices\": 3, \"best_kernel\": \"mm\"}\nwarning\n" + table)
                .blocks.at(0)
                .num_triton_choices,
            3);
  const Kept kept = Read(
      "Autotune Choices Stats:\n{\n  \"num_choices\": 4,\n  \"num_triton_choices\": 3,\n  \"best_kernel\": "
      "\"mm\"\n}\n" +
      table);
  EXPECT_EQ(kept.blocks.at(0).num_triton_choices, 3);
  EXPECT_EQ(kept.blocks.at(0).stats_line, 2u);
}

TEST(Blocks, EachTakesTheStatsOfItsFirstRow) {
  // Two ranks without labels: both pairs come before the first table (seen on two H200, torch 2.11).
  const Kept kept = Read(
      "Autotune Choices Stats:\n{\"num_choices\": 21, \"num_triton_choices\": 20, \"best_kernel\": \"triton_mm_4\", "
      "\"best_time\": 0.0063}\n"
      "Autotune Choices Stats:\n{\"num_choices\": 22, \"num_triton_choices\": 21, \"best_kernel\": \"triton_mm_4\", "
      "\"best_time\": 0.0051}\n"
      "AUTOTUNE mm(8x8, 8x8)\n  triton_mm_4 0.0051 ms 100.0% A=1\nSingleProcess AUTOTUNE benchmarking takes 0.1 "
      "seconds and 0.1 seconds precompiling for 22 choices\n"
      "AUTOTUNE mm(8x8, 8x8)\n  triton_mm_4 0.0063 ms 100.0% A=1\nSingleProcess AUTOTUNE benchmarking takes 0.1 "
      "seconds and 0.1 seconds precompiling for 21 choices\n");
  ASSERT_EQ(kept.blocks.size(), 2u);
  EXPECT_EQ(kept.blocks[0].num_choices_stats, 22);
  EXPECT_EQ(kept.blocks[1].num_choices_stats, 21);
  EXPECT_TRUE(kept.orphans.empty());
}

TEST(Blocks, StatsAfterTheFooterBelongToNoBlock) {
  const Kept kept = Read(
      "AUTOTUNE mm(8x8, 8x8)\n  mm 0.1 ms 100.0% \nSingleProcess AUTOTUNE takes 0.12 seconds\nAutotune Choices "
      "Stats:\n{\"num_choices\": 2, \"num_triton_choices\": 1, \"best_kernel\": \"mm\"}\n");
  EXPECT_EQ(kept.blocks.at(0).num_choices_stats, std::nullopt);
  EXPECT_EQ(Count(kept, Orphan::Kind::kStats), 1);
}

TEST(Blocks, EventsOfATraceAreStatsWithoutATable) {
  const Kept kept = Read(
      "\t\"args\": {\n\t\"compile_id\": \"0/0\",\n"
      "\t\"autotune_choices_stats\": \"{\\\"num_choices\\\": 20, \\\"num_triton_choices\\\": 19, "
      "\\\"best_kernel\\\": \\\"triton_mm_7\\\", \\\"best_time\\\": Infinity}\",\n\t},\n"
      "\t\"autotune_choices_stats\": \"{\\\"num_choices\\\": 21, \\\"num_triton_choices\\\": 19}\"\n"
      "\t\"autotune_choices_stats\": \"{\\\"num_choices\\\": 2");
  ASSERT_EQ(kept.orphans.size(), 2u);
  EXPECT_EQ(kept.orphans[0].kind, Orphan::Kind::kStats);
  EXPECT_EQ(kept.orphans[0].line, 3u);
  EXPECT_EQ(kept.orphans[0].num_choices, 20);
  EXPECT_EQ(kept.orphans[0].num_triton_choices, 19);
  EXPECT_EQ(kept.orphans[1].num_choices, 21);
}

TEST(Blocks, ForeignLinesDoNotEndABlock) {
  const Kept kept = Read(
      "AUTOTUNE mm(8x8, 8x8)\n\n  mm 0.1000 ms 100.0% \n[...]\nTraceback (most recent call last):\n  File "
      "\"/usr/lib/python3.12/x.py\", line 58, in run\n"
      "  triton_mm_1 0.1500 ms 66.7% A=1\nSingleProcess AUTOTUNE takes 0.12 seconds\n");
  ASSERT_EQ(kept.blocks.size(), 1u);
  EXPECT_EQ(kept.blocks[0].choices.size(), 2u);
  EXPECT_EQ(kept.blocks[0].end_line, 8u);
}

TEST(Blocks, CutByTheNextHeader) {
  const Kept kept = Read(
      "AUTOTUNE mm(8x8, 8x8)\n  mm 0.1000 ms 100.0% \ntorch.OutOfMemoryError: CUDA out of memory.\n"
      "AUTOTUNE mm(16x8, 8x8)\n  mm 0.2000 ms 100.0% \n  triton_mm_3 0.2500 ms 80.0% \nSingleProcess AUTOTUNE takes "
      "0.12 seconds\n");
  ASSERT_EQ(kept.blocks.size(), 2u);
  EXPECT_FALSE(kept.blocks[0].complete);
  EXPECT_EQ(kept.blocks[0].end_line, 2u);
  EXPECT_TRUE(kept.blocks[1].complete);
  EXPECT_EQ(kept.counters.at("cut_block"), 1);
}

TEST(Blocks, WithoutFooterOnlySecondsAreComplete) {
  EXPECT_TRUE(Read("AUTOTUNE mm(8x8, 8x8)\n  mm 0.0184s 100.0%\n").blocks.at(0).complete);
  EXPECT_TRUE(Read("AUTOTUNE mm(8x8, 8x8)\n  mm 0.0184s 100.0%\nstep 0 loss 10.9").blocks.at(0).complete);
  EXPECT_TRUE(Read("AUTOTUNE mm(8x8, 8x8)\n  mm 0.0184s 100.0%").blocks.at(0).complete);
  EXPECT_FALSE(Read("AUTOTUNE mm(8x8, 8x8)\n  mm 0.0184s 100.0%\n  triton_mm_1").blocks.at(0).complete);
  EXPECT_FALSE(Read("AUTOTUNE mm(8x8, 8x8)\n  mm 0.0184s 100.0%\n  triton_mm_1 0.0195s 94").blocks.at(0).complete);
  EXPECT_FALSE(Read("AUTOTUNE mm(8x8, 8x8)\n  mm 0.0184 ms 100.0%\n").blocks.at(0).complete);
}

TEST(Blocks, UnknownNamesAreKeptAndCounted) {
  const Kept kept = Read(
      "AUTOTUNE mm(8x8, 8x8)\n  newback_gemm_3 0.1000 ms 100.0% \n  mm 0.1100 ms 90.9% \nSingleProcess AUTOTUNE takes "
      "0.12 seconds\n");
  EXPECT_EQ(kept.blocks.at(0).choices.at(0).backend, "UNKNOWN");
  EXPECT_EQ(kept.counters.at("unknown_choice"), 1);
}

TEST(Blocks, LookAlikesAreNothing) {
  const Kept kept = Read(
      "forward 12.3 ms 45.0% of the step\nbackward 13.3 ms 55.0%\nAUTOTUNE\nAUTOTUNE mm\nAUTOTUNE takes 3 "
      "seconds\ntf.data.AUTOTUNE (8x8)\n"
      "  - mm: 0.123456 ms \xe2\x86\x90 SELECTED\n[COLLECTIVE AUTOTUNING] All timings:\n");
  EXPECT_TRUE(kept.blocks.empty());
  EXPECT_TRUE(kept.orphans.empty());
}

TEST(Blocks, HeadAndTailOfAWrappedTable) {
  const Kept kept = Read(
      "[default3]:  triton_mm_1 0.1500 ms 66.7% A=1\n[default3]:SingleProcess AUTOTUNE takes 0.12 "
      "seconds\n[default3]:AUTOTUNE mm(8x8, 8x8)\n");
  EXPECT_EQ(Count(kept, Orphan::Kind::kRow), 1);
  EXPECT_EQ(Count(kept, Orphan::Kind::kFooter), 1);
  ASSERT_EQ(kept.orphans.size(), 2u);
  EXPECT_EQ(kept.orphans[0].labels.rank, 3);
  EXPECT_EQ(kept.blocks.at(0).end_line, 3u);
}

TEST(Blocks, HandAlignedColumnsWithRemarks) {
  const Kept kept = Read(
      "Before:\n\n    AUTOTUNE mm(4096x4096, 4096x4096)\n      triton_mm_42        0.2134 ms   100.0%   <- winner\n"
      "      mm                  0.2301 ms    92.7%   <- baseline\n      triton_mm_7         0.2510 ms    85.0% "
      "\xf0\x9f\x90\x8c\n      ...\n"
      "    AUTOTUNE picks triton_mm_42, takes 2.1 seconds\n");
  ASSERT_EQ(kept.blocks.size(), 1u);
  EXPECT_EQ(kept.blocks[0].choices.size(), 3u);
  EXPECT_EQ(kept.blocks[0].end_line, 6u);
  EXPECT_FALSE(kept.blocks[0].complete);
}

TEST(Blocks, ElidedByHandThenAWholeOne) {
  const Kept kept = Read(
      "AUTOTUNE mm(2048x524288, 524288x2048)\n  rocm_ck_gemm_template_49 10.4000 ms 100.0%\n"
      "  rocm_ck_gemm_template_8 10.5000 ms 99.0%\n[...]\n  mm 20.8000 ms 50.0%\n[...]\n"
      "AUTOTUNE mm(8x8, 8x8)\n  rocm_ck_gemm_template_3 0.0100 ms 100.0% \n  mm 0.0200 ms 50.0% \n"
      "SingleProcess AUTOTUNE benchmarking takes 1.1000 seconds and 0.1000 seconds precompiling for 2 choices\n");
  ASSERT_EQ(kept.blocks.size(), 2u);
  EXPECT_EQ(kept.blocks[0].choices.size(), 3u);
  EXPECT_EQ(kept.blocks[0].end_line, 5u);
  EXPECT_TRUE(kept.blocks[1].complete);
  EXPECT_EQ(kept.blocks[1].choices[0].backend, "CK");
}

TEST(Blocks, ZeroTimes) {
  const Kept kept = Read(
      "AUTOTUNE mm(8x8, 8x8)\n  mm 0.0000 ms <DIVIDED BY ZERO ERROR>\n  triton_mm_1 0.0102 ms 0.0%\n"
      "SingleProcess AUTOTUNE takes 1.1000 seconds\n");
  ASSERT_EQ(kept.blocks.at(0).choices.size(), 2u);
  EXPECT_EQ(kept.blocks[0].choices[0].pct, std::nullopt);
  EXPECT_EQ(kept.blocks[0].torch_range, "2.2 - 2.3");
}

TEST(Blocks, RowsWithoutMsLiteralFarFromTheirHeaderAreNotRead) {
  std::string text = "AUTOTUNE mm(8x8, 8x8)\n  mm 0.0184s 100.0%\n";
  for (int i = 0; i < 400; ++i) text += "step " + std::to_string(i) + "\n";
  text += "  triton_mm_1 0.0195s 94.4%\n";
  EXPECT_EQ(Read(text).blocks.at(0).choices.size(), 1u);
}

// --- mixtures
// -------------------------------------------------------------------------------------------------------------

TEST(Mixed, HeadersThenStridesTwice) {
  const Kept kept = Read(
      "AUTOTUNE mm(8x8, 8x8)\nAUTOTUNE mm(8x8, 8x8)\nstrides: [8, 1], [8, 1]\nstrides: [8, 1], [8, 1]\ndtypes: "
      "torch.float16, torch.float16\ndtypes: torch.float16, torch.float16\n"
      "  mm 0.1000 ms 100.0% \n  mm 0.1010 ms 100.0% \n  triton_mm_1 0.1100 ms 90.9% A=1\n  triton_mm_1 0.1111 ms "
      "90.9% A=1\n"
      "SingleProcess AUTOTUNE takes 0.12 seconds\nSingleProcess AUTOTUNE takes 0.13 seconds\n"
      "AUTOTUNE mm(16x8, 8x8)\nstrides: [8, 1], [8, 1]\n  mm 0.1000 ms 100.0% \nSingleProcess AUTOTUNE takes 0.12 "
      "seconds\n");
  ASSERT_EQ(kept.blocks.size(), 1u);
  EXPECT_EQ(kept.blocks[0].line, 13u);
  EXPECT_TRUE(kept.blocks[0].complete);
  EXPECT_EQ(Count(kept, Orphan::Kind::kRow), 4);
  EXPECT_EQ(Count(kept, Orphan::Kind::kFooter), 2);
}

TEST(Mixed, HeadersThenFooterTwice) {
  const Kept kept = Read(
      "AUTOTUNE mm(8x8, 8x8)\nAUTOTUNE mm(8x8, 8x8)\n  mm 0.1000 ms 100.0%\n  mm 0.1000 ms 100.0%\n  triton_mm_1 "
      "0.1100 ms 90.9%\n"
      "SingleProcess AUTOTUNE takes 0.12 seconds\n  triton_mm_1 0.1111 ms 90.0%\nSingleProcess AUTOTUNE takes 0.13 "
      "seconds\n");
  EXPECT_TRUE(kept.blocks.empty());
  EXPECT_EQ(Count(kept, Orphan::Kind::kRow), 4);
  EXPECT_EQ(Count(kept, Orphan::Kind::kFooter), 2);
}

TEST(Mixed, AHeaderWithoutRowsThenAWholeBlock) {
  const Kept kept = Read(
      "AUTOTUNE mm(8x8, 8x8)\nKilled\nAUTOTUNE mm(16x8, 8x8)\n  mm 0.1000 ms 100.0%\n  triton_mm_1 0.1100 ms "
      "90.9%\nSingleProcess AUTOTUNE takes 0.12 seconds\n");
  ASSERT_EQ(kept.blocks.size(), 2u);
  EXPECT_FALSE(kept.blocks[0].complete);
  EXPECT_TRUE(kept.blocks[1].complete);
}

TEST(Mixed, ATableThatGoesOnBehindAnotherHeader) {
  const Kept kept = Read(
      "AUTOTUNE mm(8x8, 8x8)\n  mm 0.1000 ms 100.0%\nAUTOTUNE bmm(4x8x8, 4x8x8)\n  triton_mm_1 0.1100 ms 90.9%\n  bmm "
      "0.0500 ms 100.0%\n"
      "  triton_bmm_2 0.0600 ms 83.3%\nSingleProcess AUTOTUNE takes 0.12 seconds\nSingleProcess AUTOTUNE takes 0.13 "
      "seconds\n");
  ASSERT_EQ(kept.blocks.size(), 1u);
  EXPECT_EQ(kept.blocks[0].op, "mm");
  EXPECT_EQ(kept.blocks[0].choices.size(), 1u);
  EXPECT_EQ(Count(kept, Orphan::Kind::kRow), 3);
}

// --- broken lines
// ----------------------------------------------------------------------------------------------------------

// As a terminal of that width shows it: broken at the edge, and padded when `pad`.
std::string HardWrap(const std::vector<std::string>& lines, size_t width, bool pad) {
  std::string text;
  for (const std::string& line : lines) {
    for (size_t at = 0; at < line.size(); at += width) {
      std::string piece = line.substr(at, width);
      if (pad) piece.resize(width, ' ');
      text += piece + "\n";
    }
  }
  return text;
}

TEST(HardWrap, AtAnyWidth) {
  const std::vector<std::string> lines = {
      "step 12 loss 2.1931",
      "Autotune Choices Stats:",
      R"({"num_choices": 20, "num_triton_choices": 19, "best_kernel": "triton_mm_6", "best_kernel_desc": "ACC_TYPE='tl.float32', ALLOW_TF32=False, BLOCK_K=32", "best_time": 0.0412})",
      "AUTOTUNE addmm(1024x7680, 1024x1024, 1024x7680)",
      "strides: [0, 1], [1, 1024], [7680, 1]",
      "dtypes: torch.bfloat16, torch.bfloat16, torch.bfloat16",
      "  triton_mm_6 0.0412 ms 100.0% ACC_TYPE='tl.float32', ALLOW_TF32=False, BLOCK_K=32, BLOCK_M=128, BLOCK_N=128, "
      "EVEN_K=True, GROUP_M=8, USE_FAST_ACCUM=False, num_stages=3, num_warps=4",
      "  addmm 0.0431 ms 95.6% ",
      "  triton_mm_13 0.0440 ms 93.6% ACC_TYPE='tl.float32', ALLOW_TF32=False, BLOCK_K=64, BLOCK_M=128, BLOCK_N=128, "
      "EVEN_K=True, GROUP_M=8, USE_FAST_ACCUM=False, num_stages=3, num_warps=4",
      "SingleProcess AUTOTUNE benchmarking takes 0.4410 seconds and 1.2033 seconds precompiling for 20 choices",
      "step 13 loss 2.1"};
  const Kept whole = ReadText(HardWrap(lines, 500, false));
  ASSERT_EQ(whole.blocks.size(), 1u);
  for (bool pad : {true, false}) {
    for (size_t width = 40; width <= 190; width += pad ? 1 : 7) {
      SCOPED_TRACE(std::to_string(width) + (pad ? " padded" : ""));
      const std::string text = HardWrap(lines, width, pad);
      const Kept kept = ReadText(text);
      ASSERT_EQ(kept.blocks.size(), 1u);
      const Block& block = kept.blocks[0];
      EXPECT_EQ(block.shapes, whole.blocks[0].shapes);
      EXPECT_EQ(block.strides, whole.blocks[0].strides);
      ASSERT_EQ(block.choices.size(), 3u);
      EXPECT_EQ(block.num_choices_stats, 20);
      if (pad) {  // without padding an edge that falls between two words leaves no trace
        EXPECT_EQ(block.num_choices, 20);
        EXPECT_TRUE(block.complete);
        EXPECT_EQ(block.dtypes, whole.blocks[0].dtypes);
        for (size_t i = 0; i < 3; ++i) EXPECT_EQ(block.choices[i].description, whole.blocks[0].choices[i].description);
      }
      EXPECT_TRUE(kept.orphans.empty());
      EXPECT_EQ(Describe(ReadText(text, true)), Describe(kept));
    }
  }
}

TEST(HardWrap, AWholeLogIsNotJoined) {
  const Kept kept = Read(
      "AUTOTUNE mm(8x8, 8x8)\n  triton_mm_6 0.0412 ms 100.0% ACC_TYPE='tl.float32', ALLOW_TF32=False, "
      "num_warps=4\nwarning: something\n"
      "  triton_mm_7 0.0440 ms 93.6% ACC_TYPE='tl.float32', ALLOW_TF32=False, num_warps=4\nstep\nSingleProcess "
      "AUTOTUNE takes 0.12 seconds\n");
  ASSERT_EQ(kept.blocks.size(), 1u);
  for (const Choice& c : kept.blocks[0].choices)
    EXPECT_EQ(c.description, "ACC_TYPE='tl.float32', ALLOW_TF32=False, num_warps=4");
}

// --- bounds
// ---------------------------------------------------------------------------------------------------------------

TEST(Bounds, EndlessStreamsAndRowsAreCapped) {
  Kept kept;
  LogParser parser(TestRules(), "log", &kept);
  uint64_t line = 0;
  for (int i = 0; i < 5000; ++i) parser.Line("[default" + std::to_string(i) + "]:AUTOTUNE mm(8x8, 8x8)", ++line);
  EXPECT_GE(kept.blocks.size(), 3000u);  // evicted ones come out as they are
  for (int i = 0; i < 30000; ++i) parser.Line("[default4999]:  mm 0.1000 ms 100.0% ", ++line);
  parser.Finish(true);
  EXPECT_GT(kept.counters["dropped_row"], 0);
}

TEST(Bounds, AnythingIsSurvived) {
  constexpr char kStart[] = "\0\x1b[\x1b]x\xff\xfe{\"log\":\"\r\bAUTOTUNE mm(8x8\x1b";
  std::string bytes(kStart, sizeof(kStart) - 1);
  uint32_t state = 7;
  for (int i = 0; i < 20000; ++i) {
    state = state * 1664525 + 1013904223;
    bytes.push_back(i % 37 == 0 ? '\n' : static_cast<char>(state >> 24));
  }
  EXPECT_TRUE(ReadText(bytes).blocks.empty());
}

}  // namespace
}  // namespace autotune
