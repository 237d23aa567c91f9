// What a file of a cache is, by its name alone. Names come from archives of anybody: nothing here touches a disk.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace autotune {

struct MemberName {
  enum class Kind {
    kTuning,       // cache/<64 hex digits>
    kKernel,       // ab/cab….py
    kSource,       // ab/cab….cpp, .main.cpp, .cu
    kBestConfig,   // *.best_config
    kFxGraph,      // fxgraph/ab/fab…/<hash>
    kAotAutograd,  // aotautograd/a…/<hash>
    kTriton,       // <Triton folder>/<file>
    kMarker,       // empty by design: locks/*.lock, __init__.py, …
    kOther,
  };
  Kind kind = Kind::kOther;
  std::string_view base;    // last part
  std::string_view stem;    // base without its extensions
  std::string_view folder;  // Triton folder; the graph's key
  std::string_view top;     // first part, "" when there is only one
};

// The views point into `name`.
MemberName ClassifyMember(std::string_view name);

}  // namespace autotune
