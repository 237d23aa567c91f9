// Python environments of a machine and the versions of what is installed in them, read from files: nothing is imported
// or run, so that a broken or foreign installation can be looked at too.
//
// The Python that a job uses is the one that an activated environment (VIRTUAL_ENV, CONDA_PREFIX) or PATH names;
// without them, every usual place that has torch. Where several of those disagree, nothing says which one is used.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/machine/environment.h"
#include "analyzer/machine/reading.h"
#include "analyzer/machine/root.h"

namespace autotune {

class Packages {
 public:
  Packages(const Root& root, const Environment& environment);

  // The version of a distribution ("pytorch-triton-rocm"), from its METADATA or PKG-INFO; "" not installed.
  Reading Version(std::string_view distribution) const;
  // NAME = '...' of a Python file below site-packages: ("torch/version.py", "cuda"). "" for None.
  Reading Assigned(std::string_view file, std::string_view name) const;
  Reading Python() const;
  // The folder of an installed module below the root: "/opt/venv/lib/python3.12/site-packages/ck4inductor".
  std::optional<std::string> ModuleFolder(std::string_view module) const;
  // Whether a Python was found that has torch.
  bool found() const { return !pythons_.empty(); }

 private:
  struct PythonPlace {
    std::string prefix;                     // "/opt/venv"
    std::string name;                       // "python3.12"
    std::vector<std::string> site_folders;  // in the order of sys.path
  };
  void Consider(const std::string& prefix, std::vector<PythonPlace>* places) const;
  std::vector<PythonPlace> PythonsBelow(const std::string& prefix) const;
  bool HasTorch(const PythonPlace& python) const;
  std::string VersionOf(const PythonPlace& python, std::string* where) const;
  std::string NoPython() const;
  // One value that all Pythons with torch agree on; else why there is none.
  template <typename Look>
  Reading Agreed(Look&& look) const;

  const Root& root_;
  std::vector<PythonPlace> pythons_;  // those that have torch; of an active environment only that one
};

}  // namespace autotune
