// EXPERIMENTAL: may change or go in any version. A SkinnedCrowd with parts of the host's own in place of the library's:
// another way of skinning, another evaluator. For comparisons, tests and tools.
#pragma once

#include <cstdint>
#include <span>

#include "sinew/animation/evaluator.h"
#include "sinew/api.h"
#include "sinew/asset/mesh.h"
#include "sinew/asset/parallel.h"
#include "sinew/asset/result.h"
#include "sinew/runtime/skinned_crowd.h"
#include "sinew/vulkan/skinner.h"

namespace sinew::vulkan::experimental {

/// A mesh that a backend gets: a level of detail of a model, or of what its instances wear.
struct BackendMesh {
  const Mesh* mesh = nullptr;
  uint32_t model = 0, level = 0;
  uint32_t wearable = kNoWearable;
  uint32_t palette_size = 0;
  const char* name = "";
  Box box;  // of all its poses, see Skinner::add_mesh()
  PaletteKind palettes;
};

/// What skins a crowd in place of a Skinner, such as the vertex shaders of a host, or the CPU. Each frame:
/// begin_frame(), prepare() for the groups that are updated, skin(), record().
class SkinningBackend {
 public:
  virtual ~SkinningBackend() = default;

  /// Whether batches may read palettes of others, see SkinnerBatch::palettes_of. A crowd whose backend says no leaves
  /// out what instances wear.
  virtual bool borrows_palettes() const { return false; }

  /// Called in create_crowd(), and for models that are added. Returns the id that batches name.
  virtual Result<MeshId> add_mesh(const BackendMesh& mesh) = 0;

  /// Of the mesh's static data, for the memory budget.
  virtual VkDeviceSize mesh_bytes(MeshId) const { return 0; }

  /// The mesh of a model that was removed. Frames in flight may draw it.
  virtual void remove_mesh(MeshId) {}

  virtual Status begin_frame(const SkinnerFrame& frame) = 0;

  /// Makes room for the poses of an update group, as Skinner::prepare() does.
  virtual Status prepare(uint32_t group, std::span<const SkinnerBatch> batches, const ParallelFor& parallel_for) = 0;

  /// Where the poses of a group lie, with room for palettes and weights. A backend that writes no vertices leaves their
  /// buffer null. Valid until the next successful prepare() of the group.
  virtual std::span<const InstanceRange> ranges(uint32_t group) const = 0;

  /// All poses of a group are written, except those of the host: crowd::Instances::host_posed. Called for each group
  /// that was prepared in this frame.
  virtual void skin(uint32_t) {}

  virtual void record(VkCommandBuffer cmd, const RecordInfo& info) = 0;

  /// What was recorded last will not be submitted: see SkinnedCrowd::discard_frame(). All groups are prepared next.
  virtual Status discard_frame() { return {}; }
};

/// Writes the palettes and the weights of a range in place of the crowd's evaluators; one playback for each instance of
/// the range. `level` says which palette, see Model::skin(). It writes neither sockets nor what the host poses.
struct PoseWriter {
  Status (*write)(void* user_data, uint32_t model, uint32_t level, std::span<const Playback> playbacks,
                  const InstanceRange& range) = nullptr;
  void* user_data = nullptr;
};

/// The parts in place of those of the library. What they point to must outlive the crowd.
struct CrowdParts {
  SkinningBackend* backend = nullptr;
  /// Of the backend's: how many frames' palettes and vertices it keeps at a time, for the memory budget.
  uint32_t kept_palettes = 0, kept_vertices = 0;
  /// Models need no bake and no bounds then; without bounds nothing of them is culled.
  PoseWriter poses = {};
};

/// SkinnedCrowd::create() with other parts. With a backend it makes no skinner: SkinnedCrowd::skinner() is empty.
SINEW_API Result<SkinnedCrowd> create_crowd(const SkinnerInfo& info, std::span<const SharedModel> models,
                                            const CrowdOptions& options, const CrowdParts& parts);

/// reload_kernel() of the crowd's skinner.
SINEW_API Status reload_kernel(SkinnedCrowd& crowd, std::span<const uint32_t> spirv);

}  // namespace sinew::vulkan::experimental
