#include "analyzer/verdict/values.h"

#include <re2/re2.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>

#include "analyzer/base/text.h"

namespace autotune {
namespace {

std::string Lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::string_view Unquoted(std::string_view text) {
  text = Trim(text);
  while (text.size() >= 2 && text.front() == text.back() &&
         (text.front() == '"' || text.front() == '\'' || text.front() == '`')) {
    text = Trim(text.substr(1, text.size() - 2));
  }
  return text;
}

Comparison Of(bool equal) { return {equal ? Relation::kEqual : Relation::kDiffers}; }

std::vector<std::string> Split(std::string_view text, std::string_view separators) {
  std::vector<std::string> parts;
  while (true) {
    const size_t end = text.find_first_of(separators);
    const std::string_view part = Trim(text.substr(0, end));
    if (!part.empty()) parts.emplace_back(part);
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

bool IsPrefix(const std::vector<std::string>& shorter, const std::vector<std::string>& longer) {
  return shorter.size() <= longer.size() && std::equal(shorter.begin(), shorter.end(), longer.begin());
}

// "2.11.0+cu130" -> public "2.11.0", local "cu130". Text around a version ("torch 2.11.0 (wheel)") is left off.
struct Version {
  std::vector<std::string> release;
  std::string local;
};

std::optional<Version> ParseVersion(std::string_view text) {
  static const RE2& pattern = *new RE2(R"((\d+(?:[.\-_]?\w+)*)(?:\+([\w.\-]+))?)");
  const std::string lower = Lower(text);
  Version version;
  std::string release;
  if (!RE2::PartialMatch(lower, pattern, &release, &version.local)) return std::nullopt;
  version.release = Split(release, ".-_");
  return version;
}

// Triton's key in system_info[version] is its version directly followed by sha256 digests joined by "-".
bool IsTritonKeyOf(std::string_view key, std::string_view version) {
  static const RE2& digests = *new RE2(R"([0-9a-f]{64}(-[0-9a-f]{64})*-?)");
  return key.starts_with(version) && RE2::FullMatch(ToRe2(key.substr(version.size())), digests);
}

Comparison CompareVersions(std::string_view manifest, std::string_view observed) {
  if (IsTritonKeyOf(observed, manifest)) return Of(true);
  const std::optional<Version> a = ParseVersion(manifest), b = ParseVersion(observed);
  if (!a || !b) return {};
  const bool same = IsPrefix(a->release, b->release) || IsPrefix(b->release, a->release);
  return Of(same && (a->local.empty() || b->local.empty() || a->local == b->local));
}

Comparison CompareSets(std::string_view manifest, std::string_view observed) {
  std::vector<std::string> a = Split(Lower(manifest), ", ;[]'\""), b = Split(Lower(observed), ", ;[]'\"");
  const bool reordered = a != b;
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  Comparison comparison = Of(a == b);
  comparison.reordered = comparison.relation == Relation::kEqual && reordered;
  return comparison;
}

Comparison ComparePaths(std::string_view manifest, std::string_view observed) {
  const std::string a = NormalPath(manifest), b = NormalPath(observed);
  Comparison comparison;
  // "~" and "$HOME" stand for a folder that the log spells out.
  const auto open = [](const std::string& path) { return path.find_first_of("~$") != std::string::npos; };
  if (a == b) {
    comparison.relation = Relation::kEqual;
  } else if (!open(a) && !open(b)) {
    comparison.relation = Relation::kDiffers;
  }
  comparison.fresh_folder = HasFreshFolder(observed);
  return comparison;
}

std::optional<bool> ParseBoolean(std::string_view text) {
  const std::string word = Lower(text);
  for (const char* yes : {"1", "true", "yes", "on", "y", "t", "enabled"}) {
    if (word == yes) return true;
  }
  for (const char* no : {"0", "false", "no", "off", "n", "f", "disabled"}) {
    if (word == no) return false;
  }
  return std::nullopt;
}

// The architecture named in a text: "gfx942" of "gfx942:sramecc+:xnack-", "sm_90" of "sm_90 (NVIDIA Hopper)" and of
// "9.0".
struct Architecture {
  std::string base, features;
};

std::optional<Architecture> ParseArchitecture(std::string_view text) {
  static const RE2& gfx = *new RE2(R"((gfx[0-9a-f]{3,4})((?::\w+[+-])*))");
  static const RE2& sm = *new RE2(R"(\b(?:sm|compute)_?(\d{2,3})a?\b)");
  static const RE2& capability = *new RE2(R"((?:compute capability|capability)?\s*\(?(\d{1,2})[.,] ?(\d)\)?)");
  const std::string lower = Lower(Trim(text));
  Architecture found;
  if (RE2::PartialMatch(lower, gfx, &found.base, &found.features)) return found;
  std::string major, minor;
  if (RE2::PartialMatch(lower, sm, &major)) return Architecture{"sm_" + major, ""};
  if (RE2::FullMatch(lower, capability, &major, &minor)) return Architecture{"sm_" + major + minor, ""};
  return std::nullopt;
}

// The words of a GPU's name that tell cards apart; vendors and counts ("8x") do not.
std::vector<std::string> CardWords(std::string_view name) {
  static const RE2& count = *new RE2(R"(^\d+\s*x\s+|^\d+x\b)");
  std::string lower = Lower(name);
  RE2::Replace(&lower, count, "");
  for (char& c : lower) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = ' ';
  }
  std::vector<std::string> words;
  for (std::string& word : Split(lower, " ")) {
    if (word != "nvidia" && word != "amd" && word != "instinct" && word != "tesla" && word != "intel" && word != "gpu")
      words.push_back(std::move(word));
  }
  std::sort(words.begin(), words.end());
  return words;
}

// A card's name against an architecture: many cards share one, so agreement proves nothing.
Comparison CompareCardWithArchitecture(std::string_view name, std::string_view architecture, const RuleSet& rules) {
  const DeviceRule* device = DeviceOfName(rules.devices, name);
  if (!device || device->architectures.empty()) return {};
  return {NamesArchitecture(*device, architecture) ? Relation::kUnclear : Relation::kDiffers};
}

Comparison CompareGpus(std::string_view manifest, std::string_view observed, const RuleSet& rules) {
  const std::optional<Architecture> a = ParseArchitecture(manifest), b = ParseArchitecture(observed);
  if (a && b) {
    return Of(a->base == b->base && (a->features.empty() || b->features.empty() || a->features == b->features));
  }
  if (a) return CompareCardWithArchitecture(observed, manifest, rules);
  if (b) return CompareCardWithArchitecture(manifest, observed, rules);
  const std::vector<std::string> x = CardWords(manifest), y = CardWords(observed);
  if (x.empty() || y.empty()) return {};
  return Of(std::includes(x.begin(), x.end(), y.begin(), y.end()) ||
            std::includes(y.begin(), y.end(), x.begin(), x.end()));
}

Comparison CompareDtypes(std::string_view manifest, std::string_view observed) {
  const std::vector<std::string> a = DtypesIn(manifest), b = DtypesIn(observed);
  if (a.empty() || b.empty()) return {};
  return Of(std::any_of(b.begin(), b.end(),
                        [&](const std::string& dtype) { return std::find(a.begin(), a.end(), dtype) != a.end(); }));
}

// One side has no value. The value that is then in force may be known; else "set here, not set there" is a difference.
Comparison CompareWithNothing(const SettingRule& setting, std::string_view value, const RuleSet& rules) {
  if (setting.compare == "path" && IsDefaultCacheFolder(value)) return Of(true);
  if (!setting.otherwise.empty()) {
    Fact in_force;
    in_force.value = setting.otherwise;
    return CompareValues(setting, in_force, value, rules);
  }
  if (setting.compare == "boolean") {
    const std::optional<bool> on = ParseBoolean(value);
    return on ? Of(!*on) : Comparison{};
  }
  return Of(false);
}

}  // namespace

bool IsNotSet(std::string_view value) {
  const std::string word = Lower(Unquoted(value));
  for (const char* nothing : {"", "n/a", "na", "none", "null", "-", "--", "\xe2\x80\x94", "not set", "unset", "(unset)",
                              "(not set)", "<unset>", "undefined", "unknown", "nil"}) {
    if (word == nothing) return true;
  }
  return false;
}

std::vector<std::string> DtypesIn(std::string_view text) {
  static const std::map<std::string, std::string, std::less<>>& names =
      *new std::map<std::string, std::string, std::less<>>{{"bf16", "torch.bfloat16"},
                                                           {"bfloat16", "torch.bfloat16"},
                                                           {"fp16", "torch.float16"},
                                                           {"float16", "torch.float16"},
                                                           {"half", "torch.float16"},
                                                           {"f16", "torch.float16"},
                                                           {"fp32", "torch.float32"},
                                                           {"float32", "torch.float32"},
                                                           {"float", "torch.float32"},
                                                           {"f32", "torch.float32"},
                                                           {"fp64", "torch.float64"},
                                                           {"float64", "torch.float64"},
                                                           {"double", "torch.float64"},
                                                           {"int8", "torch.int8"},
                                                           {"uint8", "torch.uint8"},
                                                           {"float8_e4m3fn", "torch.float8_e4m3fn"},
                                                           {"float8_e5m2", "torch.float8_e5m2"},
                                                           {"float8_e4m3fnuz", "torch.float8_e4m3fnuz"},
                                                           {"float8_e5m2fnuz", "torch.float8_e5m2fnuz"}};
  std::vector<std::string> found;
  std::string word;
  const std::string lower = Lower(text) + " ";
  for (char c : lower) {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
      word.push_back(c);
      continue;
    }
    const auto name = names.find(word);
    if (name != names.end() && std::find(found.begin(), found.end(), name->second) == found.end())
      found.push_back(name->second);
    word.clear();
  }
  return found;
}

bool HasFreshFolder(std::string_view path) {
  static const RE2& fresh = *new RE2(R"(/tmp[a-z0-9_]{8}/*$)");
  return RE2::PartialMatch(ToRe2(Unquoted(path)), fresh);
}

std::string NormalPath(std::string_view path) {
  std::string normal;
  for (char c : Unquoted(path)) {
    if (c == '\\') c = '/';
    if (c == '/' && normal.ends_with('/')) continue;
    normal.push_back(c);
  }
  while (normal.size() > 1 && normal.ends_with('/')) normal.pop_back();
  if (HasFreshFolder(normal)) normal.resize(normal.rfind('/'));
  return normal.empty() ? "/" : normal;
}

bool IsDefaultCacheFolder(std::string_view path) {
  static const RE2& folder = *new RE2(R"(.*/torchinductor_[^/]+)");
  return RE2::FullMatch(NormalPath(path), folder);
}

std::optional<int64_t> FirstInteger(std::string_view text) {
  const size_t start = text.find_first_of("0123456789");
  if (start == std::string_view::npos) return std::nullopt;
  std::string digits;
  for (size_t i = start; i < text.size(); ++i) {
    const bool digit = std::isdigit(static_cast<unsigned char>(text[i]));
    // "1,024" and "1_024", but not the list "1, 2".
    const bool between = (text[i] == ',' || text[i] == '_') && i + 3 < text.size() &&
                         std::isdigit(static_cast<unsigned char>(text[i + 1])) &&
                         std::isdigit(static_cast<unsigned char>(text[i + 2])) &&
                         std::isdigit(static_cast<unsigned char>(text[i + 3]));
    if (!digit && !between) break;
    if (digit) digits.push_back(text[i]);
  }
  int64_t value = 0;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), value).ec != std::errc()) return std::nullopt;
  return value;
}

