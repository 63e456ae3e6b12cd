#include "skinning/compute_skinning.h"

#include "gpu/skinner_info.h"
#include "sinew/experimental/kernel.h"

namespace sinew::app {
namespace {

SkinnedRange range_of(const vulkan::InstanceRange& from) {
  SkinnedRange range;
  range.batch = from.batch;
  range.first_mesh = from.first_instance;
  range.mesh_count = from.instance_count;
  range.vertex_count = from.vertex_count;
  range.palette_stride = from.palette_stride;
  range.palettes = from.palettes, range.compact_palettes = from.compact_palettes;
  range.vertices = from.vertices;
  range.vertex_bytes = from.vertex_bytes;
  range.vertices_offset = from.vertices_offset;
  return range;
}

}  // namespace

SkinningProperties ComputeSkinning::properties(const SkinningInfo& info) {
  const uint32_t kept_vertices = info.async == AsyncCompute::kNone && !info.keep_previous ? 1 : 2;
  return {.records_compute = true,
          .format = info.format,
          .tangents = info.tangents,
          .kept = {info.frames_in_flight, kept_vertices}};
}

Result<std::unique_ptr<SkinningStrategy>> ComputeSkinning::create(const Device& device, std::span<const Model> models,
                                                                  const SkinningInfo& info) {
  const vulkan::Consumers consumers = info.pulls_vertices ? vulkan::kVertexPulling : vulkan::kVertexInput;
  vulkan::SkinnerInfo wanted = skinner_info(device, info.frames_in_flight, consumers);
  wanted.update_groups = info.update_groups;
  wanted.format = info.format;
  wanted.tangents = info.tangents;
  if (info.keep_previous) {
    wanted.keep_previous = true;
    wanted.consumers = wanted.consumers | vulkan::kVertexPulling;
    wanted.vertex_usage = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
  }
  const uint32_t families[] = {device.info.queue_family, compute_queue_index(device.info).family};
  if (info.async != AsyncCompute::kNone) {  // the semaphores between submissions are all the barriers needed
    wanted.barriers = vulkan::Barriers::kHost;
    wanted.keep_previous = true;
    if (families[0] != families[1]) wanted.queue_families = families;
  }
  auto created = create_model_skinner(wanted, models, info.compact_palettes);
  if (!created) return created.error();
  return std::unique_ptr<SkinningStrategy>(
      new ComputeSkinning(std::move(*created), info.evaluation->pool().parallel_for()));
}

Status ComputeSkinning::begin_frame(const vulkan::Frame& frame) { return models_.skinner.begin_frame(frame); }

Status ComputeSkinning::update_group(uint32_t group, std::span<const crowd::PosedBatch> batches,
                                     std::vector<SkinnedRange>& ranges) {
  ranges.clear();
  wanted_.clear();
  for (const crowd::PosedBatch& batch : batches) wanted_.push_back({models_.meshes[batch.mesh], batch.mesh_count});
  if (Status prepared = models_.skinner.prepare(group, wanted_, {}, parallel_for_); !prepared) return prepared;
  for (const vulkan::InstanceRange& range : models_.skinner.ranges(group)) {
    const bool other_page = !ranges.empty() && ranges.back().vertices != range.vertices;
    const uint32_t page = ranges.empty() ? 0 : ranges.back().page + other_page;
    ranges.push_back(range_of(range));
    ranges.back().page = page;
  }
  return {};
}

void ComputeSkinning::record(VkCommandBuffer cmd, const vulkan::RecordInfo& info) { models_.skinner.record(cmd, info); }

PageCopies ComputeSkinning::copies() const {
  const vulkan::Counters counters = models_.skinner.counters();
  return {counters.palette_copies, counters.palette_copy_bytes};
}

uint64_t ComputeSkinning::dispatches() const { return models_.skinner.counters().dispatches; }

StaticReads ComputeSkinning::static_reads() const {
  const vulkan::Counters counters = models_.skinner.counters();
  return {counters.mesh_bytes, counters.job_bytes};
}

Status ComputeSkinning::reload_kernel(std::span<const uint32_t> spirv) {
  return vulkan::experimental::reload_kernel(models_.skinner, spirv);
}

}  // namespace sinew::app
