#include "analyzer/input/prefilter.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "analyzer/base/log_text.h"
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

// Bits of information in a window. The table of pairs knows steps; torch's own lines have other words.
float RarityOf(std::string_view window, const PairFrequency& frequency) {
  constexpr float kOfCommonText = 10;
  const float rarity = frequency.Rarity(window);
  return window.size() == Teddy::kWindow && IsCommonText(window.data()) ? std::min(rarity, kOfCommonText) : rarity;
}

Choice Choose(std::string_view literal, const PairFrequency& frequency) {
  Choice choice = {literal, {}};
  for (uint32_t at = 0; at == 0 || at + Teddy::kWindow <= literal.size(); ++at) {
    choice.windows.push_back({std::exp2(-RarityOf(literal.substr(at, Teddy::kWindow), frequency)), at});
  }
  std::sort(choice.windows.begin(), choice.windows.end(), [](const Buckets::Window& a, const Buckets::Window& b) {
    return a.share != b.share ? a.share < b.share : a.at < b.at;
  });
  constexpr size_t kMostWindows = 12;  // more make building slower and the filter hardly better
  if (choice.windows.size() > kMostWindows) choice.windows.resize(kMostWindows);
  return choice;
}

// Where the rarest window begins.
uint32_t Rarest(std::string_view literal, const PairFrequency& frequency) {
  uint32_t rarest = 0;
  float most = -1;
  for (uint32_t at = 0; at + Teddy::kWindow <= literal.size(); ++at) {
    const float rarity = RarityOf(literal.substr(at, Teddy::kWindow), frequency);
    if (rarity > most) most = rarity, rarest = at;
  }
  return rarest;
}

// Each once, without those that cannot stand in a line.
std::vector<std::string> InALine(std::vector<std::string> literals) {
  literals.erase(std::remove_if(literals.begin(), literals.end(),
                                [](const std::string& literal) {
                                  return literal.empty() || literal.find('\n') != std::string::npos;
                                }),
                 literals.end());
  std::sort(literals.begin(), literals.end());
  literals.erase(std::unique(literals.begin(), literals.end()), literals.end());
  return literals;
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
  teddy->entries.reserve(literals.size());
  for (const std::string& literal : literals) AddEntry(literal, Rarest(literal, frequency), teddy.get());
  AdmitBrief(teddy.get());
  teddy->find = FindPortable;
  return teddy;
}

// A shorter literal stands in this one: every line with this one is found by that one anyway.
bool IsImplied(const Teddy& plain, const std::string& literal) {
  const char* const end = literal.data() + literal.size();
  for (const char* p = literal.data(); p < end; ++p) {
    for (const std::string& brief : plain.brief) {
      if (brief.size() < literal.size() && std::string_view(p, end).substr(0, brief.size()) == brief) return true;
    }
    if (static_cast<size_t>(end - p) < Teddy::kWindow) continue;
    for (uint32_t i = plain.First(Teddy::Load(p)); i != Teddy::kNone; i = plain.entries[i].next) {
      const Teddy::Entry& entry = plain.entries[i];
      if (entry.literal.size() < literal.size() && entry.StandsAt(literal.data(), end, p)) return true;
    }
  }
  return false;
}

std::unique_ptr<const Teddy> BuildSharp(const std::vector<std::string>& literals, const Teddy& plain,
                                        Prefilter::Isa isa) {
  std::unique_ptr<Teddy> teddy = Empty();
  const PairFrequency frequency;
  std::vector<Choice> choices;
  for (const std::string& literal : literals) {
    if (!IsImplied(plain, literal)) choices.push_back(Choose(literal, frequency));
  }
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
  for (uint32_t i = First(Load(p)); i != kNone; i = entries[i].next) {
    if (entries[i].StandsAt(begin, end, p)) return true;
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
    : literals_(InALine(literals)),
      isa_(Supported().back()),
      passes_all_(HasEmpty(literals)),
      plain_(BuildPlain(literals_)),
      teddy_(plain_.get()) {}

Prefilter::Prefilter(const std::vector<std::string>& literals, Isa isa)
    : literals_(InALine(literals)),
      isa_(isa),
      passes_all_(HasEmpty(literals)),
      plain_(BuildPlain(literals_)),
      teddy_(plain_.get()) {
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
  sharp_ = BuildSharp(literals_, *plain_, isa_);
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
