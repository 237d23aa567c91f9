// Family "devices": GPU marketing names, their architectures and what else tells them apart in a log. A file holds the
// devices of one architecture:
//
//   { "id": "nvidia-sm90", "title": "NVIDIA Hopper", "vendor": "nvidia", "shared_memory": 232448,
//     "architectures": ["sm_90", "sm_90a", "9.0", "hopper"],
//     "devices": [ { "device": "H200", "names": ["h200"], "processors": 132 } ],
//     "samples": [ { "name": "NVIDIA H200", "device": "H200" }, { "name": "NVIDIA GH200 480GB", "device": "" } ] }
//
// Names are compared word by word, without case and punctuation, so "a100" is in "NVIDIA A100-SXM4-80GB" and not in
// "RTX A1000". Where names of several devices stand in a text, the one of most words is meant ("RTX 4070 Ti Super").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/diag.h"

namespace autotune {

struct RuleFile;
struct RuleNode;

struct DeviceRule {
  std::string id;                  // of the rule file
  std::string title;               // of the architecture: "NVIDIA Hopper"
  std::string device;              // "H100": what a report calls it
  std::string vendor;              // "nvidia", "amd", "intel"
  std::vector<std::string> names;  // words of the marketing name, lower case
  std::vector<std::string>
      architectures;          // spellings that mean it, the usual one first: "sm_80", "8.0", "ampere", "gfx942"
  int64_t shared_memory = 0;  // opt-in bytes a block, as in "Hardware limit:"; 0 unknown
  int64_t processors = 0;     // SMs or CUs as in NUM_SMS=; 0 unknown or several
};

std::vector<DeviceRule> DecodeDeviceRules(const RuleFile& file, const RuleNode& root, std::vector<Diag>* diags);
// `rules` are the devices of `file` alone.
void CheckDeviceSamples(const std::vector<DeviceRule>& rules, const RuleFile& file, std::vector<Diag>* diags);

// The device whose marketing name stands in `text` ("AMD Instinct MI300X VF", "gfx942 (AMD MI300X)"); null when none
// does, or when two different ones do.
const DeviceRule* DeviceOfName(const std::vector<DeviceRule>& rules, std::string_view text);
// The devices that `text` may mean: those of the marketing names in it, else all of the architectures that
// stand in it ("gfx942:sramecc+:xnack-", "sm_90 (Hopper)", "compute capability 9.0"). Empty: nothing known.
std::vector<const DeviceRule*> DevicesOf(const std::vector<DeviceRule>& rules, std::string_view text);
// Whether `text` names `rule`'s architecture, whatever device it names.
bool NamesArchitecture(const DeviceRule& rule, std::string_view text);

}  // namespace autotune
