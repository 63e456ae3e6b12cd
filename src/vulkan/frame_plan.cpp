#include "frame_plan.h"

#include <algorithm>
#include <utility>

#include "sinew/asset/skin.h"

namespace sinew::vulkan::internal {
namespace {

/// The slice that holds `instance` of the same batch and mesh as `like`, or null.
const PlacedSlice* find_instance(const std::vector<PlacedSlice>& slices, const PlacedSlice& like, uint32_t instance) {
  const auto after = std::upper_bound(slices.begin(), slices.end(), std::pair(like.batch, instance),
                                      [](const std::pair<uint32_t, uint32_t>& key, const PlacedSlice& slice) {
                                        return key < std::pair(slice.batch, slice.first_instance);
                                      });
  if (after == slices.begin()) return nullptr;
  const PlacedSlice& slice = *(after - 1);
  const bool contains = slice.batch == like.batch && slice.mesh.value == like.mesh.value &&
                        instance - slice.first_instance < slice.instance_count;
  return contains ? &slice : nullptr;
}

void set_palettes(const PlacedSlice& slice, uint32_t skipped, uint32_t count, InstanceRange& range) {
  const uint32_t stride = range.palette_stride = slice.palette_stride;
  const size_t first_entry = size_t{skipped} * stride, entries = size_t{count} * stride;
  const size_t entry_bytes = slice.compact ? sizeof(CompactMatrix) : sizeof(Matrix3x4);
  if (slice.compact) {
    range.compact_palettes = {static_cast<CompactMatrix*>(slice.mapped_palettes) + first_entry, entries};
  } else {
    range.palettes = {static_cast<Matrix3x4*>(slice.mapped_palettes) + first_entry, entries};
  }
  range.target_count = slice.target_count;
  range.weight_stride = uint32_t(stride * entry_bytes / sizeof(float));
  if (slice.target_count != 0) {
    range.weights = slice.compact ? weights_behind(range.compact_palettes, slice.palette_size)
                                  : weights_behind(range.palettes, slice.palette_size);
  }
  range.palette_buffer = slice.palettes.buffer;
  range.palette_offset = slice.palettes.offset + VkDeviceSize{skipped} * stride * entry_bytes;
}

InstanceRange make_range(const PlacedSlice& slice, uint32_t first, uint32_t count) {
  const uint32_t skipped = first - slice.first_instance;
  InstanceRange range;
  range.batch = slice.batch;
  range.mesh = slice.mesh;
  range.first_instance = first;
  range.instance_count = count;
  range.vertex_count = slice.vertex_count;
  range.vertex_bytes = slice.vertex_bytes;
  range.palette_size = slice.palette_size;
  if (!slice.borrowed) set_palettes(slice, skipped, count, range);
  range.vertices = slice.vertices.buffer;
  range.vertices_offset = slice.vertices.offset + VkDeviceSize{skipped} * slice.vertex_count * slice.vertex_bytes;
  return range;
}

}  // namespace

void mark_not_updated(std::span<InstanceRange> ranges) {
  for (InstanceRange& range : ranges) {
    if (range.previous_vertices == VK_NULL_HANDLE) continue;
    range.previous_vertices = range.vertices;
    range.previous_vertices_offset = range.vertices_offset;
  }
}

void set_skinned_frame(std::span<InstanceRange> ranges, uint64_t frame) {
  for (InstanceRange& range : ranges) range.skinned_frame = frame;
}

void make_ranges(std::span<const PlacedSlice> slices, const std::vector<PlacedSlice>* previous,
                 std::vector<InstanceRange>& ranges) {
  ranges.clear();
  for (const PlacedSlice& slice : slices) {
    const uint32_t end = slice.first_instance + slice.instance_count;
    for (uint32_t first = slice.first_instance; first < end;) {
      const PlacedSlice* before = previous != nullptr ? find_instance(*previous, slice, first) : nullptr;
      const uint32_t before_end = before != nullptr ? before->first_instance + before->instance_count : end;
      const uint32_t count = std::min(end, before_end) - first;
      InstanceRange& range = ranges.emplace_back(make_range(slice, first, count));
      if (previous != nullptr) {
        const InstanceRange source = before != nullptr ? make_range(*before, first, count) : range;
        range.previous_vertices = source.vertices;
        range.previous_vertices_offset = source.vertices_offset;
      }
      first += count;
    }
  }
}

}  // namespace sinew::vulkan::internal
