// A machine (or an unpacked root) as the settings of a manifest ask it: each setting's rule says how it is told (key
// "probe" of rules/settings). Files are read, nothing is imported; programs of the driver are run on this machine
// alone.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/machine/environment.h"
#include "analyzer/machine/gpus.h"
#include "analyzer/machine/mounts.h"
#include "analyzer/machine/packages.h"
#include "analyzer/machine/reading.h"
#include "analyzer/machine/root.h"
#include "analyzer/rule/rule_set.h"

namespace autotune {

// "link ck4inductor library/src" -> {"link", "ck4inductor", "library/src"}; a kind of two words stays one.
std::vector<std::string> ProbeWords(std::string_view probe);

struct SettingReading : Reading {
  // Another spelling of the same thing that a manifest may record as well: the ROCm release beside HIP's version.
  std::optional<std::string> also;
  bool counts_cards = false;  // the number of cards, not of processes
};

class Machine {
 public:
  Machine(const std::string& folder, const RuleSet& rules)
      : root_(folder), environment_(root_), packages_(root_, environment_), gpus_(root_, rules), mounts_(root_) {}
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  SettingReading Read(const SettingRule& setting) const;

  const Root& root() const { return root_; }
  const Environment& environment() const { return environment_; }
  const Packages& packages() const { return packages_; }
  const Mounts& mounts() const { return mounts_; }

 private:
  Reading Rocm() const;
  void Ask(const std::vector<std::string>& probe, SettingReading* best) const;
  Reading Cards(const std::vector<std::string>& hiding) const;

  Root root_;
  Environment environment_;
  Packages packages_;
  Gpus gpus_;
  Mounts mounts_;
};

}  // namespace autotune
