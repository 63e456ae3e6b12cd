// How a test ends that has no device.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "vulkan/test_device.h"

namespace sinew::test {

/// Skips the test. Where the device of an earlier test is gone, the test fails: a skip would hide that.
inline void end_without_device(const std::string& why_not) {
  if (TestDevice::is_gone()) FAIL() << "THE DEVICE OF EARLIER TESTS IS GONE: " << why_not;
  GTEST_SKIP() << why_not;
}

}  // namespace sinew::test
