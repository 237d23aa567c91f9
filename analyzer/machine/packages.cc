#include "analyzer/machine/packages.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <set>

#include "analyzer/base/text.h"

namespace autotune {
namespace {

// Where Pythons are installed, beside what the environment names. Prefixes; "*" is one name.
constexpr std::string_view kPrefixes[] = {
    "/usr",
    "/usr/local",
    "/opt",
    "/opt/*",
    "/opt/*/.venv",
    "/opt/*/envs/*",
    "/opt/*/*",
    "/venv",
    "/.venv",
    "/app/venv",
    "/app/.venv",
    "/workspace/venv",
    "/workspace/.venv",
    "/workspace/*/.venv",
    "/root/.local",
    "/root/venv",
    "/root/.venv",
    "/root/*conda*",
    "/root/*forge*",
    "/root/*conda*/envs/*",
    "/root/*forge*/envs/*",
    "/root/.pyenv/versions/*",
    "/home/*/.local",
    "/home/*/venv",
    "/home/*/.venv",
    "/home/*/*conda*",
    "/home/*/*conda*/envs/*",
    "/home/*/.pyenv/versions/*",
};

// PEP 503: "pytorch_triton.rocm" and "pytorch-triton-rocm" are one name.
std::string NormalName(std::string_view name) {
  std::string normal;
  for (char c : name) {
    if (c == '_' || c == '.') c = '-';
    if (c == '-' && normal.ends_with('-')) continue;
    normal.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
  }
  return normal;
}

// "Version: 3.6.0" in the headers of METADATA.
std::string Header(std::string_view text, std::string_view name) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = Trim(text.substr(0, end));
    if (line.empty()) return "";
    if (line.substr(0, name.size()) == name && line.substr(name.size(), 1) == ":")
      return std::string(Trim(line.substr(name.size() + 1)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return "";
}

struct Distribution {
  std::string version, where;
};

std::optional<Distribution> FindDistribution(const Root& root, const std::string& folder, std::string_view name) {
  const std::string wanted = NormalName(name);
  for (const std::string& entry : root.List(folder)) {
    for (const auto& [suffix, file] :
         {std::pair(std::string_view(".dist-info"), "/METADATA"), {".egg-info", "/PKG-INFO"}}) {
      if (!entry.ends_with(suffix)) continue;
      const std::string_view stem = std::string_view(entry).substr(0, entry.size() - suffix.size());
      const size_t dash = stem.find('-');
      if (NormalName(stem.substr(0, dash)) != wanted) continue;
      const std::string path = folder + "/" + entry;
      const std::string metadata = root.IsFolder(path) ? path + file : path;  // an .egg-info may be the file itself
      const std::optional<std::string> text = root.Read(metadata);
      std::string version = text ? Header(*text, "Version") : "";
      if (version.empty() && dash != std::string_view::npos) {
        const std::string_view rest = stem.substr(dash + 1);
        version = rest.substr(0, rest.find('-'));
      }
      if (!version.empty()) return Distribution{version, text ? metadata : path};
    }
  }
  return std::nullopt;
}

std::string ParentOf(std::string_view path) { return std::string(path.substr(0, path.rfind('/'))); }

// "3.12.3" of "3.12.3.final.0" and of "3.12.3+".
std::string PythonRelease(std::string_view text) {
  static const RE2& release = *new RE2(R"((\d+\.\d+(?:\.\d+)?(?:a\d+|b\d+|rc\d+)?))");
  std::string found;
  RE2::PartialMatch(ToRe2(text), release, &found);
  return found;
}

}  // namespace

Packages::Packages(const Root& root, const Environment& environment) : root_(root) {
  std::vector<std::string> active;
  for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX"}) active.push_back(environment.Value(name));
  const std::string path = environment.Value("PATH");
  for (size_t at = 0; at < path.size();) {
    const size_t end = std::min(path.find(':', at), path.size());
    const std::string folder = path.substr(at, end - at);
    at = end + 1;
    // Not through Find(): a virtual environment's python is a link to the system's.
    if (!folder.empty() && folder[0] == '/' && (root.Find(folder + "/python3") || root.Find(folder + "/python")))
      active.push_back(ParentOf(folder));
  }
  for (const std::string& prefix : active) {
    if (prefix.empty() || prefix[0] != '/') continue;
    Consider(prefix, &pythons_);
    if (!pythons_.empty()) return;
  }
  for (const std::string_view pattern : kPrefixes) {
    for (const std::string& prefix : root.Glob(pattern)) Consider(prefix, &pythons_);
  }
}

// `prefix` joins the Pythons when it has torch, once however many links lead there.
void Packages::Consider(const std::string& prefix, std::vector<PythonPlace>* places) const {
  for (PythonPlace& python : PythonsBelow(prefix)) {
    if (!HasTorch(python)) continue;
    const bool known = std::any_of(places->begin(), places->end(), [&](const PythonPlace& other) {
      return other.site_folders.front() == python.site_folders.front();
    });
    if (!known) places->push_back(std::move(python));
  }
}

std::vector<Packages::PythonPlace> Packages::PythonsBelow(const std::string& prefix) const {
  std::vector<PythonPlace> pythons;
  const auto site_folders = [&](const std::string& base, const std::string& name) {
    std::vector<std::string> folders;
    for (const char* lib : {"/lib/", "/lib64/"}) {
      for (const char* kind : {"/site-packages", "/dist-packages"}) {
        const std::optional<Root::Place> place = root_.Find(base + lib + name + kind);
        if (place && std::find(folders.begin(), folders.end(), place->inside) == folders.end())
          folders.push_back(place->inside);
      }
    }
    return folders;
  };
  std::set<std::string> names;
  for (const char* lib : {"/lib/python3*", "/lib64/python3*"}) {
    for (const std::string& path : root_.Glob(prefix + lib)) names.insert(path.substr(path.rfind('/') + 1));
  }
  for (const std::string& name : names) {
    PythonPlace python{prefix, name, site_folders(prefix, name)};
    if (python.site_folders.empty()) continue;
    // A virtual environment that also sees the system's packages.
    const std::optional<std::string> config = root_.Read(prefix + "/pyvenv.cfg");
    if (config && config->find("include-system-site-packages = true") != std::string::npos) {
      for (const char* base : {"/usr/local", "/usr"}) {
        for (const std::string& system : {name, std::string("python3")}) {
          for (std::string& folder : site_folders(base, system)) python.site_folders.push_back(std::move(folder));
        }
      }
    }
    pythons.push_back(std::move(python));
  }
  return pythons;
}

bool Packages::HasTorch(const PythonPlace& python) const {
  return std::any_of(python.site_folders.begin(), python.site_folders.end(), [&](const std::string& folder) {
    return root_.IsFile(folder + "/torch/version.py") || FindDistribution(root_, folder, "torch");
  });
}

std::string Packages::NoPython() const {
  return "no Python with torch was found (site-packages below VIRTUAL_ENV, CONDA_PREFIX, PATH, /usr, /usr/local, /opt, "
         "home folders, pyenv)";
}

template <typename Look>
Reading Packages::Agreed(Look&& look) const {
  if (pythons_.empty()) return Reading::Untold(NoPython());
  std::optional<Reading> agreed;
  for (const PythonPlace& python : pythons_) {
    Reading one = look(python);
    if (agreed && agreed->value != one.value) {
      return Reading::Untold(
          fmt::format("{} and {} have torch and disagree; activate the one that the job uses "
                      "(VIRTUAL_ENV, CONDA_PREFIX or PATH)",
                      pythons_.front().prefix, python.prefix));
    }
    if (!agreed) agreed = std::move(one);
  }
  return *agreed;
}

Reading Packages::Version(std::string_view distribution) const {
  return Agreed([&](const PythonPlace& python) {
    for (const std::string& folder : python.site_folders) {
      if (auto found = FindDistribution(root_, folder, distribution))
        return Reading::Told(found->version, found->where);
    }
    return Reading::Told("", python.site_folders.front(),
                         fmt::format("not installed in {}", python.site_folders.front()));
  });
}

Reading Packages::Assigned(std::string_view file, std::string_view name) const {
  return Agreed([&](const PythonPlace& python) {
    const RE2 assigned(
        fmt::format(R"re((?m)^{}(?: *:[^=\n]*)? *= *(?:'([^'\n]*)'|"([^"\n]*)"|None))re", RE2::QuoteMeta(ToRe2(name))));
    for (const std::string& folder : python.site_folders) {
      const std::string path = fmt::format("{}/{}", folder, file);
      const std::optional<std::string> text = root_.Read(path);
      std::string single, twofold;
      if (text && RE2::PartialMatch(*text, assigned, &single, &twofold))
        return Reading::Told(single.empty() ? twofold : single, path);
    }
    return Reading::Untold(fmt::format("{} does not state {}", file, name));
  });
}

std::string Packages::VersionOf(const PythonPlace& python, std::string* where) const {
  *where = python.prefix + "/pyvenv.cfg";
  static const RE2& version_line = *new RE2(R"((?m)^version(?:_info)? *= *(\S+))");
  std::string found;
  if (const auto text = root_.Read(*where); text && RE2::PartialMatch(*text, version_line, &found))
    return PythonRelease(found);
  for (const std::string& path : root_.Glob(python.prefix + "/conda-meta/python-3*.json")) {
    *where = path;
    return PythonRelease(path.substr(path.rfind('/') + 8));
  }
  static const RE2& header_line = *new RE2(R"((?m)^#define\s+PY_VERSION\s+"([^"]+)\")");
  for (const std::string& base : {python.prefix, std::string("/usr")}) {
    *where = fmt::format("{}/include/{}/patchlevel.h", base, python.name);
    if (const auto text = root_.Read(*where); text && RE2::PartialMatch(*text, header_line, &found))
      return PythonRelease(found);
    if (root_.IsFile(base + "/bin/" + python.name)) break;  // its own Python: another's header says nothing
  }
  // Debian and Ubuntu: the package of the interpreter.
  *where = "/var/lib/dpkg/status";
  if (python.prefix == "/usr") {
    const RE2 package(fmt::format(R"((?m)^Package: {}\n(?:[^\n]+\n)*?Version: (\S+))", RE2::QuoteMeta(python.name)));
    const auto text = root_.Read(*where, 64 << 20);
    if (text && RE2::PartialMatch(*text, package, &found)) return PythonRelease(found);
  }
  *where = python.prefix;  // "/root/.pyenv/versions/3.12.3"
  static const RE2& own_name = *new RE2(R"(/(\d+\.\d+\.\d+)$)");
  if (RE2::PartialMatch(python.prefix, own_name, &found)) return found;
  *where = python.site_folders.front();
  return PythonRelease(*where);
}

Reading Packages::Python() const {
  return Agreed([&](const PythonPlace& python) {
    std::string where, version = VersionOf(python, &where);
    if (version.empty()) return Reading::Untold(fmt::format("nothing below {} states its version", python.prefix));
    return Reading::Told(version, where);
  });
}

std::optional<std::string> Packages::ModuleFolder(std::string_view module) const {
  for (const PythonPlace& python : pythons_) {
    for (const std::string& folder : python.site_folders) {
      const std::string path = fmt::format("{}/{}", folder, module);
      if (root_.IsFolder(path)) return path;
    }
  }
  return std::nullopt;
}

}  // namespace autotune
