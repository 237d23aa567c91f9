#include "analyzer/identity/system_key.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace autotune {
namespace {

// triton_key of triton 3.6.0 as recorded with torch 2.11.0+cu130.
constexpr char kTritonKey[] =
    "3.6.00355c3e3452fa4500122244b8fff8864f22bc05c417a3d6f5dada9f2e92f8040-c8b82f70c83ad10bc0190fa678"
    "64348b895f733d67658a3becaf13746198f778-2a063bb7909777d3659945244277e900d9f7cfc35de9a758578469ee4"
    "b90fce9-23d635e690d670bf61798e1259674b78c0ed5ba222ab6a455f329f27a758fc2d-e3b0c44298fc1c149afbf4c"
    "8996fb92427ae41e4649b934ca495991b7852b855-e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca49599"
    "1b7852b855-62556f905349ceed6286f9926f72ced9c5e990807e0791873945e93ca8e287d2-8f6569a35754508b27d2"
    "a70e1034d33ee19f0ef9f24a9eaa5e4ff999cddf2044-c5d3403b88b5bb728f8ac78c55163198e418430f126c842892c"
    "68cb4b6baaa78-25cb0bee9547488335de2d495af738298ba6d4c20f1d37941dc17751c57a211e-e3b0c44298fc1c149"
    "afbf4c8996fb92427ae41e4649b934ca495991b7852b855-eea55698bab00c726b3d1d495b390b72a63aaa8d167781a6"
    "5ea5212d394d76f6-4ad4b4440aa4a5ee15ac2382ae78a7aa8029986c22ec2acbd072a91810e85e94-28daaa70a904e4"
    "f8add754e518533e8a69b94ab8b16431ce77d45f1f25282b87-9394c60071ea0bbca6c290c44a5a371b8b4a02683d529"
    "debc3be04401d93e198-5d15c5bebef8d7aa51b21fd187e5faa95eba4a213254355bc69e0648013599f7-30106ed8451"
    "8c6ca7aca08e2c0ee188755f512cc0cb2d7da8914cc48c1ad6dcc-adb54e71d0ffc3bdac437fbc97929769fbbe4ebd03"
    "e6361c6357f2a24f7c5954-27b2a5d1e8db008bacefe6019f63922bbd65926de90bb1b527ee597477d2f365-a610dc5c"
    "215589aab7a784e1c07acef3e16d53ef00f08de793899964956f4e2a-18572e33e474a820799036f2b2f8c3e54d8a526"
    "386356716cccf2bf32a832376-2cdca74c4297804dcf499a7e9d4315ab87edfe2d72f536a8fdc02f28a3e7dacd-b53ab"
    "e93473eb37d88bc378692065c9a8b1bf54b6417cb1911a13d10918c6d20-f60c2bb2d8eebe1c191f4b8b819844414dd1"
    "bce243645635a094f9f92665a58e-08abee21ce6230a873ed0831f70f9570b7ce39969dbf9b2f28ae1a1992ee1cc7-f4"
    "4a43511b97420e82438746d1730db6aea312619032077687fb36ffe23727ba-be3429f6d069a22ddc2ca048d80e1616d"
    "f85de51a4b0e1e20e3054264a58f1f8-1a2a7b1706fe99659dd86b29d6397d603d7d0cfef4f827fe902a494728ccddc1"
    "-5305890c3b133def44e2f3d3405e0fb1fd6ce78d0a28b2127670a195bbe11c66";

TEST(SystemHash, RecordedMachine) {
  std::string text = std::string(R"({"device": {"name": "NVIDIA H200"}, "version": {"triton": ")") + kTritonKey +
                     R"(", "cuda": "13.0"}, "hash": "whatever stands here"})";
  EXPECT_EQ(SystemHash(text).value(), "c33ff64252de0fc95aafeb63c22d2f93666cf684f9102841c20702613368c40d");
}

TEST(SystemHash, CpuHasAnEmptyDictionary) {
  constexpr char kEmpty[] = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";
  EXPECT_EQ(SystemHash("{}").value(), kEmpty);
  EXPECT_EQ(SystemHash(R"({"hash": "44136f"})").value(), kEmpty);
}

TEST(SystemHash, SpellingDoesNotDependOnTheFilesLayout) {
  constexpr char kHip[] =
      R"({"device": {"name": "gfx942:sramecc+:xnack-"}, "version": {"hip": "6.4", "triton": null}})";
  EXPECT_EQ(PythonJsonDumps("{\"version\":{\"triton\":null,\n \"hip\":\"6.4\"},"
                            "\"device\":{\"name\":\"gfx942:sramecc+:xnack-\"}}")
                .value(),
            kHip);
  EXPECT_EQ(SystemHash(kHip).value(), SystemHash("{\"hash\":1," + std::string(kHip).substr(1)).value());
}

