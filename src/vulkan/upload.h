// Static meshes: their place on the device, and the copy that fills it.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "buffer.h"
#include "sinew/mesh.h"

namespace sinew::vulkan {

inline constexpr uint64_t kNever = std::numeric_limits<uint64_t>::max();

struct StaticMesh {
  std::string name;
  Buffer data;
  Buffer staging;  // empty once the copy has completed
  uint32_t vertex_count = 0, palette_size = 0, influence_groups = 0;
  uint64_t uploaded_frame = kNever;  // the frame that recorded the copy
  uint64_t removed_frame = kNever;   // the last frame that may use the mesh, once it was removed
};

/// Makes the buffers and fills the staging one. `mesh` is valid.
Result<StaticMesh> stage_mesh(BufferAllocator& allocator, const Mesh& mesh, const std::string& name);

void record_copy(const DeviceTable& table, VkCommandBuffer cmd, const StaticMesh& mesh);

}  // namespace sinew::vulkan
