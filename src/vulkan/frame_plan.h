// One prepared frame: what record() will dispatch, and what the host sees of it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/vulkan.h"
#include "skin_pass.h"

namespace sinew::vulkan {

/// A run with its place on the device.
struct PlacedRun {
  uint32_t batch = 0, first_instance = 0;
  MeshId mesh;
  RunShape shape;
  RunBuffers buffers;
  Matrix3x4* palettes = nullptr;
  VkDescriptorSet set = VK_NULL_HANDLE;
};

struct FramePlan {
  uint64_t number = 0;
  uint32_t slot = 0;
  bool recorded = false;
  std::vector<PlacedRun> runs;  // by batch, then by instance
  std::vector<Range> ranges;
};

/// The ranges of `runs`. With `previous`, the runs of the last recorded frame, a range ends where its instances part
/// ways there: its previous vertices are contiguous, too.
std::vector<Range> make_ranges(std::span<const PlacedRun> runs, const std::vector<PlacedRun>* previous);

}  // namespace sinew::vulkan
