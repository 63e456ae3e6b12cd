// The GPU work of a frame as a job list: one chunk of a mesh, for some instances. Arithmetic only.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "shared/skinning.h"
#include "sinew/asset/parallel.h"
#include "sinew/vulkan/skinner.h"

namespace sinew::vulkan::internal {

struct MeshPage;

/// KernelTuning with every default resolved, and the format of the skinned vertices.
struct KernelChoice {
  uint32_t workgroup_size = 0, instances_per_thread = 0, min_workgroups = 1;
  bool texel_palettes = false, snorm_instruction = false, by_influences = false, tangents = false;
  // Whether there are kernel variants for them.
  bool morph_targets = false, dual_quaternions = false, rigid_palettes = false;
  bool compact_palettes = false;  // whether they can be expanded
  VertexFormat format = VertexFormat::kOctahedral;

  /// Of one skinned vertex.
  uint32_t vertex_bytes() const { return uint32_t(format) + (tangents ? uint32_t(sizeof(uint32_t)) : 0); }
};

/// The kernel has several variants. Each skins vertices with at most so many influences; 0: any number. There are as
/// many variants again with morph targets, as many as all these again for dual quaternions, and again for rigid
/// palettes.
inline constexpr std::array<uint32_t, 6> kKernelInfluences = {1, 2, 3, 4, shared::kMaxFixedInfluences, 0};
inline constexpr uint32_t kInfluenceVariants = uint32_t(kKernelInfluences.size());
inline constexpr uint32_t kKernelCount = 8 * kInfluenceVariants;

/// A kernel variant; its index in a Kernels or ChunkTable.
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

/// The chunks of a mesh that one kernel variant skins, adjacent in the mesh page. Elements are 16 bytes, from the
/// page's start.
struct KernelChunks {
  uint32_t first_element = 0, count = 0;
};
/// By kernel variant.
using ChunkTable = std::array<KernelChunks, kKernelCount>;

/// The pages that a dispatch reads and writes. Each combination of pages has one descriptor set.
struct PageCombination {
  const MeshPage* meshes = nullptr;
  uint32_t palettes = 0, vertices = 0;

  friend bool operator==(const PageCombination&, const PageCombination&) = default;
};

/// A page slice, as list_jobs() needs it.
struct JobSource {
  PageCombination pages;
  const ChunkTable* chunks = nullptr;
  uint32_t instance_count = 0, vertex_count = 0;
  uint32_t first_row = 0, row_stride = 0;    // palettes, in vec4: of the first instance, to the next instance
  uint32_t first_word = 0, word_stride = 0;  // output, in 32-bit words: likewise
};

/// Workgroups in y are jobs. Workgroups in x divide a job's instances: instances_per_thread for each.
struct Dispatch {
  uint32_t pages = 0;   // index in JobList::pages
  uint32_t kernel = 0;  // index of a KernelVariant
  uint32_t first_job = 0, workgroups_x = 0, workgroups_y = 0, instances_per_thread = 1;
};

/// The jobs of one source and one kernel variant: for some instances at a time, chunk after chunk.
struct JobRun {
  uint32_t source = 0, kernel = 0;
  size_t first_job = 0;
};

/// The number and the order of all jobs; write_jobs() writes the jobs themselves. The lists keep their memory when
/// list_jobs() replaces them.
struct JobList {
  struct Pages {
    PageCombination pages;
    uint64_t instances = 0, vertices = 0;         // to skin with these pages
    uint32_t first_source = 0, source_count = 0;  // in JobList::sources
  };
  std::vector<Pages> pages;
  std::vector<Dispatch> dispatches;  // dispatches with the same pages are adjacent
  std::vector<JobRun> runs;          // in the order of their jobs
  size_t job_count = 0;
  uint32_t instances_per_thread = 1;
  std::vector<uint32_t> pages_of_source;  // index in `pages`
  std::vector<uint32_t> sources;          // by pages, then in their order
};

/// Limits of the device, and of the kernel's instances per thread.
struct JobLimits {
  uint32_t max_workgroups_x = 0, max_workgroups_y = 0;
  uint32_t instances_per_thread = 1;  // at most
  uint32_t min_workgroups = 1;        // fewer only where each thread has one instance
};

/// The maximum number of instances in one job. It hardly depends on the instances of a thread, so that the job list
/// keeps its size where a crowd that changes gets other ones.
uint32_t instances_per_job(const JobLimits& limits, uint32_t instances_per_thread);

/// Lists the jobs and dispatches of all sources. Threads take fewer instances, by halves, until there are enough
/// workgroups to fill the device. A dispatch takes some instances at a time, and for these instances
/// chunk after chunk: the next read of a palette or chunk finds it in the caches. One dispatch for each combination of
/// pages and kernel variant that has work; more where max_workgroups_y is exceeded.
void list_jobs(std::span<const JobSource> sources, const JobLimits& limits, JobList& list);

/// Writes the jobs of a list of the same sources and limits. `jobs` has JobList::job_count elements. It is never read,
/// so it may be mapped memory.
void write_jobs(std::span<const JobSource> sources, const JobLimits& limits, const JobList& list,
                std::span<shared::SkinJob> jobs, const ParallelFor& parallel_for);

}  // namespace sinew::vulkan::internal
