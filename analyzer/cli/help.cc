#include "analyzer/cli/help.h"

namespace autotune {
namespace {

constexpr std::string_view kScanHelp =
    R"(autotune-scan - names the setting that made a compile cache miss, from the log

Usage: autotune-scan [LOG...] [options]
       autotune-scan COMMAND ...

Finds the AUTOTUNE blocks that PyTorch inductor prints when it tunes, and says
which setting differs from the record of how the compile cache was built, which
line shows it, how sure that is, and what fixes it.

Examples:
  Did this run tune, and what did it cost?
    autotune-scan train.log
  It tuned although it shipped with a cache. Why?
    autotune-scan train.log --manifest cache_manifest.md
  The same, straight from the pod:
    kubectl logs -f trainer-0 | autotune-scan --manifest cache_manifest.md
  Surer still, with the log of the build and the cache it left:
    autotune-scan train.log --manifest cache_manifest.md \
        --baseline build.log --cache inductor_cache.tar.zst
  For a script, and for an issue tracker:
    autotune-scan train.log --format json | jq 'select(.type == "verdict")'
    autotune-scan train.log --manifest cache_manifest.md --format markdown

LOG is a file, plain or compressed (gzip, zstd, xz, bzip2, lz4), or - for
standard input. Without LOG, standard input is read unless it is a terminal.

What to compare with:
  --manifest FILE     the Markdown record of how the cache was built
  --baseline LOG      the log of the run that built the cache
  --cache PATH        the recorded cache: a folder or an archive (tar, zip);
                      read in place, never unpacked
  --run-cache PATH    the cache folder (or archive) that the run itself left

How to report:
  --format FORMAT     text (default), json (one object a line), markdown
  --html FILE         also write one self-contained page, for a browser
  --color WHEN        auto (default), always, never; NO_COLOR is honoured
  -q, --quiet         the verdict alone
  --strict            blocks cut short in the log are a failure too (exit 2)
  --rules DIR         lay the rules of DIR over the built-in ones

While the log is written (a pipe, or --follow):
  --fail-fast         end with exit 1 at the first certain mismatch (90 % sure
                      or more), so that a job can be stopped
  -f, --follow        a file: wait for more at its end, over log rotations

  -h, --help          this text; COMMAND --help tells more of a command
  -V, --version       the version

Commands:
  audit PATH...       many past runs, in folders and archives, and their cost
  cache PATH          what a recorded cache holds, and whether it is whole
  check               the manifest's checklist on this machine, without a log
  manifest lint FILE  find what cannot be true or does not help in a manifest
  manifest write      make one from a build's log, its cache and this machine
  rules list          the rules in force
  rules check [DIR]   check rules against their own samples
  rules explain ID    one rule, as its own manual page

Exit status:
  0    all was read and nothing is wrong, or no manifest was given to judge by
  1    the run tuned although the manifest promises a cache; a fault was found
  2    bad option, unreadable or broken input, with --strict also cut blocks;
       what could be read is still reported
  130  interrupted; what was read until then is reported
)";

constexpr std::string_view kAuditHelp = R"(Usage: autotune-scan audit PATH... [--manifest FILE] [options]

Looks at many past runs: one row a run (verdict, cause, seconds lost), then what
they cost together by cause, by day and by problem, which problems are tuned
again and again, and where runs disagree on the fastest kernel.

PATH is a log, a folder, an archive of logs (zip, tar; read in place), or - for
a list of paths on standard input. Without --manifest, each run is judged by the
nearest Markdown manifest in its folder or above it, up to PATH.

Examples:
  autotune-scan audit runs/ --html audit.html
  autotune-scan audit ci-logs.zip --manifest cache_manifest.md
  find /logs -name '*.log' -mtime -7 -print0 | autotune-scan audit -

Left out of folders: hidden names, what .autotuneignore files name (written like
.gitignore), files without text, other files than logs unless an AUTOTUNE block
is in them. A link is not followed to what was read already.

Options:
  --manifest FILE     the manifest of all runs
  --html FILE         also write one self-contained page: a table that sorts and
                      filters, charts, the evidence of each run
  --format FORMAT     text (default), json (one object a line: begin, run,
                      error, total, summary), csv (the runs), markdown
  --color WHEN        auto (default), always, never
  -q, --quiet         the totals alone
  --rules DIR         lay the rules of DIR over the built-in ones

Exit status: 0 no run tuned against its manifest; 1 one did; 2 a file could not
be read whole (the others are reported); 130 interrupted, what was finished is
reported.
)";

constexpr std::string_view kCacheHelp = R"(Usage: autotune-scan cache PATH [--manifest FILE] [options]

Says what a recorded compile cache is for (device, torch generation, Triton,
CUDA or HIP, back ends, problems) and whether it is whole. PATH is a folder or
an archive (tar, compressed or not, or zip), read in place, never unpacked.

Examples:
  autotune-scan cache /workspace/inductor_cache
  autotune-scan cache inductor_cache.tar.zst --manifest cache_manifest.md

Options:
  --manifest FILE     compare with the manifest's Cache Statistics
  --format FORMAT     text (default), json, markdown
  --color WHEN        auto (default), always, never
  -q, --quiet         faults alone
  --rules DIR         lay the rules of DIR over the built-in ones

