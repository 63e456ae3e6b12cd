#include "device_table.h"

#include <algorithm>
#include <vector>

#include "sinew/vulkan/draw.h"

namespace sinew::vulkan::internal {
namespace {

constexpr VkDeviceSize kMaxBufferBytes = VkDeviceSize{256} << 20;

/// By LabelKind: red, green, blue, alpha.
constexpr float kLabelColors[][4] = {{0.35f, 0.40f, 0.50f, 1}, {0.85f, 0.55f, 0.15f, 1}, {0.18f, 0.60f, 0.34f, 1}};

/// "1.2", for messages.
std::string version_text(uint32_t version) {
  return std::to_string(VK_API_VERSION_MAJOR(version)) + "." + std::to_string(VK_API_VERSION_MINOR(version));
}

Status check_range(const char* name, uint32_t value, uint32_t max) {
  if (value >= 1 && value <= max) return {};
  return invalid_argument(std::string("create_skinner: ") + name + " is " + std::to_string(value) +
                          ", and must be 1 to " + std::to_string(max));
}

Error unknown(const char* name, uint32_t value) {
  return invalid_argument(std::string("create_skinner: unknown ") + name + " " + std::to_string(value));
}

Status check_info(const SkinnerInfo& info) {
  const auto missing = [](const char* name) { return invalid_argument(std::string("create_skinner: no ") + name); };
  if (info.instance == VK_NULL_HANDLE) return missing("instance");
  if (info.physical_device == VK_NULL_HANDLE) return missing("physical_device");
  if (info.device == VK_NULL_HANDLE) return missing("device");
  if (info.get_instance_proc_addr == nullptr) return missing("get_instance_proc_addr");
  if (Status status = check_range("frames_in_flight", info.frames_in_flight, kMaxFramesInFlight); !status)
    return status;
  if (Status status = check_range("update_groups", info.update_groups, kMaxUpdateGroups); !status) return status;
  if (vertex_input(info.format).attribute_count == 0) return unknown("format", uint32_t(info.format));
  if (info.barriers > Barriers::kHost) return unknown("barriers", uint32_t(info.barriers));
  if ((info.allocator.allocate == nullptr) != (info.allocator.free == nullptr)) {
    return invalid_argument("create_skinner: an allocator needs both allocate and free");
  }
  if (info.barriers == Barriers::kLibrary && (info.consumers.stages == 0 || info.consumers.accesses == 0)) {
    return invalid_argument("create_skinner: kLibrary needs the consumers' stages and accesses");
  }
  if (info.api_version < VK_API_VERSION_1_2) {
    return Error{ErrorCode::kUnsupported,
                 "create_skinner: Vulkan 1.2 is needed, the host enabled " + version_text(info.api_version)};
  }
  return {};
}

/// Stages that every queue with compute has, if the device has them.
constexpr VkPipelineStageFlags kComputeStages =
    VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT | VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT |
    VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_HOST_BIT |
    VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_ACCELERATION_STRUCTURE_BUILD_BIT_KHR |
    VK_PIPELINE_STAGE_RAY_TRACING_SHADER_BIT_KHR;

/// Whether the queue families exist, each is named once, and the one of record() supports its commands. Not checked
/// where the host names none.
Status check_families(const SkinnerInfo& info) {
  if (info.record_family == VK_QUEUE_FAMILY_IGNORED && info.queue_families.empty()) return {};
  const auto get_families = PFN_vkGetPhysicalDeviceQueueFamilyProperties(
      info.get_instance_proc_addr(info.instance, "vkGetPhysicalDeviceQueueFamilyProperties"));
  if (get_families == nullptr) {
    return invalid_argument("create_skinner: no function vkGetPhysicalDeviceQueueFamilyProperties");
  }
  uint32_t count = 0;
  get_families(info.physical_device, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  get_families(info.physical_device, &count, families.data());
  const auto missing = [&](const char* name, uint32_t family) {
    return invalid_argument(std::string("create_skinner: ") + name + " names queue family " + std::to_string(family) +
                            ", and the device has " + std::to_string(count));
  };
  const auto named = info.queue_families;
  for (size_t i = 0; i < named.size(); ++i) {
    if (named[i] >= count) return missing("queue_families", named[i]);
    if (std::find(named.begin(), named.begin() + ptrdiff_t(i), named[i]) != named.begin() + ptrdiff_t(i))
      return invalid_argument("create_skinner: queue_families names " + std::to_string(named[i]) + " twice");
  }
  if (info.record_family == VK_QUEUE_FAMILY_IGNORED) return {};
  if (info.record_family >= count) return missing("record_family", info.record_family);
  const std::string prefix = "create_skinner: queue family " + std::to_string(info.record_family);
  const VkQueueFlags flags = families[info.record_family].queueFlags;
  if ((flags & VK_QUEUE_COMPUTE_BIT) == 0) return invalid_argument(prefix + " has no compute");
  const bool draws = info.barriers == Barriers::kLibrary && (info.consumers.stages & ~kComputeStages) != 0;
  if (draws && (flags & VK_QUEUE_GRAPHICS_BIT) == 0) {
    return invalid_argument(prefix +
                            " has no graphics, and kLibrary's barrier names the consumers' stages: use kHost "
                            "and semaphores");
  }
  return {};
}

/// An instance that the host created for an older version than it says has neither the functions nor the structs of
/// Vulkan 1.2, and limits read with it are 0.
Error old_instance() {
  return {ErrorCode::kUnsupported,
          "create_skinner: the instance was created for Vulkan below 1.2: set VkApplicationInfo::apiVersion to "
          "VK_API_VERSION_1_2 or above"};
}

Result<PFN_vkGetDeviceProcAddr> device_loader(const SkinnerInfo& info) {
  PFN_vkGetDeviceProcAddr load = info.get_device_proc_addr;
  if (load == nullptr) {
    load = PFN_vkGetDeviceProcAddr(info.get_instance_proc_addr(info.instance, "vkGetDeviceProcAddr"));
  }
  if (load == nullptr) return invalid_argument("create_skinner: no function vkGetDeviceProcAddr");
  // A function of Vulkan 1.2. Asked before anything that makes validation complain.
  const bool loads = load(info.device, "vkCmdDispatch") != nullptr;
  if (loads && load(info.device, "vkCmdBeginRenderPass2") == nullptr) return old_instance();
  return load;
}

/// Reads the limits, the memory types and the name of the physical device.
Status read_limits(const SkinnerInfo& info, VkDeviceSize max_page_bytes, DeviceTable& table) {
  const auto load = [&](const char* name) { return info.get_instance_proc_addr(info.instance, name); };
  const auto get_properties = PFN_vkGetPhysicalDeviceProperties2(load("vkGetPhysicalDeviceProperties2"));
  const auto get_memory = PFN_vkGetPhysicalDeviceMemoryProperties(load("vkGetPhysicalDeviceMemoryProperties"));
  if (get_properties == nullptr) return old_instance();
  if (get_memory == nullptr) {
    return invalid_argument("create_skinner: no function vkGetPhysicalDeviceMemoryProperties");
  }
  VkPhysicalDeviceMaintenance3Properties sizes = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES};
  VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &sizes};
  get_properties(info.physical_device, &properties);
  get_memory(info.physical_device, &table.memory);

