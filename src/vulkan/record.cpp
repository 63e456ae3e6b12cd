// The commands in the host's command buffer. Nothing here allocates or fails.
#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>

#include "asset/noun.h"
#include "skinner_impl.h"

namespace sinew::vulkan {
namespace {

struct Dependency {
  VkPipelineStageFlags from_stages = 0;
  VkAccessFlags from_accesses = 0;
  VkPipelineStageFlags to_stages = 0;
  VkAccessFlags to_accesses = 0;
};

void record_barrier(const DeviceTable& table, VkCommandBuffer cmd, const Dependency& dependency) {
  const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                   .srcAccessMask = dependency.from_accesses,
                                   .dstAccessMask = dependency.to_accesses};
  table.CmdPipelineBarrier(cmd, dependency.from_stages, dependency.to_stages, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

using SkinText = std::array<char, 128>;

SkinText skin_text(const BoundSet& set, uint64_t dispatches, bool has_groups, uint32_t group) {
  SkinText text;
  const int length =
      std::snprintf(text.data(), text.size(), "sinew skin %" PRIu64 " %s, %" PRIu64 " %s, %" PRIu64 " %s",
                    set.instances, noun(set.instances, "instance", "instances"), set.vertices,
                    noun(set.vertices, "vertex", "vertices"), dispatches, noun(dispatches, "dispatch", "dispatches"));
  if (has_groups) std::snprintf(text.data() + length, text.size() - size_t(length), ", group %" PRIu32, group);
  return text;
}

}  // namespace

void Skinner::Impl::record(VkCommandBuffer cmd, const RecordInfo& info) {
  counters = {};
  if (frame.number == recorded_frame) return;  // no frame was begun, or it is recorded
  const Label label(table, cmd, LabelKind::kFrame, "sinew");
  if (skins() && barriers == Barriers::kLibrary) {
    record_barrier(table, cmd, {consumers.stages | kWriteStage, kWriteAccess, kWriteStage, kWriteAccess});
  }
  record_timestamp(cmd, info, Timestamp::kBegin);
  record_uploads(cmd);
  const bool expanded = record_palettes(cmd, "expand", &FramePlan::expansions);
  if (record_palettes(cmd, "convert", &FramePlan::conversions) || expanded) {
    record_barrier(table, cmd, {kWriteStage, kWriteAccess, kComputeRead.stages, kComputeRead.accesses});
  }
  record_timestamp(cmd, info, Timestamp::kUploaded);
  record_skinning(cmd);
  record_timestamp(cmd, info, Timestamp::kSkinned);
  for (Group& group : groups) {
    if (!is_due(group)) continue;
    group.plan.number = frame.number;  // later than the plan's where the frame it was prepared in was not recorded
    group.plan.recorded = true;
  }
  recorded_frame = slot_frames[frame.slot] = frame.number;
}

/// A removed mesh is uploaded too where a plan that is due uses it. Before the first begin_frame() there is no frame to
/// upload in.
bool Skinner::Impl::needs_upload(const StaticMesh& mesh) const {
  const uint64_t oldest = oldest_due();
  return frame.number != 0 && mesh.uploaded_frame == kNever &&
         (mesh.removed_frame == kNever || mesh.removed_frame >= oldest);
}

/// Copies of meshes and palettes, and one barrier to those that read them. Consumers of skinned vertices may read
/// meshes, but never the copies of palettes.
void Skinner::Impl::record_uploads(VkCommandBuffer cmd) {
  const bool wrote_meshes = record_mesh_uploads(cmd), wrote_palettes = record_palette_copies(cmd);
  if (!wrote_meshes && !wrote_palettes) return;
  Consumers readers = wrote_meshes && barriers == Barriers::kLibrary ? kComputeRead | consumers : kComputeRead;
  if (instances_of(&FramePlan::conversions) != 0)
    readers = readers | Consumers{kWriteStage, kWriteAccess};  // they write the copies
  record_barrier(table, cmd,
                 {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, readers.stages, readers.accesses});
}

/// Returns whether there were any, without a barrier after them.
bool Skinner::Impl::record_mesh_uploads(VkCommandBuffer cmd) {
  bool page_in_use = false;
  uint32_t count = 0;
  const uint64_t oldest = oldest_due();
  for (auto& [id, mesh] : meshes) {
    if (mesh.removed_frame != kNever && mesh.removed_frame >= oldest) mesh.removed_frame = frame.number;
    if (!needs_upload(mesh)) continue;
    ++count;
    page_in_use = page_in_use || mesh.data.page().written;
  }
  if (count == 0) return false;

  char text[48];
  std::snprintf(text, sizeof text, "sinew upload %" PRIu32 " %s", count, noun(count, "mesh", "meshes"));
  const Label label(table, cmd, LabelKind::kUpload, text);
  // Earlier kernels may read other meshes of the page, and descriptors bind the whole page: the copy waits for them.
  if (page_in_use) record_barrier(table, cmd, {kWriteStage, 0, VK_PIPELINE_STAGE_TRANSFER_BIT, 0});
  for (auto& [id, mesh] : meshes) {
    if (!needs_upload(mesh)) continue;
    record_copy(table, cmd, mesh);
    mesh.uploaded_frame = frame.number;
    counters.uploaded_bytes += mesh.data.size_bytes();
  }
  return true;
}

/// Returns whether there were any, without a barrier after them. None is needed before: the last frame that read these
/// copies has completed, and submission makes the host's writes visible.
bool Skinner::Impl::record_palette_copies(VkCommandBuffer cmd) {
  size_t pages = 0;
  for (const Group& group : groups) pages += is_due(group) ? group.plan.palette_copies.size() : 0;
  if (pages == 0) return false;

  char text[48];
  std::snprintf(text, sizeof text, "sinew copy palettes, %zu %s", pages, noun(pages, "page", "pages"));
  const Label label(table, cmd, LabelKind::kUpload, text);
  for (const Group& group : groups) {
    if (!is_due(group)) continue;
    for (const BufferCopy& copy : group.plan.palette_copies) {
      const VkBufferCopy region = {0, 0, copy.size_bytes};
      table.CmdCopyBuffer(cmd, copy.from, copy.to, 1, &region);
      ++counters.palette_copies;
      counters.palette_copy_bytes += copy.size_bytes;
    }
  }
  return true;
}

template <class Work>
uint64_t Skinner::Impl::instances_of(std::vector<Work> FramePlan::*list) const {
  uint64_t instances = 0;
  for (const Group& group : groups) {
    if (!is_due(group)) continue;
    for (const Work& work : group.plan.*list) instances += work.push.instance_count;
  }
  return instances;
}

/// Conversions are after the copy of their page. Expansions read memory that the host wrote before the submission, and
/// write memory that no frame in flight reads. Returns whether there were any, without a barrier after them.
template <class Work>
bool Skinner::Impl::record_palettes(VkCommandBuffer cmd, const char* verb, std::vector<Work> FramePlan::*list) const {
  const uint64_t instances = instances_of(list);
  if (instances == 0) return false;
  char text[80];
  std::snprintf(text, sizeof text, "sinew %s palettes, %" PRIu64 " %s", verb, instances,
                noun(instances, "instance", "instances"));
  const Label label(table, cmd, LabelKind::kUpload, text);
  for (const Group& group : groups) {
    if (!is_due(group)) continue;
    for (const Work& work : group.plan.*list) {
      pass->bind_set(cmd, group.plan.sets[work.set].set);
      pass->dispatch(cmd, work);
    }
  }
  return true;
}

/// Whether a group that is due has vertices to skin.
bool Skinner::Impl::skins() const {
  return std::any_of(groups.begin(), groups.end(),
                     [&](const Group& group) { return is_due(group) && !group.plan.slices.empty(); });
}

void Skinner::Impl::record_skinning(VkCommandBuffer cmd) {
  if (!skins()) return;
  for (const Group& group : groups) {
    if (!is_due(group)) continue;
    record_group(cmd, group);
    count_skinned(group.plan);
  }
  if (barriers == Barriers::kLibrary) {
    record_barrier(table, cmd, {kWriteStage, kWriteAccess, consumers.stages, consumers.accesses});
  }
}

void Skinner::Impl::record_group(VkCommandBuffer cmd, const Group& group) const {
  const FramePlan& plan = group.plan;
  auto dispatch = plan.dispatches.begin();
  for (uint32_t s = 0; s < plan.sets.size(); ++s) {
    const BoundSet& set = plan.sets[s];
    const auto end = std::find_if(dispatch, plan.dispatches.end(), [&](const Dispatch& d) { return d.pages != s; });
    if (end == dispatch) continue;  // a set of expansions
    const SkinText text = skin_text(set, uint64_t(end - dispatch), groups.size() > 1, group.index);
    const Label label(table, cmd, LabelKind::kSkin, text.data());
    pass->bind_set(cmd, set.set);
    for (; dispatch != end; ++dispatch) pass->dispatch(cmd, *dispatch);
  }
}

void Skinner::Impl::count_skinned(const FramePlan& plan) {
  counters.dispatches += plan.dispatches.size();
  for (const Dispatch& dispatch : plan.dispatches)
    counters.job_bytes += dispatch.workgroups_y * sizeof(shared::SkinJob);
  uint32_t batch = UINT32_MAX;
  for (const PlacedSlice& slice : plan.slices) {
    const StaticMesh* mesh = slice.batch != batch ? find_mesh(slice.mesh) : nullptr;
    if (mesh) counters.mesh_bytes += mesh->data.size_bytes();
    batch = slice.batch;
    counters.instances += slice.instance_count;
    counters.skinned_vertices += uint64_t{slice.instance_count} * slice.vertex_count;
    counters.palette_bytes += slice.palettes.size_bytes;
    counters.skinned_bytes += slice.vertices.size_bytes;
  }
}

/// Timestamps are of the compute stage, so that none waits for drawing that runs in parallel. Copies have completed
/// before it: a barrier from transfer to compute follows them. A driver on the CPU runs later commands before it reads
/// the clock; a full barrier prevents that.
void Skinner::Impl::record_timestamp(VkCommandBuffer cmd, const RecordInfo& info, Timestamp timestamp) const {
  if (info.timestamps == VK_NULL_HANDLE) return;
  table.CmdWriteTimestamp(cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, info.timestamps,
                          info.first_query + uint32_t(timestamp));
  if (!table.is_cpu) return;
  const VkAccessFlags all = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
  record_barrier(table, cmd, {VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, all, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, all});
}

}  // namespace sinew::vulkan
