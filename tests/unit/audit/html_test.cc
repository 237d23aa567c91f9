// What a hostile log may do to the page: nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/audit/html_audit_writer.h"
#include "audit_tree.h"

namespace autotune {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(HtmlPage, EscapesEverythingThatALogSays) {
  const std::string attack = "</script><img src=x onerror=alert(1)>\"'&\x1b[2J";
  RunRecord run;
  run.source = run.answer = run.torch = run.gpu = run.day = attack;
  run.notes = {attack};
  run.state = Verdict::State::kMismatch;
  run.tuned = true;
  run.problems.push_back({attack, attack, 1, 1, {{attack, 1}}, attack});
  Suspect suspect;
  suspect.setting = suspect.why = suspect.fix = attack;
  suspect.observed = attack;
  suspect.confidence = 0.9;
  suspect.basis = Basis::kObserved;
  run.suspects = {suspect};
  Totals totals;
  totals.Add(run);
  HtmlAuditWriter writer;
  writer.OnRun(run);
  writer.OnError(absl::DataLossError("</script><img src=x onerror=alert(1)>"));
  const std::string page = writer.Page(totals, AuditCounts());
  EXPECT_THAT(page, Not(HasSubstr("<img")));
  EXPECT_THAT(page, Not(HasSubstr("\x1b")));
  EXPECT_THAT(page, HasSubstr("&lt;img src=x onerror=alert(1)&gt;"));
  size_t scripts = 0;
  for (size_t at = page.find("</script"); at != std::string::npos; at = page.find("</script", at + 1)) ++scripts;
  EXPECT_EQ(scripts, 2u) << "the evidence and the page's own";
  EXPECT_THAT(page, Not(HasSubstr("http://")));
  EXPECT_THAT(page, Not(HasSubstr("https://")));
}

TEST(HtmlPage, IsPutInPlaceWholeOrNotAtAll) {
  Tree tree;
  HtmlAuditWriter writer;
  EXPECT_TRUE(writer.Write(tree.Path("a.html"), Totals(), AuditCounts()).ok());
  EXPECT_THAT(tree.Read("a.html"), HasSubstr("</html>"));
  EXPECT_FALSE(std::filesystem::exists(tree.Path("a.html.part")));
  EXPECT_FALSE(writer.Write(tree.Path("missing/a.html"), Totals(), AuditCounts()).ok());
}

}  // namespace
}  // namespace autotune
