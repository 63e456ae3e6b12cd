// The static mesh as the kernel reads it, see shaders/shared/skinning.h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "job_list.h"
#include "sinew/asset/mesh.h"

namespace sinew::vulkan {

/// A run of vertices for one workgroup.
struct Chunk {
  uint32_t first_vertex = 0, vertex_count = 0;
  uint32_t kernel = 0;
};

/// Divides the vertices, in their order, into chunks of at most `group_size`. A chunk ends where half a group or more
/// of vertices with another number of influences begins; what is shorter rides along. `by_influences` false: one kernel
/// takes all.
std::vector<Chunk> cut_chunks(const Mesh& mesh, uint32_t workgroup_size, bool by_influences);

/// How a mesh lies in its page. All is known before a word is written.
struct MeshLayout {
  uint32_t vertex_count = 0, influence_quads = 0;
  std::vector<Chunk> chunks;  // by kernel, then by vertex
  bool tangents = false;

  /// What hosts may read themselves: vertices and influences.
  uint64_t vertex_bytes() const { return uint64_t{vertex_count} * (1 + influence_quads) * 16; }
  /// Where tangents begin.
  uint64_t tangents_offset() const {
    return vertex_bytes() + (shared::kBoxElements + shared::kChunkElements * uint64_t{chunks.size()}) * 16;
  }
  uint64_t size_bytes() const { return tangents_offset() + (tangents ? (uint64_t{vertex_count} + 3) / 4 * 16 : 0); }
};

/// `choice.tangents` only where the mesh has them.
MeshLayout lay_out_mesh(const Mesh& mesh, const KernelChoice& choice);

/// What the kernel needs to know of a mesh besides.
struct MeshFacts {
  uint32_t first_element = 0;   // where in the page it will lie, in 16 bytes
  uint32_t palette_stride = 0;  // matrices
  Box box;                      // of 12-byte output
};

/// Writes layout.size_bytes() / 4 words, once each. `mesh` is valid, so that entries fit 16 bits.
void write_mesh_data(const Mesh& mesh, const MeshLayout& layout, const MeshFacts& facts, std::span<uint32_t> words);

/// Where write_mesh_data() puts each kernel's chunks.
ChunkTable chunk_table(const MeshLayout& layout, uint32_t first_element);

/// Groups of four influences that the heaviest vertex needs.
uint32_t influence_quads(const Mesh& mesh);

/// The weights in 65,535ths, adding to exactly that: rounded by largest remainder, the heavier first among equals.
/// `units` holds as many as `influences`, which are heaviest first; the units descend too.
void quantize_weights(std::span<const Influence> influences, std::vector<uint32_t>& units);

}  // namespace sinew::vulkan
