// How findings reach the reader. One Reporter a run of the program; events come in log order, then the verdict, then
// the summary. Implementations: text (terminal), json (one object a line), markdown, html (a page); each writes through
// `Out`.
//
// json writes each event as it comes. text and markdown answer first, so they print at End(), from the Run; of the
// events before it they keep sums only. No report holds a clock, a host or an order of threads: same bytes in, same
// bytes out.
#pragma once

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/model/block.h"
#include "analyzer/model/check_item.h"
#include "analyzer/model/evidence.h"
#include "analyzer/model/run.h"
#include "analyzer/model/verdict.h"

namespace autotune {

// Report bytes go here, whole lines at a time; false when the reader has gone (closed pipe): writing stops quietly.
using Out = std::function<bool(std::string_view)>;

struct ReportStyle {
  bool color = false;
  int width = 80;      // columns
  bool quiet = false;  // the verdict alone
};

class Reporter {
 public:
  virtual ~Reporter() = default;
  virtual void Begin(const std::vector<std::string>& inputs) = 0;
  virtual void OnBlock(const Block& block) = 0;
  // Whether OnBlock() looks at the keys of each block (identity/fill_keys.h). Without, they are computed for the first
  // block of a problem alone, which is what the verdict is about.
  virtual bool wants_keys() const { return true; }
  virtual void OnOrphan(const Orphan& orphan) = 0;
  virtual void OnEvidence(const Evidence& evidence) = 0;
  virtual void OnCounter(std::string_view kind, std::string_view source, uint64_t line) = 0;
  // A verdict on what was read until now, from a stream somebody waits at; the log may still change it.
  virtual void OnVerdict(const Run& run, const Manifest* manifest, const Verdict& verdict) {
    static_cast<void>(run), static_cast<void>(manifest), static_cast<void>(verdict);
  }
  // `manifest` may be null.
  virtual void End(const Run& run, const Manifest* manifest, const Verdict& verdict) = 0;
  // `manifest lint`, `cache`
  virtual void Facts(std::string_view path, const std::vector<Fact>& facts, const std::vector<Problem>& problems) = 0;
  // `check`: the items of the manifest at `path`, looked at in `root` ("" this machine). Each item that differs is one
  // of `problems` too.
  virtual void Items(std::string_view path, std::string_view root, const std::vector<CheckItem>& items,
                     const std::vector<Fact>& facts, const std::vector<Problem>& problems) {
    static_cast<void>(root), static_cast<void>(items);
    Facts(path, facts, problems);
  }
};

// Says nothing: for who wants the run and the verdict alone, or one of the calls.
class SilentReporter : public Reporter {
 public:
  void Begin(const std::vector<std::string>&) override {}
  void OnBlock(const Block&) override {}
  bool wants_keys() const override { return false; }
  void OnOrphan(const Orphan&) override {}
  void OnEvidence(const Evidence&) override {}
  void OnCounter(std::string_view, std::string_view, uint64_t) override {}
  void End(const Run&, const Manifest*, const Verdict&) override {}
  void Facts(std::string_view, const std::vector<Fact>&, const std::vector<Problem>&) override {}
};

std::unique_ptr<Reporter> MakeTextReporter(Out out, const ReportStyle& style);
std::unique_ptr<Reporter> MakeJsonReporter(Out out, const ReportStyle& style = {});      // of the style, `quiet` counts
std::unique_ptr<Reporter> MakeMarkdownReporter(Out out, const ReportStyle& style = {});  // likewise
// One self-contained page, written whole at End(); of the blocks it keeps the first few hundred.
std::unique_ptr<Reporter> MakeHtmlReporter(Out out);
// Both are told of everything, `first` first; both must outlive it.
std::unique_ptr<Reporter> MakePairReporter(Reporter* first, Reporter* second);

}  // namespace autotune
