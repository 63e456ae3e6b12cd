// The commands in the host's command buffer. Nothing here allocates or fails.
#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>

#include "asset/plain_text.h"
#include "barrier.h"
#include "recorder.h"

namespace sinew::vulkan::internal {
namespace {

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

uint64_t oldest_due(std::span<const UpdateGroup> groups) {
  uint64_t oldest = kNever;
  for (const UpdateGroup& group : groups) {
    if (group.is_due()) oldest = std::min(oldest, group.plan.number);
  }
  return oldest;
}

void Recorder::record(VkCommandBuffer cmd, const RecordInfo& info, uint64_t frame) {
  counters_ = {.refused_records = counters_.refused_records};
  const Label label(table_, cmd, LabelKind::kFrame, "sinew");
  if (skins() && barriers_ == Barriers::kLibrary) {
    record_barrier(table_, cmd, {consumers_.stages | kWriteStage, kWriteAccess, kWriteStage, kWriteAccess});
  }
  record_timestamp(cmd, info, Timestamp::kBegin);
  record_uploads(cmd, frame);
  const bool expanded = record_palettes(cmd, "expand", &FramePlan::expansions);
  if (record_palettes(cmd, "convert", &FramePlan::conversions) || expanded) {
    record_barrier(table_, cmd, {kWriteStage, kWriteAccess, kComputeRead.stages, kComputeRead.accesses});
  }
  record_timestamp(cmd, info, Timestamp::kUploaded);
  record_skinning(cmd);
  record_timestamp(cmd, info, Timestamp::kSkinned);
  for (UpdateGroup& group : groups_) {
    if (!group.is_due()) continue;
    group.plan.number = frame;  // later than the plan's where the frame it was prepared in was not recorded
    group.plan.recorded = true;
  }
}

void Recorder::discard(uint64_t frame) {
  counters_ = {.refused_records = counters_.refused_records};
  meshes_.discard_uploads(frame);
  for (UpdateGroup& group : groups_) {
    if (group.plan.number == frame) group.plan.recorded = false;
  }
}

/// Copies of meshes and palettes, and one barrier to those that read them. Consumers of skinned vertices may read
/// meshes, but never the copies of palettes.
void Recorder::record_uploads(VkCommandBuffer cmd, uint64_t frame) {
  counters_.uploaded_bytes = meshes_.record_uploads(cmd, frame, oldest_due(groups_));
  const bool wrote_meshes = counters_.uploaded_bytes != 0, wrote_palettes = record_palette_copies(cmd);
  if (!wrote_meshes && !wrote_palettes) return;
  Consumers readers = wrote_meshes && barriers_ == Barriers::kLibrary ? kComputeRead | consumers_ : kComputeRead;
  if (instances_of(&FramePlan::conversions) != 0)
    readers = readers | Consumers{kWriteStage, kWriteAccess};  // they write the copies
  record_barrier(table_, cmd,
                 {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, readers.stages, readers.accesses});
}

/// Returns whether there were any, without a barrier after them. None is needed before: the last frame that read these
/// copies has completed, and submission makes the host's writes visible.
bool Recorder::record_palette_copies(VkCommandBuffer cmd) {
  size_t pages = 0;
  for (const UpdateGroup& group : groups_) pages += group.is_due() ? group.plan.palette_copies.size() : 0;
  if (pages == 0) return false;

  char text[48];
  std::snprintf(text, sizeof text, "sinew copy palettes, %zu %s", pages, noun(pages, "page", "pages"));
  const Label label(table_, cmd, LabelKind::kUpload, text);
  for (const UpdateGroup& group : groups_) {
    if (!group.is_due()) continue;
    for (const BufferCopy& copy : group.plan.palette_copies) {
      const VkBufferCopy region = {0, 0, copy.size_bytes};
      table_.CmdCopyBuffer(cmd, copy.from, copy.to, 1, &region);
      ++counters_.palette_copies;
      counters_.palette_copy_bytes += copy.size_bytes;
    }
  }
  return true;
}

template <class Work>
uint64_t Recorder::instances_of(std::vector<Work> FramePlan::*list) const {
  uint64_t instances = 0;
  for (const UpdateGroup& group : groups_) {
    if (!group.is_due()) continue;
    for (const Work& work : group.plan.*list) instances += work.push.instance_count;
  }
  return instances;
}

/// Conversions are after the copy of their page. Expansions read memory that the host wrote before the submission, and
/// write memory that no frame in flight reads. Returns whether there were any, without a barrier after them.
template <class Work>
bool Recorder::record_palettes(VkCommandBuffer cmd, const char* verb, std::vector<Work> FramePlan::*list) const {
  const uint64_t instances = instances_of(list);
  if (instances == 0) return false;
  char text[80];
  std::snprintf(text, sizeof text, "sinew %s palettes, %" PRIu64 " %s", verb, instances,
                noun(instances, "instance", "instances"));
  const Label label(table_, cmd, LabelKind::kUpload, text);
  for (const UpdateGroup& group : groups_) {
    if (!group.is_due()) continue;
    for (const Work& work : group.plan.*list) {
      pass_.bind_set(cmd, group.plan.sets[work.set].set);
      pass_.dispatch(cmd, work);
    }
  }
  return true;
}

/// Whether a group that is due has vertices to skin.
bool Recorder::skins() const {
  return std::any_of(groups_.begin(), groups_.end(),
                     [&](const UpdateGroup& group) { return group.is_due() && !group.plan.slices.empty(); });
}

void Recorder::record_skinning(VkCommandBuffer cmd) {
  if (!skins()) return;
  for (const UpdateGroup& group : groups_) {
    if (!group.is_due()) continue;
    record_group(cmd, group);
    count_skinned(group.plan);
  }
  if (barriers_ == Barriers::kLibrary) {
    record_barrier(table_, cmd, {kWriteStage, kWriteAccess, consumers_.stages, consumers_.accesses});
  }
}

void Recorder::record_group(VkCommandBuffer cmd, const UpdateGroup& group) const {
  const FramePlan& plan = group.plan;
  auto dispatch = plan.dispatches.begin();
  for (uint32_t s = 0; s < plan.sets.size(); ++s) {
    const BoundSet& set = plan.sets[s];
    const auto end = std::find_if(dispatch, plan.dispatches.end(), [&](const Dispatch& d) { return d.pages != s; });
    if (end == dispatch) continue;  // a set of expansions
    const SkinText text = skin_text(set, uint64_t(end - dispatch), groups_.size() > 1, group.index);
    const Label label(table_, cmd, LabelKind::kSkin, text.data());
    pass_.bind_set(cmd, set.set);
    for (; dispatch != end; ++dispatch) pass_.dispatch(cmd, *dispatch);
  }
}

void Recorder::count_skinned(const FramePlan& plan) {
  counters_.dispatches += plan.dispatches.size();
  for (const Dispatch& dispatch : plan.dispatches)
    counters_.job_bytes += dispatch.workgroups_y * sizeof(shared::SkinJob);
  uint32_t batch = UINT32_MAX;
  for (const PlacedSlice& slice : plan.slices) {
    const StaticMesh* mesh = slice.batch != batch ? meshes_.find(slice.mesh) : nullptr;
    if (mesh) counters_.mesh_bytes += mesh->data.size_bytes();
    batch = slice.batch;
    counters_.instances += slice.instance_count;
    counters_.skinned_vertices += uint64_t{slice.instance_count} * slice.vertex_count;
    counters_.palette_bytes += slice.palettes.size_bytes;
    counters_.skinned_bytes += slice.vertices.size_bytes;
  }
}

/// Timestamps are of the compute stage, so that none waits for drawing that runs in parallel. Copies have completed
/// before it: a barrier from transfer to compute follows them. A driver on the CPU runs later commands before it reads
/// the clock; a full barrier prevents that.
void Recorder::record_timestamp(VkCommandBuffer cmd, const RecordInfo& info, Timestamp timestamp) const {
  if (info.timestamps == VK_NULL_HANDLE) return;
  table_.CmdWriteTimestamp(cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, info.timestamps,
                           info.first_query + uint32_t(timestamp));
  if (!table_.is_cpu) return;
  const VkAccessFlags all = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
  record_barrier(table_, cmd, {VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, all, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, all});
}

}  // namespace sinew::vulkan::internal
