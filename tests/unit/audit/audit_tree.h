// A temporary tree of files that goes away with its owner.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace autotune {

class Tree {
 public:
  Tree() {
    std::string pattern = testing::TempDir() + "audit.XXXXXX";
    EXPECT_NE(mkdtemp(pattern.data()), nullptr);
    root_ = pattern;
  }
  Tree(const Tree&) = delete;
  ~Tree() {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }

  std::string Path(std::string_view name) const { return root_ + "/" + std::string(name); }
  void Write(std::string_view name, std::string_view content) const {
    const std::filesystem::path path = Path(name);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << content;
  }
  std::string Read(std::string_view name) const { return ReadFile(Path(name)); }

  static std::string ReadFile(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  }

 private:
  std::string root_;
};

}  // namespace autotune
