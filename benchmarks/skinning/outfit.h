// An outfit of three meshes on one palette, against three characters: what it saves.
#pragma once

#include <string>
#include <vector>

#include "gpu/host.h"
#include "workload.h"

namespace sinew::bench {

/// Three batches of each character: a body, and twice a mesh with a quarter of its triangles. Medians.
struct OutfitRow {
  std::string name;
  uint64_t palettes = 0, vertices = 0;  // of a frame
  double evaluate_seconds = 0;          // the crowd evaluator, one thread: of these palettes
  double skin_seconds = 0;              // device time, without uploads
};

/// Measures each row `frames` times, in turn: three characters; an outfit of three meshes, worn by all; the same, of
/// which every third instance wears each mesh, in no order.
Result<std::vector<OutfitRow>> measure_outfits(const app::Device& device, const Workload& workload, uint32_t frames);

void print_outfits(std::span<const OutfitRow> rows);

}  // namespace sinew::bench
