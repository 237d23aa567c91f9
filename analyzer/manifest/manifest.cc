#include "analyzer/manifest/manifest.h"

#include <absl/status/status.h>
#include <absl/strings/numbers.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <utility>

#include "analyzer/base/text.h"
#include "analyzer/manifest/markdown.h"
#include "analyzer/manifest/spelling.h"

namespace autotune {
namespace {

// A generated manifest has some kilobytes; this only keeps a log given by mistake out of memory.
constexpr uintmax_t kMaxBytes = 16 << 20;

MarkdownText Slice(const MarkdownText& text, size_t from) {
  MarkdownText out;
  while (from < text.text.size() && IsBlank(text.text[from])) ++from;
  out.text = std::string(TrimRight(std::string_view(text.text).substr(std::min(from, text.text.size()))));
  out.line = text.line;
  for (const auto& [begin, end] : text.code)
    if (end > from) out.code.emplace_back(begin > from ? begin - from : 0, std::min(end - from, out.text.size()));
  return out;
}

// One place where a statement may be cut into name and value.
struct Cut {
  size_t name_end = 0, value_begin = 0;
  bool equals = false;  // "==": how checklists say it
};

// "GPU: x", "`A` == `b`", "A=b", "A — b", "A -> b". All places, in order; those of prose dashes last.
std::vector<Cut> Cuts(const MarkdownText& text) {
  const std::string_view s = text.text;
  const bool all_code = text.code.size() == 1 && text.code[0].first == 0 && text.code[0].second == s.size();
  std::vector<Cut> cuts, dashes;
  for (size_t i = 1; i < std::min(s.size(), kLongestName); ++i) {
    if (!all_code && text.IsCode(i)) continue;
    if (s.substr(i, 2) == "==") {
      cuts.push_back({i, i + 2, true});
      ++i;
    } else if (s[i] == ':') {
      if (i + 1 == s.size() || IsBlank(s[i + 1]) || text.IsCode(i + 1) || IsVariableName(s.substr(0, i)))
        cuts.push_back({i, i + 1, false});
    } else if (s[i] == '=' && s[i - 1] != '!' && s[i - 1] != '<' && s[i - 1] != '>') {
      cuts.push_back({i, i + 1, false});
    } else if (s[i] == ' ') {
      for (const std::string_view dash : {" — ", " – ", " -> ", " → ", " - "})
        if (s.substr(i, dash.size()) == dash) dashes.push_back({i, i + dash.size(), false});
    }
  }
  cuts.insert(cuts.end(), dashes.begin(), dashes.end());
  return cuts;
}

struct Parts {
  std::string_view before, inside;  // "GPU count (world_size)": "GPU count", "world_size"
};

std::optional<Parts> InParentheses(std::string_view s) {
  const size_t open = s.rfind(" (");
  if (open == std::string_view::npos || open == 0 || !s.ends_with(')')) return std::nullopt;
  return Parts{Trim(s.substr(0, open)), Trim(s.substr(open + 2, s.size() - open - 3))};
}

// The setting whose facts are exact identities (rules/settings/exact-identities): "identity:System hash".
constexpr std::string_view kIdentity = "identity";

class FactReader {
 public:
  FactReader(Manifest* manifest, const RuleSet& rules) : manifest_(manifest), rules_(rules.settings) {}

  void Read(const std::vector<MarkdownPiece>& pieces) {
    for (const MarkdownPiece& piece : pieces) {
      checklist_ = piece.task || InChecklist(piece.sections);
      sections_ = &piece.sections;
      switch (piece.kind) {
        case MarkdownPiece::Kind::kHeading:
          if (piece.level == 1 && manifest_->title_line == 0) {
            manifest_->title = piece.cells[0].text;
            manifest_->title_line = piece.cells[0].line;
          }
          break;
        case MarkdownPiece::Kind::kRow:
          Row(piece);
          break;
        case MarkdownPiece::Kind::kCodeLine:
          CodeLine(piece.cells[0]);
          break;
        case MarkdownPiece::Kind::kItem:
        case MarkdownPiece::Kind::kParagraph:
          Line(piece);
      }
    }
  }

