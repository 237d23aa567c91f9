#include "analyzer/machine/machine.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyzer/base/text.h"

namespace autotune {
namespace {

// "6.3" of "6.3.42131-fa1d09cbd" and of "6.3.0-39".
std::string_view MajorMinor(std::string_view version) {
  const size_t dot = version.find('.');
  return dot == std::string_view::npos ? version : version.substr(0, version.find_first_not_of("0123456789", dot + 1));
}

bool IsTold(const Reading& reading) { return reading.value && !reading.value->empty(); }

// A value before "not set", that before the first reason why nothing can be told.
void Keep(Reading reading, SettingReading* best) {
  const auto worth = [](const Reading& one) { return IsTold(one) ? 3 : one.value ? 2 : one.why.empty() ? 0 : 1; };
  if (worth(reading) > worth(*best)) static_cast<Reading&>(*best) = std::move(reading);
}

}  // namespace

std::vector<std::string> ProbeWords(std::string_view probe) {
  std::vector<std::string> words;
  while (!probe.empty()) {
    const size_t end = std::min(probe.find(' '), probe.size());
    if (words.size() == 1 && words[0] == "gpu") {
      words[0] += fmt::format(" {}", probe.substr(0, end));
    } else {
      words.emplace_back(probe.substr(0, end));
    }
    probe.remove_prefix(std::min(end + 1, probe.size()));
  }
  return words;
}

// The installed release, from /opt/rocm/.info/version: "6.3.0-39".
Reading Machine::Rocm() const {
  for (const std::string& pattern : {std::string("/opt/rocm/.info/version"), std::string("/opt/rocm*/.info/version")}) {
    for (const std::string& path : root_.Glob(pattern)) {
      const std::optional<std::string> text = root_.Read(path);
      if (!text) continue;
      const std::string_view line = Trim(std::string_view(*text).substr(0, text->find('\n')));
      if (!line.empty()) return Reading::Told(std::string(line.substr(0, line.find('-'))), path);
    }
  }
  return Reading::Untold("no ROCm is installed in /opt/rocm");
}

// The cards that a process sees; `hiding` are the variables that hide some ("0,1", "GPU-8a5c...").
Reading Machine::Cards(const std::vector<std::string>& hiding) const {
  Reading cards = gpus_.Count();
  if (!cards.value) return cards;
  for (const std::string& name : hiding) {
    const Reading visible = environment_.Read(name);
    if (!IsTold(visible)) continue;
    const auto count = std::to_string(std::count(visible.value->begin(), visible.value->end(), ',') + 1);
    cards = Reading::Told(count, fmt::format("{} ({})", name, visible.where));
  }
  return cards;
}

void Machine::Ask(const std::vector<std::string>& probe, SettingReading* best) const {
  const std::string& kind = probe[0];
  if (kind == "variable") {
    const Reading reading = environment_.Read(probe[1]);
    if (IsTold(reading)) Keep(reading, best);
  } else if (kind == "assigned") {
    Keep(packages_.Assigned(probe[1], probe[2]), best);
  } else if (kind == "package") {
    Keep(packages_.Version(probe[1]), best);
  } else if (kind == "python") {
    Keep(packages_.Python(), best);
  } else if (kind == "gpu name") {
    Keep(gpus_.Name(), best);
  } else if (kind == "gpu architecture") {
    Keep(gpus_.Architecture(), best);
  } else if (kind == "gpu count") {
    if (best->value) return;
    Keep(Cards({probe.begin() + 1, probe.end()}), best);
    best->counts_cards = best->value.has_value();
  } else if (kind == "rocm") {
    const Reading rocm = Rocm();
    if (!best->value && rocm.value) {
      // HIP's build number is torch's own; the release before it is what the two share.
      const std::string release(MajorMinor(*rocm.value));
      Keep(Reading::Told(release, rocm.where, fmt::format("the release of ROCm {}", *rocm.value)), best);
    } else if (IsTold(*best) && rocm.value && MajorMinor(*rocm.value) == MajorMinor(*best->value)) {
      best->also = rocm.value;
    }
  }
}

SettingReading Machine::Read(const SettingRule& setting) const {
  SettingReading best;
  if (setting.environment || setting.unread) Keep(environment_.Read(setting.name), &best);
  for (const std::string& probe : setting.probes) Ask(ProbeWords(probe), &best);
  if (!best.value && best.why.empty())
    best.why = "no file and no variable of a machine states it; the log of a run may";
  return best;
}

}  // namespace autotune
