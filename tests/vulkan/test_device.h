// A device for tests, with its own instance and queue, loaded by itself. Validation messages are collected.
#pragma once

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace sinew::test {

// clang-format off
#define SINEW_TEST_INSTANCE_FUNCTIONS(X) \
  X(CreateDebugUtilsMessengerEXT) X(CreateDevice) X(DestroyDebugUtilsMessengerEXT) X(DestroyInstance) \
  X(EnumerateDeviceExtensionProperties) X(EnumeratePhysicalDevices) X(GetDeviceProcAddr) X(GetPhysicalDeviceFeatures2) \
  X(GetPhysicalDeviceMemoryProperties) X(GetPhysicalDeviceProperties) X(GetPhysicalDeviceProperties2) \
  X(GetPhysicalDeviceQueueFamilyProperties)
#define SINEW_TEST_DEVICE_FUNCTIONS(X) \
  X(AllocateCommandBuffers) X(AllocateMemory) X(BeginCommandBuffer) X(BindBufferMemory) X(BindImageMemory) \
  X(CmdBeginRenderPass) X(CmdBindPipeline) X(CmdBindVertexBuffers) X(CmdCopyBuffer) X(CmdCopyImageToBuffer) X(CmdDraw) X(CmdEndRenderPass) \
  X(CmdBeginDebugUtilsLabelEXT) X(CmdEndDebugUtilsLabelEXT) X(CmdFillBuffer) X(CmdPipelineBarrier) \
  X(CmdResetQueryPool) X(CmdWriteTimestamp) X(CreateBuffer) X(CreateBufferView) X(CreateCommandPool) \
  X(CreateComputePipelines) X(CreateFramebuffer) X(CreateGraphicsPipelines) X(CreateImage) X(CreateImageView) X(CreatePipelineLayout) \
  X(CreateQueryPool) X(CreateRenderPass) X(CreateSemaphore) X(CreateShaderModule) X(DestroyBuffer) X(DestroyCommandPool) \
  X(DestroyDevice) X(DestroyFramebuffer) X(DestroyImage) X(DestroyImageView) X(DestroyPipeline) \
  X(DestroyPipelineLayout) X(DestroyQueryPool) X(DestroyRenderPass) X(DestroySemaphore) X(DestroyShaderModule) X(DeviceWaitIdle) \
  X(EndCommandBuffer) X(FreeCommandBuffers) X(FreeMemory) X(GetBufferDeviceAddress) X(GetBufferMemoryRequirements) \
  X(GetDeviceQueue) X(GetImageMemoryRequirements) X(GetQueryPoolResults) X(MapMemory) X(QueueSubmit) \
  X(QueueWaitIdle) X(SetDebugUtilsObjectNameEXT) X(UpdateDescriptorSets)
// clang-format on

struct Functions {
  PFN_vkGetInstanceProcAddr GetInstanceProcAddr = nullptr;
#define SINEW_TEST_DECLARE(name) PFN_vk##name name = nullptr;
  SINEW_TEST_INSTANCE_FUNCTIONS(SINEW_TEST_DECLARE)
  SINEW_TEST_DEVICE_FUNCTIONS(SINEW_TEST_DECLARE)
#undef SINEW_TEST_DECLARE
};

/// A buffer with its own memory. The test frees it with TestDevice::free_buffer().
struct TestBuffer {
  VkBuffer handle = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  void* mapped = nullptr;  // null unless host-visible
};

struct TestDeviceOptions {
  bool validate = true;       // core and synchronization validation
  bool gpu_assisted = false;  // GPU-assisted validation, which checks shader accesses, instead of synchronization
  uint32_t instance_version = VK_API_VERSION_1_2;  // below 1.2: no feature is enabled
  bool across_submits = false;                     // synchronization validation also between submissions
};

/// The semaphores of a submission.
struct TestOrder {
  std::vector<VkSemaphore> waits;
  VkPipelineStageFlags stages = 0;      // the stages that wait
  VkSemaphore signal = VK_NULL_HANDLE;  // optional
};

class TestDevice {
 public:
  /// Null without a loader, a device with Vulkan 1.2, or the validation layer; `why_not` then says what is missing.
  static std::unique_ptr<TestDevice> create(std::string& why_not, const TestDeviceOptions& options = {});
  /// Whether the last create() has failed although an earlier one had not, and not for want of what its options need.
  static bool is_gone();
  TestDevice(const TestDevice&) = delete;
  ~TestDevice();

  Functions vk;
  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical_device = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
  uint32_t queue_family = 0;
  uint64_t timestamp_mask = 0;  // the valid bits of a timestamp
  bool debug_utils = false;
  bool buffer_addresses = false;  // bufferDeviceAddress is enabled; it is, if the device has it
  VkPhysicalDeviceProperties properties = {};

  /// Records, submits and waits.
  void submit_and_wait(const std::function<void(VkCommandBuffer)>& record);

  /// Records commands that are never submitted.
  void record_only(const std::function<void(VkCommandBuffer)>& record);

  /// Records and submits. finish() waits for all submissions.
  void submit(const std::function<void(VkCommandBuffer)>& record, const TestOrder& order);
  void finish();
  /// A semaphore that is destroyed with the device.
  VkSemaphore make_semaphore();
  /// Timestamps that are destroyed with the device.
  VkQueryPool make_timestamps(uint32_t count);

  TestBuffer make_buffer(VkDeviceSize size_bytes, VkBufferUsageFlags usage, bool host_visible);
  void free_buffer(const TestBuffer& buffer);

  /// Fills the buffer with `word`, and waits.
  void fill(VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size_bytes, uint32_t word);
  /// Copies a part of a buffer to the CPU, after a full barrier, and waits.
  std::vector<uint32_t> read_back(VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size_bytes);

  /// A barrier from all earlier commands to all later ones and to the host.
  void full_barrier(VkCommandBuffer cmd) const;

  /// The warnings and errors of validation since the last call.
  std::vector<std::string> take_messages();

 private:
  TestDevice() = default;
  bool create_instance(std::string& why_not, const TestDeviceOptions& options);
  bool choose_device(std::string& why_not);
  bool has_extension(const char* wanted) const;
  bool create_device(std::string& why_not, const TestDeviceOptions& options);
  static VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                   VkDebugUtilsMessageTypeFlagsEXT types,
                                                   const VkDebugUtilsMessengerCallbackDataEXT* data, void* self);

  VkCommandBuffer record_commands(const std::function<void(VkCommandBuffer)>& record);

  bool lacks_option_ = false;  // something that the options need is missing
  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  std::vector<VkCommandBuffer> submitted_;
  std::vector<VkSemaphore> semaphores_;
  std::vector<VkQueryPool> query_pools_;
  std::mutex mutex_;
  std::vector<std::string> messages_;
};

}  // namespace sinew::test
