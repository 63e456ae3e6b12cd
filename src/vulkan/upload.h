// Static meshes: their place on the device, and the copy that fills it.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "buffer.h"
#include "mesh_data.h"
#include "mesh_pages.h"
#include "sinew/asset/mesh.h"

namespace sinew::vulkan {

inline constexpr uint64_t kNever = std::numeric_limits<uint64_t>::max();

struct StaticMesh {
  std::string name;
  MeshAllocation data;
  Buffer staging;  // empty once the copy has completed
  ChunkTable chunks;
  uint32_t vertex_count = 0, palette_size = 0, influence_quads = 0;
  VkDeviceSize vertex_bytes = 0;     // of the data, from its beginning: vertices and influences
  uint64_t uploaded_frame = kNever;  // the frame that recorded the copy
  uint64_t removed_frame = kNever;   // the last frame that may use the mesh, once it was removed
};

/// What becomes of the mesh on the device.
struct MeshInfo {
  std::string name;
  uint32_t palette_size = 0, palette_stride = 0;  // matrices
  Box box;
};

/// Finds a place, and fills the staging buffer. `mesh` is valid and `layout` its own.
Result<StaticMesh> stage_mesh(BufferAllocator& allocator, MeshPages& pages, const Mesh& mesh, const MeshLayout& layout,
                              const MeshInfo& info);

void record_copy(const DeviceTable& table, VkCommandBuffer cmd, const StaticMesh& mesh);

}  // namespace sinew::vulkan
