// Motion vectors: of everything that a walk-through draws, with update rates, shared poses and changes of the level of
// detail; and in pictures.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "crowd/report/validate.h"
#include "crowd_program.h"
#include "gpu/host.h"
#include "renderer_fixture.h"
#include "scene/baking.h"

namespace sinew::app {
namespace {

class Velocity : public test::RendererTest {
 protected:
  void SetUp() override {
    SINEW_SKIP_WITHOUT_DEVICE();
    set_up_for(Coloring::kVelocity);
    if (!context_.device.buffer_addresses) GTEST_SKIP() << "SKIPPED: this device has no buffer addresses";
  }

  void make_crowd() {
    prepare_models();
    scene_ = make_scene(models_, 300, 3);
    evaluation_ = std::make_unique<Evaluation>(models_, 2, EvaluatorKind::kCrowd);
  }

  std::unique_ptr<Renderer> make_renderer(uint32_t unique_poses) {
    RendererInfo info = small_info(320, 180);
    info.skinning.planner.unique_poses = unique_poses;
    info.draw.coloring = Coloring::kVelocity;
    return must(Renderer::create(context_.device, models_, scene_, info));
  }

  /// 0 where there is no buffer.
  VkDeviceAddress address_of(const vulkan::VertexSlice& slice) const {
    if (slice.buffer == VK_NULL_HANDLE) return 0;
    VkBufferDeviceAddressInfo info{};
    info.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO;
    info.buffer = slice.buffer;
    return vkGetBufferDeviceAddress(context_.device.handle, &info) + slice.offset;
  }
};

/// The camera goes through the crowd and turns.
FrameRequest walk(uint32_t frame) {
  const float share = std::abs(float(frame % 24) - 12) / 12;
  return {.seconds = 20 + frame / 60.0, .camera = {{0, 0.9f, 0}, 0.4f + 0.03f * float(frame), 0.2f, 4 + 40 * share}};
}

bool has_previous_poses(const crowd::Plan& plan) {
  return std::ranges::any_of(plan.batches, [](const auto& batch) { return batch.previous_poses; });
}

/// What is in them is for tests/runtime, and whose pose it is for tests/crowd. Those of another level of detail are
/// skinned in this frame, which is validated.
TEST_F(Velocity, ReadsThePreviousVerticesOfTheCrowd) {
  make_crowd();
  uint32_t same_level = 0, other_level = 0, none = 0, not_updated = 0, shared = 0, validated = 0;
  for (const uint32_t unique_poses : {0u, 60u}) {
    const auto renderer = make_renderer(unique_poses);
    const Skinning& skinning = renderer->skinning();
    for (uint32_t frame = 0; frame < 24; ++frame) {
      complete_frame(*renderer, walk(frame));
      const crowd::Plan& plan = renderer->plan();
      std::vector<vulkan::VertexSlice> slices(skinning.instances().size());
      ASSERT_TRUE(skinning.crowd().write_previous_vertices(slices));
      const auto read = renderer->previous_vertices();
      ASSERT_EQ(read.size(), slices.size());
      for (size_t place = 0; place < slices.size(); ++place) {
        EXPECT_EQ(read[place].vertices, address_of(slices[place])) << frame << ": " << place;
        const bool had = plan.previous_poses[place].posed_mesh != crowd::kNoPosedMesh;
        EXPECT_EQ(read[place].vertices != 0, had) << frame << ": " << place;
        const bool in_this_plan = plan.previous_poses[place].in_this_plan;
        none += !had, other_level += had && in_this_plan, same_level += had && !in_this_plan;
      }
      not_updated += plan.counters.not_updated, shared += plan.counters.shared;
      if (!has_previous_poses(plan) || validated == 3) continue;
      const auto comparison = must(compare_frame(context_.device, models_, scene_, plan, skinning, frame));
      EXPECT_EQ(comparison.first_failure, "");
      ++validated;
    }
  }
  EXPECT_GT(same_level, 2000u);
  EXPECT_GT(other_level, 200u);
  EXPECT_GT(none, 100u);
  EXPECT_GT(not_updated, 500u);
  EXPECT_GT(shared, 500u);
  EXPECT_EQ(validated, 3u);
  EXPECT_EQ(validation_messages(context_.instance), 0u);
}

// --- pictures ---

struct Motion {
  double x = 0, y = 0;  // pixels per frame, y down
};

/// The reverse of velocity.frag, for one pixel.
Motion motion_of(const uint8_t* rgba) {
  const auto linear = [](uint8_t value) { return std::pow(value / 255.0, 2.2); };
  const double r = linear(rgba[0]), g = linear(rgba[1]), b = linear(rgba[2]);
  const double brightness = std::max({r, g, b});
  const double hue = std::atan2(std::sqrt(3.0) * (g - b), 2 * r - g - b);
  const double speed = std::exp2(brightness * std::log2(65.0)) - 1;
  return {speed * std::cos(hue), -speed * std::sin(hue)};
}

/// The mean motion of the pixels that show a character, and the center of these.
struct Seen {
  Motion mean, center;
  uint32_t count = 0, white = 0;
};

Seen seen_in(const test::Picture& picture) {
  Seen seen;
  const uint8_t* empty = picture.rgba.data();  // the corner
  for (int i = 0; i < picture.width * picture.height; ++i) {
    const uint8_t* pixel = picture.rgba.data() + size_t(i) * 4;
    if (std::equal(pixel, pixel + 3, empty)) continue;
    ++seen.count;
    seen.white += pixel[0] == 255 && pixel[1] == 255 && pixel[2] == 255;
    const Motion motion = motion_of(pixel);
    seen.mean.x += motion.x, seen.mean.y += motion.y;
    seen.center.x += i % picture.width, seen.center.y += double(i / picture.width);
  }
  for (Motion* sum : {&seen.mean, &seen.center}) sum->x /= seen.count, sum->y /= seen.count;
  return seen;
}

/// A copy of a glTF file, whose first mesh is seen from both sides.
std::string double_sided(const std::string& path) {
  nlohmann::json gltf = nlohmann::json::parse(std::ifstream(path));
  gltf["materials"] = {{{"doubleSided", true}}};
  for (nlohmann::json& primitive : gltf["meshes"][0]["primitives"]) primitive["material"] = 0;
  const std::string copy = testing::TempDir() + "double_sided.gltf";
  std::ofstream(copy) << gltf.dump();
  return copy;
}

TEST_F(Velocity, ColorsOfThePictureAreTheMotionOfTheCharacter) {
  const std::string one_sided = test::shared("models/khronos/SimpleSkin.gltf");
  SINEW_SKIP_WITHOUT(one_sided);
  const std::string strip = double_sided(one_sided);
  double up = 0, down = 0;
  for (const char* start : {"1.2", "2.2"}) {
    Seen seen[3];
    for (int frames = 1; frames <= 3; ++frames) {
      const auto run =
          test::crowd({strip, "--characters", "1", "--camera", "fixed", "--color", "velocity", "--samples-per-pixel",
                       "1", "--start-seconds", start, "--frames", std::to_string(frames)});
      ASSERT_EQ(run.outcome.exit_code, 0) << run.outcome.err;
      seen[frames - 1] = seen_in(run.picture);
      EXPECT_EQ(seen[frames - 1].white, 0u);
      EXPECT_GT(seen[frames - 1].count, 500u);
    }
    const Motion moved{(seen[2].center.x - seen[0].center.x) / 2, (seen[2].center.y - seen[0].center.y) / 2};
    const double size = std::hypot(moved.x, moved.y);
    EXPECT_NEAR(seen[1].mean.x, moved.x, size / 2 + 0.05) << start;
    EXPECT_NEAR(seen[1].mean.y, moved.y, size / 2 + 0.05) << start;
    up = std::min(up, moved.y), down = std::max(down, moved.y);
  }
  EXPECT_LT(up, -0.2);
  EXPECT_GT(down, 0.2);
  std::remove(strip.c_str());
}

TEST_F(Velocity, WhoWasNotDrawnBeforeIsWhite) {
  const auto first = test::crowd({"--characters", "5", "--color", "velocity", "--samples-per-pixel", "1", "--frames",
                                  "1", "--warmup", "0", "--validate"});
  ASSERT_EQ(first.outcome.exit_code, 0) << first.outcome.err;
  const Seen seen = seen_in(first.picture);
  EXPECT_GT(seen.count, 500u);
  EXPECT_EQ(seen.white, seen.count);
}

TEST_F(Velocity, IsRefusedWithoutBufferAddresses) {
  context_.device.buffer_addresses = false;
  scene_ = make_scene(models_, 1, 1);
  evaluation_ = std::make_unique<Evaluation>(models_, 1, EvaluatorKind::kCrowd);
  RendererInfo info = small_info(320, 180);
  info.draw.coloring = Coloring::kVelocity;
  const Error error = must_fail(Renderer::create(context_.device, models_, scene_, info));
  info.skinning.mode = SkinningMode::kVertex;
  EXPECT_FALSE(Renderer::create(context_.device, models_, scene_, info));
  EXPECT_EQ(error.code, ErrorCode::kUnsupported);
  EXPECT_TRUE(error.message.ends_with("has no buffer addresses")) << error.message;
}

}  // namespace
}  // namespace sinew::app
