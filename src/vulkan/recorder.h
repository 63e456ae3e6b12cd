// The commands in the host's command buffer. Nothing here allocates or fails.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mesh_store.h"
#include "sinew/vulkan/skinner.h"
#include "skin_pass.h"
#include "update_group.h"

namespace sinew::vulkan::internal {

/// The frame of the oldest plan that is prepared and not recorded; kNever without one.
uint64_t oldest_due(std::span<const UpdateGroup> groups);

/// Externally synchronized. What the constructor takes must outlive the recorder, except `info`.
class Recorder {
 public:
  Recorder(const DeviceTable& table, const SkinPass& pass, MeshStore& meshes, std::span<UpdateGroup> groups,
           const SkinnerInfo& info)
      : table_(table),
        pass_(pass),
        meshes_(meshes),
        groups_(groups),
        barriers_(info.barriers),
        consumers_(info.consumers) {}

  /// See Skinner::record(), of frame `frame`: all that is due.
  void record(VkCommandBuffer cmd, const RecordInfo& info, uint64_t frame);
  /// What was recorded in `frame` is due again.
  void discard(uint64_t frame);
  void refuse() { counters_ = {.refused_records = counters_.refused_records + 1}; }

  const SkinnerCounters& counters() const { return counters_; }

 private:
  void record_uploads(VkCommandBuffer cmd, uint64_t frame);
  bool record_palette_copies(VkCommandBuffer cmd);
  bool skins() const;
  template <class Work>
  uint64_t instances_of(std::vector<Work> FramePlan::*list) const;
  template <class Work>
  bool record_palettes(VkCommandBuffer cmd, const char* verb, std::vector<Work> FramePlan::*list) const;
  void record_skinning(VkCommandBuffer cmd);
  void record_group(VkCommandBuffer cmd, const UpdateGroup& group) const;
  void count_skinned(const FramePlan& plan);
  void record_timestamp(VkCommandBuffer cmd, const RecordInfo& info, Timestamp timestamp) const;

  const DeviceTable& table_;
  const SkinPass& pass_;
  MeshStore& meshes_;
  std::span<UpdateGroup> groups_;
  Barriers barriers_;
  Consumers consumers_;
  SkinnerCounters counters_;  // of the last record()
};

}  // namespace sinew::vulkan::internal
