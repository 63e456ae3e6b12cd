// What happens to palettes on the device before the kernels read them: copies, conversions, expansions.
#include <algorithm>

#include "asset/error.h"
#include "group_planner.h"
#include "morph_data.h"

namespace sinew::vulkan::internal {

/// The palettes of this frame, for the pages that have a copy. No frame in flight reads the copies: like their pages,
/// they belong to one input.
void GroupPlanner::plan_palette_copies(const Prepared& prepared) const {
  FramePlan& next = prepared.group.next;
  const std::vector<VkDeviceSize>& used_bytes = scratch_.layout.palette_pages;
  for (size_t i = 0; i < used_bytes.size(); ++i) {
    const PageBuffers& page = prepared.group.inputs[next.input].palettes.page_after(prepared.palettes, i);
    if (page.copy) next.palette_copies.push_back({page.buffer.handle(), page.copy.handle(), used_bytes[i]});
  }
}

/// In the copies of the pages. One descriptor set of each page is enough, whichever it is.
void GroupPlanner::plan_conversions(FramePlan& plan) const {
  for (size_t i = 0; i < plan.slices.size(); ++i) {
    const StaticMesh& mesh = *meshes_.find(plan.slices[i].mesh);
    if (!mesh.dual_quaternions || mesh.compact_scale || plan.slices[i].borrowed) continue;
    const JobSource& source = scratch_.sources[scratch_.first_source[i]];
    plan.conversions.push_back({scratch_.list.pages_of_source[scratch_.first_source[i]],
                                {.first_row = source.first_row,
                                 .row_stride = source.row_stride,
                                 .palette_size = mesh.palette_size,
                                 .instance_count = source.instance_count}});
  }
}

/// Pages for compact palettes, and for the matrices that they become. Short names: a longer one would allocate. The
/// device reads compact palettes once, wherever they are.
Status GroupPlanner::make_compact_pages(Prepared& prepared) {
  const UpdateGroup& group = prepared.group;
  const Input& input = group.inputs[group.next_input()];
  PageKind kind{.use = BufferUse::kPalettes,
                .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                .max_bytes = table_.max_page_bytes,
                .name = "sinew.compact",
                .first_index = input_index(group),
                .index_step = input_count()};
  const auto compact = with_reserved(scratch_.layout.compact_pages, group.reserved.compact_pages);
  Status status = put_value(input.compact.make_missing(allocator_, compact, kind), prepared.compact);
  if (!status) return status;
  kind.use = BufferUse::kDevice, kind.name = "sinew.expanded";
  kind.usage |= VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT;
  const auto expanded = with_reserved(scratch_.layout.expanded_pages, group.reserved.expanded_pages);
  return put_value(input.expanded.make_missing(allocator_, expanded, kind), prepared.expanded);
}

/// The descriptor sets of expansions follow those of dispatches. An expansion's set binds, for what it does not use,
/// the same as a dispatch.
void GroupPlanner::plan_expansions(const Prepared& prepared) {
  FramePlan& plan = prepared.group.next;
  const Input& input = prepared.group.inputs[plan.input];
  const uint32_t first_set = uint32_t(scratch_.bound.size());
  for (const ExpansionPages& pages : scratch_.expansions) {
    const Buffer& compact = input.compact.page_after(prepared.compact, pages.compact).buffer;
    const Buffer& expanded = input.expanded.page_after(prepared.expanded, pages.expanded).buffer;
    BoundPages bound = scratch_.bound[0];
    bound.palettes = {compact.handle(), 0, scratch_.layout.compact_pages[pages.compact]};
    bound.vertices = {expanded.handle(), 0, scratch_.layout.expanded_pages[pages.expanded]};
    scratch_.bound.push_back(bound);
    plan.sets.push_back({input.sets.sets[plan.sets.size()]});
  }
  for (size_t i = 0; i < scratch_.layout.slices.size(); ++i) {
    const PageSlice& slice = scratch_.layout.slices[i];
    const StaticMesh& mesh = *meshes_.find(plan.slices[i].mesh);
    if (!mesh.compact_scale || plan.slices[i].borrowed) continue;
    const JobSource& source = scratch_.sources[scratch_.first_source[i]];
    const ExpansionPages pages{slice.compact.page, slice.expanded.page};
    const auto set = std::find(scratch_.expansions.begin(), scratch_.expansions.end(), pages);
    plan.expansions.push_back({first_set + uint32_t(set - scratch_.expansions.begin()),
                               {.first_element = uint32_t(slice.compact.offset / kElementBytes),
                                .element_stride = mesh.palette_stride,
                                .first_row = source.first_row,
                                .row_stride = source.row_stride,
                                .palette_size = mesh.palette_size,
                                .instance_count = slice.instance_count,
                                .split = mesh.dual_quaternions,
                                .scale = *mesh.compact_scale,
                                .weight_rows = (mesh.target_count + 3) / 4}});
  }
}

}  // namespace sinew::vulkan::internal
