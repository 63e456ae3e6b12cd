// Palettes are aligned to cache lines even if the device needs less, with the library's allocator and with the host's.
#include <cstring>

#include "sinew/animation/bake.h"
#include "sinew/animation/evaluator.h"
#include "vulkan/host_allocator.h"
#include "vulkan/skinner_fixture.h"

namespace sinew::test {
namespace {

constexpr const char* kInstructionSets[] = {"avx3", "avx2", "sse4", "neon", "scalar"};

bool is_aligned(const void* address) { return reinterpret_cast<uintptr_t>(address) % vulkan::kMappedAlignment == 0; }

/// A chain of joints with one clip that rotates all of them. Each joint has a palette entry.
Character make_chain(uint32_t joints) {
  Character chain;
  chain.materials.resize(1);
  Clip& clip = chain.clips.emplace_back();
  for (uint32_t j = 0; j < joints; ++j) {
    chain.skeleton.joint_names.push_back("joint");
    chain.skeleton.parents.push_back(int32_t(j) - 1);
    chain.skeleton.rest_pose.push_back({{0, 0.1f, 0}, {0, 0, 0, 1}, {1, 1, 1}});
    chain.skin.entries.push_back({int32_t(j), {{{1, 0, 0, 0}, {0, 1, 0, -0.1f * float(j + 1)}, {0, 0, 1, 0}}}});
    JointTracks& tracks = clip.tracks.emplace_back();
    tracks.joint = j;
    tracks.rotation = {{0, 1}, {{0, 0, 0, 1}, normalize(Quat{0.02f, 0, 0.01f, 1})}};
  }
  set_time_range(clip);
  chain.mesh = make_mesh({.vertices = 37 + joints, .joints = joints, .seed = joints});
  return chain;
}

/// Each instance plays the clip at another time.
std::vector<Playback> playbacks_of(uint32_t instance_count) {
  std::vector<Playback> playbacks(instance_count);
  for (uint32_t i = 0; i < instance_count; ++i) playbacks[i].layers[0] = {0, float(i) / float(instance_count), 1};
  return playbacks;
}

/// Characters with different numbers of joints. The crowd evaluator writes their palettes into the skinner's memory.
class MappedCrowd {
 public:
  MappedCrowd(TestDevice& device, vulkan::Skinner& skinner) : device_(device), skinner_(skinner) {
    for (const uint32_t joints : {5u, 17u, 67u}) {
      const Character& chain = characters_.emplace_back(make_chain(joints));
      baked_.push_back(std::move(*bake(chain)));
      const auto id = skinner_.add_mesh(chain.mesh, joints, "chain");
      EXPECT_TRUE(id) << id.error().message;
      meshes_.push_back(*id);
    }
  }

  void run_frame(const vulkan::SkinnerFrame& frame, uint32_t instances, std::string_view instruction_set) {
    std::vector<vulkan::SkinnerBatch> batches;
    for (const vulkan::MeshId mesh : meshes_) batches.push_back({mesh, instances + mesh.value});
    const Status status = test::prepare(skinner_, frame, batches);
    ASSERT_TRUE(status) << status.error().message;
    std::vector<std::vector<Matrix3x4>> written;
    for (const vulkan::InstanceRange& range : skinner_.ranges()) written.push_back(evaluate(range, instruction_set));
    device_.submit_and_wait([&](VkCommandBuffer cmd) { skinner_.record(cmd); });
    for (size_t r = 0; r < written.size(); ++r) expect_range(skinner_.ranges()[r], written[r]);
  }

 private:
  /// Writes the palettes of `range` into mapped memory with streaming stores. Returns the expected palettes, which are
  /// evaluated in ordinary memory.
  std::vector<Matrix3x4> evaluate(const vulkan::InstanceRange& range, std::string_view instruction_set) {
    EXPECT_TRUE(is_aligned(range.palettes.data()));
    EXPECT_EQ(range.palettes.size(), size_t{range.instance_count} * range.palette_stride);
    const CrowdEvaluator evaluator(baked_[range.batch], instruction_set);
    const std::vector<Playback> playbacks = playbacks_of(range.instance_count);
    EXPECT_TRUE(evaluator.evaluate({.instances = playbacks,
                                    .palette_stride = range.palette_stride,
                                    .palettes = range.palettes,
                                    .store_mode = StoreMode::kStreaming}));
    std::vector<Matrix3x4> palettes(range.palettes.size());
    EXPECT_TRUE(evaluator.evaluate(playbacks, range.palette_stride, palettes));
    return palettes;
  }

