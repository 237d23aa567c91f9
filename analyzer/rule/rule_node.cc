#include "analyzer/rule/rule_node.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <re2/re2.h>
#include <simdjson.h>

#include <algorithm>

#include "analyzer/base/text.h"
#include "analyzer/rule/json_fault.h"

namespace autotune {
namespace {

namespace ondemand = simdjson::ondemand;

// Room for these from the start: growing a list of trees moves them all.
constexpr size_t kUsualMembers = 8;

const char* KindName(RuleNode::Kind kind) {
  switch (kind) {
    case RuleNode::Kind::kNull:
      return "null";
    case RuleNode::Kind::kBool:
      return "true or false";
    case RuleNode::Kind::kNumber:
      return "a number";
    case RuleNode::Kind::kString:
      return "a string";
    case RuleNode::Kind::kArray:
      return "a list";
    case RuleNode::Kind::kObject:
      break;
  }
  return "an object";
}

struct Place {
  int line = 1, column = 1;
};

// Offsets of one text to lines and columns. simdjson walks forwards, and so does this. No text: no places.
class PlaceFinder {
 public:
  explicit PlaceFinder(std::string_view text) : text_(text) {}

  Place At(size_t offset) {
    if (text_.empty()) return {0, 0};
    for (; at_ < offset && at_ < text_.size(); ++at_) {
      if (text_[at_] != '\n') continue;
      ++line_;
      line_start_ = at_ + 1;
    }
    return {line_, static_cast<int>(offset - line_start_) + 1};
  }

 private:
  std::string_view text_;
  size_t at_ = 0, line_start_ = 0;
  int line_ = 1;
};

// One walk over simdjson's On-Demand document, which unlike its DOM still knows where in the text a value stands.
class TreeBuilder {
 public:
  TreeBuilder(const RuleFile& file, const char* start, std::vector<Diag>* diags)
      : file_(file), start_(start), places_(file.trusted ? std::string_view() : file.text), diags_(diags) {}

  // Samples are most of a rule's text, and of rules that the build has checked nobody asks for them: stepped over.
  simdjson::error_code Object(ondemand::object object, RuleNode* node, bool root = false) {
    node->kind = RuleNode::Kind::kObject;
    node->members.reserve(kUsualMembers);
    for (auto result : object) {
      ondemand::field field;
      if (auto error = std::move(result).get(field)) return error;
      const Place key_place = places_.At(static_cast<size_t>(field.key().raw() - start_) - 1);
      std::string_view key;
      if (auto error = field.unescaped_key().get(key)) return error;
      if (root && file_.trusted && key == "samples") continue;
      const bool repeated = node->Find(key) != nullptr;
      auto& [name, value] = node->members.emplace_back(std::string(key), RuleNode{});
      if (auto error = Value(field.value(), &value)) return error;
      value.key_line = key_place.line;
      value.key_column = key_place.column;
      if (!repeated) continue;
      diags_->push_back(RuleDiag(file_, key_place.line, key_place.column, "R002",
                                 fmt::format("key \"{}\" stands twice in this object", name), "keep one of them"));
      repeats_ = true;
    }
    return simdjson::SUCCESS;
  }

  Place At(size_t offset) { return places_.At(offset); }
  bool repeats() const { return repeats_; }

 private:
  simdjson::error_code Array(ondemand::array array, RuleNode* node) {
    node->kind = RuleNode::Kind::kArray;
    for (auto result : array) {
      ondemand::value value;
      if (auto error = std::move(result).get(value)) return error;
      if (auto error = Value(value, &node->items.emplace_back())) return error;
    }
    return simdjson::SUCCESS;
  }

