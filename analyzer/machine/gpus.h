// The cards of a machine, from the driver's files or its tools; torch is not asked.
//
//   /proc/driver/nvidia/gpus/0000:1b:00.0/information    "Model: 		 NVIDIA H200"
//   /sys/class/kfd/kfd/topology/nodes/2/properties       "gfx_target_version 90402" (gfx942), 0 for a CPU
//   /sys/class/drm/card1/device/product_name             "AMD Instinct MI300X OAM"
//   /usr/share/libdrm/amdgpu.ids                         "74A1,	00,	AMD Instinct MI300X" by PCI device and
//   revision nvidia-smi, rocminfo                                 on this machine, when they are installed
#pragma once

#include <string>
#include <vector>

#include "analyzer/machine/reading.h"
#include "analyzer/machine/root.h"
#include "analyzer/rule/rule_set.h"

namespace autotune {

class Gpus {
 public:
  Gpus(const Root& root, const RuleSet& rules);

  Reading Name() const;
  Reading Architecture() const;
  Reading Count() const;

 private:
  struct Card {
    std::string name, architecture, where;
  };
  void AskNvidiaSmi();
  void ReadNvidia();
  void AskRocmInfo();
  void ReadKfd();
  std::string AmdName(const std::string& location, const std::string& device) const;
  Reading Agreed(std::string Card::*field, const char* what) const;

  const Root& root_;
  const RuleSet& rules_;
  std::vector<Card> cards_;
};

}  // namespace autotune
