#include "analyzer/manifest/lint.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "analyzer/base/text.h"
#include "analyzer/manifest/markdown.h"
#include "analyzer/manifest/spelling.h"

namespace autotune {
namespace {

using Words = std::vector<std::pair<std::string, std::string>>;  // template name -> text

std::string Fill(std::string_view text, const Words& words) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{') {
      const size_t end = text.find('}', i);
      if (end != std::string_view::npos) {
        const std::string_view name = text.substr(i + 1, end - i - 1);
        const auto word = std::find_if(words.begin(), words.end(), [&](const auto& w) { return w.first == name; });
        if (word != words.end()) {
          out += word->second;
          i = end;
          continue;
        }
      }
    }
    out += text[i];
  }
  return out;
}

bool Matches(std::string_view text, const std::string& pattern) {
  return RE2::PartialMatch(ToRe2(text), RE2(pattern, RE2::Quiet));
}

// Leading numbers of a version: "2.7.1+cu126" -> 2, 7, 1.
std::vector<int> Numbers(std::string_view version) {
  std::vector<int> numbers;
  if (version.starts_with('v')) version.remove_prefix(1);
  while (!version.empty() && version[0] >= '0' && version[0] <= '9' && numbers.size() < 6) {
    int number = 0;
    while (!version.empty() && version[0] >= '0' && version[0] <= '9' && number < 100000000) {
      number = number * 10 + (version[0] - '0');
      version.remove_prefix(1);
    }
    numbers.push_back(number);
    if (version.empty() || version[0] != '.') break;
    version.remove_prefix(1);
  }
  return numbers;
}

// Whether `version` begins with the parts of `prefix`: 2.7.1 with 2.7, not 2.70 with 2.7.
bool StartsWithVersion(std::string_view version, std::string_view prefix) {
  const std::vector<int> v = Numbers(version), p = Numbers(prefix);
  return !p.empty() && v.size() >= p.size() && std::equal(p.begin(), p.end(), v.begin());
}

// Both ends inclusive by their own parts: 2.9.1 is in 2.5 .. 2.9. A version without numbers is in every range.
bool InRange(std::string_view version, std::string_view from, std::string_view until) {
  const std::vector<int> v = Numbers(version), lowest = Numbers(from), highest = Numbers(until);
  if (v.empty()) return true;
  if (!lowest.empty() && std::lexicographical_compare(v.begin(), v.end(), lowest.begin(), lowest.end())) return false;
  const std::vector<int> head(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(std::min(v.size(), highest.size())));
  return highest.empty() || !std::lexicographical_compare(highest.begin(), highest.end(), head.begin(), head.end());
}

std::vector<std::string> Parts(std::string_view list) {
  std::vector<std::string> parts;
  for (size_t i = 0; i <= list.size();) {
    const size_t end = std::min(list.find_first_of(",;", i), list.size());
    std::string part(Trim(list.substr(i, end - i)));
    while (!part.empty() && std::string_view("[]'\"`").find(part.back()) != std::string_view::npos) part.pop_back();
    while (!part.empty() && std::string_view("[]'\"`").find(part.front()) != std::string_view::npos) part.erase(0, 1);
    if (!part.empty()) parts.push_back(std::move(part));
    i = end + 1;
  }
  return parts;
}

