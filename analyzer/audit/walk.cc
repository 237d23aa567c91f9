#include "analyzer/audit/walk.h"

#include <re2/re2.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>

#include "analyzer/base/text.h"

namespace autotune {
namespace {

namespace fs = std::filesystem;

constexpr const char* kIgnoreFile = ".autotuneignore";

// gitignore's glob as a regular expression over a path relative to the file that holds it.
std::string GlobToRegex(std::string_view glob) {
  std::string out;
  for (size_t i = 0; i < glob.size(); ++i) {
    const char c = glob[i];
    if (c == '*' && glob.substr(i, 3) == "**/") {
      out += "(?:.*/)?";
      i += 2;
    } else if (c == '*' && glob.substr(i, 2) == "**") {
      out += ".*";
      i += 1;
    } else if (c == '*') {
      out += "[^/]*";
    } else if (c == '?') {
      out += "[^/]";
    } else if (c == '[' && glob.find(']', i + 2) != std::string_view::npos) {
      const size_t end = glob.find(']', i + 2);
      std::string set(glob.substr(i, end - i + 1));
      if (set.size() > 2 && set[1] == '!') set[1] = '^';
      out += set;
      i = end;
    } else if (c == '\\' && i + 1 < glob.size()) {
      out += RE2::QuoteMeta(ToRe2(glob.substr(++i, 1)));
    } else {
      out += RE2::QuoteMeta(ToRe2(glob.substr(i, 1)));
    }
  }
  return out;
}

class IgnorePattern {
 public:
  explicit IgnorePattern(std::string_view line) {
    if (!line.empty() && line.front() == '!') {
      takes_back_ = true;
      line.remove_prefix(1);
    }
    if (!line.empty() && line.back() == '/') {
      folders_only_ = true;
      line.remove_suffix(1);
    }
    const bool tied = line.find('/') != std::string_view::npos;
    if (!line.empty() && line.front() == '/') line.remove_prefix(1);
    pattern_ = std::make_unique<RE2>((tied ? "" : "(?:.*/)?") + GlobToRegex(line), RE2::Quiet);
  }
  bool takes_back() const { return takes_back_; }
  bool Matches(std::string_view relative, bool is_folder) const {
    if (folders_only_ && !is_folder) return false;
    return pattern_->ok() && RE2::FullMatch(ToRe2(relative), *pattern_);
  }

 private:
  bool takes_back_ = false, folders_only_ = false;
  std::unique_ptr<RE2> pattern_;
};

struct IgnoreFile {
  std::string base;  // the folder it lies in, as shown
  std::vector<IgnorePattern> patterns;
};
using IgnoreChain = std::vector<std::shared_ptr<const IgnoreFile>>;

std::shared_ptr<const IgnoreFile> ReadIgnoreFile(const std::string& folder) {
  std::ifstream in(folder + "/" + kIgnoreFile);
  if (!in) return nullptr;
  auto file = std::make_shared<IgnoreFile>();
  file->base = folder;
  for (std::string line; std::getline(in, line);) {
    const std::string_view text = TrimRight(line);
    if (!text.empty() && text.front() != '#') file->patterns.emplace_back(text);
  }
  return file;
}

bool IsIgnored(const IgnoreChain& chain, const std::string& path, bool is_folder) {
  bool ignored = false;
  for (const auto& file : chain) {
    const std::string_view relative = std::string_view(path).substr(file->base.size() + 1);
    for (const IgnorePattern& pattern : file->patterns) {
      if (pattern.Matches(relative, is_folder)) ignored = !pattern.takes_back();
    }
  }
  return ignored;
}

std::string RealPath(const std::string& path) {
  char buffer[PATH_MAX];
  return realpath(path.c_str(), buffer) ? buffer : path;
}

absl::Status CannotOpen(const std::string& path, int error) {
  const std::string what = error == ENOENT   ? ": no such file or folder; check the path"
                           : error == EACCES ? ": permission denied; make it readable for this user"
                                             : std::string(": cannot be opened: ") + std::strerror(error);
  return absl::UnavailableError(ToAbsl(path + what));
}

class Walker {
 public:
  void Given(std::string path) {
    while (path.size() > 1 && path.back() == '/') path.pop_back();
    struct stat info {};
    if (stat(path.c_str(), &info) != 0) {
      found_.errors.push_back(CannotOpen(path, errno));
    } else if (S_ISDIR(info.st_mode)) {
      Folder(path, RealPath(path), path, {});
    } else {
      const size_t slash = path.rfind('/');
      const std::string folder = slash == std::string::npos ? "." : path.substr(0, std::max<size_t>(slash, 1));
      if (listed_.insert(folder).second) ListMarkdown(folder);
      File(path, RealPath(path), folder, folder, static_cast<uint64_t>(info.st_size), /*named=*/true);
    }
  }

