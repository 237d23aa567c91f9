#include "analyzer/identity/code_key.h"

#include <gtest/gtest.h>

#include "analyzer/base/digest.h"

namespace autotune {
namespace {

TEST(CodeHash, FormsByRelease) {
  // From 2.2 on extra is set off by two bars, and an empty one adds nothing; 2.0 joins without a separator.
  EXPECT_EQ(CodeHash("mm-mm-torch"), "cqrjyn5jqdhj5q3lohxxeq3fxnpvy6qsigzdm2ykqas7fpkl7zrz");
  EXPECT_EQ(CodeHash("a", "b"), CodeHash("a||b"));
  EXPECT_EQ(CodeHash20("a", "b"), CodeHash("ab"));
  EXPECT_EQ(CodeHash20("mm-mm-torch"), CodeHash("mm-mm-torch"));
  EXPECT_NE(CodeHash20("a", "b"), CodeHash("a", "b"));
}

TEST(PythonStrip, TakesPythonsBlanks) {
  EXPECT_EQ(PythonStrip("\n import triton\n\n"), "import triton");
  EXPECT_EQ(PythonStrip("\x1c\x1d\x1e\x1fx y\x1c\v\f\r\t "), "x y");
  EXPECT_EQ(PythonStrip("\xc2\xa0\xe3\x80\x80x\xe2\x80\x83\xc2\x85"), "x");
  EXPECT_EQ(PythonStrip("\xe2\x80\x8bx"), "\xe2\x80\x8bx") << "a zero-width blank is none to Python";
  EXPECT_EQ(PythonStrip(" \n "), "");
  EXPECT_EQ(PythonStrip("\x80x\xa0"), "\x80x\xa0") << "bytes that are no UTF-8 are no blanks";
}

TEST(PythonRepr, QuotesAsPythonDoes) {
  EXPECT_EQ(PythonRepr("tl.float32"), "'tl.float32'");
  EXPECT_EQ(PythonRepr("'ieee'"), "\"'ieee'\"");
  EXPECT_EQ(PythonRepr("a'b\"c"), "'a\\'b\"c'");
  EXPECT_EQ(PythonRepr("a\n\t\\\x01\x7f"), "'a\\n\\t\\\\\\x01\\x7f'");
}

TEST(CachedPath, FolderIsTwoCharactersOfTheStem) {
  EXPECT_EQ(CachedPath("cqx65mcz6oi7nuskqes2vgcik2qiq6fockbwynihsgc4cjbowpp3", "py"),
            "qx/cqx65mcz6oi7nuskqes2vgcik2qiq6fockbwynihsgc4cjbowpp3.py");
}

TEST(IsCodeHash, KnowsLengthAndAlphabet) {
  EXPECT_TRUE(IsCodeHash("cqx65mcz6oi7nuskqes2vgcik2qiq6fockbwynihsgc4cjbowpp3"));
  EXPECT_FALSE(IsCodeHash("cqx65mcz6oi7nuskqes2vgcik2qiq6fockbwynihsgc4cjbowpp"));
  EXPECT_FALSE(IsCodeHash("fqx65mcz6oi7nuskqes2vgcik2qiq6fockbwynihsgc4cjbowpp3"));
  EXPECT_FALSE(IsCodeHash("cqx65mcz6oi7nuskqes2vgcik2qiq6fockbwynihsgc4cjbowpp1"));
}

TEST(TritonExtra, UndoesThePrintedDescription) {
  EXPECT_EQ(TritonExtra("ACC_TYPE='tl.float32', ALLOW_TF32=False, BLOCK_K=16, num_stages=1, num_warps=2"),
            "ACC_TYPE='tl.float32'-ALLOW_TF32=False-BLOCK_K=16-num_stages=1-num_warps=2-");
  // Inductor turned every "-" into ", ", those inside values too.
  EXPECT_EQ(TritonExtra("SM_SCALE=1e, 05, X=, 1, num_warps=4"), "SM_SCALE=1e-05-X=-1-num_warps=4-");
  EXPECT_EQ(TritonDescription("SM_SCALE=1e-05-num_warps=4-"), "SM_SCALE=1e, 05, num_warps=4");
}

TEST(TritonSourceHash, StripsAndAppends) {
  EXPECT_EQ(TritonSourceHash("\nx = 1\n", ""), CodeHash("x = 1"));
  EXPECT_EQ(TritonSourceHash("\nx = 1\n", "A=1, num_warps=2"), CodeHash("x = 1||A=1-num_warps=2-"));
}

TEST(TritonFolder, GenerationByForm) {
  EXPECT_EQ(TritonFolderGeneration("d41d8cd98f00b204e9800998ecf8427e"), TritonGeneration::kMd5);
  EXPECT_EQ(TritonFolderGeneration("e7073c6b602fab278e871dd2a29f596967ddee419a8e44e39ac1b05a750a4357"),
            TritonGeneration::kHex);
  EXPECT_EQ(TritonFolderGeneration("44DTY23AF6VSPDUHDXJKFH2ZNFT533SBTKHEJY42YGYFU5IKINLQ"), TritonGeneration::kBase32);
  EXPECT_EQ(TritonFolderGeneration("inductor_cache"), std::nullopt);
  EXPECT_EQ(TritonFolderGeneration(""), std::nullopt);
}

TEST(TritonFolder, NameOfTheHashInside) {
  constexpr char kHash[] = "e7073c6b602fab278e871dd2a29f596967ddee419a8e44e39ac1b05a750a4357";
  EXPECT_EQ(TritonFolderName(kHash, TritonGeneration::kHex), kHash);
  EXPECT_EQ(TritonFolderName(kHash, TritonGeneration::kBase32), "44DTY23AF6VSPDUHDXJKFH2ZNFT533SBTKHEJY42YGYFU5IKINLQ");
  EXPECT_EQ(TritonFolderName("xyz", TritonGeneration::kBase32), "");
}

TEST(TritonKeyVersion, StandsBeforeTheFirstDigest) {
  std::string digest(64, 'a');
  EXPECT_EQ(TritonKeyVersion("3.6.0" + digest + "-" + digest), "3.6.0");
  EXPECT_EQ(TritonKeyVersion("3.3.0+git1234" + digest), "3.3.0+git1234");
  EXPECT_EQ(TritonKeyVersion("2.1.0"), "");
  EXPECT_EQ(TritonKeyVersion(digest), "");
}

}  // namespace
}  // namespace autotune
