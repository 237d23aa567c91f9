#include "analyzer/identity/key_backend.h"

#include <re2/re2.h>

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "analyzer/base/text.h"
#include "analyzer/identity/code_key.h"

namespace autotune {

struct KeyBackends::Impl {
  std::vector<std::pair<std::unique_ptr<RE2>, std::string>> patterns;
  std::map<std::string, std::string, std::less<>> extern_hashes;  // name -> hash of a builtin: ATEN's own
  std::set<std::string, std::less<>> extern_names;
  std::map<std::string, std::string, std::less<>> known;  // family -> back end, as already decided
  std::string aten = "ATEN", unknown = "UNKNOWN";

  const std::string* ByName(const std::string& name) const {
    for (const auto& [pattern, backend] : patterns) {
      if (RE2::FullMatch(ToRe2(name), *pattern)) return &backend;
    }
    return nullptr;
  }

  const std::string& Decide(const std::string& family) const {
    // How the families of keys are called when they are printed as a row: with a counter, some with a prefix more.
    for (const char* prefix : {"", "cpp_", "cuda_", "rocm_"}) {
      for (const char* counter : {"_0", ""}) {
        if (const std::string* backend = ByName(prefix + family + counter)) return *backend;
      }
    }
    return unknown;
  }
};

KeyBackends::KeyBackends(const RuleSet& rules) : impl_(std::make_unique<Impl>()) {
  for (const BackendRule& rule : rules.backends) {
    for (const std::string& pattern : rule.patterns) {
      auto compiled = std::make_unique<RE2>(pattern, RE2::Quiet);
      if (compiled->ok()) impl_->patterns.emplace_back(std::move(compiled), rule.backend);
    }
  }
  for (const ExternRule& rule : rules.externs) {
    for (const ExternChoice& choice : rule.choices) {
      impl_->extern_names.insert(choice.name);
      if (!choice.callable.empty()) impl_->extern_hashes[choice.name] = ExternHash(choice, "");
    }
  }
}

KeyBackends::~KeyBackends() = default;

const std::string& KeyBackends::Of(std::string_view op, std::string_view key) {
  std::string_view family = key.substr(0, key.find('-'));
  if (impl_->extern_names.count(family) > 0) {
    // torch 2.6 calls a CPP choice of bmm "bmm-…" too; the builtin's hash tells them apart.
    auto builtin = impl_->extern_hashes.find(family);
    if (builtin == impl_->extern_hashes.end() || key.substr(key.rfind('-') + 1) == builtin->second) return impl_->aten;
  } else if (family == op) {
    return impl_->aten;
  }
  auto found = impl_->known.find(family);
  if (found == impl_->known.end()) {
    std::string name(family);
    const std::string* backend = &impl_->unknown;
    if (impl_->extern_names.count(family) == 0) {
      backend = &impl_->Decide(name);
    } else if (const std::string* prefixed = impl_->ByName("cpp_" + name + "_0")) {
      backend = prefixed;
    }
    found = impl_->known.emplace(std::move(name), *backend).first;
  }
  return found->second;
}

}  // namespace autotune
