// What a SkinnedCrowd consists of.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "crowd_models.h"
#include "draw_list.h"
#include "host_poses.h"
#include "pick.h"
#include "pose_loop.h"
#include "sinew/runtime/skinned_crowd.h"
#include "skinner_backend.h"

namespace sinew::vulkan::internal {

Error no_model(const char* call, uint32_t model);
uint64_t next_serial();

struct CrowdImpl {
  const uint64_t serial = next_serial();  // no two crowds of a process have the same
  CrowdOptions options;
  CrowdModels models;
  experimental::CrowdParts parts;
  SkinnerBackend own_backend;
  experimental::SkinningBackend* backend = &own_backend;
  crowd::Planner planner;
  crowd::Attachments attachments;
  uint32_t vertex_bytes = 0, frames_in_flight = 1;
  uint64_t frame_number = 0;
  std::atomic<const char*> running{nullptr};  // the name of the call that is running
  bool has_removed = false;                   // some models are removed, and the planner still knows them

  // Of the frame that was updated last; empty after an error.
  bool has_frame = false;
  std::vector<PlacedRange> placed, updated;  // all ranges, and those of the groups that are updated
  UpdateTimes times;
  DrawList draws;
  HostPoses host_poses;
  std::vector<VertexSlice> slices, previous_slices;  // of each posed mesh, with previous poses
  mutable std::vector<uint32_t> body_of;             // as bodies() has it; made when it is asked for

  std::vector<SkinnerBatch> batches;  // of one update group; keeps its memory
  std::vector<Playback> rest_poses;   // likewise
  std::vector<ChainTarget> targets;   // of the instances of the host, in this frame
  PoseLoop pose_loop;

  mutable Picker picker;  // keeps its memory

  PFN_vkCmdBindVertexBuffers bind_vertex_buffers = nullptr;
  PFN_vkCmdDrawIndexed draw_indexed = nullptr;

  static Result<std::unique_ptr<CrowdImpl>> create(const SkinnerInfo& info, std::span<const SharedModel> models,
                                                   const CrowdOptions& options, const experimental::CrowdParts& parts);
  Status load_functions(const SkinnerInfo& info);
  Status create_planner(const SkinnerInfo& info);
  Status add_models(std::vector<CrowdModel> prepared);

  Result<uint32_t> add(CrowdModel model, crowd::MeasuredModel measured);
  Status remove(uint32_t model);
  void release_removed();

  Status update(const CrowdFrame& frame, const crowd::Instances& instances, std::span<const crowd::View> views);
  void forget_frame();
  Status make_frame(const CrowdFrame& frame, const crowd::Instances& instances, std::span<const crowd::View> views);
  Status prepare(const CrowdFrame& frame);
  Status prepare_group(uint32_t group);
  /// Writes the poses of all ranges that are updated.
  Status evaluate_updated();
  std::span<const Playback> playbacks_of(const PlacedRange& placed);
  std::span<const ChainTarget> targets_of(uint32_t instance) const;
  void note_slices();

  /// Where the vertices of the instance at `place` in Plan::instances were in the frame before; null: it has none.
  const VertexSlice* previous_of(size_t place) const;
  /// Of each instance of the host: its body in Plan::posed_meshes.
  const std::vector<uint32_t>& bodies() const;
};

}  // namespace sinew::vulkan::internal
