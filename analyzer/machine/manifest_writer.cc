#include "analyzer/machine/manifest_writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "analyzer/identity/choice_key.h"
#include "analyzer/identity/key_backend.h"
#include "analyzer/machine/build_values.h"
#include "analyzer/rule/device_rule.h"
#include "analyzer/verdict/blocks.h"
#include "analyzer/verdict/identities.h"
#include "analyzer/verdict/values.h"

namespace autotune {
namespace {

// The template's rows. A row whose setting nobody tells is left out; "N/A" is written where it is known not to be set.
struct Row {
  const char* name;
  const char* setting;
};
constexpr Row kVersions[] = {
    {"Torch", "torch"},  {"CUDA", "cuda"}, {"HIP / ROCm", "hip"}, {"Triton", "triton"}, {"ck4inductor", "ck4inductor"},
    {"Python", "python"}};
constexpr Row kConfiguration[] = {{"Compile backend", "compile_backend"},
                                  {"Compile mode", "compile_mode"},
                                  {"GEMM backends", "TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS"},
                                  {"TORCHINDUCTOR_CK_DIR", "TORCHINDUCTOR_CK_DIR"},
                                  {"TORCHINDUCTOR_CACHE_DIR", "TORCHINDUCTOR_CACHE_DIR"},
                                  {"TRITON_CACHE_DIR", "TRITON_CACHE_DIR"},
                                  {"TORCHINDUCTOR_COMPILE_THREADS", "TORCHINDUCTOR_COMPILE_THREADS"},
                                  {"Float32 matmul precision", "float32_matmul_precision"}};
constexpr Row kModel[] = {{"Model", "model"},
                          {"Dtype", "dtype"},
                          {"Sequence length", "sequence_length"},
                          {"Batch size", "batch_size"},
                          {"Input shapes", "input_shapes"},
                          {"Dynamic shapes", "dynamic_shapes"}};

// Text inside a Markdown line: on one line, and nothing in it acts as Markdown.
std::string Plain(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("\\`*_|[]<>#~").find(c) != std::string_view::npos) out.push_back('\\');
    out.push_back(static_cast<unsigned char>(c) < ' ' ? ' ' : c);
  }
  return out;
}

// A code span, in a table or not. A backtick cannot stand in ours, and no value of torch has one.
std::string Code(std::string_view text) {
  std::string out = "`";
  for (const char c : text) {
    if (c == '|') out.push_back('\\');
    out.push_back(c == '`' ? '\'' : static_cast<unsigned char>(c) < ' ' ? ' ' : c);
  }
  return out + "`";
}

// "TORCHINDUCTOR\_CACHE\_DIR": as the template spells names of variables.
std::string RowName(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c == '_') out.push_back('\\');
    out.push_back(c);
  }
  return out;
}

class Writer {
 public:
  Writer(const BuildSources& sources, const RuleSet& rules) : sources_(sources), rules_(rules), backends_(rules) {}

  WrittenManifest Write() {
    values_ = GatherBuildValues(sources_, rules_, &written_.remarks);
    Settle();
    Title();
    Hardware();
    Table("Software Versions", "Package", "Version", kVersions);
    Configuration();
    Model();
    Statistics();
    Identities();
    Checklist();
    return std::move(written_);
  }

 private:
  const std::string* ValueOf(std::string_view setting) const {
    const auto found = values_.find(std::string(setting));
    return found == values_.end() ? nullptr : &found->second.value;
  }
  // The value, "" also when nobody tells it.
  std::string Known(std::string_view setting) const {
    const std::string* value = ValueOf(setting);
    return value ? *value : "";
  }
  template <typename... Args>
  void Line(fmt::format_string<Args...> format, Args&&... args) {
    written_.text += fmt::format(format, std::forward<Args>(args)...) + "\n";
  }

  // What follows from what is known: the architecture of a card, and that a torch for CUDA has no HIP.
  void Settle() {
    const std::string gpu = Known("gpu");
    device_ = gpu.empty() ? nullptr : DeviceOfName(rules_.devices, gpu);
    const std::string* architecture = ValueOf("architecture");
    if (device_ && !device_->architectures.empty() && (!architecture || architecture->empty()))
      values_["architecture"] = {device_->architectures.front(), "the card's name"};
    if (!Known("cuda").empty() && !ValueOf("hip")) values_["hip"] = {"", "CUDA"};
  }

  void Title() {
    const std::string gpu = Known("gpu"), architecture = Known("architecture");
    const std::string name = device_ ? device_->device : !gpu.empty() ? gpu : architecture;
    Line("# Compile Cache{}{}\n", name.empty() ? "" : " — ", Plain(name));
    Line("Generated: {}\n", sources_.generated);
    Line("## Purpose");
    Line("Records the exact configuration under which the compile cache (inductor + Triton) was built.");
    Line("If unexpected AUTOTUNE blocks appear on a later run, compare the current environment");
    Line("against these values to pinpoint the cache-key mismatch.");
  }

