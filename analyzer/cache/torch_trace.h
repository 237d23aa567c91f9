// Artifacts of a TORCH_TRACE file (also gzipped, as torch leaves them) as the log lines that say the same.
//
//   V1130 20:16:16.660000 7244 torch/_inductor/compile_fx.py:1120] {"artifact": {"name": "fx_graph_cache_miss", …},
//   "has_payload": "f6b5…"} <tab>{"cache_status_detailed": "full_miss", "key": "fno25…", "components": ["[esst…]
//   inductor_config[max_autotune]: False", …], …}
//
// becomes, under the payload's line number and with the header's own prefix,
//
//   V1130 … compile_fx.py:1120] FX cache key generated: fno25…
//   V1130 … compile_fx.py:1120] [esst…] inductor_config[max_autotune]: False
//
// so that the rules for `[hash] name: value` listings and graph-cache outcomes read both. A payload may be one line of
// any length, or several; a cut one is read up to the cut. Facts: torch/_logging/_internal.py (trace_structured),
// torch/_inductor/compile_fx.py, torch/_functorch/_aot_autograd/autograd_cache.py; artifacts
// fx_graph_cache_{hit,miss,bypass} (2.6 to 2.15) and aotautograd_cache_{hash,hit,miss,bypass} (2.6; 2.11 on).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace autotune {

class TorchTrace {
 public:
  using Emit = std::function<void(std::string_view line, uint64_t number)>;
  explicit TorchTrace(Emit emit) : emit_(std::move(emit)) {}

  // True for a line of payload: what it says was emitted, the line itself is done with. An artifact's header, which
  // names the outcome, is left to the caller like any other line.
  bool Line(std::string_view raw, uint64_t number);
  // The next line is (or may be) payload.
  bool wants_next_line() const { return !prefix_.empty(); }

  // Literals one of which stands in every line that starts an artifact.
  static std::vector<std::string> Literals();

 private:
  void Payload(std::string_view text, uint64_t number);

  Emit emit_;
  std::string prefix_;  // of the artifact's header while its payload is read, "" otherwise
  std::string key_;     // what stands before the key
  std::string bypass_;  // what stands before a bypass's reason
};

}  // namespace autotune
