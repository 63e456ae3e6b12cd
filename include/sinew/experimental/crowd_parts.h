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

/// A range of the skinned meshes of a frame, and where its posed meshes are in the plan.
struct PlacedRange {
  uint32_t group = 0;       // in crowd::Plan::groups
  uint32_t batch = 0;       // in crowd::Plan::batches
  uint32_t mesh = 0;        // as in BackendBatch
  uint32_t first_mesh = 0;  // in crowd::Plan::posed_meshes
  const InstanceRange* range = nullptr;
};

/// A mesh that a backend gets: a level of detail of a model, or of what its instances wear.
struct BackendMesh {
  uint32_t number = 0;  // from 0, in the order of add_mesh(); those of meshes that were removed come again
  const Mesh* mesh = nullptr;
  uint32_t model = 0, level = 0;
  uint32_t wearable = kNoWearable;
  uint32_t palette_size = 0;
  const char* name = "";
  Box box;  // of all its poses, see Skinner::add_mesh()
  PaletteKind palettes;
};

/// Instances of one mesh.
struct BackendBatch {
  uint32_t mesh = 0;  // BackendMesh::number
  uint32_t instance_count = 0;
  uint32_t palettes_of = kOwnPalettes;  // these two as in SkinnerBatch
  std::span<const uint32_t> instances = {};
};

/// What skins a crowd in place of a Skinner, such as the vertex shaders of a host, or the CPU. Each frame:
/// begin_frame(), prepare() for the groups that are updated, skin(), record().
class SkinningBackend {
 public:
  virtual ~SkinningBackend() = default;

  /// Whether batches may read palettes of others, see SkinnerBatch::palettes_of. A crowd whose backend says no leaves
  /// out what instances wear.
  virtual bool borrows_palettes() const { return false; }

  /// Called in create_crowd(), and for models that are added. Returns the bytes of the mesh's static data, which count
  /// in the memory budget.
  virtual Result<VkDeviceSize> add_mesh(const BackendMesh& mesh) = 0;

  /// The mesh of a model that was removed. Frames in flight may draw it.
  virtual void remove_mesh(uint32_t) {}

  virtual Status begin_frame(const SkinnerFrame& frame) = 0;

  /// Makes room for the poses of an update group, as Skinner::prepare() does.
  virtual Status prepare(uint32_t group, std::span<const BackendBatch> batches, const ParallelFor& parallel_for) = 0;

  /// Where the poses of a group lie, with room for palettes and weights. A backend that writes no vertices leaves their
  /// buffer null. Valid until the next successful prepare() of the group.
  virtual std::span<const InstanceRange> ranges(uint32_t group) const = 0;

  /// All poses of the frame are written, except those of the host: crowd::Instances::host_posed. `updated` are the
  /// ranges that were prepared in this frame.
  virtual void skin(std::span<const PlacedRange> updated) = 0;

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
