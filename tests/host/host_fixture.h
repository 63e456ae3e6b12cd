// A device for tests of the host, with validation: any message fails the test.
#pragma once

#include <gtest/gtest.h>

#include "host/graphics.h"

namespace host {

inline bool has_device() {
  const auto instance = create_instance({});
  if (!instance) return false;
  const auto devices = list_devices(*instance);
  return devices && choose_device(*devices, "");
}

#define HOST_SKIP_WITHOUT_DEVICE() \
  if (!has_device()) GTEST_SKIP() << "NO VULKAN DEVICE: nothing about the GPU was tested here"

class HostTest : public ::testing::Test {
 protected:
  void SetUp() override {
    HOST_SKIP_WITHOUT_DEVICE();
    GraphicsOptions options;
    options.validate = true;
    const Status done = set_up(options, context_);
    ASSERT_TRUE(done) << done.error().message;
  }
  void TearDown() override { EXPECT_EQ(validation_messages(context_.instance), 0u); }

  GraphicsContext context_;
};

}  // namespace host