 private:
  // "export TRITON_CACHE_DIR=/x # note", "A='1' B=2 python train.py", "TRITON_CACHE_DIR: /x" in a code block; other
  // code says nothing of how the cache was built.
  void CodeLine(const MarkdownText& line) {
    const std::string_view s = line.text;
    if (s.starts_with('#') || s.starts_with("//")) return;
    const size_t colon = s.find(": ");
    if (colon != std::string_view::npos && IsVariableName(CleanName(s.substr(0, colon)))) {
      NameAndValue(s.substr(0, colon), Slice(line, colon + 1), line.line, /*keep_unknown=*/false);
      return;
    }
    for (size_t equals = s.find('='); equals != std::string_view::npos; equals = s.find('=', equals + 1)) {
      size_t begin = equals;
      while (begin > 0 && equals - begin < kLongestName && !IsBlank(s[begin - 1]) && s[begin - 1] != ';') --begin;
      const std::string_view name = s.substr(begin, equals - begin), rest = s.substr(equals + 1);
      if (!IsVariableName(name)) continue;
      const bool quoted = rest.starts_with('"') || rest.starts_with('\'');
      const std::string_view value =
          quoted ? rest.substr(1, rest.find(rest[0], 1) - 1) : rest.substr(0, rest.find_first_of(" \t;"));
      NameAndValue(name, Plain(value, line.line), line.line, /*keep_unknown=*/false);
      equals += value.size();
    }
  }

  RowMatch Find(std::string_view name) const {
    // A path is no name, though "~/.triton/cache" has the words of one.
    if (name.empty() || std::string_view("/~.$%").find(name[0]) != std::string_view::npos) return {};
    return SettingOfRow(rules_, name, *sections_);
  }

  // What `name` is called apart from its row names: "TORCHINDUCTOR_CK_DIR points to valid CK root", "Triton must
  // match".
  RowMatch FindLoosely(std::string_view name) const {
    if (const RowMatch match = Find(name); match.rule != nullptr) return match;
    RowMatch variable;
    for (const std::string_view word : VariableNames(name)) {
      const RowMatch match = Find(word);
      if (match.rule == nullptr) continue;
      if (variable.rule != nullptr && variable.rule != match.rule) return {};
      variable = match;
    }
    if (variable.rule != nullptr) return variable;
    for (const std::string_view verb :
         {" matches", " must match", " match", " equals", " is", " must be", " should be"})
      if (name.ends_with(verb)) return Find(name.substr(0, name.size() - verb.size()));
    return {};
  }

  // A table's row. Which columns hold name and value says its header, where it has the usual words.
  void Row(const MarkdownPiece& piece) {
    if (piece.header) {
      StartTable(piece);
      return;
    }
    if (LineOf(piece) == 0) return;  // nothing in any cell
    if (!identity_columns_.empty()) {
      IdentityRow(piece);
      return;
    }
    if (!columns_.empty()) {  // settings stand side by side: one column each
      for (size_t i = 0; i < columns_.size() && i < piece.cells.size(); ++i)
        if (columns_[i].rule != nullptr) Add(columns_[i], piece.cells[i], piece.cells[i].text, LineOf(piece));
      return;
    }
    NamedRow(piece);
  }

  void StartTable(const MarkdownPiece& header) {
    static const std::vector<std::string> kNames = {"setting",
                                                    "settings",
                                                    "package",
                                                    "name",
                                                    "key",
                                                    "variable",
                                                    "parameter",
                                                    "item",
                                                    "component",
                                                    "property",
                                                    "field",
                                                    "option",
                                                    "environment variable",
                                                    "software",
                                                    "library",
                                                    "cache",
                                                    "attribute",
                                                    "what",
                                                    "env var"};
    static const std::vector<std::string> kValues = {"value",      "values",   "version",  "files",
                                                     "file count", "count",    "setting",  "size",
                                                     "number",     "expected", "recorded", "entries"};
    columns_.clear();
    identity_columns_.clear();
    if (StartIdentities(header)) return;
    name_column_ = 0;
    value_column_ = 1;
    const auto column = [&](const std::vector<std::string>& words, size_t from) {
      for (size_t i = from; i < header.cells.size(); ++i)
        if (std::find(words.begin(), words.end(), NormalRow(header.cells[i].text)) != words.end()) return i;
      return header.cells.size();
    };
    const size_t name = column(kNames, 0);
    const size_t value = column(kValues, name < header.cells.size() ? name + 1 : 1);
    if (name < header.cells.size()) {
      name_column_ = name;
      value_column_ = name + 1;
    }
    if (value < header.cells.size()) value_column_ = value;
    if (name < header.cells.size() || value < header.cells.size()) return;

    std::vector<RowMatch> matches;
    for (const MarkdownText& cell : header.cells) matches.push_back(FindLoosely(CleanName(cell.text)));
    const auto known =
        std::count_if(matches.begin(), matches.end(), [](const RowMatch& m) { return m.rule != nullptr; });
    if (known >= 2) {
      columns_ = std::move(matches);
    } else if (known == 1 && matches[0].rule != nullptr) {
      NamedRow(header);  // a table without header: its first row is one
    }
  }

