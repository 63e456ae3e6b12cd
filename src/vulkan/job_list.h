// The work of a frame as one list: chunks of meshes, each for some instances. Arithmetic only.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "shared/skinning.h"
#include "sinew/vulkan/skinner.h"

namespace sinew::vulkan {

struct MeshPage;

/// KernelTuning with every choice made, and the format.
struct KernelChoice {
  uint32_t workgroup_size = 0, instances_per_thread = 0;
  bool texel_palettes = false, by_influences = false, tangents = false;
  VertexFormat format = VertexFormat::kOctahedral;

  uint32_t vertex_bytes() const { return uint32_t(format) + (tangents ? uint32_t(sizeof(uint32_t)) : 0); }
};

/// The most influences of a vertex that each kernel takes; 0: any number.
inline constexpr std::array<uint32_t, 6> kKernelInfluences = {1, 2, 3, 4, shared::kMaxFixedInfluences, 0};
inline constexpr uint32_t kKernelCount = uint32_t(kKernelInfluences.size());

/// The chunks of a mesh that one kernel takes, as they lie in the page of meshes.
struct KernelChunks {
  uint32_t first_element = 0, count = 0;
};
using ChunkTable = std::array<KernelChunks, kKernelCount>;

/// What one descriptor set shows: the pages that a dispatch reads and writes.
struct PageTriple {
  const MeshPage* meshes = nullptr;
  uint32_t palettes = 0, vertices = 0;

  friend bool operator==(const PageTriple&, const PageTriple&) = default;
};

/// A run of instances as the list needs it.
struct JobSource {
  PageTriple pages;
  const ChunkTable* chunks = nullptr;
  uint32_t instance_count = 0, vertex_count = 0;
  uint32_t first_row = 0, row_stride = 0;    // of palettes, in vec4
  uint32_t first_word = 0, word_stride = 0;  // of output, in 32 bits
};

/// y counts jobs, x what of a job's instances a thread takes.
struct Dispatch {
  uint32_t pages = 0;  // in JobList::pages
  uint32_t kernel = 0;
  uint32_t first_job = 0, workgroups_x = 0, workgroups_y = 0;
};

struct JobList {
  struct Pages {
    PageTriple pages;
    uint64_t instances = 0, vertices = 0;  // to be skinned
  };
  std::vector<Pages> pages;
  std::vector<shared::SkinJob> jobs;
  std::vector<Dispatch> dispatches;  // those of one set of pages together
};

struct JobLimits {
  uint32_t max_workgroups_x = 0, max_workgroups_y = 0;
  uint32_t instances_per_thread = 1;
};

/// A job is of so many at most.
uint32_t instances_per_job(const JobLimits& limits);

/// Within a dispatch, some instances at a time and for these chunk after chunk: palettes are read while they are near,
/// and so are the chunks. As many dispatches as there are pages and kernels with work, more where limits ask.
JobList list_jobs(std::span<const JobSource> sources, const JobLimits& limits);

}  // namespace sinew::vulkan
