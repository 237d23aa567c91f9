// The settings of a build, put together from its log, its cache and the machine: one value each, the surest source
// first.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analyzer/machine/manifest_writer.h"

namespace autotune {

struct BuildValue {
  std::string value;  // "": known not to be set
  std::string from;   // "the log", "the cache", "this machine"
};

// By the contract's names. `remarks` says what contradicts and was left out.
std::map<std::string, BuildValue> GatherBuildValues(const BuildSources& sources, const RuleSet& rules,
                                                    std::vector<std::string>* remarks);

}  // namespace autotune
