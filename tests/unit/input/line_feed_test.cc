#include "analyzer/input/line_feed.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "analyzer/input/open_line.h"
#include "analyzer/input/prefilter.h"
#include "tests/unit/input/test_input.h"

namespace autotune {
namespace {

using test::ChanceLog;
using test::Compress;
using test::MemorySource;
using test::Recorder;
using test::Seen;
using test::TemporaryFolder;
using test::Words;

std::vector<Seen> Split(const std::string& text) {
  std::vector<Seen> lines;
  uint64_t number = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back({text.substr(begin, end - begin), ++number});
    begin = end + 1;
  }
  return lines;
}

// What the feed must hand over: lines with a literal, and those that are wanted after one with OPEN.
std::vector<Seen> Needed(const std::string& text, int wants) {
  std::vector<Seen> needed;
  int left = 0;
  for (const Seen& line : Split(text)) {
    const bool hit = std::any_of(Words().begin(), Words().end(),
                                 [&](const std::string& word) { return line.text.find(word) != std::string::npos; });
    if (!hit && left == 0) continue;
    needed.push_back(line);
    left = line.text.find("OPEN") != std::string::npos ? wants : std::max(0, left - 1);
  }
  return needed;
}

FeedOptions Options(const Prefilter* prefilter, size_t chunk, int threads = 1) {
  FeedOptions options;
  options.prefilter = prefilter;
  options.chunk = chunk;
  options.threads = threads;
  return options;
}

TEST(LineFeedTest, EveryPieceAndChunkSizeGivesTheSameLines) {
  const Prefilter prefilter(Words());
  for (const std::string& tail : {std::string(), std::string("a last line without break"), std::string("\r")}) {
    const std::string text = ChanceLog(11, 120, Words(), 6) + tail;
    for (size_t piece = 1; piece < 300; piece += piece < 20 ? 1 : 37) {
      for (const size_t chunk : {1, 2, 3, 7, 64, 250, 1 << 18}) {
        MemorySource source(text, piece);
        Recorder all, some(3);
        const FeedResult read = FeedLines(source, Options(nullptr, chunk), &all);
        EXPECT_EQ(all.lines, Split(text));
        EXPECT_EQ(read.bytes, text.size());
        EXPECT_EQ(read.lines, Split(text).size());
        EXPECT_EQ(read.ended_whole, tail.empty());
        EXPECT_TRUE(read.status.ok());
        MemorySource again(text, piece);
        const FeedResult filtered = FeedLines(again, Options(&prefilter, chunk), &some);
        EXPECT_EQ(some.lines, Needed(text, 3));
        EXPECT_EQ(filtered.lines, read.lines);
        EXPECT_EQ(filtered.ended_whole, read.ended_whole);
      }
    }
  }
}

// Where nearly every line has a literal the prefilter is not asked about each: lines too many are handed over, none too
// few, and numbers stay right; and not for long, once the log is one of steps again.
TEST(LineFeedTest, DenseStretchesAreNotAskedLineByLine) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += i % 10 == 9 ? "nothing here\n" : "a line with " + Words().front() + "\n";
  for (int i = 0; i < 20000; ++i) text += "step\n";
  text += "last " + Words().front() + "\n";
  TemporaryFolder folder;
  const std::string path = folder.Write("log", text);
  const Prefilter prefilter(Words());
  const std::vector<Seen> all = Split(text), needed = Needed(text, 0);
  for (const int threads : {1, 3}) {
    for (const size_t chunk : {size_t{1000}, size_t{64} << 10}) {
      auto source = OpenSource(path);
      ASSERT_TRUE(source.ok());
      Recorder recorder;
      EXPECT_EQ(FeedLines(**source, Options(&prefilter, chunk, threads), &recorder).lines, all.size());
      size_t met = 0;
      for (const Seen& seen : recorder.lines) {
        EXPECT_EQ(seen, all[seen.number - 1]);
        met += met < needed.size() && seen == needed[met];
      }
      EXPECT_EQ(met, needed.size());
      EXPECT_LT(recorder.lines.size(), 3001u + 600u);
    }
  }
}

