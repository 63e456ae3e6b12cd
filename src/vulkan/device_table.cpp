#include "device_table.h"

#include <algorithm>
#include <vector>

namespace sinew::vulkan::internal {
namespace {

constexpr VkDeviceSize kMaxBufferBytes = VkDeviceSize{256} << 20;
constexpr float kLabelColor[4] = {0.18f, 0.55f, 0.34f, 1.0f};

Error invalid_argument(const std::string& message) { return {ErrorCode::kInvalidArgument, message}; }

/// "1.2", for messages.
std::string version_text(uint32_t version) {
  return std::to_string(VK_API_VERSION_MAJOR(version)) + "." + std::to_string(VK_API_VERSION_MINOR(version));
}

Status check_info(const SkinnerInfo& info) {
  const auto missing = [](const char* name) { return invalid_argument(std::string("create_skinner: no ") + name); };
  if (info.instance == VK_NULL_HANDLE) return missing("instance");
  if (info.physical_device == VK_NULL_HANDLE) return missing("physical_device");
  if (info.device == VK_NULL_HANDLE) return missing("device");
  if (info.get_instance_proc_addr == nullptr) return missing("get_instance_proc_addr");
  if (info.frames_in_flight == 0) return missing("frames_in_flight");
  if (info.update_groups == 0) return missing("update_groups");
  if ((info.allocator.allocate == nullptr) != (info.allocator.free == nullptr)) {
    return invalid_argument("create_skinner: an allocator needs both allocate and free");
  }
  if (info.barriers == Barriers::kLibrary && info.consumers.stages == 0) {
    return invalid_argument("create_skinner: kLibrary needs the consumers' stages");
  }
  if (info.api_version < VK_API_VERSION_1_2) {
    return Error{ErrorCode::kUnsupported,
                 "create_skinner: Vulkan 1.2 is needed, the host enabled " + version_text(info.api_version)};
  }
  return {};
}

/// Stages that a queue without graphics does not have.
constexpr VkPipelineStageFlags kGraphicsStages =
    VK_PIPELINE_STAGE_VERTEX_INPUT_BIT | VK_PIPELINE_STAGE_VERTEX_SHADER_BIT |
    VK_PIPELINE_STAGE_TESSELLATION_CONTROL_SHADER_BIT | VK_PIPELINE_STAGE_TESSELLATION_EVALUATION_SHADER_BIT |
    VK_PIPELINE_STAGE_GEOMETRY_SHADER_BIT | VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT |
    VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT |
    VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT | VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT;

/// Whether the queue family supports the commands of record(). Not checked where the host does not name the family.
Status check_family(const SkinnerInfo& info) {
  if (info.record_family == VK_QUEUE_FAMILY_IGNORED) return {};
  const auto get_families = PFN_vkGetPhysicalDeviceQueueFamilyProperties(
      info.get_instance_proc_addr(info.instance, "vkGetPhysicalDeviceQueueFamilyProperties"));
  if (get_families == nullptr) {
    return invalid_argument("create_skinner: no function vkGetPhysicalDeviceQueueFamilyProperties");
  }
  uint32_t count = 0;
  get_families(info.physical_device, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  get_families(info.physical_device, &count, families.data());
  const std::string prefix = "create_skinner: queue family " + std::to_string(info.record_family);
  if (info.record_family >= count) return invalid_argument(prefix + " of " + std::to_string(count));
  const VkQueueFlags flags = families[info.record_family].queueFlags;
  if ((flags & VK_QUEUE_COMPUTE_BIT) == 0) return invalid_argument(prefix + " has no compute");
  const bool draws = info.barriers == Barriers::kLibrary && (info.consumers.stages & kGraphicsStages) != 0;
  if (draws && (flags & VK_QUEUE_GRAPHICS_BIT) == 0) {
    return invalid_argument(prefix +
                            " has no graphics, and kLibrary's barrier names the consumers' stages: use kHost "
                            "and semaphores");
  }
  return {};
}

/// Reads the limits, the memory types and the name of the physical device.
Status read_limits(const SkinnerInfo& info, DeviceTable& table) {
  const auto load = [&](const char* name) { return info.get_instance_proc_addr(info.instance, name); };
  const auto get_properties = PFN_vkGetPhysicalDeviceProperties2(load("vkGetPhysicalDeviceProperties2"));
  const auto get_memory = PFN_vkGetPhysicalDeviceMemoryProperties(load("vkGetPhysicalDeviceMemoryProperties"));
  if (get_properties == nullptr) return invalid_argument("create_skinner: no function vkGetPhysicalDeviceProperties2");
  if (get_memory == nullptr) {
    return invalid_argument("create_skinner: no function vkGetPhysicalDeviceMemoryProperties");
  }
  VkPhysicalDeviceVulkan11Properties properties11 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES};
  VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                            .pNext = &properties11};
  get_properties(info.physical_device, &properties);
  get_memory(info.physical_device, &table.memory);

