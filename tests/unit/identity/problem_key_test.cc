#include "analyzer/identity/problem_key.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace autotune {
namespace {

Block Printed(std::vector<std::string> shapes, std::vector<std::vector<std::string>> strides,
              std::vector<std::string> dtypes) {
  Block block;
  block.op = "mm";
  block.shapes = std::move(shapes);
  block.strides = std::move(strides);
  block.dtypes = std::move(dtypes);
  return block;
}

TEST(InputsKey, WorkedExample) {
  Block block = Printed({"1024x256", "256x512"}, {{"256", "1"}, {"1", "256"}}, {"torch.bfloat16", "torch.bfloat16"});
  auto inputs = PrintedInputs(block, "cuda");
  ASSERT_TRUE(inputs);
  EXPECT_EQ(InputsKey(*inputs),
            "[('cuda', 'torch.bfloat16', 1024, 256, 256, 1, 0), ('cuda', 'torch.bfloat16', 256, 512, 1, 256, 0)]");
}

TEST(InputsKey, ZeroDimInputsHaveNeitherSizesNorStrides) {
  Block block = Printed({"128x256", "256x128", "", ""}, {{"256", "1"}, {"1", "256"}, {}, {}},
                        {"torch.float8_e4m3fn", "torch.float8_e4m3fn", "torch.float32", "torch.float32"});
  EXPECT_EQ(InputsKey(*PrintedInputs(block, "cuda")),
            "[('cuda', 'torch.float8_e4m3fn', 128, 256, 256, 1, 0), ('cuda', 'torch.float8_e4m3fn', 256, 128, 1, 256, "
            "0), ('cuda', 'torch.float32', 0), ('cuda', 'torch.float32', 0)]");
}

TEST(InputsKey, ASizeOfZeroIsADimension) {
  Block block = Printed({"0"}, {{"1"}}, {"torch.float32"});
  EXPECT_EQ(InputsKey(*PrintedInputs(block, "cuda")), "[('cuda', 'torch.float32', 0, 1, 0)]");
}

// Every dtype at every rank goes there and back.
TEST(InputsKey, EveryDtypeAndRank) {
  for (const char* dtype : {"torch.bfloat16",
                            "torch.float16",
                            "torch.float32",
                            "torch.float64",
                            "torch.int8",
                            "torch.uint8",
                            "torch.int16",
                            "torch.int32",
                            "torch.int64",
                            "torch.bool",
                            "torch.complex64",
                            "torch.complex128",
                            "torch.float8_e4m3fn",
                            "torch.float8_e5m2",
                            "torch.float8_e4m3fnuz",
                            "torch.float8_e5m2fnuz",
                            "torch.uint16",
                            "torch.uint32",
                            "torch.uint64",
                            "torch.float8_e8m0fnu",
                            "torch.float4_e2m1fn_x2"}) {
    for (size_t rank = 0; rank <= 6; ++rank) {
      for (const char* device : {"cuda", "cpu", "xpu", "hpu"}) {
        InputKey input;
        input.device = device;
        input.dtype = dtype;
        std::string expected = std::string("[('") + device + "', '" + dtype + "'", shape;
        for (size_t d = 0; d < rank; ++d) {
          input.sizes.push_back(static_cast<int64_t>(2 + d));
          expected += ", " + std::to_string(2 + d);
          shape += (d > 0 ? "x" : "") + std::to_string(2 + d);
        }
        for (size_t d = 0; d < rank; ++d) {
          input.strides.push_back(static_cast<int64_t>(100 - d));
          expected += ", " + std::to_string(100 - d);
        }
        expected += ", 0)]";
        EXPECT_EQ(InputsKey({input}), expected);
        auto parsed = ParseInputsKey(expected);
        ASSERT_TRUE(parsed) << expected;
        ASSERT_EQ(parsed->size(), 1u);
        EXPECT_EQ((*parsed)[0], input);
        EXPECT_EQ(PrintedShapes(*parsed), shape);
      }
    }
  }
}

TEST(InputsKey, NegativeAndBroadcastStrides) {
  Block block = Printed({"1024x256"}, {{"0", "1"}}, {"torch.bfloat16"});
  EXPECT_EQ(InputsKey(*PrintedInputs(block, "cuda")), "[('cuda', 'torch.bfloat16', 1024, 256, 0, 1, 0)]");
  auto parsed = ParseInputsKey("[('cuda', 'torch.float32', 4, -1, 7)]");
  ASSERT_TRUE(parsed);
  EXPECT_EQ((*parsed)[0].strides[0], -1);
  EXPECT_EQ((*parsed)[0].offset, 7);
}

TEST(PrintedInputs, IsEmptyWhereTheBlockDoesNotSay) {
  std::vector<std::string> two = {"torch.float32", "torch.float32"};
  EXPECT_FALSE(PrintedInputs(Printed({"8x8", "8x8"}, {{"s0", "1"}, {"8", "1"}}, two), "cuda")) << "a symbol";
  EXPECT_FALSE(PrintedInputs(Printed({"8x8", "8x8"}, {{"8", "1"}}, two), "cuda")) << "a list is missing";
  EXPECT_FALSE(PrintedInputs(Printed({"8x8", "8x8"}, {{"8", "1"}, {"8"}}, two), "cuda")) << "ranks differ";
  Block old;
  old.shapes = {"8x8", "8x8"};
  EXPECT_FALSE(PrintedInputs(old, "cuda")) << "before torch 2.8";
}

TEST(ContiguousInputs, GuessesRowMajorStrides) {
  Block block;
  block.shapes = {"4x256x128", "", "0x3"};
  EXPECT_FALSE(ContiguousInputs(block, "cuda", "")) << "no dtype, no guess";
  EXPECT_EQ(InputsKey(*ContiguousInputs(block, "cuda", "bf16")),
            "[('cuda', 'torch.bfloat16', 4, 256, 128, 32768, 128, 1, 0), ('cuda', 'torch.bfloat16', 0), ('cuda', "
            "'torch.bfloat16', 0, 3, 3, 1, 0)]");
}

TEST(ParseInputsKey, ReadsHintsAndRefusesTheRest) {
  EXPECT_TRUE(ParseInputsKey("[('cuda', 'torch.float32', 8, 1, 0)]_128"));
  for (const char* text : {"", "[]x", "('cuda', 'torch.float32', 0)", "[('cuda', 8, 1, 0)]", "[('cuda', 'x', 1, 2)]",
                           "[('cuda', 'torch.float32', 's0', 1, 0)]", "[[1]]"}) {
    EXPECT_FALSE(ParseInputsKey(text)) << text;
  }
}

TEST(ShapeNumbers, NumbersJoinedByX) {
  EXPECT_EQ(ShapeNumbers("4x256x1"), (std::vector<int64_t>{4, 256, 1}));
  EXPECT_EQ(ShapeNumbers(""), std::vector<int64_t>{});
  for (const char* text : {"4x", "x4", "4xs0", "4 x 2", "99999999999999999999"})
    EXPECT_FALSE(ShapeNumbers(text)) << text;
}

TEST(DtypeName, KnowsTheSpellings) {
  EXPECT_EQ(DtypeName("bf16"), "torch.bfloat16");
  EXPECT_EQ(DtypeName("torch.bfloat16"), "torch.bfloat16");
  EXPECT_EQ(DtypeName("Half"), "torch.float16");
  EXPECT_EQ(DtypeName("fp8"), "");
}

}  // namespace
}  // namespace autotune
