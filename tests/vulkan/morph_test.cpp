// Morph targets: what they cost, and how differences are packed.
#include <algorithm>

#include "vulkan/skinner_fixture.h"

#include "morph_data.h"
#include "sinew/asset/mesh.h"

namespace sinew::test {
namespace {

using Morphs = SkinnerTest;

TEST_F(Morphs, CostNothingWhereNoVertexMoves) {
  Mesh mesh = make_mesh({.vertices = 640, .joints = 4, .max_influences = 1});
  MorphTarget target{"blink", 0, {70, 71, 130}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {}, {}};
  mesh.targets = {target};
  auto skinner = make_skinner(skinner_info());
  TestCrowd crowd(*device_, skinner);
  const uint32_t face = crowd.add(mesh, 4);
  crowd.run_frame({1, 0, 0}, Counts{{face, 9}});
  EXPECT_EQ(skinner.counters().dispatches, 2u) << "one for the chunks that targets move, one for the rest";
  auto without = make_skinner(skinner_info());
  TestCrowd plain(*device_, without);
  mesh.targets.clear();
  plain.add(mesh, 4);
  EXPECT_TRUE(without.ranges().empty());
  plain.run_frame({1, 0, 0}, Counts{{0, 9}});
  EXPECT_EQ(without.counters().dispatches, 1u);
  EXPECT_TRUE(without.ranges()[0].weights.empty());
  EXPECT_LT(without.ranges()[0].palette_stride, skinner.ranges()[0].palette_stride);
}

/// What the shader's unpack_difference() computes.
Vec3 unpacked(uint32_t word) {
  const auto number = [&](int shift) { return float(int32_t(word << (22 - shift)) >> 22); };
  return Vec3{number(0), number(10), number(20)} * (2.0f / 511 / float(1u << (2 * (word >> 30))));
}

TEST(MorphData, PacksDifferencesToAShareOfTheirSize) {
  for (const float size : {2.0f, 0.7f, 0.3f, 0.1f, 0.03f, 0.004f, 0.0f}) {
    const Vec3 difference{size, -size * 0.37f, size * 0.91f};
    const Vec3 back = unpacked(vulkan::internal::pack_difference(difference));
    const float unit = std::max(size, 2.0f / 64) * 4 / 511;  // the next power of 1/4 is less than 4 times as large
    EXPECT_LE(length(back - difference), unit) << size;
  }
  EXPECT_EQ(vulkan::internal::pack_difference({}) & 0x3fffffff, 0u);
  EXPECT_LE(length(unpacked(vulkan::internal::pack_difference({9, -9, 0})) - Vec3{2, -2, 0}), 1e-6f) << "clamped";
}

}  // namespace
}  // namespace sinew::test
