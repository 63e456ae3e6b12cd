// A device for tests of the host, with validation: any message fails the test.
#pragma once

#include <gtest/gtest.h>

#include "host/graphics.h"
#include "test_system.h"

namespace host {

/// A device that an earlier test had, and that is gone, is a fault of its own: a skip would hide it.
inline bool has_device() {
  static bool was_there = false;
  const auto instance = create_instance({});
  const auto devices = instance ? list_devices(*instance) : instance.error();
  const bool is_there = devices && choose_device(*devices, "");
  EXPECT_TRUE(is_there || !was_there) << "THE DEVICE OF EARLIER TESTS IS GONE";
  was_there = was_there || is_there;
  return is_there;
}

#define HOST_SKIP_WITHOUT_DEVICE() \
  if (!has_device()) GTEST_SKIP() << "NO VULKAN DEVICE: nothing about the GPU was tested here"

class HostTest : public ::testing::Test {
 protected:
  void SetUp() override {
    HOST_SKIP_WITHOUT_DEVICE();
    GraphicsOptions options;
    options.validate = sinew::test::validates();
    const Status done = set_up(options, context_);
    ASSERT_TRUE(done) << done.error().message;
  }
  void TearDown() override { EXPECT_EQ(validation_messages(context_.instance), 0u); }

  GraphicsContext context_;
};

}  // namespace host
