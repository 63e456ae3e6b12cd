// The skinning kernel: which variants there are, which of them a mesh needs, and their pipelines. A variant is built
// when the first mesh needs it, on any thread.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "device_table.h"
#include "shared/skinning.h"
#include "sinew/experimental/kernel.h"
#include "sinew/vulkan/skinner.h"

namespace sinew::vulkan::internal {

/// KernelTuning with every default resolved, and the format of the skinned vertices: what all variants of a skinner
/// have in common.
struct KernelChoice {
  uint32_t workgroup_size = 0, instances_per_thread = 0, min_workgroups = 1, many_workgroups = 1;
  bool texel_palettes = false, snorm_instruction = false, by_influences = false, tangents = false;
  bool staged_stores = false;
  experimental::KernelPart part = experimental::KernelPart::kAll;
  VertexFormat format = VertexFormat::kOctahedral;

  /// Of one skinned vertex.
  uint32_t vertex_bytes() const { return uint32_t(format) + (tangents ? uint32_t(sizeof(uint32_t)) : 0); }
  /// Of a workgroup.
  uint64_t shared_bytes() const;
};

/// The host's tuning within the device's limits. Zeros become the values that measured best.
KernelChoice choose_kernel(const SkinnerInfo& info, const experimental::KernelTuning& tuning, const DeviceTable& table);

/// The kernel has several variants. Each skins vertices with at most so many influences; 0: any number. There are as
/// many variants again with morph targets, as many as all these again for dual quaternions, and again for rigid
/// palettes.
inline constexpr std::array<uint32_t, 6> kKernelInfluences = {1, 2, 3, 4, shared::kMaxFixedInfluences, 0};
inline constexpr uint32_t kInfluenceVariants = uint32_t(kKernelInfluences.size());
inline constexpr uint32_t kKernelCount = 8 * kInfluenceVariants;

/// A kernel variant; its index in Kernels or a ChunkTable.
struct KernelVariant {
  uint32_t influences = 0;  // index in kKernelInfluences
  bool morphs = false, dual_quaternions = false, rigid = false;

  constexpr uint32_t index() const {
    return influences + kInfluenceVariants * (uint32_t(morphs) + 2 * uint32_t(dual_quaternions) + 4 * uint32_t(rigid));
  }
};
constexpr KernelVariant kernel_variant(uint32_t index) {
  const uint32_t options = index / kInfluenceVariants;
  return {index % kInfluenceVariants, (options & 1) != 0, (options & 2) != 0, (options & 4) != 0};
}

/// The variant of each vertex of a mesh. `rigid`: all palettes of the mesh are. Influences whose weight rounds to 0
/// count too.
std::vector<uint8_t> kernels_of(const Mesh& mesh, const KernelChoice& choice, bool rigid);

/// The variant that can skin the vertices of both, of one mesh.
uint32_t merged_kernel(uint32_t a, uint32_t b);

/// The chunks of a mesh that one kernel variant skins, adjacent in the mesh page. Elements are 16 bytes, from the
/// page's start.
struct KernelChunks {
  uint32_t first_element = 0, count = 0;
};
/// By kernel variant.
using ChunkTable = std::array<KernelChunks, kKernelCount>;

/// Behind the variants the helpers that write palettes again: for dual quaternions, and for compact palettes.
inline constexpr uint32_t kConverterIndex = kKernelCount, kExpanderIndex = kKernelCount + 1;
inline constexpr uint32_t kPipelineCount = kKernelCount + 2;

/// The pipelines that a mesh needs, by index.
using NeededKernels = std::bitset<kPipelineCount>;
NeededKernels kernels_for(const ChunkTable& chunks, bool dual_quaternions, bool compact);

/// Freed with the last that holds it: the skinner, prepared meshes, frames in flight.
using SharedPipeline = std::shared_ptr<const Owned<VkPipeline>>;

/// The pipelines that were needed so far. build() may run on several threads, beside all other calls; of these one at a
/// time. None waits for another that compiles.
class Kernels {
 public:
  using Pipelines = std::array<SharedPipeline, kPipelineCount>;
  /// SPIR-V in place of the built-in kernel; null: the built-in one. Never changed.
  using Replacement = std::shared_ptr<const std::vector<uint32_t>>;
  /// The pipelines of a mesh. All that it needs are there.
  struct Built {
    NeededKernels needed;
    Pipelines pipelines;
    Replacement source;  // what the variants were built from
  };

  /// `table` must outlive the kernels and what they build, `layout` and `cache` the kernels.
  Kernels(const DeviceTable& table, const KernelChoice& choice, VkPipelineLayout layout, VkPipelineCache cache)
      : table_(&table), choice_(choice), layout_(layout), cache_(cache) {}
  Kernels(const Kernels&) = delete;

  /// Builds what is needed and not there yet. On any thread.
  Result<Built> build(const NeededKernels& needed);
  /// Builds the pipelines again if reload() has replaced the kernel since.
  Status renew(Built& built);
  /// From now on variant(), converter() and expander() have them.
  void add(const Built& built);
  /// Builds all variants that were added again, from `spirv`, and later ones too. Returns the old pipelines: frames in
  /// flight may still use them. Fails with kInvalidData where `spirv` has no SPIR-V header; checks nothing else of it.
  Result<Pipelines> reload(std::span<const uint32_t> spirv);

  VkPipeline variant(uint32_t index) const { return added_[index]->get(); }
  VkPipeline converter() const { return added_[kConverterIndex]->get(); }
  VkPipeline expander() const { return added_[kExpanderIndex]->get(); }

 private:
  Built find(const NeededKernels& needed);
  void share(Built& built);
  Status build_missing(Built& built) const;
  Status build_variants(std::span<const uint32_t> spirv, const NeededKernels& wanted, Pipelines& into) const;
  Status build_helper(std::span<const uint32_t> spirv, const char* name, SharedPipeline& into) const;
  Result<SharedPipeline> build_pipeline(VkShaderModule module, const KernelVariant& variant,
                                        const std::string& name) const;

  const DeviceTable* table_;
  KernelChoice choice_;
  VkPipelineLayout layout_;
  VkPipelineCache cache_;
  Pipelines added_;  // only of calls that run one at a time

  std::mutex mutex_;    // of what follows; held for a walk over the pipelines, never while one is built or destroyed
  Replacement source_;  // changed by reload() alone
  std::array<std::weak_ptr<const Owned<VkPipeline>>, kPipelineCount> known_;  // from source_: added, or of a Built
};

}  // namespace sinew::vulkan::internal
