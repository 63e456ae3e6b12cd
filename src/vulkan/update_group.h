// An update group: batches that are prepared and recorded together, and the buffers they use until the next time.
#pragma once

#include <cstdint>
#include <vector>

#include "frame_plan.h"
#include "page_set.h"
#include "skin_pass.h"

namespace sinew::vulkan::internal {

/// What the kernel reads for one frame of a group.
struct Input {
  PageSet palettes, jobs;
  PageSet compact, expanded;  // compact palettes, and the matrices that record() expands them to
  InputSets sets;
};

/// The sizes of pages that prepare() makes at least, see Skinner::reserve().
struct ReservedBytes {
  std::vector<VkDeviceSize> vertex_pages, palette_pages, compact_pages, expanded_pages;
  VkDeviceSize jobs = 0;
  size_t sets = 0;
  bool must_copy = false;  // each palette page has a copy, so that dual quaternions may come into it
};

struct UpdateGroup {
  uint32_t index = 0;
  std::vector<Input> inputs;  // frames_in_flight, in rotation: frames in flight may read the others
  PageSet vertices[2];        // alternate with keep_previous; otherwise the first alone
  uint32_t output = 0;        // index in `vertices` that the plan writes
  FramePlan plan;
  FramePlan next;                            // what prepare() makes; its memory is kept
  std::vector<PlacedSlice> previous_slices;  // of the last frame recorded before the plan
  ReservedBytes reserved;

  uint32_t next_input() const { return plan.recorded ? (plan.input + 1) % uint32_t(inputs.size()) : plan.input; }
  bool is_due() const { return plan.number != 0 && !plan.recorded; }
};

}  // namespace sinew::vulkan::internal
