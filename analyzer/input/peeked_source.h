// A source whose first bytes were looked at before it is read: they decide what it is, and are handed over like the
// rest. Memory: the head, once.
#pragma once

#include <absl/status/status.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "analyzer/input/source.h"

namespace autotune {

class PeekedSource : public Source {
 public:
  // Reads up to `size` bytes of `inner` now. An error is kept and comes when reading gets there.
  PeekedSource(std::unique_ptr<Source> inner, size_t size) : inner_(std::move(inner)) {
    head_.resize(size);
    while (read_ < size) {
      const absl::StatusOr<size_t> n = inner_->Read(head_.data() + read_, size - read_);
      if (!n.ok()) status_ = n.status();
      ended_ = !n.ok() || *n == 0;
      if (ended_) break;
      read_ += *n;
    }
    head_.resize(read_);
  }

  std::string_view head() const { return head_; }

  absl::StatusOr<size_t> Read(char* buffer, size_t size) override {
    if (given_ < head_.size()) {
      const size_t n = std::min(size, head_.size() - given_);
      std::memcpy(buffer, head_.data() + given_, n);
      given_ += n;
      return n;
    }
    if (!status_.ok()) return status_;
    if (ended_) return 0;
    return inner_->Read(buffer, size);
  }
  const std::string& name() const override { return inner_->name(); }
  bool compressed() const override { return inner_->compressed(); }
  int fd() const override { return -1; }  // its offset lies behind the head
  bool may_wait() const override { return inner_->may_wait(); }

 private:
  const std::unique_ptr<Source> inner_;
  std::string head_;
  size_t read_ = 0, given_ = 0;
  bool ended_ = false;
  absl::Status status_;
};

}  // namespace autotune
