#include "analyzer/identity/choice_key.h"

#include <gtest/gtest.h>

#include "analyzer/base/digest.h"
#include "tests/unit/identity/extern_rules.h"

namespace autotune {
namespace {

TEST(WithoutCounter, TakesTheNumberOff) {
  EXPECT_EQ(WithoutCounter("triton_mm_12"), "triton_mm");
  EXPECT_EQ(WithoutCounter("triton_convolution2d_0"), "triton_convolution2d");
  EXPECT_EQ(WithoutCounter("cpp_CppMicroGemmRef_2"), "cpp_CppMicroGemmRef");
  EXPECT_EQ(WithoutCounter("mm"), "mm");
  EXPECT_EQ(WithoutCounter("_int_mm"), "_int_mm");
  EXPECT_EQ(WithoutCounter("conv1x1_via_mm"), "conv1x1_via_mm");
  EXPECT_EQ(WithoutCounter("_12"), "_12");
  EXPECT_EQ(WithoutCounter(""), "");
}

TEST(ChoiceIdentity, KeepsWhatCutlassNamesSay) {
  EXPECT_EQ(ChoiceIdentity("triton_mm_3", "BLOCK_K=16, num_warps=2"), "triton_mm BLOCK_K=16, num_warps=2");
  EXPECT_EQ(ChoiceIdentity("cutlass_70965235", "cutlass3x swizzle=1"), "cutlass_70965235 cutlass3x swizzle=1");
  EXPECT_EQ(ChoiceIdentity("addmm", ""), "addmm");
}

TEST(ExternKey, SortsKeywords) {
  EXPECT_EQ(ExternKey("addmm", {{"beta", "1"}, {"alpha", "1"}}, CodeHash("addmm-addmm-torch")),
            "addmm-alpha=1-beta=1-c4xxd3iocu4yt6z4udrlqnumays7q6mfnfd3qprh4fxgsvyhqdkf");
  EXPECT_EQ(ExternKey("mm", {}, CodeHash("mm-mm-torch")), "mm-cqrjyn5jqdhj5q3lohxxeq3fxnpvy6qsigzdm2ykqas7fpkl7zrz");
  EXPECT_EQ(ExternKey("convolution",
                      {{"stride", "(1, 1)"},
                       {"padding", "(1, 1)"},
                       {"dilation", "(1, 1)"},
                       {"transposed", "False"},
                       {"output_padding", "(0, 0)"},
                       {"groups", "1"},
                       {"bias", "None"}},
                      CodeHash("convolution-convolution-torch")),
            "convolution-bias=None-dilation=(1, 1)-groups=1-output_padding=(0, 0)-padding=(1, 1)-stride=(1, "
            "1)-transposed=False-czwx4srm3bwpt2u7hh3rms7ioq55y2rxzcvmhoobhnxygrtdhmk7");
  EXPECT_EQ(ExternKey("_scaled_mm", {{"use_fast_accum", "False"}, {"out_dtype", "torch.bfloat16"}},
                      CodeHash("_scaled_mm-_scaled_mm-torch")),
            "_scaled_mm-out_dtype=torch.bfloat16-use_fast_accum=False-"
            "cskxqbsgaj6u5vsvx77qfvecmlyrkckqznazarczli6pjuetgqpv");
}

TEST(ExternHash, RulesCarryTheConstants) {
  size_t samples = 0;
  for (const ExternRule& rule : ExternRules()) {
    std::vector<Diag> faults;
    CheckExternSamples(rule, RuleFile{}, &faults);
    EXPECT_TRUE(faults.empty()) << rule.id << ": " << faults[0].message;
    samples += rule.samples.size();
  }
  EXPECT_GT(samples, 20u);
}

TEST(CppKey, CategoryAndRawSource) {
  EXPECT_EQ(CppCategory("cpp_packed_gemm_0"), "packed_gemm");
  EXPECT_EQ(CppCategory("cpp_CppMicroGemmRef_2"), "CppMicroGemmRef");
  EXPECT_EQ(CppCategory("cpp_bmm_2"), "bmm");
  EXPECT_EQ(CppKey("packed_gemm", "\nint x;\n"), "packed_gemm-" + CodeHash("\nint x;\n"));
}

TEST(CutlassKey, ExtraAndSwizzleByRelease) {
  EXPECT_EQ(CutlassKey("cutlass_gemm", "code", "[]", 1), "cutlass_gemm-" + CodeHash("code", "[]") + "-1");
  EXPECT_EQ(CutlassKey("cutlass_gemm", "code", "'nvcc -O3'", 0), "cutlass_gemm-" + CodeHash("code", "'nvcc -O3'"));
  EXPECT_EQ(Swizzle("cutlass3x_sm90_tensorop_gemm_bf16_epi_nosmem swizzle=8"), 8);
  EXPECT_EQ(Swizzle("cutlass3x_sm90"), 0);
}

TEST(RocmKey, MovesWithTheCommand) {
  EXPECT_EQ(RocmKey("ck_gemm", "code", "hipcc -I/opt/ck"), "ck_gemm-" + CodeHash("code", "'hipcc -I/opt/ck'"));
  EXPECT_NE(RocmKey("ck_gemm", "code", "hipcc -I/a"), RocmKey("ck_gemm", "code", "hipcc -I/b"));
}

TEST(NvGemmKey, JoinsOperatorAndKernel) {
  EXPECT_EQ(NvGemmKey("nv_universal_gemm cutedsl.Kernel_128x128"), "nv_universal_gemm_cutedsl.Kernel_128x128");
}

TEST(SubgraphKey, DecomposeKAsRecorded) {
  std::vector<InputKey> inputs = {{"cuda", "torch.bfloat16", {32, 32768}, {32768, 1}, 0},
                                  {"cuda", "torch.bfloat16", {32768, 32}, {32, 1}, 0}};
  auto graph = DecomposeKGraph(inputs, 2);
  ASSERT_TRUE(graph);
  EXPECT_EQ(SubgraphKey("decompose_k_mm_2_split_0", inputs, *graph),
            R"(decompose_k_mm_2_split-[32, 32768]-[32768, 32]-[32768, 1]-[32, 1]-graph():
    %arg0_1 : [num_users=1] = placeholder[target=arg0_1]
    %arg1_1 : [num_users=1] = placeholder[target=arg1_1]
    %view : [num_users=1] = call_function[target=torch.ops.aten.view.default](args = (%arg0_1, [32, 2, 16384]), kwargs = {})
    %permute : [num_users=2] = call_function[target=torch.ops.aten.permute.default](args = (%view, [1, 0, 2]), kwargs = {})
    %view_1 : [num_users=2] = call_function[target=torch.ops.aten.view.default](args = (%arg1_1, [2, 16384, 32]), kwargs = {})
    %convert_element_type : [num_users=0] = call_function[target=torch.ops.prims.convert_element_type.default](args = (%permute, torch.float32), kwargs = {})
    %convert_element_type_1 : [num_users=0] = call_function[target=torch.ops.prims.convert_element_type.default](args = (%view_1, torch.float32), kwargs = {})
    %bmm : [num_users=1] = call_function[target=torch.ops.aten.bmm.dtype](args = (%permute, %view_1, torch.float32), kwargs = {})
    %sum_1 : [num_users=1] = call_function[target=torch.ops.aten.sum.dim_IntList](args = (%bmm, [0]), kwargs = {})
    %convert_element_type_2 : [num_users=1] = call_function[target=torch.ops.prims.convert_element_type.default](args = (%sum_1, torch.bfloat16), kwargs = {})
    return convert_element_type_2)");
  EXPECT_FALSE(DecomposeKGraph(inputs, 3)) << "k does not divide";
  inputs[0].dtype = inputs[1].dtype = "torch.float32";
  EXPECT_FALSE(DecomposeKGraph(inputs, 2)) << "no conversions there: another graph";
  inputs[0].dtype = inputs[1].dtype = "torch.bfloat16";
  inputs[1].strides = {1, 32768};
  EXPECT_FALSE(DecomposeKGraph(inputs, 2)) << "a transposed input is copied";
}

TEST(CandidateSetKey, IsTheHashOfThePrecompileKey) {
  EXPECT_EQ(PrecompileKey("mm", "[]", "highest", {"a-1", "b-2"}), "mm:[]:highest:a-1:b-2");
  EXPECT_EQ(CandidateSetKey("mm", "[]", "highest", {"a-1", "b-2"}), CodeHash("mm:[]:highest:a-1:b-2"));
  EXPECT_NE(CandidateSetKey("mm", "[]", "highest", {"b-2", "a-1"}), CodeHash("mm:[]:highest:a-1:b-2"));
}

TEST(PrintedFingerprint, IsIndependentOfTheOrderOfTimes) {
  std::string one = PrintedFingerprint("mm", "8x8, 8x8", {"mm", "triton_mm A=1"});
  EXPECT_EQ(one, PrintedFingerprint("mm", "8x8, 8x8", {"triton_mm A=1", "mm"}));
  EXPECT_NE(one, PrintedFingerprint("mm", "8x8, 8x8", {"triton_mm A=2", "mm"}));
  EXPECT_NE(one, PrintedFingerprint("mm", "8x16, 16x8", {"mm", "triton_mm A=1"}));
  EXPECT_EQ(one[0], 'p') << "no key of inductor begins so";
}

}  // namespace
}  // namespace autotune
