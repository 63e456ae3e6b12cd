// From a visible set to vertices that can be drawn, in one of three modes: the library's compute pass, the vertex
// shader, or the CPU. All three end in ranges of posed meshes that the draw pass reads in the same way.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "crowd/evaluation.h"
#include "crowd/visible_set.h"
#include "gpu/async_compute.h"
#include "gpu/pages.h"
#include "sinew/asset/skinned_vertex.h"
#include "sinew/vulkan/skinner.h"

namespace sinew::app {

enum class SkinningMode : uint8_t { kCompute, kVertex, kCpu };

const char* name_of(SkinningMode mode);

struct SkinningInfo {
  Evaluation* evaluation = nullptr;  // must outlive the skinning
  SkinningMode mode = SkinningMode::kCompute;
  uint32_t frames_in_flight = 2;
  AsyncCompute async = AsyncCompute::kNone;  // with kCompute: recorded for a submission of its own
  uint32_t update_groups = 1;                // that visible sets have
};

/// How many frames' palettes and skinned vertices are kept at a time.
struct KeptFrames {
  uint32_t palettes = 0, vertices = 0;
};
KeptFrames kept_frames(const SkinningInfo& info);

/// Posed meshes of one batch that lie together. Those not updated stay where they were. Valid until the next prepare().
struct SkinnedRange {
  uint32_t batch = 0;       // in VisibleSet::batches
  uint32_t first_mesh = 0;  // within the batch
  uint32_t mesh_count = 0;
  uint32_t vertex_count = 0, palette_stride = 0;  // of one mesh; matrices from one palette to the next
  bool not_updated = false;                       // nothing is written for it in this frame

  std::span<Matrix3x4> palettes;                 // mesh_count * palette_stride
  VkBuffer palette_buffer = VK_NULL_HANDLE;      // kVertex: a page of palettes
  VkBufferView palette_texels = VK_NULL_HANDLE;  // kVertex: the same page as texels
  uint32_t palette_page = 0;                     // which page, counted over all groups
  uint32_t first_entry = 0;                      // first matrix of the range in the page

  VkBuffer vertices = VK_NULL_HANDLE;        // SkinnedVertex[mesh_count][vertex_count]; null with kVertex
  VkDeviceSize vertices_offset = 0;          // bytes
  std::span<SkinnedVertex> mapped_vertices;  // kCpu

  VkDeviceSize vertices_bytes() const { return VkDeviceSize(mesh_count) * vertex_count * sizeof(SkinnedVertex); }
};

/// The smallest number of matrices that fills whole cache lines.
struct alignas(64) PaletteBlock {
  Matrix3x4 matrices[4];
};

/// CPU time of one evaluate().
struct EvaluationTimes {
  double sample_ms = 0;
  std::optional<double> skin_ms;  // kCpu
};

/// What the last prepared frame writes; posed meshes that are not updated do not count.
struct SkinningCounters {
  uint64_t skinned_vertices = 0, palette_bytes = 0, skinned_bytes = 0;
};

class Skinning {
 public:
  /// `device`, `models` and `info.evaluation` must outlive it.
  static Result<Skinning> create(const Device& device, std::span<const Model> models, const SkinningInfo& info);

  /// Makes room for what a frame updates of a visible set, and sets ranges() for all of the set. May allocate.
  Status prepare(const vulkan::Frame& frame, const VisibleSet& visible_set);
  std::span<const SkinnedRange> ranges() const { return ranges_; }

  /// Writes what the prepared frame updates: palettes, and with kCpu vertices. `visible_set` is that of prepare().
  EvaluationTimes evaluate(const VisibleSet& visible_set);

  /// Records the compute pass; nothing in other modes. `info.timestamps` is as in vulkan::RecordInfo.
  void record(VkCommandBuffer cmd, const vulkan::RecordInfo& info);

  Status reload_kernel(std::span<const uint32_t> spirv);
  vulkan::MeshBuffer mesh_buffer(uint32_t mesh) const;  // PosedBatch::mesh; not with kCpu
  SkinningCounters counters() const { return counters_; }
  /// Device memory for meshes, palettes, skinned vertices and job lists, in bytes, with room to grow.
  uint64_t device_bytes() const;
  SkinningMode mode() const { return info_.mode; }
  AsyncCompute async() const { return info_.async; }

 private:
  /// The data of an update group, kept until the group is updated again.
  struct Group {
    std::vector<Pages> pages;  // kVertex: palettes, kCpu: vertices; frames_in_flight of them, used in turn
    uint32_t page_set = 0;     // the pages in use
    std::vector<PaletteBlock> cpu_palettes;  // kCpu
    std::vector<SkinnedRange> ranges;        // `batch` and `palette_page` counted within the group
  };
  Skinning() = default;
  Status create_skinner();
  Status update_group(const VisibleSet& visible_set, uint32_t group);
  Status fit_own_pages(uint32_t index, std::span<const PosedBatch> batches);
  void set_compute_ranges(uint32_t index);
  void set_own_ranges(Group& group, std::span<const PosedBatch> batches);
  void append_ranges(const UpdateGroup& visible_group, const Group& group);
  void count(const VisibleSet& visible_set);
  void skin_range(const SkinnedRange& range, const PosedBatch& batch);

  const Device* device_ = nullptr;
  std::span<const Model> models_;
  SkinningInfo info_;
  std::vector<SkinnedRange> ranges_;
  SkinningCounters counters_;
  std::optional<vulkan::Skinner> skinner_;  // kCompute; kVertex for its static meshes
  std::vector<vulkan::MeshId> meshes_;      // of each level of each model
  std::vector<Group> groups_;
  std::vector<Vec3> positions_, normals_;
};

}  // namespace sinew::app
