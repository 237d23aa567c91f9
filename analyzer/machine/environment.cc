#include "analyzer/machine/environment.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <cstdlib>

#include "analyzer/base/text.h"

namespace autotune {

Environment::Environment(const Root& root) {
  if (root.is_this_machine()) {
    process_ = whole_ = true;
    return;
  }
  constexpr std::string_view kInit = "/proc/1/environ";
  if (const std::optional<std::string> text = root.Read(kInit); text && !text->empty()) {
    for (size_t at = 0; at < text->size();) {
      const size_t end = std::min(text->find('\0', at), text->size());
      Add(std::string_view(*text).substr(at, end - at), std::string(kInit));
      at = end + 1;
    }
    whole_ = true;
    whole_where_ = kInit;
  }
  whole_ = AddBundle(root) || whole_;
  for (const std::string& path : root.Glob("/.singularity.d/env/*.sh")) AddFile(root, path);
  AddFile(root, "/etc/environment");
}

// The first place that names a variable counts.
void Environment::Add(std::string_view assignment, const std::string& where) {
  const size_t equals = assignment.find('=');
  if (equals == std::string_view::npos || equals == 0) return;
  variables_.try_emplace(std::string(assignment.substr(0, equals)),
                         Variable{std::string(assignment.substr(equals + 1)), where});
}

// Lines "NAME=value" and "export NAME="value""; a value that a shell would have to work out is left alone.
void Environment::AddFile(const Root& root, const std::string& path) {
  const std::optional<std::string> text = root.Read(path);
  if (!text) return;
  for (size_t at = 0; at < text->size();) {
    const size_t end = std::min(text->find('\n', at), text->size());
    std::string_view line = Trim(std::string_view(*text).substr(at, end - at));
    at = end + 1;
    if (line.substr(0, 7) == "export ") line = TrimLeft(line.substr(7));
    const size_t equals = line.find('=');
    if (equals == std::string_view::npos || line.substr(0, equals).find_first_of(" \t#(") != std::string_view::npos)
      continue;
    std::string_view value = line.substr(equals + 1);
    const bool quoted =
        value.size() >= 2 && (value.front() == '"' || value.front() == '\'') && value.back() == value.front();
    if (quoted) value = value.substr(1, value.size() - 2);
    if (value.find_first_of("$`") != std::string_view::npos) continue;
    Add(fmt::format("{}={}", line.substr(0, equals), value), path);
  }
}

// config.json beside the folder of the root (OCI runtime specification, process.env).
bool Environment::AddBundle(const Root& root) {
  const std::string path = root.folder() + "/../config.json";
  simdjson::dom::parser parser;
  simdjson::dom::element document;
  simdjson::dom::array variables;
  if (parser.load(path).get(document) || document["process"]["env"].get(variables)) return false;
  for (const simdjson::dom::element variable : variables) {
    std::string_view text;
    if (!variable.get(text)) Add(text, path);
  }
  if (whole_where_.empty()) whole_where_ = path;
  return true;
}

Reading Environment::Read(std::string_view name) const {
  if (process_) {
    const char* value = std::getenv(std::string(name).c_str());
    return Reading::Told(value == nullptr ? "" : value, "environment");
  }
  const auto found = variables_.find(name);
  if (found != variables_.end()) return Reading::Told(found->second.value, found->second.where);
  if (whole_) return Reading::Told("", whole_where_);
  return Reading::Untold("an unpacked root does not tell the environment of the processes that will run in it");
}

}  // namespace autotune