Comparison CompareValues(const SettingRule& setting, const Fact& fact, std::string_view observed,
                         const RuleSet& rules) {
  const bool no_manifest = fact.not_set || IsNotSet(fact.value), no_observed = IsNotSet(observed);
  if (setting.compare == "never") return {};
  if (no_manifest && no_observed) return Of(true);
  if (no_manifest) return CompareWithNothing(setting, observed, rules);
  const std::string_view manifest = Unquoted(fact.value);
  if (no_observed) return CompareWithNothing(setting, manifest, rules);
  observed = Unquoted(observed);

  const std::string& kind = setting.compare;
  if (kind == "word") return Of(Lower(manifest) == Lower(observed));
  if (kind == "version") return CompareVersions(manifest, observed);
  if (kind == "backend_set") return CompareSets(manifest, observed);
  if (kind == "path") return ComparePaths(manifest, observed);
  if (kind == "dtype") return CompareDtypes(manifest, observed);
  if (kind == "gpu") return CompareGpus(manifest, observed, rules);
  if (kind == "integer" || kind == "number_in_text") {
    const std::optional<int64_t> a = FirstInteger(manifest), b = FirstInteger(observed);
    return a && b ? Of(*a == *b) : Comparison{};
  }
  if (kind == "boolean") {
    const std::optional<bool> a = ParseBoolean(manifest), b = ParseBoolean(observed);
    return a && b ? Of(*a == *b) : Comparison{};
  }
  return Of(manifest == observed);
}

}  // namespace autotune
