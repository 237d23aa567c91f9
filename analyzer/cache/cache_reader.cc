#include "analyzer/cache/cache_reader.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "analyzer/base/digest.h"
#include "analyzer/base/text.h"
#include "analyzer/cache/member_name.h"
#include "analyzer/cache/walk.h"
#include "analyzer/identity/kernel_source.h"
#include "analyzer/identity/problem_key.h"
#include "analyzer/identity/system_key.h"

namespace autotune {
namespace {

namespace dom = simdjson::dom;

// Larger files are no kernels and no JSON that torch writes; they are reported, not read.
constexpr size_t kMaxSource = size_t{32} << 20, kMaxTuning = size_t{256} << 20, kMaxJson = size_t{4} << 20;

constexpr size_t kNamesKept = 8;

// json.dump writes Infinity and NaN, which no JSON parser takes: outside strings they become null.
std::string PlainJson(std::string_view text) {
  if (text.find("Infinity") == std::string_view::npos && text.find("NaN") == std::string_view::npos) {
    return std::string(text);
  }
  std::string out;
  out.reserve(text.size());
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (quoted) {
      out.push_back(text[i]);
      if (text[i] == '\\' && i + 1 < text.size()) {
        out.push_back(text[++i]);
      } else if (text[i] == '"') {
        quoted = false;
      }
      continue;
    }
    size_t length = 0;
    for (std::string_view constant : {"-Infinity", "Infinity", "NaN"}) {
      if (length == 0 && text.substr(i, constant.size()) == constant) length = constant.size();
    }
    if (length > 0) {
      out += "null";
      i += length - 1;
      continue;
    }
    quoted = text[i] == '"';
    out.push_back(text[i]);
  }
  return out;
}

std::string StringAt(dom::element root, std::initializer_list<std::string_view> path) {
  dom::element at = root;
  for (std::string_view key : path) {
    dom::object object;
    if (at.get(object) || object.at_key(key).get(at)) return "";
  }
  std::string_view text;
  return at.get(text) ? "" : std::string(text);
}

class Reader {
 public:
  Reader(const std::string& path, const ReadOptions& options) : options_(options) { out_.cache.path = path; }

  CacheReading Read() {
    out_.status = WalkCache(out_.cache.path, [&](CacheFile& file) {
      Visit(file);
      return true;
    });
    RecordedCache& cache = out_.cache;
    std::sort(cache.cpp_hashes.begin(), cache.cpp_hashes.end());
    for (std::vector<std::string>* keys : {&cache.fxgraph_keys, &cache.aotautograd_keys}) {
      std::sort(keys->begin(), keys->end());
      keys->erase(std::unique(keys->begin(), keys->end()), keys->end());
    }
    return std::move(out_);
  }

 private:
  void Visit(CacheFile& file) {
    ++out_.files;
    out_.bytes += file.size();
    MemberName name = ClassifyMember(file.name());
    if (out_.top_folders.size() < 64 || out_.top_folders.count(std::string(name.top)) > 0) {
      ++out_.top_folders[std::string(name.top)];
    }
    switch (name.kind) {
      case MemberName::Kind::kTuning:
        return Tuning(file);
      case MemberName::Kind::kKernel:
        return Kernel(file, name);
      case MemberName::Kind::kSource:
        return Source(file);
      case MemberName::Kind::kBestConfig:
        return BestConfigFile(file);
      case MemberName::Kind::kFxGraph:
        ++out_.fxgraph_entries;
        return Graph(file, name, &out_.cache.fxgraph_keys);
      case MemberName::Kind::kAotAutograd:
        ++out_.aotautograd_entries;
        return Graph(file, name, &out_.cache.aotautograd_keys);
      case MemberName::Kind::kTriton:
        return Triton(file, name);
      case MemberName::Kind::kMarker:
        return;
      case MemberName::Kind::kOther:
        if (file.size() == 0) Empty(file, "file", Problem::Severity::kWarning);
        return;
    }
  }

