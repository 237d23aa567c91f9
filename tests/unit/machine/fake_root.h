// Root file systems for the tests of `check`: a pod with an H200 and one with MI300Xs, as their files look after the
// image is unpacked, right in every point until a test breaks one.
#pragma once

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/unit/embedded_rules.h"

namespace autotune {

namespace fs = std::filesystem;

class FakeRoot {
 public:
  // The folder's name is that of an OCI bundle's root, beside which Config() writes.
  FakeRoot() {
    std::string name = (fs::path(testing::TempDir()) / "fake_root_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) ADD_FAILURE() << "no temporary folder";
    bundle_ = name;
    fs::create_directories(path());
  }
  ~FakeRoot() {
    std::error_code error;
    for (const auto& entry : fs::recursive_directory_iterator(bundle_, error)) {
      if (!entry.is_symlink()) fs::permissions(entry.path(), fs::perms::owner_all, fs::perm_options::add, error);
    }
    fs::remove_all(bundle_, error);
  }
  FakeRoot(const FakeRoot&) = delete;
  FakeRoot& operator=(const FakeRoot&) = delete;

  fs::path path() const { return bundle_ / "rootfs"; }
  std::string folder() const { return path().string(); }
  fs::path operator/(std::string_view inside) const { return path() / std::string(inside.substr(1)); }

  void Write(std::string_view inside, std::string_view text) {
    fs::create_directories((*this / inside).parent_path());
    std::ofstream(*this / inside, std::ios::binary) << text;
  }
  void Remove(std::string_view inside) { fs::remove_all(*this / inside); }
  void Link(std::string_view target, std::string_view inside) {
    fs::create_directories((*this / inside).parent_path());
    fs::remove_all(*this / inside);
    fs::create_symlink(std::string(target), *this / inside);
  }
  // config.json of an OCI bundle: the whole environment.
  void Config(const std::vector<std::string>& variables) {
    std::string list;
    for (const std::string& variable : variables) list += (list.empty() ? "\"" : ", \"") + variable + "\"";
    std::ofstream(bundle_ / "config.json") << R"({"process": {"env": [)" << list << "]}}";
  }
  // The members of an archive below `from` become files below `inside`.
  void Unpack(const std::string& file, const std::string& from, std::string_view inside) {
    archive* in = archive_read_new();
    archive_read_support_filter_all(in);
    archive_read_support_format_all(in);
    ASSERT_EQ(archive_read_open_filename(in, file.c_str(), 1 << 16), ARCHIVE_OK) << file;
    archive_entry* entry = nullptr;
    while (archive_read_next_header(in, &entry) == ARCHIVE_OK) {
      const std::string name = archive_entry_pathname(entry);
      if (archive_entry_filetype(entry) != AE_IFREG || name.compare(0, from.size() + 1, from + "/") != 0) continue;
      std::string bytes(static_cast<size_t>(archive_entry_size(entry)), '\0');
      ASSERT_EQ(archive_read_data(in, bytes.data(), bytes.size()), static_cast<la_ssize_t>(bytes.size()));
      Write(std::string(inside) + name.substr(from.size()), bytes);
    }
    archive_read_free(in);
  }

 private:
  fs::path bundle_;
};

inline std::string Lab(const std::string& name) { return std::string(SOURCE_DIR) + "/corpus/lab/" + name; }

constexpr std::string_view kNvidiaManifest = R"(# Compile Cache — H200

## Hardware
- GPU: NVIDIA H200
- GPU count (world_size): 1 (1)
- Architecture: sm_90 (NVIDIA Hopper)

## Software Versions
| Package | Version |
|---------|---------|
| Torch   | 2.11.0+cu130 |
| CUDA | 13.0 |
| HIP / ROCm | N/A |
| Triton  | 3.6.0 |
| ck4inductor | N/A |
| Python  | 3.12.3 |

## Compile Configuration
| Setting | Value |
|---------|-------|
| Compile mode | max-autotune-no-cudagraphs |
| GEMM backends | ATEN,TRITON |
| TORCHINDUCTOR\_CK\_DIR | `N/A` |
| TORCHINDUCTOR\_CACHE\_DIR | `/workspace/inductor_cache` |
| TRITON\_CACHE\_DIR | `/workspace/triton_cache` |
| TRITON\_MAX\_BLOCK\_SIZE | N/A |
| TORCHINDUCTOR\_COMPILE\_THREADS | 16 |

## Cache Statistics
| Cache | Files |
|-------|-------|
| inductor\_cache | 71 |
| triton\_cache | 164 |

## Recompilation Trigger Checklist
1. `TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS` == `ATEN,TRITON`
2. `TORCHINDUCTOR_CK_DIR` points to valid CK root: `N/A`
3. `library/src` symlink inside ck4inductor package exists (needed for gemm_universal kernel enumeration)
4. `TORCHINDUCTOR_CACHE_DIR` == `/workspace/inductor_cache` (with extracted cache files present)
5. `TRITON_CACHE_DIR` == `/workspace/triton_cache` (must NOT be `~/.triton` — that is wiped on restart)
6. Torch version matches: `2.11.0+cu130`
7. Triton version matches: `3.6.0`
)";

inline const std::vector<std::string>& NvidiaVariables() {
  static const std::vector<std::string>& variables =
      *new std::vector<std::string>{"PATH=/opt/venv/bin:/usr/bin",
                                    "HOME=/root",
                                    "TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS=ATEN,TRITON",
                                    "TORCHINDUCTOR_CACHE_DIR=/workspace/inductor_cache",
                                    "TRITON_CACHE_DIR=/workspace/triton_cache",
                                    "TORCHINDUCTOR_COMPILE_THREADS=16"};
  return variables;
}

inline void MakeNvidia(FakeRoot* root) {
  const std::string site = "/opt/venv/lib/python3.12/site-packages";
  root->Config(NvidiaVariables());
  root->Write("/proc/driver/nvidia/gpus/0000:1b:00.0/information",
              "Model: \t\t NVIDIA H200\nIRQ:   \t\t 18\nGPU UUID: \t GPU-0\n");
  root->Write("/usr/bin/python3.12", "");
  root->Link("/usr/bin/python3.12", "/opt/venv/bin/python3");
  root->Write("/opt/venv/pyvenv.cfg", "home = /usr/bin\nversion = 3.12.3\n");
  root->Write(site + "/torch/version.py",
              "from typing import Optional\n\n__all__ = ['__version__']\n__version__ = '2.11.0+cu130'\ndebug = False\n"
              "cuda: Optional[str] = '13.0'\ngit_version = 'abc'\nhip: Optional[str] = None\n");
  root->Write(site + "/torch-2.11.0.dist-info/METADATA",
              "Metadata-Version: 2.1\nName: torch\nVersion: 2.11.0\n\nText\n");
  root->Write(site + "/triton-3.6.0.dist-info/METADATA",
              "Metadata-Version: 2.1\nName: triton\nVersion: 3.6.0\n\nText\n");
  root->Unpack(Lab("base-cold") + "/cache.tar.zst", "inductor_cache", "/workspace/inductor_cache");
  root->Unpack(Lab("base-cold") + "/cache.tar.zst", "triton_cache", "/workspace/triton_cache");
  root->Write("/proc/mounts",
              "overlay / overlay rw,relatime 0 0\ntmpfs /dev/shm tmpfs rw 0 0\nnas:/cache /workspace nfs4 rw 0 0\n");
}

constexpr std::string_view kCkFolder = "/opt/conda/envs/train/lib/python3.10/site-packages/ck4inductor";

constexpr std::string_view kRocmManifest = R"(# Compile Cache — MI300X

## Hardware
- GPU: AMD Instinct MI300X
- GPU count (world_size): 2 (2)
- Architecture: gfx942

## Software Versions
| Package | Version |
|---------|---------|
| Torch   | 2.7.1+rocm6.3 |
| HIP / ROCm | 6.3.42131-fa1d09cbd |
| Triton  | 3.3.1 |
| ck4inductor | 1.0.0 |
| Python  | 3.10.16 |

## Compile Configuration
| Setting | Value |
|---------|-------|
| GEMM backends | ATEN,TRITON,CK |
| TORCHINDUCTOR\_CK\_DIR | `/opt/conda/envs/train/lib/python3.10/site-packages/ck4inductor` |

## Recompilation Trigger Checklist
1. `TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS` == `ATEN,TRITON,CK`
2. `TORCHINDUCTOR_CK_DIR` points to valid CK root: `/opt/conda/envs/train/lib/python3.10/site-packages/ck4inductor`
3. `library/src` symlink inside ck4inductor package exists (needed for gemm_universal kernel enumeration)
4. Torch version matches: `2.7.1+rocm6.3`
5. Triton version matches: `3.3.1`
)";

