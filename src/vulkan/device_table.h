// The host's device as the backend uses it: functions, limits, allocation callbacks, debug names.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "sinew/asset/result.h"
#include "sinew/vulkan/skinner.h"

namespace sinew::vulkan::internal {

inline Error invalid_argument(std::string message) { return {ErrorCode::kInvalidArgument, std::move(message)}; }

// clang-format off
#define SINEW_DEVICE_FUNCTIONS(X) \
  X(AllocateDescriptorSets) X(AllocateMemory) X(BindBufferMemory) X(CmdBindDescriptorSets) X(CmdBindPipeline) \
  X(CmdCopyBuffer) X(CmdDispatch) X(CmdPipelineBarrier) X(CmdPushConstants) X(CmdWriteTimestamp) X(CreateBuffer) \
  X(CreateBufferView) X(CreateComputePipelines) X(CreateDescriptorPool) X(CreateDescriptorSetLayout) \
  X(CreatePipelineLayout) X(CreateShaderModule) X(DestroyBuffer) X(DestroyBufferView) X(DestroyDescriptorPool) \
  X(DestroyDescriptorSetLayout) X(DestroyPipeline) X(DestroyPipelineLayout) X(DestroyShaderModule) X(FreeMemory) \
  X(GetBufferMemoryRequirements) X(MapMemory) X(UpdateDescriptorSets)
#define SINEW_DEBUG_FUNCTIONS(X) \
  X(SetDebugUtilsObjectNameEXT) X(CmdBeginDebugUtilsLabelEXT) X(CmdEndDebugUtilsLabelEXT)
// clang-format on

/// Filled once, then read only. Must outlive everything that the backend creates: all of it points at the table.
struct DeviceTable {
  VkDevice device = VK_NULL_HANDLE;
  std::optional<VkAllocationCallbacks> callbacks;
  bool debug_utils = false;
  bool is_cpu = false;
  uint32_t vendor = 0;          // VkPhysicalDeviceProperties::vendorID
  bool has_own_memory = false;  // device-local memory is not the CPU's: not an integrated GPU, not a CPU
  uint32_t max_workgroups_x = 0, max_workgroups_y = 0;
  uint32_t max_workgroup_size = 0;
  uint32_t max_shared_bytes = 0;  // of one workgroup
  VkDeviceSize storage_alignment = 0;
  VkDeviceSize max_buffer_bytes = 0;        // of one storage buffer and of one memory block; at most 256 MiB
  VkDeviceSize max_page_bytes = 0;          // of one page: max_buffer_bytes, or KernelTuning::max_page_bytes if less
  const char* buffer_limit = "";            // what sets max_buffer_bytes, for messages
  VkDeviceSize max_texel_buffer_bytes = 0;  // of one buffer view, with vec4 texels
  VkPhysicalDeviceMemoryProperties memory = {};
  std::string description;  // one line for the host's message callback

#define SINEW_DECLARE(name) PFN_vk##name name = nullptr;
  SINEW_DEVICE_FUNCTIONS(SINEW_DECLARE)
  SINEW_DEBUG_FUNCTIONS(SINEW_DECLARE)
#undef SINEW_DECLARE

  const VkAllocationCallbacks* allocation_callbacks() const { return callbacks ? &*callbacks : nullptr; }

  /// Names an object for debuggers. Does nothing without debug_utils.
  template <class Handle>
  void name_object(VkObjectType type, Handle handle, const std::string& name) const {
    if (debug_utils) set_name(type, (uint64_t)handle, name.c_str());
  }

 private:
  void set_name(VkObjectType type, uint64_t handle, const char* name) const;
};

/// The error for `size_bytes` above `limit`, which is DeviceTable::max_page_bytes or max_buffer_bytes. `what` ends with
/// a verb: "... need".
Error too_large(const std::string& what, uint64_t size_bytes, VkDeviceSize limit, const DeviceTable& table);

/// Checks `info`, reads the device's limits and loads its functions. `max_page_bytes` is that of KernelTuning. The
/// error names what is missing: a field, a Vulkan function, Vulkan 1.2, or a capability of the queue family.
Result<DeviceTable> load_device_table(const SkinnerInfo& info, VkDeviceSize max_page_bytes);

/// "name[7]": the debug name of object 7 of several.
std::string indexed(std::string name, uint64_t index);

/// What a debug label is about. It decides the label's color.
enum class LabelKind : uint8_t { kFrame, kUpload, kSkin };

/// A debug label in a command buffer, from construction to destruction. Does nothing without debug_utils.
class Label {
 public:
  Label(const DeviceTable& table, VkCommandBuffer cmd, LabelKind kind, const char* text);
  ~Label();
  Label(const Label&) = delete;
  Label& operator=(const Label&) = delete;

 private:
  const DeviceTable& table_;
  VkCommandBuffer cmd_;
};

/// Owns a Vulkan object; move-only. The destructor destroys the object. `table` must outlive it.
template <class Handle>
class Owned {
 public:
  using Destroy = void(VKAPI_PTR*)(VkDevice, Handle, const VkAllocationCallbacks*);

  Owned() = default;
  Owned(const DeviceTable& table, Handle handle, Destroy destroy)
      : table_(&table), handle_(handle), destroy_(destroy) {}
  Owned(Owned&& other) noexcept { swap(other); }
  Owned& operator=(Owned&& other) noexcept {
    Owned(std::move(other)).swap(*this);
    return *this;
  }
  ~Owned() {
    if (handle_ != VK_NULL_HANDLE) destroy_(table_->device, handle_, table_->allocation_callbacks());
  }

  Handle get() const { return handle_; }
  Handle release() { return std::exchange(handle_, Handle(VK_NULL_HANDLE)); }

 private:
  void swap(Owned& other) noexcept {
    std::swap(table_, other.table_);
    std::swap(handle_, other.handle_);
    std::swap(destroy_, other.destroy_);
  }

  const DeviceTable* table_ = nullptr;
  Handle handle_ = VK_NULL_HANDLE;
  Destroy destroy_ = nullptr;
};

}  // namespace sinew::vulkan::internal
