#include "analyzer/base/digest.h"

// The functions of SHA-256 itself: EVP would read openssl.cnf and set up providers first, which takes longer than all
// else that a small log needs. OpenSSL 3 deprecates them in favour of EVP; they are still what EVP calls.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

namespace autotune {
namespace {

Sha256Digest Digest(std::string_view a, std::string_view b, std::string_view c) {
  Sha256Digest out{};
  SHA256_CTX context;
  SHA256_Init(&context);
  for (std::string_view part : {a, b, c}) SHA256_Update(&context, part.data(), part.size());
  SHA256_Final(out.data(), &context);
  return out;
}

}  // namespace

// Python's base64.b32encode(digest)[:51].lower(): five bits a character from the top; 51 of 52 leave the last bit off.
std::string Base32(const Sha256Digest& digest) {
  static constexpr char kAlphabet[] = "abcdefghijklmnopqrstuvwxyz234567";
  std::string out;
  out.reserve(51);
  uint32_t bits = 0, held = 0;
  for (uint8_t byte : digest) {
    bits = bits << 8 | byte;
    for (held += 8; held >= 5; held -= 5) out.push_back(kAlphabet[bits >> (held - 5) & 31]);
  }
  return out;  // 256 bits are 51 whole characters and one bit
}

Sha256Digest Sha256(std::string_view bytes) { return Digest(bytes, {}, {}); }

std::string Hex(const Sha256Digest& digest) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  out.reserve(64);
  for (uint8_t byte : digest) {
    out.push_back(kDigits[byte >> 4]);
    out.push_back(kDigits[byte & 15]);
  }
  return out;
}

std::string Sha256Base32(std::string_view bytes) { return Base32(Sha256(bytes)); }

std::string CodeHash(std::string_view code, std::string_view extra) {
  return Base32(extra.empty() ? Digest(code, {}, {}) : Digest(code, "||", extra)).insert(0, 1, 'c');
}

struct Sha256Stream::State {
  SHA256_CTX context;
};

Sha256Stream::Sha256Stream() : state_(std::make_unique<State>()) { SHA256_Init(&state_->context); }
Sha256Stream::~Sha256Stream() = default;

void Sha256Stream::Add(std::string_view bytes) { SHA256_Update(&state_->context, bytes.data(), bytes.size()); }

Sha256Digest Sha256Stream::Finish() {
  Sha256Digest out{};
  SHA256_Final(out.data(), &state_->context);
  return out;
}

}  // namespace autotune
