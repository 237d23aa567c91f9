// SHA-256 and the two spellings inductor gives it. libcrypto does the hashing.
// Facts: torch/_inductor/codecache.py, sha256_hash() and code_hash(), torch 2.0 to 2.15.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace autotune {

using Sha256Digest = std::array<uint8_t, 32>;

Sha256Digest Sha256(std::string_view bytes);
std::string Hex(const Sha256Digest& digest);  // 64 lower-case hex digits
// Base32 (a-z2-7), lower case, first 51 characters, no padding: inductor's sha256_hash().
std::string Sha256Base32(std::string_view bytes);
// "c" + base32(code [+ "||" + extra when extra is not empty]): inductor's code_hash() from torch 2.2 on.
std::string CodeHash(std::string_view code, std::string_view extra = {});

// The same for a text that comes in pieces.
class Sha256Stream {
 public:
  Sha256Stream();
  ~Sha256Stream();
  void Add(std::string_view bytes);
  Sha256Digest Finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};
// sha256_hash()'s spelling of a digest.
std::string Base32(const Sha256Digest& digest);

}  // namespace autotune