  simdjson::error_code Value(ondemand::value value, RuleNode* node) {
    const Place place = places_.At(static_cast<size_t>(value.raw_json_token().data() - start_));
    node->line = place.line;
    node->column = place.column;
    ondemand::json_type type;
    if (auto error = value.type().get(type)) return error;
    switch (type) {
      case ondemand::json_type::object: {
        ondemand::object object;
        if (auto error = value.get_object().get(object)) return error;
        return Object(object, node);
      }
      case ondemand::json_type::array: {
        ondemand::array array;
        if (auto error = value.get_array().get(array)) return error;
        return Array(array, node);
      }
      case ondemand::json_type::string: {
        node->kind = RuleNode::Kind::kString;
        std::string_view text;
        if (auto error = value.get_string().get(text)) return error;
        node->string.assign(text);
        return simdjson::SUCCESS;
      }
      case ondemand::json_type::number:
        node->kind = RuleNode::Kind::kNumber;
        return value.get_double().get(node->number);
      case ondemand::json_type::boolean:
        node->kind = RuleNode::Kind::kBool;
        return value.get_bool().get(node->boolean);
      default:  // null, or a word that is none of JSON's
        node->kind = RuleNode::Kind::kNull;
        return value.is_null() ? simdjson::SUCCESS : simdjson::TAPE_ERROR;
    }
  }

  const RuleFile& file_;
  const char* start_;
  PlaceFinder places_;
  std::vector<Diag>* diags_;
  bool repeats_ = false;
};

bool SyntaxError(const RuleFile& file, std::vector<Diag>* diags) {
  const JsonFault fault = FindJsonFault(file.text);
  const Place place = PlaceFinder(file.text).At(fault.offset);
  diags->push_back(RuleDiag(file, place.line, place.column, "R001", fault.message, fault.fix));
  return false;
}

std::string_view LineOf(std::string_view text, int line) {
  size_t start = 0;
  for (int i = 1; i < line; ++i) {
    const size_t end = text.find('\n', start);
    if (end == std::string_view::npos) return {};
    start = end + 1;
  }
  return text.substr(start, text.find('\n', start) - start);
}

// The arms of the outermost alternation.
std::vector<std::string_view> Arms(std::string_view pattern) {
  std::vector<std::string_view> arms;
  size_t start = 0, depth = 0;
  bool in_class = false;
  for (size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '\\') {
      ++i;
    } else if (in_class) {
      in_class = c != ']';
    } else if (c == '[') {
      in_class = true;
      if (pattern.substr(i + 1, 1) == "^") ++i;
      if (pattern.substr(i + 1, 1) == "]") ++i;  // a bracket in first place is a member
    } else if (c == '(') {
      ++depth;
    } else if (c == ')' && depth > 0) {
      --depth;
    } else if (c == '|' && depth == 0) {
      arms.push_back(pattern.substr(start, i - start));
      start = i + 1;
    }
  }
  arms.push_back(pattern.substr(start));
  return arms;
}

// "^a|b" is (^a)|(b), which its writer seldom meant; so is "a|b$".
bool HasLopsidedAnchor(std::string_view pattern) {
  const std::vector<std::string_view> arms = Arms(pattern);
  const auto begins = [](std::string_view arm) { return arm.starts_with('^'); };
  const auto ends = [](std::string_view arm) { return arm.ends_with('$') && !arm.ends_with("\\$"); };
  return (begins(arms.front()) && !std::all_of(arms.begin(), arms.end(), begins)) ||
         (ends(arms.back()) && !std::all_of(arms.begin(), arms.end(), ends));
}

}  // namespace

RuleNode::RuleNode() = default;
RuleNode::RuleNode(const RuleNode&) = default;
RuleNode::RuleNode(RuleNode&&) noexcept = default;
RuleNode& RuleNode::operator=(const RuleNode&) = default;
RuleNode& RuleNode::operator=(RuleNode&&) noexcept = default;
RuleNode::~RuleNode() = default;

const RuleNode* RuleNode::Find(std::string_view key) const {
  for (const auto& [name, value] : members) {
    if (name == key) return &value;
  }
  return nullptr;
}

Diag RuleDiag(const RuleFile& file, int line, int column, std::string code, std::string message, std::string fix) {
  Diag diag;
  diag.code = std::move(code);
  diag.file = file.path;
  diag.line = line;
  diag.column = column;
  diag.message = std::move(message);
  diag.fix = std::move(fix);
  if (line > 0) diag.excerpt = std::string(LineOf(file.text, line));
  return diag;
}