inline void MakeRocm(FakeRoot* root) {
  const std::string site = "/opt/conda/envs/train/lib/python3.10/site-packages", ck(kCkFolder);
  root->Config({"CONDA_PREFIX=/opt/conda/envs/train", "TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS=ATEN,TRITON,CK",
                "TORCHINDUCTOR_CK_DIR=" + ck});
  const std::string nodes = "/sys/class/kfd/kfd/topology/nodes";
  root->Write(nodes + "/0/properties", "cpu_cores_count 96\nsimd_count 0\ngfx_target_version 0\n");
  for (const char* node : {"/1", "/2"}) {
    root->Write(nodes + node + "/properties",
                "cpu_cores_count 0\nsimd_count 1216\ngfx_target_version 90402\nvendor_id 4098\ndevice_id 29857\n");
  }
  root->Write("/usr/share/libdrm/amdgpu.ids",
              "# list\n1.0.0\n74A0,\t00,\tAMD Instinct MI300A\n74A1,\t00,\tAMD Instinct MI300X\n");
  root->Write("/opt/rocm/.info/version", "6.3.0-39\n");
  root->Write("/opt/conda/envs/train/conda-meta/python-3.10.16-he870216_1.json", "{}");
  root->Write(
      site + "/torch/version.py",
      "__version__ = '2.7.1+rocm6.3'\ncuda: Optional[str] = None\nhip: Optional[str] = '6.3.42131-fa1d09cbd'\n");
  root->Write(site + "/pytorch_triton_rocm-3.3.1.dist-info/METADATA", "Name: pytorch-triton-rocm\nVersion: 3.3.1\n");
  root->Write(site + "/rocm_composable_kernel-1.0.0.dist-info/METADATA",
              "Name: rocm-composable-kernel\nVersion: 1.0.0\n");
  root->Write(ck + "/include/ck/ck.hpp", "");
  root->Write("/opt/composable_kernel/library/src/tensor_operation_instance/gpu/gemm_universal/a.cpp", "");
  fs::create_directories(*root / (ck + "/library"));
  root->Link("/opt/composable_kernel/library/src", ck + "/library/src");
}

}  // namespace autotune
