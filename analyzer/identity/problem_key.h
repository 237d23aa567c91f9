// Inductor's key of a problem's inputs: Python's repr of a list of tuples (device type, dtype, sizes, strides, offset).
//
//   [('cuda', 'torch.bfloat16', 1024, 256, 256, 1, 0), ('cuda', 'torch.bfloat16', 256, 512, 1, 256, 0)]
//
// A block prints sizes, and from torch 2.8 on strides and dtypes; never device and offset. A 0-d input is
// ('cuda', 'torch.float32', 0). Facts: torch/_inductor/select_algorithm.py (create_inputs_key, key_of), torch 2.1
// to 2.15; from 2.9 on "_<hint>" follows when a hint override is in force.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/model/block.h"

namespace autotune {

struct InputKey {
  std::string device;  // "cuda", "cpu", "xpu", ...
  std::string dtype;   // "torch.bfloat16"
  std::vector<int64_t> sizes, strides;
  int64_t offset = 0;

  bool operator==(const InputKey&) const = default;
};

std::string InputsKey(const std::vector<InputKey>& inputs);

// The opposite; empty when the text is no inputs key. A trailing "_<hint>" is read over.
std::optional<std::vector<InputKey>> ParseInputsKey(std::string_view text);

// "1024x256, 256x512": the shapes of a header; "" stands for a 0-d input.
std::string PrintedShapes(const std::vector<InputKey>& inputs);
std::string PrintedShapes(const std::vector<std::string>& shapes);

// "1024x256" -> {1024, 256}; "" -> {}; empty optional when it holds anything else.
std::optional<std::vector<int64_t>> ShapeNumbers(std::string_view shape);

// "bf16", "bfloat16", "torch.bfloat16" -> "torch.bfloat16"; "" when it is no dtype.
std::string DtypeName(std::string_view spelled);

// What a block says of its inputs, offset taken as 0 and `device` filled in. Empty when strides or dtypes are not
// printed, are symbols, or do not fit the shapes.
std::optional<std::vector<InputKey>> PrintedInputs(const Block& block, std::string_view device);

// The same with row-major strides where none are printed and `dtype` where none is: a guess, to be offered as one.
std::optional<std::vector<InputKey>> ContiguousInputs(const Block& block, std::string_view device,
                                                      std::string_view dtype);

}  // namespace autotune
