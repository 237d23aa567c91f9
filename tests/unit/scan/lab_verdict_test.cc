// The recorded runs of corpus/lab, judged as the program judges them: what each run's label accepts must lead, what did
// not tune must be clean, and nothing that a log shows equal may be blamed.
#include "tests/unit/scan/lab_labels.h"

namespace autotune {
namespace {

class LabVerdict : public testing::TestWithParam<std::string> {};

TEST_P(LabVerdict, IsWhatTheLabelAccepts) {
  const fs::path lab = fs::path(SOURCE_DIR) / "corpus/lab", run = lab / GetParam();
  const std::optional<Label> label = ReadLabel(run / "label.json");
  ASSERT_TRUE(label);
  const fs::path build = lab / label->built_by;
  ExpectAccepted(run, build, *label, (build / "manifest.md").string());
}

INSTANTIATE_TEST_SUITE_P(Runs, LabVerdict, testing::ValuesIn(LabelledRuns()), TestName);

}  // namespace
}  // namespace autotune
