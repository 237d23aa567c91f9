// Writes the manifest of a build: the Markdown that everything else here reads (manifest/manifest.h), from what the
// build's log states, what its cache holds and what the machine tells, each row only where one of them says it.
//
//   ## Exact Identities
//   | Identity | Value |
//   |----------|-------|
//   | System hash | `c33ff64252de0fc95aafeb63c22d2f93666cf684f9102841c20702613368c40d` |
//
//   | Op | Precision | Choices | Back ends | Inputs key | Candidate-set key |
//   |----|-----------|---------|-----------|------------|-------------------|
//   | mm | highest | 20 | ATEN,TRITON | `[('cuda', 'torch.bfloat16', 1024, 256, 256, 1, 0), ...]` | `c5q...` |
//
// A log and a cache are of the build; the machine is only believed when it contradicts neither and has a torch.
#pragma once

#include <string>
#include <vector>

#include "analyzer/cache/cache_reader.h"
#include "analyzer/cache/inspect.h"
#include "analyzer/machine/machine.h"
#include "analyzer/model/run.h"
#include "analyzer/rule/rule_set.h"

namespace autotune {

struct BuildSources {
  const Run* log = nullptr;                   // null: none given
  const CacheReading* cache = nullptr;        // null: none given
  const CacheReport* cache_report = nullptr;  // what `cache` says of the same
  std::string cache_path;
  const Machine* machine = nullptr;
  std::string generated;  // "2026-07-21T05:53:03Z"
};

struct WrittenManifest {
  std::string text;
  std::vector<std::string> remarks;  // what was left out, and why
};

WrittenManifest WriteManifest(const BuildSources& sources, const RuleSet& rules);

}  // namespace autotune
