// Takes off the wrappers that rules/wrappers lists, outermost first, in any order, until none is left.
//
//   [pod/llm-0/main] 2026-02-03T10:11:12.123Z (Worker_TP0 pid=3312) [rank0]:   mm 0.0061 ms 100.0%
//   `-- process, pod        `-- nothing        `-- process, rank     `-- rank   `-- what remains
//
// What tells two writers apart becomes the stream key: the wrappers themselves, and the process, rank, pod and stream
// that they name. A progress bar left on the line is taken off too but is nobody's label. Partial lines (Kubernetes' P,
// Docker's pieces of 16 KiB) are kept until their end comes.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analyzer/parse/part.h"
#include "analyzer/rule/rule_set.h"
#include "analyzer/rule/wrapper_program.h"

namespace autotune {

struct Unwrapped {
  std::string_view text;                // what remains; what carriage returns overwrote and progress bars are gone
  std::string_view before_cr;           // the same with them: an unlisted wrapper may stand before
  std::string_view for_evidence;        // `text`, with a wrapper on that only quotes (a comment)
  std::string_view key;                 // of the stream
  std::string_view process, rank, pod;  // innermost of each, "" not named
  uint64_t first = 0, last = 0;         // physical lines
  Part part;                            // what `text` is

  bool overwritten() const { return text.data() != before_cr.data(); }
};

class Unwrapper {
 public:
  using Out = std::function<void(const Unwrapped&)>;

  explicit Unwrapper(const RuleSet& rules);
  ~Unwrapper();

  // `clean` as CleanLine() gives it; `is_no_part`: the caller knows that as it stands it is none. Calls `out` for each
  // line that is whole now: none for a part, several for a JSON record with line breaks in its text. Views are valid
  // during the call.
  void Unwrap(std::string_view clean, uint64_t number, bool is_no_part, const Out& out);
  // Goes on with what stands behind an unlisted wrapper, named `key` in the stream key.
  void Continue(const Unwrapped& outer, std::string_view rest, std::string_view key, const Out& out);
  // Whether listed wrappers make up the whole of `prefix`.
  bool IsAllWrappers(std::string_view prefix);

  // Parts of lines that wait for their end. What waits longer than kPartialReach lines is given up as it is.
  bool holds_partial() const { return !partials_.empty(); }
  void Expire(uint64_t number, const Out& out);
  void Flush(const Out& out);
  static constexpr uint64_t kPartialReach = 256;

  // Literals of lines that hold a part which goes on.
  static std::vector<std::string> PartialLiterals();
  // Docker's pieces have no mark: only a piece for which this says yes is kept for its end.
  void set_piece_matters(std::function<bool(std::string_view)> matters) { piece_matters_ = std::move(matters); }

 private:
  struct Rules;
  struct State;
  using Prefix = WrapperProgram::Prefix;
  struct Partial {
    std::string text;
    uint64_t first = 0, last = 0;
    std::string key, process, rank, pod;
  };

  void Run(State* state, std::string_view text, int depth, const Out& out);
  enum class Stripped { kNothing, kWrapper, kDebris, kKept };
  Stripped StripListed(State* state, std::string_view* text);
  Stripped StripSearched(State* state, std::string_view* text);
  Stripped Apply(const Prefix& prefix, State* state, std::string_view* text);
  // True when the text was an envelope and has been handed on.
  bool OpenJson(State* state, std::string_view text, int depth, const Out& out);
  // Keeps a part; or joins the last one with those kept. False: nothing to go on with.
  bool JoinPartial(State* state, bool partial, std::string_view* text);
  std::string* Scratch();

  std::unique_ptr<Rules> rules_;
  std::unordered_map<std::string, Partial> partials_;
  std::deque<std::string> order_;  // keys of partials, oldest first
  std::deque<std::string> scratch_;
  size_t scratch_used_ = 0;
  std::function<bool(std::string_view)> piece_matters_;
  bool docker_ends_lines_ = false;
};

}  // namespace autotune
