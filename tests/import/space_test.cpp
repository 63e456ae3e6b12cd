// Axes and units that a file gives, made valid.
#include "scene.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace sinew::internal {
namespace {

struct SpaceRow {
  ModelSpace given, repaired;
  std::vector<std::string> warnings = {};
};

std::vector<SpaceRow> space_rows() {
  const Vec3 y{0, 1, 0}, z{0, 0, 1}, down{0, 0, -1}, back{0, -1, 0};
  const ModelSpace valid{{0, 0.6f, 0.8f}, {0, -0.8f, 0.6f}, 0.0254f};
  std::vector<SpaceRow> rows = {
      {valid, valid},
      {{{0, 3e20f, 0}, {0, 1, 1}, 1}, {y, z, 1}},  // unit length and a right angle, without a word
      {{y, y, 1}, {y, z, 1}, {"its front axis (0, 1, 0) is along its up axis, (0, 0, 1) is taken"}},
      {{z, down, 1}, {z, back, 1}, {"along its up axis"}},
      {{{NAN, NAN, NAN}, {NAN, NAN, NAN}, NAN}, {y, z, 0.01f}, {"its unit", "its up axis", "its front axis"}}};
  for (const float unit : {NAN, INFINITY, -INFINITY, 0.0f, -0.01f, 1e-40f, 1e30f})
    rows.push_back({{y, z, unit}, {y, z, 0.01f}, {" is taken as 0.01 m"}});
  for (const Vec3 none : {Vec3{0, 0, 0}, Vec3{NAN, 1, 0}, Vec3{0, INFINITY, 0}}) {
    rows.push_back({{none, z, 1}, {y, z, 1}, {"its up axis"}});
    rows.push_back({{z, none, 1}, {z, back, 1}, {"its front axis"}});
  }
  return rows;
}

TEST(RepairSpace, ReplacesWhatIsNoAxisOrUnitAndSaysSo) {
  const std::vector<SpaceRow> rows = space_rows();
  for (size_t i = 0; i < rows.size(); ++i) {
    SCOPED_TRACE("row " + std::to_string(i));
    const auto& [given, wanted, parts] = rows[i];
    ModelSpace space = given;
    std::vector<std::string> warnings;
    repair_space(space, warnings, 0.01f);
    EXPECT_TRUE(validate(space)) << validate(space).error().message;
    EXPECT_LT(length(space.up - wanted.up), 1e-6f);
    EXPECT_LT(length(space.front - wanted.front), 1e-6f);
    EXPECT_EQ(space.meters_per_unit, wanted.meters_per_unit);
    ASSERT_EQ(warnings.size(), parts.size());
    for (size_t w = 0; w < parts.size(); ++w) {
      EXPECT_NE(warnings[w].find(parts[w]), std::string::npos) << warnings[w];
      EXPECT_LT(warnings[w].size(), 70u) << warnings[w];
    }
  }
}

}  // namespace
}  // namespace sinew::internal
