#include "analyzer/cache/inspect.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "analyzer/base/text.h"
#include "analyzer/cache/cache_reader.h"
#include "analyzer/identity/code_key.h"
#include "analyzer/identity/key_backend.h"

namespace autotune {
namespace {

std::string_view HashOf(std::string_view key) { return key.substr(key.rfind('-') + 1); }

std::vector<std::string> Split(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    size_t comma = text.find(',');
    out.emplace_back(Trim(text.substr(0, comma)));
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  return out;
}

class Inspector {
 public:
  Inspector(const CacheReading& reading, const Manifest* manifest, const RuleSet& rules)
      : reading_(reading), cache_(reading.cache), manifest_(manifest), rules_(rules), backends_(rules) {}

  CacheReport Report() {
    report_.status = reading_.status;
    report_.problems = reading_.faults;
    if (reading_.faults_left_out > 0) {
      Warn("cache-more-faults", fmt::format("{} more faults of these kinds", reading_.faults_left_out), "");
    }
    Machine();
    Torch();
    Contents();
    Entries();
    TritonFolders();
    AgainstManifest();
    std::stable_sort(report_.problems.begin(), report_.problems.end(), [](const Problem& a, const Problem& b) {
      return a.severity == Problem::Severity::kError && b.severity != Problem::Severity::kError;
    });
    return std::move(report_);
  }

 private:
  void Say(std::string setting, std::string value) {
    Fact fact;
    fact.setting = std::move(setting);
    fact.raw = fact.value = std::move(value);
    report_.facts.push_back(std::move(fact));
  }
  void SayCount(std::string setting, uint64_t count) { Say(std::move(setting), fmt::format("{}", count)); }
  void Complain(Problem::Severity severity, std::string id, std::string message, std::string fix) {
    Problem problem;
    problem.severity = severity;
    problem.setting = "cache_contents";
    problem.id = std::move(id);
    problem.message = std::move(message);
    problem.fix = std::move(fix);
    report_.problems.push_back(std::move(problem));
  }
  void Fail(std::string id, std::string message, std::string fix) {
    Complain(Problem::Severity::kError, std::move(id), std::move(message), std::move(fix));
  }
  void Warn(std::string id, std::string message, std::string fix) {
    Complain(Problem::Severity::kWarning, std::move(id), std::move(message), std::move(fix));
  }

  void Machine() {
    std::set<std::string> seen;
    auto say = [&](const char* setting, std::string value) {
      if (!value.empty() && seen.insert(fmt::format("{}\n{}", setting, value)).second) Say(setting, std::move(value));
    };
    bool any_device = false;
    for (const RecordedSystem& system : cache_.systems) {
      // On HIP the device is called by its architecture (torch 2.5 on).
      say(system.device.compare(0, 3, "gfx") == 0 ? "architecture" : "gpu", system.device);
      any_device = any_device || !system.device.empty();
      say("triton", system.triton.empty() ? "" : TritonVersion(system.triton));
      say("cuda", system.cuda);
      say("hip", system.hip);
    }
    if (!cache_.systems.empty() && !any_device) say("gpu", "none (CPU)");
    for (const auto& [architecture, count] : reading_.architectures) say("architecture", architecture);
    for (const auto& [version, count] : reading_.triton_versions) say("triton", version);
    if (cache_.systems.size() > 1) {
      std::vector<std::string> names;
      for (const RecordedSystem& system : cache_.systems) {
        names.push_back(fmt::format("{} ({})", ShownName(system.name).substr(0, 12),
                                    system.device.empty() ? "CPU" : ShownName(system.device)));
      }
      Warn("cache-several-systems",
           fmt::format("tuning results of {} machines: {}; a run reads the file of its own machine alone",
                       cache_.systems.size(), fmt::join(names, ", ")),
           "record one cache a machine type");
    }
  }