  void Fault(Problem::Severity severity, std::string id, std::string message, std::string fix) {
    if (out_.faults.size() >= CacheReading::kMaxFaults) {
      ++out_.faults_left_out;
      return;
    }
    Problem problem;
    problem.severity = severity;
    problem.setting = "cache_contents";
    problem.id = std::move(id);
    problem.message = std::move(message);
    problem.fix = std::move(fix);
    out_.faults.push_back(std::move(problem));
  }
  void Empty(const CacheFile& file, std::string_view what, Problem::Severity severity) {
    Fault(severity, "cache-empty-file", fmt::format("{}: a {} of zero length", ShownName(file.name()), what),
          "record the cache again after the build has ended, and check that its disk was not full");
  }

  // The content, or a fault.
  bool Content(CacheFile& file, size_t limit, std::string* content) {
    absl::Status status = file.Read(limit, content);
    if (!status.ok()) Unreadable(file, status);
    return status.ok();
  }
  void Unreadable(const CacheFile& file, const absl::Status& status) {
    Fault(Problem::Severity::kError, "cache-unreadable-file",
          fmt::format("{}: {}", ShownName(file.name()), ShownName(FromAbsl(status.message()))),
          "record the cache again; this file was cut or is not readable");
  }

  void Tuning(CacheFile& file) {
    ++out_.tuning_files;
    std::string text;
    if (!Content(file, kMaxTuning, &text)) return;
    std::string shown = ShownName(file.name());
    if (text.empty()) {
      Fault(Problem::Severity::kError, "cache-cut-json", fmt::format("{}: the tuning results are empty", shown),
            "delete the file: torch raises JSONDecodeError when it reads it; then record the cache again");
      return;
    }
    std::string plain = PlainJson(text);
    dom::parser parser;
    dom::element root;
    dom::object object;
    if (auto error = parser.parse(plain.data(), plain.size(), true).get(root); error || root.get(object)) {
      Fault(Problem::Severity::kError, "cache-cut-json",
            fmt::format("{}: the tuning results are cut or no JSON ({})", shown,
                        error ? simdjson::error_message(error) : "no object"),
            "delete the file: torch raises JSONDecodeError when it reads it; then record the cache again");
      return;
    }
    System(file.name(), root, shown);
    dom::object ops;
    if (root["cache"].get(ops)) {
      Fault(Problem::Severity::kWarning, "cache-no-entries", fmt::format("{}: holds no tuning results", shown),
            "run the build with max-autotune once, to its end, before recording");
      return;
    }
    for (auto op : ops) Op(op.key, op.value);
  }

  void System(const std::string& name, dom::element root, const std::string& shown) {
    RecordedSystem system;
    system.file = name;
    system.name = std::string(ClassifyMember(name).base);
    dom::element dictionary;
    if (!root["system"].get(dictionary)) {
      system.hash = StringAt(dictionary, {"hash"});
      system.device = StringAt(dictionary, {"device", "name"});
      system.triton = StringAt(dictionary, {"version", "triton"});
      system.cuda = StringAt(dictionary, {"version", "cuda"});
      system.hip = StringAt(dictionary, {"version", "hip"});
      std::string text = simdjson::minify(dictionary);
      if (auto hash = SystemHash(text); hash.ok()) system.computed = *std::move(hash);
    }
    if (!system.computed.empty() && system.computed != system.name) {
      Fault(Problem::Severity::kError, "cache-system-hash",
            fmt::format("{}: its system dictionary hashes to {}: the file was renamed, or its content changed", shown,
                        system.computed),
            "record the cache again on the machine it is for; torch looks for the file by that hash");
    } else if (!system.hash.empty() && system.hash != system.name) {
      Fault(Problem::Severity::kError, "cache-system-hash",
            fmt::format("{}: says of itself that its system hash is {}", shown, ShownName(system.hash)),
            "record the cache again on the machine it is for");
    }
    out_.cache.systems.push_back(std::move(system));
  }

  void Op(std::string_view op, dom::element value) {
    dom::object inputs;
    if (value.get(inputs)) return;
    for (auto input : inputs) {
      dom::object precisions;
      if (input.value.get(precisions)) continue;
      bool flat = false;  // torch 2.1 to 2.3: choices directly below the inputs
      for (auto precision : precisions) {
        dom::object choices;
        if (precision.value.get(choices)) {
          flat = true;
          break;
        }
        Entry(op, input.key, precision.key, choices);
      }
      if (flat) Entry(op, input.key, "", precisions);
    }
  }

