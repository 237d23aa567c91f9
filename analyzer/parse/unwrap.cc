#include "analyzer/parse/unwrap.h"

#include <re2/re2.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <utility>

#include "analyzer/base/text.h"
#include "analyzer/parse/clean.h"
#include "analyzer/parse/part.h"
#include "analyzer/rule/line_program.h"

namespace autotune {
namespace {

constexpr int kMaxDepth = 12;          // wrappers within wrappers
constexpr size_t kPrefixBytes = 1024;  // a prefix ends before this
constexpr size_t kMaxPartial = 1 << 20, kMaxPartials = 256;
constexpr size_t kMaxGroups = 12;
constexpr char kKeyEnd = '\x1f';
// Docker cuts at 16 KiB; a shorter text without line break is a piece where others of the log do end in one.
constexpr std::string_view kStdoutPart = "stdout P", kStderrPart = "stderr P";

void Replace(std::string* s, std::string_view from, std::string_view to) {
  for (size_t at = s->find(from); at != std::string::npos; at = s->find(from, at + to.size()))
    s->replace(at, from.size(), to);
}

std::string Unescape(std::string_view text, const std::string& how) {
  std::string out(text);
  if (how == "html") {
    for (auto [from, to] : {std::pair{"&lt;", "<"},
                            {"&gt;", ">"},
                            {"&quot;", "\""},
                            {"&#39;", "'"},
                            {"&#x27;", "'"},
                            {"&nbsp;", " "},
                            {"&amp;", "&"}}) {
      Replace(&out, from, to);
    }
    return out;
  }
  simdjson::dom::parser parser;  // "json": a quoted string's inside
  std::string_view value;
  if (parser.parse("\"" + out + "\"").get(value) == simdjson::SUCCESS) out = std::string(value);
  return out;
}

// "kubernetes.pod_name": a member of that whole name, else of an object within.
bool FindField(const simdjson::dom::object& object, std::string_view path, simdjson::dom::element* found) {
  if (object.at_key(path).get(*found) == simdjson::SUCCESS) return true;
  const size_t dot = path.find('.');
  simdjson::dom::object inner;
  if (dot == std::string_view::npos || object.at_key(path.substr(0, dot)).get(inner) != simdjson::SUCCESS) return false;
  return FindField(inner, path.substr(dot + 1), found);
}

bool FindText(const simdjson::dom::object& object, const std::vector<std::string>& paths, std::string_view* text) {
  simdjson::dom::element found;
  for (const std::string& path : paths) {
    if (FindField(object, path, &found) && found.get(*text) == simdjson::SUCCESS) return true;
  }
  return false;
}

// A string, or a number as text.
std::string FindLabel(const simdjson::dom::object& object, const std::vector<std::string>& paths) {
  simdjson::dom::element found;
  std::string_view text;
  int64_t number = 0;
  for (const std::string& path : paths) {
    if (!FindField(object, path, &found)) continue;
    if (found.get(text) == simdjson::SUCCESS) return std::string(text);
    if (found.get(number) == simdjson::SUCCESS) return std::to_string(number);
  }
  return "";
}

bool IsPart(std::string_view text) {
  Part part;
  return ScanPart(LastSegment(text), &part) != Part::Kind::kNone;
}

}  // namespace

struct Unwrapper::Rules {
  std::shared_ptr<const WrapperProgram> program;
  // Kept between lines for their memory.
  std::vector<int> matches;
  simdjson::dom::parser parser;
  std::array<re2::StringPiece, kMaxGroups> groups;  // of the rule that Apply() is to take off
};

// What is known of the line so far.
struct Unwrapper::State {
  std::string key;
  std::string_view process, rank, pod;
  std::string_view quoted;  // from a quoting wrapper on; empty: none
  uint64_t first = 0, last = 0;
  bool is_no_part = false;  // the text at hand was asked already
};

Unwrapper::Unwrapper(const RuleSet& rules) : rules_(std::make_unique<Rules>()) {
  const std::shared_ptr<const LineProgram> program = ProgramOf(rules);
  rules_->program = std::shared_ptr<const WrapperProgram>(program, &program->wrappers);
}

Unwrapper::~Unwrapper() = default;

std::vector<std::string> Unwrapper::PartialLiterals() { return {std::string(kStdoutPart), std::string(kStderrPart)}; }

std::string* Unwrapper::Scratch() {
  if (scratch_used_ == scratch_.size()) scratch_.emplace_back();
  std::string* s = &scratch_[scratch_used_++];
  s->clear();
  return s;
}

void Unwrapper::Unwrap(std::string_view clean, uint64_t number, bool is_no_part, const Out& out) {
  scratch_used_ = 0;
  State state;
  state.is_no_part = is_no_part;
  state.first = state.last = number;
  Run(&state, clean, 0, out);
}

void Unwrapper::Continue(const Unwrapped& outer, std::string_view rest, std::string_view key, const Out& out) {
  State state;
  state.key.assign(outer.key).append(key).push_back(kKeyEnd);
  state.process = outer.process;
  state.rank = outer.rank;
  state.pod = outer.pod;
  state.first = outer.first;
  state.last = outer.last;
  Run(&state, rest, 0, out);
}

bool Unwrapper::IsAllWrappers(std::string_view prefix) {
  State state;
  std::string_view text = prefix;
  int depth = 0;
  while (depth++ < kMaxDepth && StripListed(&state, &text) == Stripped::kWrapper) {
    if (TrimLeft(text).empty()) return true;
  }
  return false;
}

void Unwrapper::Run(State* state, std::string_view text, int depth, const Out& out) {
  Unwrapped line;
  line.before_cr = text;
  for (; depth < kMaxDepth; ++depth) {
    const bool has_cr = text.find('\r') != std::string_view::npos;
    const bool is_no_part = std::exchange(state->is_no_part, false);
    if (!has_cr && !is_no_part && ScanPart(text, &line.part) != Part::Kind::kNone) break;
    if (OpenJson(state, text, depth, out)) return;
    Stripped stripped = StripListed(state, &text);
    if (stripped == Stripped::kNothing && has_cr) {
      text = LastSegment(text);
      continue;
    }
    if (stripped == Stripped::kNothing) stripped = StripSearched(state, &text);
    if (stripped == Stripped::kKept) return;
    if (stripped == Stripped::kNothing) break;
    if (stripped == Stripped::kWrapper) line.before_cr = text;
  }
  line.text = text;
  line.for_evidence = state->quoted.empty() ? text : state->quoted;
  line.key = state->key;
  line.process = state->process;
  line.rank = state->rank;
  line.pod = state->pod;
  line.first = state->first;
  line.last = state->last;
  out(line);
}

// Takes off the listed prefix that takes most.
Unwrapper::Stripped Unwrapper::StripListed(State* state, std::string_view* text) {
  if (text->empty()) return Stripped::kNothing;
  rules_->program->Match(text->substr(0, kPrefixBytes), &rules_->matches);
  const Prefix* best = nullptr;
  std::array<re2::StringPiece, kMaxGroups> groups;
  for (int index : rules_->matches) {
    const Prefix& rule = rules_->program->prefixes()[static_cast<size_t>(index)];
    const RE2& pattern = rule.pattern();
    const int count = std::min<int>(rule.groups().count, kMaxGroups);
    if (!pattern.Match(ToRe2(*text), 0, text->size(), RE2::ANCHOR_START, groups.data(), count)) continue;
    // Of equals the one that names more: (Worker_TP0 pid=1) is a process and a rank.
    const size_t size = best ? rules_->groups[0].size() : 0;
    if (groups[0].size() < size || (groups[0].size() == size && (!best || rule.groups().count <= best->groups().count)))
      continue;
    best = &rule;
    rules_->groups = groups;
  }
  return best ? Apply(*best, state, text) : Stripped::kNothing;
}

Unwrapper::Stripped Unwrapper::StripSearched(State* state, std::string_view* text) {
  for (const Prefix& rule : rules_->program->searched()) {
    if (!rule.may_match(*text)) continue;
    const RE2& pattern = rule.pattern();
    const int count = std::min<int>(rule.groups().count, kMaxGroups);
    if (!pattern.Match(ToRe2(*text), 0, text->size(), RE2::ANCHOR_START, rules_->groups.data(), count)) continue;
    const Stripped stripped = Apply(rule, state, text);
    if (stripped != Stripped::kNothing) return stripped;
  }
  return Stripped::kNothing;
}

Unwrapper::Stripped Unwrapper::Apply(const Prefix& prefix, State* state, std::string_view* text) {
  const WrapperRule& rule = prefix.rule();
  const Prefix::Groups& groups = prefix.groups();
  const auto group = [&](int index) {
    return index == 0 || index >= static_cast<int>(kMaxGroups) ? std::string_view()
                                                               : FromRe2(rules_->groups[static_cast<size_t>(index)]);
  };
  const std::string_view whole = *text;
  std::string_view rest = text->substr(rules_->groups[0].size());
  if (groups.text != 0) rest = group(groups.text);
  if (rule.kind == "debris") {
    if (Trim(rest).empty()) return Stripped::kNothing;  // nothing behind the bar: the bar is the line
    *text = rest;
    return Stripped::kDebris;
  }
  state->key.append(rule.id);
  for (int index : {groups.process, groups.rank, groups.pod, groups.stream}) {
    if (index != 0) state->key.append(1, ':').append(group(index));
  }
  state->key.push_back(kKeyEnd);
  if (const std::string_view process = group(groups.process); !process.empty()) state->process = process;
  if (const std::string_view rank = group(groups.rank); !rank.empty()) state->rank = rank;
  if (const std::string_view pod = group(groups.pod); !pod.empty()) state->pod = pod;
  if (rule.quotes && state->quoted.empty()) state->quoted = whole;
  if (!rule.unescape.empty()) {
    std::string* unescaped = Scratch();
    *unescaped = Unescape(rest, rule.unescape);
    rest = *unescaped;
  }
  if (groups.partial != 0 && !JoinPartial(state, group(groups.partial) == "P", &rest)) return Stripped::kKept;
  *text = rest;
  return Stripped::kWrapper;
}

bool Unwrapper::JoinPartial(State* state, bool partial, std::string_view* text) {
  auto found = partials_.find(state->key);
  if (!partial && found == partials_.end()) return true;
  if (found == partials_.end()) {
    if (partials_.size() >= kMaxPartials) {  // more streams in the middle of a line than anybody has
      partials_.erase(order_.front());
      order_.pop_front();
    }
    Partial kept;
    kept.key = state->key;
    kept.first = state->first;
    kept.process = std::string(state->process);
    kept.rank = std::string(state->rank);
    kept.pod = std::string(state->pod);
    found = partials_.emplace(state->key, std::move(kept)).first;
    order_.push_back(state->key);
  }
  Partial& kept = found->second;
  if (kept.text.size() + text->size() <= kMaxPartial) kept.text.append(*text);
  kept.last = state->last;
  if (partial) return false;
  std::string* joined = Scratch();
  *joined = std::move(kept.text);
  state->first = kept.first;
  *text = *joined;
  order_.erase(std::find(order_.begin(), order_.end(), state->key));
  partials_.erase(found);
  return true;
}

void Unwrapper::Expire(uint64_t number, const Out& out) {
  while (!order_.empty()) {
    const auto oldest = partials_.find(order_.front());
    if (oldest->second.last + kPartialReach >= number) return;
    Partial partial = std::move(oldest->second);
    partials_.erase(oldest);
    order_.pop_front();
    State state;
    state.key = partial.key;
    state.process = partial.process;
    state.rank = partial.rank;
    state.pod = partial.pod;
    state.first = partial.first;
    state.last = partial.last;
    scratch_used_ = 0;
    Run(&state, partial.text, 0, out);
  }
}

void Unwrapper::Flush(const Out& out) { Expire(~uint64_t{0}, out); }

bool Unwrapper::OpenJson(State* state, std::string_view text, int depth, const Out& out) {
  std::string_view object_text = Trim(text);
  if (object_text.empty() || (object_text.front() != '{' && object_text.substr(0, 2) != "[{")) return false;
  if (object_text.front() == '[') object_text.remove_prefix(1);
  while (!object_text.empty() && (object_text.back() == ',' || object_text.back() == ']')) object_text.remove_suffix(1);
  if (object_text.empty() || object_text.back() != '}' || rules_->program->json().empty()) return false;
  simdjson::dom::object object;
  const std::string* padded = nullptr;
  {
    std::string* copy = Scratch();
    copy->assign(object_text);
    copy->reserve(copy->size() + simdjson::SIMDJSON_PADDING);
    padded = copy;
  }
  if (rules_->parser.parse(*padded).get(object) != simdjson::SUCCESS) return false;

  const WrapperRule* rule = nullptr;
  std::string_view found;
  for (const WrapperRule* candidate : rules_->program->json()) {
    if (!FindText(object, candidate->text_fields, &found)) continue;
    rule = candidate;
    break;
  }
  if (!rule) {
    // A field that no rule names, but what stands in it is a line of a block.
    for (const auto& [name, value] : object) {
      std::string_view candidate;
      if (value.get(candidate) != simdjson::SUCCESS || !IsPart(candidate)) continue;
      rule = rules_->program->json().front();
      found = candidate;
      break;
    }
    if (!rule) return false;
  }

  std::string* content = Scratch();
  content->assign(found);
  State inner = *state;
  inner.key.append(rule->id);
  const auto label = [&](const std::vector<std::string>& paths, std::string_view* into) {
    const std::string value = FindLabel(object, paths);
    inner.key.append(1, ':').append(value);
    if (value.empty() || !into) return;
    std::string* kept = Scratch();
    *kept = value;
    *into = *kept;
  };
  label(rule->process_fields, &inner.process);
  label(rule->rank_fields, &inner.rank);
  label(rule->pod_fields, &inner.pod);
  for (const std::string& path : rule->stream_fields) label({path}, nullptr);
  inner.key.push_back(kKeyEnd);
  if (inner.rank.find_first_not_of("0123456789") != std::string_view::npos) inner.rank = state->rank;

  std::string_view rest = *content;
  const bool ends = !rest.empty() && rest.back() == '\n';
  if (ends) rest.remove_suffix(1);
  if (rule->splits_lines) {
    docker_ends_lines_ = docker_ends_lines_ || ends;
    const bool piece =
        !ends && docker_ends_lines_ && (!piece_matters_ || piece_matters_(rest) || partials_.count(inner.key));
    if (!JoinPartial(&inner, piece, &rest)) return true;
  }
  while (true) {
    const size_t end = rest.find('\n');
    std::string* cleaned = Scratch();
    State each = inner;
    Run(&each, CleanLine(rest.substr(0, end), cleaned), depth + 1, out);
    if (end == std::string_view::npos) return true;
    rest.remove_prefix(end + 1);
  }
}

}  // namespace autotune
