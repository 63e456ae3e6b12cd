// The device of tests: when its absence is a fault.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "test_system.h"
#include "vulkan/without_device.h"

namespace sinew::test {
namespace {

/// Sets an environment variable to a path that does not exist, for as long as it lives.
class WithoutFiles {
 public:
  explicit WithoutFiles(const char* name) : name_(name) {
    if (const char* value = std::getenv(name)) before_ = value;
    set_variable(name, "/nonexistent");
  }
  WithoutFiles(const WithoutFiles&) = delete;
  ~WithoutFiles() { set_variable(name_, before_); }

 private:
  const char* name_;
  std::string before_;  // empty: it is not set
};

TEST(TestDevices, ThatAreGoneFailATest) {
  std::string why_not;
  if (!TestDevice::create(why_not)) return end_without_device(why_not);
  EXPECT_FALSE(TestDevice::is_gone());
  const WithoutFiles drivers("VK_DRIVER_FILES"), of_older_loaders("VK_ICD_FILENAMES");
  ASSERT_FALSE(TestDevice::create(why_not));
  EXPECT_TRUE(TestDevice::is_gone());
  EXPECT_FATAL_FAILURE(end_without_device("no driver"), "THE DEVICE OF EARLIER TESTS IS GONE: no driver");
}

TEST(TestDevices, WithoutWhatATestAsksForAreNotGone) {
  std::string why_not;
  if (!TestDevice::create(why_not)) return end_without_device(why_not);
  const WithoutFiles layers("VK_LAYER_PATH");
  ASSERT_FALSE(TestDevice::create(why_not));
  EXPECT_FALSE(TestDevice::is_gone()) << why_not;
}

}  // namespace
}  // namespace sinew::test
