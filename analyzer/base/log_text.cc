#include "analyzer/base/log_text.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace autotune {
namespace {

constexpr std::array<uint8_t, 256> ByteRarities() {
  std::array<uint8_t, 256> rarity{};
  for (auto& r : rarity) r = 6;
  for (size_t c = 'a'; c <= 'z'; ++c) rarity[c] = 2;
  for (size_t c = 'A'; c <= 'Z'; ++c) rarity[c] = 4;
  for (size_t c = '0'; c <= '9'; ++c) rarity[c] = 1;
  for (const char c : std::string_view(" etaoinsrl.")) rarity[static_cast<unsigned char>(c)] = 1;
  for (const char c : std::string_view("jkqxyzwv_:/-,()[]")) rarity[static_cast<unsigned char>(c)] = 3;
  return rarity;
}
constexpr std::array<uint8_t, 256> kByteRarity = ByteRarities();

constexpr std::string_view kCommonTexts[] = {
    "torch/_inductor/codecache.py",
    "torch/_inductor/select_algorithm.py:",
    "torch/_inductor/graph.py:",
    "torch/_inductor/scheduler.py:",
    "torch/_inductor/utils.py:",
    "torch/_inductor/runtime/autotune_cache.py",
    "torch/_inductor/template_heuristics/registry.py:",
    "torch/_dynamo/convert_frame.py",
    "/runtime/triton_heuristics.py",
    "/python3/dist-packages/torch/",
    "lib/python3.10/site-packages/torch/",
    "lib/python3.11/site-packages/",
    "lib/python3.12/site-packages/torch/",
    "torch.ops.aten.default(",
    "torch.float32",
    "torch.bfloat16",
    "convert_element_type",
    "torchinductor",
    "triton_mm_",
    "AUTOTUNE ",
    "] [0/0] ",
    "[rank0]:",
    ", line ",
    "  File \"/usr/local/lib/python",
    "TensorMetadata(dtype=torch.",
    "        self.assert",
    "kernel_name",
    "num_warps num_stages BLOCK_M GROUP_M EVEN_K",
    "ACC_TYPE='tl.float32'",
    " = None",
    "compile",
    "inductor_config[",
    "device='cuda:0'",
    "Registered template heuristic: CUDAMMTemplateConfigHeuristic for 'template_name='triton::mm'",
    "out of resource: shared memory, Required: ",
};

constexpr uint32_t Hash(uint32_t window) { return (window * 0x9E3779B1u) >> 16; }
constexpr uint32_t Window(const char* bytes) {
  uint32_t window = 0;
  for (int i = 3; i >= 0; --i) window = window << 8 | static_cast<unsigned char>(bytes[i]);
  return window;
}

// A bit for each window of the texts above. Others fall on the same bits, which makes them less wanted.
constexpr std::array<uint64_t, (size_t{1} << 16) / 64> CommonWindows() {
  std::array<uint64_t, (size_t{1} << 16) / 64> windows{};
  for (const std::string_view text : kCommonTexts) {
    for (size_t i = 0; i + 4 <= text.size(); ++i) {
      const uint32_t hash = Hash(Window(text.data() + i));
      windows[hash / 64] |= uint64_t{1} << (hash % 64);
    }
  }
  return windows;
}
constexpr std::array<uint64_t, (size_t{1} << 16) / 64> kCommonWindows = CommonWindows();

}  // namespace

int ByteRarity(char byte) { return kByteRarity[static_cast<unsigned char>(byte)]; }

bool IsCommonText(const char* four_bytes) {
  const uint32_t hash = Hash(Window(four_bytes));
  return (kCommonWindows[hash / 64] >> (hash % 64)) & 1;
}

}  // namespace autotune