  const VkPhysicalDeviceProperties& core = properties.properties;
  const std::string name = core.deviceName;
  if (core.apiVersion < VK_API_VERSION_1_2) {
    return Error{ErrorCode::kUnsupported,
                 "create_skinner: " + name + " has Vulkan " + version_text(core.apiVersion) + ", and 1.2 is needed"};
  }
  if (sizes.maxMemoryAllocationSize == 0) return old_instance();
  table.vendor = core.vendorID;
  table.is_cpu = core.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
  table.has_own_memory = !table.is_cpu && core.deviceType != VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU;
  table.max_workgroups_x = core.limits.maxComputeWorkGroupCount[0];
  table.max_workgroups_y = core.limits.maxComputeWorkGroupCount[1];
  table.max_workgroup_size =
      std::min(core.limits.maxComputeWorkGroupInvocations, core.limits.maxComputeWorkGroupSize[0]);
  table.max_shared_bytes = core.limits.maxComputeSharedMemorySize;
  table.max_texel_buffer_bytes = VkDeviceSize{core.limits.maxTexelBufferElements} * sizeof(float[4]);
  // At least 16: the kernel counts rows of 16 bytes.
  table.storage_alignment = std::max<VkDeviceSize>(core.limits.minStorageBufferOffsetAlignment, 16);
  table.max_buffer_bytes =
      std::min({VkDeviceSize{core.limits.maxStorageBufferRange}, kMaxBufferBytes, sizes.maxMemoryAllocationSize});
  table.buffer_limit = table.max_buffer_bytes == core.limits.maxStorageBufferRange
                           ? "the device's maxStorageBufferRange"
                       : table.max_buffer_bytes == kMaxBufferBytes ? "Sinew's limit of a buffer"
                                                                   : "the device's maxMemoryAllocationSize";
  table.max_page_bytes = table.max_buffer_bytes;
  if (max_page_bytes != 0) table.max_page_bytes = std::min(max_page_bytes, table.max_buffer_bytes);
  table.description =
      "skinning on " + name + ", in pages of at most " + std::to_string(table.max_page_bytes) + " bytes";
  return {};
}

Status load_functions(const SkinnerInfo& info, PFN_vkGetDeviceProcAddr load, DeviceTable& table) {
#define SINEW_LOAD(name)                                    \
  table.name = PFN_vk##name(load(info.device, "vk" #name)); \
  if (table.name == nullptr) return invalid_argument("create_skinner: no function vk" #name);
  SINEW_DEVICE_FUNCTIONS(SINEW_LOAD)
  if (!info.debug_utils) return {};
  SINEW_DEBUG_FUNCTIONS(SINEW_LOAD)
#undef SINEW_LOAD
  return {};
}

}  // namespace

void DeviceTable::set_name(VkObjectType type, uint64_t handle, const char* name) const {
  const VkDebugUtilsObjectNameInfoEXT info = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
                                              .objectType = type,
                                              .objectHandle = handle,
                                              .pObjectName = name};
  SetDebugUtilsObjectNameEXT(device, &info);  // only a debug name: a failure is ignored
}

