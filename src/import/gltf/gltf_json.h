// Changes of a file's JSON where tinygltf would refuse it.
#pragma once

#include <cstdint>
#include <vector>

namespace sinew::internal {

/// The same file, glTF or GLB, as tinygltf reads it. Fallback buffers of EXT_meshopt_compression, which have no data,
/// get a few bytes. Primitives with KHR_draco_mesh_compression lose their indices, which have no buffer view. `bytes`
/// must have been checked by read_gltf_head().
std::vector<uint8_t> without_empty_accessors(const std::vector<uint8_t>& bytes, bool binary);

}  // namespace sinew::internal