  static std::string TritonVersion(const std::string& key) {
    std::string version = TritonKeyVersion(key);
    return version.empty() ? ShownName(key) : version;
  }

  // What dates the torch that wrote the kernels: entries of inductor_meta (read in 2.6, 2.11 and 2.14), the layout of
  // the tuning file, and Python callables whose source is in their keys.
  void Torch() {
    if (!reading_.meta_entries.empty()) {
      if (reading_.meta_entries.count("batch_invariant") > 0) {
        Say("torch", "after 2.11 (as 2.14)");
      } else if (reading_.meta_entries.count("config_args") > 0) {
        Say("torch", "after 2.6, before 2.14 (as 2.11)");
      } else {
        Say("torch", "before 2.11 (as 2.6)");
      }
      return;
    }
    for (const RecordedProblem& problem : cache_.problems) {
      for (const RecordedChoice& choice : problem.choices) {
        for (const ExternRule& rule : rules_.externs) {
          for (const ExternChoice& known : rule.choices) {
            std::vector<std::string> releases;
            for (const ExternChoice::Constant& constant : known.constants) {
              if (HashOf(choice.key) != constant.hash) continue;
              releases.push_back(constant.from == constant.until ? constant.from
                                                                 : constant.from + " - " + constant.until);
            }
            if (releases.empty()) continue;
            return Say("torch", fmt::format("as {}", fmt::join(releases, " or ")));
          }
        }
      }
    }
  }

  void Contents() {
    std::map<std::string, uint64_t> by_backend;
    uint64_t choices = 0, failed = 0;
    std::set<std::string> precisions;
    for (const RecordedProblem& problem : cache_.problems) {
      choices += problem.choices.size();
      if (!problem.precision.empty()) precisions.insert(problem.precision);
      for (const RecordedChoice& choice : problem.choices) {
        ++by_backend[backends_.Of(problem.op, choice.key)];
        failed += choice.ms > 1e300;
      }
    }
    std::vector<std::string> names;
    for (const auto& [backend, count] : by_backend) names.push_back(backend);
    if (!names.empty()) Say("backends", fmt::format("{}", fmt::join(names, ",")));
    for (const std::string& precision : precisions) Say("float32_matmul_precision", ShownName(precision));
    SayCount("problems", cache_.problems.size());
    SayCount("choices", choices);
    if (failed > 0) SayCount("failed_choices", failed);
    uint64_t templates = 0;
    for (const RecordedKernel& kernel : cache_.kernels) templates += kernel.is_template;
    SayCount("candidate_kernels", templates);
    SayCount("other_kernels", cache_.kernels.size() - templates);
    if (reading_.other_sources > 0) SayCount("other_sources", reading_.other_sources);
    SayCount("best_configs", reading_.best_configs);
    SayCount("fxgraph_entries", reading_.fxgraph_entries);
    SayCount("aotautograd_entries", reading_.aotautograd_entries);
    SayCount("files", reading_.files);
    SayCount("bytes", reading_.bytes);
    for (const auto& [folder, count] : reading_.top_folders) {
      if (!folder.empty()) SayCount("cache_files:" + ShownName(folder), count);
    }
    if (reading_.files == 0) {
      Fail("cache-holds-nothing", "the cache holds no file", "record it after a build that ran to its end");
    } else if (cache_.problems.empty() && reading_.tuning_files == 0) {
      // A build whose problems had one candidate each writes none: with ATEN alone that is as it should be.
      Warn("cache-no-tuning-file",
           "no tuning results (cache/<system hash>): nothing was tuned in the build, or the "
           "folder cache/ was left out",
           "if the build tuned, record the whole folder of TORCHINDUCTOR_CACHE_DIR");
    }
  }

