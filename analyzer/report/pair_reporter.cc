// A report and a page of the same run.
#include "analyzer/report/reporter.h"

namespace autotune {
namespace {

class PairReporter final : public Reporter {
 public:
  PairReporter(Reporter* first, Reporter* second) : first_(first), second_(second) {}

  void Begin(const std::vector<std::string>& inputs) override {
    first_->Begin(inputs);
    second_->Begin(inputs);
  }
  void OnBlock(const Block& block) override {
    first_->OnBlock(block);
    second_->OnBlock(block);
  }
  bool wants_keys() const override { return first_->wants_keys() || second_->wants_keys(); }
  void OnOrphan(const Orphan& orphan) override {
    first_->OnOrphan(orphan);
    second_->OnOrphan(orphan);
  }
  void OnEvidence(const Evidence& evidence) override {
    first_->OnEvidence(evidence);
    second_->OnEvidence(evidence);
  }
  void OnCounter(std::string_view kind, std::string_view source, uint64_t line) override {
    first_->OnCounter(kind, source, line);
    second_->OnCounter(kind, source, line);
  }
  void OnVerdict(const Run& run, const Manifest* manifest, const Verdict& verdict) override {
    first_->OnVerdict(run, manifest, verdict);
    second_->OnVerdict(run, manifest, verdict);
  }
  void End(const Run& run, const Manifest* manifest, const Verdict& verdict) override {
    first_->End(run, manifest, verdict);
    second_->End(run, manifest, verdict);
  }
  void Facts(std::string_view path, const std::vector<Fact>& facts, const std::vector<Problem>& problems) override {
    first_->Facts(path, facts, problems);
    second_->Facts(path, facts, problems);
  }
  void Items(std::string_view path, std::string_view root, const std::vector<CheckItem>& items,
             const std::vector<Fact>& facts, const std::vector<Problem>& problems) override {
    first_->Items(path, root, items, facts, problems);
    second_->Items(path, root, items, facts, problems);
  }

 private:
  Reporter* const first_;
  Reporter* const second_;
};

}  // namespace

std::unique_ptr<Reporter> MakePairReporter(Reporter* first, Reporter* second) {
  return std::make_unique<PairReporter>(first, second);
}

}  // namespace autotune
