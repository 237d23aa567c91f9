// Family "extern_keys": what inductor hashes for a choice that calls ready-made code (ATen, oneDNN, a Python function).
//
//   mm-cqrjyn5jqdhj5q3lohxxeq3fxnpvy6qsigzdm2ykqas7fpkl7zrz        "mm-" + code_hash("mm-mm-torch")
//   addmm-alpha=1-beta=1-c4xxd3iocu4yt6z4udrlqnumays7q6mfnfd3qprh4fxgsvyhqdkf
//
// A C++ builtin has no Python source, so its last part is one constant for all machines and releases. A Python
// callable's source is part of the text, so its constant belongs to the releases that were looked at, and to no other.
// Facts: torch/_inductor/select_algorithm.py, ExternKernelChoice.hash_key and ExternKernelCaller.hash_key, torch 2.2 to
// 2.15; constants asked of the choice objects of 2.6, 2.11 and 2.14.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/base/diag.h"

namespace autotune {

struct RuleFile;
struct RuleNode;

struct ExternChoice {
  std::string name;              // as a block prints it: "addmm"
  std::string callable, module;  // a C++ builtin: `__name__` and `__module__`; empty for a Python callable
  struct Constant {
    std::string from, until;  // torch releases, inclusive, by major.minor
    std::string hash;         // "c" + 51 characters
  };
  std::vector<Constant> constants;  // a Python callable
  bool keywords = false;            // keyword arguments stand in the key; no log prints them
  std::string device;               // "cpu" where the choice exists on that device alone, else ""
};

struct ExternRule {
  std::string id, title;
  std::vector<ExternChoice> choices;
  struct Sample {
    std::string choice, torch, hash;  // `hash` "" is a near miss: this choice, or this release, is not known
  };
  std::vector<Sample> samples;
};

// The last part of the choice's key, "" when it is not known for this release (`torch` is "2.11.0+cu130", or ""
// unknown: then only what is the same in all releases is answered).
std::string ExternHash(const ExternChoice& choice, const std::string& torch);

std::optional<ExternRule> DecodeExternRule(const RuleFile& file, const RuleNode& root, std::vector<Diag>* diags);
void CheckExternSamples(const ExternRule& rule, const RuleFile& file, std::vector<Diag>* diags);

}  // namespace autotune
