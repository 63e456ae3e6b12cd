#include "job_list.h"

#include <algorithm>
#include <iterator>

namespace sinew::vulkan::internal {
namespace {

constexpr uint32_t kMaxWorkgroupsPerJob = 8;  // in x: they divide the instances of a job

/// Appends the jobs of one kernel variant with one combination of pages.
class DispatchWriter {
 public:
  DispatchWriter(JobList& list, const JobLimits& limits, uint32_t pages, uint32_t kernel)
      : list_(list), limits_(limits), pages_(pages), kernel_(kernel) {}

  void add(const shared::SkinJob& job) {
    if (!open_ || list_.dispatches.back().workgroups_y == limits_.max_workgroups_y) {
      list_.dispatches.push_back({pages_, kernel_, uint32_t(list_.jobs.size()), 0, 0});
      open_ = true;
    }
    Dispatch& dispatch = list_.dispatches.back();
    const uint32_t workgroups = (job.instance_count + limits_.instances_per_thread - 1) / limits_.instances_per_thread;
    dispatch.workgroups_x = std::max(dispatch.workgroups_x, workgroups);
    ++dispatch.workgroups_y;
    list_.jobs.push_back(job);
  }

 private:
  JobList& list_;
  const JobLimits& limits_;
  uint32_t pages_, kernel_;
  bool open_ = false;
};

void add_jobs(const JobSource& source, const KernelChunks& chunks, uint32_t max_per_job, DispatchWriter& writer) {
  for (uint32_t first = 0, count = 0; first < source.instance_count; first += count) {
    count = std::min(max_per_job, source.instance_count - first);
    for (uint32_t c = 0; c < chunks.count; ++c) {
      writer.add({chunks.first_element + c * shared::kChunkElements, source.first_row + first * source.row_stride,
                  source.first_word + first * source.word_stride, count});
    }
  }
}

/// For each combination of pages its sources, in their order. Fills list.pages.
std::vector<std::vector<const JobSource*>> sort_by_pages(std::span<const JobSource> sources, JobList& list) {
  std::vector<std::vector<const JobSource*>> sorted;
  for (const JobSource& source : sources) {
    // From the back: there are few combinations, and most sources have the pages of the source before.
    const auto found = std::find_if(list.pages.rbegin(), list.pages.rend(),
                                    [&](const JobList::Pages& known) { return known.pages == source.pages; });
    const size_t index =
        found != list.pages.rend() ? size_t(std::distance(found, list.pages.rend())) - 1 : list.pages.size();
    if (index == list.pages.size()) list.pages.push_back({source.pages}), sorted.emplace_back();
    list.pages[index].instances += source.instance_count;
    list.pages[index].vertices += uint64_t{source.instance_count} * source.vertex_count;
    sorted[index].push_back(&source);
  }
  return sorted;
}

}  // namespace

uint32_t instances_per_job(const JobLimits& limits) {
  return limits.instances_per_thread * std::min(kMaxWorkgroupsPerJob, limits.max_workgroups_x);
}

JobList list_jobs(std::span<const JobSource> sources, const JobLimits& limits) {
  JobList list;
  const auto by_pages = sort_by_pages(sources, list);
  for (uint32_t pages = 0; pages < by_pages.size(); ++pages) {
    for (uint32_t kernel = 0; kernel < kKernelCount; ++kernel) {
      DispatchWriter writer(list, limits, pages, kernel);
      for (const JobSource* source : by_pages[pages]) {
        add_jobs(*source, (*source->chunks)[kernel], instances_per_job(limits), writer);
      }
    }
  }
  return list;
}

}  // namespace sinew::vulkan::internal
