#include "mesh_data.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cfloat>
#include <cstring>
#include <iterator>
#include <utility>

#include "asset/kernel_entries.h"
#include "shared/skinning.h"
#include "sinew/asset/skinned_vertex.h"

namespace sinew::vulkan::internal {
namespace {

constexpr uint32_t kWeightUnits = 65535;
constexpr uint32_t kRowsPerMatrix = 3;
static_assert(shared::kInfluencesPerQuad == kWordsPerElement);

void write_bound_vertex(const Mesh& mesh, uint32_t vertex, uint32_t* words) {
  const Vec3 position = mesh.positions[vertex];
  words[0] = std::bit_cast<uint32_t>(position.x);
  words[1] = std::bit_cast<uint32_t>(position.y);
  words[2] = std::bit_cast<uint32_t>(position.z);
  words[3] = encode_normal(normalize(mesh.normals[vertex]));
}

/// The number of consecutive vertices from `first` on for the same kernel variant, counted up to `enough`.
uint32_t same_kernel_count(std::span<const uint8_t> kernels, uint32_t first, uint32_t enough) {
  uint32_t length = 1;
  while (length < enough && first + length < kernels.size() && kernels[first + length] == kernels[first]) ++length;
  return length;
}

uint32_t entry_of(uint32_t influence) { return influence & 0xffff; }

/// The influences of a vertex as the kernel reads them: entry and weight of each, those that round to 0 left out, and
/// padding. `units` keeps its memory from one vertex to the next.
void pack_influences(const Mesh& mesh, uint32_t vertex, uint32_t padded_count, std::vector<uint32_t>& units,
                     std::vector<uint32_t>& packed) {
  const auto influences = mesh.influences_of(vertex);
  quantize_weights(influences, units);
  packed.clear();
  for (size_t i = 0; i < units.size() && units[i] != 0; ++i) packed.push_back(influences[i].entry | units[i] << 16);
  sinew::internal::sort_for_kernel(mesh.blend, std::span(packed), entry_of);
  // Padding repeats the first entry: the kernel reads the entry's matrix, and an unused matrix may hold NaN.
  packed.resize(padded_count, entry_of(packed[0]));
}

void write_vertices(const Mesh& mesh, const MeshLayout& layout, std::span<uint32_t> words) {
  const uint32_t padded_count = layout.influence_quads * shared::kInfluencesPerQuad;
  std::vector<uint32_t> units, packed;
  for (uint32_t v = 0; v < layout.vertex_count; ++v) {
    write_bound_vertex(mesh, v, &words[size_t{v} * kWordsPerElement]);
    pack_influences(mesh, v, padded_count, units, packed);
    for (uint32_t i = 0; i < padded_count; ++i) {
      const size_t element = size_t{1 + i / shared::kInfluencesPerQuad} * layout.vertex_count + v;
      words[element * kWordsPerElement + i % shared::kInfluencesPerQuad] = packed[i];
    }
  }
}

/// The kernel divides by the extent: it is at least FLT_MIN.
void write_box(const Box& box, std::span<uint32_t> words) {
  const Vec3 extent = box.high - box.low;
  const float values[] = {box.low.x, box.low.y, box.low.z, 0, extent.x, extent.y, extent.z, 0};
  for (size_t i = 0; i < std::size(values); ++i) {
    words[i] = std::bit_cast<uint32_t>(i < kWordsPerElement ? values[i] : std::max(values[i], FLT_MIN));
  }
}

void write_chunk(const Chunk& chunk, const MeshLayout& layout, const MeshPlacement& facts, std::span<uint32_t> words) {
  const uint32_t box = facts.first_element + uint32_t(layout.static_vertex_bytes() / 16);
  const uint32_t tangents = facts.first_element + uint32_t(layout.tangents_offset() / 16);
  const shared::SkinChunk skin_chunk{
      .first_element = facts.first_element + chunk.first_vertex,
      .chunk_vertices = chunk.vertex_count,
      .mesh_vertices = layout.vertex_count,
      .influence_quads = layout.influence_quads,
      .first_vertex = chunk.first_vertex,
      .palette_stride = facts.palette_stride * kRowsPerMatrix,
      .box_element = box,
      .first_tangent = tangents * kWordsPerElement + chunk.first_vertex,
      .morph_blocks = layout.morphs.first_element,
      .weights_row = facts.weights_row,
      .morph_tangents = (facts.first_element + layout.morphs.tangents_element) * kWordsPerElement,
      .first_difference = layout.morphs.first_difference};
  static_assert(sizeof skin_chunk == shared::kChunkElements * 16);
  std::memcpy(words.data(), &skin_chunk, sizeof skin_chunk);
}

/// Four tangents in an element; the last element is filled up with zeros.
void write_tangents(const Mesh& mesh, std::span<uint32_t> words) {
  for (size_t v = 0; v < words.size(); ++v) words[v] = v < mesh.tangents.size() ? encode_tangent(mesh.tangents[v]) : 0;
}

}  // namespace

uint32_t influence_quads(const Mesh& mesh) {
  return (max_influences(mesh) + shared::kInfluencesPerQuad - 1) / shared::kInfluencesPerQuad;
}

std::vector<Chunk> cut_chunks(const Mesh& mesh, const KernelChoice& choice, bool rigid) {
  const std::vector<uint8_t> kernels = kernels_of(mesh, choice, rigid);
  std::vector<Chunk> chunks;
  const uint32_t workgroup_size = choice.workgroup_size, min_chunk = std::max(workgroup_size / 2, 1u);
  for (uint32_t v = 0; v < kernels.size(); ++v) {
    const bool kernel_changes = v > 0 && kernels[v] != kernels[v - 1];
    const bool full = !chunks.empty() && chunks.back().vertex_count == workgroup_size;
    if (chunks.empty() || full || (kernel_changes && same_kernel_count(kernels, v, min_chunk) == min_chunk)) {
      chunks.push_back({v, 0, kernels[v]});
    }
    ++chunks.back().vertex_count;
    chunks.back().kernel = merged_kernel(chunks.back().kernel, kernels[v]);
  }
  return chunks;
}

MeshLayout lay_out_mesh(const Mesh& mesh, const KernelChoice& choice, bool rigid) {
  MeshLayout layout{mesh.vertex_count(), influence_quads(mesh), cut_chunks(mesh, choice, rigid), choice.tangents, {}};
  std::ranges::stable_sort(layout.chunks, [](const Chunk& a, const Chunk& b) { return a.kernel < b.kernel; });
  layout.morphs = lay_out_morphs(mesh, uint32_t(layout.morphs_offset() / 16), choice.tangents);
  return layout;
}

void write_mesh_data(const Mesh& mesh, const MeshLayout& layout, const MeshPlacement& facts,
                     std::span<uint32_t> words) {
  assert(words.size_bytes() == layout.size_bytes());
  write_vertices(mesh, layout, words);
  if (layout.tangents) {
    const uint64_t size_bytes = layout.morphs_offset() - layout.tangents_offset();
    write_tangents(mesh, words.subspan(layout.tangents_offset() / sizeof(uint32_t), size_bytes / sizeof(uint32_t)));
  }
  if (!layout.morphs.blocks.empty()) {
    write_morphs(mesh, layout.morphs, words.subspan(layout.morphs_offset() / sizeof(uint32_t)));
  }
  write_box(facts.box, words.subspan(layout.static_vertex_bytes() / sizeof(uint32_t)));
  write_chunks(layout, facts, words);
}

void write_chunks(const MeshLayout& layout, const MeshPlacement& facts, std::span<uint32_t> words) {
  words = words.subspan(layout.static_vertex_bytes() / sizeof(uint32_t) + shared::kBoxElements * kWordsPerElement);
  for (size_t c = 0; c < layout.chunks.size(); ++c) {
    write_chunk(layout.chunks[c], layout, facts, words.subspan(c * shared::kChunkElements * kWordsPerElement));
  }
}

ChunkTable chunk_table(const MeshLayout& layout, uint32_t first_element) {
  ChunkTable table;
  uint32_t element = first_element + uint32_t(layout.static_vertex_bytes() / 16) + shared::kBoxElements;
  for (const Chunk& chunk : layout.chunks) {
    KernelChunks& kernel_chunks = table[chunk.kernel];
    if (kernel_chunks.count++ == 0) kernel_chunks.first_element = element;
    element += shared::kChunkElements;
  }
  return table;
}

void quantize_weights(std::span<const Influence> influences, std::vector<uint32_t>& units) {
  double sum = 0;
  for (const Influence& influence : influences) sum += influence.weight;
  const auto exact = [&](size_t i) { return influences[i].weight / sum * kWeightUnits; };

  units.resize(influences.size());
  uint32_t assigned = 0;
  for (size_t i = 0; i < units.size(); ++i) assigned += units[i] = uint32_t(exact(i));
  if (assigned == kWeightUnits) return;
  std::vector<std::pair<double, size_t>> by_remainder(units.size());  // negated, so that the largest come first
  for (size_t i = 0; i < units.size(); ++i) by_remainder[i] = {units[i] - exact(i), i};
  std::sort(by_remainder.begin(), by_remainder.end());
  for (size_t i = 0; assigned < kWeightUnits; ++assigned, ++i) ++units[by_remainder[i].second];
}

}  // namespace sinew::vulkan::internal
