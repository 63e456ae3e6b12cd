// Colors of vertices: what each number of influences, each lost weight and each weight of a joint looks like.
#include "scene/data_colors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace sinew::app {
namespace {

using ::testing::ElementsAre;

int red(uint32_t color) { return int(color & 255); }
int blue(uint32_t color) { return int(color >> 16 & 255); }

/// Vertices with these influences; entry e is joint e + 10.
struct Rig {
  Mesh mesh;
  Skin skin;

  explicit Rig(const std::vector<std::vector<Influence>>& vertices) {
    mesh.positions.resize(vertices.size());
    mesh.first_influence = {0};
    for (const auto& influences : vertices) {
      mesh.influences.insert(mesh.influences.end(), influences.begin(), influences.end());
      mesh.first_influence.push_back(uint32_t(mesh.influences.size()));
    }
    for (int32_t joint = 10; joint < 16; ++joint) {
      skin.entries.emplace_back();
      skin.entries.back().joint = joint;
    }
  }
};

TEST(DataColors, HeatGoesFromBlueToRedWithoutRepeating) {
  std::set<uint32_t> colors;
  for (int percent = 0; percent <= 100; percent += 5) colors.insert(heat_color(float(percent) / 100));
  EXPECT_EQ(colors.size(), 21u);
  EXPECT_GT(blue(heat_color(0)), red(heat_color(0)));
  EXPECT_GT(red(heat_color(1)), 10 * blue(heat_color(1)));
  EXPECT_EQ(heat_color(-1), heat_color(0));
  EXPECT_EQ(heat_color(7), heat_color(1));
}

TEST(DataColors, EachNumberOfInfluencesHasItsColor) {
  std::set<uint32_t> colors;
  for (uint32_t count = 1; count <= 8; ++count) colors.insert(influence_color(count));
  EXPECT_EQ(colors.size(), 8u);
  EXPECT_EQ(influence_color(12), influence_color(8));
  const Rig rig({{{0, 1}}, {{0, 0.5f}, {1, 0.3f}, {2, 0.2f}}});
  EXPECT_THAT(influence_colors(rig.mesh), ElementsAre(influence_color(1), influence_color(3)));
}

TEST(DataColors, LostWeightIsThatBeyondTheLimit) {
  const Rig rig({{{0, 0.4f}, {1, 0.3f}, {2, 0.2f}, {3, 0.1f}}, {{0, 0.5f}, {1, 0.5f}}});
  const auto colors = lost_weight_colors(rig.mesh, 3);
  EXPECT_EQ(colors[0], heat_color(0.1f / kHottestLostWeight));
  EXPECT_EQ(colors[1], heat_color(0));
  EXPECT_EQ(lost_weight_colors(rig.mesh, 4)[0], heat_color(0));
}

TEST(DataColors, TheWeightOfAJointIsFoundThroughTheSkin) {
  const Rig rig({{{0, 0.75f}, {1, 0.25f}}, {{2, 1}}});
  EXPECT_THAT(joint_weight_colors(rig.mesh, rig.skin, 11), ElementsAre(heat_color(0.25f), heat_color(0)));
  EXPECT_THAT(joint_weight_colors(rig.mesh, rig.skin, 12), ElementsAre(heat_color(0), heat_color(1)));
  EXPECT_THAT(joint_weight_colors(rig.mesh, rig.skin, kNoJoint), ElementsAre(heat_color(0), heat_color(0)));
}

}  // namespace
}  // namespace sinew::app