  // A table of problems below "Exact Identities": its columns are "Op", "Inputs key", ... in any order.
  bool StartIdentities(const MarkdownPiece& header) {
    bool keys = false;
    for (const MarkdownText& cell : header.cells) {
      const RowMatch match = Find(cell.text);
      if (match.rule == nullptr || match.setting.find(':') == std::string::npos || match.rule->name != kIdentity) {
        identity_columns_.clear();
        return false;
      }
      identity_columns_.push_back(NormalRow(cell.text));
      keys = keys || identity_columns_.back() == "inputs key";
    }
    if (!keys) identity_columns_.clear();
    return keys;
  }

  void IdentityRow(const MarkdownPiece& row) {
    Identities::Problem problem;
    problem.line = LineOf(row);
    for (size_t i = 0; i < identity_columns_.size() && i < row.cells.size(); ++i) {
      const std::string& column = identity_columns_[i];
      const std::string value(SaysNotSet(row.cells[i].text) ? std::string_view() : Trim(row.cells[i].text));
      int64_t number = 0;
      if (column == "op" || column == "problem") problem.op = value;
      if (column == "precision") problem.precision = value;
      if (column == "inputs key") problem.inputs_key = value;
      if (column == "candidate set key") problem.candidate_set_key = value;
      if (column == "choices" && absl::SimpleAtoi(ToAbsl(value), &number)) problem.choices = number;
      if (column == "back ends" || column == "backends") {
        for (size_t at = 0; at < value.size();) {
          const size_t end = std::min(value.find(',', at), value.size());
          const std::string_view name = Trim(std::string_view(value).substr(at, end - at));
          if (!name.empty()) problem.backends.emplace_back(name);
          at = end + 1;
        }
      }
    }
    if (!problem.op.empty() && !problem.inputs_key.empty())
      manifest_->identities.problems.push_back(std::move(problem));
  }

  void NamedRow(const MarkdownPiece& row) {
    if (name_column_ >= row.cells.size() || value_column_ >= row.cells.size()) return;
    const MarkdownText& name = row.cells[name_column_];
    if (!name.text.empty()) NameAndValue(name.text, row.cells[value_column_], LineOf(row), /*keep_unknown=*/true);
  }

  static uint64_t LineOf(const MarkdownPiece& row) {
    for (const MarkdownText& cell : row.cells)
      if (cell.line != 0) return cell.line;
    return 0;
  }

  // An item or a paragraph's line: the first cut whose left side is a setting's name.
  void Line(const MarkdownPiece& piece) {
    const MarkdownText& text = piece.cells[0];
    const std::vector<Cut> cuts = Cuts(text);
    for (const Cut& cut : cuts)
      if (Statement(text, cut, /*keep_unknown=*/false)) return;
    const bool item = piece.kind == MarkdownPiece::Kind::kItem;
    // "`TRITON_CACHE_DIR` must be `/x`": no sign between them, the value is the code that follows the name.
    if (item && checklist_ && CodeAfterName(text)) return;
    if (item && !checklist_ && !cuts.empty() && cuts[0].value_begin < text.text.size())
      Unknown(CleanName(std::string_view(text.text).substr(0, cuts[0].name_end)), text.line);
  }

  bool Statement(const MarkdownText& text, const Cut& cut, bool keep_unknown) {
    const bool before = checklist_;
    checklist_ = checklist_ || cut.equals;
    const bool found = NameAndValue(std::string_view(text.text).substr(0, cut.name_end), Slice(text, cut.value_begin),
                                    text.line, keep_unknown);
    checklist_ = before;
    return found;
  }

  bool CodeAfterName(const MarkdownText& text) {
    for (const auto& [begin, end] : text.code) {
      const std::string_view name = Trim(std::string_view(text.text).substr(0, begin));
      if (name.empty()) continue;
      if (name.size() > kLongestName || DeniesIt(name)) return false;
      const RowMatch match = FindLoosely(CleanName(name));
      if (match.rule == nullptr) continue;
      MarkdownText value = Slice(text, begin);
      return Add(match, value, value.text, text.line);
    }
    return false;
  }

  bool NameAndValue(std::string_view spelled, const MarkdownText& value, uint64_t line, bool keep_unknown) {
    const std::string_view name = CleanName(spelled);
    if (name.size() > kLongestName || DeniesIt(name)) return false;
    if (const std::optional<Parts> names = InParentheses(name)) {
      const RowMatch before = Find(names->before), inside = Find(CleanName(names->inside));
      const std::optional<Parts> values = InParentheses(value.text);
      if (inside.rule != nullptr && values) {  // "GPU count (world_size): 8 (16)" states both
        bool added = Add(inside, Plain(values->inside, value.line), value.text, line);
        if (before.rule != nullptr && before.rule != inside.rule)
          added = Add(before, Plain(values->before, value.line), value.text, line) || added;
        return added;
      }
      if (before.rule != nullptr) return Add(before, value, value.text, line);
      if (inside.rule != nullptr) return Add(inside, value, value.text, line);
    }
    const RowMatch match = FindLoosely(name);
    if (match.rule != nullptr && Add(match, value, value.text, line)) return true;
    if (keep_unknown) Unknown(name, line);
    return false;
  }

