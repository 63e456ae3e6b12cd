// The parameters of a skinner, as C++ takes them, and what the handle of a crowd holds.
#pragma once

#include "layout.h"
#include "sinew/c/vulkan.h"
#include "sinew/runtime/skinned_crowd.h"
#include "sinew/vulkan/skinner.h"

namespace sinew::c {

SINEW_SAME_LAYOUT(SinewAllocation, vulkan::Allocation, buffer, mapped, allocation, memory_properties);
static_assert(int(vulkan::BufferUse::kDevice) == SINEW_BUFFER_DEVICE);
static_assert(int(vulkan::BufferUse::kPalettes) == SINEW_BUFFER_PALETTES);
static_assert(int(vulkan::BufferUse::kStaging) == SINEW_BUFFER_STAGING);

/// The callbacks of the host; user data of those in C++.
struct Callbacks {
  SinewSkinnerInfo info;

  static VkResult allocate(void* self, const VkBufferCreateInfo& info, vulkan::BufferUse use, vulkan::Allocation* out) {
    const SinewSkinnerInfo& host = static_cast<const Callbacks*>(self)->info;
    return host.allocate(host.allocation_user_data, &info, uint32_t(use), seen_as<SinewAllocation>(out));
  }
  static void free(void* self, const vulkan::Allocation& allocation) {
    const SinewSkinnerInfo& host = static_cast<const Callbacks*>(self)->info;
    host.free(host.allocation_user_data, seen_as<SinewAllocation>(&allocation));
  }
};

inline constexpr vulkan::VertexFormat kFormats[] = {vulkan::VertexFormat::kOctahedral, vulkan::VertexFormat::kPacked,
                                                    vulkan::VertexFormat::kFloat};
inline constexpr vulkan::Barriers kBarriers[] = {vulkan::Barriers::kLibrary, vulkan::Barriers::kHost};
inline constexpr vulkan::DebugChecks kChecks[] = {vulkan::DebugChecks::kInDebugBuilds, vulkan::DebugChecks::kOn,
                                                  vulkan::DebugChecks::kOff};

/// `callbacks` must outlive the skinner.
inline vulkan::SkinnerInfo skinner_info(Callbacks& callbacks) {
  const SinewSkinnerInfo& host = callbacks.info;
  vulkan::SkinnerInfo info;
  info.instance = host.instance, info.physical_device = host.physical_device, info.device = host.device;
  info.get_instance_proc_addr = host.get_instance_proc_addr, info.get_device_proc_addr = host.get_device_proc_addr;
  if (host.api_version != 0) info.api_version = host.api_version;
  info.debug_utils = host.debug_utils != 0;
  info.queue_families = array(host.queue_families, host.queue_family_count, "info->queue_families");
  info.allocation_callbacks = host.allocation_callbacks;
  info.pipeline_cache = host.pipeline_cache;
  info.format = choice(host.format, kFormats, "info->format");
  info.tangents = host.tangents != 0;
  if (host.frames_in_flight != 0) info.frames_in_flight = host.frames_in_flight;
  if (host.update_groups != 0) info.update_groups = host.update_groups;
  info.keep_previous = host.keep_previous != 0;
  info.barriers = choice(host.barriers, kBarriers, "info->barriers");
  const bool has_consumers = host.consumer_stages != 0 || host.consumer_accesses != 0;
  if (has_consumers) info.consumers = {host.consumer_stages, host.consumer_accesses};
  if (host.record_family != nullptr) info.record_family = *host.record_family;
  info.vertex_usage = host.vertex_usage;
  info.debug_checks = choice(host.debug_checks, kChecks, "info->debug_checks");
  info.allocator.user_data = &callbacks;
  if (host.allocate != nullptr) info.allocator.allocate = Callbacks::allocate;
  if (host.free != nullptr) info.allocator.free = Callbacks::free;
  return info;
}

}  // namespace sinew::c

struct SinewSkinnedCrowd {
  sinew::c::Callbacks callbacks;
  sinew::vulkan::SkinnedCrowd crowd;
  sinew::vulkan::MeshStreams streams;
};
