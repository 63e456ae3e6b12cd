// Palettes are aligned to cache lines even if the device needs less, with the library's allocator and with the host's:
// evaluators write them with streaming stores.
#include "vulkan/host_allocator.h"
#include "vulkan/skinner_fixture.h"

namespace sinew::test {
namespace {

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
    SCOPED_TRACE(testing::Message() << "alignment " << alignment);
    watch_->buffer_alignment = alignment;
    auto info = watched_info();
    info.tuning.max_page_bytes = 100000;
    auto skinner = make_skinner(info);
    TestCrowd crowd(*device_, skinner);
    for (const uint32_t joints : {5u, 17u, 67u}) crowd.add({.vertices = 37 + joints, .joints = joints, .seed = joints});
    uint64_t frame = 0;
    for (const uint32_t instances : {3u, 20u, 40u}) {
      crowd.run_frame({.number = ++frame}, Counts{{0, instances}, {1, instances + 1}, {2, instances + 2}});
      for (const vulkan::InstanceRange& range : skinner.ranges())
        EXPECT_EQ(reinterpret_cast<uintptr_t>(range.palettes.data()) % vulkan::kMappedAlignment, 0u);
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
  TestCrowd crowd(*device_, skinner);
  crowd.add({});
  crowd.run_frame({.number = 1}, Counts{{0, 3}});
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
