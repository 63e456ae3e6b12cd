// Acceleration structures over skinned vertices: rays hit where the CPU-skinned triangles are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "example.h"
#include "examples/ray_reference.h"
#include "message.h"
#include "ray_tracing/structures.h"
#include "sinew/sinew.h"

namespace sinew::test {
namespace {

using example::check;
using ::testing::HasSubstr;
using vulkan::InstanceRange;
using vulkan::VertexFormat;

constexpr uint32_t kRays = 800;
constexpr VkDescriptorType kStorage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;

constexpr uint32_t kProbe[] = {
#include "probe.comp.inc"
};

/// The built-in character and what evaluates it; made once.
struct Actor {
  Actor() {
    character = check(load_character(SINEW_SOURCE_DIR "/assets/character.glb"));
    convert_space(character);
    baked = check(bake(character));
    evaluator.emplace(baked);
  }
  Character character;
  BakedCharacter baked;
  std::optional<CrowdEvaluator> evaluator;
};

const Actor& actor() {
  static const Actor made;
  return made;
}

struct SceneInfo {
  uint32_t poses = 1, instances = 1;
  VertexFormat format = VertexFormat::kOctahedral;
  bool keep_previous = false;
  uint32_t max_refits = 2;
  VkDeviceSize budget_bytes = VkDeviceSize{256} << 20;
};

/// Instances in a ring, turned, scaled, and every third one mirrored.
std::vector<rays::PlacedPose> place(const SceneInfo& info) {
  std::vector<rays::PlacedPose> placed(info.instances);
  for (uint32_t i = 0; i < info.instances; ++i) {
    const float angle = 0.9f * float(i), size = 0.8f + 0.1f * float(i % 5), mirror = i % 3 == 2 ? -1.0f : 1.0f;
    const float c = size * std::cos(angle), s = size * std::sin(angle);
    placed[i].world_from_model = {
        {{c * mirror, 0, s, 1.6f * std::cos(angle)}, {0, size, 0, 0}, {-s * mirror, 0, c, 1.6f * std::sin(angle)}}};
    placed[i].pose = i % info.poses;
  }
  return placed;
}

/// Skinned poses, their structures, and rays.
class Scene {
 public:
  Scene(const host::Device& device, const SceneInfo& info)
      : device_(device), info_(info), placed_(place(info)), skinner_(make_skinner()) {
    const Mesh& mesh = actor().character.mesh;
    mesh_ = check(skinner_.add_mesh(mesh, actor().character.skin.palette_size(), "character"));
    indices_ = check(host::create_buffer_of(device, mesh.indices, vulkan::kStructureInput, "indices"));
    structures_.emplace(device, structures_info());
    layout_ = check(host::create_layout(device, {VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, kStorage, kStorage},
                                        sizeof(uint32_t), "probe", VK_SHADER_STAGE_COMPUTE_BIT));
    pipeline_ = check(host::create_compute_pipeline(device, layout_.pipeline.get(), kProbe, "probe"));
    constexpr VkBufferUsageFlags kUsage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    rays_ = check(host::create_buffer(device, kRays * sizeof(Ray), kUsage, host::MemoryKind::kUpload, "rays"));
    hits_ = check(host::create_buffer(device, kRays * sizeof(Hit), kUsage, host::MemoryKind::kReadback, "hits"));
    set_ = check(host::create_set(device, layout_, {structures_->top_level(), rays_, hits_}, "probe"));
  }

  rays::StructuresInfo structures_info() const {
    const Mesh& mesh = actor().character.mesh;
    return {.triangles = {.indices = host::address_of(device_, indices_.get()),
                          .index_count = uint32_t(mesh.indices.size())},
            .vertex_count = mesh.vertex_count(),
            .format = info_.format,
            .pose_count = info_.poses,
            .instance_count = info_.instances,
            .max_refits = info_.max_refits,
            .budget_bytes = info_.budget_bytes};
  }

  enum class Refit { kAll, kNone, kLastOneLate, kLastOneOfAnother };

  /// A frame: skins all poses, the rest pose or that of the frame's time, refits the structures, and traces rays.
  Difference run_frame(bool rest_pose = false, Refit refit = Refit::kAll) {
    ++frame_;
    pose(rest_pose);
    const RayReference reference(actor().character.mesh, positions_, placed_);
    const std::vector<Ray> rays = reference.make_rays(kRays, uint32_t(frame_));
    std::memcpy(rays_.mapped, rays.data(), rays.size() * sizeof(Ray));
    std::memset(hits_.mapped, 0xff, kRays * sizeof(Hit));
    check(host::run_once(device_, "frame", [&](VkCommandBuffer cmd) {
      skinner_.record(cmd);
      if (refit != Refit::kNone) structures_->record(cmd, frame_, ranges_of_poses(refit), placed_);
      trace(cmd);
    }));
    return reference.compare(rays, {static_cast<const Hit*>(hits_.mapped), kRays});
  }

