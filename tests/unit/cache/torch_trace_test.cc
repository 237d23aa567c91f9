#include "analyzer/cache/torch_trace.h"

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "analyzer/identity/pickle_key.h"

namespace autotune {
namespace {

using Lines = std::vector<std::pair<std::string, uint64_t>>;

constexpr char kFalse[] = "[esstihe2nyydk4mhzpvox3qkajyu5y5t23hk3fi2me7jn75xi3o]";

Lines Read(const std::vector<std::string>& text, std::vector<uint64_t>* left = nullptr) {
  Lines out;
  TorchTrace trace([&](std::string_view line, uint64_t number) { out.emplace_back(line, number); });
  for (size_t i = 0; i < text.size(); ++i) {
    if (!trace.Line(text[i], i + 1) && left) left->push_back(i + 1);
  }
  return out;
}

std::string Header(const std::string& name) {
  return "V1130 20:16:16.660000 7244 torch/x.py:1] {\"artifact\": {\"name\": \"" + name +
         "\", \"encoding\": \"json\"}, \"has_payload\": \"f6\"}";
}

TEST(TorchTrace, AMissWithItsComponents) {
  std::vector<uint64_t> left;
  Lines lines =
      Read({Header("fx_graph_cache_miss"),
            std::string("\t{\"cache_status_detailed\": \"full_miss\", \"key\": \"fno25\", \"components\": [\"") +
                kFalse + " inductor_config[max_autotune]: False\", \"" + kFalse +
                " gm: <lambda>()\\n\\ndef forward(self)\"], \"compile_id\": \"0/0\"}",
            "V1130 20:16:16.661000 7244 torch/y.py:1] {\"chromium_event\": {}}"},
           &left);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0].first, "V1130 20:16:16.660000 7244 torch/x.py:1] FX cache key generated: fno25");
  EXPECT_EQ(lines[1].first, std::string("V1130 20:16:16.660000 7244 torch/x.py:1] ") + kFalse +
                                " inductor_config[max_autotune]: False");
  EXPECT_EQ(lines[1].second, 2u);
  EXPECT_EQ(lines[2].first, std::string("V1130 20:16:16.660000 7244 torch/x.py:1] ") + kFalse + " gm: <lambda>()");
  EXPECT_EQ(left, (std::vector<uint64_t>{1, 3})) << "the header names the outcome itself";
}

TEST(TorchTrace, PayloadsOverSeveralLines) {
  Lines lines = Read({Header("aotautograd_cache_hit"), "\t{", "\t\"key\": \"arut6\",", "\t\"components\": [",
                      std::string("\t\"") + kFalse + " grad_enabled: False\"", "\t]", "\t}"});
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].first, "V1130 20:16:16.660000 7244 torch/x.py:1] AOTAutograd cache hit for key arut6");
  EXPECT_EQ(lines[0].second, 3u);
  EXPECT_EQ(lines[1].second, 5u);
}

TEST(TorchTrace, BypassReasons) {
  Lines lines =
      Read({Header("fx_graph_cache_bypass"), "\t{\"key\": null, \"cache_bypass_reason\": \"Custom \\\"pass\\\"\"}"});
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].first,
            "V1130 20:16:16.660000 7244 torch/x.py:1] Bypassing FX Graph Cache because 'Custom \"pass\"'");
  lines = Read({Header("aotautograd_cache_bypass"), "\t{\"cache_bypass_reason\": \"Freezing\"}"});
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].first, "V1130 20:16:16.660000 7244 torch/x.py:1] Bypassing autograd cache due to: Freezing");
}

TEST(TorchTrace, OtherArtifactsAndPlainLinesAreLeft) {
  std::vector<uint64_t> left;
  EXPECT_TRUE(Read({Header("fx_graph_runnable"), std::string("\t\"") + kFalse + " x: False\"", "\ttext",
                    "AUTOTUNE mm(8x8, 8x8)", "  \"key\": \"value\""},
                   &left)
                  .empty());
  EXPECT_EQ(left.size(), 5u);
}

TEST(TorchTrace, CutPayloadsAreReadUpToTheCut) {
  std::string payload = std::string("\t{\"key\": \"fno25\", \"components\": [\"") + kFalse + " a: False\", \"" +
                        kFalse + " b: quote \\\" and \\\\\"]}";
  for (size_t length = 0; length <= payload.size(); ++length) {
    Lines lines = Read({Header("fx_graph_cache_miss"), payload.substr(0, length)});
    EXPECT_LE(lines.size(), 3u);
  }
  Lines whole = Read({Header("fx_graph_cache_miss"), payload});
  ASSERT_EQ(whole.size(), 3u);
  EXPECT_NE(whole[2].first.find("b: quote \" and \\"), std::string::npos);
}

// The recorded trace: its components are those of the run's listing, and plain values hash to what stands before them.
TEST(TorchTrace, ARecordedTrace) {
  archive* handle = archive_read_new();
  archive_read_support_filter_gzip(handle);
  archive_read_support_format_raw(handle);
  ASSERT_EQ(archive_read_open_filename(handle, SOURCE_DIR "/corpus/lab/torch-trace-cold/torch_trace.log.gz", 1 << 16),
            ARCHIVE_OK);
  archive_entry* entry = nullptr;
  ASSERT_EQ(archive_read_next_header(handle, &entry), ARCHIVE_OK);
  std::string text;
  char buffer[1 << 16];
  for (la_ssize_t n; (n = archive_read_data(handle, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<size_t>(n));
  archive_read_free(handle);

  std::map<uint64_t, size_t> components;
  size_t identified = 0, total = 0;
  TorchTrace trace([&](std::string_view line, uint64_t number) {
    size_t open = line.find("] [");
    if (open == std::string_view::npos) return;
    ++components[number];
    ++total;
    std::string_view rest = line.substr(open + 56);
    size_t colon = rest.find(": ");
    identified += colon != std::string_view::npos &&
                  IdentifyListed(line.substr(open + 3, 51), rest.substr(colon + 2)).has_value();
  });
  uint64_t number = 0;
  for (size_t at = 0; at < text.size();) {
    size_t end = text.find('\n', at);
    trace.Line(std::string_view(text).substr(at, end - at), ++number);
    if (end == std::string::npos) break;
    at = end + 1;
  }
  EXPECT_EQ(components.size(), 2u) << "aotautograd_cache_miss and fx_graph_cache_miss, one payload line each";
  EXPECT_GT(total, 1000u);
  EXPECT_GT(identified * 100, total * 97);
}

}  // namespace
}  // namespace autotune