  // Choices without a kernel, and problems whose kernels have no choice.
  void Entries() {
    std::set<std::string_view> used;
    std::vector<std::string> missing;
    uint64_t missing_count = 0;
    bool any_cpp = !cache_.cpp_hashes.empty();
    for (const RecordedProblem& problem : cache_.problems) {
      for (const RecordedChoice& choice : problem.choices) {
        std::string_view hash = HashOf(choice.key);
        const std::string& backend = backends_.Of(problem.op, choice.key);
        if (!IsCodeHash(hash)) continue;
        bool there = true;
        if (backend == "TRITON") {
          there = cache_.kernel_index.count(std::string(hash)) > 0;
          used.insert(hash);
        } else if (backend == "CPP" && any_cpp) {
          there = std::binary_search(cache_.cpp_hashes.begin(), cache_.cpp_hashes.end(), std::string(hash));
        }
        if (there) continue;
        ++missing_count;
        if (missing.size() < 3) missing.push_back(ShownName(choice.key));
      }
    }
    if (missing_count > 0) {
      Fail("cache-kernel-missing",
           fmt::format("{} tuned choices have no kernel in the cache, such as {}", missing_count,
                       fmt::join(missing, ", ")),
           "record the whole folder of TORCHINDUCTOR_CACHE_DIR, after the build has ended");
    }
    uint64_t lost_kernels = 0, lost_problems = 0, failed_kernels = 0;
    std::string example;
    for (const auto& [signature, kernels] : reading_.signatures) {
      uint64_t unused = 0;
      for (uint32_t index : kernels) unused += used.count(cache_.kernels[index].key) == 0;
      if (unused < kernels.size() || kernels.size() < 2) {
        failed_kernels += unused;
        continue;
      }
      ++lost_problems;
      lost_kernels += unused;
      if (example.empty()) example = cache_.kernels[kernels[0]].function;
    }
    if (failed_kernels > 0) SayCount("kernels_without_result", failed_kernels);
    if (lost_problems == 0) return;
    Warn(
        "cache-entry-missing",
        fmt::format("{} kernels of {} problems ({}, ...) have no tuning result: another process overwrote the file, or "
                    "the build was stopped",
                    lost_kernels, lost_problems, ShownName(example)),
        "let one process tune first, or give each rank a folder of its own; then record the cache again");
  }

  void TritonFolders() {
    for (const auto& [generation, count] : reading_.triton_folder_count) {
      SayCount(fmt::format("triton_folders ({})", TritonGenerationName(generation)), count);
    }
    std::set<TritonGeneration> expected;
    for (const RecordedSystem& system : cache_.systems) {
      if (auto generation = GenerationOf(TritonKeyVersion(system.triton))) expected.insert(*generation);
    }
    bool mixed = expected.empty() && reading_.triton_folder_count.size() > 1;
    for (const auto& [generation, names] : reading_.triton_folders) {
      bool foreign = !expected.empty() && expected.count(generation) == 0;
      if (!foreign && !mixed) continue;
      Fail("cache-triton-generation",
           fmt::format("{} folders are named as {} names them, such as {}{}",
                       reading_.triton_folder_count.at(generation), TritonGenerationName(generation),
                       ShownName(*names.begin()),
                       foreign ? "; the tuning results are of another Triton" : "; others are of another Triton"),
           "start the build with empty folders: what another Triton compiled is never read");
    }
  }

  static std::optional<TritonGeneration> GenerationOf(const std::string& version) {
    int major = 0, minor = 0;
    const char* end = version.data() + version.size();
    auto [dot, error] = std::from_chars(version.data(), end, major);
    if (error != std::errc() || dot == end || std::from_chars(dot + 1, end, minor).ec != std::errc())
      return std::nullopt;
    if (major < 3) return TritonGeneration::kMd5;
    return major == 3 && minor < 3 ? TritonGeneration::kHex : TritonGeneration::kBase32;
  }

  const Fact* FactOf(std::string_view setting) const {
    for (const Fact& fact : manifest_->facts) {
      if (fact.setting == setting && !fact.not_set) return &fact;
    }
    return nullptr;
  }

