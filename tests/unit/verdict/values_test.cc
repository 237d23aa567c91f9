#include "analyzer/verdict/values.h"

#include <gtest/gtest.h>

#include "tests/unit/verdict/make_run.h"

namespace autotune {
namespace {

Relation Compare(const std::string& setting, const std::string& manifest, const std::string& observed) {
  const SettingRule* rule = EmbeddedRules().Setting(setting);
  EXPECT_NE(rule, nullptr) << setting;
  Fact fact;
  fact.value = manifest;
  return rule ? CompareValues(*rule, fact, observed, EmbeddedRules()).relation : Relation::kUnclear;
}

struct Case {
  const char *setting, *manifest, *observed;
  Relation relation;
};

class Values : public testing::TestWithParam<Case> {};

TEST_P(Values, CompareInTheSettingsOwnSense) {
  const Case& c = GetParam();
  EXPECT_EQ(Compare(c.setting, c.manifest, c.observed), c.relation)
      << c.setting << ": " << c.manifest << " / " << c.observed;
}

constexpr Relation kEqual = Relation::kEqual, kDiffers = Relation::kDiffers, kUnclear = Relation::kUnclear;
INSTANTIATE_TEST_SUITE_P(
    Versions, Values,
    testing::Values(Case{"torch", "2.11.0+cu130", "2.11.0", kEqual}, Case{"torch", "2.11.0", "2.11.0+cu130", kEqual},
                    Case{"torch", "2.11.0+cu130", "2.11.0+cu126", kDiffers},
                    Case{"torch", "2.11.0+cu130", "2.11.1+cu130", kDiffers}, Case{"torch", "2.1.0", "2.11.0", kDiffers},
                    Case{"torch", "N/A", "n/a", kEqual}, Case{"torch", "as in the image", "2.11.0", kUnclear},
                    Case{"python", "3.12.3", "3.12", kEqual}, Case{"python", "3.12.3", "3.13", kDiffers},
                    Case{"hip", "6.3", "6.3.42131-fa1d09cbd", kEqual}, Case{"triton", "3.6.0", "3.6.0+git1234", kEqual},
                    Case{"torch", "2.7.0a0+gitdeadbee", "2.7.0a0+gitdeadbee", kEqual}));

INSTANTIATE_TEST_SUITE_P(
    Sets, Values,
    testing::Values(Case{"TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS", "ATEN,TRITON", "triton, aten", kEqual},
                    Case{"TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS", "ATEN,TRITON", "ATEN", kDiffers},
                    Case{"TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS", "N/A", "ATEN,TRITON,CPP", kEqual},
                    Case{"TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS", "N/A", "ATEN", kDiffers}));

INSTANTIATE_TEST_SUITE_P(
    Paths, Values,
    testing::Values(Case{"TORCHINDUCTOR_CACHE_DIR", "/workspace/cache/", "\"/workspace//cache\"", kEqual},
                    Case{"TORCHINDUCTOR_CACHE_DIR", "/workspace/cache", "/workspace/cache/tmpekgv209y", kEqual},
                    Case{"TORCHINDUCTOR_CACHE_DIR", "/workspace/cache", "/tmp/torchinductor_root", kDiffers},
                    Case{"TORCHINDUCTOR_CACHE_DIR", "N/A", "/tmp/torchinductor_root", kEqual},
                    Case{"TORCHINDUCTOR_CACHE_DIR", "~/cache", "/root/cache", kUnclear}));

INSTANTIATE_TEST_SUITE_P(
    Gpus, Values,
    testing::Values(Case{"gpu", "H200", "NVIDIA H200", kEqual}, Case{"gpu", "8x NVIDIA H200", "NVIDIA H200", kEqual},
                    Case{"gpu", "NVIDIA H100", "NVIDIA H200", kDiffers},
                    Case{"gpu", "NVIDIA A100-SXM4-80GB", "NVIDIA A100 80GB PCIe", kDiffers},
                    Case{"gpu", "AMD Instinct MI300X", "gfx90a", kDiffers},
                    Case{"gpu", "AMD Instinct MI300X", "gfx942:sramecc+:xnack-", kUnclear},
                    Case{"architecture", "gfx942 (AMD MI300X)", "gfx942:sramecc+:xnack-", kEqual},
                    Case{"architecture", "sm_90 (NVIDIA Hopper)", "9.0", kEqual},
                    Case{"architecture", "sm_90", "sm_80", kDiffers},
                    Case{"architecture", "gfx942:sramecc+:xnack-", "gfx942:sramecc-:xnack-", kDiffers}));

INSTANTIATE_TEST_SUITE_P(Rest, Values,
                         testing::Values(Case{"dtype", "bf16 (~1.406B, RWKV-7)", "torch.bfloat16", kEqual},
                                         Case{"dtype", "bf16", "torch.float16", kDiffers},
                                         Case{"dtype", "mixed", "torch.float16", kUnclear},
                                         Case{"sequence_length", "1,024 tokens", "1024", kEqual},
                                         Case{"world_size", "1 (1)", "8", kDiffers},
                                         Case{"compile_mode", "max-autotune", "Max-Autotune", kEqual},
                                         Case{"TORCHINDUCTOR_FORCE_DISABLE_CACHES", "N/A", "0", kEqual},
                                         Case{"TORCHINDUCTOR_FORCE_DISABLE_CACHES", "N/A", "True", kDiffers},
                                         Case{"TORCHINDUCTOR_MAX_AUTOTUNE_POINTWISE", "N/A", "False", kEqual},
                                         Case{"TRITON_MAX_BLOCK_SIZE", "4096", "2048", kUnclear}));

TEST(Paths, FreshFolderIsSeenForWhatItIs) {
  EXPECT_TRUE(HasFreshFolder("/workspace/cache/tmpekgv209y"));
  EXPECT_FALSE(HasFreshFolder("/workspace/cache/tmp"));
  EXPECT_FALSE(HasFreshFolder("/workspace/tmpekgv209y/cache"));
}

TEST(Versions, TritonsKeyBeginsWithItsVersion) {
  const std::string digests = std::string(64, 'a') + "-" + std::string(64, '0');
  EXPECT_EQ(Compare("triton", "3.6.0", "3.6.0" + digests), kEqual);
  EXPECT_EQ(Compare("triton", "3.6.0", "3.5.0" + digests), kDiffers);
}

TEST(Integers, AreReadOutOfText) {
  EXPECT_EQ(FirstInteger("1,024 tokens"), 1024);
  EXPECT_EQ(FirstInteger("1, 2"), 1);
  EXPECT_EQ(FirstInteger("none"), std::nullopt);
}

}  // namespace
}  // namespace autotune
