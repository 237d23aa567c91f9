#include "analyzer/rule/extern_rule.h"

#include <charconv>
#include <string_view>
#include <utility>

#include "analyzer/base/digest.h"
#include "analyzer/rule/rule_node.h"

namespace autotune {
namespace {

// major * 1000 + minor of "2.11.0+cu130"; 0 when it does not begin like a version.
int Release(std::string_view version) {
  int major = 0, minor = 0;
  auto [dot, error] = std::from_chars(version.data(), version.data() + version.size(), major);
  const char* end = version.data() + version.size();
  if (error != std::errc() || dot == end || *dot != '.') return 0;
  if (std::from_chars(dot + 1, end, minor).ec != std::errc()) return 0;
  return major * 1000 + minor;
}

bool LooksLikeCodeHash(std::string_view hash) {
  if (hash.size() != 52 || hash[0] != 'c') return false;
  return hash.find_first_not_of("abcdefghijklmnopqrstuvwxyz234567") == std::string_view::npos;
}

ExternChoice DecodeChoice(const RuleFile& file, const RuleNode& node, std::vector<Diag>* diags, bool* ok) {
  RuleReader reader(file, node, diags);
  ExternChoice choice;
  choice.name = reader.String("name");
  choice.callable = reader.String("callable", false);
  choice.module = reader.String("module", false);
  choice.keywords = reader.Bool("keywords", false);
  choice.device = reader.String("device", false);
  for (const RuleNode& item : reader.Array("constants")) {
    RuleReader inner(file, item, diags);
    ExternChoice::Constant constant{inner.String("from"), inner.String("until"), inner.String("hash")};
    inner.Done();
    if (!LooksLikeCodeHash(constant.hash)) {
      inner.Error(item, "R060", "\"" + constant.hash + "\" is not a code hash",
                  "a code hash is \"c\" and 51 characters out of a-z2-7");
    }
    if (Release(constant.from) == 0 || Release(constant.until) < Release(constant.from)) {
      inner.Error(item, "R061", "\"from\" and \"until\" are no range of releases", "write them as \"2.6\", \"2.11\"");
    }
    *ok = *ok && inner.ok();
    choice.constants.push_back(std::move(constant));
  }
  reader.Done();
  bool builtin = !choice.callable.empty() && !choice.module.empty();
  if (builtin == !choice.constants.empty()) {
    reader.Error(node, "R062", "choice \"" + choice.name + "\" needs either callable and module, or constants",
                 "a C++ builtin has a callable and a module; a Python function has constants by release");
  }
  *ok = *ok && reader.ok();
  return choice;
}

}  // namespace

std::string ExternHash(const ExternChoice& choice, const std::string& torch) {
  if (!choice.callable.empty()) return CodeHash(choice.name + "-" + choice.callable + "-" + choice.module);
  int release = Release(torch);
  if (release == 0) return "";
  for (const ExternChoice::Constant& constant : choice.constants) {
    if (Release(constant.from) <= release && release <= Release(constant.until)) return constant.hash;
  }
  return "";
}

std::optional<ExternRule> DecodeExternRule(const RuleFile& file, const RuleNode& root, std::vector<Diag>* diags) {
  RuleReader reader(file, root, diags);
  ExternRule rule;
  rule.id = reader.String("id");
  rule.title = reader.String("title");
  reader.String("why", false);
  bool ok = true;
  for (const RuleNode& node : reader.Array("choices", true))
    rule.choices.push_back(DecodeChoice(file, node, diags, &ok));
  for (const RuleNode& node : reader.Array("samples", true)) {
    RuleReader inner(file, node, diags);
    rule.samples.push_back({inner.String("choice"), inner.String("torch", false), inner.String("hash", false)});
    inner.Done();
    ok = ok && inner.ok();
  }
  reader.Done();
  if (!ok || !reader.ok()) return std::nullopt;
  return rule;
}

void CheckExternSamples(const ExternRule& rule, const RuleFile& file, std::vector<Diag>* diags) {
  bool fires = false, near_miss = false;
  for (const ExternRule::Sample& sample : rule.samples) {
    std::string found;
    for (const ExternChoice& choice : rule.choices) {
      if (choice.name == sample.choice) found = ExternHash(choice, sample.torch);
    }
    (sample.hash.empty() ? near_miss : fires) = true;
    if (found == sample.hash) continue;
    Diag diag;
    diag.code = "R063";
    diag.file = file.path;
    diag.message = "sample \"" + sample.choice + "\" of torch \"" + sample.torch + "\" gives \"" + found +
                   "\", not \"" + sample.hash + "\"";
    diags->push_back(std::move(diag));
  }
  if (fires && near_miss) return;
  Diag diag;
  diag.code = "R064";
  diag.file = file.path;
  diag.message = "rule needs a sample with a hash and a near miss without one";
  diags->push_back(std::move(diag));
}

}  // namespace autotune
