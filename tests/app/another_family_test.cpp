// Skinning on a queue of another family, which no device here has: buffers belong to both, commands to the one that
// runs them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <utility>

#include "child.h"
#include "commands/graphics_context.h"
#include "gpu/frame_slots.h"
#include "render/skinning.h"

namespace sinew::app {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<std::vector<uint32_t>> families_heard;  // of each buffer
PFN_vkGetInstanceProcAddr real_function = nullptr;

/// Families that this device does not have go no further.
VKAPI_ATTR VkResult VKAPI_CALL create_buffer(VkDevice device, const VkBufferCreateInfo* info,
                                             const VkAllocationCallbacks* callbacks, VkBuffer* buffer) {
  const bool shared = info->sharingMode == VK_SHARING_MODE_CONCURRENT;
  families_heard.emplace_back(info->pQueueFamilyIndices, info->pQueueFamilyIndices + info->queueFamilyIndexCount);
  EXPECT_EQ(shared, !families_heard.back().empty());
  VkBufferCreateInfo alone = *info;
  alone.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
  return vkCreateBuffer(device, &alone, callbacks, buffer);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_function(VkDevice device, const char* name) {
  if (!std::strcmp(name, "vkCreateBuffer")) return reinterpret_cast<PFN_vkVoidFunction>(create_buffer);
  return vkGetDeviceProcAddr(device, name);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instance_function(VkInstance instance, const char* name) {
  if (!std::strcmp(name, "vkGetDeviceProcAddr")) return reinterpret_cast<PFN_vkVoidFunction>(device_function);
  return real_function(instance, name);
}

std::vector<uint32_t> pools_heard;  // the family of each
PFN_vkCreateCommandPool real_pool = nullptr;

VKAPI_ATTR VkResult VKAPI_CALL create_pool(VkDevice device, const VkCommandPoolCreateInfo* info,
                                           const VkAllocationCallbacks* callbacks, VkCommandPool* pool) {
  pools_heard.push_back(info->queueFamilyIndex);
  VkCommandPoolCreateInfo first = *info;
  first.queueFamilyIndex = pools_heard[0];
  return real_pool(device, &first, callbacks, pool);
}

class AnotherFamily : public ::testing::Test {
 protected:
  void SetUp() override {
    SINEW_SKIP_WITHOUT_DEVICE();
    ASSERT_TRUE(set_up(CrowdOptions(), stage_));
    auto model = load_model(SINEW_SOURCE_DIR "/assets/character.glb", {});
    ASSERT_TRUE(model);
    models_.push_back(std::move(*model));
    real_function = std::exchange(vkGetInstanceProcAddr, instance_function);
  }
  void TearDown() override {
    if (real_function) vkGetInstanceProcAddr = std::exchange(real_function, nullptr);
  }

  std::vector<std::vector<uint32_t>> families_of_buffers(AsyncCompute async, uint32_t second_family) {
    families_heard.clear();
    stage_.device.info.second_queue = QueueIndex{second_family, 0, 0};
    SkinningInfo info;
    info.async = async;
    EXPECT_TRUE(Skinning::create(stage_.device, models_, info));
    return families_heard;
  }

  GraphicsContext stage_;
  std::vector<Model> models_;
};

TEST_F(AnotherFamily, SharesEveryBufferTheLibraryMakes) {
  const uint32_t own = stage_.device.info.queue_family, other = own + 1;
  EXPECT_THAT(families_of_buffers(AsyncCompute::kSecondQueue, other), Not(IsEmpty()));
  EXPECT_THAT(families_heard, Each(ElementsAre(own, other)));
  EXPECT_THAT(families_of_buffers(AsyncCompute::kSecondQueue, own), Each(IsEmpty()));
  EXPECT_THAT(families_of_buffers(AsyncCompute::kNone, other), Each(IsEmpty()));
}

TEST_F(AnotherFamily, RunsCommandsOfItsOwnPools) {
  const uint32_t own = stage_.device.info.queue_family, other = own + 1;
  stage_.device.info.second_queue = QueueIndex{other, 0, 0};
  pools_heard.clear();
  real_pool = std::exchange(vkCreateCommandPool, create_pool);
  const auto slots = create_frame_slots(stage_.device, {2, true, AsyncCompute::kSecondQueue});
  vkCreateCommandPool = real_pool;
  ASSERT_TRUE(slots);
  EXPECT_THAT(pools_heard, ElementsAre(own, other, own, other)) << "drawing and skinning of two slots";
}

}  // namespace
}  // namespace sinew::app