  FoundFiles Finish() {
    // Links come last, so that what they point at is shown under its own name where that was found, too.
    while (!links_.empty()) {
      std::vector<Link> links = std::move(links_);
      links_.clear();
      for (const Link& link : links) Follow(link);
    }
    std::sort(found_.files.begin(), found_.files.end(),
              [](const FoundFile& a, const FoundFile& b) { return a.path < b.path; });
    return std::move(found_);
  }

 private:
  struct Link {
    std::string path, folder, top;
    IgnoreChain chain;
  };

  void Folder(const std::string& path, const std::string& real, const std::string& top, IgnoreChain chain) {
    if (!seen_.insert(real).second) return;
    std::vector<fs::directory_entry> entries;
    std::error_code error;
    for (fs::directory_iterator it(path, error), end; !error && it != end; it.increment(error)) entries.push_back(*it);
    if (error) found_.errors.push_back(CannotOpen(path, error.value()));
    std::sort(entries.begin(), entries.end());
    if (auto ignore = ReadIgnoreFile(path)) chain.push_back(std::move(ignore));

    for (const fs::directory_entry& entry : entries) {
      const std::string name = entry.path().filename().string();
      const std::string shown = path == "/" ? "/" + name : path + "/" + name;
      const fs::file_status status = entry.symlink_status(error);
      const bool is_folder = status.type() == fs::file_type::directory;
      if (name.front() == '.' || IsIgnored(chain, shown, is_folder)) {
        found_.ignored += name != kIgnoreFile;
      } else if (is_folder) {
        Folder(shown, real + "/" + name, top, chain);
      } else if (status.type() == fs::file_type::symlink) {
        links_.push_back({shown, path, top, chain});
      } else if (status.type() == fs::file_type::regular) {
        const uint64_t bytes = entry.file_size(error);
        File(shown, real + "/" + name, path, top, error ? 0 : bytes, /*named=*/false);
      } else {
        ++found_.ignored;
      }
    }
  }

  void Follow(const Link& link) {
    struct stat info {};
    if (stat(link.path.c_str(), &info) != 0) {
      found_.errors.push_back(CannotOpen(link.path, errno));
    } else if (S_ISDIR(info.st_mode)) {
      Folder(link.path, RealPath(link.path), link.top, link.chain);
    } else if (S_ISREG(info.st_mode)) {
      File(link.path, RealPath(link.path), link.folder, link.top, static_cast<uint64_t>(info.st_size), false);
    }
  }

  static bool IsMarkdown(std::string_view path) { return path.size() > 3 && path.substr(path.size() - 3) == ".md"; }

  void ListMarkdown(const std::string& folder) {
    std::vector<std::string>& listed = found_.markdown[folder];
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
      if (IsMarkdown(it->path().string()) && it->path().filename().string().front() != '.')
        listed.push_back(it->path().string());
    }
    std::sort(listed.begin(), listed.end());
    listed.erase(std::unique(listed.begin(), listed.end()), listed.end());
  }

  void File(const std::string& path, const std::string& real, const std::string& folder, const std::string& top,
            uint64_t bytes, bool named) {
    if (!seen_.insert(real).second) return;
    if (IsMarkdown(path) && !named && listed_.count(folder) == 0) found_.markdown[folder].push_back(path);
    found_.files.push_back({path, folder, top, bytes, named});
  }

  FoundFiles found_;
  std::vector<Link> links_;
  std::set<std::string> seen_, listed_;  // real paths; folders whose Markdown files are known without a walk
};

}  // namespace

FoundFiles FindFiles(const std::vector<std::string>& paths) {
  Walker walker;
  for (const std::string& path : paths) walker.Given(path);
  return walker.Finish();
}

bool IgnorePatternMatches(const std::string& pattern, const std::string& relative_path, bool is_folder) {
  return IgnorePattern(pattern).Matches(relative_path, is_folder);
}

}  // namespace autotune
