#include "analyzer/cache/proof.h"

#include <algorithm>
#include <memory>
#include <unordered_map>

#include "analyzer/cache/cache_reader.h"
#include "analyzer/identity/code_key.h"

namespace autotune {
namespace {

using Edits = std::vector<std::shared_ptr<const CompiledEdit>>;

// One way in which one cause can have changed a source.
struct Alternative {
  const CauseRule* cause = nullptr;
  Edits edits;
  bool by_sizes = false;
};

bool Mentions(const std::vector<SourceEdit>& edits, std::string_view placeholder) {
  return std::any_of(edits.begin(), edits.end(),
                     [&](const SourceEdit& edit) { return edit.value.find(placeholder) != std::string::npos; });
}

bool MentionsSizes(const std::vector<SourceEdit>& edits) {
  return Mentions(edits, "{M}") || Mentions(edits, "{N}") || Mentions(edits, "{K}");
}

// Sources kept for trying pairs of causes: pairs are many, so a few kernels must do.
constexpr size_t kPairKernels = 6, kPairSources = 12;

class Prover {
 public:
  Prover(const std::vector<RunKernel>& kernels, const std::vector<CauseRule>& causes, const std::vector<Sizes>& sizes,
         const std::string& torch)
      : kernels_(kernels) {
    std::set<std::string> run_values;  // nearly always one: the backend_hash of the run
    for (const RunKernel& kernel : kernels) {
      auto run = kernel.values.find("run");
      if (run != kernel.values.end() && run_values.size() < 8) run_values.insert(run->second);
    }
    for (const CauseRule& cause : causes) {
      if (!InReleases(torch, cause.from, cause.until)) continue;
      for (const std::vector<SourceEdit>& edits : cause.edits) Add(cause, edits, sizes, run_values);
    }
    for (size_t i = 0; i < kernels.size(); ++i) {
      for (const std::string& stem : kernels[i].recorded) by_origin_[stem].push_back(i);
    }
  }

  std::set<std::string> Stems() const {
    std::set<std::string> out;
    for (const auto& [stem, kernels] : by_origin_) out.insert(stem);
    return out;
  }

  void Use(const std::string& stem, const std::string& source) {
    const std::vector<size_t>& wanted = by_origin_[stem];
    std::vector<std::optional<std::string>> edited(alternatives_.size());
    for (size_t a = 0; a < alternatives_.size(); ++a) edited[a] = ApplyEdits(source, alternatives_[a].edits);
    for (size_t kernel : wanted) {
      tried_.insert(kernel);
      bool explained = false;
      for (size_t a = 0; a < alternatives_.size(); ++a) {
        if (!edited[a] || TritonSourceHash(*edited[a], kernels_[kernel].description) != kernels_[kernel].key) continue;
        explained_[a].insert(kernel);
        explained = true;
      }
      if (!explained) Keep(kernel, source);
    }
  }

  ProofResult Result() {
    ProofResult out;
    out.tried = tried_.size();
    std::map<std::pair<const CauseRule*, bool>, std::set<size_t>> by_cause;
    std::set<size_t> all;
    for (const auto& [a, kernels] : explained_) {
      by_cause[{alternatives_[a].cause, alternatives_[a].by_sizes}].insert(kernels.begin(), kernels.end());
      all.insert(kernels.begin(), kernels.end());
    }
    for (auto& [cause, kernels] : by_cause) {
      ProvedCause proved;
      proved.cause = cause.first;
      proved.by_sizes = cause.second;
      proved.explained = std::move(kernels);
      out.causes.push_back(std::move(proved));
    }
    if (all.size() < tried_.size()) Pairs(all, &out);
    std::stable_sort(out.causes.begin(), out.causes.end(), [](const ProvedCause& a, const ProvedCause& b) {
      if (a.explained.size() != b.explained.size()) return a.explained.size() > b.explained.size();
      return a.cause->id < b.cause->id;
    });
    return out;
  }

 private:
  void Add(const CauseRule& cause, const std::vector<SourceEdit>& edits, const std::vector<Sizes>& sizes,
           const std::set<std::string>& run_values) {
    auto add = [&](const std::map<std::string, std::string>& values, bool by_sizes) {
      Edits compiled = CompileEdits(edits, values);
      if (!compiled.empty()) alternatives_.push_back({&cause, std::move(compiled), by_sizes});
    };
    if (MentionsSizes(edits)) {
      for (const Sizes& set : sizes) add(set, true);
    } else if (Mentions(edits, "{run}")) {
      for (const std::string& value : run_values) add({{"run", value}}, false);
    } else {
      add({}, false);
    }
  }

  void Keep(size_t kernel, const std::string& source) {
    if (kept_kernels_.size() >= kPairKernels && kept_kernels_.count(kernel) == 0) return;
    if (kept_.size() >= kPairSources) return;
    kept_kernels_.insert(kernel);
    kept_.emplace_back(kernel, source);
  }

  // Two causes at once, on the sources that were kept; then each pair that fits counts for the kernels it was tried on.
  void Pairs(const std::set<size_t>& explained, ProofResult* out) {
    std::map<std::pair<const CauseRule*, const CauseRule*>, std::set<size_t>> found;
    for (const auto& [kernel, source] : kept_) {
      if (explained.count(kernel) > 0) continue;
      for (const Alternative& first : alternatives_) {
        std::optional<std::string> once = ApplyEdits(source, first.edits);
        if (!once) continue;
        for (const Alternative& second : alternatives_) {
          if (second.cause->setting == first.cause->setting || second.cause->id < first.cause->id) continue;
          std::optional<std::string> twice = ApplyEdits(*once, second.edits);
          if (!twice || TritonSourceHash(*twice, kernels_[kernel].description) != kernels_[kernel].key) continue;
          found[{first.cause, second.cause}].insert(kernel);
        }
      }
    }
    for (auto& [causes, kernels] : found) {
      ProvedCause proved;
      proved.cause = causes.first;
      proved.second = causes.second;
      proved.explained = std::move(kernels);
      out->causes.push_back(std::move(proved));
    }
  }

  const std::vector<RunKernel>& kernels_;
  std::vector<Alternative> alternatives_;
  std::unordered_map<std::string, std::vector<size_t>> by_origin_;
  std::map<size_t, std::set<size_t>> explained_;  // alternative -> kernels
  std::set<size_t> tried_, kept_kernels_;
  std::vector<std::pair<size_t, std::string>> kept_;
};

}  // namespace

ProofResult Prove(const std::string& path, const std::vector<RunKernel>& kernels, const std::vector<CauseRule>& causes,
                  const std::vector<Sizes>& sizes, const std::string& torch) {
  Prover prover(kernels, causes, sizes, torch);
  absl::Status status = ReadKernels(
      path, prover.Stems(), [&](const std::string& stem, const std::string& source) { prover.Use(stem, source); });
  ProofResult out = prover.Result();
  out.status = std::move(status);
  return out;
}

}  // namespace autotune
