// gzip, xz and bzip2 by the libraries that define them. All three speak zlib's way: next_in, avail_in, next_out,
// avail_out, and a call that moves as much as it can; so one loop serves them, and what differs is in the codecs.
#include <absl/status/status.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "analyzer/input/decoder.h"

#if AUTOTUNE_ZLIB
#include <zlib.h>
#endif
#if AUTOTUNE_LZMA
#include <lzma.h>
#endif
#if AUTOTUNE_BZIP2
#include <bzlib.h>
#endif

namespace autotune {
namespace {

enum class Step { kMore, kMemberEnded, kBroken };

#if AUTOTUNE_ZLIB
struct GzipCodec {
  static constexpr Compression kCompression = Compression::kGzip;
  static constexpr std::string_view kMagic = std::string_view("\x1f\x8b", 2);
  using Stream = z_stream;
  using Byte = Bytef;

  static bool Begin(Stream* stream) {
    constexpr int kGzipOnly = 16;  // added to the window bits (zlib.h, inflateInit2)
    return inflateInit2(stream, MAX_WBITS + kGzipOnly) == Z_OK;
  }
  static Step Run(Stream* stream, bool, const char** reason) {
    const int result = inflate(stream, Z_NO_FLUSH);
    if (result == Z_STREAM_END) return Step::kMemberEnded;
    if (result == Z_OK || result == Z_BUF_ERROR) return Step::kMore;
    *reason = stream->msg;
    return Step::kBroken;
  }
  static void End(Stream* stream) { inflateEnd(stream); }
};
#endif

#if AUTOTUNE_LZMA
struct XzCodec {
  static constexpr Compression kCompression = Compression::kXz;
  static constexpr std::string_view kMagic = std::string_view("\xfd\x37\x7a\x58\x5a\x00", 6);
  using Stream = lzma_stream;
  using Byte = uint8_t;

  static bool Begin(Stream* stream) {
    // What `xz -9` needs is 65 MiB; more is either no log or meant to hurt.
    constexpr uint64_t kMostMemory = 256 << 20;
    return lzma_stream_decoder(stream, kMostMemory, 0) == LZMA_OK;
  }
  static Step Run(Stream* stream, bool input_ended, const char** reason) {
    switch (lzma_code(stream, input_ended ? LZMA_FINISH : LZMA_RUN)) {
      case LZMA_STREAM_END:
        return Step::kMemberEnded;
      case LZMA_OK:
      case LZMA_BUF_ERROR:
        return Step::kMore;
      case LZMA_MEMLIMIT_ERROR:
        *reason = "unpacking it takes too much memory";
        return Step::kBroken;
      default:
        return Step::kBroken;
    }
  }
  static void End(Stream* stream) { lzma_end(stream); }
};
#endif

#if AUTOTUNE_BZIP2
struct Bzip2Codec {
  static constexpr Compression kCompression = Compression::kBzip2;
  static constexpr std::string_view kMagic = "BZh";
  using Stream = bz_stream;
  using Byte = char;

  static bool Begin(Stream* stream) { return BZ2_bzDecompressInit(stream, 0, 0) == BZ_OK; }
  static Step Run(Stream* stream, bool, const char**) {
    const int result = BZ2_bzDecompress(stream);
    if (result == BZ_STREAM_END) return Step::kMemberEnded;
    return result == BZ_OK ? Step::kMore : Step::kBroken;
  }
  static void End(Stream* stream) { BZ2_bzDecompressEnd(stream); }
};
#endif

template <class Codec>
class StreamDecoder : public Decoder {
 public:
  explicit StreamDecoder(Source* raw) : raw_(raw) {}
  ~StreamDecoder() override {
    if (in_member_) Codec::End(&stream_);
  }

  absl::StatusOr<size_t> Read(char* buffer, size_t size) override {
    size_t produced = 0;
    while (status_.ok() && produced == 0 && size > 0) {
      if (input_.empty() && !input_ended_) Refill();
      if (!in_member_ && !BeginMember()) break;
      if (in_member_) produced = Decode(buffer, size);
    }
    if (produced == 0 && !status_.ok()) return status_;
    return produced;
  }

 private:
  void Refill() {
    absl::StatusOr<size_t> n = raw_->Read(bytes_, sizeof bytes_);
    if (!n.ok()) raw_status_ = n.status();
    input_ended_ = !n.ok() || *n == 0;
    if (n.ok()) input_ = std::string_view(bytes_, *n);
  }

  // False at the end of the input, or when what follows is no member (status_ says so).
  bool BeginMember() {
    // Zeros between or behind members are padding (xz-file-format.txt 2.2; tapes and preallocated files for the rest).
    if (members_ > 0) input_.remove_prefix(std::min(input_.find_first_not_of('\0'), input_.size()));
    if (input_.empty()) {
      if (!input_ended_) return true;
      status_ = raw_status_;
      return false;
    }
    const size_t n = std::min(input_.size(), Codec::kMagic.size());
    if (input_.substr(0, n) != Codec::kMagic.substr(0, n)) {
      Break("it is followed by something else");
      return false;
    }
    stream_ = {};
    if (!Codec::Begin(&stream_)) {
      Break("no memory to unpack it");
      return false;
    }
    in_member_ = true;
    ++members_;
    return true;
  }

  size_t Decode(char* buffer, size_t size) {
    const size_t given = input_.size();
    const size_t room = std::min<size_t>(size, 1 << 30);  // the counts of zlib and libbz2 have 32 bits
    stream_.next_in = reinterpret_cast<typename Codec::Byte*>(const_cast<char*>(input_.data()));
    stream_.avail_in = static_cast<decltype(stream_.avail_in)>(given);
    stream_.next_out = reinterpret_cast<typename Codec::Byte*>(buffer);
    stream_.avail_out = static_cast<decltype(stream_.avail_out)>(room);
    const char* reason = nullptr;
    const Step step = Codec::Run(&stream_, input_ended_, &reason);
    input_.remove_prefix(given - stream_.avail_in);
    const size_t produced = room - stream_.avail_out;
    if (step == Step::kMemberEnded) {
      Codec::End(&stream_);
      in_member_ = false;
    } else if (step == Step::kBroken) {
      Break(reason);
    } else if (produced == 0 && input_ended_) {
      // Nothing came out although all that there is went in.
      status_ = raw_status_.ok() ? BrokenData(*raw_, Codec::kCompression, "it ends in the middle") : raw_status_;
    }
    return produced;
  }

  void Break(const char* reason) { status_ = BrokenData(*raw_, Codec::kCompression, reason); }

  Source* const raw_;
  typename Codec::Stream stream_ = {};
  bool in_member_ = false, input_ended_ = false;
  uint64_t members_ = 0;
  std::string_view input_;  // of bytes_, what is not used up
  absl::Status status_, raw_status_;
  char bytes_[64 << 10];
};

}  // namespace

std::unique_ptr<Decoder> MakeStreamDecoder(Compression compression, Source* raw) {
  switch (compression) {
#if AUTOTUNE_ZLIB
    case Compression::kGzip:
      return std::make_unique<StreamDecoder<GzipCodec>>(raw);
#endif
#if AUTOTUNE_LZMA
    case Compression::kXz:
      return std::make_unique<StreamDecoder<XzCodec>>(raw);
#endif
#if AUTOTUNE_BZIP2
    case Compression::kBzip2:
      return std::make_unique<StreamDecoder<Bzip2Codec>>(raw);
#endif
    default:
      static_cast<void>(raw);
      return nullptr;
  }
}

}  // namespace autotune
