#include "analyzer/cache/member_name.h"

#include "analyzer/identity/code_key.h"

namespace autotune {
namespace {

std::vector<std::string_view> Parts(std::string_view name) {
  std::vector<std::string_view> out;
  while (!name.empty()) {
    size_t slash = name.find('/');
    std::string_view part = name.substr(0, slash);
    if (!part.empty() && part != ".") out.push_back(part);
    if (slash == std::string_view::npos) break;
    name.remove_prefix(slash + 1);
  }
  return out;
}

bool EndsWith(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

bool IsHex64(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace

MemberName ClassifyMember(std::string_view name) {
  MemberName out;
  std::vector<std::string_view> parts = Parts(name);
  if (parts.empty()) return out;
  size_t n = parts.size();
  out.base = parts.back();
  out.stem = out.base.substr(0, out.base.find('.'));
  if (n > 1) out.top = parts[0];
  auto part = [&](size_t from_end) { return from_end < n ? parts[n - 1 - from_end] : std::string_view(); };

  if (EndsWith(out.base, ".lock") || out.base == "__init__.py" || part(1) == "__pycache__") {
    out.kind = MemberName::Kind::kMarker;
  } else if (part(3) == "fxgraph") {
    out.kind = MemberName::Kind::kFxGraph;
    out.folder = part(1);
  } else if (part(2) == "aotautograd") {
    out.kind = MemberName::Kind::kAotAutograd;
    out.folder = part(1);
  } else if (part(1) == "cache" && IsHex64(out.base)) {
    out.kind = MemberName::Kind::kTuning;
  } else if (EndsWith(out.base, ".best_config")) {
    out.kind = MemberName::Kind::kBestConfig;
  } else if (n > 1 && TritonFolderGeneration(part(1))) {
    out.kind = MemberName::Kind::kTriton;
    out.folder = part(1);
  } else if (IsCodeHash(out.stem) && (n == 1 || part(1) == out.stem.substr(1, 2))) {
    std::string_view extension = out.base.substr(out.stem.size());
    if (extension == ".py") out.kind = MemberName::Kind::kKernel;
    if (extension == ".cpp" || extension == ".main.cpp" || extension == ".cu" || extension == ".h") {
      out.kind = MemberName::Kind::kSource;
    }
  }
  return out;
}

}  // namespace autotune