TEST(PythonJsonDumps, EscapesAndNumbers) {
  EXPECT_EQ(PythonJsonDumps(R"({"b":1,"a":[1.0,1e-5,1e16,-0.5,true,null,"x"]})").value(),
            R"({"a": [1.0, 1e-05, 1e+16, -0.5, true, null, "x"], "b": 1})");
  EXPECT_EQ(PythonJsonDumps("\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x94\xa5\\n\\u0001\\\"\\\\/\"").value(),
            R"("\u00e9\u20ac\ud83d\udd25\n\u0001\"\\/")");
  EXPECT_EQ(PythonJsonDumps("\"\x7f\"").value(), "\"\x7f\"");
  EXPECT_EQ(PythonJsonDumps(R"({"outer": {"z": {}, "a": []}})").value(), R"({"outer": {"a": [], "z": {}}})");
  EXPECT_FALSE(PythonJsonDumps("{\"a\": ").ok());
  EXPECT_FALSE(SystemHash("").ok());
}

TEST(PythonFloat, AsReprSpellsIt) {
  EXPECT_EQ(PythonFloat(0.0395519994199276), "0.0395519994199276");
  EXPECT_EQ(PythonFloat(1e-05), "1e-05");
  EXPECT_EQ(PythonFloat(0.0001), "0.0001");
  EXPECT_EQ(PythonFloat(1.5e-7), "1.5e-07");
  EXPECT_EQ(PythonFloat(60), "60.0");
  EXPECT_EQ(PythonFloat(0), "0.0");
  EXPECT_EQ(PythonFloat(-0.0), "-0.0");
  EXPECT_EQ(PythonFloat(1e15), "1000000000000000.0");
  EXPECT_EQ(PythonFloat(1e16), "1e+16");
  EXPECT_EQ(PythonFloat(1.25e300), "1.25e+300");
  EXPECT_EQ(PythonFloat(123456.75), "123456.75");
  EXPECT_EQ(PythonFloat(INFINITY), "inf");
}

TEST(ConfigsHash, RecordedConfigs) {
  EXPECT_EQ(ConfigsHash({{{{"XBLOCK", 1024}}, 4, 1}, {{{"XBLOCK", 512}}, 8, 1}}),
            "3ca5c3e34d35093f3c9ab2829a9faeebad5e61c4ca13d5ed6053d7b71ce60d5a");
  EXPECT_EQ(ConfigsHash({{{{"XBLOCK", 1}}, 2, 1}, {{{"XBLOCK", 8}}, 2, 1}}),
            "94bd6d25181c024bfe66a70b660f19018aa73a2b9c0ab64a2f281a7626b35dac");
  // Keyword arguments are sorted, configurations are not.
  EXPECT_EQ(ConfigsHash({{{{"YBLOCK", 8}, {"XBLOCK", 16}}, 4, 1}}),
            ConfigsHash({{{{"XBLOCK", 16}, {"YBLOCK", 8}}, 4, 1}}));
  EXPECT_NE(ConfigsHash({{{{"XBLOCK", 8}}, 2, 1}, {{{"XBLOCK", 1}}, 2, 1}}),
            ConfigsHash({{{{"XBLOCK", 1}}, 2, 1}, {{{"XBLOCK", 8}}, 2, 1}}));
}

TEST(BestConfigName, ByGeneration) {
  std::string torch_key = BytesFromHex("36e6df1237a766bca7ad4a8572c8069861e3413edeeca45f127ad55b11f32108");
  ASSERT_EQ(torch_key.size(), 32u);
  constexpr char kKernel[] = "cre4nfibpiq33zh55rx45shwlwkb736fjtmbmmp2n2srhk7djhh4.py";
  EXPECT_EQ(BestConfigName28(kKernel, "", torch_key),
            "10fd8538b2dbe3f55d4500b9095f7c78a52559f960ee0fbe98408041fabe3304.best_config");
  EXPECT_EQ(BestConfigName20(kKernel), "cre4nfibpiq33zh55rx45shwlwkb736fjtmbmmp2n2srhk7djhh4.best_config");
  EXPECT_EQ(BestConfigName26(kKernel, "").size(), 64u + 12u);
  EXPECT_NE(BestConfigName26(kKernel, ""), BestConfigName26(kKernel, "tag"));
  EXPECT_EQ(BytesFromHex("0x"), "");
  EXPECT_EQ(BytesFromHex("abc"), "");
}

TEST(BackendHash, RecordedOnCuda) {
  constexpr char kPtxas[] =
      "ptxas: NVIDIA (R) Ptx optimizing assembler\n"
      "Copyright (c) 2005-2025 NVIDIA Corporation\n"
      "Built on Fri_Feb_21_20:21:21_PST_2025\n"
      "Cuda compilation tools, release 12.8, V12.8.93\n"
      "Build cuda_12.8.r12.8/compiler.35583870_0\n";
  EXPECT_EQ(BackendHash(kTritonKey, kPtxas, "90"), "91D1D1166449D9E2EB66EB9770C9E2C3B0FEB787341F27FEB4D3F0338DA50336");
}

}  // namespace
}  // namespace autotune
