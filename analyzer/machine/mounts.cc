#include "analyzer/machine/mounts.h"

#include <algorithm>

namespace autotune {
namespace {

// The kernel writes blank, tab, line break and backslash as \040 and the like.
std::string Unescaped(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool octal =
        text[i] == '\\' && i + 3 < text.size() &&
        std::all_of(text.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                    text.begin() + static_cast<std::ptrdiff_t>(i) + 4, [](char c) { return c >= '0' && c <= '7'; });
    if (!octal) {
      out.push_back(text[i]);
      continue;
    }
    out.push_back(static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0')));
    i += 3;
  }
  return out;
}

std::string_view TakeWord(std::string_view* line) {
  const size_t end = std::min(line->find(' '), line->size());
  const std::string_view word = line->substr(0, end);
  line->remove_prefix(std::min(end + 1, line->size()));
  return word;
}

bool HasOption(std::string_view options, std::string_view wanted) {
  while (!options.empty()) {
    const size_t end = std::min(options.find(','), options.size());
    if (options.substr(0, end) == wanted) return true;
    options.remove_prefix(std::min(end + 1, options.size()));
  }
  return false;
}

}  // namespace

Mounts::Mounts(const Root& root) {
  std::optional<std::string> text;
  if (root.is_this_machine()) text = root.Read("/proc/self/mounts");
  if (!root.is_this_machine()) text = root.Read("/proc/mounts");
  if (!text) return;
  std::string_view left = *text;
  while (!left.empty()) {
    const size_t end = std::min(left.find('\n'), left.size());
    std::string_view line = left.substr(0, end);
    left.remove_prefix(std::min(end + 1, left.size()));
    Mount mount;
    mount.device = Unescaped(TakeWord(&line));
    mount.folder = Unescaped(TakeWord(&line));
    mount.type = TakeWord(&line);
    mount.read_only = HasOption(TakeWord(&line), "ro");
    if (!mount.folder.empty()) mounts_.push_back(std::move(mount));
  }
}

std::optional<Mount> Mounts::Of(std::string_view path) const {
  const Mount* best = nullptr;
  for (const Mount& mount : mounts_) {
    const std::string& folder = mount.folder;
    const bool holds =
        folder == "/" || path == folder ||
        (path.size() > folder.size() && path.substr(0, folder.size()) == folder && path[folder.size()] == '/');
    if (holds && (!best || folder.size() >= best->folder.size())) best = &mount;
  }
  return best ? std::optional<Mount>(*best) : std::nullopt;
}

}  // namespace autotune
