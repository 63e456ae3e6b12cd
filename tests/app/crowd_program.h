// Runs `sinew crowd` as a child process.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "child.h"
#include "picture.h"

namespace sinew::test {

struct CrowdRun {
  Outcome outcome;
  nlohmann::json json;  // the --json report; null if the program failed
  Picture picture;      // the screenshot; empty if the program failed
};

/// Runs `sinew crowd` with `arguments` at 320x180 pixels. Draws the built-in character unless `arguments` name files.
CrowdRun crowd(std::vector<std::string> arguments, const Environment& environment = {});

/// Skips the test without a Vulkan device.
class Crowd : public ::testing::Test {
 protected:
  void SetUp() override { SINEW_SKIP_WITHOUT_DEVICE(); }
};

}  // namespace sinew::test