std::string Upper(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

// As a message has it: what the manifest says, also where that is nothing.
std::string Said(const Fact& fact) {
  if (!fact.not_set) return fact.value;
  return fact.raw.empty() ? "empty" : fact.raw;
}

// A rule's reason, as far as one line of a report takes it.
std::string FirstSentence(const std::string& why) { return why.substr(0, why.find(". ")); }

// Whether two values of a manifest say the same, as far as a manifest's own spellings go.
bool SameValue(const std::string& compare, const Fact& a, const Fact& b) {
  if (a.not_set || b.not_set) return a.not_set == b.not_set;
  if (a.value == b.value) return true;
  if (compare == "backend_set") {
    const auto set = [](const std::string& value) {
      const std::vector<std::string> parts = Parts(Upper(value));
      return std::set<std::string>(parts.begin(), parts.end());
    };
    return set(a.value) == set(b.value);
  }
  if (compare == "version") {  // "2.7.1" repeats "2.7.1+cu126"; "2.7" is a part of it
    const std::string& shorter = a.value.size() < b.value.size() ? a.value : b.value;
    const std::string& longer = a.value.size() < b.value.size() ? b.value : a.value;
    return longer.starts_with(shorter) &&
           std::string_view(".+ ").find(longer[shorter.size()]) != std::string_view::npos;
  }
  if (compare == "path") {
    const auto plain = [](std::string path) {
      while (path.size() > 1 && path.ends_with('/')) path.pop_back();
      return path;
    };
    return plain(a.value) == plain(b.value);
  }
  if (compare == "number_in_text" || compare == "integer") {
    const auto number = [](std::string_view text) {
      std::string digits;
      for (char c : text) {
        if (c >= '0' && c <= '9') digits += c;
        if (!digits.empty() && !(c >= '0' && c <= '9') && c != ',' && c != '_') break;
      }
      return digits;
    };
    return number(a.value) == number(b.value);
  }
  return Upper(a.value) == Upper(b.value);
}

// What a row says of the GPU: which devices it may be, whose it is, whose it is not.
struct GpuClaim {
  std::vector<const DeviceRule*> devices;
  std::string vendor, not_vendor;
  bool Says() const { return !devices.empty() || !vendor.empty() || !not_vendor.empty(); }
};

bool Contradict(const GpuClaim& a, const GpuClaim& b) {
  if (!a.devices.empty() && !b.devices.empty())
    return std::none_of(a.devices.begin(), a.devices.end(), [&](const DeviceRule* device) {
      return std::find(b.devices.begin(), b.devices.end(), device) != b.devices.end();
    });
  if (!a.vendor.empty() && !b.vendor.empty()) return a.vendor != b.vendor;
  return (!a.vendor.empty() && a.vendor == b.not_vendor) || (!b.vendor.empty() && b.vendor == a.not_vendor);
}

class Linter {
 public:
  Linter(const Manifest& manifest, std::string_view text, const RuleSet& rules)
      : manifest_(manifest), rules_(rules), pieces_(ReadMarkdown(text)) {
    if (!manifest.title.empty()) {
      title_.setting = "title";
      title_.value = title_.raw = manifest.title;
      title_.line = manifest.title_line;
    }
  }

  void Run(const LintRule& rule) {
    const auto check = Checks().find(rule.check);
    if (check != Checks().end() && Applies(rule)) (this->*check->second)(rule);
  }

  using Check = void (Linter::*)(const LintRule&);
  static const std::map<std::string, Check>& Checks() {
    static const std::map<std::string, Check> checks = {
        {"value", &Linter::Value},         {"unset", &Linter::Unset},
        {"unread", &Linter::Unread},       {"unread_here", &Linter::UnreadHere},
        {"disagree", &Linter::Disagree},   {"same_version", &Linter::SameVersion},
        {"pairing", &Linter::Pairing},     {"tokens", &Linter::Tokens},
        {"checklist", &Linter::Checklist}, {"no_effect", &Linter::NoEffect},
        {"repeated", &Linter::Repeated},   {"text", &Linter::TextMatch},
        {"near_name", &Linter::NearName}};
    return checks;
  }

  std::vector<Problem> Take() {
    std::stable_sort(problems_.begin(), problems_.end(),
                     [](const Problem& a, const Problem& b) { return a.line < b.line; });
    return std::move(problems_);
  }

 private:
  // The row of a setting, not the checklist's repetition of it; "title" is the title.
  const Fact* Row(std::string_view setting) const {
    if (setting == "title") return title_.line == 0 ? nullptr : &title_;
    for (const Fact& fact : manifest_.facts)
      if (fact.setting == setting && !fact.from_checklist) return &fact;
    return nullptr;
  }

  bool Applies(const LintRule& rule) const {
    return std::all_of(rule.when.begin(), rule.when.end(), [&](const LintRule::Condition& condition) {
      const Fact* fact = Row(condition.setting);
      if (fact == nullptr || fact->not_set != condition.not_set) return false;
      if (!condition.pattern.empty() && !Matches(fact->value, condition.pattern)) return false;
      if (!condition.unless.empty() && Matches(fact->value, condition.unless)) return false;
      return InRange(fact->value, condition.from, condition.until);
    });
  }

  void Report(const LintRule& rule, const Fact& fact, Words words) {
    words.emplace_back("setting", fact.setting);
    words.emplace_back("value", Said(fact));
    words.emplace_back("line", std::to_string(fact.line));
    Report(rule, fact.line, rule.blames.empty() ? fact.setting : rule.blames, words);
  }

  void Report(const LintRule& rule, uint64_t line, std::string setting, const Words& words) {
    Problem problem;
    problem.severity = rule.severity == "warning" ? Problem::Severity::kWarning : Problem::Severity::kError;
    problem.line = line;
    problem.setting = std::move(setting);
    problem.message = Fill(rule.message, words);
    problem.fix = Fill(rule.fix, words);
    problem.id = rule.id;
    problems_.push_back(std::move(problem));
  }

  template <class Judge>
  void EachFact(const LintRule& rule, Judge judge) {
    for (const Fact& fact : manifest_.facts)
      if (std::find(rule.settings.begin(), rule.settings.end(), fact.setting) != rule.settings.end()) judge(fact);
  }

  void Value(const LintRule& rule) {
    EachFact(rule, [&](const Fact& fact) {
      if (fact.not_set || fact.from_checklist || !Matches(fact.value, rule.pattern)) return;
      if (rule.unless.empty() || !Matches(fact.value, rule.unless)) Report(rule, fact, {});
    });
  }

  void Unset(const LintRule& rule) {
    EachFact(rule, [&](const Fact& fact) {
      if (fact.from_checklist || !fact.not_set) return;
      if (rule.unless.empty() || !Matches(fact.raw, rule.unless)) Report(rule, fact, {});
    });
  }

  void Unread(const LintRule& rule) {
    for (const Fact& fact : manifest_.facts) {
      const SettingRule* setting = rules_.Setting(fact.setting);
      if (setting != nullptr && setting->unread) Report(rule, fact, {{"why", FirstSentence(setting->why)}});
    }
  }

  void UnreadHere(const LintRule& rule) {
    const Fact* torch = rule.settings.empty() ? nullptr : Row(rule.settings[0]);
    if (torch == nullptr || torch->not_set) return;
    const std::vector<int> version = Numbers(torch->value);
    if (version.size() < 2) return;
    for (const Fact& fact : manifest_.facts) {
      const SettingRule* setting = rules_.Setting(fact.setting);
      if (fact.not_set || fact.from_checklist || setting == nullptr || !setting->environment) continue;
      const bool gap = std::any_of(setting->unread_in.begin(), setting->unread_in.end(),
                                   [&](const std::string& v) { return StartsWithVersion(torch->value, v); });
      if (!gap && InRange(torch->value, setting->read_from, setting->read_until)) continue;
      std::string range = setting->read_from + " to " + setting->read_until;
      if (setting->read_until.empty()) range = setting->read_from + " and later";
      if (gap) range += " (not " + fmt::format("{}.{}", version[0], version[1]) + ")";
      Report(rule, fact, {{"other_value", torch->value}, {"expected", range}});
    }
  }

  GpuClaim ClaimOf(const Fact& fact) const {
    GpuClaim claim;
    const SettingRule* setting = rules_.Setting(fact.setting);
    if (fact.not_set) {
      if (setting != nullptr) claim.not_vendor = setting->unset_denies;
      return claim;
    }
    if (setting == nullptr || setting->compare == "gpu") {  // the title, or a row that names a GPU
      claim.devices = DevicesOf(rules_.devices, fact.value);
      for (const DeviceRule* device : claim.devices) {
        if (!claim.vendor.empty() && claim.vendor != device->vendor) return {};  // names two vendors' at once
        claim.vendor = device->vendor;
      }
      return claim;
    }
    for (const SettingRule::VendorMark& mark : setting->vendors)
      if (Matches(fact.value, mark.pattern)) claim.vendor = mark.vendor;
    return claim;
  }

  void Disagree(const LintRule& rule) {
    const Fact* judged = rule.settings.empty() ? nullptr : Row(rule.settings[0]);
    if (judged == nullptr) return;
    const GpuClaim claim = ClaimOf(*judged);
    std::string others;
    for (size_t i = 1; claim.Says() && i < rule.settings.size(); ++i) {
      const Fact* other = Row(rule.settings[i]);
      if (other == nullptr || !Contradict(claim, ClaimOf(*other))) continue;
      if (!others.empty()) others += " and ";
      others += fmt::format("{} {} (line {})", other->setting, Said(*other), other->line);
    }
    if (!others.empty()) Report(rule, *judged, {{"others", others}});
  }

  void SameVersion(const LintRule& rule) {
    if (rule.settings.size() < 2) return;
    const Fact *from = Row(rule.settings[0]), *to = Row(rule.settings[1]);
    if (from == nullptr || to == nullptr || from->not_set || to->not_set) return;
    const RE2 pattern(rule.pattern, RE2::Quiet);
    std::vector<re2::StringPiece> groups(static_cast<size_t>(std::max(pattern.NumberOfCapturingGroups(), 0)) + 1);
    const re2::StringPiece value = ToRe2(from->value);
    if (!pattern.ok() ||
        !pattern.Match(value, 0, value.size(), RE2::UNANCHORED, groups.data(), static_cast<int>(groups.size())))
      return;
    std::string expected;
    for (size_t i = 1; i < groups.size(); ++i) {
      if (i > 1) expected += '.';
      expected += FromRe2(groups[i]);
    }
    const size_t digit = to->value.find_first_of("0123456789");
    if (digit != std::string::npos && !StartsWithVersion(std::string_view(to->value).substr(digit), expected))
      Report(rule, *to, {{"other", from->setting}, {"other_value", from->value}, {"expected", expected}});
  }

  void Pairing(const LintRule& rule) {
    if (rule.settings.size() < 2) return;
    const Fact *from = Row(rule.settings[0]), *to = Row(rule.settings[1]);
    if (from == nullptr || to == nullptr || from->not_set || to->not_set) return;
    std::string expected;  // of the pair that says most of this version: 2.9.1 before 2.9
    size_t most = 0;
    for (const auto& [value, other] : rule.pairs) {
      if (value.size() <= most || !StartsWithVersion(from->value, value)) continue;
      most = value.size();
      expected = other;
    }
    if (!expected.empty() && !StartsWithVersion(to->value, expected))
      Report(rule, *to, {{"other", from->setting}, {"other_value", from->value}, {"expected", expected}});
  }

  void Tokens(const LintRule& rule) {
    const RE2 allowed(rule.pattern, RE2::Quiet);
    EachFact(rule, [&](const Fact& fact) {
      if (fact.not_set || fact.from_checklist) return;
      for (const std::string& token : Parts(fact.value))
        if (!RE2::FullMatch(ToRe2(token), allowed)) Report(rule, fact, {{"token", token}});
    });
  }

  void Checklist(const LintRule& rule) {
    for (const Fact& fact : manifest_.facts) {
      const Fact* row = fact.from_checklist ? Row(fact.setting) : nullptr;
      const SettingRule* setting = rules_.Setting(fact.setting);
      if (row == nullptr || setting == nullptr || SameValue(setting->compare, fact, *row)) continue;
      Report(rule, fact, {{"other_value", Said(*row)}, {"other_line", std::to_string(row->line)}});
    }
  }

  void NoEffect(const LintRule& rule) {
    for (const Fact& fact : manifest_.facts) {
      const SettingRule* setting = rules_.Setting(fact.setting);
      if (fact.from_checklist && setting != nullptr && setting->effect == "none" && setting->environment)
        Report(rule, fact, {{"why", FirstSentence(setting->why)}});
    }
  }

  void Repeated(const LintRule& rule) {
    EachFact(rule, [&](const Fact& fact) {
      const Fact* first = Row(fact.setting);
      const SettingRule* setting = rules_.Setting(fact.setting);
      if (fact.from_checklist || first == &fact || setting == nullptr || SameValue(setting->compare, fact, *first))
        return;
      Report(rule, fact, {{"other_value", Said(*first)}, {"other_line", std::to_string(first->line)}});
    });
  }

  // Paragraphs are put together again: a sentence goes on over line ends. The line is that on which the match begins.
  void TextMatch(const LintRule& rule) {
    const RE2 pattern("(" + rule.pattern + ")", RE2::Quiet);
    const bool checklist = std::find(rule.settings.begin(), rule.settings.end(), "checklist") != rule.settings.end();
    for (size_t i = 0; i < pieces_.size();) {
      std::string text;
      std::vector<std::pair<size_t, uint64_t>> starts;  // offset in `text` -> line
      const bool wanted = !checklist || pieces_[i].task || InChecklist(pieces_[i].sections);
      const bool code = pieces_[i].kind == MarkdownPiece::Kind::kCodeLine;
      do {
        for (const MarkdownText& cell : pieces_[i].cells) {
          if (!text.empty()) text += ' ';
          starts.emplace_back(text.size(), cell.line);
          text += cell.text;
        }
        ++i;
      } while (i < pieces_.size() && pieces_[i].continues);
      re2::StringPiece match;
      if (!wanted || code || !RE2::PartialMatch(ToRe2(text), pattern, &match)) continue;
      if (!rule.unless.empty() && Matches(text, rule.unless)) continue;
      const size_t at = static_cast<size_t>(match.data() - text.data());
      uint64_t line = 0;
      for (const auto& [offset, start] : starts)
        if (offset <= at && start != 0) line = start;
      Report(rule, line, rule.blames, {{"text", std::string(FromRe2(match))}, {"setting", rule.blames}});
    }
  }

  void NearName(const LintRule& rule) {
    std::vector<std::string> variables, rows;
    for (const SettingRule& setting : rules_.settings) {
      if (setting.environment) variables.push_back(setting.name);
      for (const std::string& row : setting.manifest_rows)
        if (row.find(':') == std::string::npos && row.size() >= 8) rows.push_back(row);
    }
    for (const Manifest::UnknownRow& row : manifest_.unknown_rows) {
      const std::string normal = NormalRow(row.name);
      const bool variable = IsVariableName(row.name);
      const std::string nearest = variable            ? Nearest(row.name, variables)
                                  : normal.size() < 8 ? ""
                                                      : Nearest(normal, rows);
      if (nearest.empty() || nearest == normal) continue;
      Report(rule, row.line, variable ? nearest : SettingOfRow(rules_.settings, nearest, {}).setting,
             {{"value", row.name}, {"expected", nearest}});
    }
  }

  const Manifest& manifest_;
  const RuleSet& rules_;
  std::vector<MarkdownPiece> pieces_;
  Fact title_;
  std::vector<Problem> problems_;
};

}  // namespace

