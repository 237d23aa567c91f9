// How reports call the writer of a line.
#pragma once

#include <string>

#include "analyzer/model/block.h"

namespace autotune {

// "pod/trainer-0/main", "rank 3", "trainer-0 Worker_TP0 pid=3312 rank 0"; "" where the line names none.
inline std::string ProcessName(const Labels& labels) {
  std::string name = labels.process.value_or("");
  const bool names_pod = labels.pod && name.find(*labels.pod) != std::string::npos;
  if (labels.pod && !names_pod) name = name.empty() ? "pod/" + *labels.pod : *labels.pod + " " + name;
  if (labels.rank) name += (name.empty() ? "rank " : " rank ") + std::to_string(*labels.rank);
  return name;
}

}  // namespace autotune