  /// A frame whose commands are not recorded.
  void prepare_only() { ++frame_, pose(false); }

  /// What the contract says of the structures and the vertices of the last frame; "" if rays meet them.
  std::string check_structures() const { return message_of(structures_->check(skinner_.ranges(), placed_)); }

  /// Records the structures with other ranges and instances than those of a frame.
  void record(const std::function<void(std::vector<InstanceRange>&, std::vector<rays::PlacedPose>&)>& change) {
    std::vector<InstanceRange> ranges = ranges_of_poses(Refit::kAll);
    std::vector<rays::PlacedPose> placed = placed_;
    change(ranges, placed);
    check(host::run_once(device_, "structures",
                         [&](VkCommandBuffer cmd) { structures_->record(cmd, frame_, ranges, placed); }));
  }

  const rays::Structures::Counters& counters() const { return structures_->counters(); }

 private:
  vulkan::Skinner make_skinner() const {
    vulkan::SkinnerInfo info = example::skinner_info(device_);
    info.format = info_.format;
    info.keep_previous = info_.keep_previous;
    info.vertex_usage = vulkan::kStructureInput;
    info.consumers = vulkan::kAccelerationStructureBuild;
    return check(vulkan::create_skinner(info));
  }

  /// Writes palettes and morph weights of the frame, and skins the same on the CPU.
  void pose(bool rest_pose) {
    const Character& character = actor().character;
    check(skinner_.begin_frame({.number = frame_}));
    const vulkan::SkinnerBatch batch{mesh_, info_.poses};
    check(skinner_.prepare(0, {&batch, 1}));
    positions_.resize(info_.poses);
    for (const InstanceRange& range : skinner_.ranges()) {
      std::vector<Playback> playbacks(range.instance_count);
      for (uint32_t i = 0; i < range.instance_count && !rest_pose; ++i)
        playbacks[i].layers[0] = playing(range.first_instance + i);
      std::vector<Matrix3x4> palettes(range.palettes.size());
      check(actor().evaluator->evaluate(playbacks, range.palette_stride, palettes));
      std::copy(palettes.begin(), palettes.end(), range.palettes.begin());
      const uint32_t targets = range.target_count;
      std::vector<float> weights(size_t{range.instance_count} * targets);
      check(evaluate_weights(actor().baked, playbacks, targets, weights));
      for (uint32_t i = 0; i < range.instance_count; ++i) {
        const std::span own_weights = std::span<const float>(weights).subspan(size_t{i} * targets, targets);
        std::ranges::copy(own_weights, range.weights.begin() + ptrdiff_t{i} * range.weight_stride);
        std::vector<Vec3>& positions = positions_[range.first_instance + i];
        std::vector<Vec3> normals(character.mesh.vertex_count());
        positions.resize(character.mesh.vertex_count());
        skin_on_cpu(character.mesh, std::span(palettes).subspan(size_t{i} * range.palette_stride, palette_size()),
                    positions, normals, {}, own_weights);
      }
    }
  }

  Layer playing(uint32_t pose) const {
    const uint32_t clip = (pose + 1) % uint32_t(actor().character.clips.size());
    return {.clip = clip, .time_seconds = 0.2f * float(pose) + 0.13f * float(frame_ % 5), .weight = 1};
  }
  static uint32_t palette_size() { return actor().character.skin.palette_size(); }

  /// One range for each pose. The last one may have the vertices of the frame before, or those of the first pose.
  std::vector<InstanceRange> ranges_of_poses(Refit refit) const {
    std::vector<InstanceRange> poses;
    for (const InstanceRange& range : skinner_.ranges()) {
      for (uint32_t i = 0; i < range.instance_count; ++i) {
        InstanceRange pose = range;
        pose.first_instance += i, pose.instance_count = 1;
        const VkDeviceSize skipped = VkDeviceSize{i} * range.vertex_count * range.vertex_bytes;
        pose.vertices_offset += skipped, pose.previous_vertices_offset += skipped;
        poses.push_back(pose);
      }
    }
    InstanceRange& last = poses.back();
    if (refit == Refit::kLastOneLate) {
      last.vertices = last.previous_vertices, last.vertices_offset = last.previous_vertices_offset;
      last.skinned_frame = frame_ - 1;
    }
    if (refit == Refit::kLastOneOfAnother)
      last.vertices = poses.front().vertices, last.vertices_offset = poses.front().vertices_offset;
    return poses;
  }

