// A log in memory, handed over in pieces of a chosen size: how tests split a stream at awkward bytes.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "analyzer/input/source.h"

namespace autotune {

class MemorySource : public Source {
 public:
  MemorySource(std::string name, std::string bytes, size_t piece)
      : name_(std::move(name)), bytes_(std::move(bytes)), piece_(piece) {}

  absl::StatusOr<size_t> Read(char* buffer, size_t size) override {
    const size_t n = std::min({size, piece_, bytes_.size() - at_});
    std::memcpy(buffer, bytes_.data() + at_, n);
    at_ += n;
    return n;
  }
  const std::string& name() const override { return name_; }
  bool compressed() const override { return false; }
  int fd() const override { return -1; }

 private:
  std::string name_, bytes_;
  size_t piece_;
  size_t at_ = 0;
};

}  // namespace autotune
