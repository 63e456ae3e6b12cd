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

/// The influences of vertices as the kernel reads them. Keeps its memory from one vertex to the next.
class InfluencePacker {
 public:
  InfluencePacker(const Mesh& mesh, const MeshLayout& layout)
      : mesh_(mesh), layout_(layout), padded_count_(layout.influence_quads * shared::kInfluencesPerQuad) {}

  /// Entry and weight of each, those that round to 0 left out, and padding.
  std::span<uint32_t> pack(uint32_t vertex) {
    const auto influences = mesh_.influences_of(vertex);
    quantize_weights(influences, units_);
    packed_.clear();
    for (size_t i = 0; i < units_.size() && units_[i] != 0; ++i)
      packed_.push_back(influences[i].entry | units_[i] << 16);
    sinew::internal::sort_for_kernel(mesh_.blend, std::span(packed_), entry_of);
    // Padding repeats the first entry: the kernel reads the entry's matrix, and an unused matrix may hold NaN.
    packed_.resize(padded_count_, entry_of(packed_[0]));
    return packed_;
  }
  /// The same with places in `entries`, which has all of them and is ascending. If it is empty, the places mean
  /// nothing.
  std::span<const uint32_t> pack_places(uint32_t vertex, std::span<const uint16_t> entries) {
    for (uint32_t& influence : pack(vertex)) {
      const auto found = std::lower_bound(entries.begin(), entries.end(), entry_of(influence));
      influence = (influence & 0xffff0000u) | uint32_t(found - entries.begin());
    }
    return packed_;
  }
  /// Writes what was packed last into quads, each of all vertices.
  void write(uint32_t vertex, std::span<uint32_t> quads) const {
    for (uint32_t i = 0; i < padded_count_; ++i) {
      const size_t element = size_t{i / shared::kInfluencesPerQuad} * layout_.vertex_count + vertex;
      quads[element * kWordsPerElement + i % shared::kInfluencesPerQuad] = packed_[i];
    }
  }

 private:
  static uint32_t entry_of(uint32_t influence) { return influence & 0xffff; }

  const Mesh& mesh_;
  const MeshLayout& layout_;
  uint32_t padded_count_;
  std::vector<uint32_t> units_, packed_;
};

void write_vertices(const Mesh& mesh, const MeshLayout& layout, std::span<uint32_t> words) {
  InfluencePacker packer(mesh, layout);
  const std::span<uint32_t> quads = words.subspan(size_t{layout.vertex_count} * kWordsPerElement);
  for (uint32_t v = 0; v < layout.vertex_count; ++v) {
    write_bound_vertex(mesh, v, &words[size_t{v} * kWordsPerElement]);
    packer.pack(v);
    packer.write(v, quads);
  }
}

/// The lists of all chunks, and the influences that count in them.
void write_lists(const Mesh& mesh, const MeshLayout& layout, std::span<uint32_t> quads, std::span<uint32_t> lists) {
  InfluencePacker packer(mesh, layout);
  size_t next = 0;
  for (const Chunk& chunk : layout.chunks) {
    for (uint32_t v = chunk.first_vertex; v < chunk.first_vertex + chunk.vertex_count; ++v) {
      packer.pack_places(v, chunk.entries);
      packer.write(v, quads);
    }
    for (const uint16_t entry : chunk.entries) lists[next++] = entry;
  }
  std::fill(lists.begin() + ptrdiff_t(next), lists.end(), 0u);
}

uint64_t listed_entries(const MeshLayout& layout) {
  uint64_t count = 0;
  for (const Chunk& chunk : layout.chunks) count += chunk.entries.size();
  return count;
}

/// The entries of a chunk and of one more vertex.
std::vector<uint16_t> with_entries_of(const Mesh& mesh, uint32_t vertex, const std::vector<uint16_t>& entries) {
  std::vector<uint16_t> all = entries;
  for (const Influence& influence : mesh.influences_of(vertex)) {
    const auto place = std::lower_bound(all.begin(), all.end(), influence.entry);
    if (place == all.end() || *place != influence.entry) all.insert(place, influence.entry);
  }
  return all;
}