  void trace(VkCommandBuffer cmd) const {
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_.get());
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout_.pipeline.get(), 0, 1, &set_.handle, 0,
                            nullptr);
    vkCmdPushConstants(cmd, layout_.pipeline.get(), VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof kRays, &kRays);
    vkCmdDispatch(cmd, (kRays + 63) / 64, 1, 1);
    const VkMemoryBarrier written{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_SHADER_WRITE_BIT,
                                  VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &written, 0,
                         nullptr, 0, nullptr);
  }

  const host::Device& device_;
  const SceneInfo info_;
  const std::vector<rays::PlacedPose> placed_;
  vulkan::Skinner skinner_;
  vulkan::MeshId mesh_;
  host::Buffer indices_, rays_, hits_;
  std::optional<rays::Structures> structures_;
  host::Layout layout_;
  host::PipelineHandle pipeline_;
  host::DescriptorSet set_;
  uint64_t frame_ = 0;
  std::vector<std::vector<Vec3>> positions_;  // of each pose, skinned on the CPU
};

/// Any message of validation fails the test.
class RayTracing : public ::testing::Test {
 protected:
  void SetUp() override {
    messages_ = host::validation_messages();
    graphics_ = std::make_unique<host::GraphicsContext>();
    check(host::set_up({.validate = true, .ray_queries = true}, *graphics_));
    if (!device().ray_queries) GTEST_SKIP() << "SKIPPED: no device has ray queries (VK_KHR_ray_query)";
  }
  void TearDown() override {
    graphics_.reset();
    EXPECT_EQ(host::validation_messages(), messages_);
  }