  const VkPhysicalDeviceProperties& core = properties.properties;
  const std::string name = core.deviceName;
  if (core.apiVersion < VK_API_VERSION_1_2) {
    return Error{ErrorCode::kUnsupported,
                 "create_skinner: " + name + " has Vulkan " + version_text(core.apiVersion) + ", and 1.2 is needed"};
  }
  table.is_cpu = core.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
  table.max_workgroups_x = core.limits.maxComputeWorkGroupCount[0];
  table.max_workgroups_y = core.limits.maxComputeWorkGroupCount[1];
  table.max_workgroup_size =
      std::min(core.limits.maxComputeWorkGroupInvocations, core.limits.maxComputeWorkGroupSize[0]);
  table.max_texel_buffer_bytes = VkDeviceSize{core.limits.maxTexelBufferElements} * sizeof(float[4]);
  // At least 16: offsets are then multiples of a vertex of 16 bytes, and aligned for every attribute.
  table.storage_alignment = std::max<VkDeviceSize>(core.limits.minStorageBufferOffsetAlignment, 16);
  table.max_buffer_bytes = std::min(
      {VkDeviceSize{core.limits.maxStorageBufferRange}, kMaxBufferBytes, properties11.maxMemoryAllocationSize});
  table.max_page_bytes = table.max_buffer_bytes;
  if (info.tuning.max_page_bytes != 0)
    table.max_page_bytes = std::min(info.tuning.max_page_bytes, table.max_buffer_bytes);
  table.description =
      "skinning on " + name + ", in pages of at most " + std::to_string(table.max_page_bytes) + " bytes";
  return {};
}

Status load_functions(const SkinnerInfo& info, DeviceTable& table) {
  PFN_vkGetDeviceProcAddr load = info.get_device_proc_addr;
  if (load == nullptr) {
    load = PFN_vkGetDeviceProcAddr(info.get_instance_proc_addr(info.instance, "vkGetDeviceProcAddr"));
  }
  if (load == nullptr) return invalid_argument("create_skinner: no function vkGetDeviceProcAddr");
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

Result<DeviceTable> load_device_table(const SkinnerInfo& info) {
  if (Status status = check_info(info); !status) return status.error();
  DeviceTable table;
  table.device = info.device;
  if (info.allocation_callbacks != nullptr) table.callbacks = *info.allocation_callbacks;
  table.debug_utils = info.debug_utils;
  if (Status status = read_limits(info, table); !status) return status.error();
  if (Status status = check_family(info); !status) return status.error();
  if (Status status = load_functions(info, table); !status) return status.error();
  return table;
}

std::string indexed(std::string name, uint64_t index) {
  return name.append("[").append(std::to_string(index)).append("]");
}

Label::Label(const DeviceTable& table, VkCommandBuffer cmd, const char* text) : table_(table), cmd_(cmd) {
  if (!table_.debug_utils) return;
  VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, .pLabelName = text};
  std::copy(std::begin(kLabelColor), std::end(kLabelColor), label.color);
  table_.CmdBeginDebugUtilsLabelEXT(cmd_, &label);
}

Label::~Label() {
  if (table_.debug_utils) table_.CmdEndDebugUtilsLabelEXT(cmd_);
}

}  // namespace sinew::vulkan::internal
