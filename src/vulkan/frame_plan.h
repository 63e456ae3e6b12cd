// One prepared frame of an update group: what record() dispatches, and the ranges that the host reads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/vulkan/skinner.h"
#include "skin_pass.h"

namespace sinew::vulkan::internal {

/// A page slice with its buffers.
struct PlacedSlice {
  uint32_t batch = 0, first_instance = 0, instance_count = 0;
  MeshId mesh;
  uint32_t vertex_count = 0, vertex_bytes = 0;  // of one instance; of one vertex
  uint32_t palette_stride = 0;                  // matrices
  uint32_t palette_size = 0, target_count = 0;
  BufferPart palettes, vertices;
  void* mapped_palettes = nullptr;  // Matrix3x4, or CompactMatrix
  bool compact = false;
  bool borrowed = false;  // the palettes are those of another batch: there are none here
};

/// A descriptor set, and what is skinned with it: for debug labels.
struct BoundSet {
  VkDescriptorSet set = VK_NULL_HANDLE;
  uint64_t instances = 0, vertices = 0;
};

/// A copy of the beginning of one buffer into the beginning of another.
struct BufferCopy {
  VkBuffer from = VK_NULL_HANDLE, to = VK_NULL_HANDLE;
  VkDeviceSize size_bytes = 0;
};

struct FramePlan {
  uint64_t number = 0;
  uint32_t input = 0;  // index in Group::inputs
  bool recorded = false;
  std::vector<PlacedSlice> slices;         // ordered by batch, then by instance
  std::vector<BufferCopy> palette_copies;  // before the dispatches
  std::vector<Conversion> conversions;     // after the copies, before the dispatches
  std::vector<Expansion> expansions;       // likewise
  std::vector<BoundSet> sets;              // of the dispatches, then of the expansions
  std::vector<Dispatch> dispatches;        // Dispatch::pages is the index in `sets`; dispatches of one set are adjacent
  std::vector<InstanceRange> ranges;

  /// Begins another plan in the memory of this one.
  void clear() {
    slices.clear(), palette_copies.clear(), conversions.clear(), expansions.clear(), sets.clear(), dispatches.clear(),
        ranges.clear(), recorded = false;
  }
};

/// For a group that is not updated this frame: its vertices are those of the last frame, so previous vertices become
/// the vertices. Ranges without previous vertices stay as they are.
void mark_not_updated(std::span<InstanceRange> ranges);

/// For a group that is due: record() of `frame` writes its vertices.
void set_skinned_frame(std::span<InstanceRange> ranges, uint64_t frame);

/// Replaces `ranges` by those of `slices`. `previous` may be null, or holds the slices of the last recorded frame. A
/// range then ends where its instances were not contiguous in that frame, so that its previous vertices are contiguous
/// too.
void make_ranges(std::span<const PlacedSlice> slices, const std::vector<PlacedSlice>* previous,
                 std::vector<InstanceRange>& ranges);

}  // namespace sinew::vulkan::internal
