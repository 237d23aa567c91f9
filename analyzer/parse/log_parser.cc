#include "analyzer/parse/log_parser.h"

#include <algorithm>
#include <list>
#include <optional>
#include <unordered_map>
#include <utility>

#include "analyzer/base/text.h"
#include "analyzer/base/text_hash.h"
#include "analyzer/parse/block_reader.h"
#include "analyzer/parse/clean.h"
#include "analyzer/parse/labels.h"
#include "analyzer/parse/learned_prefix.h"
#include "analyzer/parse/line_joiner.h"
#include "analyzer/parse/part.h"
#include "analyzer/parse/unwrap.h"
#include "analyzer/parse/wanted_lines.h"
#include "analyzer/rule/matcher.h"

namespace autotune {
namespace {

using Kind = Part::Kind;

// Lines that are wanted behind a header or a row of torch 2.0, whatever they say: rows like "mm 0.0184s 100.0%", and
// hand-made ones without " ms " in them, hold no literal that is rare in training logs. Tables are written at once, so
// this is for other ranks' lines in between. A row with " ms " ends it: its table's others have it too.
constexpr uint64_t kReach = 256;
// A log may begin in the middle of such a table: so many lines with a '%' are looked at.
constexpr uint64_t kStart = 64;
// Behind the title of a stats pair: an object that somebody spread over several lines.
constexpr uint64_t kTitleReach = 4;
constexpr size_t kMaxStreams = 1024;

// Literals of block parts. Rows carry " ms " from torch 2.1 on; " ms " is rare in step lines (tok/s, s/it,
// data_wait_ms).
constexpr std::string_view kBlockLiterals[] = {
    "AUTOTUNE",   "Autotune Choices Stats:", "num_choices", "num_triton_choices",
    "strides: [", "dtypes: torch.",          " ms ",        "DIVIDED BY ZERO"};

// Where an unlisted wrapper would end on a line that is no part as it stands: before a header, a footer, a stats title.
size_t FindLatePart(std::string_view text, Part* part) {
  if (const size_t title = text.find("Autotune Choices Stats:"); title != std::string_view::npos && title > 0) {
    if (ScanPart(text.substr(title), part) == Kind::kStatsTitle) return title;
  }
  if (text.find("AUTOTUNE ") == std::string_view::npos) return std::string_view::npos;  // faster than from the end
  const size_t word = text.rfind("AUTOTUNE ");
  for (std::string_view mode : {"SingleProcess ", "SubProcess "}) {
    if (word < mode.size() || text.substr(word - mode.size(), mode.size()) != mode) continue;
    const size_t at = word - mode.size();
    if (at > 0 && ScanPart(text.substr(at), part) == Kind::kFooter) return at;
  }
  return word > 0 && ScanPart(text.substr(word), part) == Kind::kHeader ? word : std::string_view::npos;
}

}  // namespace

class LogParser::Impl {
 public:
  Impl(const RuleSet& rules, std::string source, LogSink* sink)
      : sink_(sink), context_(rules, std::move(source), sink), unwrapper_(rules), matcher_(rules) {
    unwrapper_.set_piece_matters([this, &rules](std::string_view piece) {
      if (literals_.empty()) literals_ = LogParser::Literals(rules);  // few logs are cut into such pieces
      const bool may_be_row = number_ <= kStart && piece.find('%') != std::string_view::npos;
      return may_be_row || wanted_.Has(number_) ||
             std::any_of(literals_.begin(), literals_.end(),
                         [&](const std::string& literal) { return piece.find(literal) != std::string_view::npos; });
    });
  }

  void Line(std::string_view raw, uint64_t number);
  bool wants_line(uint64_t number) const {
    return wanted_.Has(number) || unwrapper_.holds_partial() || matcher_.waiting(number);
  }
  void Finish(bool ended_whole);

 private:
  struct Stream {
    Stream(std::string k, BlockContext* context) : key(std::move(k)), reader(context) {}
    std::string key;
    LineJoiner joiner;
    BlockReader reader;
  };

