#include "palette_memory.h"

#include <algorithm>
#include <cstring>

#include "asset/for_each.h"
#include "sinew/asset/compact_matrix.h"
#include "sinew/asset/skin.h"

namespace sinew::vulkan::internal {

using sinew::internal::Pieces;
namespace {

constexpr int kPoisonByte = 0xff;
constexpr uint32_t kMinFilled = 256;  // of instances, for threads

size_t entry_bytes(const PlacedSlice& slice) { return slice.compact ? sizeof(CompactMatrix) : sizeof(Matrix3x4); }

/// Where the weights of an instance begin, from its palette.
size_t weights_offset(const PlacedSlice& slice) {
  const uint64_t entries =
      slice.compact ? compact_palette_stride(slice.palette_size) : palette_stride(slice.palette_size);
  return size_t(entries) * entry_bytes(slice);
}

std::byte* instance_memory(const PlacedSlice& slice, uint32_t instance) {
  return static_cast<std::byte*>(slice.mapped_palettes) + size_t{instance} * slice.palette_stride * entry_bytes(slice);
}

template <class Matrix>
void fill(const PlacedSlice& slice, const Matrix& identity, const ParallelFor& parallel_for) {
  const size_t weights = weights_offset(slice), bytes = slice.palette_stride * sizeof(Matrix);
  const Pieces pieces(slice.instance_count, kMinFilled);
  for_each_index(pieces.count() > 1 ? parallel_for : ParallelFor(), pieces.count(), [&](uint32_t piece) {
    for (uint32_t i = pieces.begin(piece); i < pieces.end(piece); ++i) {
      std::byte* const memory = instance_memory(slice, i);
      std::fill_n(reinterpret_cast<Matrix*>(memory), weights / sizeof(Matrix), identity);
      std::memset(memory + weights, 0, bytes - weights);
    }
  });
}

bool is_poison(const std::byte* memory, size_t size_bytes) {
  return std::all_of(memory, memory + size_bytes, [](std::byte byte) { return byte == std::byte(kPoisonByte); });
}

/// Whether the first or the last of `count` elements is poison.
bool has_poison(const std::byte* memory, uint32_t count, size_t element_bytes) {
  if (count == 0) return false;
  return is_poison(memory, element_bytes) || is_poison(memory + (count - 1) * element_bytes, element_bytes);
}

bool lacks_palette(const PlacedSlice& slice, uint32_t instance) {
  return has_poison(instance_memory(slice, instance), slice.palette_size, entry_bytes(slice));
}

bool lacks_weights(const PlacedSlice& slice, uint32_t instance) {
  return has_poison(instance_memory(slice, instance) + weights_offset(slice), slice.target_count, sizeof(float));
}

}  // namespace

void fill_with_bind_pose(const PlacedSlice& slice, const ParallelFor& parallel_for) {
  if (slice.compact) return fill(slice, compact(Matrix3x4()), parallel_for);
  fill(slice, Matrix3x4(), parallel_for);
}

void poison(const PlacedSlice& slice) { std::memset(slice.mapped_palettes, kPoisonByte, slice.palettes.size_bytes); }

std::optional<Unwritten> find_unwritten(const PlacedSlice& slice) {
  if (slice.borrowed) return std::nullopt;
  const auto lacks = [&](uint32_t i) { return lacks_palette(slice, i) || lacks_weights(slice, i); };
  uint32_t first = 0;
  while (first < slice.instance_count && !lacks(first)) ++first;
  if (first == slice.instance_count) return std::nullopt;
  uint32_t end = first + 1;
  while (end < slice.instance_count && lacks(end)) ++end;
  return Unwritten{slice.first_instance + first, end - first, !lacks_palette(slice, first)};
}

}  // namespace sinew::vulkan::internal
