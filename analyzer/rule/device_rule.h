// Family "devices": GPU marketing names, their architectures and what else tells them apart in a log.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/base/diag.h"

namespace autotune {

struct RuleFile;
struct RuleNode;

struct DeviceRule {
  std::string id, title;
  std::string vendor;                      // "nvidia", "amd", "intel"
  std::vector<std::string> names;          // RE2, searched in a GPU's name, case-insensitive: "\\bA100\\b"
  std::vector<std::string> architectures;  // "sm_80", "gfx942": spellings that mean this device
  int64_t shared_memory = 0;               // opt-in bytes a block, as in "Hardware limit:"; 0 unknown
  int64_t processors = 0;                  // SMs or CUs as in NUM_SMS=; 0 unknown or several
  struct Sample { std::string name; bool fires = false; };
  std::vector<Sample> samples;
};

std::optional<DeviceRule> DecodeDeviceRule(const RuleFile& file, const RuleNode& root, std::vector<Diag>* diags);
void CheckDeviceSamples(const DeviceRule& rule, const RuleFile& file, std::vector<Diag>* diags);

}  // namespace autotune
