// Static meshes: what is prepared of them, their allocation on the device, and the copy that fills it.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "buffer.h"
#include "kernels.h"
#include "mesh_data.h"
#include "mesh_pages.h"
#include "sinew/asset/mesh.h"

namespace sinew::vulkan::internal {

/// A frame number that no frame reaches.
inline constexpr uint64_t kNever = std::numeric_limits<uint64_t>::max();

struct StaticMesh {
  std::string name;
  MeshAllocation data;
  Buffer staging;  // empty once the copy has completed
  ChunkTable chunks;
  uint32_t vertex_count = 0, palette_size = 0, influence_quads = 0;
  uint32_t target_count = 0, palette_stride = 0;  // of the targets that are skinned; matrices
  uint32_t morph_blocks = 0;                      // see SkinChunk; 0 without targets
  bool dual_quaternions = false;                  // its palettes are converted
  PaletteFormat palettes = PaletteFormat::kMatrices;
  std::optional<float> compact_scale;  // of compact palettes; nothing: they are matrices
  uint64_t uploaded_frame = kNever;    // the frame that recorded the copy
  uint64_t removed_frame = kNever;     // after remove_mesh(): the last frame that may use the mesh
};

/// A mesh in the layout of the device, before it has a place there, and the kernels that it needs.
struct PackedMesh {
  std::shared_ptr<const DeviceTable> table;  // of the skinner that packed it. Kept: the kernels may outlive the skinner
  std::string name;                          // may be empty
  uint32_t palette_size = 0, target_count = 0;  // targets that are skinned
  bool dual_quaternions = false;
  PaletteKind palettes;
  MeshLayout layout;
  MeshPlacement placement;      // without first_element
  std::vector<uint32_t> words;  // see write_mesh_data()
  Kernels::Built kernels;
};

/// From one instance's palette to the next. Compact palettes and the matrices that they become have the same stride,
/// each in elements of its own.
constexpr uint64_t stride_of(uint32_t palette_size, uint32_t target_count, bool compact) {
  return compact ? compact_palette_stride(palette_size, target_count) : palette_stride(palette_size, target_count);
}

/// Allocates the mesh on the device and fills a staging buffer. Of `mesh` it changes only what depends on the place.
Result<StaticMesh> stage_mesh(BufferAllocator& allocator, MeshPages& pages, PackedMesh& mesh, const std::string& name);

/// Records the copy from the staging buffer into the mesh page, without barriers.
void record_copy(const DeviceTable& table, VkCommandBuffer cmd, const StaticMesh& mesh);

}  // namespace sinew::vulkan::internal
