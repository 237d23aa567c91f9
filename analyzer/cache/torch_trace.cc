#include "analyzer/cache/torch_trace.h"

#include <simdjson.h>

#include <optional>
#include <utility>

#include "analyzer/base/text.h"

namespace autotune {
namespace {

constexpr std::string_view kArtifact = "{\"artifact\": {\"name\": \"";
constexpr std::string_view kFx = "fx_graph_cache_", kAot = "aotautograd_cache_";

bool Take(std::string_view* text, std::string_view start) {
  if (text->substr(0, start.size()) != start) return false;
  text->remove_prefix(start.size());
  return true;
}

// The string literal that `text` starts with, decoded, and taken off; empty when it is cut.
std::optional<std::string> TakeLiteral(std::string_view* text) {
  size_t end = 1;
  while (end < text->size() && (*text)[end] != '"') end += (*text)[end] == '\\' ? 2 : 1;
  if (end >= text->size()) {
    text->remove_prefix(text->size());
    return std::nullopt;
  }
  std::string_view literal = text->substr(0, end + 1);
  text->remove_prefix(end + 1);
  simdjson::dom::parser parser;
  std::string_view decoded;
  if (parser.parse(literal.data(), literal.size(), true).get(decoded)) return std::nullopt;
  return std::string(decoded);
}

// "[<51 characters>] name: value"
bool IsComponent(std::string_view text) {
  return text.size() > 54 && text[0] == '[' && text.substr(52, 2) == "] " &&
         text.substr(1, 51).find_first_not_of("abcdefghijklmnopqrstuvwxyz234567") == std::string_view::npos;
}

}  // namespace

std::vector<std::string> TorchTrace::Literals() {
  return {std::string(kArtifact) + std::string(kFx), std::string(kArtifact) + std::string(kAot)};
}

bool TorchTrace::Line(std::string_view raw, uint64_t number) {
  if (!prefix_.empty()) {
    if (!raw.empty() && raw[0] == '\t') {
      Payload(raw, number);
      return true;
    }
    prefix_.clear();
  }
  size_t at = raw.find(kArtifact);
  if (at == std::string_view::npos) return false;
  std::string_view name = raw.substr(at + kArtifact.size());
  bool fx = Take(&name, kFx);
  if (!fx && !Take(&name, kAot)) return false;
  std::string_view outcome = name.substr(0, name.find('"'));
  prefix_.assign(raw.substr(0, at));
  if (prefix_.empty()) prefix_ = " ";  // a trace without its logger's prefix
  bypass_.clear();
  key_ = fx ? "FX cache key generated: " : "Autograd graph cache hash details for key ";
  if (!fx && (outcome == "hit" || outcome == "miss")) {
    key_ = "AOTAutograd cache " + std::string(outcome) + " for key ";
  } else if (outcome == "bypass") {
    bypass_ = fx ? "Bypassing FX Graph Cache because '" : "Bypassing autograd cache due to: ";
  }
  return false;
}

// Every string literal of the payload: a component is known by its form, the key and a bypass's reason by their names.
// That needs no whole document, and none of the payload's layouts.
void TorchTrace::Payload(std::string_view text, uint64_t number) {
  std::string previous;
  while (true) {
    size_t quote = text.find('"');
    if (quote == std::string_view::npos) return;
    bool is_value = Trim(text.substr(0, quote)) == ":";
    text.remove_prefix(quote);
    std::optional<std::string> literal = TakeLiteral(&text);
    if (!literal) continue;
    if (IsComponent(*literal)) {
      // A graph's text goes on for lines; the listing's own first line names it, and the rest states nothing.
      emit_(prefix_ + literal->substr(0, literal->find('\n')), number);
    } else if (is_value && previous == "key") {
      emit_(prefix_ + key_ + *literal, number);
    } else if (is_value && previous == "cache_bypass_reason" && !bypass_.empty()) {
      emit_(prefix_ + bypass_ + *literal + (bypass_.back() == '\'' ? "'" : ""), number);
    }
    previous = *std::move(literal);
  }
}

}  // namespace autotune
