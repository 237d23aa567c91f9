#include "analyzer/input/prefilter.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "analyzer/input/buckets.h"
#include "analyzer/input/pair_frequency.h"
#include "analyzer/input/teddy.h"

namespace autotune {
namespace {

// A literal, and the places of its rarest windows, rarest first, with their share of all positions.
struct Choice {
  std::string_view literal;
  std::vector<Buckets::Window> windows;
};

Choice Choose(std::string_view literal, const PairFrequency& frequency) {
  Choice choice = {literal, {}};
  for (uint32_t at = 0; at == 0 || at + Teddy::kWindow <= literal.size(); ++at) {
    choice.windows.push_back({std::exp2(-frequency.Rarity(literal.substr(at, Teddy::kWindow))), at});
  }
  std::sort(choice.windows.begin(), choice.windows.end(), [](const Buckets::Window& a, const Buckets::Window& b) {
    return a.share != b.share ? a.share < b.share : a.at < b.at;
  });
  constexpr size_t kMostWindows = 12;  // more make building slower and the filter hardly better
  if (choice.windows.size() > kMostWindows) choice.windows.resize(kMostWindows);
  return choice;
}

// Literals without those that hold another one (a line with the longer one has the shorter one, too) and without those
// that cannot stand in a line.
std::vector<std::string> Needed(const std::vector<std::string>& literals) {
  std::vector<std::string_view> sorted;
  for (const std::string& literal : literals) {
    if (!literal.empty() && literal.find('\n') == std::string::npos) sorted.push_back(literal);
  }
  std::sort(sorted.begin(), sorted.end(),
            [](std::string_view a, std::string_view b) { return a.size() != b.size() ? a.size() < b.size() : a < b; });
  std::vector<std::string> needed;
  for (const std::string_view literal : sorted) {
    const bool implied = std::any_of(needed.begin(), needed.end(), [literal](const std::string& shorter) {
      return literal.find(shorter) != std::string_view::npos;
    });
    if (!implied) needed.emplace_back(literal);
  }
  return needed;
}

bool HasEmpty(const std::vector<std::string>& literals) {
  return std::any_of(literals.begin(), literals.end(), [](const std::string& literal) { return literal.empty(); });
}

void AddEntry(std::string_view literal, uint32_t at, Teddy* teddy) {
  if (literal.size() < Teddy::kWindow) {
    teddy->brief.emplace_back(literal);
    return;
  }
  const uint32_t window = Teddy::Load(literal.data() + at);
  const uint32_t hash = Teddy::Hash(window);
  teddy->bitmap[hash / 64] |= uint64_t{1} << (hash % 64);
  uint32_t& head = teddy->heads[hash % Teddy::kHeads];
  teddy->entries.push_back({window, at, head, std::string(literal)});
  head = static_cast<uint32_t>(teddy->entries.size() - 1);
}

Teddy::FindFunction Kernel(Prefilter::Isa isa) {
  switch (isa) {
#if defined(__x86_64__)
    case Prefilter::Isa::kSsse3:
      return FindSsse3;
    case Prefilter::Isa::kAvx2:
      return FindAvx2;
    case Prefilter::Isa::kAvx512:
      return FindAvx512;
#elif defined(__aarch64__)
    case Prefilter::Isa::kNeon:
      return FindNeon;
#endif
    default:
      return FindPortable;
  }
}

std::unique_ptr<Teddy> Empty() {
  auto teddy = std::make_unique<Teddy>();
  std::fill(std::begin(teddy->heads), std::end(teddy->heads), Teddy::kNone);
  return teddy;
}

// Literals shorter than a window may begin at any hash.
void AdmitBrief(Teddy* teddy) {
  if (!teddy->brief.empty()) std::fill(std::begin(teddy->bitmap), std::end(teddy->bitmap), ~uint64_t{0});
}

// Without buckets.
std::unique_ptr<const Teddy> BuildPlain(const std::vector<std::string>& literals) {
  std::unique_ptr<Teddy> teddy = Empty();
  const PairFrequency frequency;
  for (const std::string& literal : literals) {
    AddEntry(literal, Choose(literal, frequency).windows[0].at, teddy.get());
  }
  AdmitBrief(teddy.get());
  teddy->find = FindPortable;
  return teddy;
}

std::unique_ptr<const Teddy> BuildSharp(const std::vector<std::string>& literals, Prefilter::Isa isa) {
  std::unique_ptr<Teddy> teddy = Empty();
  const PairFrequency frequency;
  std::vector<Choice> choices;
  for (const std::string& literal : literals) choices.push_back(Choose(literal, frequency));
  // The most common first: they decide what the buckets look like, rare ones then cost little anywhere.
  std::stable_sort(choices.begin(), choices.end(),
                   [](const Choice& a, const Choice& b) { return a.windows[0].share > b.windows[0].share; });

  Buckets buckets(frequency, isa == Prefilter::Isa::kAvx512);
  for (const Choice& choice : choices) {
    AddEntry(choice.literal, buckets.Place(choice.literal, choice.windows), teddy.get());
  }
  buckets.Fill(teddy.get());
  AdmitBrief(teddy.get());
  teddy->find = Kernel(isa);
  return teddy;
}

}  // namespace

bool Teddy::Confirm(const char* begin, const char* end, const char* p) const {
  const size_t left = static_cast<size_t>(end - p);
  for (const std::string& literal : brief) {
    if (literal.size() <= left && std::memcmp(p, literal.data(), literal.size()) == 0) return true;
  }
  if (left < kWindow) return false;
  const uint32_t window = Load(p);
  for (uint32_t i = heads[Hash(window) % kHeads]; i != kNone; i = entries[i].next) {
    const Entry& entry = entries[i];
    if (entry.window != window || static_cast<size_t>(p - begin) < entry.before) continue;
    if (entry.literal.size() - entry.before > left) continue;
    if (std::memcmp(p - entry.before, entry.literal.data(), entry.literal.size()) == 0) return true;
  }
  return false;
}

const char* FindFrom(const Teddy& teddy, const char* begin, const char* end, const char* p) {
  for (; static_cast<size_t>(end - p) >= Teddy::kWindow; ++p) {
    if (teddy.MayBegin(p) && teddy.Confirm(begin, end, p)) return p;
  }
  if (teddy.brief.empty()) return nullptr;
  for (; p < end; ++p) {
    if (teddy.Confirm(begin, end, p)) return p;
  }
  return nullptr;
}

const char* FindPortable(const Teddy& teddy, const char* begin, const char* end) {
  return FindFrom(teddy, begin, end, begin);
}

Prefilter::Prefilter(const std::vector<std::string>& literals)
    : literals_(Needed(literals)),
      isa_(Supported().back()),
      passes_all_(HasEmpty(literals)),
      plain_(BuildPlain(literals_)),
      teddy_(plain_.get()) {}

Prefilter::Prefilter(const std::vector<std::string>& literals, Isa isa)
    : literals_(Needed(literals)), isa_(isa), passes_all_(HasEmpty(literals)), teddy_(nullptr) {
  std::call_once(sharpened_, [this] { Sharpen(); });
}

Prefilter::~Prefilter() = default;

const char* Prefilter::Run(const Teddy& teddy, const char* begin, const char* end) {
  return teddy.find(teddy, begin, end);
}

void Prefilter::Announce(uint64_t bytes) const {
  constexpr uint64_t kWorthwhile = 512 << 10;
  const uint64_t before = announced_.fetch_add(bytes, std::memory_order_relaxed);
  if (before < kWorthwhile && before + bytes >= kWorthwhile) std::call_once(sharpened_, [this] { Sharpen(); });
}

void Prefilter::Sharpen() const {
  sharp_ = BuildSharp(literals_, isa_);
  teddy_.store(sharp_.get(), std::memory_order_release);
}

std::vector<Prefilter::Isa> Prefilter::Supported() {
  std::vector<Isa> isas = {Isa::kPortable};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("ssse3")) isas.push_back(Isa::kSsse3);
  if (__builtin_cpu_supports("avx2")) isas.push_back(Isa::kAvx2);
  if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi")) isas.push_back(Isa::kAvx512);
#elif defined(__aarch64__)
  isas.push_back(Isa::kNeon);
#endif
  return isas;
}

}  // namespace autotune
