// What the program uses of the host (src/host), by its own names.
#pragma once

#include <algorithm>
#include <cstdint>

#include "host/device.h"
#include "host/device_clock.h"
#include "host/frame_slots.h"
#include "host/graphics.h"
#include "host/handle.h"
#include "host/overlay_pass.h"
#include "host/pipeline.h"
#include "host/resources.h"
#include "host/swapchain.h"
#include "host/target.h"
#include "host/window.h"
#include "sinew/vulkan/skinner.h"

namespace sinew::app {

using namespace host;
using host::Image;  // not the image of a material

// What the program's debug labels are about. It decides their color.

struct LabelKind {
  static constexpr LabelColor kFrame{0.35f, 0.40f, 0.50f}, kDraw{0.25f, 0.50f, 0.90f}, kShadowMap{0.45f, 0.35f, 0.60f},
      kBackdrop{0.60f, 0.50f, 0.40f}, kDepth{0.40f, 0.55f, 0.75f}, kCrowd{0.20f, 0.75f, 0.85f},
      kLines{0.90f, 0.60f, 0.20f}, kPresent{0.50f, 0.50f, 0.50f};
};

// The program's device as a SkinnerInfo: to the library the program is a host like any other. And what a skinner uses
// of it.

/// With Barriers::kLibrary: the library records the barriers between skinning and `consumers`.
inline vulkan::SkinnerInfo skinner_info(const Device& device, uint32_t frames_in_flight, vulkan::Consumers consumers) {
  vulkan::SkinnerInfo info;
  info.instance = device.instance;
  info.physical_device = device.info.physical;
  info.device = device.handle;
  info.get_instance_proc_addr = vkGetInstanceProcAddr;
  info.debug_utils = device.debug_utils;
  info.pipeline_cache = device.pipeline_cache;
  info.frames_in_flight = frames_in_flight;
  info.barriers = vulkan::Barriers::kLibrary;
  info.consumers = consumers;
  return info;
}

/// Device memory for meshes, palettes, skinned vertices and job lists, in bytes, with room to grow. Palettes that have
/// a device-local copy are not in device memory, and no larger than it: the copy counts. Compact palettes count
/// wherever they are.
inline uint64_t device_bytes(const vulkan::MemoryUsage& usage) {
  return usage.mesh_bytes + std::max(usage.palette_bytes, usage.palette_copy_bytes) + usage.expanded_bytes +
         usage.skinned_bytes + usage.job_bytes;
}

}  // namespace sinew::app