// At the start of a log lines with a '%' are wanted: those and lines with literals, at any chunk size, and no others.
TEST(LineFeedTest, LinesWithAPercentAreHandedOverWhereTheyAreWanted) {
  struct StartRecorder : Recorder {
    Wanted wants(uint64_t number) const override { return number <= 40 ? Wanted::kWithPercent : Wanted::kNone; }
  };
  std::string text;
  for (int i = 1; i <= 200; ++i) {
    text += i % 7 == 0 ? "45%|####\n" : i % 11 == 0 ? "with " + Words().front() + "\n" : "step\n";
  }
  TemporaryFolder folder;
  const std::string path = folder.Write("log", text);
  const Prefilter prefilter(Words());
  std::vector<uint64_t> needed;
  for (uint64_t i = 1; i <= 200; ++i) {
    if ((i % 7 == 0 && i <= 40) || (i % 7 != 0 && i % 11 == 0)) needed.push_back(i);
  }
  for (const int threads : {1, 3}) {
    for (const size_t chunk : {1, 5, 64, 300, 1 << 16}) {
      auto source = OpenSource(path);
      ASSERT_TRUE(source.ok());
      StartRecorder recorder;
      EXPECT_EQ(FeedLines(**source, Options(&prefilter, chunk, threads), &recorder).lines, 200u);
      std::vector<uint64_t> seen;
      for (const Seen& line : recorder.lines) seen.push_back(line.number);
      // The first '%' behind the start may be handed over, too: it was looked for before its number was known.
      std::erase_if(seen, [&](uint64_t number) { return number > 40 && number % 7 == 0; });
      EXPECT_EQ(seen, needed) << threads << ' ' << chunk;
      EXPECT_LE(recorder.lines.size(), needed.size() + 1);
    }
  }
}

TEST(LineFeedTest, AFileIsTheSameWithAnyNumberOfThreads) {
  TemporaryFolder folder;
  const Prefilter prefilter(Words());
  for (const int one_in : {2, 30, 5000}) {
    const std::string text = ChanceLog(21, 60000, Words(), one_in) + "the end";
    const std::string path = folder.Write("log", text);
    const std::vector<Seen> needed = Needed(text, 5);
    for (const int threads : {1, 2, 3, 7}) {
      for (const size_t chunk : {5000, 65536, 1 << 20}) {
        auto source = OpenSource(path);
        ASSERT_TRUE(source.ok());
        Recorder seen(5);
        const FeedResult read = FeedLines(**source, Options(&prefilter, chunk, threads), &seen);
        EXPECT_EQ(seen.lines, needed);
        EXPECT_EQ(read.bytes, text.size());
        EXPECT_EQ(read.lines, 60001u);
        EXPECT_FALSE(read.ended_whole);
      }
    }
  }
}

TEST(LineFeedTest, ACompressedFileIsTheSameWithAnyNumberOfThreads) {
  TemporaryFolder folder;
  const Prefilter prefilter(Words());
  const std::string text = ChanceLog(22, 60000, Words(), 30);
  const std::string path = folder.Write("log", Compress(text, archive_write_add_filter_zstd));
  for (const int threads : {1, 2}) {
    auto source = OpenSource(path);
    ASSERT_TRUE(source.ok());
    Recorder seen(2);
    const FeedResult read = FeedLines(**source, Options(&prefilter, 1 << 16, threads), &seen);
    EXPECT_TRUE(read.status.ok());
    EXPECT_EQ(seen.lines, Needed(text, 2));
    EXPECT_EQ(read.bytes, text.size());
  }
}

TEST(LineFeedTest, StandardInputInTheMiddleOfAFileBeginsThere) {
  TemporaryFolder folder;
  const std::string text = ChanceLog(23, 40000, Words(), 30);
  const std::string path = folder.Write("log", text);
  const Prefilter prefilter(Words());
  const int saved = dup(STDIN_FILENO), fd = open(path.c_str(), O_RDONLY);
  const size_t from = text.find('\n', text.size() / 3) + 1;
  lseek(fd, static_cast<off_t>(from), SEEK_SET);
  dup2(fd, STDIN_FILENO);
  auto source = OpenSource("-");
  ASSERT_TRUE(source.ok());
  Recorder seen;
  const FeedResult read = FeedLines(**source, Options(&prefilter, 1 << 16, 2), &seen);
  dup2(saved, STDIN_FILENO);
  close(saved);
  close(fd);
  EXPECT_EQ(read.bytes, text.size() - from);
  EXPECT_EQ(seen.lines, Needed(text.substr(from), 0));
}

