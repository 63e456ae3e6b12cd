// Buffer views that are compressed with EXT_meshopt_compression.
#pragma once

#include <cstdint>
#include <vector>

namespace tinygltf {
class Model;
}

namespace sinew::internal {

/// The same file, glTF or GLB, with a few bytes in place of each fallback buffer: such a buffer is only a place for
/// uncompressed data, and the parser refuses one without a uri. `bytes` must have been checked by read_gltf_head().
std::vector<uint8_t> without_fallback_buffers(const std::vector<uint8_t>& bytes, bool binary);

/// Decodes the compressed buffer views of a model. They then refer to new buffers. Throws ImportFailure.
void decode_meshopt(tinygltf::Model& model);

}  // namespace sinew::internal
