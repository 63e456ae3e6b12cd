// Layout of jobs. No device is needed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "job_list.h"
#include "mesh_data.h"
#include "threads.h"

namespace sinew::vulkan {

using namespace internal;

namespace {

JobList listed(std::span<const JobSource> sources, const JobLimits& limits) {
  JobList list;
  list_jobs(sources, limits, list);
  return list;
}

std::vector<shared::SkinJob> jobs_of(std::span<const JobSource> sources, const JobLimits& limits, const JobList& list,
                                     const ParallelFor& parallel_for = {}) {
  std::vector<shared::SkinJob> jobs(list.job_count);
  write_jobs(sources, limits, list, jobs, parallel_for);
  return jobs;
}

TEST(Jobs, NeedOneDispatchForEachKernel) {
  const ChunkTable small = {{{10, 1}, {}, {}, {}, {}}}, large = {{{20, 5}, {}, {30, 7}, {}, {44, 1}}};
  std::vector<JobSource> sources;
  for (uint32_t i = 0; i < 50; ++i) sources.push_back({{nullptr, 0, 0}, i % 2 ? &small : &large, 100, 9, i, 3, i, 9});
  const JobList list = listed(sources, {65535, 65535, 8});
  ASSERT_EQ(list.pages.size(), 1u);
  EXPECT_EQ(list.pages[0].instances, 5000u);
  ASSERT_EQ(list.dispatches.size(), 3u);  // one for each kernel that has chunks
  EXPECT_EQ(list.dispatches[0].kernel, 0u);
  EXPECT_EQ(list.dispatches[1].kernel, 2u);
  EXPECT_EQ(list.dispatches[2].kernel, 4u);
  EXPECT_EQ(list.job_count, 25u * 2 * (1 + 5 + 7 + 1));  // 100 instances are two jobs: 64 and 36
}

TEST(Jobs, HaveFewerInstancesForEachThreadUntilTheyFillTheDevice) {
  const ChunkTable chunks = {{{10, 3}, {}, {}, {}, {50, 2}}};
  const JobSource source{{nullptr, 0, 0}, &chunks, 100, 9, 1000, 3, 500, 9};
  // 100 instances by 8 are 13 workgroups of 5 chunks, by 4 are 25, by 2 are 50.
  struct Case {
    uint32_t least, many, instances;  // JobLimits::min_workgroups, many_workgroups; instances of a thread
  };
  for (const Case& of : {Case{65, 65, 8}, Case{66, 66, 4}, Case{125, 125, 4}, Case{126, 126, 2}, Case{251, 251, 1},
                         Case{99999, 99999, 1}, Case{1, 66, 4}, Case{125, 9999, 4}, Case{126, 9999, 2}}) {
    const JobList list = listed({&source, 1}, {.max_workgroups_x = 65535,
                                               .max_workgroups_y = 65535,
                                               .instances_per_thread = 8,
                                               .min_workgroups = of.least,
                                               .many_workgroups = of.many});
    EXPECT_EQ(list.instances_per_thread, of.instances) << of.least << ", " << of.many;
    for (const Dispatch& dispatch : list.dispatches) EXPECT_EQ(dispatch.instances_per_thread, of.instances);
  }
}

/// Counts how often the workgroups of all dispatches reach each chunk of each instance.
TEST(Jobs, ReachEveryChunkOfEveryInstanceOnceWithinTheLimits) {
  const ChunkTable chunks = {{{10, 3}, {}, {}, {}, {50, 2}}};
  for (const auto& [limit, workgroups] : {std::pair{1u, 1u}, {3u, 40u}, {65535u, 1u}, {65535u, 500u}}) {
    for (const uint32_t instances : {1u, 7u, 8u, 65u, 1000u}) {
      const JobSource source{{nullptr, 0, 0}, &chunks, instances, 9, 1000, 3, 500, 9};
      const JobLimits limits{limit, limit, 4, workgroups};
      const JobList list = listed({&source, 1}, limits);
      const std::vector<shared::SkinJob> jobs = jobs_of({&source, 1}, limits, list);
      std::map<std::pair<uint32_t, uint32_t>, uint32_t> reached;  // chunk and instance
      for (const Dispatch& dispatch : list.dispatches) {
        EXPECT_LE(dispatch.workgroups_x, limit);
        EXPECT_LE(dispatch.workgroups_y, limit);
        for (uint32_t y = 0; y < dispatch.workgroups_y; ++y) {
          const shared::SkinJob& job = jobs[dispatch.first_job + y];
          EXPECT_GT(job.instance_count, 0u);
          const uint32_t first = (job.first_row - 1000) / 3;
          EXPECT_EQ(job.first_word, 500 + first * 9);
          for (uint32_t i = 0; i < std::min(dispatch.workgroups_x * dispatch.instances_per_thread, job.instance_count);
               ++i) {
            ++reached[{job.chunk_element, first + i}];
          }
        }
      }
      EXPECT_EQ(reached.size(), size_t{instances} * 5);
      for (const auto& [what, times] : reached) EXPECT_EQ(times, 1u);
    }
  }
}

/// The jobs of all sources, one after the other, as the kernel reads them.
TEST(Jobs, AreInTheOrderOfPagesKernelsSourcesInstancesAndChunks) {
  const ChunkTable small = {{{10, 1}, {}, {}, {}, {}}}, large = {{{20, 5}, {}, {300, 70}, {}, {44, 1}}};
  const JobLimits limits{8, 999, 4};
  std::vector<JobSource> sources;
  for (uint32_t i = 0; i < 120; ++i)
    sources.push_back({{nullptr, i / 40 % 2, 0}, i % 3 ? &small : &large, 5 + i * 9, 9, i * 10000, 3, i * 1000, 9});
  std::vector<shared::SkinJob> expected;
  for (const uint32_t page : {0u, 1u}) {
    for (size_t kernel = 0; kernel < kKernelCount; ++kernel) {
      for (const JobSource& source : sources) {
        if (source.pages.palettes != page) continue;
        const KernelChunks& chunks = (*source.chunks)[kernel];
        for (uint32_t first = 0; first < source.instance_count;
             first += instances_per_job(limits, limits.instances_per_thread)) {
          const uint32_t count =
              std::min(instances_per_job(limits, limits.instances_per_thread), source.instance_count - first);
          for (uint32_t c = 0; c < chunks.count; ++c) {
            expected.push_back({chunks.first_element + c * shared::kChunkElements, source.first_row + first * 3,
                                source.first_word + first * 9, count});
          }
        }
      }
    }
  }
  const JobList list = listed(sources, limits);
  ASSERT_EQ(list.job_count, expected.size());
  ASSERT_GT(expected.size(), 30000u) << "one thread writes all";
  for (const ParallelFor& parallel_for : {ParallelFor(), ParallelFor{nullptr, test::run_backwards}}) {
    const std::vector<shared::SkinJob> jobs = jobs_of(sources, limits, list, parallel_for);
    EXPECT_EQ(std::memcmp(jobs.data(), expected.data(), jobs.size() * sizeof(shared::SkinJob)), 0);
  }
  uint64_t dispatched = 0;
  for (const Dispatch& dispatch : list.dispatches) {
    EXPECT_EQ(dispatch.first_job, dispatched);
    dispatched += dispatch.workgroups_y;
  }
  EXPECT_EQ(dispatched, expected.size());
}

}  // namespace
}  // namespace sinew::vulkan