void CheckBothKinds(const RuleFile& file, bool fires, bool near_miss, std::vector<Diag>* diags) {
  if (fires && near_miss) return;
  diags->push_back(
      RuleDiag(file, 0, 0, "R030", fires ? "no sample is a near miss" : "no sample fires",
               fires ? "add a sample of what looks alike and must not fire" : "add a sample of what the rule is for"));
}

bool ParseRuleFile(const RuleFile& file, RuleNode* root, std::vector<Diag>* diags) {
  // One parser a thread: the rules are read at every start, and a parser's buffers are most of the cost of a small
  // file.
  static thread_local ondemand::parser parser;
  const simdjson::padded_string padded{std::string_view(file.text)};
  ondemand::document document;
  *root = RuleNode{};
  if (parser.iterate(padded).get(document)) return SyntaxError(file, diags);
  TreeBuilder builder(file, padded.data(), diags);
  const size_t start = file.text.find_first_not_of(" \t\r\n");
  const Place place = builder.At(start == std::string::npos ? 0 : start);
  root->line = place.line;
  root->column = place.column;
  ondemand::object object;
  if (document.get_object().get(object)) {
    if (start != std::string::npos && file.text[start] == '{') return SyntaxError(file, diags);
    diags->push_back(RuleDiag(file, place.line, place.column, "R003", "a rule is one JSON object",
                              "begin the file with { and \"id\": \"" + file.id + "\""));
    return false;
  }
  // No place is left to read from: nothing stands behind the object.
  if (builder.Object(object, root, /*root=*/true) || document.current_location().error() != simdjson::OUT_OF_BOUNDS)
    return SyntaxError(file, diags);
  return !builder.repeats();
}

RuleReader::RuleReader(const RuleFile& file, const RuleNode& object, std::vector<Diag>* diags)
    : file_(file), object_(object), diags_(diags) {
  known_.reserve(2 * kUsualMembers);
  if (object.kind == RuleNode::Kind::kObject) return;
  Error(object, "R011", fmt::format("expected an object, found {}", KindName(object.kind)));
}

void RuleReader::Error(const RuleNode& at, std::string code, std::string message, std::string fix) {
  ok_ = false;
  diags_->push_back(RuleDiag(file_, at.line, at.column, std::move(code), std::move(message), std::move(fix)));
}

void RuleReader::Warning(const RuleNode& at, std::string code, std::string message, std::string fix) {
  diags_->push_back(RuleDiag(file_, at.line, at.column, std::move(code), std::move(message), std::move(fix)));
  diags_->back().level = Diag::Level::kWarning;
}

const RuleNode* RuleReader::Member(std::string_view key, bool required) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
  const RuleNode* node = object_.Find(key);
  if (!node && required && !Checked(key) && object_.kind == RuleNode::Kind::kObject) {
    Error(object_, "R010", fmt::format("key \"{}\" is missing", key), fmt::format("add \"{}\": ...", key));
  }
  return node;
}

const RuleNode* RuleReader::Member(std::string_view key, RuleNode::Kind kind, const char* wanted, bool required) {
  const RuleNode* node = Member(key, required);
  if (!node || node->kind == kind) return node;
  Error(*node, "R011", fmt::format("\"{}\" must be {}, not {}", key, wanted, KindName(node->kind)));
  return nullptr;
}

std::string RuleReader::String(std::string_view key, bool required) {
  const RuleNode* node = Member(key, RuleNode::Kind::kString, "a string", required);
  if (!node) return "";
  if (required && node->string.empty()) Error(*node, "R014", fmt::format("\"{}\" is empty", key));
  return node->string;
}

