// Morph targets on the device, in every specialization and format, against the CPU skinner.
#include <algorithm>
#include <array>

#include "long_run.h"
#include "vulkan/skinner_fixture.h"

#include "morph_data.h"
#include "sinew/asset/mesh.h"

namespace sinew::test {
namespace {

using Counts = std::vector<TestCrowd::Count>;
using vulkan::VertexFormat;
using vulkan::experimental::PaletteFetch;

class Morphs : public SkinnerTest {
 protected:
  TestSkinnerInfo info() const {
    auto info = skinner_info();
    return info;
  }

  /// A face with work for every kernel variant, one of few vertices, and a mesh without targets.
  void expect_right(const TestSkinnerInfo& info) {
    auto skinner = make_skinner(info);
    TestCrowd crowd(*device_, skinner);
    crowd.tangents = info.tangents;
    Mesh mesh = make_mesh({.vertices = 700, .joints = 23, .max_influences = 9, .seed = 3, .targets = 13});
    ASSERT_TRUE(order_by_influences(mesh));
    const uint32_t face = crowd.add(mesh, 23, RigScaling::kNonUniform);
    const uint32_t small = crowd.add({.vertices = 90, .joints = 5, .seed = 8, .targets = 1}, RigScaling::kMirrored);
    const uint32_t plain = crowd.add({.vertices = 90, .joints = 5, .seed = 9});
    crowd.run_frame({1, 0, 0}, Counts{{face, 19}, {small, 3}, {plain, 2}, {face, 1}});
  }
};

TEST_F(Morphs, AreRightForEveryTuningAndFormat) {
  for (const VertexFormat format : {VertexFormat::kPacked, VertexFormat::kOctahedral, VertexFormat::kFloat}) {
    for (const PaletteFetch fetch : {PaletteFetch::kStorage, PaletteFetch::kTexel}) {
      for (const bool tangents : {false, true}) {
        if (is_left_out(int(format), int(fetch), tangents)) continue;
        SCOPED_TRACE(std::to_string(int(format)) + (tangents ? " bytes and tangents" : " bytes"));
        auto tuned = info();
        tuned.format = format;
        tuned.tangents = tangents;
        tuned.tuning.palettes = fetch;
        expect_right(tuned);
      }
    }
  }
}

TEST_F(Morphs, AreRightForEveryWorkgroupSize) {
  for (const bool by_influences : {false, true}) {
    for_workgroups(info(), by_influences, [&](const TestSkinnerInfo& tuned) { expect_right(tuned); });
  }
}

TEST_F(Morphs, MoveWithThePalettesThroughPagesAndGroups) {
  auto paged = info();
  paged.tuning.max_page_bytes = 60000;
  paged.keep_previous = true;
  auto skinner = make_skinner(paged);
  TestCrowd crowd(*device_, skinner);
  const uint32_t face = crowd.add({.vertices = 300, .joints = 7, .seed = 5, .targets = 60});
  for (uint64_t frame = 1; frame <= 3; ++frame) {
    crowd.prepare({frame, uint32_t(frame % 2), frame - 1}, Counts{{face, 40}});
    device_->submit_and_wait([&](VkCommandBuffer cmd) { skinner.record(cmd); });
    crowd.expect_frame(frame);
  }
  crowd.expect_previous(2, 3, std::array<uint32_t, 1>{40});
  EXPECT_GT(skinner.ranges().size(), 1u);
}

TEST_F(Morphs, CostNothingWhereNoVertexMoves) {
  Mesh mesh = make_mesh({.vertices = 640, .joints = 4, .max_influences = 1});
  MorphTarget target{"blink", 0, {70, 71, 130}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {}, {}};
  mesh.targets = {target};
  auto skinner = make_skinner(info());
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

TEST_F(Morphs, AreRefusedWhereTheyDoNotFit) {
  auto small = info();
  small.tuning.max_page_bytes = 40000;
  auto skinner = make_skinner(small);
  Mesh mesh = make_mesh({.vertices = 10, .joints = 2});
  mesh.targets.resize(10000, {"many", 0, {1}, {{1, 0, 0}}, {}, {}});
  const auto refused = skinner.add_mesh(mesh, 2, "face");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "mesh 'face': one instance's palette and morph weights need 40320 bytes, and a buffer holds 40000, "
            "KernelTuning::max_page_bytes");
  mesh.targets.resize(1);
  mesh.targets[0].vertices = {10};
  EXPECT_EQ(skinner.add_mesh(mesh, 2, "face").error().message,
            "mesh 'face': morph target 'many' moves vertex 10, which is not there");
  EXPECT_TRUE(make_skinner(info()).add_mesh(make_mesh({.vertices = 10, .joints = 2, .targets = 1}), 2));
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