  void Entry(std::string_view op, std::string_view inputs, std::string_view precision, dom::object choices) {
    RecordedProblem problem;
    problem.op = std::string(op);
    problem.inputs = std::string(inputs);
    problem.precision = std::string(precision);
    problem.system = static_cast<uint32_t>(out_.cache.systems.size() - 1);
    for (auto choice : choices) {
      double ms = 0;
      if (choice.value.get(ms)) ms = std::numeric_limits<double>::infinity();
      problem.choices.push_back({std::string(choice.key), ms});
    }
    if (auto parsed = ParseInputsKey(inputs)) {
      out_.cache.shape_index[fmt::format("{}({})", op, PrintedShapes(*parsed))].push_back(
          static_cast<uint32_t>(out_.cache.problems.size()));
    }
    out_.cache.problems.push_back(std::move(problem));
  }

  void Kernel(CacheFile& file, const MemberName& name) {
    std::string source, stem(name.stem);
    // Archives can hold a name twice, and caches of several folders the same kernel: the first one counts.
    if (out_.cache.kernel_index.count(stem) > 0) return;
    if (!Content(file, kMaxSource, &source)) return;
    if (source.empty()) return Empty(file, "kernel source", Problem::Severity::kError);
    RecordedKernel kernel;
    kernel.key = stem;
    kernel.size = source.size();
    // A file hashed without extra is no candidate, whatever text is in it: pointwise kernels, a graph's wrapper with
    // all its kernels, and the winner of a template once it was fused with what follows.
    bool looks_like_template = IsTemplateKernel(source);
    std::optional<std::string> description = looks_like_template ? DescriptionOf(source, stem) : std::nullopt;
    bool plain = !description && TritonSourceHash(source, "") == stem;
    kernel.is_template = looks_like_template && !plain;
    if (kernel.is_template) {
      kernel.function = std::string(KernelFunction(source));
      bool states_configuration = false;
      for (const MetaEntry& entry : InductorMeta(source)) {
        if (out_.meta_entries.size() < 256) out_.meta_entries.insert(entry.key);
        if (entry.key == "backend_hash") kernel.backend_hash = std::string(entry.value);
        states_configuration = states_configuration || entry.key == kConfigArgs;
      }
      if (!description && states_configuration) WrongName(file);
      kernel.description = std::move(description).value_or("");
      out_.signatures[ProblemSignature(source)].push_back(static_cast<uint32_t>(out_.cache.kernels.size()));
    } else if (!plain) {
      WrongName(file);
    }
    out_.cache.kernel_index.emplace(stem, static_cast<uint32_t>(out_.cache.kernels.size()));
    out_.cache.kernels.push_back(std::move(kernel));
  }
  void WrongName(const CacheFile& file) {
    Fault(Problem::Severity::kError, "cache-kernel-hash",
          fmt::format("{}: the source is not what its name was made of: it was cut or edited", ShownName(file.name())),
          "record the cache again; a changed kernel is never looked up under this name");
  }

  void Source(CacheFile& file) {
    ++out_.other_sources;
    std::string source;
    if (!Content(file, kMaxSource, &source)) return;
    if (source.empty()) return Empty(file, "source file", Problem::Severity::kError);
    out_.cache.cpp_hashes.push_back(CodeHash(source));
  }

  void BestConfigFile(CacheFile& file) {
    ++out_.best_configs;
    std::string text;
    if (!Content(file, kMaxJson, &text)) return;
    std::string plain = PlainJson(text);
    dom::object object;
    if (auto error = small_parser_.parse(plain).get(object)) {
      Fault(Problem::Severity::kError, "cache-cut-json",
            fmt::format("{}: the best configuration is cut or no JSON ({})", ShownName(file.name()),
                        simdjson::error_message(error)),
            "delete the file; the kernel is then tuned again, or record the cache again");
    }
  }