  void AgainstManifest() {
    if (!manifest_) return;
    constexpr std::string_view kFiles = "cache_files:";
    for (const Fact& fact : manifest_->facts) {
      if (fact.not_set || fact.setting.compare(0, kFiles.size(), kFiles) != 0) continue;
      std::string folder = fact.setting.substr(kFiles.size());
      auto found = reading_.top_folders.find(folder);
      bool alone = reading_.top_folders.size() == 1 && reading_.top_folders.begin()->first.empty();
      uint64_t count = found != reading_.top_folders.end() ? found->second : alone ? reading_.files : 0;
      std::string digits;
      for (char c : fact.value) {
        if (c >= '0' && c <= '9')
          digits.push_back(c);
        else if (c != ',' && c != '_' && !digits.empty())
          break;
      }
      if (digits.empty() || digits == fmt::format("{}", count)) continue;
      Warn("cache-file-count",
           fmt::format("line {} of the manifest records {} files of {}, the cache has {}", fact.line, digits, folder,
                       count),
           "record the cache again, whole, or correct the manifest");
      report_.problems.back().line = fact.line;
    }
    std::set<std::string> devices, tritons;
    for (const RecordedSystem& system : cache_.systems) {
      devices.insert(system.device);
      tritons.insert(TritonKeyVersion(system.triton));
    }
    auto differs = [&](const char* setting, const std::set<std::string>& recorded) {
      const Fact* fact = FactOf(setting);
      if (!fact || recorded.empty() || recorded.count("") > 0) return;
      for (const std::string& value : recorded) {
        if (fact->value.compare(0, value.size(), value) == 0 || value.compare(0, fact->value.size(), fact->value) == 0)
          return;
      }
      Warn("cache-not-as-recorded",
           fmt::format("line {} of the manifest records {} {}, the cache was tuned with {}", fact->line, setting,
                       fact->value, ShownName(*recorded.begin())),
           "record manifest and cache of the same build");
      report_.problems.back().line = fact->line;
      report_.problems.back().setting = setting;
    };
    differs("triton", tritons);
    if (!devices.empty() && devices.begin()->compare(0, 3, "gfx") == 0) {
      differs("architecture", devices);
    } else {
      differs("gpu", devices);
    }
    const Fact* listed = FactOf("TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS");
    if (!listed) return;
    std::set<std::string> recorded;
    for (const RecordedProblem& problem : cache_.problems) {
      for (const RecordedChoice& choice : problem.choices) recorded.insert(backends_.Of(problem.op, choice.key));
    }
    for (std::string backend : Split(listed->value)) {
      for (char& c : backend) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
      bool cpu_only = backend == "CPP";  // tuned on a CPU alone
      if (recorded.empty() || recorded.count(backend) > 0 || backend.empty() || (cpu_only && !devices.count("")))
        continue;
      Warn("cache-back-end-missing",
           fmt::format("line {} of the manifest lists {}, no tuned choice is of that back end", listed->line, backend),
           "look in the log of the build for the message that says why it was skipped");
      report_.problems.back().line = listed->line;
      report_.problems.back().setting = listed->setting;
    }
  }

  const CacheReading& reading_;
  const RecordedCache& cache_;
  const Manifest* manifest_;
  const RuleSet& rules_;
  KeyBackends backends_;
  CacheReport report_;
};

}  // namespace

absl::StatusOr<CacheReport> InspectCache(const std::string& path, const Manifest* manifest, const RuleSet& rules) {
  CacheReading reading = ReadCache(path, ReadOptions{.verify = true});
  if (!reading.status.ok() && reading.files == 0) return reading.status;
  return InspectReading(reading, manifest, rules);
}

CacheReport InspectReading(const CacheReading& reading, const Manifest* manifest, const RuleSet& rules) {
  return Inspector(reading, manifest, rules).Report();
}

}  // namespace autotune
