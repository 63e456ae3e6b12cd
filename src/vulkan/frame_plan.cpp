#include "frame_plan.h"

#include <algorithm>
#include <utility>

namespace sinew::vulkan {
namespace {

/// The run of `runs` that holds the instance, or null.
const PlacedRun* find_instance(const std::vector<PlacedRun>& runs, const PlacedRun& like, uint32_t instance) {
  const auto after = std::upper_bound(runs.begin(), runs.end(), std::pair(like.batch, instance),
                                      [](const std::pair<uint32_t, uint32_t>& key, const PlacedRun& run) {
                                        return key < std::pair(run.batch, run.first_instance);
                                      });
  if (after == runs.begin()) return nullptr;
  const PlacedRun& run = *(after - 1);
  const bool holds = run.batch == like.batch && run.mesh.value == like.mesh.value &&
                     instance - run.first_instance < run.instance_count;
  return holds ? &run : nullptr;
}

Range make_range(const PlacedRun& run, uint32_t first, uint32_t count) {
  const uint32_t skipped = first - run.first_instance, stride = run.palette_stride;
  Range range;
  range.batch = run.batch;
  range.first_instance = first;
  range.instance_count = count;
  range.vertex_count = run.vertex_count;
  range.vertex_bytes = run.vertex_bytes;
  range.palette_stride = stride;
  range.palettes = {run.mapped_palettes + size_t{skipped} * stride, size_t{count} * stride};
  range.palette_buffer = run.palettes.buffer;
  range.palette_offset = run.palettes.offset + VkDeviceSize{skipped} * stride * sizeof(Matrix3x4);
  range.vertices = run.vertices.buffer;
  range.vertices_offset = run.vertices.offset + VkDeviceSize{skipped} * run.vertex_count * run.vertex_bytes;
  return range;
}

}  // namespace

void hold(std::span<Range> ranges) {
  for (Range& range : ranges) {
    if (range.previous_vertices == VK_NULL_HANDLE) continue;
    range.previous_vertices = range.vertices;
    range.previous_vertices_offset = range.vertices_offset;
  }
}

std::vector<Range> make_ranges(std::span<const PlacedRun> runs, const std::vector<PlacedRun>* previous) {
  std::vector<Range> ranges;
  for (const PlacedRun& run : runs) {
    const uint32_t end = run.first_instance + run.instance_count;
    for (uint32_t first = run.first_instance; first < end;) {
      const PlacedRun* before = previous != nullptr ? find_instance(*previous, run, first) : nullptr;
      const uint32_t before_end = before != nullptr ? before->first_instance + before->instance_count : end;
      const uint32_t count = std::min(end, before_end) - first;
      Range& range = ranges.emplace_back(make_range(run, first, count));
      if (previous != nullptr) {
        const Range source = before != nullptr ? make_range(*before, first, count) : range;
        range.previous_vertices = source.vertices;
        range.previous_vertices_offset = source.vertices_offset;
      }
      first += count;
    }
  }
  return ranges;
}

}  // namespace sinew::vulkan
