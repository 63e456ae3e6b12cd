// Motion vectors of a walk-through: the previous vertices of everything drawn are where it was drawn in the frame
// before, with update rates, shared poses and changes of the level of detail.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "asset/larger_error.h"
#include "crowd/report/validate.h"
#include "crowd_program.h"
#include "gpu/host.h"
#include "renderer_fixture.h"
#include "scene/baking.h"
#include "sinew/asset/cpu_skin.h"
#include "sinew/asset/skin.h"
#include "sinew/asset/skinned_vertex.h"

namespace sinew::app {
namespace {

constexpr double kMaxError = 1e-5 * 1.8;  // meters: of the diagonal of the character, about

/// Vertices of consecutive posed meshes in one buffer, and a copy of them.
struct Region {
  VkDeviceAddress first = 0;
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceSize offset = 0, size_bytes = 0;
  std::vector<SkinnedVertex> vertices;
};

/// What an instance was drawn with.
struct Drawn {
  uint32_t character = 0, level = 0;
  std::vector<Matrix3x4> palette;
  std::vector<SkinnedVertex> vertices;
  std::vector<SkinnedVertex> previous;  // as the frame's draws read them; empty: it had none
};
using DrawnInstances = std::map<uint32_t, Drawn>;

/// How many instances of each kind were compared.
struct Compared {
  uint32_t same_level = 0, other_level = 0, none = 0, not_updated = 0, shared = 0, wrong = 0;
};

class Velocity : public test::RendererTest {
 protected:
  void SetUp() override {
    SINEW_SKIP_WITHOUT_DEVICE();
    set_up_for(Coloring::kVelocity);
    if (!context_.device.buffer_addresses) GTEST_SKIP() << "SKIPPED: this device has no buffer addresses";
  }

  void make_crowd() {
    ASSERT_TRUE(add_levels(models_[0]));
    // The comparison skins with the palette of the frame before, which must fit both levels.
    std::erase_if(models_[0].levels, [](const ModelLevel& level) { return level.has_palette(); });
    ASSERT_TRUE(bake_models(models_));
    measure_bounds(models_, false);
    scene_ = make_scene(models_, 300, 3);
    evaluation_ = std::make_unique<Evaluation>(models_, 2, EvaluatorKind::kCrowd);
  }

  std::unique_ptr<Renderer> make_renderer(uint32_t unique_poses) {
    RendererInfo info = small_info(320, 180);
    info.skinning.planner.unique_poses = unique_poses;
    info.draw.coloring = Coloring::kVelocity;
    return must(Renderer::create(context_.device, models_, scene_, info));
  }

  VkDeviceAddress address_of(VkBuffer buffer) const {
    VkBufferDeviceAddressInfo info{};
    info.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO;
    info.buffer = buffer;
    return vkGetBufferDeviceAddress(context_.device.handle, &info);
  }

  void read_back(Region& region) {
    auto buffer = must(create_buffer(context_.device, region.size_bytes, VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                                     MemoryKind::kReadback, "test"));
    const VkBufferCopy copy{region.offset, 0, region.size_bytes};
    ASSERT_TRUE(run_once(context_.device, "test",
                         [&](VkCommandBuffer cmd) { vkCmdCopyBuffer(cmd, region.buffer, buffer.get(), 1, &copy); }));
    region.vertices.resize(region.size_bytes / sizeof(SkinnedVertex));
    std::memcpy(region.vertices.data(), buffer.mapped, region.size_bytes);
  }

  /// Draws a frame, and reads what it drew and what it read as previous vertices.
  DrawnInstances draw(Renderer& renderer, const FrameRequest& request) {
    complete_frame(renderer, request);
    std::vector<Region> regions;
    for (const GroupRange& placed : renderer.skinning().all_ranges()) {
      const vulkan::InstanceRange& range = *placed.range;
      regions.push_back({address_of(range.vertices) + range.vertices_offset,
                         range.vertices,
                         range.vertices_offset,
                         size_t{range.instance_count} * range.vertex_count * range.vertex_bytes,
                         {}});
    }
    const size_t own = regions.size();
    regions.insert(regions.end(), regions_before_.begin(), regions_before_.end());
    for (Region& region : regions) read_back(region);
    const DrawnInstances drawn = drawn_by(renderer, regions);
    regions_before_.assign(regions.begin(), regions.begin() + ptrdiff_t(own));
    return drawn;
  }

  static std::vector<SkinnedVertex> vertices_at(const std::vector<Region>& regions, VkDeviceAddress address,
                                                uint32_t count) {
    for (const Region& region : regions) {
      if (address < region.first || address >= region.first + region.size_bytes) continue;
      const size_t first = (address - region.first) / sizeof(SkinnedVertex);
      EXPECT_EQ((address - region.first) % sizeof(SkinnedVertex), 0u);
      EXPECT_LE(first + count, region.vertices.size());
      return {region.vertices.begin() + ptrdiff_t(first), region.vertices.begin() + ptrdiff_t(first + count)};
    }
    ADD_FAILURE() << "previous vertices are in no range of this frame or the one before";
    return {};
  }

