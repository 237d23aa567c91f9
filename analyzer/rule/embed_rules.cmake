# rules/<family>/<id>.json -> one C++ source that defines EmbeddedRuleFiles() (rule_set.h).
#
#   cmake -DROOT=.../rules -DOUT=embedded_rules.cc -P embed_rules.cmake
#
# Each byte becomes a hex escape, so that no byte of a rule can end a literal, and CMake's own lists and escapes never see
# the text. Compilers read a megabyte of such a literal in a few milliseconds, unlike an array of integers. Literals are
# cut into pieces that stay below the 65,536 characters which C++ promises to take.
cmake_minimum_required(VERSION 3.25)
set(piece_bytes 15000)

function(hex_literal hex out)
  string(LENGTH "${hex}" digits)
  math(EXPR step "${piece_bytes} * 2")
  set(text "")
  set(at 0)
  while(at LESS digits)
    string(SUBSTRING "${hex}" ${at} ${step} piece)
    string(REGEX REPLACE "(..)" "\\\\x\\1" piece "${piece}")
    string(APPEND text "\n    \"${piece}\"sv,")
    math(EXPR at "${at} + ${step}")
  endwhile()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

file(GLOB paths RELATIVE ${ROOT} ${ROOT}/*/*.json)
list(FILTER paths EXCLUDE REGEX "^schema/")
list(SORT paths)

set(entries "")
foreach(path IN LISTS paths)
  cmake_path(GET path PARENT_PATH family)
  cmake_path(GET path STEM LAST_ONLY id)
  file(READ ${ROOT}/${path} hex HEX)
  hex_literal("${hex}" literal)
  string(APPEND entries "  Add(\"${family}\", \"${id}\", {${literal}\n  }, &files);\n")
endforeach()

file(WRITE ${OUT} "// Made from rules/ by embed_rules.cmake.
#include <initializer_list>
#include <string_view>
#include <vector>

#include \"analyzer/rule/rule_set.h\"

namespace autotune {
namespace {

using std::string_view_literals::operator\"\"sv;

void Add(const char* family, const char* id, std::initializer_list<std::string_view> pieces, std::vector<RuleFile>* files) {
  RuleFile& file = files->emplace_back();
  file.family = family;
  file.id = id;
  file.path = \"rules/\" + file.family + \"/\" + file.id + \".json\";
  file.embedded = file.trusted = true;
  for (const std::string_view piece : pieces) file.text += piece;
}

std::vector<RuleFile> Files() {
  std::vector<RuleFile> files;
${entries}  return files;
}

}  // namespace

std::span<const RuleFile> EmbeddedRuleFiles() {
  static const std::vector<RuleFile> files = Files();
  return files;
}

}  // namespace autotune
")
