// The state of a Skinner: meshes, update groups with their buffers, and the frame that is being prepared.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "buffer.h"
#include "deferred_frees.h"
#include "device_table.h"
#include "frame_layout.h"
#include "frame_plan.h"
#include "job_list.h"
#include "mesh_pages.h"
#include "page_set.h"
#include "sinew/vulkan/skinner.h"
#include "skin_pass.h"
#include "upload.h"

namespace sinew::vulkan {

using namespace internal;

struct Skinner::Impl {
  Impl(DeviceTable device_table, const SkinnerInfo& info);
  Impl(const Impl&) = delete;

  /// What the kernel reads for one frame of a group.
  struct Input {
    PageSet palettes, jobs;
    PageSet compact, expanded;  // compact palettes, and the matrices that record() expands them to
    InputSets sets;
  };

  /// An update group: batches that are prepared and recorded together, and the buffers they use until the next time.
  struct Group {
    uint32_t index = 0;
    std::vector<Input> inputs;  // frames_in_flight, in rotation: frames in flight may read the others
    PageSet vertices[2];        // alternate with keep_previous; otherwise the first alone
    uint32_t output = 0;        // index in `vertices` that the plan writes
    FramePlan plan;
    FramePlan next;                            // what prepare() makes; its memory is kept
    std::vector<PlacedSlice> previous_slices;  // of the last frame recorded before the plan

    uint32_t next_input() const { return plan.recorded ? (plan.input + 1) % uint32_t(inputs.size()) : plan.input; }
  };

  /// A page of compact palettes, and one that they are expanded into.
  struct ExpansionPages {
    uint32_t compact = 0, expanded = 0;
    friend bool operator==(const ExpansionPages&, const ExpansionPages&) = default;
  };

  /// Lists of prepare(), which keep their memory for the next call.
  struct Scratch {
    std::vector<BatchSize> sizes;
    FrameLayout layout;
    std::vector<JobSource> sources;  // of each slice of the layout
    JobList list;
    std::vector<BoundPages> bound;           // by each descriptor set
    std::vector<ExpansionPages> expansions;  // each once
    std::vector<uint8_t> converted_pages;    // of palettes: 1 where a mesh is skinned with dual quaternions
  };

  /// The pages that prepare() creates before it changes the group. The rest of its results is in `scratch` and
  /// Group::next.
  struct Prepared {
    Group& group;
    NewPages palettes, vertices, jobs, compact, expanded;
  };

  Result<MeshId> add_mesh(const Mesh& mesh, uint32_t palette_size, const char* name, const Box& box,
                          const PaletteKind& palettes);
  Status check_mesh(const Mesh& mesh, uint32_t palette_size, const std::string& name, const Box& box,
                    const PaletteKind& palettes) const;
  void remove_mesh(MeshId id);
  const StaticMesh* find_mesh(MeshId id) const;

  Status begin_frame(const Frame& frame);
  Status check_frame(const Frame& frame) const;
  Status prepare(uint32_t group, std::span<const Batch> batches, std::span<const Page> pages,
                 const ParallelFor& parallel_for);
  bool is_due(const Group& group) const { return group.plan.number != 0 && !group.plan.recorded; }
  uint64_t oldest_due() const;
  JobLimits job_limits() const;
  Status lay_out(std::span<const Batch> batches, Scratch& into) const;
  void list_work(std::span<const Batch> batches);
  Status check_pages(std::span<const Page> host_pages) const;
  Status make_buffers(std::span<const Page> host_pages, Prepared& prepared);
  BoundPages bound_pages(const PageCombination& pages, std::span<const Page> host_pages,
                         const Prepared& prepared) const;
  Status make_job_page(Prepared& prepared);
  Page vertex_page(uint32_t index, std::span<const Page> host_pages, const Prepared& prepared) const;
  void make_plan(std::span<const Batch> batches, std::span<const Page> host_pages, Prepared& prepared);
  void plan_palette_copies(const Prepared& prepared) const;
  void plan_conversions(FramePlan& plan) const;
  void plan_expansions(const Prepared& prepared);
  Status make_compact_pages(Prepared& prepared);
  void adopt(Prepared prepared, uint64_t last_frame, const ParallelFor& parallel_for);
  void free_completed(uint64_t last_completed);
  Result<std::vector<PageRequirements>> page_requirements(std::span<const Batch> batches) const;

  void record(VkCommandBuffer cmd, const RecordInfo& info);
  void record_uploads(VkCommandBuffer cmd);
  bool record_mesh_uploads(VkCommandBuffer cmd);
  bool record_palette_copies(VkCommandBuffer cmd);
  bool skins() const;
  template <class Work>
  uint64_t instances_of(std::vector<Work> FramePlan::*list) const;
  template <class Work>
  bool record_palettes(VkCommandBuffer cmd, const char* verb, std::vector<Work> FramePlan::*list) const;
  void record_skinning(VkCommandBuffer cmd);
  void record_group(VkCommandBuffer cmd, const Group& group) const;
  void count_skinned(const FramePlan& plan);
  void record_timestamp(VkCommandBuffer cmd, const RecordInfo& info, Timestamp timestamp) const;
  bool needs_upload(const StaticMesh& mesh) const;

  Status reload_kernel(std::span<const uint32_t> spirv);
  MemoryUsage memory_usage() const;

  /// Returns `outcome`. Reports an error through the host's message callback first.
  template <class Outcome>
  Outcome report_error(Outcome outcome) const {
    if (!outcome && message != nullptr) message(message_user_data, Severity::kError, outcome.error().message.c_str());
    return outcome;
  }

  VkBufferUsageFlags vertex_usage() const;
  uint32_t input_count() const { return uint32_t(groups.size() * slot_frames.size()); }
  uint32_t input_index(const Group& group) const {
    return group.index * uint32_t(slot_frames.size()) + group.next_input();
  }
  uint32_t next_output(const Group& group) const {
    return keep_previous && group.plan.recorded ? 1 - group.output : group.output;
  }

  // The order matters: members are destroyed from the last to the first, and later members use earlier ones.
  DeviceTable table;
  BufferAllocator allocator;
  void (*message)(void*, Severity, const char*) = nullptr;
  void* message_user_data = nullptr;
  bool keep_previous = false;
  Barriers barriers = Barriers::kLibrary;
  Consumers consumers;
  VkBufferUsageFlags extra_vertex_usage = 0;

  std::optional<SkinPass> pass;
  MeshPages mesh_pages;
  std::map<uint32_t, StaticMesh> meshes;
  uint32_t last_mesh_id = 0;
  std::vector<Group> groups;
  DeferredFrees deferred;

  Scratch scratch;
  std::vector<uint64_t> slot_frames;  // the last frame recorded with each frame slot
  Frame frame{.number = 0};           // the last frame that was begun; 0: none
  uint64_t recorded_frame = 0;        // the last frame that was recorded
  Counters counters;
};

}  // namespace sinew::vulkan
