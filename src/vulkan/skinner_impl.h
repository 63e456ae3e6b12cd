// What a Skinner holds. Meshes and buffers live in it; frames come and go.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "buffer.h"
#include "device_table.h"
#include "frame_layout.h"
#include "frame_plan.h"
#include "job_list.h"
#include "mesh_pages.h"
#include "page_set.h"
#include "retired.h"
#include "sinew/vulkan.h"
#include "skin_pass.h"
#include "upload.h"

namespace sinew::vulkan {

struct Skinner::Impl {
  Impl(DeviceTable device_table, const SkinnerInfo& info);
  Impl(const Impl&) = delete;

  struct Slot {
    PageSet palettes, jobs;
    SlotSets sets;
    uint64_t recorded_frame = 0;
  };

  /// What prepare() makes before it changes anything.
  struct Prepared {
    FrameLayout layout;
    JobList list;
    NewPages palettes, vertices, jobs;
    std::vector<BoundPages> bound;  // of each set
    FramePlan plan;
  };

  Result<MeshId> add_mesh(const Mesh& mesh, uint32_t palette_size, const char* name, const Box& box);
  Status check_mesh(const Mesh& mesh, uint32_t palette_size, const std::string& name, const Box& box) const;
  void remove_mesh(MeshId id);
  const StaticMesh* find_mesh(MeshId id) const;

  Status prepare(const Frame& frame, std::span<const Batch> batches, std::span<const Page> pages);
  Status check_frame(const Frame& frame) const;
  Result<FrameLayout> lay_out(std::span<const Batch> batches) const;
  void list_work(std::span<const Batch> batches, Prepared& prepared) const;
  Status make_buffers(const Frame& frame, std::span<const Page> host_pages, Prepared& prepared);
  BoundPages bound_pages(const Frame& frame, const PageTriple& pages, std::span<const Page> host_pages,
                         const Prepared& prepared) const;
  Status make_job_page(const Frame& frame, Prepared& prepared);
  Page vertex_page(uint32_t index, std::span<const Page> host_pages, const Prepared& prepared) const;
  void make_plan(const Frame& frame, std::span<const Batch> batches, std::span<const Page> host_pages,
                 Prepared& prepared);
  void adopt(Prepared prepared, uint64_t last_frame);
  void free_completed(uint64_t completed, uint64_t keep_from);
  Result<std::vector<PageRequirements>> page_requirements(std::span<const Batch> batches) const;

  void record(VkCommandBuffer cmd, const RecordInfo& info);
  void record_uploads(VkCommandBuffer cmd);
  void record_skinning(VkCommandBuffer cmd);
  void count_skinned();
  void record_timestamp(VkCommandBuffer cmd, const RecordInfo& info, Timestamp timestamp) const;
  bool needs_upload(const StaticMesh& mesh) const;

  Status reload_kernel(std::span<const uint32_t> spirv);
  MemoryUsage memory_usage() const;

  /// Passes an outcome on; an error is told through the host's callback first.
  template <class Outcome>
  Outcome told(Outcome outcome) const {
    if (!outcome && message != nullptr) message(message_user_data, Severity::kError, outcome.error().message.c_str());
    return outcome;
  }

  VkBufferUsageFlags vertex_usage() const;
  uint32_t target_set() const { return keep_previous && plan.recorded ? 1 - output : output; }

  // In this order: what is below is freed first.
  DeviceTable table;
  BufferAllocator allocator;
  void (*message)(void*, Severity, const char*) = nullptr;
  void* message_user_data = nullptr;
  bool keep_previous = false;
  Synchronisation synchronisation = Synchronisation::kExternal;
  Consumers consumers;
  VkBufferUsageFlags extra_vertex_usage = 0;

  VertexFormat format = VertexFormat::k16;

  std::optional<SkinPass> pass;
  MeshPages mesh_pages;
  std::map<uint32_t, StaticMesh> meshes;
  uint32_t last_mesh_id = 0;
  std::vector<Slot> slots;
  PageSet vertices[2];  // taken in turn with keep_previous; else the first alone
  uint32_t output = 0;  // which of them the plan writes
  RetireList retired;

  FramePlan plan;
  std::vector<PlacedRun> previous_runs;  // of the last recorded frame before the plan's
  uint64_t latest_frame = 0;             // the last that prepare() was asked for
  Counters counters;
};

}  // namespace sinew::vulkan
