// Skinning on a queue of another family than drawing: buffers are shared by both families, and command pools belong to
// the family that executes their commands. Hooks replace a family that the device lacks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <utility>

#include "built_in.h"
#include "child.h"
#include "gpu/frame_slots.h"
#include "gpu/host.h"
#include "skinning/skinning.h"

namespace sinew::app {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<std::vector<uint32_t>> buffer_families;  // the queue families that each buffer is created for
PFN_vkGetInstanceProcAddr real_function = nullptr;

/// Logs the families, and creates the buffer without them: the device may lack one.
VKAPI_ATTR VkResult VKAPI_CALL create_buffer(VkDevice device, const VkBufferCreateInfo* info,
                                             const VkAllocationCallbacks* callbacks, VkBuffer* buffer) {
  const bool shared = info->sharingMode == VK_SHARING_MODE_CONCURRENT;
  buffer_families.emplace_back(info->pQueueFamilyIndices, info->pQueueFamilyIndices + info->queueFamilyIndexCount);
  EXPECT_EQ(shared, !buffer_families.back().empty());
  VkBufferCreateInfo exclusive = *info;
  exclusive.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
  return vkCreateBuffer(device, &exclusive, callbacks, buffer);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_function(VkDevice device, const char* name) {
  if (!std::strcmp(name, "vkCreateBuffer")) return reinterpret_cast<PFN_vkVoidFunction>(create_buffer);
  return vkGetDeviceProcAddr(device, name);
}

/// One family more than the device has, like its last one.
VKAPI_ATTR void VKAPI_CALL get_families(VkPhysicalDevice physical_device, uint32_t* count,
                                        VkQueueFamilyProperties* families) {
  const uint32_t room = *count;
  vkGetPhysicalDeviceQueueFamilyProperties(physical_device, count, families);
  if (families != nullptr && room > *count) families[*count] = families[*count - 1];
  if (families == nullptr || room > *count) ++*count;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instance_function(VkInstance instance, const char* name) {
  if (!std::strcmp(name, "vkGetPhysicalDeviceQueueFamilyProperties"))
    return reinterpret_cast<PFN_vkVoidFunction>(get_families);
  if (!std::strcmp(name, "vkGetDeviceProcAddr")) return reinterpret_cast<PFN_vkVoidFunction>(device_function);
  return real_function(instance, name);
}

std::vector<uint32_t> pool_families;  // the queue family that each command pool is created for
PFN_vkCreateCommandPool real_pool = nullptr;

VKAPI_ATTR VkResult VKAPI_CALL create_pool(VkDevice device, const VkCommandPoolCreateInfo* info,
                                           const VkAllocationCallbacks* callbacks, VkCommandPool* pool) {
  pool_families.push_back(info->queueFamilyIndex);
  VkCommandPoolCreateInfo real = *info;
  real.queueFamilyIndex = pool_families[0];
  return real_pool(device, &real, callbacks, pool);
}

class AnotherFamily : public ::testing::Test {
 protected:
  void SetUp() override {
    SINEW_SKIP_WITHOUT_DEVICE();
    ASSERT_TRUE(set_up(GraphicsOptions(), context_));
    models_ = test::built_in_models();
    real_function = std::exchange(vkGetInstanceProcAddr, instance_function);
  }
  void TearDown() override {
    if (real_function) vkGetInstanceProcAddr = std::exchange(real_function, nullptr);
  }

  std::vector<std::vector<uint32_t>> families_of_buffers(AsyncCompute async, uint32_t second_family) {
    buffer_families.clear();
    context_.device.info.second_queue = QueueIndex{second_family, 0, 0};
    SkinningInfo info;
    info.async = async;
    Evaluation evaluation(models_, 1);
    info.evaluation = &evaluation;
    EXPECT_TRUE(Skinning::create(context_.device, models_, info));
    return buffer_families;
  }

  GraphicsContext context_;
  std::vector<Model> models_;
};

TEST_F(AnotherFamily, SharesEveryBufferOfTheLibrary) {
  const uint32_t own = context_.device.info.queue_family, other = own + 1;
  EXPECT_THAT(families_of_buffers(AsyncCompute::kSecondQueue, other), Not(IsEmpty()));
  EXPECT_THAT(buffer_families, Each(ElementsAre(own, other)));
  EXPECT_THAT(families_of_buffers(AsyncCompute::kSecondQueue, own), Each(IsEmpty()));
  EXPECT_THAT(families_of_buffers(AsyncCompute::kNone, other), Each(IsEmpty()));
}

TEST_F(AnotherFamily, HasItsOwnCommandPools) {
  const uint32_t own = context_.device.info.queue_family, other = own + 1;
  context_.device.info.second_queue = QueueIndex{other, 0, 0};
  pool_families.clear();
  real_pool = std::exchange(vkCreateCommandPool, create_pool);
  const auto slots = create_frame_slots(context_.device, {2, true, AsyncCompute::kSecondQueue});
  vkCreateCommandPool = real_pool;
  ASSERT_TRUE(slots);
  EXPECT_THAT(pool_families, ElementsAre(own, other, own, other)) << "drawing and skinning of two frame slots";
}

}  // namespace
}  // namespace sinew::app