Error too_large(const std::string& what, uint64_t size_bytes, VkDeviceSize limit, const DeviceTable& table) {
  const char* const name = limit == table.max_buffer_bytes ? table.buffer_limit : "KernelTuning::max_page_bytes";
  return {ErrorCode::kUnsupported, what + " " + std::to_string(size_bytes) + " bytes, and a buffer holds " +
                                       std::to_string(limit) + ", " + name};
}

Result<DeviceTable> load_device_table(const SkinnerInfo& info, VkDeviceSize max_page_bytes) {
  if (Status status = check_info(info); !status) return status.error();
  DeviceTable table;
  table.device = info.device;
  if (info.allocation_callbacks != nullptr) table.callbacks = *info.allocation_callbacks;
  table.debug_utils = info.debug_utils;
  const Result<PFN_vkGetDeviceProcAddr> load = device_loader(info);
  if (!load) return load.error();
  if (Status status = read_limits(info, max_page_bytes, table); !status) return status.error();
  if (Status status = check_families(info); !status) return status.error();
  if (Status status = load_functions(info, *load, table); !status) return status.error();
  return table;
}

std::string indexed(std::string name, uint64_t index) {
  return name.append("[").append(std::to_string(index)).append("]");
}

Label::Label(const DeviceTable& table, VkCommandBuffer cmd, LabelKind kind, const char* text)
    : table_(table), cmd_(cmd) {
  if (!table_.debug_utils) return;
  VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, .pLabelName = text};
  std::copy_n(kLabelColors[size_t(kind)], 4, label.color);
  table_.CmdBeginDebugUtilsLabelEXT(cmd_, &label);
}

Label::~Label() {
  if (table_.debug_utils) table_.CmdEndDebugUtilsLabelEXT(cmd_);
}

}  // namespace sinew::vulkan::internal
