// A rule file as a tree that remembers where each value stands, so that a family's decoder can say file, line, column.
//
// simdjson does the parsing and the UTF-8 and syntax checks; this tree is what decoders walk. Where a text is broken
// simdjson says what but not where (and says it differently from release to release), so rule/json_fault.h finds the
// place.
#pragma once

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
  std::vector<RuleNode> items;                            // kArray
  std::vector<std::pair<std::string, RuleNode>> members;  // kObject, in file order
  int line = 0, column = 0;                               // of the value's first byte, from 1
  int key_line = 0, key_column = 0;                       // of the opening quote of a member's key; 0 for others

  // Out of line: `members` holds pairs of this very type, which is not complete before the closing brace (clang 14
  // minds).
  RuleNode();
  RuleNode(const RuleNode&);
  RuleNode(RuleNode&&) noexcept;
  RuleNode& operator=(const RuleNode&);
  RuleNode& operator=(RuleNode&&) noexcept;
  ~RuleNode();

  const RuleNode* Find(std::string_view key) const;
};

// A rule file's text and where it came from ("rules/evidence/env.json", or the same name inside the binary).
struct RuleFile {
  std::string path;
  std::string
      family;      // folder name: "evidence", "wrappers", "backends", "layouts", "settings", "causes", "devices", ...
  std::string id;  // file name without .json; must equal the "id" inside
  std::string text;
  bool embedded = false;  // compiled into the binary; else of a person's folder
  // Embedded, so checked by the build's own tests: at every start its patterns are not compiled again,
  // its "samples" are not in the tree, and the tree has no places (lines are 0).
  bool trusted = false;
};

// Parses the text; on a syntax error adds one Diag with place and caret and returns false.
bool ParseRuleFile(const RuleFile& file, RuleNode* root, std::vector<Diag>* diags);

// A Diag at a place of the file, with the source line as excerpt. Line 0: the file as a whole.
Diag RuleDiag(const RuleFile& file, int line, int column, std::string code, std::string message, std::string fix = "");

// Adds R030 unless the rule has both kinds of samples: one that fires, and one that nearly does. For sample checks.
void CheckBothKinds(const RuleFile& file, bool fires, bool near_miss, std::vector<Diag>* diags);

// Typed access to one object of a rule file. Every accessor marks its key as known; Done() reports the keys that nobody
// asked for (with the nearest known key as a suggestion). All problems go to `diags`; accessors then return an empty
// value.
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
  // A string, or a string or list of strings, that must compile as RE2 (R021). That a literal can be drawn from it
  // (R020) is asked for in evidence alone, where a prefilter lives on it (rule/literals.h).
  std::string Pattern(std::string_view key, bool required = true);
  std::vector<std::string> Patterns(std::string_view key, bool required = false);

  // At a value.
  void Error(const RuleNode& at, std::string code, std::string message, std::string fix = "");
  void Warning(const RuleNode& at, std::string code, std::string message, std::string fix = "");
  void Done();

  // No error so far in this object.
  bool ok() const { return ok_; }
  const RuleNode& object() const { return object_; }
  const RuleFile& file() const { return file_; }
  std::vector<Diag>* diags() const { return diags_; }

 private:
  const RuleNode* Member(std::string_view key, bool required);
  const RuleNode* Member(std::string_view key, RuleNode::Kind kind, const char* wanted, bool required);
  void CheckPattern(const RuleNode& at);
  // Left out of a trusted file's tree (RuleFile::trusted), so not missing.
  bool Checked(std::string_view key) const { return file_.trusted && key == "samples"; }

  const RuleFile& file_;
  const RuleNode& object_;
  std::vector<Diag>* diags_;
  std::vector<std::string> known_;
  bool ok_ = true;
};

}  // namespace autotune
