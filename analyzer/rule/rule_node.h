// A rule file as a tree that remembers where each value stands, so that a family's decoder can say file, line, column.
//
// simdjson does the parsing and the UTF-8 and syntax checks; this tree is what decoders walk. Rule files are small
// and few: clarity over speed here. (Startup speed comes from the rules compiled into the binary, see rule_set.h.)
#pragma once

#include <absl/status/statusor.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/base/diag.h"

namespace autotune {

struct RuleNode {
  enum class Kind { kNull, kBool, kNumber, kString, kArray, kObject };
  Kind kind = Kind::kNull;
  bool boolean = false;
  double number = 0;
  std::string string;
  std::vector<RuleNode> items;                             // kArray
  std::vector<std::pair<std::string, RuleNode>> members;   // kObject, in file order
  int line = 0, column = 0;                                // of the value's first byte, from 1

  const RuleNode* Find(std::string_view key) const;
};

// A rule file's text and where it came from ("rules/evidence/env.json", or the same name inside the binary).
struct RuleFile {
  std::string path;
  std::string family;  // folder name: "evidence", "wrappers", "backends", "layouts", "settings", "causes", "devices", ...
  std::string id;      // file name without .json; must equal the "id" inside
  std::string text;
};

// Parses the text; on a syntax error adds one Diag with place and caret and returns false.
bool ParseRuleFile(const RuleFile& file, RuleNode* root, std::vector<Diag>* diags);

// Typed access to one object of a rule file. Every accessor marks its key as known; Done() reports the keys that nobody
// asked for (with the nearest known key as a suggestion). All problems go to `diags`; accessors then return an empty value.
class RuleReader {
 public:
  RuleReader(const RuleFile& file, const RuleNode& object, std::vector<Diag>* diags);

  std::string String(std::string_view key, bool required = true);
  std::vector<std::string> Strings(std::string_view key, bool required = false);  // a string or a list of strings
  double Number(std::string_view key, double otherwise);
  bool Bool(std::string_view key, bool otherwise);
  const RuleNode* Object(std::string_view key, bool required = false);
  const std::vector<RuleNode>& Array(std::string_view key, bool required = false);  // empty when absent
  // One of `allowed`, else an error naming them all.
  std::string OneOf(std::string_view key, const std::vector<std::string>& allowed, bool required = true);
  // A string that must compile as RE2 and from which RE2 can draw a literal (else a warning R020).
  std::string Pattern(std::string_view key, bool required = true);

  void Error(const RuleNode& at, std::string code, std::string message, std::string fix = "");
  void Done();

  bool ok() const { return ok_; }
  const RuleFile& file() const { return file_; }
  std::vector<Diag>* diags() const { return diags_; }

 private:
  const RuleNode* Member(std::string_view key, bool required);

  const RuleFile& file_;
  const RuleNode& object_;
  std::vector<Diag>* diags_;
  std::vector<std::string> known_;
  bool ok_ = true;
};

}  // namespace autotune
