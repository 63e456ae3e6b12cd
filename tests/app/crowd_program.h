// `sinew crowd` as tests run it.
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
  nlohmann::json json;  // null where the program failed
  Picture picture;
};

/// A small crowd of the built-in character, or of what `arguments` name.
CrowdRun crowd(std::vector<std::string> arguments, const Environment& environment = {});

class Crowd : public ::testing::Test {
 protected:
  void SetUp() override { SINEW_SKIP_WITHOUT_DEVICE(); }
};

}  // namespace sinew::test
