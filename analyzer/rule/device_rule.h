// Family "devices": GPU marketing names, their architectures and what else tells them apart in a log. A file holds the
// devices of one generation:
//
//   { "id": "nvidia-hopper", "title": "...", "vendor": "nvidia", "devices": [
//       { "device": "H100", "names": ["\\bH100\\b"], "architectures": ["sm_90", "sm_90a", "hopper"], "shared_memory":
//       232448 } ],
//     "samples": [ { "name": "NVIDIA H100 80GB HBM3", "device": "H100" }, { "name": "NVIDIA A100", "device": "" } ] }
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/diag.h"

namespace autotune {

struct RuleFile;
struct RuleNode;

struct DeviceRule {
  std::string id;  // of the rule file
  std::string title;
  std::string device;                      // "H100": what a report calls it
  std::string vendor;                      // "nvidia", "amd", "intel"
  std::vector<std::string> names;          // RE2, searched in a GPU's name, case-insensitive: "\\bA100\\b"
  std::vector<std::string> architectures;  // "sm_80", "gfx942", "ampere": spellings that mean this device, lower case
  int64_t shared_memory = 0;               // opt-in bytes a block, as in "Hardware limit:"; 0 unknown
  int64_t processors = 0;                  // SMs or CUs as in NUM_SMS=; 0 unknown or several
};

std::vector<DeviceRule> DecodeDeviceRules(const RuleFile& file, const RuleNode& root, std::vector<Diag>* diags);
// `rules` are the devices of `file` alone.
void CheckDeviceSamples(const std::vector<DeviceRule>& rules, const RuleFile& file, std::vector<Diag>* diags);

// The device whose marketing name stands in `text` ("AMD Instinct MI300X VF", "gfx942 (AMD MI300X)"); null when none
// does, or when two different ones do.
const DeviceRule* DeviceOfName(const std::vector<DeviceRule>& rules, std::string_view text);
// The devices that `text` may mean: by marketing name if it has one, else all of an architecture that stands in it as a
// word
// ("gfx942:sramecc+:xnack-", "sm_90 (Hopper)", "compute capability 9.0"). Empty: nothing known.
std::vector<const DeviceRule*> DevicesOf(const std::vector<DeviceRule>& rules, std::string_view text);
// The architectures that stand in `text` as words, of those that some device has.
std::vector<std::string> ArchitecturesIn(const std::vector<DeviceRule>& rules, std::string_view text);

}  // namespace autotune
