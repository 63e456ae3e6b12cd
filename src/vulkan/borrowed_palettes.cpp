#include "borrowed_palettes.h"

#include <algorithm>
#include <string>

namespace sinew::vulkan::internal {
namespace {

/// Why a mesh cannot be skinned with the palettes of another one, or null.
const char* misfit(const StaticMesh& mesh, const StaticMesh& lender) {
  if (mesh.palettes != lender.palettes || mesh.compact_scale != lender.compact_scale)
    return "the meshes have palettes of different kinds";
  if (mesh.dual_quaternions != lender.dual_quaternions) return "one mesh is skinned with dual quaternions";
  if (mesh.palette_size > lender.palette_size) return "its mesh has more palette entries";
  return nullptr;
}

/// The instance of the lender whose palette instance `i` reads.
uint32_t lender_of(const SkinnerBatch& batch, uint32_t i) { return batch.instances.empty() ? i : batch.instances[i]; }

/// What is wrong with the instances that a batch names, or nothing.
std::string fault_of_instances(const SkinnerBatch& batch, uint32_t lenders) {
  if (!batch.instances.empty() && batch.instances.size() != batch.instance_count) {
    return "of " + std::to_string(batch.instance_count) + " instances it names " +
           std::to_string(batch.instances.size());
  }
  const auto beyond = std::ranges::find_if(batch.instances, [&](uint32_t instance) { return instance >= lenders; });
  const bool too_many = batch.instances.empty() && batch.instance_count > lenders;
  if (beyond == batch.instances.end() && !too_many) return {};
  return "there is no instance " + std::to_string(too_many ? lenders : *beyond) + " of " + std::to_string(lenders);
}

/// What is wrong with a batch that names a lender, or nothing. A steady frame allocates nothing here.
std::string fault_of(std::span<const SkinnerBatch> batches, size_t index, const MeshStore& meshes) {
  const SkinnerBatch& batch = batches[index];
  if (batch.palettes_of >= index) return "that batch is not before it";
  const SkinnerBatch& lender = batches[batch.palettes_of];
  if (lender.palettes_of != kOwnPalettes) return "that batch has none of its own";
  if (const char* why = misfit(*meshes.find(batch.mesh), *meshes.find(lender.mesh))) return why;
  return fault_of_instances(batch, lender.instance_count);
}

}  // namespace

Status check_borrowed(const char* call, std::span<const SkinnerBatch> batches, size_t index, const MeshStore& meshes) {
  const SkinnerBatch& batch = batches[index];
  const auto own = [&] { return std::string(call) + ": batch " + std::to_string(index); };
  if (batch.palettes_of == kOwnPalettes) {
    return batch.instances.empty() ? Status() : invalid_argument(own() + " names instances, but no other batch");
  }
  const bool has_targets = meshes.find(batch.mesh)->target_count != 0;
  const std::string fault = has_targets ? "its mesh has morph targets" : fault_of(batches, index, meshes);
  if (fault.empty()) return {};
  return Error{has_targets ? ErrorCode::kUnsupported : ErrorCode::kInvalidArgument,
               own() + ", palettes of batch " + std::to_string(batch.palettes_of) + ": " + fault};
}

void append_borrowed(const SkinnerBatch& batch, const PageSlice& slice, const JobSource& whole,
                     const LenderSlices& lender, std::vector<JobSource>& sources) {
  const uint32_t end = slice.first_instance + slice.instance_count;
  for (uint32_t i = slice.first_instance, count = 1; i < end; i += count) {
    const uint32_t instance = lender_of(batch, i);
    const auto after = std::ranges::upper_bound(lender.slices, instance, {}, &PageSlice::first_instance);
    const size_t own = size_t(after - lender.slices.begin()) - 1;
    const JobSource read = sources[lender.sources[own]];
    const uint32_t skipped = instance - lender.slices[own].first_instance;
    const uint32_t most = read.row_stride == whole.row_stride ? read.instance_count - skipped : 1;
    for (count = 1; count < most && i + count < end && lender_of(batch, i + count) == instance + count;) ++count;
    JobSource& source = sources.emplace_back(whole);
    source.pages.palettes = read.pages.palettes;
    source.borrowed = true;
    source.instance_count = count;
    source.first_row = read.first_row + skipped * read.row_stride;
    source.first_word += (i - slice.first_instance) * whole.word_stride;
  }
}

}  // namespace sinew::vulkan::internal
