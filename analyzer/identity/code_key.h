// Inductor's hashes of generated code beyond base/digest.h, and the small text rules around them.
// Facts: torch/_inductor/codecache.py (code_hash, get_path, write), torch/_inductor/select_algorithm.py
// (TritonTemplateCaller, 2.5 to 2.15), torch 2.0 to 2.15.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace autotune {

// torch 2.0's code_hash: code and extra joined without a separator.
std::string CodeHash20(std::string_view code, std::string_view extra = {});

// Python's str.strip(): ASCII white space, 0x1c to 0x1f and Unicode blanks (UTF-8) at both ends. `write()` hashes the
// stripped text and stores the unstripped one.
std::string_view PythonStrip(std::string_view text);

// Python's repr() of a str: single quotes unless the text holds some and no double ones; \n \r \t \\ escaped, other
// control bytes as \xNN. Text is taken as printable UTF-8 beyond that.
std::string PythonRepr(std::string_view text);

// The folder and file of a stem below the cache folder: "cqx6…" + "py" -> "qx/cqx6….py".
std::string CachedPath(std::string_view stem, std::string_view extension);

// A stem as code_hash makes it: "c" and 51 characters of a-z2-7.
bool IsCodeHash(std::string_view text);

// What stands behind "||" when a Triton template's source is hashed: the printed description with every ", " turned
// back into "-", and a final "-". Inductor makes the description by the opposite replacement of *every* "-", so a value
// such as 1e-05 prints as "1e, 05" and comes back whole here. Exact unless a value's own repr holds ", ".
std::string TritonExtra(std::string_view description);
// The opposite: what a block prints for that extra.
std::string TritonDescription(std::string_view extra);

// Stem of the file that `source` is stored under, for a template with this description ("" for other kernels).
std::string TritonSourceHash(std::string_view source, std::string_view description);

// Which Triton made a folder of Triton's cache, by the form of its name.
//   32 hex digits (md5): triton <= 2.3; 64 hex digits: 3.0 to 3.2; 52 upper-case base32 characters: >= 3.3
enum class TritonGeneration { kMd5, kHex, kBase32 };
std::optional<TritonGeneration> TritonFolderGeneration(std::string_view folder);
// "triton <= 2.3", "triton 3.0 - 3.2", "triton >= 3.3"
const char* TritonGenerationName(TritonGeneration generation);
// Folder name for the hexadecimal "hash" inside a kernel's JSON file, as that generation spells it; "" if `hex` is
// none.
std::string TritonFolderName(std::string_view hex, TritonGeneration generation);
// The version that a triton_key (from 3.0 on) begins with: "3.6.0" of "3.6.00355c3e3…-c8b82f…"; "" when it has none.
std::string TritonKeyVersion(std::string_view triton_key);

}  // namespace autotune