  static DrawnInstances drawn_by(const Renderer& renderer, const std::vector<Region>& regions) {
    DrawnInstances drawn;
    const crowd::Plan& plan = renderer.plan();
    const std::vector<GroupRange> ranges = renderer.skinning().all_ranges();
    for (size_t r = 0; r < ranges.size(); ++r) {
      const vulkan::InstanceRange& range = *ranges[r].range;
      const crowd::PosedBatch& batch = renderer.skinning().batch_of(ranges[r].group, range);
      for (uint32_t m = 0; m < range.instance_count; ++m) {
        const crowd::PosedMesh& mesh = plan.posed_meshes[renderer.skinning().first_mesh_of(ranges[r].group, range) + m];
        for (uint32_t s = mesh.first_instance; s < mesh.first_instance + mesh.instance_count; ++s) {
          Drawn& one = drawn[plan.instances[s]];
          one.character = batch.model, one.level = batch.level;
          const auto palette = range.palettes.subspan(size_t{m} * range.palette_stride, range.palette_stride);
          one.palette.assign(palette.begin(), palette.end());
          const VkDeviceAddress own = regions[r].first + m * range.vertex_count * sizeof(SkinnedVertex);
          one.vertices = vertices_at(regions, own, range.vertex_count);
          const VkDeviceAddress previous = renderer.previous_vertices()[s].vertices;
          if (previous != 0) one.previous = vertices_at(regions, previous, range.vertex_count);
        }
      }
    }
    return drawn;
  }

  /// The largest distance in meters between the previous vertices of an instance and where it was drawn before.
  double distance_between(const Drawn& now, const Drawn& before) const {
    const Mesh& mesh = models_[now.character].mesh(now.level);
    if (now.previous.size() != mesh.vertex_count()) return std::numeric_limits<double>::infinity();
    std::vector<Vec3> expected(mesh.vertex_count()), normals(mesh.vertex_count());
    if (now.level == before.level) {
      for (size_t v = 0; v < expected.size(); ++v) std::memcpy(&expected[v], before.vertices[v].position, sizeof(Vec3));
    } else {
      const Skin& skin = models_[now.character].character.skin;
      std::vector<Matrix3x4> palette = before.palette;
      const auto weights = weights_behind(palette, skin.palette_size()).first(mesh.target_count());
      skin_on_cpu(mesh, std::span(palette).first(skin.palette_size()), expected, normals, {}, weights);
    }
    double max = 0;
    for (size_t v = 0; v < expected.size(); ++v) {
      const float* p = now.previous[v].position;
      max = sinew::internal::larger_error(max, double(length(Vec3{p[0], p[1], p[2]} - expected[v])));
    }
    return max;
  }

  void compare(const DrawnInstances& now, const DrawnInstances& before, Compared& compared) const {
    for (const auto& [instance, drawn] : now) {
      const auto was = before.find(instance);
      const bool had = was != before.end();
      if (had == drawn.previous.empty()) {
        ++compared.wrong;
      } else if (!had) {
        ++compared.none;
      } else {
        const bool same = was->second.level == drawn.level;
        (same ? compared.same_level : compared.other_level) += 1;
        const double error = distance_between(drawn, was->second);
        compared.wrong += error > (same ? 0 : kMaxError);
      }
    }
  }

  std::vector<Region> regions_before_;
};

/// The camera goes through the crowd and turns.
FrameRequest walk(uint32_t frame) {
  const float share = std::abs(float(frame % 24) - 12) / 12;
  return {.seconds = 20 + frame / 60.0, .camera = {{0, 0.9f, 0}, 0.4f + 0.03f * float(frame), 0.2f, 4 + 40 * share}};
}

bool has_previous_poses(const crowd::Plan& plan) {
  return std::ranges::any_of(plan.batches, [](const auto& batch) { return batch.previous_poses; });
}

/// Previous poses of other levels are compared with those of the frame before too, although their group is updated in
/// this frame.
TEST_F(Velocity, EveryVertexWasDrawnThereInTheFrameBefore) {
  make_crowd();
  Compared compared, planted;
  int validated = 0;
  const auto expect_valid = [&](const Renderer& renderer, uint32_t frame) {
    const auto comparison =
        must(compare_frame(context_.device, models_, scene_, renderer.plan(), renderer.skinning(), frame));
    EXPECT_EQ(comparison.first_failure, "");
  };
  for (const uint32_t unique_poses : {0u, 60u}) {
    const auto renderer = make_renderer(unique_poses);
    regions_before_.clear();
    DrawnInstances before, two_before;
    for (uint32_t frame = 0; frame < 24; ++frame) {
      DrawnInstances now = draw(*renderer, walk(frame));
      compare(now, before, compared);
      const crowd::PlanCounters& counters = renderer->plan().counters;
      compared.not_updated += counters.not_updated, compared.shared += counters.shared;
      if (frame > 1) compare(now, two_before, planted);
      if (has_previous_poses(renderer->plan()) && validated < 3) expect_valid(*renderer, frame), ++validated;
      two_before = std::exchange(before, std::move(now));
    }
  }
  EXPECT_EQ(compared.wrong, 0u);
  EXPECT_GT(compared.same_level, 2000u);
  EXPECT_GT(compared.other_level, 200u);
  EXPECT_GT(compared.none, 100u);
  EXPECT_GT(compared.not_updated, 500u);
  EXPECT_GT(compared.shared, 500u);
  EXPECT_EQ(validated, 3);
  EXPECT_GT(planted.wrong, 1000u) << "vectors of two frames ago are not told from those of one";
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
