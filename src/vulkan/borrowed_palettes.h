// Batches without palettes of their own: they read those of another batch, see SkinnerBatch::palettes_of. The other
// batch is here the lender.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "frame_layout.h"
#include "job_list.h"
#include "mesh_store.h"
#include "sinew/vulkan/skinner.h"

namespace sinew::vulkan::internal {

/// Whether batch `index` may borrow palettes as it says. `call` is for the message. Its mesh is there.
Status check_borrowed(const char* call, std::span<const SkinnerBatch> batches, size_t index, const MeshStore& meshes);

/// The slices of a lender, and of each its source in the list of all.
struct LenderSlices {
  std::span<const PageSlice> slices;
  std::span<const uint32_t> sources;
};

/// Appends to `sources` those of a slice of `batch`, which is checked: one for instances whose palettes follow each
/// other with the stride of the mesh, else one for each instance. `whole` is the source of the slice, without palettes.
void append_borrowed(const SkinnerBatch& batch, const PageSlice& slice, const JobSource& whole,
                     const LenderSlices& lender, std::vector<JobSource>& sources);

}  // namespace sinew::vulkan::internal
