#include "analyzer/cache/walk.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <vector>

#include "analyzer/base/text.h"
#include "analyzer/cache/archive_support.h"
#include "analyzer/cache/decompressor.h"

namespace autotune {
namespace {

namespace fs = std::filesystem;

absl::Status TooLarge(const std::string& name, size_t limit) {
  return absl::ResourceExhaustedError(ToAbsl(fmt::format("{}: larger than {} MiB", name, limit >> 20)));
}

class FolderFile : public CacheFile {
 public:
  FolderFile(std::string name, fs::path path, uint64_t size)
      : name_(std::move(name)), path_(std::move(path)), size_(size) {}
  const std::string& name() const override { return name_; }
  uint64_t size() const override { return size_; }
  absl::Status Stream(const std::function<void(std::string_view piece)>& use) override {
    std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(path_.c_str(), "rb"), &std::fclose);
    if (!file) return absl::UnavailableError(ToAbsl(fmt::format("{}: {}", path_.string(), std::strerror(errno))));
    char buffer[65536];
    while (size_t n = std::fread(buffer, 1, sizeof buffer, file.get())) use({buffer, n});
    if (std::ferror(file.get())) return absl::DataLossError(ToAbsl(fmt::format("{}: cannot be read", path_.string())));
    return absl::OkStatus();
  }

 private:
  std::string name_;
  fs::path path_;
  uint64_t size_;
};

absl::Status WalkFolder(const fs::path& root, const std::function<bool(CacheFile&)>& visit) {
  // A folder at a time, sorted, so that the order does not depend on the file system. Links to folders are not
  // followed: they may lead out of the cache, or round in a circle.
  std::vector<fs::path> pending = {root};
  absl::Status status = absl::OkStatus();
  while (!pending.empty()) {
    fs::path folder = std::move(pending.back());
    pending.pop_back();
    std::error_code error;
    std::vector<fs::directory_entry> entries;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
      entries.push_back(*it);
    if (error && status.ok()) {
      status = absl::PermissionDeniedError(
          ToAbsl(fmt::format("{}: {}; read the cache as the user who made it", folder.string(), error.message())));
    }
    std::sort(entries.begin(), entries.end());
    std::vector<fs::path> folders;
    for (const fs::directory_entry& entry : entries) {
      std::error_code ignored;
      if (entry.is_directory(ignored) && !entry.is_symlink(ignored)) {
        folders.push_back(entry.path());
      } else if (entry.is_regular_file(ignored)) {
        uint64_t size = entry.file_size(ignored);
        FolderFile file(entry.path().lexically_relative(root).generic_string(), entry.path(), ignored ? 0 : size);
        if (!visit(file)) return status;
      }
    }
    pending.insert(pending.end(), folders.rbegin(), folders.rend());
  }
  return status;
}

using Archive = std::unique_ptr<archive, int (*)(archive*)>;

class ArchiveFile : public CacheFile {
 public:
  ArchiveFile(archive* handle, std::string name, uint64_t size)
      : handle_(handle), name_(std::move(name)), size_(size) {}
  const std::string& name() const override { return name_; }
  uint64_t size() const override { return size_; }
  absl::Status Stream(const std::function<void(std::string_view piece)>& use) override {
    const void* block = nullptr;
    size_t length = 0;
    la_int64_t offset = 0;
    uint64_t done = 0;
    while (true) {
      int result = archive_read_data_block(handle_, &block, &length, &offset);
      if (result == ARCHIVE_EOF) return absl::OkStatus();
      if (result == ARCHIVE_RETRY) continue;
      if (result < ARCHIVE_WARN) {
        const char* what = archive_error_string(handle_);
        return absl::DataLossError(ToAbsl(fmt::format("{}: {}", name_, what ? what : "damaged")));
      }
      static constexpr char kHole[4096] = {};  // a hole of a sparse file
      while (done < static_cast<uint64_t>(offset)) {
        size_t hole = std::min<uint64_t>(sizeof kHole, static_cast<uint64_t>(offset) - done);
        use({kHole, hole});
        done += hole;
      }
      use({static_cast<const char*>(block), length});
      done += length;
    }
  }