  static MarkdownText Plain(std::string_view text, uint64_t line) {
    MarkdownText out;
    out.text = std::string(text);
    out.line = line;
    return out;
  }

  bool Add(const RowMatch& match, const MarkdownText& value, const std::string& raw, uint64_t line) {
    const SettingRule& rule = *match.rule;
    Fact fact;
    fact.setting = match.setting;
    fact.raw = raw;
    fact.line = line;
    fact.from_checklist = checklist_;
    fact.value = ValueIn(value, rule.compare, checklist_);
    if (SaysUnknown(fact.value)) return false;
    fact.not_set = SaysNotSet(fact.value);
    if (fact.not_set) fact.value.clear();
    // A variable may hold anything; a row that only shares its name with a setting ("Backbone: ResNet") states none.
    if (!fact.not_set && !rule.environment && !rule.unread && !CouldBe(rule.compare, fact.value)) return false;
    constexpr std::string_view kSystemHash = "system hash";
    if (rule.name == kIdentity && NormalRow(fact.setting.substr(kIdentity.size() + 1)).starts_with(kSystemHash) &&
        !fact.not_set)
      manifest_->identities.systems.push_back({fact.value, line});
    manifest_->facts.push_back(std::move(fact));
    return true;
  }

  void Unknown(std::string_view name, uint64_t line) {
    if (!name.empty()) manifest_->unknown_rows.push_back({std::string(name), line});
  }

  Manifest* manifest_;
  const std::vector<SettingRule>& rules_;
  const std::vector<std::string>* sections_ = nullptr;
  bool checklist_ = false;
  // The table that is being read.
  size_t name_column_ = 0, value_column_ = 1;
  std::vector<RowMatch> columns_;
  std::vector<std::string> identity_columns_;  // of a table of problems, in NormalRow()'s spelling
};

}  // namespace

Manifest ParseManifest(std::string path, std::string_view text, const RuleSet& rules) {
  Manifest manifest;
  manifest.path = std::move(path);
  FactReader(&manifest, rules).Read(ReadMarkdown(text));
  return manifest;
}

absl::StatusOr<std::string> ReadManifestText(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    return absl::InvalidArgumentError(ToAbsl(fmt::format("{} is a folder; give the manifest's file in it", path)));
  const uintmax_t size = std::filesystem::is_regular_file(path, error) ? std::filesystem::file_size(path, error) : 0;
  if (!error && size > kMaxBytes)
    return absl::InvalidArgumentError(ToAbsl(
        fmt::format("{} has {} bytes, more than any manifest; is it a log? Give logs without --manifest", path, size)));
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in)
    return absl::NotFoundError(
        ToAbsl(fmt::format("cannot open the manifest {}: {}; give the Markdown file that was "
                           "written when the cache was built",
                           path, std::strerror(errno))));
  std::string text;
  char buffer[1 << 16];
  while (in.read(buffer, sizeof buffer) || in.gcount() > 0) {
    text.append(buffer, static_cast<size_t>(in.gcount()));
    if (text.size() > kMaxBytes)
      return absl::InvalidArgumentError(ToAbsl(
          fmt::format("{} has more than {} bytes, more than any manifest; is it a log? Give logs without --manifest",
                      path, kMaxBytes)));
  }
  if (in.bad())
    return absl::DataLossError(
        ToAbsl(fmt::format("cannot read the manifest {} to its end: {}", path, std::strerror(errno))));
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
    return absl::InvalidArgumentError(
        ToAbsl(fmt::format("the manifest {} is UTF-16; save it as UTF-8 (iconv -f UTF-16 -t UTF-8)", path)));
  return text;
}

absl::StatusOr<Manifest> ReadManifest(const std::string& path, const RuleSet& rules) {
  absl::StatusOr<std::string> text = ReadManifestText(path);
  if (!text.ok()) return text.status();
  Manifest manifest = ParseManifest(path, *text, rules);
  if (manifest.facts.empty())
    return absl::InvalidArgumentError(ToAbsl(
        fmt::format("{} states no setting, so there is nothing to compare with; a manifest is Markdown with rows like "
                    "\"| Torch | 2.7.1+cu126 |\" or \"- GPU: NVIDIA H200\"",
                    path)));
  return manifest;
}

}  // namespace autotune
