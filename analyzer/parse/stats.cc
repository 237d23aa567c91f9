#include <simdjson.h>

#include <string>

#include "analyzer/base/text.h"
#include "analyzer/parse/part.h"

namespace autotune {
namespace {

// Python's json.dumps writes these where JSON has no number; with null in their place the rest can be read.
std::string WithoutNonNumbers(std::string_view object) {
  std::string out(object);
  for (std::string_view word : {": -Infinity", ": Infinity", ": NaN"}) {
    for (size_t at = out.find(word); at != std::string::npos; at = out.find(word, at))
      out.replace(at, word.size(), ": null");
  }
  return out;
}

}  // namespace

struct StatsReader::Impl {
  simdjson::dom::parser parser;

  std::optional<Stats> Read(const std::string& json) {
    simdjson::dom::object object;
    if (parser.parse(json).get(object) != simdjson::SUCCESS) return std::nullopt;
    Stats stats;
    int64_t integer = 0;
    double number = 0;
    std::string_view text;
    if (object["num_choices"].get(integer) == simdjson::SUCCESS) stats.num_choices = integer;
    if (object["num_triton_choices"].get(integer) == simdjson::SUCCESS) stats.num_triton_choices = integer;
    if (object["best_kernel"].get(text) == simdjson::SUCCESS) stats.best_kernel = std::string(text);
    if (object["best_time"].get(number) == simdjson::SUCCESS) stats.best_time = number;
    return stats;
  }

  std::optional<std::string> Unquote(std::string_view text) {
    std::string_view inside;
    if (parser.parse(std::string(text)).get(inside) != simdjson::SUCCESS) return std::nullopt;
    return std::string(inside);
  }
};

StatsReader::StatsReader() : impl_(std::make_unique<Impl>()) {}
StatsReader::~StatsReader() = default;

std::optional<Stats> StatsReader::Read(std::string_view object) {
  std::optional<Stats> stats = impl_->Read(std::string(object));
  if (!stats) stats = impl_->Read(WithoutNonNumbers(object));
  return stats;
}

std::optional<Stats> StatsReader::ReadQuoted(std::string_view text) {
  const std::optional<std::string> object = impl_->Unquote(text);
  return object ? Read(*object) : std::nullopt;
}

}  // namespace autotune
