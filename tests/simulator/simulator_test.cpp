// The simulated devices, below the validation layer, and the skinner on them.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>

#include "shared/skinning.h"
#include "vulkan/skinner_fixture.h"

namespace sinew::test {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;

constexpr VkDeviceSize kMiB = VkDeviceSize{1} << 20;

/// The loader orders layers as it finds their manifests, whatever VK_INSTANCE_LAYERS says: the folder of the validation
/// layer comes first, so that it stands above.
void simulate(const char* profile, const char* lost_call = "") {
  setenv("VK_LAYER_PATH", SINEW_SIMULATOR_PATH, 1);
  setenv("VK_INSTANCE_LAYERS", "VK_LAYER_KHRONOS_validation:VK_LAYER_SINEW_simulator", 1);
  setenv("SINEW_DEVICE_PROFILE", profile, 1);
  setenv("SINEW_DEVICE_LOST", lost_call, 1);
}

class Simulator : public SkinnerTest {
 protected:
  void SetUp() override {}

  void open(const char* profile, const char* lost_call = "") {
    simulate(profile, lost_call);
    make_device({});
  }

  /// Skins, and compares every vertex.
  void run_crowd(uint32_t vertices, uint32_t joints, uint32_t instances) {
    vulkan::Skinner skinner = make_skinner(watched_info());
    TestCrowd crowd(*device_, skinner);
    const uint32_t mesh = crowd.add({.vertices = vertices, .joints = joints, .seed = 1});
    const TestCrowd::Count counts[] = {{mesh, instances}};
    crowd.run_frame({.number = 1}, counts);
  }

  VkResult allocate_memory(uint32_t type, VkDeviceSize size_bytes, VkDeviceMemory& memory) {
    const VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = size_bytes, .memoryTypeIndex = type};
    return device_->vk.AllocateMemory(device_->device, &info, nullptr, &memory);
  }

  VkResult create_depth_image(VkFormat format) {
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .imageType = VK_IMAGE_TYPE_2D,
                                    .format = format,
                                    .extent = {64, 64, 1},
                                    .mipLevels = 1,
                                    .arrayLayers = 1,
                                    .samples = VK_SAMPLE_COUNT_1_BIT,
                                    .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT};
    VkImage image = VK_NULL_HANDLE;
    const VkResult result = device_->vk.CreateImage(device_->device, &info, nullptr, &image);
    if (result == VK_SUCCESS) device_->vk.DestroyImage(device_->device, image, nullptr);
    return result;
  }
};

// --- the layer ---

TEST_F(Simulator, TheValidationLayerSeesTheSimulatedDevice) {
  ASSERT_NO_FATAL_FAILURE(open("no-d32"));
  if (IsSkipped()) return;
  create_depth_image(VK_FORMAT_X8_D24_UNORM_PACK32);
  EXPECT_THAT(device_->take_messages(), IsEmpty());
  create_depth_image(VK_FORMAT_D32_SFLOAT);
  EXPECT_THAT(device_->take_messages(), Contains(HasSubstr("VUID-VkImageCreateInfo")));
}

TEST_F(Simulator, AnUnknownProfileIsRefusedInALineThatListsThem) {
  simulate("amdd");
  std::string why_not;
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(TestDevice::create(why_not), nullptr);
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr("no profile 'amdd'; there is amd, nvidia, no-bar"));
}

TEST_F(Simulator, AnUnknownCallIsRefused) {
  for (const char* call : {"vkQueueSubmi:3", "vkQueueSubmit:", "vkQueueSubmit:0", "vkQueueSubmit:3x"}) {
    simulate("", call);
    std::string why_not;
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(TestDevice::create(why_not), nullptr) << call;
    EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr("must be a function and the number of a call"));
  }
}

