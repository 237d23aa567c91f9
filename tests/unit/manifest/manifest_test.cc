#include "analyzer/manifest/manifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "tests/unit/manifest/facts_listing.h"

namespace autotune {
namespace {

using testing::HasSubstr;

// The facts of `text` without line numbers, "; " between them.
std::string Said(std::string_view text) {
  std::string out;
  for (const Fact& fact : ParseManifest("m.md", text, Rules()).facts) {
    if (!out.empty()) out += "; ";
    out += fact.setting + (fact.not_set ? " not set" : "=" + fact.value) + (fact.from_checklist ? " (checklist)" : "");
  }
  return out;
}

TEST(ParseManifest, ReadsItemsOfEveryUsualForm) {
  for (const char* text : {"- Torch: 2.11.0",
                           "* Torch: 2.11.0",
                           "+ **Torch**: 2.11.0",
                           "- **Torch:** 2.11.0",
                           "1. Torch: 2.11.0",
                           "- Torch = 2.11.0",
                           "- `Torch`: `2.11.0`",
                           "- Torch — 2.11.0",
                           "- Torch – 2.11.0",
                           "- Torch -> 2.11.0",
                           "- Torch - 2.11.0",
                           "- __PyTorch version__: *2.11.0*",
                           "- [PyTorch](https://pytorch.org): 2.11.0",
                           "- Torch:\n  2.11.0",
                           "Torch: 2.11.0",
                           "> - Torch: 2.11.0",
                           "- Torch: 2.11.0 (from the index)",
                           "- Torch: `2.11.0` and nothing else",
                           "- `Torch: 2.11.0`",
                           "- Torch: \"2.11.0\"",
                           "- Torch&colon; 2.11.0"})
    EXPECT_EQ(Said(text), "torch=2.11.0") << text;
}

TEST(ParseManifest, ReadsTablesOfEveryUsualForm) {
  for (const char* text :
       {"| Package | Version |\n|---|---|\n| Torch | 2.11.0 |", "Package | Version\n---|---\nTorch | 2.11.0",
        "| Package | Version |\n|:--|--:|\n| **Torch** | `2.11.0` |",
        "| # | Name | Value |\n|-|-|-|\n| 1 | Torch | 2.11.0 |",
        "| Name | Meaning | Value |\n|-|-|-|\n| Torch | the framework | 2.11.0 |", "| Torch | 2.11.0 |\n|---|---|",
        "| Version | Package |\n|---|---|\n| x | y |\n\n| Package | Version |\n|---|---|\n| Torch | 2.11.0 |"})
    EXPECT_EQ(Said(text), "torch=2.11.0") << text;
  EXPECT_EQ(Said("| GPU | Torch |\n|---|---|\n| NVIDIA H200 | 2.11.0 |"), "gpu=NVIDIA H200; torch=2.11.0");
}

TEST(ParseManifest, ReadsVariablesHoweverTheyAreEscaped) {
  for (const char* name :
       {"TRITON_CACHE_DIR", "TRITON\\_CACHE\\_DIR", "`TRITON_CACHE_DIR`", "**TRITON_CACHE_DIR**", "$TRITON_CACHE_DIR",
        "export TRITON_CACHE_DIR", "Triton cache dir", "TRITON&#95;CACHE&lowbar;DIR"})
    EXPECT_EQ(Said("| Setting | Value |\n|-|-|\n| " + std::string(name) + " | `/x_y` |"), "TRITON_CACHE_DIR=/x_y")
        << name;
}

TEST(ParseManifest, ReadsShellAndYamlInCodeBlocksAlone) {
  EXPECT_EQ(Said("```bash\nexport TRITON_CACHE_DIR=/x # why\n# TORCHINDUCTOR_CACHE_DIR=/no\n```"),
            "TRITON_CACHE_DIR=/x");
  EXPECT_EQ(Said("```\nTRITON_CACHE_DIR='/a b' TORCHINDUCTOR_COMPILE_THREADS=4 python x.py --mode=1\n```"),
            "TRITON_CACHE_DIR=/a b; TORCHINDUCTOR_COMPILE_THREADS=4");
  EXPECT_EQ(Said("```yaml\nTRITON_CACHE_DIR: \"/x\"\n```"), "TRITON_CACHE_DIR=/x");
  EXPECT_EQ(Said("```\nprint('Torch: 1.0')\nGPU: fake\n```"), "");
  EXPECT_EQ(Said("```\nTRITON_CACHE_DIR=\n```"), "TRITON_CACHE_DIR not set");
}

TEST(ParseManifest, KnowsTheWaysToSayNotSet) {
  for (const char* value :
       {"N/A", "`N/A`", "n/a", "-", "—", "", "None", "unset", "not set", "(none)", "N/A (NVIDIA build)"})
    EXPECT_EQ(Said("| Setting | Value |\n|-|-|\n| HIP / ROCm | " + std::string(value) + " |"), "hip not set") << value;
  for (const char* value : {"?", "TBD", "unknown"})
    EXPECT_EQ(Said("| Setting | Value |\n|-|-|\n| HIP / ROCm | " + std::string(value) + " |"), "") << value;
}

TEST(ParseManifest, SectionsTellSameNamesApart) {
  EXPECT_EQ(Said("## Hardware\n- Architecture: gfx942\n## Model\n- Architecture: Llama"),
            "architecture=gfx942; model=Llama");
  EXPECT_EQ(Said("## Model\n- Architecture: Llama\n## Hardware\n- Architecture: gfx942"),
            "model=Llama; architecture=gfx942");
  EXPECT_EQ(Said("- Model\n  - Architecture: Llama\n- GPU\n  - Architecture: sm_90"),
            "model=Llama; architecture=sm_90");
  EXPECT_EQ(Said("# Model cache\n\n- Architecture: sm_90"), "architecture=sm_90") << "the title is no section";
  EXPECT_EQ(Said("## Model\n### Weights\n- Architecture: Llama"), "model=Llama") << "outer headings count";
}

TEST(ParseManifest, CacheStatisticsCountFilesAndNameNoFolder) {
  EXPECT_EQ(
      Said("## Cache Statistics\n| Cache | Files |\n|-|-|\n| inductor\\_cache | 615 |\n| tar.zst size | 91.6 MB |"),
      "cache_files:inductor_cache=615; cache_archive_size=91.6 MB");
  EXPECT_EQ(Said("- Inductor cache: /x"), "TORCHINDUCTOR_CACHE_DIR=/x");
}

TEST(ParseManifest, NamesWithParenthesesMayStateTwoThings) {
  EXPECT_EQ(Said("- GPU count (world_size): 8 (16)"), "world_size=16");
  EXPECT_EQ(Said("- GPU count (world_size): 8"), "world_size=8");
  EXPECT_EQ(Said("- GPU (architecture): NVIDIA H200 (sm_90)"), "architecture=sm_90; gpu=NVIDIA H200");
  EXPECT_EQ(Said("- Sequence length (tokens): 1024"), "sequence_length=1024");
  EXPECT_EQ(Said("- Cache folder (TORCHINDUCTOR_CACHE_DIR): /x"), "TORCHINDUCTOR_CACHE_DIR=/x");
}

TEST(ParseManifest, FreeTextsAreKeptWholeAndOthersLoseTheirComments) {
  EXPECT_EQ(Said("- Trainable params: fp32 (~337M — new alignment modules)"),
            "dtype=fp32 (~337M — new alignment modules)");
  EXPECT_EQ(Said("- TRITON_CACHE_DIR: `/x y` (on the PVC)"), "TRITON_CACHE_DIR=/x y");
  EXPECT_EQ(Said("- GEMM backends: `ATEN`, `TRITON` — no CK"), "TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS=ATEN, TRITON");
}

TEST(ParseManifest, ValuesThatCannotBeTheSettingsStateNothing) {
  EXPECT_EQ(Said("- Trainable params: 337M"), "");
  EXPECT_EQ(Said("- Torch: see below"), "");
  EXPECT_EQ(Said("- World size: all of them"), "");
  EXPECT_EQ(Said("- Weights: internal"), "");
}

TEST(ParseManifest, ChecklistLinesSayWhatIsCode) {
  const std::string head = "## Trigger Checklist\n";
  EXPECT_EQ(Said(head + "1. `TRITON_CACHE_DIR` == `/x` (must NOT be `~/.triton`)"), "TRITON_CACHE_DIR=/x (checklist)");
  EXPECT_EQ(Said(head + "1. Torch version matches: `2.7.1+cu126` — other versions differ."),
            "torch=2.7.1+cu126 (checklist)");
  EXPECT_EQ(Said(head + "1. Triton version matches `3.3.1`"), "triton=3.3.1 (checklist)");
  EXPECT_EQ(Said(head + "1. `TORCHINDUCTOR_CK_DIR` points to valid CK root: `N/A`"),
            "TORCHINDUCTOR_CK_DIR not set (checklist)");
  EXPECT_EQ(Said(head + "1. `TRITON_CACHE_DIR` must not be `/tmp`"), "");
  EXPECT_EQ(Said(head + "1. `TRITON_CACHE_DIR` != `/tmp`"), "");
  EXPECT_EQ(Said(head + "1. `library/src` symlink exists (needed for gemm_universal)"), "");
  EXPECT_EQ(Said("- `TRITON_CACHE_DIR` == `/x`"), "TRITON_CACHE_DIR=/x (checklist)");
  EXPECT_EQ(Said("- [x] TRITON_CACHE_DIR: /x"), "TRITON_CACHE_DIR=/x (checklist)");
}

TEST(ParseManifest, StruckAndCommentedTextStatesNothing) {
  EXPECT_EQ(Said("- Torch: ~~2.10.0~~ 2.11.0"), "torch=2.11.0");
  EXPECT_EQ(Said("<!-- Torch: 2.10.0 -->\n"), "");
  EXPECT_EQ(Said("- TRITON_CACHE_DIR: `/a~~b~~c`"), "TRITON_CACHE_DIR=/a~~b~~c");
}

TEST(ParseManifest, RowsThatAreNoSettingAreKeptApart) {
  const Manifest manifest =
      ParseManifest("m.md", "\n- Generated: today\n\n| Setting | Value |\n|-|-|\n| Foo | 1 |", Rules());
  ASSERT_EQ(manifest.unknown_rows.size(), 2u);
  EXPECT_EQ(manifest.unknown_rows[0].name, "Generated");
  EXPECT_EQ(manifest.unknown_rows[0].line, 2u);
  EXPECT_EQ(manifest.unknown_rows[1].name, "Foo");
  EXPECT_EQ(manifest.unknown_rows[1].line, 6u);
}

TEST(ParseManifest, OddBytesDoNoHarm) {
  EXPECT_EQ(Said(std::string_view("- Torch: 2.11.0\xFF\xFE\n- GPU: H\x80 200\n- Triton: 3.6.0\0\n", 47)).substr(0, 12),
            "torch=2.11.0");
  EXPECT_EQ(Said(""), "");
  EXPECT_EQ(Said("\xEF\xBB\xBF"), "");
  EXPECT_EQ(Said("\r- Torch: 2.11.0\r- Triton: 3.6.0"), "torch=2.11.0; triton=3.6.0");
}

// Nothing here may cost more than in proportion to its size.
TEST(ParseManifest, HugeAndHostileTextsEndSoon) {
  const auto repeat = [](std::string_view part, size_t bytes) {
    std::string out;
    while (out.size() < bytes) out += part;
    return out;
  };
  const size_t size = 1 << 19;
  for (const std::string& text :
       {repeat("=", size), "- " + repeat(" = ", size), repeat("`a` ", size), repeat("~~a~~ ", size),
        repeat("- a\n", size), "| a | b |\n|-|-|\n" + repeat("| `a\\|b` | ~~c~~ |\n", size),
        "# " + repeat("x ", size) + "\n- Torch: 2.1", "```\n" + repeat("A_BC=", size) + "\n```",
        repeat("- Torch: 2.1\n  ", size), repeat("> ", 4000)}) {
    const auto start = std::chrono::steady_clock::now();
    const Manifest manifest = ParseManifest("m.md", text, Rules());
    LintManifest(manifest, text, Rules());
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20)) << text.substr(0, 20);
  }
}

