#include "analyzer/rule/device_rule.h"

#include <algorithm>

#include "analyzer/rule/rule_node.h"

namespace autotune {
namespace {

// " nvidia a100 sxm4 80gb ": lower-case letters and digits, one blank between and around the words.
std::string Words(std::string_view text) {
  std::string out = " ";
  for (char c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      out += c;
    } else if (out.back() != ' ') {
      out += ' ';
    }
  }
  if (out.back() != ' ') out += ' ';
  return out;
}

// Where `phrase`, words with one blank between them, stands in `words` as Words() gives them.
size_t Find(std::string_view words, std::string_view phrase) {
  for (size_t at = words.find(phrase); at != std::string_view::npos; at = words.find(phrase, at + 1))
    if (words[at - 1] == ' ' && words[at + phrase.size()] == ' ') return at;
  return std::string_view::npos;
}

bool HoldsArchitecture(const std::string& words, std::string_view architecture) {
  // "9.0" is an architecture where it stands alone or behind "compute capability", elsewhere it is some version.
  if (architecture.front() < '0' || architecture.front() > '9')
    return words.find(Words(architecture)) != std::string::npos;
  const std::string wanted = Words(architecture);
  return words == wanted || words.find(" capability" + wanted) != std::string::npos;
}

// The longest of the rule's names in `words`, and where it stands.
std::string_view NameIn(const DeviceRule& rule, std::string_view words) {
  std::string_view longest;
  for (const std::string& name : rule.names) {
    const size_t at = Find(words, name);
    if (at != std::string_view::npos && name.size() > longest.size()) longest = words.substr(at, name.size());
  }
  return longest;
}

struct Named {
  const DeviceRule* rule = nullptr;
  std::string_view name;  // within the words
};

Named LongestName(const std::vector<DeviceRule>& rules, std::string_view words) {
  Named best;
  for (const DeviceRule& rule : rules)
    if (const std::string_view name = NameIn(rule, words); name.size() > best.name.size()) best = {&rule, name};
  return best;
}

// All devices whose names stand in `words`, each name taken out before the next is looked for: "rtx 4070 ti" is no
// second device in "rtx 4070 ti super".
std::vector<const DeviceRule*> NamedIn(const std::vector<DeviceRule>& rules, std::string words) {
  std::vector<const DeviceRule*> found;
  for (Named named = LongestName(rules, words); named.rule != nullptr; named = LongestName(rules, words)) {
    if (std::find(found.begin(), found.end(), named.rule) == found.end()) found.push_back(named.rule);
    words.replace(static_cast<size_t>(named.name.data() - words.data()), named.name.size(), "#");
  }
  return found;
}

}  // namespace

std::vector<DeviceRule> DecodeDeviceRules(const RuleFile& file, const RuleNode& root, std::vector<Diag>* diags) {
  RuleReader reader(file, root, diags);
  DeviceRule common;
  common.id = reader.String("id");
  common.title = reader.String("title");
  reader.String("why", false);
  common.vendor = reader.OneOf("vendor", {"nvidia", "amd", "intel"});
  common.architectures = reader.Strings("architectures", true);
  common.shared_memory = static_cast<int64_t>(reader.Number("shared_memory", 0));
  reader.Array("samples", true);
  std::vector<DeviceRule> rules;
  bool ok = true;
  for (const RuleNode& node : reader.Array("devices", true)) {
    RuleReader one(file, node, diags);
    DeviceRule rule = common;
    rule.device = one.String("device");
    rule.names = one.Strings("names", true);
    rule.processors = static_cast<int64_t>(one.Number("processors", 0));
    for (const std::string& name : rule.names) {
      if (Words(name) == " " + name + " ") continue;
      one.Error(node, "R048", "the name \"" + name + "\" can never match",
                "write it in lower case, with letters, digits and single blanks only");
    }
    one.Done();
    ok = ok && one.ok();
    rules.push_back(std::move(rule));
  }
  reader.Done();
  if (!ok || !reader.ok()) rules.clear();
  return rules;
}

void CheckDeviceSamples(const std::vector<DeviceRule>& rules, const RuleFile& file, std::vector<Diag>* diags) {
  RuleNode root;
  if (!ParseRuleFile(file, &root, diags)) return;
  RuleReader reader(file, root, diags);
  size_t firing = 0, near = 0;
  for (const RuleNode& node : reader.Array("samples", true)) {
    RuleReader sample(file, node, diags);
    const std::string name = sample.String("name"), device = sample.String("device", false);
    sample.Done();
    const DeviceRule* found = DeviceOfName(rules, name);
    const std::string is = found == nullptr ? "" : found->device;
    if (is != device)
      sample.Error(node, "R040",
                   "\"" + name + "\" is " + (is.empty() ? "no device of this file" : "\"" + is + "\"") +
                       " where the sample says " + (device.empty() ? "none" : "\"" + device + "\""),
                   "correct the names or the sample");
    ++(device.empty() ? near : firing);
  }
  if (firing == 0 || near == 0)
    reader.Error(root, "R041", std::string("the samples lack ") + (firing == 0 ? "one that fires" : "a near miss"),
                 "add { \"name\": \"...\", \"device\": \"\" }");
}

const DeviceRule* DeviceOfName(const std::vector<DeviceRule>& rules, std::string_view text) {
  const std::vector<const DeviceRule*> named = NamedIn(rules, Words(text));
  return named.size() == 1 ? named[0] : nullptr;
}

std::vector<const DeviceRule*> DevicesOf(const std::vector<DeviceRule>& rules, std::string_view text) {
  std::vector<const DeviceRule*> found = NamedIn(rules, Words(text));
  if (!found.empty()) return found;
  for (const DeviceRule& rule : rules)
    if (NamesArchitecture(rule, text)) found.push_back(&rule);
  return found;
}

bool NamesArchitecture(const DeviceRule& rule, std::string_view text) {
  const std::string words = Words(text);
  return std::any_of(rule.architectures.begin(), rule.architectures.end(),
                     [&](const std::string& a) { return HoldsArchitecture(words, a); });
}

}  // namespace autotune
