// What the tests of this room share: a temporary folder, compressed bytes, logs made of chance, a consumer that writes
// down what it gets, and a source in memory that hands pieces of any size over.
#pragma once

#include <absl/status/status.h>
#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/input/line_feed.h"
#include "analyzer/input/source.h"

namespace autotune::test {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "autotune-input-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  std::string Write(const std::string& name, const std::string& bytes) const {
    const std::string path = (path_ / name).string();
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

using AddFilter = int (*)(archive*);

// `bytes` through a filter of libarchive's.
inline std::string Compress(const std::string& bytes, AddFilter add_filter) {
  std::vector<char> buffer(bytes.size() * 2 + (1 << 20));
  size_t used = 0;
  archive* writer = archive_write_new();
  archive_write_set_format_raw(writer);
  EXPECT_EQ(add_filter(writer), ARCHIVE_OK);
  archive_write_set_bytes_in_last_block(writer, 1);
  EXPECT_EQ(archive_write_open_memory(writer, buffer.data(), buffer.size(), &used), ARCHIVE_OK);
  archive_entry* entry = archive_entry_new();
  archive_entry_set_filetype(entry, AE_IFREG);
  archive_write_header(writer, entry);
  archive_write_data(writer, bytes.data(), bytes.size());
  archive_entry_free(entry);
  EXPECT_EQ(archive_write_close(writer), ARCHIVE_OK);
  archive_write_free(writer);
  return std::string(buffer.data(), used);
}

// Hands `bytes` over in pieces of at most `piece` bytes, then `end`.
class MemorySource : public Source {
 public:
  MemorySource(std::string bytes, size_t piece, absl::Status end = absl::OkStatus())
      : bytes_(std::move(bytes)), piece_(piece), end_(std::move(end)) {}
  absl::StatusOr<size_t> Read(char* buffer, size_t size) override {
    if (at_ == bytes_.size() && !end_.ok()) return end_;
    const size_t n = std::min({size, piece_, bytes_.size() - at_});
    std::memcpy(buffer, bytes_.data() + at_, n);
    at_ += n;
    return n;
  }
  const std::string& name() const override { return name_; }
  bool compressed() const override { return false; }
  int fd() const override { return -1; }

 private:
  const std::string name_ = "memory", bytes_;
  const size_t piece_;
  const absl::Status end_;
  size_t at_ = 0;
};

struct Seen {
  std::string text;
  uint64_t number;
  bool operator==(const Seen& other) const { return text == other.text && number == other.number; }
};
inline void PrintTo(const Seen& seen, std::ostream* out) { *out << seen.number << ": " << seen.text.substr(0, 60); }

// Wants the `wants` lines that follow one with "OPEN".
class Recorder : public LineConsumer {
 public:
  explicit Recorder(int wants = 0) : wants_(wants) {}
  void Line(std::string_view raw, uint64_t number) override {
    lines.push_back({std::string(raw), number});
    left_ = raw.find("OPEN") != std::string_view::npos ? wants_ : std::max(0, left_ - 1);
  }
  Wanted wants(uint64_t) const override { return left_ > 0 ? Wanted::kAll : Wanted::kNone; }
  void LongLine(uint64_t number) override { long_lines.push_back(number); }

  std::vector<Seen> lines;
  std::vector<uint64_t> long_lines;

 private:
  const int wants_;
  int left_ = 0;
};

// Lines of words, some of them of interest; CRLF, empty lines, progress bars and NUL among them.
inline std::string ChanceLog(uint32_t seed, size_t lines, const std::vector<std::string>& words, int one_in) {
  std::mt19937 random(seed);
  std::string log;
  for (size_t i = 0; i < lines; ++i) {
    const size_t length = random() % 12 == 0 ? 0 : random() % 90;
    for (size_t k = 0; k < length; ++k)
      log += static_cast<char>(random() % 40 == 0 ? random() % 256 : 97 + random() % 26);
    std::replace(log.end() - static_cast<std::ptrdiff_t>(length), log.end(), '\n', '_');
    if (random() % static_cast<unsigned>(one_in) == 0) log += words[random() % words.size()] + "=1";
    log += random() % 9 == 0 ? "\r\n" : "\n";
  }
  return log;
}

inline const std::vector<std::string>& Words() {
  static const std::vector<std::string> words = {"OPEN", "AUTOTUNE ", "strides:",       "TORCHINDUCTOR_", "torch==",
                                                 " ms ", "dtypes:",   "fx graph cache", "Hardware limit", "gfx9"};
  return words;
}

}  // namespace autotune::test
