// The host's allocator and allocation callbacks: what they are called with, and that everything is freed.
#include <vector>

#include "heap_faults.h"
#include "vulkan/host_allocator.h"
#include "vulkan/skinner_fixture.h"

namespace sinew::test {
namespace {

class HostMemory : public SkinnerTest {};

TEST_F(HostMemory, AllocatorGetsTheSharedQueueFamilies) {
  std::vector<uint32_t> queue_families;
  HostAllocator host{*device_};
  auto info = skinner_info();
  info.allocator = host.callbacks();
  host.on_allocate = [&](const VkBufferCreateInfo& create) {
    EXPECT_EQ(create.sharingMode, VK_SHARING_MODE_CONCURRENT);
    queue_families.assign(create.pQueueFamilyIndices, create.pQueueFamilyIndices + create.queueFamilyIndexCount);
    return VK_SUCCESS;
  };
  watch_->attach(info);
  watch_->added_queue_families = 2;
  const uint32_t families[] = {0, 2};
  info.queue_families = families;
  auto skinner = make_skinner(info);
  info.queue_families = {};
  EXPECT_TRUE(skinner.add_mesh(make_mesh({}), 8));
  EXPECT_EQ(queue_families, (std::vector<uint32_t>{0, 2}));
}

struct CountingCallbacks {
  int live = 0, calls = 0;

  VkAllocationCallbacks callbacks() {
    VkAllocationCallbacks result = {};
    result.pUserData = this;
    result.pfnAllocation = [](void* self, size_t size, size_t alignment, VkSystemAllocationScope) {
      ++static_cast<CountingCallbacks*>(self)->live;
      ++static_cast<CountingCallbacks*>(self)->calls;
      return allocate_aligned(alignment, size);
    };
    result.pfnReallocation = [](void*, void*, size_t, size_t, VkSystemAllocationScope) -> void* { return nullptr; };
    result.pfnFree = [](void* self, void* memory) {
      if (memory != nullptr) --static_cast<CountingCallbacks*>(self)->live;
      free_aligned(memory);
    };
    return result;
  }
};

TEST_F(HostMemory, VulkanAllocationCallbacksAreBalanced) {
  CountingCallbacks counting;
  auto info = skinner_info();
  {
    const VkAllocationCallbacks callbacks = counting.callbacks();
    info.allocation_callbacks = &callbacks;
    auto skinner = make_skinner(info);
    info.allocation_callbacks = nullptr;
    TestCrowd crowd(*device_, skinner);
    crowd.add({});
    crowd.run_frame({1, 0, 0}, Counts{{0, 2}});
    crowd.run_frame({2, 1, 1}, Counts{{0, 200}});
    crowd.run_frame({3, 0, 2}, Counts{{0, 2}});
    EXPECT_GT(counting.live, 0);
  }
  EXPECT_EQ(counting.live, 0);
  EXPECT_GT(counting.calls, 5);
}

}  // namespace
}  // namespace sinew::test
