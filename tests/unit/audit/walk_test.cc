// Which files an audit finds, in a tree on the disk.
#include "analyzer/audit/walk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "audit_tree.h"

namespace autotune {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> Found(const Tree& tree, const std::vector<std::string>& paths) {
  std::vector<std::string> given;
  for (const std::string& path : paths) given.push_back(tree.Path(path));
  std::vector<std::string> names;
  for (const FoundFile& file : FindFiles(given).files) names.push_back(file.path.substr(tree.Path("").size()));
  return names;
}

TEST(FindFiles, InByteOrderOfTheirPathsAndNothingHidden) {
  Tree tree;
  for (const char* name : {"runs/b.log", "runs/a/2.log", "runs/a.log", "runs/.git/x.log", "runs/.hidden.log"})
    tree.Write(name, "x");
  EXPECT_THAT(Found(tree, {"runs"}), ElementsAre("runs/a.log", "runs/a/2.log", "runs/b.log"));
  EXPECT_THAT(Found(tree, {"runs/"}), ElementsAre("runs/a.log", "runs/a/2.log", "runs/b.log"));
  EXPECT_THAT(Found(tree, {"runs/.hidden.log"}), ElementsAre("runs/.hidden.log")) << "named on the command line";
}

TEST(FindFiles, GivenTwiceIsReadOnce) {
  Tree tree;
  tree.Write("runs/a/1.log", "x");
  EXPECT_THAT(Found(tree, {"runs", "runs/a", "runs/a/1.log"}), ElementsAre("runs/a/1.log"));
}

TEST(FindFiles, ALinkIsFollowedOnceAndNeverIntoItself) {
  Tree tree;
  tree.Write("runs/z.log", "x");
  tree.Write("elsewhere/e.log", "x");
  std::filesystem::create_directory_symlink(tree.Path("runs"), tree.Path("runs/loop"));
  std::filesystem::create_symlink(tree.Path("runs/z.log"), tree.Path("runs/a.log"));
  std::filesystem::create_directory_symlink(tree.Path("elsewhere"), tree.Path("runs/out"));
  EXPECT_THAT(Found(tree, {"runs"}), ElementsAre("runs/out/e.log", "runs/z.log"));
}

TEST(FindFiles, IgnoreFilesSpeakForTheirFolderAndTheLastLineCounts) {
  Tree tree;
  for (const char* name :
       {"runs/a.log", "runs/b.tmp", "runs/keep.tmp", "runs/old/c.log", "runs/new/d.log", "runs/new/d.tmp"})
    tree.Write(name, "x");
  tree.Write("runs/.autotuneignore", "# not these\n*.tmp\n!keep.tmp\nold/\n");
  tree.Write("runs/new/.autotuneignore", "!d.tmp\nd.log\n");
  EXPECT_THAT(Found(tree, {"runs"}), ElementsAre("runs/a.log", "runs/keep.tmp", "runs/new/d.tmp"));
}

TEST(FindFiles, SpecialFilesAreLeftAloneAndMissingOnesToldOf) {
  Tree tree;
  tree.Write("runs/a.log", "x");
  ASSERT_EQ(mkfifo(tree.Path("runs/pipe.log").c_str(), 0600), 0);
  const FoundFiles found = FindFiles({tree.Path("runs"), tree.Path("missing")});
  EXPECT_EQ(found.files.size(), 1u);
  EXPECT_EQ(found.ignored, 1u);
  ASSERT_EQ(found.errors.size(), 1u);
}

TEST(IgnorePattern, IsGitsLanguage) {
  EXPECT_TRUE(IgnorePatternMatches("*.log", "a/b/c.log", false));
  EXPECT_FALSE(IgnorePatternMatches("/*.log", "a/c.log", false));
  EXPECT_TRUE(IgnorePatternMatches("/*.log", "c.log", false));
  EXPECT_TRUE(IgnorePatternMatches("a/**/c.log", "a/x/y/c.log", false));
  EXPECT_TRUE(IgnorePatternMatches("a/**/c.log", "a/c.log", false));
  EXPECT_TRUE(IgnorePatternMatches("run[0-9]", "a/run7", true));
  EXPECT_FALSE(IgnorePatternMatches("run[!0-9]", "run7", true));
  EXPECT_TRUE(IgnorePatternMatches("build/", "build", true));
  EXPECT_FALSE(IgnorePatternMatches("build/", "build", false));
  EXPECT_TRUE(IgnorePatternMatches("a.b?", "a.bc", false));
  EXPECT_FALSE(IgnorePatternMatches("a.b", "axb", false));
}

}  // namespace
}  // namespace autotune
