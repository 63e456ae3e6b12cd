// The morph targets of a mesh in the layout that the kernel reads: see shaders/shared/skinning.h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "shared/skinning.h"
#include "sinew/asset/mesh.h"
#include "sinew/asset/skin.h"

namespace sinew::vulkan::internal {

/// What the kernel reads at once: four words.
constexpr uint32_t kWordsPerElement = 4, kElementBytes = 16;

/// Blocks and refs as they are stored, and the size of the rest. Elements are counted from the start of the mesh. Empty
/// without morph targets.
struct MorphLayout {
  uint32_t first_element = 0;  // of the blocks
  std::vector<shared::MorphBlock> blocks;
  std::vector<shared::MorphRef> refs;
  uint32_t first_difference = 0, difference_count = 0;
  uint32_t tangents_element = 0, end_element = 0;  // equal without tangents
};

/// `first_element` is where the data of morph targets begins. Its size in elements must fit 32 bits.
MorphLayout lay_out_morphs(const Mesh& mesh, uint32_t first_element, bool tangents);

/// The number of differences of all targets together.
uint64_t count_differences(const Mesh& mesh);

/// Writes the elements [first_element, end_element), each word once, and reads none.
void write_morphs(const Mesh& mesh, const MorphLayout& layout, std::span<uint32_t> words);

/// The row of 16-byte vectors in which an instance's weights begin, counted from its palette.
constexpr uint32_t weights_row(uint32_t palette_size) { return uint32_t(palette_stride(palette_size)) * 3; }

/// Three numbers of at most 2, to 1/511 of the next power of 1/4 above them.
uint32_t pack_difference(Vec3 difference);

}  // namespace sinew::vulkan::internal
