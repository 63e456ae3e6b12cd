// From poses to vertices that can be drawn, in one of three ways: the library's compute pass, the vertex shader, or the
// CPU. All three end as ranges of instances that the draw pass reads alike.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "evaluation.h"
#include "pages.h"
#include "scene.h"
#include "sinew/skinned_vertex.h"
#include "sinew/vulkan.h"

namespace sinew::app {

enum class SkinningMode : uint8_t { kCompute, kVertex, kCpu };

const char* name_of(SkinningMode mode);

struct SkinningInfo {
  Evaluation* evaluation = nullptr;  // must outlive the skinning
  SkinningMode mode = SkinningMode::kCompute;
  uint32_t slots = 2;
  bool validate = false;            // vertices can be poisoned before they are skinned
  bool plant_wrong_weight = false;  // the device gets one wrong weight: a check that --validate sees it
};

/// Instances of one batch that are drawn from one place. Valid until the next prepare().
struct SkinnedRange {
  uint32_t batch = 0;           // in Scene::batches
  uint32_t first_instance = 0;  // of the batch
  uint32_t instance_count = 0;
  uint32_t vertex_count = 0, palette_stride = 0;

  std::span<Matrix3x4> palettes;             // instance_count * palette_stride
  VkBuffer palette_buffer = VK_NULL_HANDLE;  // kVertex
  VkDeviceSize palette_offset = 0;

  VkBuffer vertices = VK_NULL_HANDLE;  // SkinnedVertex[instance_count][vertex_count]; none with kVertex
  VkDeviceSize vertices_offset = 0;
  std::span<SkinnedVertex> mapped_vertices;  // kCpu

  VkDeviceSize vertices_bytes() const { return VkDeviceSize(instance_count) * vertex_count * sizeof(SkinnedVertex); }
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

/// What one frame writes.
struct SkinningCounters {
  uint64_t skinned_vertices = 0, palette_bytes = 0, skinned_bytes = 0;
};

class Skinning {
 public:
  /// `models` and `scene` must outlive it.
  static Result<Skinning> create(const Device& device, std::span<const Model> models, const Scene& scene,
                                 const SkinningInfo& info);

  /// Makes room in the frame's slot and sets ranges().
  Status prepare(const vulkan::Frame& frame);
  std::span<const SkinnedRange> ranges() const { return ranges_; }

  /// Writes what ranges() hold at a moment: palettes, and vertices where the CPU skins.
  EvaluationTimes evaluate(double seconds);

  /// Records the compute pass, if that is the way. `info.timestamps` receives what vulkan::RecordInfo says.
  void record(VkCommandBuffer cmd, const vulkan::RecordInfo& info);

  /// Fills the device's vertices with what is no number, so that one that is not written shows.
  void record_poison(VkCommandBuffer cmd) const;

  Status reload_kernel(std::span<const uint32_t> spirv);
  vulkan::MeshBuffer mesh_buffer(uint32_t model) const;  // not with kCpu
  SkinningCounters counters() const;
  SkinningMode mode() const { return info_.mode; }

 private:
  Skinning() = default;
  Status create_skinner(const Device& device);
  Status create_own_pages(const Device& device);
  void set_compute_ranges();
  void set_own_ranges(uint32_t slot);
  void evaluate_palettes(const SkinnedRange& range, double seconds);
  void skin_range(const SkinnedRange& range);

  std::span<const Model> models_;
  const Scene* scene_ = nullptr;
  SkinningInfo info_;
  std::vector<SkinnedRange> ranges_;
  std::optional<vulkan::Skinner> skinner_;  // kCompute, and kVertex for its static meshes
  std::vector<vulkan::MeshId> meshes_;      // of each model
  std::vector<Pages> pages_;                // of each slot: palettes with kVertex, vertices with kCpu
  std::vector<PaletteLine> cpu_palettes_;   // kCpu
  std::vector<Vec3> positions_, normals_;
};

}  // namespace sinew::app
