// What prepare() does for one update group: layout, buffers, job list, plan.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "buffer.h"
#include "deferred_frees.h"
#include "device_table.h"
#include "frame_layout.h"
#include "job_list.h"
#include "mesh_store.h"
#include "page_set.h"
#include "sinew/vulkan/skinner.h"
#include "skin_pass.h"
#include "update_group.h"

namespace sinew::vulkan::internal {

/// Whether SkinnerInfo::debug_checks are on.
bool has_debug_checks(const SkinnerInfo& info);

/// Externally synchronized. What the constructor takes must outlive the planner, except `info`.
class GroupPlanner {
 public:
  GroupPlanner(const DeviceTable& table, BufferAllocator& allocator, SkinPass& pass, const MeshStore& meshes,
               DeferredFrees& deferred, const SkinnerInfo& info);
  GroupPlanner(const GroupPlanner&) = delete;

  /// See Skinner::prepare(), in frame `frame`. After an error the group is as before.
  Status prepare(UpdateGroup& group, uint64_t frame, std::span<const SkinnerBatch> batches,
                 std::span<const Page> host_pages, const ParallelFor& parallel_for);
  Status reserve(UpdateGroup& group, std::span<const SkinnerBatch> batches);
  Result<std::vector<PageRequirements>> page_requirements(std::span<const SkinnerBatch> batches) const;
  uint64_t buffer_changes() const { return buffer_changes_; }

  /// Names instances of the group's plan that are not written. No error without SkinnerInfo::debug_checks.
  Status check_written(const UpdateGroup& group) const;

 private:
  /// A page of compact palettes, and one that they are expanded into.
  struct ExpansionPages {
    uint32_t compact = 0, expanded = 0;
    friend bool operator==(const ExpansionPages&, const ExpansionPages&) = default;
  };

  /// Lists of prepare(), which keep their memory for the next call.
  struct Scratch {
    std::vector<BatchSize> sizes;
    FrameLayout layout;
    std::vector<JobSource> sources;      // one of each slice of the layout, more of slices with borrowed palettes
    std::vector<uint32_t> first_source;  // of each slice, in `sources`
    JobList list;
    std::vector<BoundPages> bound;           // by each descriptor set
    std::vector<ExpansionPages> expansions;  // each once
    std::vector<uint8_t> converted_pages;    // of palettes: 1 where a mesh is skinned with dual quaternions
    std::vector<VkDeviceSize> page_sizes;    // see with_reserved()
  };

  /// The pages that prepare() creates before it changes the group. The rest of its results is in `scratch_` and
  /// UpdateGroup::next.
  struct Prepared {
    UpdateGroup& group;
    NewPages palettes, vertices, jobs, compact, expanded;
  };

  JobLimits job_limits() const;
  VkDeviceSize vertex_alignment() const;
  SliceAlignment slice_alignment() const { return {table_.storage_alignment, vertex_alignment()}; }
  uint32_t max_per_job(const SkinnerBatch& batch, std::span<const SkinnerBatch> batches) const;
  Status lay_out(const char* call, std::span<const SkinnerBatch> batches, Scratch& into) const;
  void list_work(std::span<const SkinnerBatch> batches);
  JobSource source_of(const PageSlice& slice, const StaticMesh& mesh) const;
  void borrow_palettes(const PageSlice& slice, const SkinnerBatch& batch);
  size_t most_jobs() const;

  Status check_pages(std::span<const Page> host_pages) const;
  std::span<const VkDeviceSize> with_reserved(std::span<const VkDeviceSize> sizes,
                                              std::span<const VkDeviceSize> reserved);
  Status make_buffers(std::span<const Page> host_pages, Prepared& prepared);
  Status make_palette_pages(Prepared& prepared);
  Status make_compact_pages(Prepared& prepared);
  Status make_vertex_pages(bool own, Prepared& prepared);
  Status make_job_page(Prepared& prepared);

  void make_plan(uint64_t frame, std::span<const SkinnerBatch> batches, std::span<const Page> host_pages,
                 Prepared& prepared);
  PlacedSlice placed(const PageSlice& slice, const SkinnerBatch& batch, std::span<const Page> host_pages,
                     const Prepared& prepared) const;
  void place_palettes(const PageSlice& slice, const StaticMesh& mesh, const Prepared& prepared,
                      PlacedSlice& placed) const;
  BoundPages bound_pages(const PageCombination& pages, std::span<const Page> host_pages,
                         const Prepared& prepared) const;
  Page vertex_page(uint32_t index, std::span<const Page> host_pages, const Prepared& prepared) const;
  void plan_palette_copies(const Prepared& prepared) const;
  void plan_conversions(FramePlan& plan) const;
  void plan_expansions(const Prepared& prepared);
  void make_room(const Prepared& prepared);

  void adopt(Prepared prepared, uint64_t last_frame, const ParallelFor& parallel_for);
  void fill_palettes(const FramePlan& plan, Input& input, const ParallelFor& parallel_for);

  VkBufferUsageFlags vertex_usage() const {
    return VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
           extra_vertex_usage_;
  }
  uint32_t input_count() const { return group_count_ * frames_in_flight_; }
  uint32_t input_index(const UpdateGroup& group) const { return group.index * frames_in_flight_ + group.next_input(); }
  uint32_t next_output(const UpdateGroup& group) const {
    return keep_previous_ && group.plan.recorded ? 1 - group.output : group.output;
  }

  const DeviceTable& table_;
  BufferAllocator& allocator_;
  SkinPass& pass_;
  const MeshStore& meshes_;
  DeferredFrees& deferred_;
  bool keep_previous_ = false, poisons_ = false;
  VkBufferUsageFlags extra_vertex_usage_ = 0;
  uint32_t group_count_ = 0, frames_in_flight_ = 0;
  Scratch scratch_;
  uint64_t buffer_changes_ = 0;
};

}  // namespace sinew::vulkan::internal
