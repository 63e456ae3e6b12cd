// One prepared frame: what record() will dispatch, and what the host sees of it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/vulkan/skinner.h"
#include "skin_pass.h"

namespace sinew::vulkan {

/// A run with its place on the device.
struct PlacedSlice {
  uint32_t batch = 0, first_instance = 0, instance_count = 0;
  MeshId mesh;
  uint32_t vertex_count = 0, vertex_bytes = 0;  // of an instance; of a vertex
  uint32_t palette_stride = 0;                  // matrices
  BufferPart palettes, vertices;
  Matrix3x4* mapped_palettes = nullptr;
};

/// Pages with the set that shows them.
struct BoundSet {
  VkDescriptorSet set = VK_NULL_HANDLE;
  uint64_t instances = 0, vertices = 0;
};

struct FramePlan {
  uint64_t number = 0;
  uint32_t input = 0;  // of the group's
  bool recorded = false;
  std::vector<PlacedSlice> slices;  // by batch, then by instance
  std::vector<BoundSet> sets;
  std::vector<Dispatch> dispatches;  // Dispatch::pages is the set; those of one set together
  std::vector<InstanceRange> ranges;
};

/// Nothing moves any more: what the ranges show is what they showed.
void mark_not_updated(std::span<InstanceRange> ranges);

/// The ranges of `runs`. With `previous`, the runs of the last recorded frame, a range ends where its instances part
/// ways there: its previous vertices are contiguous, too.
std::vector<InstanceRange> make_ranges(std::span<const PlacedSlice> slices, const std::vector<PlacedSlice>* previous);

}  // namespace sinew::vulkan
