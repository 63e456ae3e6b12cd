// A writer of compressed glTF: a plain GLB's copy with KHR_mesh_quantization, EXT_meshopt_compression or
// KHR_draco_mesh_compression.
#pragma once

#include <string>
#include <string_view>

namespace sinew::test {

enum class Compression {
  kQuantized,        // 16-bit positions and weights, 8-bit normals
  kMeshopt,          // the same, compressed
  kDracoSequential,  // 14-bit positions, 12-bit weights, 10-bit normals; keeps the order of vertices
  kDraco             // Draco's edgebreaker: the same precision, another order; without morph targets
};

/// The bytes of a GLB without textures. Every mesh of `glb` must be skinned, with float positions and one primitive
/// that has indices. Throws std::exception for other files.
std::string compressed_file(std::string_view glb, Compression compression);

}  // namespace sinew::test
