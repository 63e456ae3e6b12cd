// Dual-quaternion skinning on the device, in every specialization and format, against the CPU skinner.
#include <array>

#include "vulkan/skinner_fixture.h"

#include "sinew/asset/mesh.h"

namespace sinew::test {
namespace {

using Counts = std::vector<TestCrowd::Count>;
using vulkan::VertexFormat;
using vulkan::experimental::PaletteFetch;

class DualQuaternions : public SkinnerTest {
 protected:
  TestSkinnerInfo info() const {
    auto info = skinner_info();
    return info;
  }

  static Mesh rigid(const RigShape& shape) {
    Mesh mesh = make_mesh(shape);
    mesh.blend = Blend::kDualQuaternion;
    return mesh;
  }

  /// Work for every kernel variant, all kinds of scale, and a linear mesh on the same pages.
  void expect_right(const TestSkinnerInfo& info) {
    auto skinner = make_skinner(info);
    TestCrowd crowd(*device_, skinner);
    crowd.tangents = info.tangents;
    Mesh mesh = rigid({.vertices = 700, .joints = 23, .max_influences = 9, .seed = 3, .targets = 5});
    ASSERT_TRUE(order_by_influences(mesh));
    const uint32_t body = crowd.add(mesh, 23, RigScaling::kNone);
    const uint32_t stretched = crowd.add(rigid({.vertices = 90, .joints = 5, .seed = 8}), 5, RigScaling::kNonUniform);
    const uint32_t mirrored = crowd.add(rigid({.vertices = 90, .joints = 5, .seed = 4}), 5, RigScaling::kMirrored);
    const uint32_t linear = crowd.add({.vertices = 90, .joints = 5, .seed = 9});
    crowd.run_frame({1, 0, 0}, Counts{{body, 19}, {stretched, 3}, {linear, 2}, {mirrored, 3}, {body, 1}});
  }
};

TEST_F(DualQuaternions, AreRightForEveryTuningAndFormat) {
  struct Tuning {
    VertexFormat format;
    PaletteFetch fetch;
    bool more;  // tangents and morph targets
  };
  for (const auto& [format, fetch, more] : {Tuning{VertexFormat::kPacked, PaletteFetch::kStorage, true},
                                            Tuning{VertexFormat::kOctahedral, PaletteFetch::kTexel, true},
                                            Tuning{VertexFormat::kOctahedral, PaletteFetch::kStorage, false},
                                            Tuning{VertexFormat::kFloat, PaletteFetch::kTexel, false}}) {
    SCOPED_TRACE(std::to_string(int(format)) + (more ? " bytes, tangents and morph targets" : " bytes"));
    auto tuned = info();
    tuned.format = format;
    tuned.tangents = more;
    tuned.tuning.palettes = fetch;
    expect_right(tuned);
  }
}

TEST_F(DualQuaternions, AreRightForEveryWorkgroupSize) {
  for_workgroups(info(), false, [&](const TestSkinnerInfo& tuned) { expect_right(tuned); });
}

/// Pages get copies when the first such mesh comes, and frames in flight have copies of their own.
TEST_F(DualQuaternions, ComeAndGoOnTheSamePages) {
  auto paged = info();
  paged.tuning.max_page_bytes = 60000;
  paged.keep_previous = true;
  auto skinner = make_skinner(paged);
  TestCrowd crowd(*device_, skinner);
  const uint32_t linear = crowd.add({.vertices = 300, .joints = 7, .seed = 5});
  const uint32_t body = crowd.add(rigid({.vertices = 300, .joints = 7, .seed = 6}), 7);
  crowd.run_frame({1, 1, 0}, Counts{{linear, 40}});
  EXPECT_EQ(skinner.memory_usage().palette_copy_bytes, 0u);
  crowd.run_frame({2, 0, 1}, Counts{{linear, 40}, {body, 40}});
  crowd.run_frame({3, 1, 2}, Counts{{body, 80}});
  EXPECT_GT(skinner.memory_usage().palette_copy_bytes, 0u);
  crowd.run_frame({4, 0, 3}, Counts{{linear, 80}});
  crowd.run_frame({5, 1, 4}, Counts{{linear, 3}, {body, 2}});
}

/// Where pages are large enough for it already. What is converted is the copy: the palettes stay, to be recorded again.
TEST_F(DualQuaternions, LeaveThePalettesOfTheHostAsTheyAre) {
  auto skinner = make_skinner(info());
  TestCrowd crowd(*device_, skinner);
  const uint32_t linear = crowd.add({.vertices = 30, .joints = 7, .seed = 5});
  const uint32_t body = crowd.add(rigid({.vertices = 30, .joints = 7, .seed = 6}), 7);
  for (uint64_t frame = 1; frame <= 2; ++frame) crowd.run_frame({.number = frame}, Counts{{linear, 40}});
  crowd.run_frame({.number = 3}, Counts{{linear, 20}, {body, 20}});
  for (int again = 0; again < 2; ++again) {
    ASSERT_TRUE(skinner.discard_frame());
    crowd.poison();
    device_->submit_and_wait([&](VkCommandBuffer cmd) { skinner.record(cmd); });
    crowd.expect_frame(3);
  }
}

}  // namespace
}  // namespace sinew::test
