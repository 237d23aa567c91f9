// Environment variables: of this process, or what an unpacked root tells of the processes that will run in it.
//
//   DIR/proc/1/environ            a live container's root (/proc/PID/root): all of its first process
//   DIR/../config.json            an OCI bundle, whose rootfs DIR is: all of the image's and the pod's
//   DIR/.singularity.d/env/*.sh   Apptainer: export NAME=value
//   DIR/etc/environment           pam_env: NAME=value
//
// The first two are the whole environment: what they lack is not set. The others are a part: what they lack cannot be
// told.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "analyzer/machine/reading.h"
#include "analyzer/machine/root.h"

namespace autotune {

class Environment {
 public:
  explicit Environment(const Root& root);

  Reading Read(std::string_view name) const;
  // The value, "" when it is not set or cannot be told.
  std::string Value(std::string_view name) const { return Read(name).value.value_or(""); }
  // Whether a variable that is not found is known not to be set.
  bool is_whole() const { return whole_; }

 private:
  struct Variable {
    std::string value, where;
  };
  void Add(std::string_view assignment, const std::string& where);
  void AddFile(const Root& root, const std::string& path);
  bool AddBundle(const Root& root);

  bool process_ = false;  // ask getenv()
  bool whole_ = false;
  std::string whole_where_;
  std::map<std::string, Variable, std::less<>> variables_;
};

}  // namespace autotune
