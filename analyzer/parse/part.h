// The lines that an AUTOTUNE block is made of, recognised by hand-written scanners: rows are most of a dense log, and a
// regular expression a row would be most of the time.
//
//   Autotune Choices Stats:                                          kStatsTitle  torch >= 2.9
//   {"num_choices": 20, "num_triton_choices": 19, ...}               kStatsJson   torch >= 2.9
//   AUTOTUNE scaled_mm(512x4096, 4096x3072, 1, , 3072)               kHeader
//   strides: [4096, 1], [1, 4096], ...                               kStrides     torch >= 2.8
//   dtypes: torch.float8_e4m3fn, ...                                 kDtypes      torch >= 2.8
//     triton_mm_8 0.0297 ms 97.0% ACC_TYPE='tl.float32', ...         kRow
//     triton_mm_11 0.0195s 94.4%                                     kRow         torch 2.0 (ms all the same)
//     mm 0.0000 ms <DIVIDED BY ZERO ERROR>                           kRow         torch >= 2.2
//   SingleProcess AUTOTUNE benchmarking takes 0.5 seconds ...        kFooter
//   "autotune_choices_stats": "{\"num_choices\": 20, ...}"           kTraceStats  an event of a TORCH_TRACE file
//
// Written by torch/_inductor/select_algorithm.py (log_results, torch 2.0 to 2.15), at any indent here because copies
// lose or gain some. Scanners see one line without its wrapper; everything they give is a view into it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace autotune {

struct RowText {
  std::string_view name;
  std::string_view description;  // without blanks around it
  double ms = 0;                 // +infinity for inf
  std::optional<double> pct;
  bool seconds = false;  // the unit is a bare s
  bool divided_by_zero = false;
  bool trailing_blank = false;  // nothing but one blank behind the percentage, as torch >= 2.5 writes it
  bool spaced = false;          // " ms " stands in it, as every torch since 2.1 writes it
};

struct FooterText {
  bool sub_process = false;
  double benchmark_seconds = 0;
  bool benchmarking = false;  // "AUTOTUNE benchmarking takes", else "AUTOTUNE takes"
  std::optional<double> precompile_seconds, prescreen_seconds;
  std::optional<int64_t> num_choices;
};

struct Part {
  enum class Kind : uint8_t { kNone, kHeader, kStrides, kDtypes, kRow, kFooter, kStatsTitle, kStatsJson, kTraceStats };
  Kind kind = Kind::kNone;
  std::string_view op, shapes;  // kHeader: "mm", "8x8, 8x8"
  std::string_view list;        // kStrides, kDtypes: what follows the colon; kStatsJson: the object;
                                // kTraceStats: the object as a JSON string, with its quotes
  RowText row;
  FooterText footer;
};

// `text` may have blanks around it. Leaves `part->kind` kNone when it is none of these, whole.
Part::Kind ScanPart(std::string_view text, Part* part);

// The beginning of such a line, cut somewhere: "AUTOTUNE mm(1024x10", "  triton_mm_6 0.05", "SingleProcess AUTOTUNE
// ben". Any single word may begin a row, so this answers with care only where a block is open.
bool MayBeginPart(std::string_view text);
// The same, by its fixed words alone: such a line never goes on with another one.
bool BeginsWithPartWords(std::string_view text);

// "8x8, 8x8, " to its items, "" for a 0-d input.
std::vector<std::string> SplitShapes(std::string_view shapes);
// "[4096, 1], [s0, 1]" to lists of entries as printed.
std::vector<std::vector<std::string>> SplitStrides(std::string_view list);
// How many lists that gives.
size_t CountStrides(std::string_view list);
std::vector<std::string> SplitDtypes(std::string_view list);

// "ACC_TYPE='tl.float32', ALLOW_TF32=False": items that begin with NAME=. Also with an item that a hyphen was taken out
// of ("SM_SCALE=1e, 05").
bool IsKeywordList(std::string_view text);

struct Stats {
  std::optional<int64_t> num_choices, num_triton_choices;
  std::string best_kernel;
  std::optional<double> best_time;  // ms; empty for Infinity
};

// Reads the JSON object of a stats line with simdjson. `Infinity` and `NaN`, which Python writes, are no JSON and read
// as absent. Nothing when the object is broken.
class StatsReader {
 public:
  StatsReader();
  ~StatsReader();
  std::optional<Stats> Read(std::string_view object);
  // The object inside a JSON string, as kTraceStats has it.
  std::optional<Stats> ReadQuoted(std::string_view text);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace autotune