std::vector<std::string> RuleReader::Strings(std::string_view key, bool required) {
  const RuleNode* node = Member(key, required);
  if (!node) return {};
  if (node->kind == RuleNode::Kind::kString) return {node->string};
  std::vector<std::string> strings;
  const auto wrong = std::find_if(node->items.begin(), node->items.end(),
                                  [](const RuleNode& item) { return item.kind != RuleNode::Kind::kString; });
  if (node->kind != RuleNode::Kind::kArray || wrong != node->items.end()) {
    const RuleNode& at = node->kind == RuleNode::Kind::kArray ? *wrong : *node;
    Error(at, "R011", fmt::format("\"{}\" must be a string or a list of strings, not {}", key, KindName(at.kind)));
    return {};
  }
  for (const RuleNode& item : node->items) strings.push_back(item.string);
  if (required && strings.empty()) Error(*node, "R014", fmt::format("\"{}\" is empty", key));
  return strings;
}

double RuleReader::Number(std::string_view key, double otherwise) {
  const RuleNode* node = Member(key, RuleNode::Kind::kNumber, "a number", false);
  return node ? node->number : otherwise;
}

bool RuleReader::Bool(std::string_view key, bool otherwise) {
  const RuleNode* node = Member(key, RuleNode::Kind::kBool, "true or false", false);
  return node ? node->boolean : otherwise;
}

const RuleNode* RuleReader::Object(std::string_view key, bool required) {
  return Member(key, RuleNode::Kind::kObject, "an object", required);
}

const std::vector<RuleNode>& RuleReader::Array(std::string_view key, bool required) {
  static const std::vector<RuleNode> kNone;
  const RuleNode* node = Member(key, RuleNode::Kind::kArray, "a list", required);
  if (!node) return kNone;
  if (required && node->items.empty()) Error(*node, "R014", fmt::format("\"{}\" is empty", key));
  return node->items;
}

std::string RuleReader::OneOf(std::string_view key, const std::vector<std::string>& allowed, bool required) {
  const RuleNode* node = Member(key, RuleNode::Kind::kString, "a string", required);
  if (!node) return "";
  if (std::find(allowed.begin(), allowed.end(), node->string) != allowed.end()) return node->string;
  const std::string nearest = Nearest(node->string, allowed);
  Error(*node, "R013",
        fmt::format("\"{}\" cannot be \"{}\"; it is one of {}", key, node->string, fmt::join(allowed, ", ")),
        nearest.empty() ? "" : fmt::format("write \"{}\"", nearest));
  return "";
}

void RuleReader::CheckPattern(const RuleNode& at) {
  if (file_.trusted) return;
  RE2::Options options;
  options.set_log_errors(false);
  const RE2 compiled(ToRe2(at.string), options);
  if (!compiled.ok()) {
    Error(at, "R021", fmt::format("not a regular expression of RE2: {}", compiled.error()),
          "the syntax is at https://github.com/google/re2/wiki/Syntax; there is no look-around and no back-reference");
  } else if (HasLopsidedAnchor(at.string)) {
    Warning(at, "R024", "an anchor binds to one arm of this alternation, not to all",
            "put the arms into a group: ^(?:a|b)$; if one arm is meant, put the alternation into one: (?:^a|b)");
  }
}

std::string RuleReader::Pattern(std::string_view key, bool required) {
  std::string pattern = String(key, required);
  const RuleNode* node = object_.Find(key);
  if (!pattern.empty() && node) CheckPattern(*node);
  return pattern;
}

std::vector<std::string> RuleReader::Patterns(std::string_view key, bool required) {
  std::vector<std::string> patterns = Strings(key, required);
  const RuleNode* node = object_.Find(key);
  if (patterns.empty() || !node) return patterns;
  if (node->kind == RuleNode::Kind::kString) {
    CheckPattern(*node);
  } else {
    for (const RuleNode& item : node->items) CheckPattern(item);
  }
  return patterns;
}

void RuleReader::Done() {
  for (const auto& [key, value] : object_.members) {
    // "$schema" is for editors, and may stand at the top of every file.
    if (key == "$schema" || std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
    const std::string nearest = Nearest(key, known_);
    ok_ = false;
    diags_->push_back(RuleDiag(
        file_, value.key_line, value.key_column, "R012",
        fmt::format("unknown key \"{}\"{}", key, nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest)),
        nearest.empty() ? fmt::format("known keys here: {}", fmt::join(known_, ", ")) : "rename the key"));
  }
}

}  // namespace autotune
