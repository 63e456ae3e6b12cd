// The static mesh as the kernel reads it, see shaders/shared/skinning.h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/mesh.h"

namespace sinew::vulkan {

/// Groups of four influences that the heaviest vertex needs.
uint32_t influence_groups(const Mesh& mesh);

/// Bytes of the whole.
uint64_t mesh_data_bytes(const Mesh& mesh);

/// Writes mesh_data_bytes() / 4 words, once each. `mesh` is valid, so that entries fit 16 bits.
void write_mesh_data(const Mesh& mesh, std::span<uint32_t> words);

/// The weights in 65,535ths, adding to exactly that: rounded by largest remainder, the heavier first among equals.
/// `units` holds as many as `influences`, which are heaviest first; the units descend too.
void quantize_weights(std::span<const Influence> influences, std::vector<uint32_t>& units);

}  // namespace sinew::vulkan