  Stream* FindStream(std::string_view key);
  Stream* GetStream(std::string_view key);
  void OnLine(const Unwrapped& line);                     // a line without listed wrappers
  void OnPlain(const Unwrapped& line, const Part& part);  // without any
  bool OnLearned(const Unwrapped& line);                  // behind an unlisted wrapper; false: there is none
  void AdoptLoneHeader(const Unwrapped& line);
  void LearnFrom(const Unwrapped& line, size_t prefix, Kind kind);
  void Replay(std::vector<LearnedPrefixes::Waiting> lines, size_t shape);
  void PassOn(const LearnedPrefixes::Hit& hit, const Unwrapped& outer, std::string_view prefix);
  void Deliver(Stream* stream, const Unwrapped& line, const JoinedLine& joined, const Part& part);
  void Evidence(const Unwrapped& line, std::string_view text, uint64_t first);
  void WantFor(const Stream& stream, Kind kind);

  LogSink* sink_;
  BlockContext context_;
  Unwrapper unwrapper_;
  LearnedPrefixes learned_;
  EvidenceMatcher matcher_;
  std::vector<std::string> literals_;
  std::list<Stream> streams_;  // last used first
  std::unordered_map<std::string_view, std::list<Stream>::iterator> by_key_;
  std::string buffer_;
  uint64_t number_ = 0;
  WantedLines wanted_;
  Stream* last_other_ = nullptr;  // the stream of the input's last line, when that was no part
  std::string last_text_;
};

LogParser::Impl::Stream* LogParser::Impl::FindStream(std::string_view key) {
  if (!streams_.empty() && streams_.front().key == key) return &streams_.front();
  const auto found = by_key_.find(key);
  return found == by_key_.end() ? nullptr : &*found->second;
}

LogParser::Impl::Stream* LogParser::Impl::GetStream(std::string_view key) {
  if (!streams_.empty() && streams_.front().key == key) return &streams_.front();
  const auto found = by_key_.find(key);
  if (found != by_key_.end()) {
    streams_.splice(streams_.begin(), streams_, found->second);
    return &streams_.front();
  }
  if (streams_.size() >= kMaxStreams) {
    Stream& oldest = streams_.back();
    oldest.reader.Finish(false);
    sink_->OnCounter("evicted_stream", number_);
    if (last_other_ == &oldest) last_other_ = nullptr;
    wanted_.Set(&oldest, 0, number_);
    by_key_.erase(oldest.key);
    streams_.pop_back();
  }
  streams_.emplace_front(std::string(key), &context_);
  by_key_.emplace(streams_.front().key, streams_.begin());
  return &streams_.front();
}

void LogParser::Impl::Evidence(const Unwrapped& line, std::string_view text, uint64_t first) {
  matcher_.Match(text, first, TextHash()(line.key), [&](autotune::Evidence& evidence) {
    evidence.source = context_.source;
    SetLabels(line.process, line.rank, line.pod, &evidence.labels);
    sink_->OnEvidence(evidence);
  });
}

// A line that may be a part of its stream's block, joined or not.
void LogParser::Impl::Deliver(Stream* stream, const Unwrapped& line, const JoinedLine& joined, const Part& part) {
  if (part.kind == Kind::kNone) {
    last_other_ = wanted_.Has(joined.last) ? stream : nullptr;
    last_text_.assign(joined.text.substr(0, 256));
    Evidence(line, joined.first == line.first ? line.for_evidence : joined.text, joined.first);
    return;
  }
  // Such a row holds no literal: it counts only where none was left out.
  if (part.kind == Kind::kRow && !part.row.spaced && !wanted_.Has(joined.first) && joined.first > kStart) return;
  stream->reader.OnPart(part, {joined.first, joined.last, line.process, line.rank, line.pod});
}

void LogParser::Impl::WantFor(const Stream& stream, Kind kind) {
  if (kind == Kind::kNone) {  // extends nothing, or a block that is never ended would want lines for ever
    if (stream.joiner.wants_next() && !wanted_.Has(number_ + 1)) wanted_.Set(&stream, number_ + 1, number_);
    return;
  }
  uint64_t until = 0;
  if (stream.reader.awaits_rows() || (stream.reader.open() && stream.joiner.knows_edge())) {
    until = number_ + kReach;
  } else if (stream.joiner.wants_next()) {
    until = number_ + 1;
  } else if (kind == Kind::kStatsTitle) {
    until = number_ + kTitleReach;
  }
  wanted_.Set(&stream, until, number_);
}

void LogParser::Impl::OnPlain(const Unwrapped& line, const Part& part) {
  Stream* stream = part.kind == Kind::kNone ? FindStream(line.key) : GetStream(line.key);
  const JoinedLine whole{line.text, line.first, line.last};
  last_other_ = nullptr;
  if (!stream) {
    if (TrimLeft(line.text).substr(0, 9) != "AUTOTUNE ") {
      Evidence(line, line.for_evidence, line.first);
      return;
    }
    stream = GetStream(line.key);  // a header that goes on in the next line
  }
  stream->joiner.Feed(whole, part, stream->reader.open_shapes(), wanted_.Has(line.first),
                      [&](const JoinedLine& joined, const Part& p) { Deliver(stream, line, joined, p); });
  WantFor(*stream, part.kind);
}

// Lines of an unlisted wrapper whose shape is known now go their way.
void LogParser::Impl::PassOn(const LearnedPrefixes::Hit& hit, const Unwrapped& outer, std::string_view prefix) {
  Unwrapped labelled = outer;
  const PrefixLabels labels = LabelsOfPrefix(prefix);
  if (!labels.process.empty()) labelled.process = labels.process;
  if (!labels.rank.empty()) labelled.rank = labels.rank;
  unwrapper_.Continue(labelled, hit.rest, learned_.StreamOf(hit),
                      [&](const Unwrapped& inner) { OnPlain(inner, inner.part); });
}

void LogParser::Impl::Replay(std::vector<LearnedPrefixes::Waiting> lines, size_t shape) {
  for (const LearnedPrefixes::Waiting& waiting : lines) {
    Unwrapped outer;
    outer.key = waiting.outer_key;
    outer.process = waiting.process;
    outer.rank = waiting.rank;
    outer.pod = waiting.pod;
    outer.first = waiting.first;
    outer.last = waiting.last;
    PassOn({shape, waiting.text, waiting.ids}, outer, waiting.prefix);
  }
}

void LogParser::Impl::LearnFrom(const Unwrapped& line, size_t prefix, Kind kind) {
  // Listed wrappers inside of the unlisted one are not learned with it.
  size_t own = prefix;
  for (size_t i = 1; i < prefix; ++i) {
    const char before = line.text[i - 1];
    const bool boundary = IsBlank(before) || before == ']' || before == ')' || before == '>' || before == '}';
    if (!boundary || IsBlank(line.text[i]) || !unwrapper_.IsAllWrappers(line.text.substr(i, prefix - i))) continue;
    own = i;
    break;
  }
  LearnedPrefixes::Hit hit;
  if (!learned_.Learn(line.text.substr(0, own), line.key, &hit)) return;
  hit.rest = line.text.substr(own);
  wanted_.Set(&learned_, number_ + kReach, number_);
  LearnedPrefixes::Waiting waiting{std::string(line.text.substr(0, own)),
                                   std::string(hit.rest),
                                   hit.ids,
                                   line.first,
                                   line.last,
                                   std::string(line.key),
                                   std::string(line.process),
                                   std::string(line.rank),
                                   std::string(line.pod)};
  const bool was_settled = learned_.settled(hit.shape);
  if (was_settled) {
    PassOn(hit, line, waiting.prefix);
  } else if (learned_.Add(hit, std::move(waiting), kind) == LearnedPrefixes::Verdict::kSettled) {
    Replay(learned_.Take(hit.shape), hit.shape);
  }
}

bool LogParser::Impl::OnLearned(const Unwrapped& line) {
  if (learned_.empty()) return false;
  std::optional<LearnedPrefixes::Hit> hit = learned_.Match(line.before_cr, line.key);
  std::string_view whole = line.before_cr;
  if (!hit && line.overwritten()) {
    hit = learned_.Match(line.text, line.key);
    whole = line.text;
  }
  if (!hit) return false;
  const std::string_view prefix = whole.substr(0, whole.size() - hit->rest.size());
  if (learned_.settled(hit->shape)) {
    PassOn(*hit, line, prefix);
    return true;
  }
  // Not known yet what tells its streams apart: only parts of blocks wait.
  Kind kind = Kind::kNone;
  unwrapper_.Continue(line, hit->rest, "", [&](const Unwrapped& inner) { kind = inner.part.kind; });
  if (kind == Kind::kNone) return false;
  LearnedPrefixes::Waiting waiting{std::string(prefix),
                                   std::string(hit->rest),
                                   hit->ids,
                                   line.first,
                                   line.last,
                                   std::string(line.key),
                                   std::string(line.process),
                                   std::string(line.rank),
                                   std::string(line.pod)};
  const size_t shape = hit->shape;
  if (learned_.Add(*hit, std::move(waiting), kind) == LearnedPrefixes::Verdict::kSettled)
    Replay(learned_.Take(shape), shape);
  return true;
}

void LogParser::Impl::OnLine(const Unwrapped& line) {
  if (line.part.kind != Kind::kNone) {
    if (line.overwritten() && OnLearned(line)) return;
    if (line.part.kind != Kind::kHeader && !learned_.empty()) AdoptLoneHeader(line);
    OnPlain(line, line.part);
    return;
  }
  if (OnLearned(line)) return;
  Part late;
  if (const size_t prefix = FindLatePart(line.text, &late); prefix != std::string_view::npos) {
    LearnFrom(line, prefix, late.kind);
  }
  OnPlain(line, line.part);
}

// The table of a header whose own line had debris before it: what follows is as bare as this line.
void LogParser::Impl::AdoptLoneHeader(const Unwrapped& line) {
  const std::optional<LearnedPrefixes::Waiting> header = learned_.TakeLoneHeader(line.first - 1, line.key);
  if (!header) return;
  Unwrapped bare = line;
  bare.text = bare.for_evidence = header->text;
  bare.first = header->first;
  bare.last = header->last;
  if (ScanPart(bare.text, &bare.part) == Kind::kHeader) OnPlain(bare, bare.part);
}

void LogParser::Impl::Line(std::string_view raw, uint64_t number) {
  number_ = number;
  const auto on_line = [this](const Unwrapped& line) { OnLine(line); };
  if (unwrapper_.holds_partial()) unwrapper_.Expire(number, on_line);
  last_other_ = nullptr;
  const std::string_view clean = CleanLine(raw, &buffer_);
  Part part;
  // A part at the line's beginning has no wrapper: most lines of a dense log end here.
  const bool bare = learned_.empty() && clean.find('\r') == std::string_view::npos;
  if (bare && ScanPart(clean, &part) != Kind::kNone) {
    Unwrapped line;
    line.text = line.before_cr = line.for_evidence = clean;
    line.first = line.last = number;
    OnPlain(line, part);
    return;
  }
  unwrapper_.Unwrap(clean, number, bare, on_line);
}

void LogParser::Impl::Finish(bool ended_whole) {
  Stream* cut = ended_whole ? nullptr : last_other_;
  const bool cut_mid_row = cut != nullptr && MayBeginPart(last_text_);
  unwrapper_.Flush([this](const Unwrapped& line) { OnLine(line); });
  for (auto& [shape, lines] : learned_.TakeAll()) Replay(std::move(lines), shape);
  std::vector<Stream*> streams;
  for (Stream& stream : streams_) streams.push_back(&stream);
  std::sort(streams.begin(), streams.end(), [](const Stream* a, const Stream* b) {
    return std::pair(a->reader.last_line(), a->key) < std::pair(b->reader.last_line(), b->key);
  });
  for (Stream* stream : streams) {
    bool broken = stream == cut && cut_mid_row;
    stream->joiner.Flush([&](const JoinedLine& joined, const Part& part) {
      Unwrapped line;
      line.text = line.for_evidence = joined.text;
      line.key = stream->key;
      line.first = joined.first;
      line.last = joined.last;
      if (part.kind == Kind::kNone && !ended_whole && joined.last == number_) broken = true;
      Deliver(stream, line, joined, part);
    });
    stream->reader.Finish(broken);
  }
}

LogParser::LogParser(const RuleSet& rules, std::string source, LogSink* sink)
    : impl_(std::make_unique<Impl>(rules, std::move(source), sink)) {}
LogParser::~LogParser() = default;

void LogParser::Line(std::string_view raw, uint64_t number) { impl_->Line(raw, number); }
bool LogParser::wants_line(uint64_t number) const { return impl_->wants_line(number); }
bool LogParser::wants_percent(uint64_t number) { return number <= kStart; }
void LogParser::Finish(bool ended_whole) { impl_->Finish(ended_whole); }

std::vector<std::string> LogParser::Literals(const RuleSet& rules) {
  std::vector<std::string> literals(std::begin(kBlockLiterals), std::end(kBlockLiterals));
  for (std::string& literal : Unwrapper::PartialLiterals()) literals.push_back(std::move(literal));
  for (std::string& literal : EvidenceMatcher::Literals(rules)) literals.push_back(std::move(literal));
  std::sort(literals.begin(), literals.end());
  literals.erase(std::unique(literals.begin(), literals.end()), literals.end());
  return literals;
}

}  // namespace autotune
