#include "analyzer/identity/system_key.h"

#include <absl/status/status.h>
#include <absl/strings/str_cat.h>
#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <cmath>

#include "analyzer/base/digest.h"
#include "analyzer/base/text.h"
#include "analyzer/identity/code_key.h"

namespace autotune {
namespace {

namespace dom = simdjson::dom;

// One code point of valid UTF-8 (simdjson has checked it), and how many bytes it took.
uint32_t CodePoint(std::string_view text, size_t* length) {
  auto byte = [&](size_t i) { return static_cast<uint32_t>(static_cast<unsigned char>(text[i])); };
  uint32_t first = byte(0);
  *length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (*length > text.size()) *length = 1;
  if (*length == 1) return first;
  uint32_t point = first & (0xff >> (*length + 1));
  for (size_t i = 1; i < *length; ++i) point = point << 6 | (byte(i) & 0x3f);
  return point;
}

void DumpString(std::string_view text, std::string* out) {
  out->push_back('"');
  for (size_t at = 0, length = 1; at < text.size(); at += length) {
    uint32_t point = CodePoint(text.substr(at), &length);
    switch (point) {
      case '"':
        *out += "\\\"";
        break;
      case '\\':
        *out += "\\\\";
        break;
      case '\n':
        *out += "\\n";
        break;
      case '\r':
        *out += "\\r";
        break;
      case '\t':
        *out += "\\t";
        break;
      case '\b':
        *out += "\\b";
        break;
      case '\f':
        *out += "\\f";
        break;
      default:
        if (point >= 0x20 && point < 0x7f) {
          out->push_back(static_cast<char>(point));
        } else if (point < 0x10000) {
          // json.dumps leaves DEL (0x7f) as it is: its escape pattern names control characters below the blank only.
          if (point == 0x7f) {
            out->push_back('\x7f');
          } else {
            *out += fmt::format("\\u{:04x}", point);
          }
        } else {
          point -= 0x10000;
          *out += fmt::format("\\u{:04x}\\u{:04x}", 0xd800 + (point >> 10), 0xdc00 + (point & 0x3ff));
        }
    }
  }
  out->push_back('"');
}

void Dump(dom::element value, bool skip_hash, std::string* out) {
  switch (value.type()) {
    case dom::element_type::OBJECT: {
      std::vector<std::pair<std::string_view, dom::element>> members;
      for (auto member : dom::object(value.get_object())) {
        if (!skip_hash || member.key != "hash") members.emplace_back(member.key, member.value);
      }
      std::stable_sort(members.begin(), members.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
      out->push_back('{');
      for (size_t i = 0; i < members.size(); ++i) {
        if (i > 0) *out += ", ";
        DumpString(members[i].first, out);
        *out += ": ";
        Dump(members[i].second, false, out);
      }
      out->push_back('}');
      break;
    }
    case dom::element_type::ARRAY: {
      out->push_back('[');
      bool comma = false;
      for (dom::element item : dom::array(value.get_array())) {
        if (comma) *out += ", ";
        comma = true;
        Dump(item, false, out);
      }
      out->push_back(']');
      break;
    }
    case dom::element_type::STRING:
      DumpString(std::string_view(value.get_string()), out);
      break;
    case dom::element_type::INT64:
      *out += fmt::format("{}", int64_t(value.get_int64()));
      break;
    case dom::element_type::UINT64:
      *out += fmt::format("{}", uint64_t(value.get_uint64()));
      break;
    case dom::element_type::DOUBLE:
      *out += PythonFloat(double(value.get_double()));
      break;
    case dom::element_type::BOOL:
      *out += bool(value.get_bool()) ? "true" : "false";
      break;
    default:
      *out += "null";
      break;
  }
}

absl::StatusOr<std::string> DumpText(std::string_view json, bool skip_hash) {
  dom::parser parser;
  dom::element root;
  if (auto error = parser.parse(json.data(), json.size(), true).get(root)) {
    return absl::InvalidArgumentError(absl::StrCat("not JSON: ", simdjson::error_message(error)));
  }
  std::string out;
  Dump(root, skip_hash, &out);
  return out;
}

}  // namespace

std::string PythonFloat(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  // Shortest digits that read back, then Python's own choice of notation: exponent below -4 or from 16 on.
  std::string text = fmt::format("{}", value);
  size_t e = text.find('e');
  std::string mantissa = text.substr(0, e), digits;
  int exponent = e == std::string::npos ? 0 : std::stoi(text.substr(e + 1));
  bool negative = mantissa[0] == '-';
  if (negative) mantissa.erase(0, 1);
  size_t point = mantissa.find('.');
  std::string whole = mantissa.substr(0, point),
              fraction = point == std::string::npos ? "" : mantissa.substr(point + 1);
  digits = whole + fraction;
  int magnitude = exponent + static_cast<int>(whole.size()) - 1;  // power of ten of digits[0]
  size_t leading = digits.find_first_not_of('0');
  if (leading == std::string::npos) return negative ? "-0.0" : "0.0";
  magnitude -= static_cast<int>(leading);
  digits.erase(0, leading);
  digits.erase(digits.find_last_not_of('0') + 1);
  std::string out = negative ? "-" : "";
  if (magnitude < -4 || magnitude >= 16) {
    out += digits.substr(0, 1);
    if (digits.size() > 1) out.append(".").append(digits, 1);
    return out + fmt::format("e{}{:02}", magnitude < 0 ? '-' : '+', std::abs(magnitude));
  }
  if (magnitude < 0) return out + "0." + std::string(static_cast<size_t>(-magnitude - 1), '0') + digits;
  auto before = static_cast<size_t>(magnitude) + 1;
  if (digits.size() <= before) return out + digits + std::string(before - digits.size(), '0') + ".0";
  return out + digits.substr(0, before) + "." + digits.substr(before);
}

absl::StatusOr<std::string> PythonJsonDumps(std::string_view json) { return DumpText(json, false); }

absl::StatusOr<std::string> SystemHash(std::string_view json) {
  absl::StatusOr<std::string> text = DumpText(json, true);
  if (!text.ok()) return text.status();
  return Hex(Sha256(*text));
}

std::string ConfigsHash(const std::vector<BestConfig>& configs) {
  std::string text;
  for (const BestConfig& config : configs) {
    auto kwargs = config.kwargs;
    std::sort(kwargs.begin(), kwargs.end());
    text += "[";
    for (size_t i = 0; i < kwargs.size(); ++i) {
      text += fmt::format("{}({}, {})", i > 0 ? ", " : "", PythonRepr(kwargs[i].first), kwargs[i].second);
    }
    text += fmt::format("] {} {}\n", config.num_warps, config.num_stages);
  }
  return Hex(Sha256(text));
}

std::string BestConfigName20(std::string_view kernel_file) {
  return fmt::format("{}.best_config", kernel_file.substr(0, kernel_file.rfind('.')));
}

std::string BestConfigName26(std::string_view kernel_file, std::string_view tag) {
  return Hex(Sha256(fmt::format("{}:{}", kernel_file, tag))) + ".best_config";
}

std::string BestConfigName28(std::string_view kernel_file, std::string_view tag, std::string_view torch_key) {
  return Hex(Sha256(Hex(Sha256(fmt::format("{}:{}", kernel_file, tag))) + std::string(torch_key))) + ".best_config";
}

std::string BytesFromHex(std::string_view hex) {
  std::string out;
  auto digit = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
  };
  if (hex.size() % 2 != 0) return out;
  for (size_t i = 0; i < hex.size(); i += 2) {
    int high = digit(hex[i]), low = digit(hex[i + 1]);
    if (high < 0 || low < 0) return "";
    out.push_back(static_cast<char>(high << 4 | low));
  }
  return out;
}

std::string BackendHash(std::string_view triton_key, std::string_view ptxas_version, std::string_view capability) {
  std::string out = Hex(Sha256(fmt::format("{}-{}-{}", triton_key, ptxas_version, capability)));
  for (char& c : out) c = static_cast<char>(c >= 'a' && c <= 'f' ? c - 'a' + 'A' : c);
  return out;
}

}  // namespace autotune