TEST_F(Simulator, TheDeviceIsLostFromTheChosenCallOn) {
  ASSERT_NO_FATAL_FAILURE(open("", "vkQueueSubmit:2"));
  if (IsSkipped()) return;
  device_->submit_and_wait([](VkCommandBuffer) {});
  EXPECT_EQ(device_->vk.QueueSubmit(device_->queue, 0, nullptr, VK_NULL_HANDLE), VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(device_->vk.QueueSubmit(device_->queue, 0, nullptr, VK_NULL_HANDLE), VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(device_->vk.QueueWaitIdle(device_->queue), VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(device_->vk.DeviceWaitIdle(device_->device), VK_ERROR_DEVICE_LOST);
}

TEST_F(Simulator, AHeapFillsUpAndHasRoomAgain) {
  ASSERT_NO_FATAL_FAILURE(open("nvidia"));
  if (IsSkipped()) return;
  VkDeviceMemory first = VK_NULL_HANDLE, second = VK_NULL_HANDLE;
  EXPECT_EQ(allocate_memory(2, 200 * kMiB, first), VK_SUCCESS);
  EXPECT_EQ(allocate_memory(2, 57 * kMiB, second), VK_ERROR_OUT_OF_DEVICE_MEMORY);
  device_->vk.FreeMemory(device_->device, first, nullptr);
  EXPECT_EQ(allocate_memory(2, 256 * kMiB, second), VK_SUCCESS);
  device_->vk.FreeMemory(device_->device, second, nullptr);
}

TEST_F(Simulator, DeviceLocalMemoryIsNotMapped) {
  ASSERT_NO_FATAL_FAILURE(open("nvidia"));
  if (IsSkipped()) return;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  ASSERT_EQ(allocate_memory(0, kMiB, memory), VK_SUCCESS);
  void* mapped = nullptr;
  EXPECT_NE(device_->vk.MapMemory(device_->device, memory, 0, kMiB, 0, &mapped), VK_SUCCESS);
  EXPECT_THAT(device_->take_messages(), Contains(HasSubstr("VUID-vkMapMemory-memory")));
  device_->vk.FreeMemory(device_->device, memory, nullptr);
}

// --- the skinner on simulated devices ---

TEST_F(Simulator, PalettesAreInOtherMemoryWhereTheBestIsFull) {
  ASSERT_NO_FATAL_FAILURE(open("nvidia"));
  if (IsSkipped()) return;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  ASSERT_EQ(allocate_memory(2, 256 * kMiB, memory), VK_SUCCESS);
  run_crowd(100, 20, 50);
  EXPECT_THAT(watch_->memory_types, Not(Contains(2u)));
  device_->vk.FreeMemory(device_->device, memory, nullptr);
}

TEST_F(Simulator, TexelsAreReadOnACpuOnly) {
  for (const bool gpu : {false, true}) {
    ASSERT_NO_FATAL_FAILURE(open(gpu ? "discrete" : ""));
    if (IsSkipped()) return;
    if (!gpu && device_->properties.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU) {
      GTEST_SKIP() << "NO CPU DEVICE: the choice of texels was not tested";
    }
    run_crowd(100, 20, 5);
    EXPECT_FALSE(watch_->specialized.empty());
    EXPECT_THAT(watch_->specialized, Each(Contains(Pair(shared::kConstantTexelPalettes, gpu ? 0u : 1u))));
    for (const std::string& message : device_->take_messages()) ADD_FAILURE() << message;
  }
}

/// What is skinned on a device, and in which types of memory.
struct OnDevice {
  const char* profile;
  uint32_t vertices = 300, joints = 20, instances = 50;
  ::testing::Matcher<std::vector<uint32_t>> memory_types = ::testing::_;
};

class SimulatedDevice : public Simulator, public ::testing::WithParamInterface<OnDevice> {};

TEST_P(SimulatedDevice, SkinsACrowd) {
  const OnDevice& on = GetParam();
  ASSERT_NO_FATAL_FAILURE(open(on.profile));
  if (IsSkipped()) return;
  run_crowd(on.vertices, on.joints, on.instances);
  EXPECT_THAT(watch_->memory_types, on.memory_types);
}

const OnDevice kDevices[] = {
    {"amd", 300, 20, 50, Each(::testing::Le(2u))},  // the types after them have unusual flags
    {"nvidia", 300, 20, 50, Contains(2u)},          // device-local and host-visible
    {"no-bar"},
    {"discrete"},
    {"portability"},
    {"minimum", 70, 64, 500},             // 1.5 MB of palettes; a view has 1 MiB
    {"small-allocations", 5000, 4, 150},  // 12 MB of vertices; 8 MiB in one allocation
    {"plain-1.2"},
    {"timestamps-36"},
    {"timestamps-0"},
    {"multi-draw"},
    {"no-d32"},
    {"compute-first"},
};

INSTANTIATE_TEST_SUITE_P(Profiles, SimulatedDevice, ::testing::ValuesIn(kDevices), [](const auto& chosen) {
  std::string name(chosen.param.profile);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '-' || c == '.'; }, '_');
  return name;
});

}  // namespace
}  // namespace sinew::test