Exit status: 0 whole; 1 a fault was found; 2 PATH could not be read whole.
)";

constexpr std::string_view kCheckHelp = R"(Usage: autotune-scan check --manifest FILE [--root DIR] [options]

Runs the manifest's own checklist on this machine, without any log: environment
variables, cache folders (there, readable, writable, whole, of the recorded
size, on a file system that outlives a restart), the CK folder and its link
library/src, versions of torch, Triton, Python and ck4inductor from the files of
the installed packages, GPUs and ROCm from the driver's. Every item is ok,
differs, or cannot be told here, and says why; nothing is imported or changed.

Examples:
  kubectl exec trainer-0 -- autotune-scan check --manifest cache_manifest.md
  autotune-scan check --manifest cache_manifest.md --root ./image/rootfs
  autotune-scan check --manifest cache_manifest.md --format json |
      jq 'select(.type == "item" and .data.state == "differs")'

Options:
  --manifest FILE     the Markdown record of how the cache was built
  --root DIR          look at the root file system in DIR (an image unpacked, a
                      container's /proc/PID/root) in place of this machine's;
                      no program is run then
  --format FORMAT     text (default), json (item, fact, problem), markdown
  --color WHEN        auto (default), always, never
  -q, --quiet         what differs alone
  --rules DIR         lay the rules of DIR over the built-in ones

Exit status: 0 nothing differs; 1 an item differs; 2 FILE or DIR could not be
read.
)";

constexpr std::string_view kManifestLintHelp = R"(Usage: autotune-scan manifest lint FILE [options]

Finds what cannot be true, or does not help, in the Markdown record of how a
compile cache was built: rows that contradict each other, variables that nothing
reads, folders that a restart wipes, values left undecided.

Examples:
  autotune-scan manifest lint cache_manifest.md
  autotune-scan manifest lint cache_manifest.md --format json | jq .data.message

Options:
  --format FORMAT     text (default), json, markdown
  --color WHEN        auto (default), always, never
  -q, --quiet         faults alone
  --strict            warnings are faults too (exit 1)
  --rules DIR         lay the rules of DIR over the built-in ones

Exit status: 0 no error; 1 an error was found; 2 FILE could not be read.
)";

constexpr std::string_view kManifestWriteHelp =
    R"(Usage: autotune-scan manifest write [--log LOG] [--cache PATH] [options]

Writes the Markdown record of a build, with its exact identities: the system
hash, and each problem's inputs key and candidate-set key. Rows come from the
build's log, from the cache it left, and from this machine where it has a torch
and contradicts neither; what none of them tells is left out.

Examples:
  autotune-scan manifest write --log build.log \
      --cache inductor_cache.tar.zst -o cache_manifest.md
  autotune-scan manifest write > cache_manifest.md
  autotune-scan train.log --manifest cache_manifest.md

Options:
  --log LOG           the log of the run that built the cache
  --cache PATH        the cache that it left: a folder or an archive
  --root DIR          ask the root file system in DIR in place of this machine
  -o, --output FILE   write to FILE in place of standard output
  --rules DIR         lay the rules of DIR over the built-in ones

With SOURCE_DATE_EPOCH set, "Generated:" is that time: same input, same bytes.

Exit status: 0 written; 2 an input could not be read whole, or FILE not written.
)";

constexpr std::string_view kRulesListHelp = R"(Usage: autotune-scan rules list [--rules DIR]

Lists the rules in force by family: what a line, a name, a manifest row or a
setting means to the program. With --rules, those of DIR lie over the built-in.
)";

constexpr std::string_view kRulesCheckHelp = R"(Usage: autotune-scan rules check [DIR]

Loads the rules (with DIR: those of DIR over the built-in ones) and runs each
against its own samples: those that must fire and the near misses that must not.

Exit status: 0 all right; 1 a rule is at fault; 2 DIR could not be read.
)";

constexpr std::string_view kRulesExplainHelp = R"(Usage: autotune-scan rules explain ID [--rules DIR]

Prints one rule as its own manual page: what it reads, why, and its samples.
)";

struct Help {
  std::string_view command, text;
};
constexpr Help kHelp[] = {
    {"", kScanHelp},
    {"audit", kAuditHelp},
    {"cache", kCacheHelp},
    {"check", kCheckHelp},
    {"manifest lint", kManifestLintHelp},
    {"manifest write", kManifestWriteHelp},
    {"rules list", kRulesListHelp},
    {"rules check", kRulesCheckHelp},
    {"rules explain", kRulesExplainHelp},
};

}  // namespace

std::string HelpText(std::string_view command) {
  for (const Help& help : kHelp) {
    if (help.command == command) return std::string(help.text);
  }
  return "";
}

std::string UsageText() {
  return "autotune-scan reads the log of a run and says why it tuned. Give it a log:\n"
         "\n"
         "    autotune-scan train.log --manifest cache_manifest.md\n"
         "    kubectl logs -f POD | autotune-scan --manifest cache_manifest.md\n"
         "\n"
         "autotune-scan --help tells the rest.\n";
}

}  // namespace autotune
