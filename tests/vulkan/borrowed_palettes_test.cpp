// Batches that read the palettes of another batch, see SkinnerBatch::palettes_of: what they allocate, and which are
// refused.
#include "vulkan/skinner_fixture.h"

namespace sinew::test {
namespace {

using vulkan::PaletteFormat;
using vulkan::SkinnerBatch;

/// A mesh in the skinner of a test.
struct Rig {
  RigShape shape;
  PaletteFormat format = PaletteFormat::kMatrices;
  Blend blend = Blend::kLinear;
};

class BorrowedPalettes : public SkinnerTest {
 protected:
  vulkan::MeshId add(vulkan::Skinner& skinner, const Rig& rig) const {
    Mesh mesh = make_mesh(rig.shape);
    mesh.blend = rig.blend;
    const auto id = skinner.add_mesh(mesh, rig.shape.joints, "rig", kBox, {rig.format});
    EXPECT_TRUE(id) << id.error().message;
    return id ? *id : vulkan::MeshId{};
  }
};

/// Other instances make other jobs, and no other buffer.
TEST_F(BorrowedPalettes, StayWithinWhatIsReserved) {
  auto info = skinner_info();
  info.frames_in_flight = 1;
  auto skinner = make_skinner(info);
  const auto lender = add(skinner, {{.vertices = 50}}), rig = add(skinner, {{.vertices = 300}});
  const SkinnerBatch most[] = {{lender, 200}, {rig, 200, 0}};
  ASSERT_TRUE(skinner.reserve(most));
  ASSERT_TRUE(prepare(skinner, {.number = 1}, most));
  record(skinner);
  const auto usage = skinner.memory_usage();
  std::vector<uint32_t> backwards(200);
  for (uint32_t i = 0; i < 200; ++i) backwards[i] = 199 - i;
  const SkinnerBatch other[] = {{lender, 200}, {rig, 200, 0, backwards}};
  ASSERT_TRUE(prepare(skinner, {.number = 2}, other));
  EXPECT_EQ(skinner.memory_usage().job_bytes, usage.job_bytes);
  EXPECT_EQ(skinner.buffer_changes(), 1u);
}

TEST_F(BorrowedPalettes, AreRefusedWithAReason) {
  auto skinner = make_skinner(skinner_info());
  const auto lender = add(skinner, {{.vertices = 50}}), rig = add(skinner, {{.vertices = 20}}),
             large = add(skinner, {{.vertices = 20, .joints = 9}}), morphed = add(skinner, {{.targets = 2}}),
             compact = add(skinner, {{.vertices = 20}, PaletteFormat::kCompact}),
             rigid = add(skinner, {{.vertices = 20}, PaletteFormat::kRigid}),
             dual = add(skinner, {{.vertices = 20}, PaletteFormat::kMatrices, Blend::kDualQuaternion});
  const uint32_t chosen[] = {0, 10};
  const struct {
    std::vector<SkinnerBatch> batches;
    const char* why;
  } cases[] = {
      {{{lender, 10}, {rig, 10, 1}}, "not before it"},
      {{{rig, 10, 1}, {lender, 10}}, "not before it"},
      {{{lender, 10}, {rig, 10, 7}}, "not before it"},
      {{{lender, 10}, {rig, 10, 0}, {rig, 10, 1}}, "has none of its own"},
      {{{lender, 10}, {large, 10, 0}}, "more palette entries"},
      {{{lender, 10}, {morphed, 10, 0}}, "morph targets"},
      {{{lender, 10}, {compact, 10, 0}}, "different kinds"},
      {{{lender, 10}, {rigid, 10, 0}}, "different kinds"},
      {{{lender, 10}, {dual, 10, 0}}, "dual quaternions"},
      {{{lender, 10}, {rig, 11, 0}}, "no instance 10 of 10"},
      {{{lender, 10}, {rig, 2, 0, chosen}}, "no instance 10 of 10"},
      {{{lender, 11}, {rig, 3, 0, chosen}}, "of 3 instances it names 2"},
      {{{lender, 11}, {rig, 2, vulkan::kOwnPalettes, chosen}}, "names instances"},
  };
  uint64_t frame = 0;
  for (const auto& [batches, why] : cases) {
    const Status status = prepare(skinner, {.number = ++frame}, batches);
    ASSERT_FALSE(status) << why;
    EXPECT_NE(status.error().message.find(why), std::string::npos) << status.error().message;
    EXPECT_NE(status.error().message.find("batch "), std::string::npos) << status.error().message;
    EXPECT_FALSE(skinner.reserve(batches));
    EXPECT_FALSE(skinner.page_requirements(batches));
  }
}

}  // namespace
}  // namespace sinew::test