  void Hardware() {
    const std::string gpu = Known("gpu"), count = Known("world_size"), architecture = Known("architecture");
    if (gpu.empty() && count.empty() && architecture.empty()) return;
    Line("\n## Hardware");
    if (!gpu.empty()) Line("- GPU: {}", Plain(gpu));
    if (!count.empty()) Line("- GPU count (world_size): {} ({})", count, count);
    if (architecture.empty()) return;
    Line("- Architecture: {}", Plain(ArchitectureText()));
  }

  // "sm_90 (NVIDIA Hopper)"
  std::string ArchitectureText() const {
    const std::string architecture = Known("architecture");
    const bool titled = device_ && NamesArchitecture(*device_, architecture);
    return architecture + (titled ? fmt::format(" ({})", device_->title) : "");
  }

  void TableRow(std::string_view name, const std::string& value, bool code) {
    Line("| {} | {} |", RowName(name), value.empty() ? "N/A" : code ? Code(value) : Plain(value));
  }

  template <size_t n>
  void Table(const char* section, const char* name, const char* value, const Row (&rows)[n]) {
    if (std::none_of(std::begin(rows), std::end(rows), [&](const Row& row) { return ValueOf(row.setting); })) return;
    Line("\n## {}\n| {} | {} |\n|---------|---------|", section, name, value);
    for (const Row& row : rows) {
      if (const std::string* known = ValueOf(row.setting)) TableRow(row.name, *known, false);
    }
  }

  // The template's rows, then every other variable that was set and can make a difference.
  void Configuration() {
    std::vector<std::pair<std::string, std::string>> rows;
    std::set<std::string> done;
    for (const Row& row : kConfiguration) {
      done.insert(row.setting);
      const std::string* value = ValueOf(row.setting);
      // Without a mode nothing says which one it was, and "N/A" would say that there was none.
      if (value && !(value->empty() && rules_.Setting(row.setting)->environment == false))
        rows.emplace_back(row.name, *value);
    }
    for (const auto& [setting, value] : values_) {
      const SettingRule* rule = rules_.Setting(setting);
      if (!rule || !rule->environment || rule->effect == "none" || value.value.empty() || done.count(setting)) continue;
      rows.emplace_back(setting, value.value);
    }
    if (rows.empty()) return;
    Line("\n## Compile Configuration\n| Setting | Value |\n|---------|-------|");
    for (const auto& [name, value] : rows) TableRow(name, value, /*code=*/name.find('_') != std::string::npos);
  }

  void Model() {
    const auto known = [&](const Row& row) { return !Known(row.setting).empty(); };
    if (std::none_of(std::begin(kModel), std::end(kModel), known)) return;
    Line("\n## Model");
    for (const Row& row : kModel) {
      if (!known(row)) continue;
      const bool tokens = std::string_view(row.setting) == "sequence_length";
      Line("- {}: {}{}", row.name, Plain(Known(row.setting)), tokens ? " tokens" : "");
    }
  }

  // --- the cache --------------------------------------------------------------------------------------------------

  void Statistics() {
    if (!sources_.cache) return;
    const CacheReading& cache = *sources_.cache;
    Line("\n## Cache Statistics\n| Cache | Files |\n|-------|-------|");
    // An archive holds one folder a cache; a cache's own folder holds "cache", "fxgraph" and many of two letters.
    const bool several =
        cache.top_folders.count("cache") == 0 && cache.top_folders.size() <= 4 && cache.top_folders.count("") == 0;
    if (several) {
      for (const auto& [folder, files] : cache.top_folders) Line("| {} | {} |", Plain(folder), files);
    } else {
      const std::string path =
          NormalPath(Known("TORCHINDUCTOR_CACHE_DIR").empty() ? sources_.cache_path : Known("TORCHINDUCTOR_CACHE_DIR"));
      Line("| {} | {} |", Plain(path.substr(path.rfind('/') + 1)), cache.files);
    }
    std::error_code error;
    if (!std::filesystem::is_regular_file(sources_.cache_path, error)) return;
    const double bytes = static_cast<double>(std::filesystem::file_size(sources_.cache_path, error));
    const std::string name = std::filesystem::path(sources_.cache_path).filename().string();
    const size_t dot = name.find(".tar");
    if (error) return;
    Line("| {} size | {} |", dot == std::string::npos ? "archive" : name.substr(dot + 1),
         bytes < 1e6 ? fmt::format("{:.1f} kB", bytes / 1e3) : fmt::format("{:.1f} MB", bytes / 1e6));
  }

