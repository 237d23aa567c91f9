// A log that is still being written by somebody else, read as `tail -F` reads it: at its end we wait for more, and go
// on over a rotation, be it by renaming (another file appears under the path) or by truncation (the file shrinks).
//
// What a rotated file still held is read to its end before the new one is opened. A file that is gone for a while is
// waited for. The source ends only when `stop` is set.
#pragma once

#include <absl/status/statusor.h>

#include <atomic>
#include <memory>
#include <string>

#include "analyzer/input/source.h"

namespace autotune {

// An error when the file cannot be opened at the start. `stop` must outlive the source.
absl::StatusOr<std::unique_ptr<Source>> OpenFollowed(const std::string& path, const std::atomic<bool>* stop);

}  // namespace autotune
