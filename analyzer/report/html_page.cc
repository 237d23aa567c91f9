#include "analyzer/report/html_page.h"

#include <absl/strings/escaping.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "analyzer/base/digest.h"
#include "analyzer/base/text.h"
#include "analyzer/report/printable.h"

namespace autotune {
namespace {

std::string Escape(std::string_view printable) {
  std::string out;
  for (const char c : printable) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

absl::Status CannotWrite(const std::string& path, int error) {
  return absl::UnavailableError(ToAbsl(
      fmt::format("{}: the page cannot be written: {}; give another file with --html", path, std::strerror(error))));
}

// /dev/stdout, a pipe: nothing can be put in its place.
bool IsSpecial(const std::string& path) {
  struct stat info {};
  return stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

}  // namespace

std::string HtmlText(std::string_view text) { return Escape(Printable(text)); }
std::string HtmlLines(std::string_view text) { return Escape(PrintableLines(text)); }

std::string HtmlHead(std::string_view title, std::string_view script) {
  std::string allowed;
  if (!script.empty()) {
    const Sha256Digest digest = Sha256(script);
    const std::string_view bytes(reinterpret_cast<const char*>(digest.data()), digest.size());
    allowed = "; script-src 'sha256-" + absl::Base64Escape(ToAbsl(bytes)) + "'";
  }
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'{}\">\n"
      "<title>{} - autotune-scan</title>\n<style>{}</style>\n</head>\n<body>\n",
      allowed, HtmlText(title), kPageStyle);
}

std::string HtmlTail(std::string_view note, std::string_view script) {
  std::string tail = "<footer class=\"dim\">autotune-scan " AUTOTUNE_VERSION;
  if (!note.empty()) tail += "; " + HtmlText(note);
  tail += "</footer>\n";
  if (!script.empty()) tail += fmt::format("<script>{}</script>\n", script);
  return tail + "</body>\n</html>\n";
}

std::string HtmlTile(std::string_view label, std::string_view value, std::string_view kind) {
  return fmt::format("<div class=\"tile {}\"><dt>{}</dt><dd>{}</dd></div>\n", kind, label, HtmlText(value));
}

absl::Status CheckPageFile(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) return CannotWrite(path, EISDIR);
  const size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const std::string& written = IsSpecial(path) ? path : folder;
  return access(written.c_str(), W_OK) == 0 ? absl::OkStatus() : CannotWrite(path, errno);
}

absl::Status WritePageFile(const std::string& path, std::string_view page) {
  const bool in_place = IsSpecial(path);
  const std::string part = in_place ? path : path + ".part";
  const int fd = open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return CannotWrite(path, errno);
  int error = 0;
  while (!page.empty() && error == 0) {
    const ssize_t n = write(fd, page.data(), page.size());
    if (n >= 0) {
      page.remove_prefix(static_cast<size_t>(n));
    } else if (errno != EINTR) {
      error = errno;
    }
  }
  if (close(fd) != 0 && error == 0) error = errno;
  if (!in_place && error == 0 && std::rename(part.c_str(), path.c_str()) != 0) error = errno;
  if (error == 0) return absl::OkStatus();
  if (!in_place) unlink(part.c_str());
  return CannotWrite(path, error);
}

}  // namespace autotune
