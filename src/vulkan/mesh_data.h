// The static data of a mesh in the layout that the kernel reads: see shaders/shared/skinning.h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels.h"
#include "morph_data.h"
#include "sinew/asset/mesh.h"

namespace sinew::vulkan::internal {

/// Consecutive vertices of a mesh that one workgroup skins.
struct Chunk {
  uint32_t first_vertex = 0, vertex_count = 0;
  uint32_t kernel = 0;  // see KernelVariant
};

/// Divides the vertices, in their order, into chunks of at most `workgroup_size`. A new chunk begins where at least
/// half a workgroup of vertices for another kernel variant follows. Fewer vertices stay in the chunk, which gets the
/// variant for more influences, and for morph targets if one of its vertices moves by one.
std::vector<Chunk> cut_chunks(const Mesh& mesh, const KernelChoice& choice, bool rigid = false);

/// Sizes and offsets of a mesh's static data, in bytes from its start. Known before anything is written.
struct MeshLayout {
  uint32_t vertex_count = 0, influence_quads = 0;
  std::vector<Chunk> chunks;  // ordered by kernel, then by vertex
  bool tangents = false;
  MorphLayout morphs;

  /// Vertices and influences, with which the data begins.
  uint64_t static_vertex_bytes() const { return uint64_t{vertex_count} * (1 + influence_quads) * 16; }
  uint64_t tangents_offset() const {
    return static_vertex_bytes() + (shared::kBoxElements + shared::kChunkElements * uint64_t{chunks.size()}) * 16;
  }
  uint64_t morphs_offset() const { return tangents_offset() + (tangents ? align_up(vertex_count, 4) * 4 : 0); }
  uint64_t size_bytes() const { return morphs_offset() + uint64_t{morphs.end_element - morphs.first_element} * 16; }
};

/// `choice.tangents` requires that the mesh has tangents. `rigid`: all palettes of the mesh are.
MeshLayout lay_out_mesh(const Mesh& mesh, const KernelChoice& choice, bool rigid = false);

/// What the kernel needs besides the mesh.
struct MeshPlacement {
  uint32_t first_element = 0;   // where the data begins in its page, in elements of 16 bytes
  uint32_t palette_stride = 0;  // matrices, with the morph weights
  uint32_t weights_row = 0;     // of the morph weights, from the start of a palette
  Box box;                      // for VertexFormat::kPacked
};

/// Writes layout.size_bytes() / 4 words, each once, and reads none: `words` may be mapped memory. `mesh` must be valid;
/// palette entries then fit in 16 bits.
void write_mesh_data(const Mesh& mesh, const MeshLayout& layout, const MeshPlacement& facts, std::span<uint32_t> words);

/// Writes the part of the data that depends on first_element again: `placement` may name another.
void write_chunks(const MeshLayout& layout, const MeshPlacement& placement, std::span<uint32_t> words);

/// Where write_mesh_data() puts the chunks of each kernel variant. `first_element` as in MeshPlacement.
ChunkTable chunk_table(const MeshLayout& layout, uint32_t first_element);

/// How many quads (four influences) the vertex with the most influences needs.
uint32_t influence_quads(const Mesh& mesh);

/// Quantizes weights to 65,535ths whose sum is exactly 65,535, by the largest remainder method; of equal remainders the
/// heavier influence is rounded up first. `influences` must be sorted by descending weight. `units` becomes as long
/// as `influences`, and descends too.
void quantize_weights(std::span<const Influence> influences, std::vector<uint32_t>& units);

}  // namespace sinew::vulkan::internal