  void expect_range(const vulkan::InstanceRange& range, std::span<const Matrix3x4> palettes) {
    const VkDeviceSize size = VkDeviceSize{range.vertex_count} * range.vertex_bytes;
    for (uint32_t i = 0; i < range.instance_count; ++i) {
      const auto words = device_.read_back(range.vertices, range.vertices_offset + i * size, size);
      expect_skinned(characters_[range.batch].mesh, palettes.subspan(size_t{i} * range.palette_stride),
                     {words, range.vertex_bytes}, "batch " + std::to_string(range.batch));
    }
  }

  TestDevice& device_;
  vulkan::Skinner& skinner_;
  std::vector<Character> characters_;
  std::vector<BakedCharacter> baked_;
  std::vector<vulkan::MeshId> meshes_;
};

class Aligned : public SkinnerTest {
 protected:
  /// Without validation: the layers know the driver's real alignment, and would report the smaller one that
  /// WatchedLoader claims.
  void SetUp() override { make_device({.validate = false}); }

  /// What storage buffers need to work. Of a driver on the CPU the elements' alignment, whatever it asks for.
  VkDeviceSize needed_alignment() const {
    if (device_->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU) return 4;
    VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
    info.size = 4, info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    VkBuffer buffer = VK_NULL_HANDLE;
    VkMemoryRequirements needed{};
    EXPECT_EQ(device_->vk.CreateBuffer(device_->device, &info, nullptr, &buffer), VK_SUCCESS);
    device_->vk.GetBufferMemoryRequirements(device_->device, buffer, &needed);
    device_->vk.DestroyBuffer(device_->device, buffer, nullptr);
    return needed.alignment;
  }
};

/// A claim below what the driver needs is left out: such a buffer does not work.
TEST_F(Aligned, PalettesAreOnCacheLinesIfTheDeviceNeedsLess) {
  const VkDeviceSize needed = needed_alignment();
  if (needed > 32)
    GTEST_SKIP() << "SKIPPED: no smaller alignment to claim: this device needs buffers at multiples of " << needed
                 << " bytes";
  for (const VkDeviceSize alignment : {4, 16, 32}) {
    if (alignment < needed) continue;
    for (const char* instruction_set : kInstructionSets) {
      SCOPED_TRACE(testing::Message() << instruction_set << ", alignment " << alignment);
      watch_->buffer_alignment = alignment;
      auto info = watched_info();
      info.tuning.max_page_bytes = 100000;
      auto skinner = make_skinner(info);
      MappedCrowd crowd(*device_, skinner);
      crowd.run_frame({1, 0, 0}, 3, instruction_set);
      crowd.run_frame({2, 1, 1}, 20, instruction_set);
      crowd.run_frame({3, 0, 2}, 40, instruction_set);
    }
  }
}

TEST_F(Aligned, MisalignedMappingOfTheHostIsFreedAndRefused) {
  HostAllocator host{*device_};
  auto info = skinner_info();
  info.allocator = host.callbacks();
  auto skinner = make_skinner(info);
  for (const size_t moved_bytes : {4, 16, 32, 48}) {
    host.moved_bytes = moved_bytes;
    expect_refused(
        skinner.add_mesh(make_mesh({}), 8, "rig"), ErrorCode::kInvalidArgument,
        "sinew.staging[rig], 3328 bytes: the host's allocator mapped the buffer at an address that is no multiple "
        "of 64 bytes");
    EXPECT_EQ(host.live, 0);
  }
  host.moved_bytes = 0;
  MappedCrowd crowd(*device_, skinner);
  crowd.run_frame({1, 0, 0}, 3, "");
}

TEST_F(Aligned, AllocationOfTheHostWithoutABufferIsFreedAndRefused) {
  HostAllocator host{.device = *device_, .gives_buffers = false};
  auto info = skinner_info();
  info.allocator = host.callbacks();
  auto skinner = make_skinner(info);
  EXPECT_EQ(message_of(skinner.add_mesh(make_mesh({}), 8, "rig")),
            "sinew.mesh[0], 262144 bytes: the host's allocator gave no buffer, or one that is not mapped");
  EXPECT_EQ(host.live, 0);
}

}  // namespace
}  // namespace sinew::test