TEST(LineFeedTest, AnErrorComesAfterTheLinesBeforeIt) {
  MemorySource source("OPEN 1\nOPEN 2\nOPE", 5, absl::DataLossError("memory: broken"));
  Recorder seen;
  const FeedResult read = FeedLines(source, {}, &seen);
  EXPECT_EQ(read.status.code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(seen.lines, (std::vector<Seen>{{"OPEN 1", 1}, {"OPEN 2", 2}, {"OPE", 3}}));
  EXPECT_FALSE(read.ended_whole);
}

// Findings of a live stream come out as their lines end, not when a buffer is full.
TEST(LineFeedTest, ALineOfAPipeIsHandedOverWhenItsBreakHasCome) {
  TemporaryFolder folder;
  const std::string path = folder.path() + "/pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const Prefilter prefilter(Words());
  struct Signal : LineConsumer {
    void Line(std::string_view, uint64_t number) override { last = number; }
    Wanted wants(uint64_t) const override { return Wanted::kNone; }
    std::atomic<uint64_t> last{0};
  } consumer;
  std::thread writer([&] {
    const int fd = open(path.c_str(), O_WRONLY);
    for (uint64_t number = 1; number <= 20; ++number) {
      const std::string line = "AUTOTUNE mm(8x8, 8x8)\nnoise";
      ASSERT_EQ(write(fd, line.data(), line.size()), static_cast<ssize_t>(line.size()));
      // The next is not written before this one has arrived.
      for (int i = 0; consumer.last != number && i < 10000; ++i) usleep(1000);
      ASSERT_EQ(consumer.last, number);
    }
    close(fd);
  });
  auto source = OpenSource(path);
  ASSERT_TRUE(source.ok());
  FeedLines(**source, Options(&prefilter, 1 << 18, 2), &consumer);
  writer.join();
}

TEST(LineFeedTest, AStopEndsTheReading) {
  std::atomic<bool> stop = true;
  MemorySource source(ChanceLog(1, 100000, Words(), 2), 100);
  FeedOptions options;
  options.stop = &stop;
  Recorder seen;
  EXPECT_EQ(FeedLines(source, options, &seen).bytes, 0u);
}

TEST(LineFeedTest, ProgressRunsToTheTotal) {
  TemporaryFolder folder;
  const std::string path = folder.Write("log", std::string(40 << 20, '\n'));
  const Prefilter prefilter(Words());
  for (const int threads : {1, 2}) {
    auto source = OpenSource(path);
    uint64_t before = 0, calls = 0;
    FeedOptions options = Options(&prefilter, 1 << 18, threads);
    options.progress = [&](uint64_t done, uint64_t total) {
      EXPECT_GT(done, before);
      EXPECT_EQ(total, uint64_t{40} << 20);
      before = done;
      ++calls;
    };
    Recorder seen;
    EXPECT_EQ(FeedLines(**source, options, &seen).lines, uint64_t{40} << 20);
    EXPECT_EQ(calls, 5u);
  }
}

// The same bytes for the same line, however it arrives, and with and without a prefilter.
TEST(LongLineTest, IsCutTheSameInEveryPiece) {
  const Prefilter prefilter(Words());
  struct Case {
    std::string line, kept;
  };
  const std::string bar(70, '#');
  const std::vector<Case> cases = {
      {std::string(100, 'a') + "tail", std::string(64, 'a')},
      {bar + "\r" + bar + "\rAUTOTUNE mm(8x8, 8x8)", "AUTOTUNE mm(8x8, 8x8)"},
      {bar + "\r", bar.substr(0, 64)},
      {bar + "\r\r\r", bar.substr(0, 64)},
      {"short\r" + bar + "\r", bar.substr(0, 64)},
      {"\r" + bar + "\rx", "x"},
      {bar + "\r\rend\r", "end\r"},
      {std::string(200, '\r'), std::string(64, '\r')},
  };
  for (const Case& c : cases) {
    const std::string text = "first\n" + c.line + "\nOPEN\n" + c.line + "\nlast";
    for (size_t piece = 1; piece < 80; ++piece) {
      for (const size_t chunk : {1, 5, 64}) {
        for (const Prefilter* filter : {static_cast<const Prefilter*>(nullptr), &prefilter}) {
          MemorySource source(text, piece);
          Recorder seen;
          FeedOptions options = Options(filter, chunk);
          options.max_line = 64;
          const FeedResult read = FeedLines(source, options, &seen);
          std::vector<Seen> expected = {{c.kept, 2}, {"OPEN", 3}, {c.kept, 4}};
          if (filter == nullptr) {
            expected.insert(expected.begin(), {"first", 1});
            expected.push_back({"last", 5});
          }
          EXPECT_EQ(seen.lines, expected);
          EXPECT_EQ(seen.long_lines, (std::vector<uint64_t>{2, 4}));
          EXPECT_EQ(read.long_lines, 2u);
          EXPECT_EQ(read.lines, 5u);
        }
      }
    }
  }
}

TEST(LongLineTest, ALineOfTheGreatestLengthIsWhole) {
  const std::string line(64, 'a');
  MemorySource source(line + "\n" + line + "b\n", 7);
  Recorder seen;
  FeedOptions options;
  options.max_line = 64;
  FeedLines(source, options, &seen);
  EXPECT_EQ(seen.lines, (std::vector<Seen>{{line, 1}, {line, 2}}));
  EXPECT_EQ(seen.long_lines, (std::vector<uint64_t>{2}));
}

}  // namespace
}  // namespace autotune
