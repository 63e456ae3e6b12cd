#include "skinning/skinning.h"

#include <cmath>

#include "gpu/host.h"
#include "system/text.h"

namespace sinew::app {
namespace {

uint32_t update_groups(const SkinningInfo& info) { return info.planner.update_rate ? crowd::kUpdateGroups : 1; }

/// What the library's skinner is made for. `families`: room for those of both queues.
vulkan::SkinnerInfo library_info(const Device& device, const SkinningInfo& info, std::span<uint32_t, 2> families) {
  vulkan::SkinnerInfo wanted =
      skinner_info(device, info.frames_in_flight, info.pulls_vertices ? vulkan::kVertexPulling : vulkan::kVertexInput);
  wanted.format = info.format;
  wanted.tangents = info.tangents;
  if (info.max_pulled_vertices > 0) wanted.consumers = wanted.consumers | vulkan::kVertexPulling;
  if (info.planner.previous_poses) {
    wanted.consumers = wanted.consumers | vulkan::kVertexPulling;
    wanted.vertex_usage = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
  }
  if (info.async == AsyncCompute::kNone) return wanted;
  wanted.barriers = vulkan::Barriers::kHost;  // the semaphores between submissions are all the barriers needed
  wanted.keep_previous = true;
  families[0] = device.info.queue_family, families[1] = compute_queue_index(device.info).family;
  if (families[0] != families[1]) wanted.queue_families = families;
  return wanted;
}

Result<std::unique_ptr<PageBackend>> make_backend(const Device& device, std::span<const Model> models,
                                                  const SkinningInfo& info) {
  std::unique_ptr<PageBackend> backend;
  if (info.mode == SkinningMode::kCpu)
    backend = std::make_unique<CpuSkinning>(device, info.frames_in_flight, update_groups(info), info.pulls_vertices);
  if (info.mode != SkinningMode::kVertex) return backend;
  Status made =
      put(VertexSkinning::create(device, models, info.frames_in_flight, update_groups(info), info.evaluation->pool()),
          backend);
  if (!made) return made.error();
  return backend;
}

CpuSpan span_of(vulkan::UpdateTimes::Time begin, vulkan::UpdateTimes::Time end) { return {ms_of(begin), ms_of(end)}; }

}  // namespace

const char* name_of(SkinningMode mode) {
  constexpr const char* kNames[] = {"compute", "vertex", "cpu"};
  return kNames[size_t(mode)];
}

SkinningProperties properties_of(const SkinningInfo& info) {
  if (info.mode == SkinningMode::kVertex) return {.vertex_shader_skins = true};
  if (info.mode == SkinningMode::kCpu) return {};
  return {.records_compute = true, .format = info.format, .tangents = info.tangents};
}

bool have_tangents(std::span<const Model> models) {
  bool some = false;
  for (const Model& model : models) {
    if (!has_normal_map(model)) continue;
    if (model.character.mesh.tangents.empty()) return false;
    some = true;
  }
  return some;
}

Box box_of_positions(const Model& model, uint32_t level) { return model.has_bounds ? model.vertex_box(level) : Box(); }

bool can_be_compact(const Model& model) { return model.is_baked() && !model.baked.scales(); }

Result<Skinning> Skinning::create(const Device& device, std::span<const Model> models, const SkinningInfo& info) {
  Skinning skinning;
  skinning.info_ = info;
  skinning.properties_ = properties_of(info);
  skinning.weights_.resize(models.size());
  if (Status made = put(make_backend(device, models, info), skinning.backend_); !made) return made.error();

  std::vector<SharedModel> shared;
  std::vector<vulkan::ModelUse> uses;
  for (const Model& model : models) {
    shared.push_back(share(model));
    uses.push_back({model.meters_per_unit(), model.clips});
  }
  vulkan::CrowdOptions options{uses, info.planner, info.compact_palettes};
  options.vertex_pulling = info.pulls_vertices || skinning.properties_.vertex_shader_skins;
  options.max_pulled_vertices = info.max_pulled_vertices;
  options.parallel_for = info.evaluation->pool().parallel_for();
  uint32_t families[2];
  Status made = put(skinning.create_crowd(library_info(device, info, families), shared, options), skinning.crowd_);
  if (!made) return made.error();
  for (uint32_t i = 0; i < models.size() && !skinning.is_exact(); ++i) {
    if (models[i].chains.empty()) continue;
    if (Status set = skinning.crowd_.set_chains(i, models[i].chains); !set) return set.error();
  }
  if (info.mode == SkinningMode::kVertex) {
    auto& vertex_skinning = static_cast<VertexSkinning&>(*skinning.backend_);
    if (Status uploaded = vertex_skinning.upload_meshes(); !uploaded) return uploaded.error();
  }
  return skinning;
}

/// As a host does, but for what is compared: another way of skinning, or the exact evaluator.
Result<vulkan::SkinnedCrowd> Skinning::create_crowd(const vulkan::SkinnerInfo& info,
                                                    std::span<const SharedModel> models,
                                                    const vulkan::CrowdOptions& options) {
  if (!backend_ && !is_exact()) return vulkan::SkinnedCrowd::create(info, models, options);
  vulkan::experimental::CrowdParts parts{backend_.get()};
  parts.kept_palettes = mode() == SkinningMode::kCpu ? 1 : info.frames_in_flight;  // used up before the next frame
  parts.kept_vertices = mode() == SkinningMode::kCpu ? info.frames_in_flight : 0;
  parts.poses = info_.evaluation->writer();
  return vulkan::experimental::create_crowd(info, models, options, parts);
}

std::vector<GroupRange> Skinning::all_ranges() const {
  std::vector<GroupRange> all;
  for (uint32_t group = 0; group < plan().groups.size(); ++group) {
    for (const InstanceRange& range : ranges(group)) all.push_back({group, &range});
  }
  return all;
}

void Skinning::write_first_elements(std::span<uint32_t> out) const {
  if (!properties_.vertex_shader_skins) return crowd_.write_first_vertices(out);
  for (uint32_t group = 0; group < plan().groups.size(); ++group) {
    for (const InstanceRange& range : ranges(group)) {
      const auto meshes = std::span(plan().posed_meshes).subspan(first_mesh_of(group, range), range.instance_count);
      const uint32_t first = uint32_t(range.palette_offset / sizeof(Matrix3x4));
      crowd::write_first_vertices(meshes, {.first_vertex = first, .vertex_count = range.palette_stride}, out);
    }
  }
}

Status Skinning::update(const vulkan::CrowdFrame& frame, const crowd::Instances& instances, const crowd::View& view,
                        FrameTimes& times) {
  Status updated = crowd_.update(frame, instances, {&view, 1});
  if (!updated) {
    const bool exceeds = info_.planner.budget.bytes > 0 && updated.error().code == ErrorCode::kOutOfMemory &&
                         crowd_.planner().needed_bytes() > info_.planner.budget.bytes;
    return exceeds ? budget_error() : updated;
  }
  write_weights();
  const vulkan::UpdateTimes& of = crowd_.times();
  const bool cpu_skins = info_.mode == SkinningMode::kCpu;
  times.span(CpuStage::kCull) = span_of(of.begin, of.planned);
  times.span(CpuStage::kPrepareSkinning) = span_of(of.planned, of.prepared);
  times.span(CpuStage::kSample) = span_of(of.prepared, cpu_skins ? of.posed : of.skinned);
  if (cpu_skins) times.span(CpuStage::kSkin) = span_of(of.posed, of.skinned);
  times.span(CpuStage::kPrepareDraws) = span_of(of.skinned, of.end);
  return {};
}

void Skinning::write_weights() {
  for (uint32_t group = 0; group < plan().groups.size(); ++group) {
    if (!plan().groups[group].updated) continue;
    for (const InstanceRange& range : ranges(group)) {
      const WeightOverrides& overrides = weights_[batch_of(group, range).model];
      for (uint32_t i = 0; i < range.instance_count && !overrides.empty() && range.target_count > 0; ++i)
        override_weights(overrides, range.weights.subspan(size_t(i) * range.weight_stride, range.target_count));
    }
  }
}

Error Skinning::budget_error() const {
  const crowd::Planner& planner = crowd_.planner();
  const auto mebibytes = [](uint64_t bytes) { return double(bytes) / (1 << 20); };
  const double needed = std::ceil(mebibytes(planner.needed_bytes()) * 100) / 100;
  return Error{
      ErrorCode::kOutOfMemory,
      text("--memory-budget %.4g: %g MiB are needed for the %u in sight, after coarser levels of detail and shared "
           "poses; raise it to that, or draw fewer --characters",
           mebibytes(info_.planner.budget.bytes), needed, planner.last().counters.visible)};
}

void Skinning::record(VkCommandBuffer cmd, const vulkan::RecordInfo& info) { crowd_.record(cmd, info); }

Status Skinning::reload_kernel(std::span<const uint32_t> spirv) {
  return backend_ ? Status() : vulkan::experimental::reload_kernel(crowd_, spirv);
}

vulkan::MeshBuffer Skinning::static_mesh(uint32_t mesh) const {
  return backend_ ? backend_->static_mesh(mesh) : vulkan::MeshBuffer();
}

uint64_t Skinning::device_bytes() const {
  return backend_ ? backend_->device_bytes() : app::device_bytes(crowd_.skinner().memory_usage());
}

Status Skinning::set_mask(uint32_t model, uint32_t mask, std::span<const float> factors) {
  return is_exact() ? Status() : crowd_.set_mask(model, mask, factors);
}

SkinningCounters Skinning::counters() const {
  SkinningCounters counters;
  for (const vulkan::Draw& draw : draws()) counters.triangles += uint64_t{draw.index_count} / 3 * draw.instance_count;
  for (uint32_t group = 0; group < plan().groups.size(); ++group) {
    if (!plan().groups[group].updated) continue;
    for (const InstanceRange& range : ranges(group)) {
      const size_t matrix_bytes = range.compact_palettes.empty() ? sizeof(Matrix3x4) : sizeof(CompactMatrix);
      if (!batch_of(group, range).is_worn())
        counters.palette_bytes += uint64_t(range.instance_count) * range.palette_size * matrix_bytes;
      if (properties_.vertex_shader_skins) continue;
      counters.skinned_vertices += uint64_t(range.instance_count) * range.vertex_count;
      counters.skinned_bytes += uint64_t(range.instance_count) * range.vertex_count * range.vertex_bytes;
    }
  }
  if (backend_) {
    counters.copies = backend_->copies();
    return counters;
  }
  const vulkan::SkinnerCounters recorded = crowd_.skinner().counters();
  counters.copies = {recorded.palette_copies, recorded.palette_copy_bytes};
  counters.dispatches = recorded.dispatches;
  counters.mesh_bytes = recorded.mesh_bytes, counters.job_bytes = recorded.job_bytes;
  return counters;
}

}  // namespace sinew::app
