#include "analyzer/machine/check.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <functional>

#include "analyzer/manifest/manifest.h"
#include "tests/unit/machine/fake_root.h"

namespace autotune {
namespace {

using State = CheckItem::State;
using testing::HasSubstr;

CheckReport Check(const FakeRoot& root, std::string_view manifest) {
  const Manifest parsed = ParseManifest("m.md", manifest, EmbeddedRules());
  const Machine machine(root.folder(), EmbeddedRules());
  return CheckMachine(parsed, manifest, machine, EmbeddedRules());
}

const CheckItem* Find(const CheckReport& report, std::string_view item) {
  const auto found =
      std::find_if(report.items.begin(), report.items.end(), [&](const CheckItem& one) { return one.item == item; });
  return found == report.items.end() ? nullptr : &*found;
}

std::string Listing(const CheckReport& report) {
  std::string text;
  for (const CheckItem& item : report.items) {
    text += std::string(StateName(item.state)) + "  " + item.item + "  here: " + item.observed.value_or("?") + "  " +
            item.where + "  " + item.message + "\n";
  }
  return text;
}

// Every item of a manifest, and the one that a broken root must show; the others stay as they were.
struct Break {
  const char* name;
  void (*apply)(FakeRoot*);
  const char* item;
  const char* says;  // part of the message
};

void ExpectOnly(const CheckReport& report, std::string_view item, std::string_view says) {
  const CheckItem* found = Find(report, item);
  ASSERT_NE(found, nullptr) << Listing(report);
  EXPECT_EQ(found->state, State::kDiffers) << Listing(report);
  EXPECT_THAT(found->message, HasSubstr(std::string(says)));
  EXPECT_FALSE(found->fix.empty()) << item;
  EXPECT_GT(found->manifest_line.value_or(0), 0u);
  for (const CheckItem& other : report.items) {
    EXPECT_EQ(other.state == State::kDiffers, other.item == item) << other.item << ": " << other.message;
  }
  ASSERT_EQ(report.problems.size(), 1u);
  EXPECT_EQ(report.problems[0].id, item);
}

void SetVariable(FakeRoot* root, const std::string& assignment) {
  std::vector<std::string> variables = NvidiaVariables();
  const std::string name = assignment.substr(0, assignment.find('=') + 1);
  variables.erase(std::remove_if(variables.begin(), variables.end(),
                                 [&](const std::string& v) { return v.compare(0, name.size(), name) == 0; }),
                  variables.end());
  if (assignment.size() > name.size()) variables.push_back(assignment);
  root->Config(variables);
}

constexpr char kSite[] = "/opt/venv/lib/python3.12/site-packages";

const Break kNvidiaBreaks[] = {
    {"gpu",
     [](FakeRoot* r) {
       r->Write("/proc/driver/nvidia/gpus/0000:1b:00.0/information", "Model: \t\t NVIDIA H200 NVL\n");
       r->Write("/proc/driver/nvidia/gpus/0000:1b:00.0/information", "Model: \t\t NVIDIA GH200 480GB\n");
     },
     "gpu", "GH200"},
    {"gpu_count",
     [](FakeRoot* r) { r->Write("/proc/driver/nvidia/gpus/0000:1c:00.0/information", "Model: \t\t NVIDIA H200\n"); },
     "world_size", ""},
    {"torch",
     [](FakeRoot* r) {
       r->Write(std::string(kSite) + "/torch/version.py",
                "__version__ = '2.10.0+cu130'\ncuda: Optional[str] = '13.0'\nhip: Optional[str] = None\n");
     },
     "torch", "2.10.0"},
    {"cuda",
     [](FakeRoot* r) {
       r->Write(std::string(kSite) + "/torch/version.py",
                "__version__ = '2.11.0+cu130'\ncuda: Optional[str] = '12.8'\nhip: Optional[str] = None\n");
     },
     "cuda", "12.8"},
    {"triton",
     [](FakeRoot* r) {
       r->Remove(std::string(kSite) + "/triton-3.6.0.dist-info");
       r->Write(std::string(kSite) + "/triton-3.5.1.dist-info/METADATA", "Name: triton\nVersion: 3.5.1\n");
     },
     "triton", "3.5.1"},
    {"python", [](FakeRoot* r) { r->Write("/opt/venv/pyvenv.cfg", "home = /usr/bin\nversion = 3.12.9\n"); }, "python",
     ""},
    {"ck4inductor",
     [](FakeRoot* r) {
       r->Write(std::string(kSite) + "/ck4inductor-1.0.0.dist-info/METADATA", "Name: ck4inductor\nVersion: 1.0.0\n");
     },
     "ck4inductor", ""},
    {"backends", [](FakeRoot* r) { SetVariable(r, "TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS=ATEN,TRITON,CUTLASS"); },
     "TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS", "CUTLASS"},
    {"ck_dir",
     [](FakeRoot* r) {
       r->Write("/opt/ck/include/ck/ck.hpp", "");
       r->Write("/opt/ck/library/src/a.cpp", "");
       SetVariable(r, "TORCHINDUCTOR_CK_DIR=/opt/ck");
     },
     "TORCHINDUCTOR_CK_DIR", ""},
    {"block_size", [](FakeRoot* r) { SetVariable(r, "TRITON_MAX_BLOCK_SIZE=4096"); }, "TRITON_MAX_BLOCK_SIZE", ""},
    {"threads", [](FakeRoot* r) { SetVariable(r, "TORCHINDUCTOR_COMPILE_THREADS=1"); }, "TORCHINDUCTOR_COMPILE_THREADS",
     ""},
    {"cache_dir_moved",
     [](FakeRoot* r) {
       fs::rename(*r / "/workspace/inductor_cache", *r / "/workspace/other");
       SetVariable(r, "TORCHINDUCTOR_CACHE_DIR=/workspace/other");
     },
     "TORCHINDUCTOR_CACHE_DIR", "/workspace/other"},
    {"cache_missing", [](FakeRoot* r) { r->Remove("/workspace/inductor_cache"); }, "TORCHINDUCTOR_CACHE_DIR folder",
     "there is no /workspace/inductor_cache"},
    {"cache_empty",
     [](FakeRoot* r) {
       r->Remove("/workspace/inductor_cache");
       fs::create_directories(*r / "/workspace/inductor_cache");
     },
     "TORCHINDUCTOR_CACHE_DIR folder", "is empty"},
    {"cache_hidden_by_mount",
     [](FakeRoot* r) {
       r->Remove("/workspace/inductor_cache");
       fs::create_directories(*r / "/workspace/inductor_cache");
       r->Write("/proc/mounts", "overlay / overlay rw 0 0\n/dev/sdb /workspace/inductor_cache ext4 rw 0 0\n");
     },
     "TORCHINDUCTOR_CACHE_DIR folder", "hides what the image holds"},
    {"cache_in_memory",
     [](FakeRoot* r) {
       r->Write("/proc/mounts", "overlay / overlay rw 0 0\ntmpfs /workspace/inductor_cache tmpfs rw 0 0\n");
     },
     "TORCHINDUCTOR_CACHE_DIR folder", "in memory"},
    {"cache_read_only",
     [](FakeRoot* r) {
       r->Write("/proc/mounts",
                "nas:/cache /workspace nfs4 rw 0 0\nnas:/cache /workspace/inductor_cache nfs4 ro,vers=4 0 0\n");
     },
     "TORCHINDUCTOR_CACHE_DIR folder", "read-only"},
    {"cache_not_writable", [](FakeRoot* r) { fs::permissions(*r / "/workspace/inductor_cache", fs::perms(0555)); },
     "TORCHINDUCTOR_CACHE_DIR folder", "cannot be written"},
    {"cache_incomplete", [](FakeRoot* r) { r->Remove("/workspace/inductor_cache/fxgraph"); },
     "TORCHINDUCTOR_CACHE_DIR files", "of the 71 files"},
    {"cache_cut",
     [](FakeRoot* r) {
       const fs::path folder = *r / "/workspace/inductor_cache/cache";
       for (const auto& file : fs::directory_iterator(folder)) fs::resize_file(file.path(), 500);
     },
     "TORCHINDUCTOR_CACHE_DIR contents", "cut"},
    {"triton_wiped", [](FakeRoot* r) { r->Remove("/workspace/triton_cache"); }, "TRITON_CACHE_DIR folder",
     "there is no"},
};

class NvidiaBreak : public testing::TestWithParam<Break> {};

TEST_P(NvidiaBreak, IsTheOnlyItemThatDiffers) {
  FakeRoot root;
  MakeNvidia(&root);
  GetParam().apply(&root);
  ExpectOnly(Check(root, kNvidiaManifest), GetParam().item, GetParam().says);
}
INSTANTIATE_TEST_SUITE_P(Items, NvidiaBreak, testing::ValuesIn(kNvidiaBreaks),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(Check, ARightNvidiaRootIsOk) {
  FakeRoot root;
  MakeNvidia(&root);
  const CheckReport report = Check(root, kNvidiaManifest);
  for (const CheckItem& item : report.items) {
    const bool told = item.item != "compile_mode";
    EXPECT_EQ(item.state, told ? State::kOk : State::kUntold) << Listing(report);
  }
  EXPECT_TRUE(report.problems.empty());
  for (const char* item :
       {"gpu", "world_size", "architecture", "torch", "cuda", "hip", "triton", "ck4inductor", "python",
        "ck4inductor library/src", "TORCHINDUCTOR_CACHE_DIR folder", "TORCHINDUCTOR_CACHE_DIR files",
        "TORCHINDUCTOR_CACHE_DIR contents", "TRITON_CACHE_DIR files", "TRITON_MAX_BLOCK_SIZE"})
    EXPECT_NE(Find(report, item), nullptr) << item;
  EXPECT_EQ(report.items.front().setting, "TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS") << "the checklist's order";
  EXPECT_EQ(Find(report, "python")->observed, "3.12.3");
  EXPECT_EQ(Find(report, "torch")->where, std::string(kSite) + "/torch/version.py");
}

const Break kRocmBreaks[] = {
    {"card",
     [](FakeRoot* r) {
       for (const char* node : {"1", "2"})
         r->Write(std::string("/sys/class/kfd/kfd/topology/nodes/") + node + "/properties",
                  "gfx_target_version 90402\ndevice_id 29856\n");
     },
     "gpu", "MI300A"},
    {"count", [](FakeRoot* r) { r->Remove("/sys/class/kfd/kfd/topology/nodes/2"); }, "world_size", ""},
    {"hip",
     [](FakeRoot* r) {
       r->Write("/opt/conda/envs/train/lib/python3.10/site-packages/torch/version.py",
                "__version__ = '2.7.1+rocm6.3'\nhip: Optional[str] = '6.2.41133-dd7f95766'\n");
     },
     "hip", "6.2"},
    {"torch",
     [](FakeRoot* r) {
       r->Write("/opt/conda/envs/train/lib/python3.10/site-packages/torch/version.py",
                "__version__ = '2.8.0+rocm6.3'\nhip: Optional[str] = '6.3.42131-fa1d09cbd'\n");
     },
     "torch", "2.8.0"},
    {"triton",
     [](FakeRoot* r) {
       const std::string site = "/opt/conda/envs/train/lib/python3.10/site-packages/";
       r->Remove(site + "pytorch_triton_rocm-3.3.1.dist-info");
       r->Write(site + "pytorch_triton_rocm-3.2.0.dist-info/METADATA", "Name: pytorch-triton-rocm\nVersion: 3.2.0\n");
     },
     "triton", "3.2.0"},
    {"python",
     [](FakeRoot* r) {
       r->Remove("/opt/conda/envs/train/conda-meta");
       r->Write("/opt/conda/envs/train/conda-meta/python-3.10.9-0.json", "");
     },
     "python", ""},
    {"ck_version",
     [](FakeRoot* r) {
       r->Write("/opt/conda/envs/train/lib/python3.10/site-packages/rocm_composable_kernel-1.0.0.dist-info/METADATA",
                "Name: rocm-composable-kernel\nVersion: 1.1.0\n");
     },
     "ck4inductor", "1.1.0"},
    {"link_missing", [](FakeRoot* r) { r->Remove(std::string(kCkFolder) + "/library/src"); }, "ck4inductor library/src",
     "there is no"},
    {"link_dangling", [](FakeRoot* r) { r->Remove("/opt/composable_kernel"); }, "ck4inductor library/src",
     "leads nowhere"},
    {"link_out_of_the_root",
     [](FakeRoot* r) {
       r->Link("/proc/self", std::string(kCkFolder) + "/library/src");  // there on this machine, not in the root
     },
     "ck4inductor library/src", "leads nowhere"},
    {"link_to_nothing",
     [](FakeRoot* r) {
       r->Remove("/opt/composable_kernel/library/src");
       fs::create_directories(*r / "/opt/composable_kernel/library/src");
     },
     "ck4inductor library/src", "holds nothing"},
    {"ck_folder_incomplete", [](FakeRoot* r) { r->Remove(std::string(kCkFolder) + "/include"); },
     "TORCHINDUCTOR_CK_DIR folder", "include"},
};

class RocmBreak : public testing::TestWithParam<Break> {};

TEST_P(RocmBreak, IsTheOnlyItemThatDiffers) {
  FakeRoot root;
  MakeRocm(&root);
  GetParam().apply(&root);
  ExpectOnly(Check(root, kRocmManifest), GetParam().item, GetParam().says);
}
INSTANTIATE_TEST_SUITE_P(Items, RocmBreak, testing::ValuesIn(kRocmBreaks),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(Check, ARightRocmRootIsOk) {
  FakeRoot root;
  MakeRocm(&root);
  const CheckReport report = Check(root, kRocmManifest);
  for (const CheckItem& item : report.items) EXPECT_EQ(item.state, State::kOk) << Listing(report);
  EXPECT_EQ(Find(report, "architecture")->observed, "gfx942");
  EXPECT_EQ(Find(report, "gpu")->observed, "AMD Instinct MI300X");
  EXPECT_EQ(Find(report, "world_size")->observed, "2");
  EXPECT_EQ(Find(report, "ck4inductor")->observed, "1.0.0");
}

TEST(Check, TheArchitectureOfAnotherCardDiffers) {
  FakeRoot root;
  MakeRocm(&root);
  root.Remove("/usr/share/libdrm/amdgpu.ids");
  for (const char* node : {"1", "2"}) {
    root.Write(std::string("/sys/class/kfd/kfd/topology/nodes/") + node + "/properties", "gfx_target_version 90010\n");
  }
  const CheckReport report = Check(root, kRocmManifest);
  EXPECT_EQ(Find(report, "architecture")->observed, "gfx90a");
  EXPECT_EQ(Find(report, "architecture")->state, State::kDiffers) << Listing(report);
  EXPECT_EQ(Find(report, "gpu")->state, State::kUntold) << "no file names the card";
}

TEST(Check, TheReleaseOfRocmMayBeRecordedInPlaceOfHip) {
  FakeRoot root;
  MakeRocm(&root);
  constexpr std::string_view kRelease = "- HIP / ROCm: 6.3.0\n", kOther = "- HIP / ROCm: 6.4.0\n";
  EXPECT_EQ(Find(Check(root, kRelease), "hip")->state, State::kOk);
  EXPECT_EQ(Find(Check(root, kOther), "hip")->state, State::kDiffers);
}

TEST(Check, WhatAnUnpackedImageDoesNotTellIsNotGuessed) {
  FakeRoot root;
  root.Write("/etc/environment", "TRITON_CACHE_DIR=\"/workspace/triton_cache\"\n# A=1\nB=$HOME/x\n");
  const CheckReport report = Check(root, kNvidiaManifest);
  EXPECT_EQ(Find(report, "TRITON_CACHE_DIR")->state, State::kOk);
  EXPECT_EQ(Find(report, "TRITON_CACHE_DIR")->where, "/etc/environment");
  for (const char* item : {"torch", "triton", "python", "gpu", "architecture", "world_size", "compile_mode",
                           "TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS", "ck4inductor library/src"}) {
    EXPECT_EQ(Find(report, item)->state, State::kUntold) << Listing(report);
    EXPECT_FALSE(Find(report, item)->message.empty()) << item;
  }
}

TEST(Check, ACacheInAFolderThatARestartWipesDiffers) {
  for (const char* folder : {"/root/.triton/cache", "/tmp/triton", "/dev/shm/triton"}) {
    FakeRoot root;
    MakeNvidia(&root);
    fs::create_directories((root / folder).parent_path());
    fs::rename(root / "/workspace/triton_cache", root / folder);
    SetVariable(&root, std::string("TRITON_CACHE_DIR=") + folder);
    const CheckReport report = Check(root, kNvidiaManifest);
    EXPECT_EQ(Find(report, "TRITON_CACHE_DIR folder")->state, State::kDiffers) << folder << "\n" << Listing(report);
    EXPECT_EQ(Find(report, "TRITON_CACHE_DIR")->state, State::kDiffers) << folder;
  }
}

TEST(Check, AVolumeMountedAtATemporaryFolderOutlivesIt) {
  FakeRoot root;
  MakeNvidia(&root);
  fs::create_directories(root / "/tmp");
  fs::rename(root / "/workspace/triton_cache", root / "/tmp/triton");
  SetVariable(&root, "TRITON_CACHE_DIR=/tmp/triton");
  root.Write("/proc/mounts", "overlay / overlay rw 0 0\nnas:/t /tmp/triton nfs4 rw 0 0\n");
  EXPECT_EQ(Find(Check(root, kNvidiaManifest), "TRITON_CACHE_DIR folder")->state, State::kOk);
}

TEST(Check, TheVolumeThatTheManifestMeansIsNotTheContainersOwnLayer) {
  FakeRoot root;
  MakeNvidia(&root);
  constexpr std::string_view kVolume = "- TORCHINDUCTOR_CACHE_DIR: `/workspace/inductor_cache` (on the PVC)\n";
  EXPECT_EQ(Find(Check(root, kVolume), "TORCHINDUCTOR_CACHE_DIR folder")->state, State::kOk);
  root.Write("/proc/mounts", "overlay / overlay rw 0 0\n");
  EXPECT_EQ(Find(Check(root, kVolume), "TORCHINDUCTOR_CACHE_DIR folder")->state, State::kDiffers);
}

TEST(Check, PythonsThatDisagreeAreNotChosenFrom) {
  FakeRoot root;
  MakeNvidia(&root);
  root.Config({});
  root.Write("/usr/lib/python3/dist-packages/unrelated-1.dist-info/METADATA", "Name: unrelated\nVersion: 1\n");
  EXPECT_EQ(Find(Check(root, kNvidiaManifest), "torch")->state, State::kOk) << "one Python has torch";
  root.Write("/usr/local/lib/python3.11/dist-packages/torch/version.py", "__version__ = '2.9.0'\n");
  EXPECT_EQ(Find(Check(root, kNvidiaManifest), "torch")->state, State::kUntold);
  root.Config({"VIRTUAL_ENV=/opt/venv"});
  EXPECT_EQ(Find(Check(root, kNvidiaManifest), "torch")->state, State::kOk);
}

TEST(Check, APythonBesideAProjectIsFoundWithoutAnyVariable) {
  FakeRoot root;
  MakeNvidia(&root);
  root.Config({});
  fs::create_directories(root / "/opt/torch");
  fs::rename(root / "/opt/venv", root / "/opt/torch/.venv");
  EXPECT_EQ(Find(Check(root, kNvidiaManifest), "torch")->where,
            "/opt/torch/.venv/lib/python3.12/site-packages/torch/version.py");
}

TEST(Check, ACacheOfAnotherMachineDiffers) {
  FakeRoot root;
  MakeNvidia(&root);
  constexpr std::string_view kA100 =
      "- GPU: NVIDIA A100-SXM4-80GB\n- TORCHINDUCTOR_CACHE_DIR: /workspace/inductor_cache\n";
  EXPECT_EQ(Find(Check(root, kA100), "TORCHINDUCTOR_CACHE_DIR contents")->state, State::kDiffers);
}

}  // namespace
}  // namespace autotune