std::vector<Problem> LintManifest(const Manifest& manifest, std::string_view text, const RuleSet& rules) {
  Linter linter(manifest, text, rules);
  for (const LintRule& rule : rules.lint) linter.Run(rule);
  return linter.Take();
}

void CheckLintSamples(const RuleSet& rules, std::vector<Diag>* diags) {
  for (const LintRule& rule : rules.lint) {
    const auto fault = [&](const char* code, std::string message, std::string fix) {
      Diag diag;
      diag.code = code;
      const auto file = std::find_if(rules.files.begin(), rules.files.end(),
                                     [&](const RuleFile& f) { return f.family == "lint" && f.id == rule.id; });
      diag.file = file != rules.files.end() ? file->path : "lint/" + rule.id + ".json";
      diag.message = std::move(message);
      diag.fix = std::move(fix);
      diags->push_back(std::move(diag));
    };
    if (Linter::Checks().count(rule.check) == 0)
      fault("R043", "no check is called \"" + rule.check + "\"", "see manifest/lint.h for those there are");
    for (size_t i = 0; i < rule.samples.size(); ++i) {
      const std::string& text = rule.samples[i].manifest;
      const Manifest manifest = ParseManifest("sample", text, rules);
      Linter linter(manifest, text, rules);
      linter.Run(rule);
      const bool fired = !linter.Take().empty();
      if (fired != rule.samples[i].fires)
        fault("R040", fmt::format("sample {} {}:\n{}", i + 1, fired ? "fires and should not" : "does not fire", text),
              "correct the rule or the sample");
    }
  }
}

}  // namespace autotune
