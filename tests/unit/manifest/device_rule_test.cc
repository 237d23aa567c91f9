// The devices as a whole: what one file's samples cannot show.
#include "analyzer/rule/device_rule.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/unit/manifest/facts_listing.h"

namespace autotune {
namespace {

std::string NameOf(std::string_view text) {
  const DeviceRule* device = DeviceOfName(Rules().devices, text);
  return device == nullptr ? "" : device->device;
}

std::set<std::string> AllOf(std::string_view text) {
  std::set<std::string> names;
  for (const DeviceRule* device : DevicesOf(Rules().devices, text)) names.insert(device->device);
  return names;
}

TEST(DeviceRules, EveryNameMeansItsOwnDeviceAmongAll) {
  ASSERT_FALSE(Rules().devices.empty());
  for (const DeviceRule& device : Rules().devices) {
    EXPECT_EQ(NameOf(device.device), device.device);
    for (const std::string& name : device.names) EXPECT_EQ(NameOf("Vendor " + name + " 80GB"), device.device) << name;
    for (const std::string& architecture : device.architectures)
      EXPECT_EQ(AllOf(architecture).count(device.device), 1u) << architecture;
  }
}

TEST(DeviceRules, TheLongestNameIsMeant) {
  EXPECT_EQ(NameOf("NVIDIA GeForce RTX 4070 Ti SUPER"), "GeForce RTX 4070 Ti Super");
  EXPECT_EQ(NameOf("NVIDIA GeForce RTX 4070 Ti"), "GeForce RTX 4070 Ti");
  EXPECT_EQ(NameOf("NVIDIA RTX 6000 Ada Generation"), "RTX 6000 Ada");
  EXPECT_EQ(NameOf("Quadro RTX 6000"), "Quadro RTX 6000");
  EXPECT_EQ(NameOf("AMD Instinct MI250X/MI250"), "MI250X / MI250");
  EXPECT_EQ(NameOf("gfx942 (AMD MI300X)"), "MI300X");
}

TEST(DeviceRules, WordsAreWhole) {
  EXPECT_EQ(NameOf("NVIDIA A1000"), "");
  EXPECT_EQ(NameOf("NVIDIA L40S"), "L40S");
  EXPECT_EQ(NameOf("NVIDIA GH200 480GB"), "GH200");
  EXPECT_EQ(NameOf(""), "");
  EXPECT_EQ(NameOf("N/A (CPU only)"), "");
}

TEST(DeviceRules, TwoNamesAreNoName) {
  EXPECT_EQ(NameOf("H100 and MI300X compared"), "");
  EXPECT_EQ(AllOf("H100 and MI300X compared"), (std::set<std::string>{"H100", "MI300X"}));
  EXPECT_EQ(NameOf("H100, H100, H100"), "H100");
}

TEST(DeviceRules, ArchitecturesMeanTheirDevices) {
  EXPECT_EQ(AllOf("gfx942:sramecc+:xnack-"), (std::set<std::string>{"MI300X", "MI300A", "MI325X", "MI308X"}));
  EXPECT_EQ(AllOf("sm_90 (NVIDIA Hopper)"), AllOf("compute capability 9.0"));
  EXPECT_EQ(AllOf("9.0"), AllOf("sm_90a"));
  EXPECT_TRUE(AllOf("driver 9.0.1").empty()) << "a number in a text is no architecture";
  EXPECT_TRUE(AllOf("x86_64").empty());
}

}  // namespace
}  // namespace autotune
