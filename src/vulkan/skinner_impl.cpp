// Frames: which may begin, what is recorded in which, and what is freed after which.
#include "skinner_impl.h"

#include <algorithm>

#include "sinew/asset/skin.h"

namespace sinew::vulkan {
namespace {

std::vector<UpdateGroup> make_groups(const SkinnerInfo& info) {
  std::vector<UpdateGroup> groups(info.update_groups);
  for (uint32_t g = 0; g < groups.size(); ++g) {
    groups[g].index = g;
    groups[g].inputs.resize(info.frames_in_flight);
  }
  return groups;
}

}  // namespace

Skinner::Impl::Impl(std::shared_ptr<const DeviceTable> device_table, const SkinnerInfo& info,
                    const experimental::KernelTuning& tuning, const experimental::MessageCallback& callback)
    : shared_table(std::move(device_table)),
      table(*shared_table),
      message(callback),
      allocator(table, info),
      pass(table, choose_kernel(info, tuning, table)),
      meshes(shared_table, allocator, pass),
      groups(make_groups(info)),
      planner(table, allocator, pass, meshes, deferred, info),
      recorder(table, pass, meshes, groups, info),
      slot_frames(info.frames_in_flight),
      checks(has_debug_checks(info)) {}

// --- frames ---

/// What the host does not say. Slots are taken in turn, and the host waited for the last frame in its slot. Differences
/// of numbers say nothing: a host may count by tens, or give up a frame before it submits anything.
SkinnerFrame Skinner::Impl::derived(SkinnerFrame given) const {
  if (given.slot == kDerivedSlot) given.slot = uint32_t(std::ranges::min_element(slot_frames) - slot_frames.begin());
  if (given.last_completed != kDerivedCompletion) return given;
  const uint64_t in_slot = given.slot < slot_frames.size() ? slot_frames[given.slot] : 0;
  given.last_completed = std::max(frame.last_completed, in_slot);
  return given;
}

Status Skinner::Impl::check_frame(const SkinnerFrame& next) const {
  const auto refuse = [&](const std::string& why) {
    return invalid_argument("begin_frame: frame " + std::to_string(next.number) + why);
  };
  if (next.slot >= slot_frames.size()) {
    return refuse(" names slot " + std::to_string(next.slot) + " of " + std::to_string(slot_frames.size()));
  }
  if (next.number == 0) return invalid_argument("begin_frame: frame numbers begin at 1");
  if (next.number < frame.number || next.number <= recorded_frame) {
    return refuse(" does not follow frame " + std::to_string(frame.number));
  }
  if (next.last_completed >= next.number) {
    return refuse(" claims that frame " + std::to_string(next.last_completed) + " has completed");
  }
  if (next.last_completed < frame.last_completed) {
    return refuse(" says that frame " + std::to_string(next.last_completed) + " was the last to complete, and frame " +
                  std::to_string(frame.last_completed) + " has completed");
  }
  if (slot_frames[next.slot] > next.last_completed) {
    return refuse(" takes slot " + std::to_string(next.slot) + ", whose frame " +
                  std::to_string(slot_frames[next.slot]) + " has not completed");
  }
  return {};
}

/// With the checks: says once what was forgotten in the last recorded frame.
Status Skinner::Impl::check_forgotten() {
  if (!checks) return {};
  if (null_record_frame != 0) {
    const uint64_t number = std::exchange(null_record_frame, 0);
    return invalid_argument("begin_frame: record() had no command buffer in frame " + std::to_string(number));
  }
  if (recorded_frame == 0 || recorded_frame == checked_frame) return {};
  checked_frame = recorded_frame;
  for (const UpdateGroup& group : groups) {
    if (!group.plan.recorded || group.plan.number != recorded_frame) continue;
    if (Status written = planner.check_written(group); !written) {
      return invalid_argument("begin_frame: " + written.error().message);
    }
  }
  return {};
}

Status Skinner::Impl::begin_frame(const SkinnerFrame& given) {
  const SkinnerFrame next = derived(given);
  if (Status status = check_frame(next); !status) return status;
  if (Status status = check_forgotten(); !status) return status;
  meshes.begin_frame(frame.number, next.number);
  frame = next;
  for (UpdateGroup& group : groups) {
    if (group.is_due())
      set_skinned_frame(group.plan.ranges, next.number);
    else
      mark_not_updated(group.plan.ranges);
  }
  free_completed();
  return {};
}

Status Skinner::Impl::discard_frame() {
  if (frame.number == 0) return invalid_argument("discard_frame: no frame was begun");
  if (frame.number != recorded_frame) {
    return invalid_argument("discard_frame: frame " + std::to_string(frame.number) + " is not recorded");
  }
  recorder.discard(frame.number);
  recorded_frame = recorded_before;
  slot_frames[frame.slot] = slot_frame_before;
  return {};
}

Status Skinner::Impl::check_group(const char* call, uint32_t group) const {
  if (group < groups.size()) return {};
  return invalid_argument(std::string(call) + ": group " + std::to_string(group) + " of " +
                          std::to_string(groups.size()));
}

Status Skinner::Impl::prepare(uint32_t group, std::span<const SkinnerBatch> batches, std::span<const Page> host_pages,
                              const ParallelFor& parallel_for) {
  if (Status status = check_group("prepare", group); !status) return status;
  if (frame.number == recorded_frame) {
    return invalid_argument(frame.number == 0 ? "prepare: no frame was begun"
                                              : "prepare: frame " + std::to_string(frame.number) + " is recorded");
  }
  if (Status status = planner.prepare(groups[group], frame.number, batches, host_pages, parallel_for); !status) {
    return status;
  }
  free_completed();
  return {};
}

Status Skinner::Impl::reserve(std::span<const SkinnerBatch> batches, uint32_t group) {
  if (Status status = check_group("reserve", group); !status) return status;
  return planner.reserve(groups[group], batches);
}

void Skinner::Impl::record(VkCommandBuffer cmd, const RecordInfo& info) {
  if (cmd == VK_NULL_HANDLE) null_record_frame = frame.number;
  const bool is_begun = frame.number != recorded_frame;  // a frame was begun, and it is not recorded
  if (cmd == VK_NULL_HANDLE || !is_begun) return recorder.refuse();
  recorder.record(cmd, info, frame.number);
  recorded_before = std::exchange(recorded_frame, frame.number);
  slot_frame_before = std::exchange(slot_frames[frame.slot], frame.number);
}

Status Skinner::Impl::check_palettes() const {
  for (const UpdateGroup& group : groups) {
    if (!group.is_due() && group.plan.number != frame.number) continue;
    if (Status written = planner.check_written(group); !written) {
      return invalid_argument("check_palettes: " + written.error().message);
    }
  }
  return {};
}

/// Frees everything that only completed frames used, except meshes that a plan still to be recorded uses.
void Skinner::Impl::free_completed() {
  deferred.free_through(frame.last_completed);
  meshes.free_completed(frame.last_completed, oldest_due(groups));
}

// --- what there is ---

MeshBuffer Skinner::Impl::mesh_buffer(MeshId id) const {
  const StaticMesh* mesh = meshes.find(id);
  if (mesh == nullptr) return {};
  const uint32_t palette_rows =
      mesh->compact_scale ? uint32_t(compact_palette_stride(mesh->palette_size)) : weights_row(mesh->palette_size);
  return {.buffer = mesh->data.page().buffer.handle(),
          .offset = mesh->data.offset(),
          .size_bytes = mesh->data.size_bytes(),
          .vertex_count = mesh->vertex_count,
          .influence_quads = mesh->influence_quads,
          .morph_blocks = mesh->morph_blocks,
          .weights_row = mesh->morph_blocks != 0 ? palette_rows : 0};
}

MemoryUsage Skinner::Impl::memory_usage() const {
  MemoryUsage usage;
  meshes.add_usage(usage);
  for (const UpdateGroup& group : groups) {
    for (const Input& input : group.inputs) {
      usage.palette_bytes += input.palettes.size_bytes() + input.compact.size_bytes();
      usage.palette_copy_bytes += input.palettes.copy_bytes();
      usage.expanded_bytes += input.expanded.size_bytes();
      usage.job_bytes += input.jobs.size_bytes();
    }
    for (const PageSet& set : group.vertices) usage.skinned_bytes += set.size_bytes();
  }
  usage.deferred_bytes += deferred.size_bytes();
  usage.block_bytes = allocator.block_bytes();
  return usage;
}

Status Skinner::Impl::reload_kernel(std::span<const uint32_t> spirv) {
  deferred.make_room(kKernelCount);
  Result<Kernels::Pipelines> replaced = pass.kernels().reload(spirv);
  if (!replaced) return replaced.error();
  for (SharedPipeline& old : *replaced) {
    if (old != nullptr) deferred.add(frame.number, std::move(old));
  }
  return {};
}

}  // namespace sinew::vulkan