/// The kernel divides by the extent: it is at least FLT_MIN.
void write_box(const Box& box, std::span<uint32_t> words) {
  const Vec3 extent = box.high - box.low;
  const float values[] = {box.low.x, box.low.y, box.low.z, 0, extent.x, extent.y, extent.z, 0};
  for (size_t i = 0; i < std::size(values); ++i) {
    words[i] = std::bit_cast<uint32_t>(i < kWordsPerElement ? values[i] : std::max(values[i], FLT_MIN));
  }
}

/// `entries_before` are those of the chunks before it.
void write_chunk(const Chunk& chunk, const MeshLayout& layout, const MeshPlacement& facts, uint32_t entries_before,
                 std::span<uint32_t> words) {
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
      .first_difference = layout.morphs.first_difference,
      .first_listed = facts.first_element + uint32_t(layout.listed_offset() / 16) + chunk.first_vertex,
      .first_entry = (facts.first_element + uint32_t(layout.entries_offset() / 16)) * kWordsPerElement + entries_before,
      .entry_count = uint32_t(chunk.entries.size()),
      .unused = 0};
  static_assert(sizeof skin_chunk == shared::kChunkElements * 16);
  std::memcpy(words.data(), &skin_chunk, sizeof skin_chunk);
}

/// Adds the entries of a vertex to the last chunk. Where they are too many, the vertex begins a chunk, or the chunk
/// gets the variant that needs no list.
void add_entries(const Mesh& mesh, uint32_t vertex, uint32_t kernel, uint32_t max_entries, uint32_t min_chunk,
                 std::vector<Chunk>& chunks) {
  Chunk& last = chunks.back();
  if (has_any_influences(merged_kernel(last.kernel, kernel))) return;
  std::vector<uint16_t> entries = with_entries_of(mesh, vertex, last.entries);
  if (entries.size() <= max_entries) {
    last.entries = std::move(entries);
  } else if (last.vertex_count < min_chunk) {
    last.kernel = any_influences(last.kernel);
  } else {
    chunks.push_back({vertex, 0, kernel, with_entries_of(mesh, vertex, {})});
  }
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
      chunks.push_back({v, 0, kernels[v], {}});
    }
    if (choice.shared_palettes) add_entries(mesh, v, kernels[v], choice.max_entries(), min_chunk, chunks);
    ++chunks.back().vertex_count;
    chunks.back().kernel = merged_kernel(chunks.back().kernel, kernels[v]);
  }
  for (Chunk& chunk : chunks) {
    if (has_any_influences(chunk.kernel)) chunk.entries.clear();
  }
  return chunks;
}

uint64_t MeshLayout::size_bytes() const {
  return entries_offset() + align_up(listed_entries(*this), kWordsPerElement) * sizeof(uint32_t);
}

MeshLayout lay_out_mesh(const Mesh& mesh, const KernelChoice& choice, bool rigid) {
  MeshLayout layout{mesh.vertex_count(),   influence_quads(mesh), cut_chunks(mesh, choice, rigid), choice.tangents, {},
                    choice.shared_palettes};
  std::stable_sort(layout.chunks.begin(), layout.chunks.end(),
                   [](const Chunk& a, const Chunk& b) { return a.kernel < b.kernel; });
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
  if (layout.lists) {
    write_lists(mesh, layout, words.subspan(layout.listed_offset() / sizeof(uint32_t)),
                words.subspan(layout.entries_offset() / sizeof(uint32_t)));
  }
  write_box(facts.box, words.subspan(layout.static_vertex_bytes() / sizeof(uint32_t)));
  write_chunks(layout, facts, words);
}

void write_chunks(const MeshLayout& layout, const MeshPlacement& facts, std::span<uint32_t> words) {
  words = words.subspan(layout.static_vertex_bytes() / sizeof(uint32_t) + shared::kBoxElements * kWordsPerElement);
  uint32_t entries = 0;
  for (size_t c = 0; c < layout.chunks.size(); ++c) {
    write_chunk(layout.chunks[c], layout, facts, entries, words.subspan(c * shared::kChunkElements * kWordsPerElement));
    entries += uint32_t(layout.chunks[c].entries.size());
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
