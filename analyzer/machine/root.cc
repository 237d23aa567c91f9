#include "analyzer/machine/root.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

namespace autotune {
namespace {

constexpr int kMostLinks = 40;  // as Linux itself

std::vector<std::string> Parts(std::string_view path) {
  std::vector<std::string> parts;
  while (!path.empty()) {
    const size_t slash = std::min(path.find('/'), path.size());
    if (slash > 0 && path.substr(0, slash) != ".") parts.emplace_back(path.substr(0, slash));
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return parts;
}

std::string Joined(const std::vector<std::string>& parts) {
  std::string path;
  for (const std::string& part : parts) path += "/" + part;
  return path.empty() ? "/" : path;
}

std::optional<std::string> LinkTarget(const std::string& path) {
  std::string target(4096, '\0');
  const ssize_t n = readlink(path.c_str(), target.data(), target.size());
  if (n <= 0 || static_cast<size_t>(n) == target.size()) return std::nullopt;
  target.resize(static_cast<size_t>(n));
  return target;
}

std::optional<struct stat> StatusOf(const std::optional<Root::Place>& place) {
  struct stat status {};
  if (!place || stat(place->here.c_str(), &status) != 0) return std::nullopt;
  return status;
}

}  // namespace

Root::Root(std::string folder) : folder_(std::move(folder)) {
  while (!folder_.empty() && folder_.back() == '/') folder_.pop_back();
}

std::optional<Root::Place> Root::Find(std::string_view path) const {
  std::vector<std::string> left = Parts(path), done;
  std::reverse(left.begin(), left.end());
  int links = 0;
  while (!left.empty()) {
    const std::string part = left.back();
    left.pop_back();
    if (part == "..") {
      if (!done.empty()) done.pop_back();
      continue;
    }
    done.push_back(part);
    struct stat status {};
    const std::string here = folder_ + Joined(done);
    if (lstat(here.c_str(), &status) != 0) return std::nullopt;
    if (!S_ISLNK(status.st_mode)) continue;
    const std::optional<std::string> target = LinkTarget(here);
    if (!target || ++links > kMostLinks) return std::nullopt;
    if (target->front() == '/') {
      done.clear();
    } else {
      done.pop_back();
    }
    std::vector<std::string> more = Parts(*target);
    left.insert(left.end(), more.rbegin(), more.rend());
  }
  const std::string inside = Joined(done);
  return Place{inside, folder_ + inside};
}

bool Root::IsFile(std::string_view path) const {
  const auto status = StatusOf(Find(path));
  return status && S_ISREG(status->st_mode);
}

bool Root::IsFolder(std::string_view path) const {
  const auto status = StatusOf(Find(path));
  return status && S_ISDIR(status->st_mode);
}

std::optional<std::string> Root::Read(std::string_view path, size_t most) const {
  const std::optional<Place> place = Find(path);
  const auto status = StatusOf(place);
  if (!status || !S_ISREG(status->st_mode)) return std::nullopt;
  const int file = open(place->here.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return std::nullopt;
  std::string text;
  char buffer[1 << 14];
  ssize_t n = 0;
  while (text.size() <= most && (n = read(file, buffer, sizeof buffer)) > 0)
    text.append(buffer, static_cast<size_t>(n));
  close(file);
  if (n < 0 || text.size() > most) return std::nullopt;
  return text;
}

std::vector<std::string> Root::List(std::string_view path) const {
  std::vector<std::string> names;
  const std::optional<Place> place = Find(path);
  DIR* folder = place ? opendir(place->here.c_str()) : nullptr;
  if (folder == nullptr) return names;
  while (const dirent* entry = readdir(folder)) {
    if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
  }
  closedir(folder);
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> Root::Glob(std::string_view pattern) const {
  std::vector<std::string> found = {""};
  for (const std::string& part : Parts(pattern)) {
    std::vector<std::string> next;
    for (const std::string& path : found) {
      if (part.find('*') == std::string::npos) {
        if (Find(path + "/" + part)) next.push_back(path + "/" + part);
        continue;
      }
      for (const std::string& name : List(path.empty() ? "/" : path)) {
        if (FitsGlob(part, name)) next.push_back(path + "/" + name);
      }
    }
    found = std::move(next);
  }
  return found;
}

bool FitsGlob(std::string_view pattern, std::string_view text) {
  const size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == text;
  if (text.substr(0, star) != pattern.substr(0, star)) return false;
  for (size_t at = star; at <= text.size(); ++at) {
    if (FitsGlob(pattern.substr(star + 1), text.substr(at))) return true;
  }
  return false;
}

}  // namespace autotune
