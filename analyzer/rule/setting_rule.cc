#include "analyzer/rule/setting_rule.h"

#include <algorithm>
#include <map>

#include "analyzer/rule/rule_node.h"

namespace autotune {
namespace {

bool IsWordByte(char c) {
  // Bytes of UTF-8 sequences count as letters, so that a name in another script stays a name.
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
}

// "cache statistics" stands in "cache statistics of rank 0" as whole words; both in the spelling of NormalRow().
bool HoldsWords(std::string_view text, std::string_view words) {
  if (words.empty()) return false;
  for (size_t at = text.find(words); at != std::string_view::npos; at = text.find(words, at + 1)) {
    const size_t end = at + words.size();
    if ((at == 0 || text[at - 1] == ' ') && (end == text.size() || text[end] == ' ')) return true;
  }
  return false;
}

struct RowName {
  std::string_view section, row;  // section "" : everywhere
};

RowName SplitRowName(std::string_view spelling) {
  const size_t colon = spelling.find(": ");
  if (colon == std::string_view::npos) return {"", spelling};
  return {spelling.substr(0, colon), spelling.substr(colon + 2)};
}

// Whether the variable `name` is spelled `normal` by NormalRow().
bool IsVariable(std::string_view name, std::string_view normal) {
  return std::equal(name.begin(), name.end(), normal.begin(), normal.end(), [](char a, char b) {
    return (a >= 'A' && a <= 'Z') ? a - 'A' + 'a' == b : (a == '_' ? ' ' : a) == b;
  });
}

// Bytes of a character that only separates: no-break space, dashes, quotes, bullets and arrows of Unicode's punctuation
// blocks; 0 when `s` starts with something else.
size_t SeparatorLength(std::string_view s) {
  if (s.substr(0, 2) == "\xC2\xA0" || s.substr(0, 2) == "\xC2\xB7") return 2;
  const bool block = s.substr(0, 2) == "\xE2\x80" || s.substr(0, 2) == "\xE2\x81" || s.substr(0, 2) == "\xE2\x86";
  return block && s.size() >= 3 ? 3 : 0;
}

// A probe's kind, with as many words behind it as that takes.
bool IsProbe(std::string_view probe) {
  struct Kind {
    std::string_view name;
    std::ptrdiff_t min_words, max_words;
  };
  static constexpr Kind kKinds[] = {
      {"variable", 1, 1}, {"assigned", 2, 2},       {"package", 1, 1},          {"python", 0, 0},
      {"rocm", 0, 0},     {"gpu name", 0, 0},       {"gpu architecture", 0, 0}, {"gpu count", 0, 9},
      {"link", 2, 2},     {"inductor-cache", 0, 0}, {"triton-cache", 0, 0},     {"ck-folder", 1, 1},
  };
  return std::any_of(std::begin(kKinds), std::end(kKinds), [&](const Kind& kind) {
    if (probe.substr(0, kind.name.size()) != kind.name) return false;
    const std::string_view rest = probe.substr(kind.name.size());
    const std::ptrdiff_t words = std::count(rest.begin(), rest.end(), ' ');
    return (rest.empty() || rest[0] == ' ') && words >= kind.min_words && words <= kind.max_words;
  });
}

SettingRule ReadOne(RuleReader* reader, const RuleNode& at, const std::string& id, const std::string& title) {
  static const std::vector<std::string> kCompare = {"text",    "word",           "integer", "boolean",
                                                    "version", "backend_set",    "path",    "dtype",
                                                    "gpu",     "number_in_text", "never"};
  static const std::vector<std::string> kEffect = {"retune", "graph", "none", "new_problems", "depends"};
  static const std::vector<std::string> kVendors = {"nvidia", "amd", "intel", "cpu"};
  SettingRule rule;
  rule.id = id;
  rule.title = title;
  rule.name = reader->String("setting");
  rule.compare = reader->OneOf("compare", kCompare);
  rule.effect = reader->OneOf("effect", kEffect);
  rule.otherwise = reader->String("otherwise", false);
  rule.manifest_rows = reader->Strings("rows");
  rule.listing_names = reader->Strings("listing");
  rule.environment = reader->Bool("environment", false);
  rule.unread = reader->Bool("unread", false);
  rule.read_from = reader->String("read_from", false);
  rule.read_until = reader->String("read_until", false);
  rule.unread_in = reader->Strings("unread_in");
  for (const RuleNode& node : reader->Array("vendors")) {
    RuleReader mark(reader->file(), node, reader->diags());
    SettingRule::VendorMark vendor;
    vendor.pattern = mark.Pattern("pattern");
    vendor.vendor = mark.OneOf("vendor", kVendors);
    mark.Done();
    if (!mark.ok()) reader->Error(node, "R047", "this vendor mark cannot be used");
    rule.vendors.push_back(std::move(vendor));
  }
  rule.unset_denies = reader->OneOf("unset_denies", kVendors, false);
  rule.order = static_cast<int>(reader->Number("order", 100));
  rule.probes = reader->Strings("probe");
  for (const std::string& probe : rule.probes)
    if (!IsProbe(probe)) reader->Error(at, "R049", "no machine can be asked for \"" + probe + "\"");
  if (rule.environment && rule.unread)
    reader->Error(at, "R045", "a variable cannot be both read (\"environment\") and \"unread\"");
  for (const std::string& spelling : rule.manifest_rows) {
    const RowName name = SplitRowName(spelling);
    if (NormalRow(name.section) == name.section && (name.row == "*" || NormalRow(name.row) == name.row)) continue;
    reader->Error(at, "R046", "row name \"" + spelling + "\" can never match",
                  "write it in lower case, with letters, digits and single blanks only");
  }
  return rule;
}

}  // namespace

std::vector<SettingRule> DecodeSettingRules(const RuleFile& file, const RuleNode& root, std::vector<Diag>* diags) {
  RuleReader reader(file, root, diags);
  const std::string id = reader.String("id"), title = reader.String("title");
  const std::string why = reader.String("why", false);
  reader.Array("samples", true);
  std::vector<SettingRule> rules;
  bool ok = true;
  if (root.Find("settings") != nullptr) {
    for (const RuleNode& node : reader.Array("settings", true)) {
      RuleReader one(file, node, diags);
      SettingRule rule = ReadOne(&one, node, id, title);
      rule.why = one.String("why", false);
      one.Done();
      ok = ok && one.ok();
      rules.push_back(std::move(rule));
    }
  } else {
    rules.push_back(ReadOne(&reader, root, id, title));
    rules.back().why = why;
  }
  reader.Done();
  if (!ok || !reader.ok()) rules.clear();
  return rules;
}

std::string NormalRow(std::string_view row) {
  std::string out;
  bool blank = false;
  for (size_t i = 0; i < row.size(); ++i) {
    if (const size_t skip = SeparatorLength(row.substr(i)); skip > 0) {
      blank = true;
      i += skip - 1;
      continue;
    }
    char c = row[i];
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (IsWordByte(c)) {
      if (blank && !out.empty()) out += ' ';
      out += c;
      blank = false;
    } else if (c != '\\') {  // an escape separates nothing: "CK\_DIR" is "CK_DIR"
      blank = true;
    }
  }
  return out;
}

RowMatch SettingOfRow(const std::vector<SettingRule>& rules, std::string_view row,
                      const std::vector<std::string>& sections) {
  const std::string name = NormalRow(row);
  if (name.empty()) return {};
  for (const SettingRule& rule : rules)
    if ((rule.environment || rule.unread) && IsVariable(rule.name, name)) return {&rule, rule.name};

  // Innermost heading first; within it the row by name, then "*".
  for (auto section = sections.rbegin(); section != sections.rend(); ++section) {
    const std::string heading = NormalRow(*section);
    const SettingRule* any = nullptr;
    for (const SettingRule& rule : rules) {
      for (const std::string& spelling : rule.manifest_rows) {
        const RowName wanted = SplitRowName(spelling);
        if (wanted.section.empty() || !HoldsWords(heading, wanted.section)) continue;
        if (wanted.row == name) return {&rule, rule.name};
        if (wanted.row == "*" && any == nullptr) any = &rule;
      }
    }
    if (any != nullptr) {
      std::string plain;  // as the manifest spells it, escapes and outer blanks gone
      for (char c : row)
        if (c != '\\' && c != '`') plain += c;
      const size_t from = plain.find_first_not_of(" \t"), to = plain.find_last_not_of(" \t");
      return {any, any->name + ":" + plain.substr(from, to - from + 1)};
    }
  }
  for (const SettingRule& rule : rules)
    if (std::find(rule.manifest_rows.begin(), rule.manifest_rows.end(), name) != rule.manifest_rows.end())
      return {&rule, rule.name};
  return {};
}

void CheckSettingSamples(const std::vector<SettingRule>& rules, const RuleFile& file, std::vector<Diag>* diags) {
  RuleNode root;
  if (!ParseRuleFile(file, &root, diags)) return;
  RuleReader reader(file, root, diags);
  size_t firing = 0, near = 0;
  for (const RuleNode& node : reader.Array("samples", true)) {
    RuleReader sample(file, node, diags);
    const std::string row = sample.String("row"), setting = sample.String("setting", false);
    const std::vector<std::string> sections = sample.Strings("section");
    sample.Done();
    const RowMatch match = SettingOfRow(rules, row, sections);
    if (match.setting != setting)
      sample.Error(node, "R040",
                   "the row \"" + row + "\" means " +
                       (match.setting.empty() ? std::string("no setting of this file") : "\"" + match.setting + "\"") +
                       " where the sample says " + (setting.empty() ? std::string("none") : "\"" + setting + "\""),
                   "correct the rows or the sample");
    ++(setting.empty() ? near : firing);
  }
  if (firing == 0 || near == 0)
    reader.Error(root, "R041", "the samples lack " + std::string(firing == 0 ? "one that fires" : "a near miss"),
                 "add {\"row\": \"...\", \"setting\": " + std::string(firing == 0 ? "\"NAME\"" : "\"\"") + "}");
}

void CheckSettingClashes(const std::vector<SettingRule>& rules, const std::vector<RuleFile>& files,
                         std::vector<Diag>* diags) {
  std::map<std::string, const SettingRule*> rows, names;
  const auto clash = [&](const SettingRule& a, const SettingRule& b, const std::string& what) {
    Diag diag;
    diag.code = "R042";
    const auto file = std::find_if(files.begin(), files.end(),
                                   [&](const RuleFile& f) { return f.family == "settings" && f.id == b.id; });
    diag.file = file != files.end() ? file->path : b.id + ".json";
    diag.message = what + " is claimed by " + a.name + " (" + a.id + ".json) and by " + b.name + " (" + b.id + ".json)";
    diag.fix = "take it out of one of them";
    diags->push_back(std::move(diag));
  };
  for (const SettingRule& rule : rules) {
    if (const auto [at, fresh] = names.try_emplace(rule.name, &rule); !fresh)
      clash(*at->second, rule, "the setting \"" + rule.name + "\"");
    for (const std::string& row : rule.manifest_rows)
      if (const auto [at, fresh] = rows.try_emplace(row, &rule); !fresh)
        clash(*at->second, rule, "the row \"" + row + "\"");
  }
}

}  // namespace autotune
