// Skinning in the vertex shader and on the CPU: the same picture as by the compute pass, and no frame in flight is
// overwritten.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "long_run.h"
#include "renderer_fixture.h"
#include "scene/crowd_input.h"
#include "sinew/animation/bake.h"
#include "skinning/skinning.h"

namespace sinew::app {
namespace {

using Pages = std::vector<std::pair<VkBuffer, VkDeviceSize>>;  // of each frame

/// The share of the bytes that differ by more than `steps`.
double share_apart(const std::vector<uint8_t>& a, const std::vector<uint8_t>& b, int steps) {
  if (a.empty() || a.size() != b.size()) return 1;
  size_t apart = 0;
  for (size_t i = 0; i < a.size(); ++i) apart += std::abs(int(a[i]) - int(b[i])) > steps;
  return double(apart) / double(a.size());
}

class SkinningModes : public test::RendererTest {
 protected:
  void prepare() override {
    ASSERT_TRUE(add_levels(models_[0]));
    scene_ = make_scene(models_, 60, 3);
    evaluation_ = std::make_unique<Evaluation>(models_, 1);
  }

  /// The picture of a device of another type.
  std::vector<uint8_t> draw(SkinningMode mode, const char* device_type) {
    context_.device.info.type = device_type;
    RendererInfo info = small_info(320, 180, mode);
    info.skinning.planner.update_rate = false;  // all levels of detail share pages
    info.draw.passes = 4;                       // two shadow maps, depth and color
    const auto renderer = draw_frame(models_, info);
    range_count_ = renderer->skinning().all_ranges().size();
    return picture_of(*renderer);
  }

  /// By each way of skinning, on a device that reads palettes as texels and on one that reads storage buffers. Returns
  /// the picture.
  std::vector<uint8_t> expect_same_pictures(double share) {
    const std::vector<uint8_t> of_cpu = draw(SkinningMode::kCpu, "cpu");
    for (const char* type : {"cpu", "discrete"}) {
      for (const SkinningMode mode : {SkinningMode::kVertex, SkinningMode::kCompute})
        EXPECT_LT(share_apart(draw(mode, type), of_cpu, 1), share) << name_of(mode) << " on device type " << type;
    }
    EXPECT_EQ(validation_messages(context_.instance), 0u);
    return of_cpu;
  }

  /// Where the first posed mesh of each of some frames is written, by a mode that has `frames_in_flight` frames.
  Pages written_at(SkinningMode mode, uint32_t frames_in_flight, uint32_t frames) {
    SkinningInfo info;
    info.evaluation = evaluation_.get(), info.mode = mode, info.frames_in_flight = frames_in_flight;
    info.planner.update_rate = false;
    const CrowdInput input(models_, scene_);
    const crowd::View view = to_crowd(view_of(frame_crowd(scene_), 320, 180));
    auto skinning = must(Skinning::create(context_.device, models_, info));
    Pages written;
    FrameTimes times;
    for (uint32_t frame = 0; frame < frames; ++frame) {
      EXPECT_TRUE(skinning.update({frame + 1, 5}, input.instances(), view, times));
      const InstanceRange& range = skinning.ranges(0).front();
      const bool of_cpu = mode == SkinningMode::kCpu;
      written.push_back(of_cpu ? std::pair{range.vertices, range.vertices_offset}
                               : std::pair{range.palette_buffer, range.palette_offset});
    }
    return written;
  }

  size_t range_count_ = 0;  // of the last picture
};

TEST_F(SkinningModes, VertexShaderSkinsTheSameFromTexelsAndFromStorageBuffers) {
  expect_same_pictures(0.001);
  EXPECT_GT(range_count_, 1u) << "the instances have one level of detail";
}

/// Every fourth vertex of the character moves outward, by a weight that changes in every clip.
Character with_targets(Character character) {
  Mesh& mesh = character.mesh;
  mesh.targets.clear();
  const Box box = bounding_box(mesh.positions);
  const float reach = 0.05f * length(size_of(box));
  for (uint32_t t = 0; t < 6; ++t) {
    MorphTarget& target = mesh.targets.emplace_back();
    target.name = "target " + std::to_string(t);
    for (uint32_t v = t; v < mesh.vertex_count(); v += 4) {
      target.vertices.push_back(v);
      target.positions.push_back(mesh.normals[v] * reach);
      target.normals.push_back(Vec3{0.1f, -0.05f, 0.02f} * float(t));
    }
  }
  for (Clip& clip : character.clips) {
    clip.weights.clear();
    for (uint32_t t = 0; t < 6; ++t) {
      const float values[] = {t % 2 == 0 ? 0.0f : 1.0f, t % 2 == 0 ? 0.8f : 0.0f};
      clip.weights.push_back(
          {t, {{clip.start_seconds, clip.end_seconds}, {values[0], values[1]}, Interpolation::kLinear}});
    }
  }
  return character;
}

TEST_F(SkinningModes, MorphTargetsMoveTheSameVertices) {
  const std::vector<uint8_t> without = draw(SkinningMode::kCompute, "cpu");
  CharacterFile file{with_targets(models_[0].character), {}, {}};
  models_[0] = must(make_model("morphed.glb", std::move(file)));
  ASSERT_TRUE(add_levels(models_[0]));
  EXPECT_FALSE(models_[0].levels.front().mesh.targets.back().vertices.empty());
  scene_ = make_scene(models_, 60, 3);
  for (const bool is_baked : test::some_of({true, false}, 1)) {
    SCOPED_TRACE(is_baked ? "baked" : "exact");
    if (is_baked) models_[0].baked = must(bake(models_[0].character));
    evaluation_ = std::make_unique<Evaluation>(models_, 2, is_baked ? EvaluatorKind::kCrowd : EvaluatorKind::kExact);
    EXPECT_GT(share_apart(expect_same_pictures(0.002), without, 8), 0.01) << "the targets move nothing that one sees";
  }
}

TEST_F(SkinningModes, DualQuaternionsMoveTheSameVertices) {
  const std::vector<uint8_t> linear = draw(SkinningMode::kCompute, "cpu");
  for (ModelLevel& level : models_[0].levels) level.mesh.blend = Blend::kDualQuaternion;
  models_[0].character.mesh.blend = Blend::kDualQuaternion;
  evaluation_ = std::make_unique<Evaluation>(models_, 2);
  EXPECT_GT(share_apart(expect_same_pictures(0.002), linear, 8), 0.005) << "the blend changes nothing that one sees";
}

TEST_F(SkinningModes, FramesInFlightWriteDifferentPages) {
  for (const SkinningMode mode : {SkinningMode::kVertex, SkinningMode::kCpu}) {
    for (const uint32_t in_flight : {1u, 2u, 3u}) {
      const Pages written = written_at(mode, in_flight, 2 * in_flight);
      ASSERT_EQ(written.size(), 2 * in_flight);
      const std::set<Pages::value_type> pages(written.begin(), written.begin() + in_flight);
      EXPECT_EQ(pages.size(), in_flight) << name_of(mode) << ", " << in_flight << " frames in flight";
      for (const auto& [page, offset] : pages) EXPECT_NE(page, VkBuffer());
      EXPECT_TRUE(std::equal(written.begin(), written.begin() + in_flight, written.begin() + in_flight))
          << name_of(mode) << " does not use its pages in turn";
    }
  }
}

}  // namespace
}  // namespace sinew::app