  /// The message of an error; "" if there is none.
  static std::string error_of(const std::function<void()>& call) {
    try {
      call();
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  }

  const host::Device& device() const { return graphics_->device; }

 private:
  std::unique_ptr<host::GraphicsContext> graphics_;
  uint32_t messages_ = 0;
};

void expect_right(const Difference& difference) {
  EXPECT_EQ(difference.wrong, 0u) << difference.first_wrong;
  EXPECT_GT(difference.compared, kRays * 7 / 10) << difference.doubtful << " are doubtful";
  EXPECT_GT(difference.misses, kRays / 40);
  EXPECT_LT(difference.misses, kRays / 3);
}

TEST_F(RayTracing, RaysHitTheTrianglesOfOneCharacter) {
  for (const VertexFormat format : {VertexFormat::kOctahedral, VertexFormat::kFloat}) {
    Scene scene(device(), {.format = format});
    for (int frame = 0; frame < 5; ++frame) expect_right(scene.run_frame());
  }
}

TEST_F(RayTracing, BuildsAndRefitsAreThoseOfTheLimitAndStayRight) {
  const struct {
    SceneInfo info;
    uint32_t frames, builds;
  } rows[] = {
      // Poses 0, 1 and 2 are refitted 2, 1 and 0 times before their second build, and twice between two later ones.
      {{.poses = 3, .instances = 7, .max_refits = 2}, 7, 3 + 2 + 2 + 2},
      {{.poses = 2, .instances = 2, .max_refits = 0}, 3, 2 * 3},
      {{.poses = 2, .instances = 3, .max_refits = 31}, 12, 2}};
  for (const auto& [info, frames, builds] : rows) {
    Scene scene(device(), info);
    for (uint32_t frame = 0; frame < frames; ++frame) expect_right(scene.run_frame());
    EXPECT_EQ(scene.counters().builds, builds);
    EXPECT_EQ(scene.counters().refits, frames * info.poses - builds);
  }
  const Scene shared(device(), {.poses = 3, .instances = 7}), alone(device(), {.poses = 7, .instances = 7});
  EXPECT_GT(alone.counters().structure_bytes, 2 * shared.counters().structure_bytes);
}

TEST_F(RayTracing, AStructureLeftInTheRestPoseIsFound) {
  Scene scene(device(), {.poses = 2, .instances = 4});
  expect_right(scene.run_frame(true));
  EXPECT_EQ(scene.check_structures(), "");
  const Difference stale = scene.run_frame(false, Scene::Refit::kNone);
  EXPECT_GT(stale.wrong, stale.compared / 4);
  EXPECT_THAT(scene.check_structures(), HasSubstr("instance 0: acceleration structure of mesh "));
  EXPECT_THAT(scene.check_structures(), HasSubstr("is late: it holds the vertices of frame 1, and frame 2 "));
  expect_right(scene.run_frame());
  EXPECT_EQ(scene.check_structures(), "");
}

TEST_F(RayTracing, StructuresThatWereNeverBuiltAreFound) {
  Scene scene(device(), {.poses = 2, .instances = 3});
  scene.prepare_only();
  EXPECT_THAT(scene.check_structures(), HasSubstr("was not built from skinned vertices"));
}

TEST_F(RayTracing, OneStructureOfSeveralThatIsAFrameLateOrOfAnotherInstanceIsFound) {
  for (const auto& [refit, words] :
       {std::pair{Scene::Refit::kLastOneLate, "is late: it holds the vertices of frame 2, and frame 3 "},
        {Scene::Refit::kLastOneOfAnother, "has the pose of another instance"}}) {
    SCOPED_TRACE(words);
    Scene scene(device(), {.poses = 3, .instances = 3, .keep_previous = true, .max_refits = 31});
    expect_right(scene.run_frame());
    expect_right(scene.run_frame());
    const Difference wrong = scene.run_frame(false, refit);
    EXPECT_GT(wrong.wrong, wrong.compared / 20);
    EXPECT_LT(wrong.wrong, wrong.compared / 2);
    EXPECT_THAT(scene.check_structures(), HasSubstr("instance 2: "));
    EXPECT_THAT(scene.check_structures(), HasSubstr(words));
    expect_right(scene.run_frame());
    EXPECT_EQ(scene.check_structures(), "");
  }
}

TEST_F(RayTracing, SmallBudgetsBuildOneAfterTheOtherAndTooSmallOnesFail) {
  SceneInfo info{.poses = 5, .instances = 6};
  Scene scene(device(), info);
  EXPECT_EQ(scene.counters().builds_at_once, 5u);
  EXPECT_LE(scene.counters().bytes(), info.budget_bytes);

  // The smallest budget, by halving.
  rays::StructuresInfo small = scene.structures_info();
  VkDeviceSize fails = 0, works = scene.counters().bytes();
  while (works - fails > 1) {
    small.budget_bytes = (fails + works) / 2;
    const std::string error = error_of([&] { rays::Structures(device(), small); });
    (error.empty() ? works : fails) = small.budget_bytes;
    if (error.empty()) continue;
    EXPECT_THAT(error, HasSubstr("5 poses and 6 instances need "));
    EXPECT_THAT(error, HasSubstr(", more than the budget of "));
  }
  info.budget_bytes = works;
  Scene least(device(), info);
  EXPECT_EQ(least.counters().builds_at_once, 1u);
  EXPECT_EQ(least.counters().bytes(), works);
  for (int frame = 0; frame < 4; ++frame) expect_right(least.run_frame());
}

TEST_F(RayTracing, WhatCannotBeBuiltIsRefused) {
  Scene scene(device(), {});
  const rays::StructuresInfo right = scene.structures_info();
  const auto refused = [&](auto change) {
    rays::StructuresInfo wrong = right;
    change(wrong);
    return error_of([&] { rays::Structures(device(), wrong); });
  };
  EXPECT_EQ(refused([](auto& info) { info.triangles.index_count = 0; }), "ray tracing: no triangles");
  EXPECT_EQ(refused([](auto& info) { info.pose_count = 0; }), "ray tracing: no poses");
  EXPECT_EQ(refused([](auto& info) { info.instance_count = 0; }), "ray tracing: no instances");
  EXPECT_EQ(refused([](auto& info) { info.pose_count = 2; }), "ray tracing: 2 poses, more than the limit of 1");
  EXPECT_THAT(refused([](auto& info) { info.instance_count = UINT32_MAX; }), HasSubstr("4294967295 instances, more"));
  EXPECT_THAT(refused([](auto& info) { info.format = VertexFormat::kPacked; }),
              HasSubstr("kPacked has no positions as floats"));
}

TEST_F(RayTracing, OtherMeshesAndPosesThanTheStructuresHaveAreRefused) {
  Scene scene(device(), {.poses = 2, .instances = 3});
  expect_right(scene.run_frame());
  const auto refused = [&](auto change) { return error_of([&] { scene.record(change); }); };
  EXPECT_EQ(refused([](auto&, auto&) {}), "");
  EXPECT_EQ(refused([](auto&, auto& placed) { placed.clear(); }), "");
  EXPECT_THAT(refused([](auto& ranges, auto&) { ranges.pop_back(); }), HasSubstr("fewer poses"));
  EXPECT_THAT(refused([](auto& ranges, auto&) { ranges[1].vertex_count -= 1; }), HasSubstr("not those of"));
  EXPECT_THAT(refused([](auto&, auto& placed) { placed.resize(4); }), HasSubstr("more instances"));
  EXPECT_THAT(refused([](auto&, auto& placed) { placed[1].pose = 2; }), HasSubstr("instance 1 has no pose"));
}

}  // namespace
}  // namespace sinew::test
