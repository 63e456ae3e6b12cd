// From the instances of a scene to vertices that can be drawn, by a SkinnedCrowd of the library. To compare it, the
// crowd can also be skinned in the vertex shader, or on the CPU.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gpu/frame_slots.h"
#include "scene/model.h"
#include "sinew/runtime/skinned_crowd.h"
#include "skinning/evaluation.h"
#include "skinning/page_backend.h"

namespace sinew::app {

/// The ways of skinning. The value of the option; skinning.cpp maps it to a strategy. Code that depends on it asks
/// SkinningProperties.
enum class SkinningMode : uint8_t { kCompute, kVertex, kCpu };

const char* name_of(SkinningMode mode);

struct SkinningInfo {
  Evaluation* evaluation = nullptr;  // must outlive the skinning
  SkinningMode mode = SkinningMode::kCompute;
  uint32_t frames_in_flight = 2;
  AsyncCompute async = AsyncCompute::kNone;  // where compute is recorded: for a submission of its own
  vulkan::VertexFormat format = vulkan::VertexFormat::kOctahedral;  // another one: kCompute only
  bool tangents = false;                                            // write tangents: kCompute only
  bool compact_palettes = false;     // 16 bytes a joint: kCompute only, of models that can_be_compact()
  bool pulls_vertices = false;       // draws read vertices from storage buffers
  uint32_t max_pulled_vertices = 0;  // those of meshes with at most so many do in any case; kCompute only
  crowd::PlanOptions planner = {};   // previous_poses: kCompute only
};

/// What the rest of the program must know of a way of skinning. Depends on SkinningInfo only.
struct SkinningProperties {
  bool vertex_shader_skins = false;  // draws read palettes and static meshes; there are no skinned vertices
  bool records_compute = false;      // the device skins before it draws
  vulkan::VertexFormat format = vulkan::VertexFormat::kOctahedral;
  bool tangents = false;  // one follows each vertex
};

SkinningProperties properties_of(const SkinningInfo& info);

/// What the last frame writes, where posed meshes that are not updated do not count; and what one pass draws.
struct SkinningCounters {
  uint64_t skinned_vertices = 0, palette_bytes = 0, skinned_bytes = 0;
  uint64_t triangles = 0;
  PageCopies copies;                       // of the last record(): of pages that the device would read over the bus
  uint64_t dispatches = 0;                 // of compute shaders, in the last record()
  uint64_t mesh_bytes = 0, job_bytes = 0;  // what these read besides palettes
};

/// Whether some models have normal maps, and all of these tangents.
bool have_tangents(std::span<const Model> models);

/// The box of VertexFormat::kPacked: around all poses of a level of a model whose bounds are measured; else empty.
Box box_of_positions(const Model& model, uint32_t level);

/// Whether the crowd evaluator can write CompactMatrix for a model: it is baked, and no joint scales.
bool can_be_compact(const Model& model);

/// A range of skinned meshes.
struct GroupRange {
  uint32_t group = 0;  // update group
  const InstanceRange* range = nullptr;
};

/// One call at a time.
class Skinning {
 public:
  /// `device`, `models` and `info.evaluation` must outlive it. VertexFormat::kPacked needs the bounds of all models.
  static Result<Skinning> create(const Device& device, std::span<const Model> models, const SkinningInfo& info);

  /// Plans a frame and writes what it updates: palettes, and vertices where the CPU skins. Sets the times of these
  /// stages. May allocate.
  Status update(const vulkan::CrowdFrame& frame, const crowd::Instances& instances, const crowd::View& view,
                FrameTimes& times);
  void record(VkCommandBuffer cmd, const vulkan::RecordInfo& info);
  /// For a frame that was recorded, and is not submitted.
  Status discard_frame() { return crowd_.discard_frame(); }

  const vulkan::SkinnedCrowd& crowd() const { return crowd_; }  // to pick, and to place joints
  const crowd::Plan& plan() const { return crowd_.plan(); }
  crowd::Planner& planner() { return crowd_.planner(); }
  const crowd::Planner& planner() const { return crowd_.planner(); }
  /// These are valid until the next update().
  std::span<const vulkan::Draw> draws() const { return crowd_.draws(); }
  std::span<const crowd::DrawCommand> commands() const { return crowd_.commands(); }
  /// The skinned meshes of an update group, those of a group that is not updated too.
  std::span<const InstanceRange> ranges(uint32_t group) const {
    return backend_ ? backend_->ranges(group) : crowd_.skinner().ranges(group);
  }
  /// Those of all groups.
  std::vector<GroupRange> all_ranges() const;
  /// Of a range of a group: its batch of the plan, and its first posed mesh.
  const crowd::PosedBatch& batch_of(uint32_t group, const InstanceRange& range) const {
    return plan().batches[plan().groups[group].first_batch + range.batch];
  }
  uint32_t first_mesh_of(uint32_t group, const InstanceRange& range) const {
    return batch_of(group, range).first_mesh + range.first_instance;
  }
  /// Where the posed mesh of each of instances() begins, for vertex shaders: see SkinnedCrowd::write_first_vertices();
  /// where the vertex shader skins, its first palette entry, in the page of palettes.
  void write_first_elements(std::span<uint32_t> out) const;
  /// All that are drawn, once for each mesh: see SkinnedCrowd::instances().
  std::span<const uint32_t> instances() const { return crowd_.instances(); }

  uint32_t max_pulled_vertices() const { return info_.max_pulled_vertices; }  // as SkinningInfo has it
  Result<vulkan::MeshStreams> make_streams() const { return crowd_.make_streams(); }
  Status reload_kernel(std::span<const uint32_t> spirv);
  /// What the vertex shader reads of a mesh, and a page of palettes as texels; null where it does not skin.
  vulkan::MeshBuffer static_mesh(uint32_t mesh) const;
  VkBufferView texels_of(VkBuffer page) const { return backend_ ? backend_->texels_of(page) : VK_NULL_HANDLE; }

  /// Device memory for meshes, palettes, skinned vertices and job lists, in bytes, with room to grow.
  uint64_t device_bytes() const;
  SkinningCounters counters() const;
  const SkinningProperties& properties() const { return properties_; }
  SkinningMode mode() const { return info_.mode; }  // for reports
  AsyncCompute async() const { return info_.async; }
  bool compact_palettes() const { return info_.compact_palettes; }
  bool is_exact() const { return info_.evaluation->kind() == EvaluatorKind::kExact; }
  /// Replaces the factors of a mask of a model, numbered as in Layer::mask.
  Status set_mask(uint32_t model, uint32_t mask, std::span<const float> factors);
  /// Morph weights of all instances of a model in place of those that they play, from the next update() on. kCompute
  /// only.
  void set_weights(uint32_t model, const WeightOverrides& weights) { weights_[model] = weights; }

 private:
  Skinning() = default;
  Result<vulkan::SkinnedCrowd> create_crowd(const vulkan::SkinnerInfo& info, std::span<const SharedModel> models,
                                            const vulkan::CrowdOptions& options);
  Error budget_error() const;
  void write_weights();

  SkinningInfo info_;
  SkinningProperties properties_;
  std::unique_ptr<PageBackend> backend_;  // null where the library skins
  vulkan::SkinnedCrowd crowd_;
  std::vector<WeightOverrides> weights_;  // of each model
};

}  // namespace sinew::app
