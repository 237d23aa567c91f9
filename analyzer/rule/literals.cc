#include "analyzer/rule/literals.h"

#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <cstdint>
#include <iterator>
#include <utility>

#include "analyzer/base/log_text.h"

namespace autotune {
namespace {

using Strings = std::vector<std::string>;

// Bounds of the sets carried along; what outgrows them is cut off there, which loses length and never truth.
constexpr size_t kMaxSet = 256;    // strings of an alternation (the variables of one library)
constexpr size_t kMaxCross = 32;   // strings of a product of two sets
constexpr size_t kMaxLength = 96;  // bytes of a string
constexpr size_t kMaxClass = 4;    // members of a class that is spelled out: [Tt]

bool IsLetter(unsigned char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsDigit(unsigned char c) { return c >= '0' && c <= '9'; }

// Bytes that stand in an encoded JSON string as they are. Go escapes < > &, Gson = and ' too.
constexpr bool SurvivesJson(unsigned char c) {
  return c >= 0x20 && c < 0x7F && std::string_view("\"\\<>&='").find(static_cast<char>(c)) == std::string_view::npos;
}

// Bytes that stand for themselves in a pattern and survive JSON.
constexpr std::array<bool, 256> PlainTextBytes() {
  std::array<bool, 256> plain{};
  for (size_t c = 0; c < plain.size(); ++c) {
    plain[c] = SurvivesJson(static_cast<unsigned char>(c)) &&
               std::string_view("\\^$.|?*+()[]{}").find(static_cast<char>(c)) == std::string_view::npos;
  }
  return plain;
}
constexpr std::array<bool, 256> kPlainText = PlainTextBytes();

// A set that a filter can look for.
bool Usable(const Strings& set) {
  return !set.empty() &&
         std::all_of(set.begin(), set.end(), [](const std::string& s) { return s.size() >= kMinLiteral; });
}

// Of a set the rarity of its commonest string, less a little for each doubling of the set. A handful of rare strings is
// better than one that stands in every line.
int SetScore(const Strings& set) {
  if (!Usable(set)) return 0;
  int score = LiteralRarity(set[0]);
  for (const std::string& s : set) score = std::min(score, LiteralRarity(s));
  if (score == 0) return 0;
  return std::max(1, 4 * score - 2 * static_cast<int>(std::bit_width(set.size())) +
                         static_cast<int>(std::min<size_t>(set[0].size(), 16)) / 4);
}

// What is known of a part of a pattern.
struct Part {
  bool exact = false;  // `set` holds every text that it matches; else nothing is known but `required`
  Strings set;
  Strings required;  // one of these is in every match; empty: not known

  static Part Anything() { return {}; }
  static Part Empty() { return {true, {""}, {}}; }
  static Part Exactly(Strings strings) { return {true, std::move(strings), {}}; }
};

// The best set so far.
struct Best {
  Strings set;
  int score = 0;

  void Offer(const Strings& candidate) {
    const int offered = SetScore(candidate);
    if (offered <= score) return;
    score = offered;
    set = candidate;
  }
};

// Parts one behind the other. Exact ones are joined as long as the product stays small.
class Sequence {
 public:
  // Plain text.
  void Add(std::string_view text) {
    if (open_[0].size() + text.size() > kMaxLength) Break();
    for (std::string& head : open_) head += text;
  }

  void Add(const Part& part) {
    if (!part.exact) {
      Break();
      best_.Offer(part.required);
      return;
    }
    if (!Fits(part.set)) Break();
    if (part.set.size() == 1) {
      for (std::string& head : open_) head += part.set[0];
      return;
    }
    Strings product;
    product.reserve(open_.size() * part.set.size());
    for (const std::string& head : open_) {
      for (const std::string& tail : part.set) product.push_back(head + tail);
    }
    open_ = std::move(product);
  }

  Part Finish() {
    if (all_exact_) return Part::Exactly(std::move(open_));
    Flush();
    return {false, {}, std::move(best_.set)};
  }

 private:
  bool Fits(const Strings& set) const {
    const bool one_side = open_.size() == 1 || set.size() == 1;
    if (open_.size() * set.size() > (one_side ? kMaxSet : kMaxCross)) return false;
    const auto longest = [](const Strings& strings) {
      size_t length = 0;
      for (const std::string& s : strings) length = std::max(length, s.size());
      return length;
    };
    return longest(open_) + longest(set) <= kMaxLength;
  }
  void Flush() { best_.Offer(open_); }
  // What follows does not join what stands here.
  void Break() {
    Flush();
    all_exact_ = false;
    open_.resize(1);
    open_[0].clear();
  }

  Strings open_ = {""};
  Best best_;
  bool all_exact_ = true;
};

// Reads RE2's syntax (https://github.com/google/re2/wiki/Syntax) of a pattern that RE2 accepts.
class Reader {
 public:
  explicit Reader(std::string_view pattern) : text_(pattern) {}

  // Met something that it cannot place: no answer holds.
  bool lost() const { return lost_; }

  Part Alternation() {
    const bool fold = fold_;
    std::vector<Part> arms;
    do {
      arms.push_back(Concatenation());
    } while (Take('|'));
    fold_ = fold;  // flags set inside a group end with it
    if (arms.size() == 1) return std::move(arms[0]);
    const bool all_exact = std::all_of(arms.begin(), arms.end(), [](const Part& arm) { return arm.exact; });
    Strings either;  // what the arms match, else what each is sure to hold
    for (Part& arm : arms) {
      Strings& set = arm.exact ? arm.set : arm.required;
      if (!all_exact && !Usable(set)) return Part::Anything();
      std::move(set.begin(), set.end(), std::back_inserter(either));
    }
    Unique(&either);
    if (either.size() > kMaxSet) return Part::Anything();
    if (all_exact) return Part::Exactly(std::move(either));
    return {false, {}, std::move(either)};
  }

 private:
  static void Unique(Strings* strings) {
    std::sort(strings->begin(), strings->end());
    strings->erase(std::unique(strings->begin(), strings->end()), strings->end());
  }

  bool More() const { return at_ < text_.size(); }
  char Peek() const { return More() ? text_[at_] : '\0'; }
  bool Take(char c) {
    if (!More() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool TakeWord(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }
  void SkipPast(char c) {
    while (More() && text_[at_] != c) ++at_;
    Take(c);
  }

  Part Concatenation() {
    Sequence sequence;
    while (More() && Peek() != '|' && Peek() != ')') {
      if (TakeWord("\\Q")) {
        while (More() && !TakeWord("\\E")) sequence.Add(Literal(text_[at_++]));
        // A repetition binds to the last byte quoted, which is in the sequence already: rare enough to give up on.
        if (More() && std::string_view("*+?{").find(Peek()) != std::string_view::npos) lost_ = true;
        continue;
      }
      if (const std::string_view text = PlainText(); !text.empty()) {
        sequence.Add(text);
      } else {
        Repeat(Atom(), &sequence);
      }
    }
    return sequence.Finish();
  }

  // The text up to the next byte that means something, without the byte that a repetition would bind to. Most of a
  // pattern is such text; the rest takes the longer way.
  std::string_view PlainText() {
    const size_t start = at_;
    while (More() && kPlainText[static_cast<unsigned char>(text_[at_])] && !(fold_ && IsLetter(text_[at_]))) ++at_;
    if (at_ > start && More() && std::string_view("*+?{").find(Peek()) != std::string_view::npos) --at_;
    return text_.substr(start, at_ - start);
  }

  void Repeat(Part part, Sequence* sequence) {
    int least = 1, most = 1;
    bool repeated = false;
    while (Repetition(&least, &most)) {
      if (repeated) least = 0, most = -1;  // (x{2}){3} without the group is no RE2; x** neither
      repeated = true;
    }
    if (!repeated) {
      sequence->Add(part);
    } else if (least == 0) {
      const bool maybe = most == 1 && part.exact;
      if (maybe) {
        part.set.push_back("");
        Unique(&part.set);
      }
      sequence->Add(maybe ? part : Part::Anything());
    } else {
      const int copies = part.exact ? std::min(least, 64) : 1;
      for (int i = 0; i < copies; ++i) sequence->Add(part);
      if (copies != most && part.exact) sequence->Add(Part::Anything());
    }
  }

  bool Repetition(int* least, int* most) {
    if (Take('*')) {
      *least = 0, *most = -1;
    } else if (Take('+')) {
      *least = 1, *most = -1;
    } else if (Take('?')) {
      *least = 0, *most = 1;
    } else if (!Counted(least, most)) {
      return false;
    }
    Take('?');  // lazy
    return true;
  }

  // {2} {2,} {2,5}; anything else in braces is literal text.
  bool Counted(int* least, int* most) {
    const size_t start = at_;
    if (!Take('{') || !IsDigit(static_cast<unsigned char>(Peek()))) {
      at_ = start;
      return false;
    }
    *least = *most = Count();
    if (Take(',')) *most = IsDigit(static_cast<unsigned char>(Peek())) ? Count() : -1;
    if (Take('}')) return true;
    at_ = start;
    return false;
  }
  int Count() {
    int value = 0;
    while (IsDigit(static_cast<unsigned char>(Peek()))) value = std::min(value * 10 + (text_[at_++] - '0'), 100000);
    return value;
  }

  Part Atom() {
    const char c = text_[at_++];
    switch (c) {
      case '(':
        return Group();
      case '[':
        return Class();
      case '.':
        return Part::Anything();
      case '^':
      case '$':
        return Part::Empty();
      case '\\':
        return Escape();
      default:
        return Literal(c);
    }
  }

  Part Literal(char c) const {
    const auto byte = static_cast<unsigned char>(c);
    if (!SurvivesJson(byte) || (fold_ && IsLetter(byte))) return Part::Anything();
    return Part::Exactly({std::string(1, c)});
  }

  Part Group() {
    const bool fold = fold_;
    if (TakeWord("?P<") || TakeWord("?<")) {
      SkipPast('>');
    } else if (Take('?')) {
      bool on = true;
      while (More() && Peek() != ':' && Peek() != ')') {
        const char flag = text_[at_++];
        if (flag == '-') on = false;
        if (flag == 'i') fold_ = on;
      }
      if (Take(')')) return Part::Empty();  // (?i): until the end of the group around it
      Take(':');
    }
    Part part = Alternation();
    Take(')');
    fold_ = fold;
    return part;
  }

  Part Escape() {
    if (!More()) return Part::Anything();
    const char c = text_[at_++];
    switch (c) {
      case 'b':
      case 'B':
      case 'A':
      case 'z':
        return Part::Empty();
      case 'x':
        if (Take('{')) {
          SkipPast('}');
        } else {
          at_ = std::min(at_ + 2, text_.size());
        }
        return Part::Anything();
      case 'p':
      case 'P':
        if (Take('{')) {
          SkipPast('}');
        } else if (More()) {
          ++at_;
        }
        return Part::Anything();
      default:
        break;
    }
    if (IsDigit(static_cast<unsigned char>(c))) {  // octal, up to three digits
      for (int i = 0; i < 2 && Peek() >= '0' && Peek() <= '7'; ++i) ++at_;
      return Part::Anything();
    }
    if (IsLetter(static_cast<unsigned char>(c))) return Part::Anything();  // \d \w \s \n \t \C ...
    return Literal(c);
  }

  // Behind "[". A class of a few plain bytes is spelled out, any other is "something".
  Part Class() {
    const bool negated = Take('^');
    std::bitset<256> members;
    bool plain = !negated;
    bool first = true;
    while (More() && (first || Peek() != ']')) {
      first = false;
      if (TakeWord("[:")) {
        plain = false;
        SkipPast(']');
        continue;
      }
      if (Peek() == '\\') {
        ++at_;
        const char c = Peek();
        if (IsLetter(static_cast<unsigned char>(c)) || IsDigit(static_cast<unsigned char>(c))) {
          plain = false;
          Escape();
          continue;
        }
      }
      if (!More()) break;
      const auto low = static_cast<unsigned char>(text_[at_++]);
      unsigned char high = low;
      if (Peek() == '-' && at_ + 1 < text_.size() && text_[at_ + 1] != ']') {
        ++at_;
        if (Take('\\')) plain = false;  // a range up to an escape
        if (More()) high = static_cast<unsigned char>(text_[at_++]);
      }
      for (int c = low; c <= high; ++c) members.set(static_cast<size_t>(c));
    }
    Take(']');
    if (!plain || members.count() > kMaxClass) return Part::Anything();
    Strings set;
    for (size_t c = 0; c < members.size(); ++c) {
      if (!members[c]) continue;
      const Part literal = Literal(static_cast<char>(c));
      if (!literal.exact) return Part::Anything();
      set.push_back(literal.set[0]);
    }
    return set.empty() ? Part::Anything() : Part::Exactly(std::move(set));
  }

  std::string_view text_;
  size_t at_ = 0;
  bool fold_ = false;  // (?i)
  bool lost_ = false;
};

}  // namespace

int LiteralRarity(std::string_view literal, size_t* rarest) {
  static_assert(kMinLiteral == sizeof(uint32_t));
  int best = 0, sum = 0;  // of the last kMinLiteral bytes
  for (size_t end = 0; end < literal.size(); ++end) {
    sum += ByteRarity(literal[end]);
    if (end + 1 < kMinLiteral) continue;
    const size_t start = end + 1 - kMinLiteral;
    const int score = sum > best && IsCommonText(literal.data() + start) ? 1 : sum;
    sum -= ByteRarity(literal[start]);
    if (score <= best) continue;
    best = score;
    if (rarest) *rarest = start;
  }
  return best;
}

Strings RequiredLiterals(std::string_view pattern) {
  Reader reader(pattern);
  Part part = reader.Alternation();
  if (reader.lost()) return {};
  Strings literals = part.exact ? std::move(part.set) : std::move(part.required);
  if (!Usable(literals)) return {};
  // One that holds another is no help: where it stands the other one does too.
  std::sort(literals.begin(), literals.end(),
            [](const std::string& a, const std::string& b) { return std::pair(a.size(), a) < std::pair(b.size(), b); });
  Strings kept;
  for (std::string& literal : literals) {
    const bool covered = std::any_of(kept.begin(), kept.end(), [&](const std::string& shorter) {
      return literal.find(shorter) != std::string::npos;
    });
    if (!covered) kept.push_back(std::move(literal));
  }
  return kept;
}

}  // namespace autotune
