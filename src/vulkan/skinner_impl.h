// The state of a Skinner: what it is made of, and the frame that is being prepared.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "buffer.h"
#include "deferred_frees.h"
#include "device_table.h"
#include "group_planner.h"
#include "mesh_store.h"
#include "recorder.h"
#include "sinew/experimental/kernel.h"
#include "sinew/vulkan/skinner.h"
#include "skin_pass.h"
#include "update_group.h"

namespace sinew::vulkan {

using namespace internal;

struct Skinner::Impl {
  Impl(std::shared_ptr<const DeviceTable> device_table, const SkinnerInfo& info,
       const experimental::KernelTuning& tuning, const experimental::MessageCallback& callback);
  Impl(const Impl&) = delete;

  // The calls of Skinner.
  Status begin_frame(const SkinnerFrame& given);
  Status discard_frame();
  Status prepare(uint32_t group, std::span<const SkinnerBatch> batches, std::span<const Page> pages,
                 const ParallelFor& parallel_for);
  Status reserve(std::span<const SkinnerBatch> batches, uint32_t group);
  void record(VkCommandBuffer cmd, const RecordInfo& info);
  Status check_palettes() const;
  MeshBuffer mesh_buffer(MeshId id) const;
  MemoryUsage memory_usage() const;
  Status reload_kernel(std::span<const uint32_t> spirv);

  /// Returns `outcome`. Reports an error through the message callback first.
  template <class Outcome>
  Outcome report_error(Outcome outcome) const {
    if (!outcome && message.call != nullptr) {
      message.call(message.user_data, experimental::Severity::kError, outcome.error().message.c_str());
    }
    return outcome;
  }

  SkinnerFrame derived(SkinnerFrame given) const;
  Status check_frame(const SkinnerFrame& next) const;
  Status check_group(const char* call, uint32_t group) const;
  Status check_forgotten();
  void free_completed();

  // The order matters: members are destroyed from the last to the first, and later members use earlier ones.
  std::shared_ptr<const DeviceTable> shared_table;  // prepared meshes have it too
  const DeviceTable& table;
  experimental::MessageCallback message;
  BufferAllocator allocator;
  SkinPass pass;
  MeshStore meshes;
  DeferredFrees deferred;
  std::vector<UpdateGroup> groups;
  GroupPlanner planner;
  Recorder recorder;

  std::vector<uint64_t> slot_frames;                                // the last frame recorded with each frame slot
  SkinnerFrame frame{.number = 0, .slot = 0, .last_completed = 0};  // the last frame that was begun; number 0: none
  uint64_t recorded_frame = 0;                                      // the last frame that was recorded
  // What record() replaced: see discard_frame().
  uint64_t recorded_before = 0, slot_frame_before = 0;

  // See SkinnerInfo::debug_checks.
  bool checks = false;
  uint64_t checked_frame = 0;      // the last frame whose palettes were checked
  uint64_t null_record_frame = 0;  // the last frame that was recorded without a command buffer; 0: none

  std::atomic<const char*> running{nullptr};  // the name of the call that is running
};

}  // namespace sinew::vulkan