  void Graph(CacheFile& file, const MemberName& name, std::vector<std::string>* keys) {
    keys->emplace_back(name.folder);
    // A graph that does not load is compiled again; its tuned choices are still found, so nothing is tuned for it.
    if (file.size() == 0) return Empty(file, "graph entry", Problem::Severity::kWarning);
    if (!options_.verify || name.base.size() != 51) return;  // torch 2.6 calls an autograd entry "entry"
    Sha256Stream hash;                                       // a graph with its binaries can be larger than memory
    absl::Status status = file.Stream([&](std::string_view piece) { hash.Add(piece); });
    if (!status.ok()) return Unreadable(file, status);
    if (Base32(hash.Finish()) == name.base) return;
    Fault(Problem::Severity::kError, "cache-graph-hash",
          fmt::format("{}: the graph's name is not its content's hash: it was cut or edited", ShownName(file.name())),
          "record the cache again; a graph that does not load is compiled again");
  }

  void Triton(CacheFile& file, const MemberName& name) {
    ++out_.triton_files;
    std::string folder(name.folder);
    TritonGeneration generation = *TritonFolderGeneration(folder);
    if (folder != last_triton_folder_) {
      ++out_.triton_folder_count[generation];
      std::set<std::string>& names = out_.triton_folders[generation];
      if (names.size() < kNamesKept) names.insert(folder);
      last_triton_folder_ = folder;
    }
    bool json = name.base.size() > 5 && name.base.substr(name.base.size() - 5) == ".json";
    if (file.size() == 0) return Empty(file, "file of Triton", Problem::Severity::kWarning);
    if (!json || name.base.substr(0, 7) == "__grp__") return;
    std::string text;
    if (!Content(file, kMaxJson, &text)) return;
    dom::element root;
    dom::object object;
    if (auto error = small_parser_.parse(text).get(root); error || root.get(object)) {
      Fault(Problem::Severity::kError, "cache-cut-json", fmt::format("{}: cut or no JSON", ShownName(file.name())),
            "delete the folder; Triton then compiles the kernel again");
      return;
    }
    std::string hash = StringAt(root, {"hash"}), version = StringAt(root, {"triton_version"});
    std::string backend = StringAt(root, {"target", "backend"});
    if (!version.empty() && out_.triton_versions.size() < 32) ++out_.triton_versions[version];
    int64_t number = 0;
    std::string arch = StringAt(root, {"target", "arch"});
    dom::element target;
    if (arch.empty() && !root["target"].get(target) && !target["arch"].get(number)) arch = std::to_string(number);
    if (!arch.empty() && out_.architectures.size() < 32) {
      ++out_.architectures[backend == "cuda" ? "sm_" + arch : arch];
    }
    if (hash.size() == 64 && generation != TritonGeneration::kMd5 && TritonFolderName(hash, generation) != folder) {
      Fault(Problem::Severity::kError, "cache-triton-hash",
            fmt::format("{}: the folder's name is not the hash of the kernel in it", ShownName(file.name())),
            "record the cache again; Triton compiles the kernel again");
    }
  }

  ReadOptions options_;
  CacheReading out_;
  std::string last_triton_folder_;
  dom::parser small_parser_;  // its buffers serve every small file
};

}  // namespace

CacheReading ReadCache(const std::string& path, const ReadOptions& options) { return Reader(path, options).Read(); }

std::string ShownName(std::string_view name) {
  std::string out;
  for (char c : name) {
    auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7f) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out.push_back(c);
    }
  }
  constexpr size_t kLongest = 200;
  if (out.size() > kLongest) out = out.substr(0, kLongest / 2) + "..." + out.substr(out.size() - kLongest / 2);
  return out;
}

absl::Status ReadKernels(const std::string& path, std::set<std::string> stems,
                         const std::function<void(const std::string& stem, const std::string& source)>& use) {
  if (stems.empty()) return absl::OkStatus();
  return WalkCache(path, [&](CacheFile& file) {
    MemberName name = ClassifyMember(file.name());
    if (name.kind != MemberName::Kind::kKernel) return true;
    auto wanted = stems.find(std::string(name.stem));
    if (wanted == stems.end()) return true;
    std::string source;
    if (file.Read(kMaxSource, &source).ok()) use(*wanted, source);
    stems.erase(wanted);
    return !stems.empty();
  });
}

}  // namespace autotune
