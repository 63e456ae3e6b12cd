#include "job_list.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "asset/for_each.h"

namespace sinew::vulkan::internal {

using sinew::internal::Pieces;
namespace {

constexpr uint32_t kMaxWorkgroupsPerJob =
    8;  // in x, of threads with all their instances: they divide the instances of a job
constexpr uint32_t kMinPerPiece = 4096;  // of jobs, for threads
constexpr uint32_t kManyInstances = 4;   // of a thread: more need many_workgroups

/// How often the instances of a source are divided into jobs.
uint32_t steps_of(const JobSource& source, uint32_t max_per_job) {
  return (source.instance_count + max_per_job - 1) / max_per_job;
}

std::bitset<kKernelCount> kernels_of(const ChunkTable& chunks) {
  std::bitset<kKernelCount> kernels;
  for (uint32_t kernel = 0; kernel < kKernelCount; ++kernel) kernels[kernel] = chunks[kernel].count != 0;
  return kernels;
}

/// The combinations of pages, and that of each source.
void find_pages(std::span<const JobSource> sources, JobList& list) {
  list.pages.clear(), list.pages_of_source.clear();
  const ChunkTable* chunks = nullptr;  // of the last source, and their kernels
  std::bitset<kKernelCount> kernels;
  for (const JobSource& source : sources) {
    // From the back: there are few combinations, and most sources have the pages of the source before.
    const auto found = std::find_if(list.pages.rbegin(), list.pages.rend(),
                                    [&](const JobList::Pages& known) { return known.pages == source.pages; });
    const size_t index =
        found != list.pages.rend() ? size_t(std::distance(found, list.pages.rend())) - 1 : list.pages.size();
    if (index == list.pages.size()) list.pages.push_back({source.pages});
    list.pages[index].instances += source.instance_count;
    list.pages[index].vertices += uint64_t{source.instance_count} * source.vertex_count;
    ++list.pages[index].source_count;
    if (std::exchange(chunks, source.chunks) != source.chunks) kernels = kernels_of(*chunks);
    list.pages[index].kernels[source.borrowed] |= kernels;
    list.pages_of_source.push_back(uint32_t(index));
  }
}

/// Stable counting sort.
void sort_by_pages(JobList& list) {
  uint32_t next = 0;
  for (JobList::Pages& pages : list.pages) {
    pages.first_source = next;
    next += std::exchange(pages.source_count, 0);
  }
  list.sources.resize(next);
  for (uint32_t s = 0; s < next; ++s) {
    JobList::Pages& pages = list.pages[list.pages_of_source[s]];
    list.sources[pages.first_source + pages.source_count++] = s;
  }
}

/// Appends the jobs of one kernel variant with one combination of pages, of sources with or without borrowed palettes.
void list_dispatches(std::span<const JobSource> sources, const JobLimits& limits, uint32_t pages, uint32_t kernel,
                     bool borrowed, JobList& list) {
  bool open = false;
  const JobList::Pages& own = list.pages[pages];
  for (const uint32_t s : std::span(list.sources).subspan(own.first_source, own.source_count)) {
    const JobSource& source = sources[s];
    if (source.borrowed != borrowed) continue;
    const uint32_t max_per_job = instances_per_job(limits, list.instances_per_thread);
    size_t jobs = size_t{steps_of(source, max_per_job)} * (*source.chunks)[kernel].count;
    if (jobs == 0) continue;
    list.runs.push_back({s, kernel, list.job_count});
    const uint32_t instances = std::min(max_per_job, source.instance_count);
    const uint32_t workgroups_x = (instances + list.instances_per_thread - 1) / list.instances_per_thread;
    for (uint32_t taken = 0; jobs > 0; jobs -= taken, list.job_count += taken) {
      if (!open || list.dispatches.back().workgroups_y == limits.max_workgroups_y)
        list.dispatches.push_back({pages, kernel, uint32_t(list.job_count), 0, 0, list.instances_per_thread});
      open = true;
      Dispatch& dispatch = list.dispatches.back();
      taken = uint32_t(std::min<size_t>(jobs, limits.max_workgroups_y - dispatch.workgroups_y));
      dispatch.workgroups_x = std::max(dispatch.workgroups_x, workgroups_x);
      dispatch.workgroups_y += taken;
    }
  }
}

/// Writes jobs of a run; `begin` is the number of its jobs before them.
void write_run(const JobSource& source, const KernelChunks& chunks, uint32_t max_per_job, size_t begin,
               std::span<shared::SkinJob> jobs) {
  uint32_t first = uint32_t(begin / chunks.count) * max_per_job, chunk = uint32_t(begin % chunks.count);
  for (shared::SkinJob& job : jobs) {
    job = {chunks.first_element + chunk * shared::kChunkElements, source.first_row + first * source.row_stride,
           source.first_word + first * source.word_stride, std::min(max_per_job, source.instance_count - first)};
    if (++chunk < chunks.count) continue;
    chunk = 0, first += max_per_job;
  }
}

/// The workgroups of all sources, counted up to `enough`.
uint64_t count_workgroups(std::span<const JobSource> sources, uint32_t instances_per_thread, uint64_t enough) {
  uint64_t workgroups = 0;
  for (const JobSource& source : sources) {
    uint64_t chunks = 0;
    for (const KernelChunks& of_kernel : *source.chunks) chunks += of_kernel.count;
    workgroups += chunks * ((uint64_t{source.instance_count} + instances_per_thread - 1) / instances_per_thread);
    if (workgroups >= enough) break;
  }
  return workgroups;
}

uint32_t choose_instances_per_thread(std::span<const JobSource> sources, const JobLimits& limits) {
  uint32_t instances = limits.instances_per_thread;
  const auto are_enough = [&] {
    const uint32_t enough = instances > kManyInstances ? limits.many_workgroups : limits.min_workgroups;
    return count_workgroups(sources, instances, enough) >= enough;
  };
  while (instances > 1 && !are_enough()) instances /= 2;
  return instances;
}

}  // namespace

uint32_t instances_per_job(const JobLimits& limits, uint32_t instances_per_thread) {
  const uint32_t workgroups = kMaxWorkgroupsPerJob * (limits.instances_per_thread / instances_per_thread);
  return instances_per_thread * std::min(workgroups, limits.max_workgroups_x);
}

void list_jobs(std::span<const JobSource> sources, const JobLimits& limits, JobList& list) {
  find_pages(sources, list);
  sort_by_pages(list);
  list.dispatches.clear(), list.runs.clear(), list.job_count = 0;
  list.instances_per_thread = choose_instances_per_thread(sources, limits);
  for (uint32_t pages = 0; pages < list.pages.size(); ++pages) {
    for (const bool borrowed : {false, true}) {
      const auto kernels = list.pages[pages].kernels[borrowed];
      for (uint32_t kernel = 0; kernel < kKernelCount; ++kernel) {
        if (kernels[kernel]) list_dispatches(sources, limits, pages, kernel, borrowed, list);
      }
    }
  }
}

void write_jobs(std::span<const JobSource> sources, const JobLimits& limits, const JobList& list,
                std::span<shared::SkinJob> jobs, const ParallelFor& parallel_for) {
  const Pieces pieces(uint32_t(list.job_count), kMinPerPiece);
  const uint32_t max_per_job = instances_per_job(limits, list.instances_per_thread);
  for_each_index(parallel_for, pieces.count(), [&](uint32_t piece) {
    const size_t begin = pieces.begin(piece), end = pieces.end(piece);
    auto run = std::upper_bound(list.runs.begin(), list.runs.end(), begin,
                                [](size_t job, const JobRun& r) { return job < r.first_job; });
    for (--run; run != list.runs.end() && run->first_job < end; ++run) {
      const size_t after = run + 1 != list.runs.end() ? run[1].first_job : list.job_count;
      const size_t from = std::max(begin, run->first_job), to = std::min(end, after);
      const JobSource& source = sources[run->source];
      write_run(source, (*source.chunks)[run->kernel], max_per_job, from - run->first_job,
                jobs.subspan(from, to - from));
    }
  });
}

}  // namespace sinew::vulkan::internal
