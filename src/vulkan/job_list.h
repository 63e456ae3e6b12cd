// The GPU work of a frame as a job list: one chunk of a mesh, for some instances. Arithmetic only.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels.h"
#include "shared/skinning.h"
#include "sinew/asset/parallel.h"
#include "sinew/vulkan/skinner.h"

namespace sinew::vulkan::internal {

struct MeshPage;

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
  bool borrowed = false;                     // see SkinnerBatch::palettes_of; most of these have few instances
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
    // The kernel variants that have work: of palettes of a batch's own, of borrowed ones.
    std::array<std::bitset<kKernelCount>, 2> kernels = {};
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
  uint32_t many_workgroups = 1;       // likewise; fewer only where each thread has at most four instances
};

/// The maximum number of instances in one job. It hardly depends on the instances of a thread, so that the job list
/// keeps its size where a crowd that changes gets other ones.
uint32_t instances_per_job(const JobLimits& limits, uint32_t instances_per_thread);

/// Lists the jobs and dispatches of all sources. Threads take fewer instances, by halves, until there are enough
/// workgroups to fill the device. A dispatch takes some instances at a time, and for these instances
/// chunk after chunk: the next read of a palette or chunk finds it in the caches. One dispatch for each combination of
/// pages and kernel variant that has work, another one for borrowed palettes: a dispatch has as many workgroups for
/// each job as its largest one needs. More where max_workgroups_y is exceeded.
void list_jobs(std::span<const JobSource> sources, const JobLimits& limits, JobList& list);

/// Writes the jobs of a list of the same sources and limits. `jobs` has JobList::job_count elements. It is never read,
/// so it may be mapped memory.
void write_jobs(std::span<const JobSource> sources, const JobLimits& limits, const JobList& list,
                std::span<shared::SkinJob> jobs, const ParallelFor& parallel_for);

}  // namespace sinew::vulkan::internal
