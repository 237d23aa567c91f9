#include "analyzer/input/source.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>

#include "tests/unit/input/test_input.h"

namespace autotune {
namespace {

using test::ChanceLog;
using test::Compress;
using test::TemporaryFolder;
using test::Words;

struct All {
  std::string bytes;
  absl::Status status;
};

All ReadAll(Source& source, size_t piece = 1000) {
  All all;
  std::string buffer(piece, 0);
  while (true) {
    absl::StatusOr<size_t> n = source.Read(buffer.data(), buffer.size());
    if (!n.ok()) {
      all.status = n.status();
      // Broken stays broken.
      EXPECT_FALSE(source.Read(buffer.data(), buffer.size()).ok());
      return all;
    }
    if (*n == 0) return all;
    all.bytes.append(buffer, 0, *n);
  }
}

struct Kind {
  const char* name;
  test::AddFilter add;
};
void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

class CompressedTest : public testing::TestWithParam<Kind> {
 protected:
  TemporaryFolder folder_;
};

constexpr Kind kKinds[] = {{"gzip", archive_write_add_filter_gzip},
                           {"zstd", archive_write_add_filter_zstd},
                           {"xz", archive_write_add_filter_xz},
                           {"bzip2", archive_write_add_filter_bzip2},
                           {"lz4", archive_write_add_filter_lz4}};
std::string KindName(const testing::TestParamInfo<Kind>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(Kinds, CompressedTest, testing::ValuesIn(kKinds), KindName);

TEST_P(CompressedTest, IsKnownByContentNotByName) {
  const std::string text = ChanceLog(1, 5000, Words(), 20);
  auto source = OpenSource(folder_.Write("train.log", Compress(text, GetParam().add)));
  ASSERT_TRUE(source.ok()) << source.status();
  EXPECT_TRUE((*source)->compressed());
  EXPECT_EQ((*source)->fd(), -1);
  const All all = ReadAll(**source);
  EXPECT_TRUE(all.status.ok()) << all.status;
  EXPECT_EQ(all.bytes, text);
}

TEST_P(CompressedTest, MembersOneAfterTheOtherAreReadThrough) {
  const std::string a = ChanceLog(2, 3000, Words(), 20), b = ChanceLog(3, 10, Words(), 2),
                    c = ChanceLog(4, 5000, Words(), 9);
  const std::string joined = Compress(a, GetParam().add) + Compress(b, GetParam().add) + Compress(c, GetParam().add);
  auto source = OpenSource(folder_.Write("rotated", joined));
  ASSERT_TRUE(source.ok());
  const All all = ReadAll(**source);
  EXPECT_TRUE(all.status.ok()) << all.status;
  EXPECT_EQ(all.bytes, a + b + c);
}

TEST_P(CompressedTest, NothingCompressedIsEmpty) {
  // libarchive's writer of lz4 fails on nothing; this is what lz4(1) writes.
  const std::string bytes = std::string(GetParam().name) == "lz4"
                                ? std::string("\x04\x22\x4d\x18\x64\x40\xa7\0\0\0\0\x05\x5d\xcc\x02", 15)
                                : Compress("", GetParam().add);
  auto source = OpenSource(folder_.Write("empty", bytes));
  ASSERT_TRUE(source.ok());
  const All all = ReadAll(**source);
  EXPECT_TRUE(all.status.ok()) << all.status;
  EXPECT_EQ(all.bytes, "");
}

TEST_P(CompressedTest, CutDataGivesWhatCouldBeReadAndAnError) {
  const std::string text = ChanceLog(5, 40000, Words(), 20);
  const std::string whole = Compress(text, GetParam().add);
  auto source = OpenSource(folder_.Write("cut", whole.substr(0, whole.size() / 2)));
  ASSERT_TRUE(source.ok());
  const All all = ReadAll(**source);
  EXPECT_EQ(all.status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(all.status.message()), testing::HasSubstr(GetParam().name));
  EXPECT_EQ(all.bytes, text.substr(0, all.bytes.size()));
  // Blocks of lz4 (4 MiB) and bzip2 (900 kB) are of no use in part.
  const size_t block = GetParam().add == archive_write_add_filter_lz4 ? 4 << 20 : 1 << 20;
  EXPECT_GE(all.bytes.size() + block, text.size() / 2);
}

// A log that is smaller than a decompressor's buffers, cut a few bytes before its end.
TEST(StreamTest, ASmallLogThatIsCutShortIsReadAsFarAsItGoes) {
  TemporaryFolder folder;
  const std::string text = ChanceLog(15, 300, Words(), 20);
  for (const test::AddFilter add : {archive_write_add_filter_gzip, archive_write_add_filter_xz}) {
    const std::string whole = Compress(text, add);
    for (size_t lost = 1; lost < whole.size(); lost += 97) {
      auto source = OpenSource(folder.Write("cut", whole.substr(0, whole.size() - lost)));
      ASSERT_TRUE(source.ok());
      if (!(*source)->compressed()) continue;  // not even its first bytes are left
      const All all = ReadAll(**source);
      EXPECT_EQ(all.status.code(), absl::StatusCode::kDataLoss);
      EXPECT_EQ(all.bytes, text.substr(0, all.bytes.size()));
      EXPECT_GE(all.bytes.size() + 2 * lost + 1000, text.size());
    }
  }
}

TEST_P(CompressedTest, PaddingIsIgnoredOtherBytesBehindTheEndAreNot) {
  const std::string text = ChanceLog(16, 300, Words(), 20), whole = Compress(text, GetParam().add);
  if (whole.substr(0, 4) == "\x28\xb5\x2f\xfd" || whole.substr(0, 4) == "\x04\x22\x4d\x18") GTEST_SKIP();
  auto padded = OpenSource(folder_.Write("padded", whole + std::string(512, '\0')));
  const All good = ReadAll(**padded);
  EXPECT_TRUE(good.status.ok()) << good.status;
  EXPECT_EQ(good.bytes, text);
  auto dirty = OpenSource(folder_.Write("dirty", whole + "and then text"));
  const All bad = ReadAll(**dirty);
  EXPECT_EQ(bad.status.code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(bad.bytes, text);
}

TEST_P(CompressedTest, ReadsThroughAPipeThatGivesOneByteAtATime) {
  const std::string text = ChanceLog(6, 200, Words(), 20), whole = Compress(text, GetParam().add);
  const std::string path = folder_.path() + "/pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  std::thread writer([&] {
    const int fd = open(path.c_str(), O_WRONLY);
    for (const char c : whole) ASSERT_EQ(write(fd, &c, 1), 1);
    close(fd);
  });
  auto source = OpenSource(path);
  const All all = source.ok() ? ReadAll(**source) : All{"", source.status()};
  writer.join();
  EXPECT_TRUE(all.status.ok()) << all.status;
  EXPECT_EQ(all.bytes, text);
  EXPECT_TRUE((*source)->may_wait());
}

TEST(SourceTest, PlainTextIsHandedOverAsItLies) {
  TemporaryFolder folder;
  // Beginnings of compressed data, and less than that, are text when what follows is.
  for (const std::string text :
       {"", "\n", "B", "BZ", "BZh", "BZh9", "BZh9 is not bzip2\n", "\x1f", "\x1f\x8b", "\x28\xb5",
        "\xfd"
        "7z",
        "\x04\x22", "AUTOTUNE mm(8x8, 8x8)\n"}) {
    auto source = OpenSource(folder.Write("train.log.gz", text));
    ASSERT_TRUE(source.ok());
    EXPECT_FALSE((*source)->compressed());
    EXPECT_GE((*source)->fd(), 0);
    const All all = ReadAll(**source);
    EXPECT_TRUE(all.status.ok());
    EXPECT_EQ(all.bytes, text);
  }
}

TEST(SourceTest, APipeGivesWhatIsThereAtOnce) {
  TemporaryFolder folder;
  const std::string path = folder.path() + "/pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const int hold = open(path.c_str(), O_RDWR);
  const int in = open(path.c_str(), O_WRONLY);
  ASSERT_EQ(write(in, "first\n", 6), 6);
  auto source = OpenSource(path);
  ASSERT_TRUE(source.ok());
  EXPECT_EQ((*source)->fd(), -1);
  char buffer[100];
  absl::StatusOr<size_t> n = (*source)->Read(buffer, sizeof buffer);
  ASSERT_TRUE(n.ok());
  EXPECT_EQ(std::string(buffer, *n), "first\n");
  ASSERT_EQ(write(in, "second\n", 7), 7);
  n = (*source)->Read(buffer, sizeof buffer);
  ASSERT_TRUE(n.ok());
  EXPECT_EQ(std::string(buffer, *n), "second\n");
  close(in);
  close(hold);
  n = (*source)->Read(buffer, sizeof buffer);
  ASSERT_TRUE(n.ok());
  EXPECT_EQ(*n, 0u);
}

TEST(SourceTest, WhatCannotBeOpenedSaysWhy) {
  TemporaryFolder folder;
  const auto missing = OpenSource(folder.path() + "/nothing.log");
  EXPECT_EQ(missing.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(missing.status().message()), testing::HasSubstr("nothing.log: no such file"));
  const auto directory = OpenSource(folder.path());
  EXPECT_EQ(directory.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(directory.status().message()), testing::HasSubstr("is a directory"));
}

TEST(SourceTest, DamagedDataIsAnErrorAfterWhatWasGood) {
  TemporaryFolder folder;
  const std::string text = ChanceLog(8, 40000, Words(), 20);
  std::string bytes = Compress(text, archive_write_add_filter_gzip);
  for (size_t i = bytes.size() / 2; i < bytes.size() / 2 + 64; ++i) bytes[i] = static_cast<char>(0xff);
  auto source = OpenSource(folder.Write("damaged", bytes));
  ASSERT_TRUE(source.ok());
  const All all = ReadAll(**source);
  EXPECT_EQ(all.status.code(), absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace autotune
