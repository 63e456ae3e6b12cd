// From a cast to vertices that can be drawn, in one of three ways: the library's compute pass, the vertex shader, or
// the CPU. All three end as ranges of copies that the draw pass reads alike.
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
  bool validate = false;                     // vertices can be poisoned before they are skinned
  bool plant_wrong_weight = false;           // the device gets one wrong weight: a check that --validate sees it
  AsyncCompute async = AsyncCompute::kNone;  // with kCompute: recorded for a submission of its own
  uint32_t update_groups = 1;                // that casts have
};

/// How many copies of palettes and of skinned vertices are kept.
struct KeptCopies {
  uint32_t palettes = 0, vertices = 0;
};
KeptCopies kept_copies(const SkinningInfo& info);

/// Copies of one batch that lie in one place, held ones where they were. Valid until the next prepare().
struct SkinnedRange {
  uint32_t batch = 0;       // in VisibleSet::batches
  uint32_t first_mesh = 0;  // of the batch
  uint32_t mesh_count = 0;
  uint32_t vertex_count = 0, palette_stride = 0;
  bool not_updated = false;  // nothing is written for it in this frame

  std::span<Matrix3x4> palettes;                 // copy_count * palette_stride
  VkBuffer palette_buffer = VK_NULL_HANDLE;      // kVertex: a page of palettes
  VkBufferView palette_texels = VK_NULL_HANDLE;  // of the page
  uint32_t palette_page = 0;                     // which page, counted over all groups
  uint32_t first_entry = 0;                      // of the range in the page, in matrices

  VkBuffer vertices = VK_NULL_HANDLE;  // SkinnedVertex[copy_count][vertex_count]; none with kVertex
  VkDeviceSize vertices_offset = 0;
  std::span<SkinnedVertex> mapped_vertices;  // kCpu

  VkDeviceSize vertices_bytes() const { return VkDeviceSize(mesh_count) * vertex_count * sizeof(SkinnedVertex); }
};

/// The smallest part of palettes that fills cache lines.
struct alignas(64) PaletteLine {
  Matrix3x4 matrices[4];
};

/// CPU time of one evaluate().
struct EvaluationTimes {
  double sample_ms = 0;
  std::optional<double> skin_ms;  // kCpu
};

/// What the last frame prepared writes, without what it holds.
struct SkinningCounters {
  uint64_t skinned_vertices = 0, palette_bytes = 0, skinned_bytes = 0;
};

class Skinning {
 public:
  /// `device` and `models` must outlive it.
  static Result<Skinning> create(const Device& device, std::span<const Model> models, const SkinningInfo& info);

  /// Makes room for what a cast updates, and sets ranges() of all of it.
  Status prepare(const vulkan::Frame& frame, const VisibleSet& visible_set);
  std::span<const SkinnedRange> ranges() const { return ranges_; }

  /// Writes what is updated of the cast prepared: palettes, and vertices where the CPU skins.
  EvaluationTimes evaluate(const VisibleSet& visible_set);

  /// Records the compute pass, if that is the way. `info.timestamps` receives what vulkan::RecordInfo says.
  void record(VkCommandBuffer cmd, const vulkan::RecordInfo& info);

  /// Fills the device's vertices that this frame updates with what is no number, so that one that is not written shows.
  void record_poison(VkCommandBuffer cmd) const;

  Status reload_kernel(std::span<const uint32_t> spirv);
  vulkan::MeshBuffer mesh_buffer(uint32_t mesh) const;  // PosedBatch::mesh; not with kCpu
  SkinningCounters counters() const { return counters_; }
  /// Of the device, for meshes, palettes, skinned vertices and lists of work, room to grow included.
  uint64_t device_bytes() const;
  SkinningMode mode() const { return info_.mode; }
  AsyncCompute async() const { return info_.async; }

 private:
  /// An update group's own, until it is updated again.
  struct Group {
    std::vector<Pages> pages;  // palettes with kVertex, vertices with kCpu; as many as slots, taken in turn
    uint32_t turn = 0;
    std::vector<PaletteLine> cpu_palettes;  // kCpu
    std::vector<SkinnedRange> ranges;       // `batch` and `palette_page` counted within the group
  };
  Skinning() = default;
  Status create_skinner();
  Status update_group(const vulkan::Frame& frame, const VisibleSet& visible_set, uint32_t group);
  Status fit_own_pages(uint32_t index, std::span<const PosedBatch> batches);
  void set_compute_ranges(uint32_t index);
  void set_own_ranges(Group& group, std::span<const PosedBatch> batches);
  void show_group(const UpdateGroup& of_set, const Group& group);
  void count(const VisibleSet& visible_set);
  void skin_range(const SkinnedRange& range, const PosedBatch& batch);

  const Device* device_ = nullptr;
  std::span<const Model> models_;
  SkinningInfo info_;
  std::vector<SkinnedRange> ranges_;
  SkinningCounters counters_;
  std::optional<vulkan::Skinner> skinner_;  // kCompute, and kVertex for its static meshes
  std::vector<vulkan::MeshId> meshes_;      // of each level of each model
  std::vector<Group> groups_;
  std::vector<Vec3> positions_, normals_;
};

}  // namespace sinew::app
