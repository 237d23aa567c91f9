#include "analyzer/machine/gpus.h"

#include <absl/strings/numbers.h>
#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <cstdint>

#include "analyzer/base/text.h"
#include "analyzer/machine/tool.h"

namespace autotune {
namespace {

std::vector<std::string_view> Lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// The number behind `name` in KFD's "name value" lines.
std::optional<uint64_t> Property(std::string_view text, std::string_view name) {
  for (const std::string_view line : Lines(text)) {
    uint64_t value = 0;
    if (line.size() > name.size() && line.substr(0, name.size()) == name && line[name.size()] == ' ' &&
        absl::SimpleAtoi(ToAbsl(Trim(line.substr(name.size()))), &value))
      return value;
  }
  return std::nullopt;
}

// 90402 -> "gfx942", 90010 -> "gfx90a", 110000 -> "gfx1100": major, minor, stepping, the last two in hexadecimal.
std::string GfxName(uint64_t version) {
  return fmt::format("gfx{}{:x}{:x}", version / 10000, version / 100 % 100, version % 100);
}

}  // namespace

Gpus::Gpus(const Root& root, const RuleSet& rules) : root_(root), rules_(rules) {
  if (root.is_this_machine()) AskNvidiaSmi();
  if (cards_.empty()) ReadNvidia();
  if (cards_.empty() && root.is_this_machine()) AskRocmInfo();
  if (cards_.empty()) ReadKfd();
}

void Gpus::AskNvidiaSmi() {
  const auto text = OutputOf({"nvidia-smi", "--query-gpu=name,compute_cap", "--format=csv,noheader"});
  if (!text) return;
  static const RE2& row = *new RE2(R"(\s*(.+?)\s*,\s*(\d+)\.(\d+)\s*)");
  for (const std::string_view line : Lines(*text)) {
    std::string name, major, minor;
    if (RE2::FullMatch(ToRe2(line), row, &name, &major, &minor))
      cards_.push_back({name, "sm_" + major + minor, "nvidia-smi"});
  }
}

void Gpus::ReadNvidia() {
  static const RE2& model = *new RE2(R"((?m)^Model:\s*(\S[^\n]*?)\s*$)");
  for (const std::string& path : root_.Glob("/proc/driver/nvidia/gpus/*/information")) {
    const std::optional<std::string> text = root_.Read(path);
    std::string name;
    if (!text || !RE2::PartialMatch(*text, model, &name)) continue;
    const DeviceRule* device = DeviceOfName(rules_.devices, name);
    cards_.push_back({name, device && !device->architectures.empty() ? device->architectures.front() : "", path});
  }
}

// Agents in the order of HSA; a GPU's Name is its architecture, its Marketing Name what torch calls it.
void Gpus::AskRocmInfo() {
  const auto text = OutputOf({"rocminfo"});
  if (!text) return;
  static const RE2& field = *new RE2(R"(\s+(Name|Marketing Name|Device Type):\s+(.*?)\s*)");
  Card card;
  for (const std::string_view line : Lines(*text)) {
    std::string name, value;
    if (!RE2::FullMatch(ToRe2(line), field, &name, &value)) continue;
    if (name == "Name" && value.substr(0, 3) == "gfx") card = {"", value, "rocminfo"};
    if (name == "Name" && value.substr(0, 3) != "gfx" && value.find("amdgcn") == std::string::npos) card = {};
    if (name == "Marketing Name") card.name = value;
    if (name == "Device Type" && value == "GPU" && !card.architecture.empty()) cards_.push_back(card);
  }
}

void Gpus::ReadKfd() {
  for (const std::string& path : root_.Glob("/sys/class/kfd/kfd/topology/nodes/*/properties")) {
    const std::optional<std::string> text = root_.Read(path);
    if (!text) continue;
    const uint64_t version = Property(*text, "gfx_target_version").value_or(0);
    if (version == 0) continue;
    // location_id is bus << 8 | device << 3 | function, beside it the PCI domain.
    const uint64_t location = Property(*text, "location_id").value_or(0),
                   domain = Property(*text, "domain").value_or(0);
    const std::string pci =
        fmt::format("{:04x}:{:02x}:{:02x}.{}", domain, location >> 8 & 0xff, location >> 3 & 0x1f, location & 7);
    const std::string device = fmt::format("{:04X}", Property(*text, "device_id").value_or(0));
    cards_.push_back({AmdName(pci, device), GfxName(version), path});
  }
}

std::string Gpus::AmdName(const std::string& location, const std::string& device) const {
  std::vector<std::string> folders = {"/sys/bus/pci/devices/" + location};
  // An unpacked /sys may have the cards without their PCI folders; one kind of card is then all there is to tell.
  for (const std::string& card : root_.Glob("/sys/class/drm/card*/device")) folders.push_back(card);
  std::string revision;
  for (const std::string& folder : folders) {
    const std::optional<std::string> vendor = root_.Read(folder + "/vendor"), id = root_.Read(folder + "/device");
    if (vendor && Trim(vendor->substr(0, vendor->find('\n'))) != "0x1002") continue;
    if (id && device != "0000") {
      uint64_t number = 0;
      const bool is_number = absl::SimpleHexAtoi(ToAbsl(Trim(id->substr(0, id->find('\n')))), &number);
      if (is_number && fmt::format("{:04X}", number) != device) continue;
    }
    if (const auto name = root_.Read(folder + "/product_name")) {
      const std::string_view text = Trim(std::string_view(*name).substr(0, name->find('\n')));
      if (!text.empty()) return std::string(text);
    }
    if (const auto text = root_.Read(folder + "/revision"); text && revision.empty())
      revision = Trim(text->substr(0, text->find('\n')));
  }
  if (device == "0000") return "";
  // torch's name comes from the same list: hipGetDeviceProperties asks libdrm.
  uint64_t wanted = 0;
  const bool revised = absl::SimpleHexAtoi(ToAbsl(revision), &wanted);
  for (const char* list : {"/opt/amdgpu/share/libdrm/amdgpu.ids", "/usr/share/libdrm/amdgpu.ids"}) {
    const std::optional<std::string> text = root_.Read(list);
    if (!text) continue;
    static const RE2& row = *new RE2(R"(([0-9A-Fa-f]{4}),\s*([0-9A-Fa-f]{1,2}),\s*(.*?)\s*)");
    std::vector<std::string> names;
    for (const std::string_view line : Lines(*text)) {
      std::string id, rev, name;
      uint64_t number = 0;
      if (!RE2::FullMatch(ToRe2(line), row, &id, &rev, &name) || id != device) continue;
      if (revised && absl::SimpleHexAtoi(ToAbsl(rev), &number) && number == wanted) return name;
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    if (names.size() == 1 && !revised) return names[0];
  }
  return "";
}

Reading Gpus::Agreed(std::string Card::*field, const char* what) const {
  if (cards_.empty()) {
    return Reading::Untold(root_.is_this_machine()
                               ? "no GPU driver's files are here (/proc/driver/nvidia, /sys/class/kfd), and neither "
                                 "nvidia-smi nor rocminfo answers"
                               : "no GPU driver's files are in this root (/proc/driver/nvidia, /sys/class/kfd)");
  }
  const Card& first = cards_.front();
  if (first.*field == "") return Reading::Untold(fmt::format("{} does not tell the card's {}", first.where, what));
  for (const Card& card : cards_) {
    if (card.*field == first.*field) continue;
    return Reading::Untold(fmt::format("the cards differ: {} ({}) and {} ({})", first.*field, first.where,
                                       card.*field == "" ? "unknown" : card.*field, card.where));
  }
  return Reading::Told(first.*field, first.where);
}

Reading Gpus::Name() const { return Agreed(&Card::name, "name"); }
Reading Gpus::Architecture() const { return Agreed(&Card::architecture, "architecture"); }

Reading Gpus::Count() const {
  if (cards_.empty()) return Agreed(&Card::name, "name");
  const std::string& where = cards_.front().where;
  const std::string folder = where[0] == '/' ? where.substr(0, where.rfind('/', where.rfind('/') - 1)) : where;
  // Every container sees all of the host's cards below /proc; its own have a device file.
  const auto own = static_cast<size_t>(root_.Glob("/dev/nvidia*").size());
  size_t devices = 0;
  for (const std::string& path : root_.Glob("/dev/nvidia*")) {
    const std::string_view number = std::string_view(path).substr(11);
    devices += !number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos;
  }
  if (own > 0 && devices > 0 && where.substr(0, 5) == "/proc" && devices < cards_.size())
    return Reading::Told(fmt::format("{}", devices), "/dev/nvidia*");
  return Reading::Told(fmt::format("{}", cards_.size()), folder);
}

}  // namespace autotune