  void Identities() {
    const bool systems = sources_.cache && !sources_.cache->cache.systems.empty();
    const std::vector<std::string> problems = sources_.cache ? RecordedRows() : TunedRows();
    const std::string hash = systems ? "" : StatedHash();
    if (!systems && hash.empty() && problems.empty()) return;
    Line("\n## Exact Identities");
    Line(
        "Keys as inductor computed them in the build. A run whose problem has another inputs key asks for a new "
        "shape;");
    Line("with the same inputs key and another candidate-set key, the candidates changed.");
    if (systems || !hash.empty()) {
      Line("\n| Identity | Value |\n|----------|-------|");
      if (!systems) Line("| System hash | {} |", Code(hash));
      if (systems) {
        size_t number = 0;
        for (const RecordedSystem& system : sources_.cache->cache.systems) {
          Line("| System hash{} | {} |", ++number == 1 ? "" : fmt::format(" {}", number),
               Code(system.hash.empty() ? system.name : system.hash));
        }
      }
    }
    if (problems.empty()) return;
    Line("\n| Op | Precision | Choices | Back ends | Inputs key | Candidate-set key |");
    Line("|----|-----------|---------|-----------|------------|-------------------|");
    for (const std::string& row : problems) Line("{}", row);
  }

  std::vector<std::string> RecordedRows() {
    std::vector<std::string> rows;
    for (const RecordedProblem& problem : sources_.cache->cache.problems) {
      std::vector<std::string> keys;
      std::set<std::string> backends;
      for (const RecordedChoice& choice : problem.choices) {
        keys.push_back(choice.key);
        backends.insert(backends_.Of(problem.op, choice.key));
      }
      rows.push_back(fmt::format("| {} | {} | {} | {} | {} | {} |", Plain(problem.op), Plain(problem.precision),
                                 keys.size(), fmt::join(backends, ","), Code(problem.inputs),
                                 Code(CandidateSetKey(problem.op, problem.inputs, problem.precision, keys))));
    }
    return rows;
  }

  // Without the cache: the keys that follow from what the tables print.
  std::vector<std::string> TunedRows() const {
    std::vector<std::string> rows;
    if (!sources_.log) return rows;
    for (const TunedProblem* problem : TimedProblems(*sources_.log)) {
      const Block& block = problem->first;
      if (!block.inputs_key) continue;
      const bool exact = block.candidate_set.basis == "inductor";
      const bool all_shown = block.num_choices == static_cast<int64_t>(block.choices.size());
      rows.push_back(fmt::format("| {} | {} | {} | {} | {} | {} |", Plain(block.op),
                                 Plain(Known("float32_matmul_precision")),
                                 block.num_choices ? fmt::format("{}", *block.num_choices) : "",
                                 all_shown ? fmt::format("{}", fmt::join(problem->backends, ",")) : "",
                                 Code(*block.inputs_key), exact ? Code(block.candidate_set.key) : ""));
    }
    return rows;
  }

  std::string StatedHash() const {
    if (!sources_.log) return "";
    const StatedValue* hash = FindStated(*sources_.log, kSystemHash);
    return hash ? hash->value : "";
  }

  // Settings that can make AUTOTUNE blocks appear, in the order in which they are looked at best.
  void Checklist() {
    std::vector<const SettingRule*> settings;
    for (const auto& [setting, value] : values_) {
      const SettingRule* rule = rules_.Setting(setting);
      if (rule && !value.value.empty() && (rule->effect == "retune" || rule->effect == "depends"))
        settings.push_back(rule);
    }
    if (settings.empty()) return;
    std::stable_sort(settings.begin(), settings.end(),
                     [](const SettingRule* a, const SettingRule* b) { return a->order < b->order; });
    Line("\n## Recompilation Trigger Checklist");
    Line("If AUTOTUNE blocks appear on a pod that should have cache hits, verify:");
    int number = 0;
    for (const SettingRule* setting : settings) {
      const std::string name = NameOf(*setting);
      if (setting->environment) {
        Line("{}. {} == {}", ++number, Code(setting->name), Code(Known(setting->name)));
      } else if (!name.empty()) {
        Line("{}. {} matches: {}", ++number, name,
             Code(setting->name == "architecture" ? ArchitectureText() : Known(setting->name)));
      }
      const bool ck = Known("TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS").find("CK") != std::string::npos;
      for (const std::string& probe : setting->probes) {
        const std::vector<std::string> words = ProbeWords(probe);
        if (ck && words[0] == "link") Line("{}. {} inside the {} package exists", ++number, Code(words[2]), words[1]);
      }
    }
  }

  // What its row is called above, "" where it has none.
  static std::string NameOf(const SettingRule& setting) {
    if (setting.name == "gpu") return "GPU";
    if (setting.name == "architecture") return "Architecture";
    for (const Row& row : kVersions) {
      if (setting.name == row.setting) return row.name;
    }
    for (const Row& row : kConfiguration) {
      if (setting.name == row.setting) return row.name;
    }
    return "";
  }

  const BuildSources& sources_;
  const RuleSet& rules_;
  KeyBackends backends_;
  std::map<std::string, BuildValue> values_;
  const DeviceRule* device_ = nullptr;
  WrittenManifest written_;
};

}  // namespace

WrittenManifest WriteManifest(const BuildSources& sources, const RuleSet& rules) {
  return Writer(sources, rules).Write();
}

}  // namespace autotune
