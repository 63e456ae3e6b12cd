// Loads FBX files that tests have built, and compares where their vertices are.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "fbx_builder.h"
#include "gltf_file.h"
#include "own_matrix.h"
#include "posing.h"
#include "sinew/import/import.h"

namespace sinew::test {

class FbxFixture : public ::testing::Test {
 protected:
  /// Throws the message of a refusal.
  Character load(const std::string& text, const std::vector<std::string>& animations = {}) {
    ImportOptions options;
    for (const std::string& animation : animations) {
      const std::string name = "animation" + std::to_string(options.animation_files.size()) + ".fbx";
      options.animation_files.push_back(folder_.write(name, animation));
    }
    report_ = {};
    return must(load_character(folder_.write("model.fbx", text), options, &report_));
  }
  /// The message with which a file is refused; empty if it is not.
  std::string refusal_of(const std::string& text) {
    try {
      load(text);
      return {};
    } catch (const std::runtime_error& refusal) {
      return refusal.what();
    }
  }

  TemporaryFolder folder_;
  ImportReport report_;
};

inline void expect_at(Vec3 actual, const Own3& expected, double tolerance = 1e-5) {
  const double distance =
      std::hypot(double(actual.x) - expected[0], double(actual.y) - expected[1], double(actual.z) - expected[2]);
  EXPECT_LT(distance, tolerance) << actual.x << " " << actual.y << " " << actual.z << ", expected " << expected[0]
                                 << " " << expected[1] << " " << expected[2];
}

/// The four vertices of an FbxProbe, from vertex `first` on, are where `model_from_probe` has them.
inline void expect_probe(const Posed& posed, const OwnMatrix& model_from_probe, double tolerance = 1e-5,
                         size_t first = 0) {
  ASSERT_GE(posed.positions.size(), first + 4);
  const std::vector<Vec3> points = FbxProbe::points();
  for (size_t i = 0; i < points.size(); ++i) {
    const Own3 point = {double(points[i].x), double(points[i].y), double(points[i].z)};
    expect_at(posed.positions[first + i], model_from_probe * point, tolerance);
  }
}

}  // namespace sinew::test