class ReadManifestFile : public testing::Test {
 protected:
  std::string Write(std::string_view text) {
    const std::string path = testing::TempDir() + "/read_manifest_test.md";
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
};

TEST_F(ReadManifestFile, ReadsOneThatStatesSomething) {
  const absl::StatusOr<Manifest> manifest = ReadManifest(Write("# T\n- Torch: 2.11.0\n"), Rules());
  ASSERT_TRUE(manifest.ok()) << manifest.status();
  EXPECT_EQ(manifest->title, "T");
  EXPECT_EQ(manifest->facts.size(), 1u);
}

TEST_F(ReadManifestFile, SaysWhatIsWrongAndWhatToDo) {
  EXPECT_THAT(std::string(ReadManifest("/no/such/m.md", Rules()).status().message()),
              HasSubstr("cannot open the manifest /no/such/m.md: No such file"));
  EXPECT_THAT(std::string(ReadManifest(testing::TempDir(), Rules()).status().message()), HasSubstr("is a folder"));
  EXPECT_THAT(std::string(ReadManifest(Write("hello"), Rules()).status().message()), HasSubstr("states no setting"));
  EXPECT_THAT(std::string(ReadManifest(Write("\xFF\xFE#\0"), Rules()).status().message()), HasSubstr("UTF-16"));
  const std::string big = Write("");
  std::filesystem::resize_file(big, (16 << 20) + 1);
  EXPECT_THAT(std::string(ReadManifest(big, Rules()).status().message()), HasSubstr("is it a log?"));
}

}  // namespace
}  // namespace autotune
