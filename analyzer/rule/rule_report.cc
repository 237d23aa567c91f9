#include "analyzer/rule/rule_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "analyzer/base/text.h"

namespace autotune {
namespace {

constexpr size_t kWidth = 80;

// What a terminal would obey is shown as it is written in C; samples hold colour codes.
std::string Visible(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) {
      out += c == '\t' ? "\\t" : c == '\n' ? "\\n" : c == '\r' ? "\\r" : fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  return out;
}

std::string Wrapped(std::string_view text, size_t width) {
  std::string out, line;
  const auto end_line = [&] {
    out += line + "\n";
    line.clear();
  };
  size_t at = 0;
  while (at < text.size()) {
    const size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    if (!line.empty() && line.size() + 1 + word.size() > width) end_line();
    if (!line.empty()) line += ' ';
    line += word;
    at = end + 1;
  }
  if (!line.empty()) end_line();
  return out;
}

// A tree as an outline: "key: value", lists with "- ", two blanks a level.
class Outline {
 public:
  explicit Outline(std::string* out) : out_(out) {}

  void Member(const std::string& key, const RuleNode& node, size_t indent) {
    *out_ += std::string(indent, ' ') + key + ":";
    if (IsPlain(node)) {
      *out_ += " " + Plain(node) + "\n";
      return;
    }
    *out_ += "\n";
    Children(node, indent + 2);
  }

 private:
  using Kind = RuleNode::Kind;

  static bool IsPlain(const RuleNode& node) {
    if (node.kind == Kind::kArray) return node.items.empty();
    return node.kind != Kind::kObject || node.members.empty();
  }

  static std::string Plain(const RuleNode& node) {
    switch (node.kind) {
      case Kind::kNull:
        return "null";
      case Kind::kBool:
        return node.boolean ? "true" : "false";
      case Kind::kNumber:
        return fmt::format("{}", node.number);
      case Kind::kString:
        return node.string.empty() ? "\"\"" : Visible(node.string);
      case Kind::kArray:
        return "none";
      case Kind::kObject:
        break;
    }
    return "{}";
  }

  void Children(const RuleNode& node, size_t indent) {
    for (const auto& [key, value] : node.members) Member(key, value, indent);
    for (const RuleNode& item : node.items) {
      if (IsPlain(item)) {
        *out_ += std::string(indent, ' ') + "- " + Plain(item) + "\n";
        continue;
      }
      const size_t start = out_->size();
      Children(item, indent + 2);
      (*out_)[start + indent] = '-';  // in place of a blank before the first child
    }
  }

  std::string* out_;
};

// The whole tree, samples and all.
RuleNode Read(RuleFile file) {
  file.trusted = false;
  RuleNode root;
  std::vector<Diag> ignored;  // these files were loaded
  ParseRuleFile(file, &root, &ignored);
  return root;
}

std::string StringOf(const RuleNode& root, std::string_view key) {
  const RuleNode* node = root.Find(key);
  return node ? Visible(node->string) : "";
}

std::string Explain(const RuleFile& file) {
  const RuleNode root = Read(file);
  std::string out = fmt::format("{}/{}\n{}\n", file.family, file.id, Wrapped(StringOf(root, "title"), kWidth));
  if (const std::string why = StringOf(root, "why"); !why.empty()) out += Wrapped(why, kWidth) + "\n";
  Outline outline(&out);
  for (const auto& [key, value] : root.members) {
    if (key == "$schema" || key == "id" || key == "title" || key == "why") continue;
    if (key == "samples") out += "\n";
    outline.Member(key, value, 0);
  }
  return out + fmt::format("\nfile: {}\n", file.path);
}

std::string Count(size_t n, std::string_view thing) { return fmt::format("{} {}{}", n, thing, n == 1 ? "" : "s"); }

bool IsEmbedded(const std::string& family, const std::string& id) {
  const auto files = EmbeddedRuleFiles();
  return std::any_of(files.begin(), files.end(), [&](const RuleFile& f) { return f.family == family && f.id == id; });
}

}  // namespace

std::string ListRules(const RuleSet& rules) {
  size_t family_width = 0, id_width = 0;
  for (const RuleFile& file : rules.files) {
    family_width = std::max(family_width, file.family.size());
    id_width = std::max(id_width, file.id.size());
  }
  std::string out;
  for (const RuleFile& file : rules.files) {
    RuleNode root;
    std::vector<Diag> ignored;
    ParseRuleFile(file, &root, &ignored);
    fmt::format_to(std::back_inserter(out), "{:{}} {}{:{}}  {}\n", file.family, family_width, file.embedded ? ' ' : '+',
                   file.id, id_width, StringOf(root, "title"));
  }
  return out;
}

absl::StatusOr<std::string> ExplainRule(const RuleSet& rules, const std::string& id) {
  std::string out;
  std::vector<std::string> ids;
  for (const RuleFile& file : rules.files) {
    ids.push_back(file.id);
    ids.push_back(file.family + "/" + file.id);
    if (id != ids[ids.size() - 2] && id != ids.back()) continue;
    if (!out.empty()) out += "\n";
    out += Explain(file);
  }
  if (!out.empty()) return out;
  const std::string nearest = Nearest(id, ids);
  return absl::NotFoundError(ToAbsl(fmt::format(
      "no rule is called \"{}\"; {}", id,
      nearest.empty() ? "`autotune-scan rules list` names them all" : fmt::format("did you mean \"{}\"?", nearest))));
}

RuleCheck CheckRules(const std::string& dir, const std::function<void(const RuleSet&, std::vector<Diag>*)>& further) {
  RuleCheck check;
  std::vector<Diag> diags;
  const absl::StatusOr<RuleSet> rules = LoadRules(dir, /*check_samples=*/true, &diags);
  if (rules.ok() && further) further(*rules, &diags);
  size_t own = 0;
  std::vector<RuleFile> files;
  if (rules.ok()) files = rules->files;
  for (const RuleFile& file : files) {
    if (file.embedded) continue;
    ++own;
    if (!IsEmbedded(file.family, file.id)) continue;
    Diag note =
        RuleDiag(file, 0, 0, "R007", fmt::format("replaces the program's own rule {}/{}", file.family, file.id));
    note.level = Diag::Level::kNote;
    diags.push_back(std::move(note));
  }
  for (const Diag& diag : diags) {
    check.errors += diag.level == Diag::Level::kError;
    check.warnings += diag.level == Diag::Level::kWarning;
    check.text += Render(diag);
  }
  const std::string found = check.errors + check.warnings == 0
                                ? "no fault"
                                : Count(check.errors, "error") + ", " + Count(check.warnings, "warning");
  if (rules.ok() && !dir.empty()) {
    check.text += fmt::format("{} in {}, {} of the program: {}\n", Count(own, "rule"), dir, files.size() - own, found);
  } else if (rules.ok()) {
    check.text += fmt::format("{} of the program: {}\n", Count(files.size(), "rule"), found);
  } else {
    check.text += found + "\n";
  }
  return check;
}

}  // namespace autotune
