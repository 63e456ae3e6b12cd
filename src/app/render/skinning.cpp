#include "render/skinning.h"

#include <algorithm>
#include <cstdio>
#include <iterator>

#include "gpu/skinner_info.h"
#include "sinew/asset/cpu_skin.h"
#include "system/clock.h"

namespace sinew::app {
namespace {

void on_skinner_message(void*, vulkan::Severity severity, const char* text) {
  if (severity != vulkan::Severity::kInfo) std::fprintf(stderr, "sinew: %s\n", text);
}

}  // namespace

const char* name_of(SkinningMode mode) {
  if (mode == SkinningMode::kCompute) return "compute";
  return mode == SkinningMode::kVertex ? "vertex" : "cpu";
}

KeptFrames kept_frames(const SkinningInfo& info) {
  if (info.mode == SkinningMode::kVertex) return {info.frames_in_flight, 0};
  if (info.mode == SkinningMode::kCpu)
    return {1, info.frames_in_flight};  // its palettes are used up before the next frame
  return {info.frames_in_flight, info.async == AsyncCompute::kNone ? 1u : 2u};
}

Result<Skinning> Skinning::create(const Device& device, std::span<const Model> models, const SkinningInfo& info) {
  Skinning skinning;
  skinning.device_ = &device;
  skinning.models_ = models;
  skinning.info_ = info;
  skinning.groups_.resize(info.update_groups);
  for (Group& group : skinning.groups_) group.pages.resize(info.frames_in_flight);
  if (info.mode != SkinningMode::kCpu) {
    if (Status created = skinning.create_skinner(); !created) return created.error();
  }
  return skinning;
}

Status Skinning::create_skinner() {
  vulkan::SkinnerInfo info = skinner_info(*device_, info_.frames_in_flight, vulkan::kVertexInput);
  info.update_groups = info_.update_groups;
  info.message = on_skinner_message;
  const uint32_t families[] = {device_->info.queue_family, skinning_queue_index(device_->info).family};
  if (info_.async != AsyncCompute::kNone) {  // the semaphores between submissions are all the barriers needed
    info.barriers = vulkan::Barriers::kHost;
    info.keep_previous = true;
    if (families[0] != families[1]) info.queue_families = families;
  }
  auto skinner = vulkan::create_skinner(info);
  if (!skinner) return skinner.error();
  skinner_.emplace(std::move(*skinner));
  for (const Model& model : models_) {
    const uint32_t palette_size = model.character.skin.palette_size();
    for (const Level& level : model.levels) {
      auto id = skinner_->add_mesh(level.mesh, palette_size, model.name.c_str());
      if (!id) return id.error();
      meshes_.push_back(*id);
    }
  }
  if (info_.mode == SkinningMode::kCompute) return {};
  // The vertex shader needs only the meshes. A frame without instances uploads them.
  if (Status begun = skinner_->begin_frame({}); !begun) return begun;
  return run_once(*device_, [&](VkCommandBuffer cmd) { skinner_->record(cmd); });
}

Status Skinning::prepare(const vulkan::Frame& frame, const VisibleSet& visible_set) {
  if (info_.mode == SkinningMode::kCompute) {
    if (Status begun = skinner_->begin_frame(frame); !begun) return begun;
  }
  ranges_.clear();
  for (uint32_t g = 0; g < visible_set.groups.size(); ++g) {
    if (visible_set.groups[g].updated) {
      if (Status updated = update_group(visible_set, g); !updated) return updated;
    }
    append_ranges(visible_set.groups[g], groups_[g]);
  }
  count(visible_set);
  return {};
}

Status Skinning::update_group(const VisibleSet& visible_set, uint32_t group) {
  const UpdateGroup& visible_group = visible_set.groups[group];
  const auto batches = std::span(visible_set.batches).subspan(visible_group.first_batch, visible_group.batch_count);
  groups_[group].ranges.clear();
  if (info_.mode == SkinningMode::kCompute) {
    std::vector<vulkan::Batch> wanted;
    for (const PosedBatch& batch : batches) wanted.push_back({meshes_[batch.mesh], batch.mesh_count});
    if (Status prepared = skinner_->prepare(group, wanted); !prepared) return prepared;
    set_compute_ranges(group);
  } else {
    if (Status fits = fit_own_pages(group, batches); !fits) return fits;
    set_own_ranges(groups_[group], batches);
  }
  return {};
}

/// Takes the next pages in turn, not by frame slot: a frame in flight may still draw the group's previous pages.
Status Skinning::fit_own_pages(uint32_t index, std::span<const PosedBatch> batches) {
  Group& group = groups_[index];
  group.page_set = (group.page_set + 1) % info_.frames_in_flight;
  const bool vertices = info_.mode == SkinningMode::kCpu;
  std::vector<PageRequest> requests;
  uint64_t palette_entries = 0;
  for (const PosedBatch& batch : batches) {
    const Model& model = models_[batch.model];
    const uint32_t stride = uint32_t(palette_stride(model.character.skin.palette_size()));
    const VkDeviceSize vertex_bytes = model.levels[batch.level].mesh.vertex_count() * sizeof(SkinnedVertex);
    requests.push_back({batch.mesh_count, vertices ? vertex_bytes : stride * sizeof(Matrix3x4)});
    palette_entries += uint64_t(batch.mesh_count) * stride;
  }
  if (vertices) group.cpu_palettes.resize(palette_entries / std::size(PaletteBlock().matrices));
  const std::string name = (vertices ? "sinew.cpu_vertices." : "sinew.vertex_palettes.") +
                           std::to_string(index * info_.frames_in_flight + group.page_set);
  constexpr VkBufferUsageFlags kPalettes =
      VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT;
  const VkBufferUsageFlags usage = vertices ? VkBufferUsageFlags(VK_BUFFER_USAGE_VERTEX_BUFFER_BIT) : kPalettes;
  return fit_pages(*device_, requests, usage, name, group.pages[group.page_set]);
}

void Skinning::set_compute_ranges(uint32_t index) {
  for (const vulkan::InstanceRange& range : skinner_->ranges(index)) {
    SkinnedRange& to = groups_[index].ranges.emplace_back();
    to.batch = range.batch;
    to.first_mesh = range.first_instance;
    to.mesh_count = range.instance_count;
    to.vertex_count = range.vertex_count;
    to.palette_stride = range.palette_stride;
    to.palettes = range.palettes;
    to.vertices = range.vertices;
    to.vertices_offset = range.vertices_offset;
  }
}

void Skinning::set_own_ranges(Group& group, std::span<const PosedBatch> batches) {
  const Pages& pages = group.pages[group.page_set];
  size_t cpu_entry = 0;
  for (const PageSlice& slice : pages.slices) {
    const PosedBatch& batch = batches[slice.batch];
    const Model& model = models_[batch.model];
    const Buffer& buffer = pages.buffers[slice.page];
    std::byte* mapped = static_cast<std::byte*>(buffer.mapped) + slice.offset;
    SkinnedRange& to = group.ranges.emplace_back();
    to.batch = slice.batch;
    to.first_mesh = slice.first_instance;
    to.mesh_count = slice.instance_count;
    to.vertex_count = model.levels[batch.level].mesh.vertex_count();
    to.palette_stride = uint32_t(palette_stride(model.character.skin.palette_size()));
    const size_t entries = size_t(slice.instance_count) * to.palette_stride;
    if (info_.mode == SkinningMode::kVertex) {
      to.palettes = {reinterpret_cast<Matrix3x4*>(mapped), entries};
      to.palette_buffer = buffer.get();
      to.palette_texels = buffer.texels.get();
      to.palette_page = slice.page;
      to.first_entry = uint32_t(slice.offset / sizeof(Matrix3x4));
    } else {
      to.palettes = {&group.cpu_palettes.data()->matrices[0] + cpu_entry, entries};
      cpu_entry += entries;
      to.vertices = buffer.get();
      to.vertices_offset = slice.offset;
      to.mapped_vertices = {reinterpret_cast<SkinnedVertex*>(mapped), size_t(slice.instance_count) * to.vertex_count};
    }
  }
}

void Skinning::append_ranges(const UpdateGroup& visible_group, const Group& group) {
  const uint32_t first_page = ranges_.empty() ? 0 : ranges_.back().palette_page + 1;
  for (SkinnedRange range : group.ranges) {
    range.batch += visible_group.first_batch;
    range.palette_page += first_page;
    range.not_updated = !visible_group.updated;
    ranges_.push_back(range);
  }
}

void Skinning::count(const VisibleSet& visible_set) {
  counters_ = {};
  for (const SkinnedRange& range : ranges_) {
    if (range.not_updated) continue;
    const Character& character = models_[visible_set.batches[range.batch].model].character;
    counters_.palette_bytes += uint64_t(range.mesh_count) * character.skin.palette_size() * sizeof(Matrix3x4);
    if (info_.mode == SkinningMode::kVertex) continue;
    counters_.skinned_vertices += uint64_t(range.mesh_count) * range.vertex_count;
    counters_.skinned_bytes += range.vertices_bytes();
  }
}

uint64_t Skinning::device_bytes() const {
  uint64_t bytes = 0;
  if (skinner_) {
    const vulkan::MemoryUsage usage = skinner_->memory_usage();
    bytes += usage.mesh_bytes + usage.palette_bytes + usage.skinned_bytes + usage.job_bytes;
  }
  for (const Group& group : groups_) {
    for (const Pages& pages : group.pages) {
      for (const Buffer& buffer : pages.buffers) bytes += buffer.size_bytes;
    }
  }
  return bytes;
}

EvaluationTimes Skinning::evaluate(const VisibleSet& visible_set) {
  EvaluationTimes times;
  const Stopwatch sampling;
  for (const SkinnedRange& range : ranges_) {
    if (range.not_updated) continue;
    const PosedBatch& batch = visible_set.batches[range.batch];
    const auto playbacks =
        std::span(visible_set.playbacks).subspan(batch.first_mesh + range.first_mesh, range.mesh_count);
    info_.evaluation->evaluate({batch.model, playbacks, range.palette_stride, range.palettes});
  }
  times.sample_ms = sampling.elapsed_ms();
  if (info_.mode != SkinningMode::kCpu) return times;
  const Stopwatch skinning;
  for (const SkinnedRange& range : ranges_) {
    if (!range.not_updated) skin_range(range, visible_set.batches[range.batch]);
  }
  times.skin_ms = skinning.elapsed_ms();
  return times;
}

void Skinning::skin_range(const SkinnedRange& range, const PosedBatch& batch) {
  const Model& model = models_[batch.model];
  const uint32_t palette_size = model.character.skin.palette_size();
  positions_.resize(range.vertex_count), normals_.resize(range.vertex_count);
  for (uint32_t i = 0; i < range.mesh_count; ++i) {
    const auto palette = range.palettes.subspan(size_t(i) * range.palette_stride, palette_size);
    skin_on_cpu(model.levels[batch.level].mesh, palette, positions_, normals_);
    SkinnedVertex* out = &range.mapped_vertices[size_t(i) * range.vertex_count];
    for (uint32_t v = 0; v < range.vertex_count; ++v) {
      out[v] = {{positions_[v].x, positions_[v].y, positions_[v].z}, encode_normal(normals_[v])};
    }
  }
}

void Skinning::record(VkCommandBuffer cmd, const vulkan::RecordInfo& info) {
  if (info_.mode == SkinningMode::kCompute) skinner_->record(cmd, info);
}

Status Skinning::reload_kernel(std::span<const uint32_t> spirv) {
  if (info_.mode != SkinningMode::kCompute) return {};
  return vulkan::experimental::reload_kernel(*skinner_, spirv);
}

vulkan::MeshBuffer Skinning::mesh_buffer(uint32_t mesh) const { return skinner_->mesh_buffer(meshes_[mesh]); }

}  // namespace sinew::app
