// Changes of a file's JSON where tinygltf would refuse it, or lose something.
#pragma once

#include <cstdint>
#include <vector>

#include "lost_features.h"

namespace sinew::internal {

/// The same file, glTF or GLB, as tinygltf reads it. Fallback buffers of EXT_meshopt_compression, which have no data,
/// get a few bytes. Primitives with KHR_draco_mesh_compression lose their indices, which have no buffer view. Channels
/// of KHR_animation_pointer become channels of nodes. A plus in a URI stays a plus. `bytes` must have been checked by
/// read_gltf_head().
std::vector<uint8_t> readable_by_parser(const std::vector<uint8_t>& bytes, bool binary, LostFeatures& lost);

}  // namespace sinew::internal