 private:
  archive* handle_;
  std::string name_;
  uint64_t size_;
};

std::string MemberName(archive_entry* entry) {
  const char* name = archive_entry_pathname(entry);
  if (!name) name = archive_entry_pathname_utf8(entry);
  std::string out = name ? name : "";
  while (out.compare(0, 2, "./") == 0) out.erase(0, 2);
  return out;
}

la_ssize_t NextPiece(archive*, void* decompressor, const void** bytes) {
  std::string_view piece = static_cast<Decompressor*>(decompressor)->Next();
  *bytes = piece.data();
  return static_cast<la_ssize_t>(piece.size());
}

constexpr std::string_view kWhatToGive =
    "give the cache folder, or an archive of it (tar, tar.gz, tar.zst, tar.xz, zip)";

absl::Status WalkArchive(const std::string& path, const std::function<bool(CacheFile&)>& visit) {
  std::optional<Decompressor> decompressor;  // outlives the handle that reads from it
  if (IsCompressed(path)) decompressor.emplace(path);
  Archive handle(archive_read_new(), &archive_read_free);
  if (!handle) return absl::ResourceExhaustedError("out of memory");
  if (!decompressor) SupportFilters(handle.get());
  SupportFormats(handle.get());
  auto why = [&] {
    if (decompressor && !decompressor->error().empty()) return decompressor->error();
    const char* what = archive_error_string(handle.get());
    return std::string(what ? what : "unknown format");
  };
  auto damaged = [&] {
    return absl::DataLossError(
        ToAbsl(fmt::format("{}: the archive is cut or damaged ({}); what stands before was read", path, why())));
  };
  int opened = decompressor ? archive_read_open(handle.get(), &*decompressor, nullptr, &NextPiece, nullptr)
                            : archive_read_open_filename(handle.get(), path.c_str(), size_t{1} << 18);
  if (opened != ARCHIVE_OK) {
    return absl::InvalidArgumentError(ToAbsl(fmt::format("{}: {}; {}", path, why(), kWhatToGive)));
  }
  bool any = false;
  while (true) {
    archive_entry* entry = nullptr;
    int result = archive_read_next_header(handle.get(), &entry);
    if (result == ARCHIVE_RETRY) continue;
    if (result == ARCHIVE_EOF && decompressor) {
      // A stream that was cut between two members looks ended to the archive; its decompressor knows better.
      while (!decompressor->Next().empty()) continue;
      if (!decompressor->error().empty()) return damaged();
    }
    if (result == ARCHIVE_EOF) return absl::OkStatus();
    if (result < ARCHIVE_WARN) {
      if (any) return damaged();
      return absl::InvalidArgumentError(ToAbsl(fmt::format("{}: no archive ({}); {}", path, why(), kWhatToGive)));
    }
    any = true;
    bool regular = archive_entry_filetype(entry) == AE_IFREG && archive_entry_hardlink(entry) == nullptr;
    if (!regular) continue;
    auto size =
        archive_entry_size_is_set(entry) ? static_cast<uint64_t>(std::max<int64_t>(archive_entry_size(entry), 0)) : 0;
    ArchiveFile file(handle.get(), MemberName(entry), size);
    if (!visit(file)) return absl::OkStatus();
  }
}

}  // namespace

absl::Status CacheFile::Read(size_t limit, std::string* content) {
  content->clear();
  bool too_large = false;
  absl::Status status = Stream([&](std::string_view piece) {
    too_large = too_large || content->size() + piece.size() > limit;
    if (!too_large) content->append(piece);
  });
  return status.ok() && too_large ? TooLarge(name(), limit) : status;
}

absl::Status WalkCache(const std::string& path, const std::function<bool(CacheFile&)>& visit) {
  std::error_code error;
  fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) {
    return absl::NotFoundError(ToAbsl(fmt::format("{}: no such file or folder; give the recorded cache", path)));
  }
  if (error) return absl::PermissionDeniedError(ToAbsl(fmt::format("{}: {}", path, error.message())));
  try {
    return fs::is_directory(status) ? WalkFolder(path, visit) : WalkArchive(path, visit);
  } catch (const std::exception& fault) {  // std::filesystem and std::string may throw; no exception leaves this room
    return absl::InternalError(ToAbsl(fmt::format("{}: {}", path, fault.what())));
  }
}

}  // namespace autotune
