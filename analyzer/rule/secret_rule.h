// Family "secrets": values that must never leave the program. A value is masked as "****" before anything is kept.
//
//   { "id": "url-passwords", "title": "...", "values": "://[^/\\s:@]+:(?P<secret>[^/\\s@]+)@",
//     "samples": [ { "text": "https://me:pw@host/x", "masked": "https://me:****@host/x", "fires": true },
//                  { "text": "http://host:8080/x" } ] }
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/base/diag.h"

namespace autotune {

struct RuleFile;
struct RuleNode;

struct SecretRule {
  std::string id, title;
  std::vector<std::string> names;   // RE2, full match of a setting's name: its value is masked whole
  std::vector<std::string> values;  // RE2, searched in any text: the match (or its group "secret") is masked
  // `masked` is how the text comes out, "" for all of it masked (fires) or untouched (a near miss).
  struct Sample {
    std::string name, text, masked;
    bool fires = false;
  };
  std::vector<Sample> samples;
};

std::optional<SecretRule> DecodeSecretRule(const RuleFile& file, const RuleNode& root, std::vector<Diag>* diags);
void CheckSecretSamples(const SecretRule& rule, const RuleFile& file, std::vector<Diag>* diags);

}  // namespace autotune
