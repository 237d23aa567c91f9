#include "analyzer/input/prefilter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "analyzer/input/pair_frequency.h"
#include "analyzer/input/teddy.h"

namespace autotune {
namespace {

using Window =
    std::array<std::array<uint16_t, 2>, Teddy::kWindow>;  // for each byte: the low and the high nibbles let in

// Share of positions that the nibble tables of one bucket let through, after the frequencies of bytes in log text and
// as if neighbouring bytes were independent.
class Leak {
 public:
  explicit Leak(const PairFrequency& frequency) {
    // part[high][half][set]: share of bytes with this high nibble and a low nibble in `set`, of the lower or upper
    // eight.
    for (size_t high = 0; high < 16; ++high) {
      for (size_t half = 0; half < 2; ++half) {
        for (size_t set = 1; set < 256; ++set) {
          const size_t lowest = static_cast<size_t>(__builtin_ctz(static_cast<unsigned>(set)));
          part_[high][half][set] =
              part_[high][half][set & (set - 1)] + frequency.Byte(static_cast<uint8_t>(high * 16 + half * 8 + lowest));
        }
      }
    }
  }

  float operator()(const Window& window) const {
    float share = 1;
    for (const auto& [low, high] : window) {
      float sum = 0;
      for (unsigned left = high; left != 0; left &= left - 1) {
        const auto& part = part_[__builtin_ctz(left)];
        sum += part[0][low & 255] + part[1][low >> 8];
      }
      share *= sum;
    }
    return share;
  }

 private:
  float part_[16][2][256] = {};
};

void Let(std::string_view bytes, Window* window) {
  for (size_t i = 0; i < Teddy::kWindow; ++i) {
    if (i < bytes.size()) {
      (*window)[i][0] |= static_cast<uint16_t>(1u << (static_cast<uint8_t>(bytes[i]) & 15));
      (*window)[i][1] |= static_cast<uint16_t>(1u << (static_cast<uint8_t>(bytes[i]) >> 4));
    } else {
      (*window)[i] = {0xffff, 0xffff};  // a literal that is too short says nothing about what follows it
    }
  }
}

// A literal, and the places of its rarest windows, rarest first, with their share of all positions.
struct Choice {
  std::string_view literal;
  std::vector<std::pair<float, uint32_t>> windows;
};

Choice Choose(std::string_view literal, const PairFrequency& frequency) {
  Choice choice = {literal, {}};
  for (uint32_t at = 0; at == 0 || at + Teddy::kWindow <= literal.size(); ++at) {
    choice.windows.emplace_back(std::exp2(-frequency.Rarity(literal.substr(at, Teddy::kWindow))), at);
  }
  std::sort(choice.windows.begin(), choice.windows.end());
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
    AddEntry(literal, Choose(literal, frequency).windows[0].second, teddy.get());
  }
  AdmitBrief(teddy.get());
  teddy->find = FindPortable;
  return teddy;
}

std::unique_ptr<const Teddy> BuildSharp(const std::vector<std::string>& literals, Prefilter::Isa isa) {
  std::unique_ptr<Teddy> teddy = Empty();
  const PairFrequency frequency;
  const Leak leak(frequency);

  std::vector<Choice> choices;
  for (const std::string& literal : literals) choices.push_back(Choose(literal, frequency));
  // The most common first: they decide what the buckets look like, rare ones then cost little anywhere.
  std::stable_sort(choices.begin(), choices.end(),
                   [](const Choice& a, const Choice& b) { return a.windows[0].first > b.windows[0].first; });

  std::array<Window, Teddy::kBuckets> buckets = {};
  std::array<float, Teddy::kBuckets> share = {};
  for (const Choice& choice : choices) {
    size_t best_bucket = 0;
    uint32_t best_place = 0;
    float best_cost = 0, best_share = 0;
    bool first = true;
    for (const auto& [own, place] : choice.windows) {
      for (size_t bucket = 0; bucket < buckets.size(); ++bucket) {
        Window window = buckets[bucket];
        Let(choice.literal.substr(place, Teddy::kWindow), &window);
        const float after = leak(window), cost = after - share[bucket] + own;
        if (first || cost < best_cost) {
          best_bucket = bucket, best_place = place, best_cost = cost, best_share = after, first = false;
        }
      }
    }
    Let(choice.literal.substr(best_place, Teddy::kWindow), &buckets[best_bucket]);
    share[best_bucket] = best_share;
    AddEntry(choice.literal, best_place, teddy.get());
  }

  for (size_t bucket = 0; bucket < buckets.size(); ++bucket) {
    for (size_t i = 0; i < Teddy::kWindow; ++i) {
      for (size_t nibble = 0; nibble < 16; ++nibble) {
        const auto bit = static_cast<uint8_t>(1u << bucket);
        if (buckets[bucket][i][0] >> nibble & 1) teddy->low[i][nibble] |= bit;
        if (buckets[bucket][i][1] >> nibble & 1) teddy->high[i][nibble] |= bit;
      }
    }
  }
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
#elif defined(__aarch64__)
  isas.push_back(Isa::kNeon);
#endif
  return isas;
}

}  // namespace autotune
