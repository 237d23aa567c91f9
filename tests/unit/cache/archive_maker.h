// Archives for tests: members in memory, written with libarchive in any of the formats that the program reads.
#pragma once

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/cache/walk.h"

namespace autotune {

using Members = std::vector<std::pair<std::string, std::string>>;  // name, content; in order

inline Members ReadMembers(const std::string& path) {
  Members out;
  EXPECT_TRUE(WalkCache(path, [&](CacheFile& file) {
                std::string content;
                EXPECT_TRUE(file.Read(size_t{1} << 30, &content).ok());
                out.emplace_back(file.name(), std::move(content));
                return true;
              }).ok());
  return out;
}

inline std::string* Find(Members& members, const std::string& part) {
  for (auto& [name, content] : members) {
    if (name.find(part) != std::string::npos) return &content;
  }
  ADD_FAILURE() << "no member " << part;
  return nullptr;
}

inline std::string TemporaryPath(const std::string& name) {
  auto* info = testing::UnitTest::GetInstance()->current_test_info();
  std::filesystem::path dir =
      std::filesystem::path(testing::TempDir()) / "autotune_cache" / info->test_suite_name() / info->name();
  std::filesystem::create_directories(dir);
  return (dir / name).string();
}

enum class Packing { kTar, kTarGzip, kTarXz, kTarZstd, kTarBzip2, kTarLz4, kZip };

inline std::string WriteArchive(const Members& members, const std::string& name, Packing packing = Packing::kTar) {
  std::string path = TemporaryPath(name);
  archive* out = archive_write_new();
  packing == Packing::kZip ? archive_write_set_format_zip(out) : archive_write_set_format_pax_restricted(out);
  if (packing == Packing::kTarGzip) archive_write_add_filter_gzip(out);
  if (packing == Packing::kTarXz) archive_write_add_filter_xz(out);
  if (packing == Packing::kTarZstd) archive_write_add_filter_zstd(out);
  if (packing == Packing::kTarBzip2) archive_write_add_filter_bzip2(out);
  if (packing == Packing::kTarLz4) archive_write_add_filter_lz4(out);
  EXPECT_EQ(archive_write_open_filename(out, path.c_str()), ARCHIVE_OK) << archive_error_string(out);
  for (const auto& [member, content] : members) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, member.c_str());
    archive_entry_set_size(entry, static_cast<la_int64_t>(content.size()));
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    EXPECT_GE(archive_write_header(out, entry), ARCHIVE_WARN) << archive_error_string(out);
    archive_write_data(out, content.data(), content.size());
    archive_entry_free(entry);
  }
  archive_write_close(out);
  archive_write_free(out);
  return path;
}

inline std::string ReadBytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline std::string WriteBytes(const std::string& name, const std::string& bytes) {
  std::string path = TemporaryPath(name);
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

}  // namespace autotune
