#include "crowd_impl.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

namespace sinew::vulkan::internal {
namespace {

template <class Function>
Status load(const SkinnerInfo& info, const char* name, Function& function) {
  auto get = info.get_device_proc_addr;
  if (get == nullptr) {
    get = reinterpret_cast<PFN_vkGetDeviceProcAddr>(info.get_instance_proc_addr(info.instance, "vkGetDeviceProcAddr"));
  }
  function = get == nullptr ? nullptr : reinterpret_cast<Function>(get(info.device, name));
  if (function != nullptr) return {};
  return Error{ErrorCode::kUnsupported, std::string("the device has no ") + name + "()"};
}

}  // namespace

Result<std::unique_ptr<CrowdImpl>> CrowdImpl::create(const SkinnerInfo& info, std::span<const SharedModel> models,
                                                     const CrowdOptions& options,
                                                     const experimental::CrowdParts& parts) {
  auto impl = std::make_unique<CrowdImpl>();
  impl->options = options;
  impl->pose_writer = parts.poses;
  auto own_models = CrowdModels::create(models, options, parts);
  if (!own_models) return own_models.error();
  impl->models = std::move(*own_models);
  const SkinnerInfo derived = skinner_info(info, options);
  if (parts.backend != nullptr)
    impl->backend = parts.backend;
  else if (Status status = impl->own_backend.make_skinner(derived); !status)
    return status.error();
  if (Status status = impl->load_functions(derived); !status) return status.error();
  if (Status status = impl->models.add_to(*impl->backend); !status) return status.error();
  if (Status status = impl->create_planner(derived, parts); !status) return status.error();
  return impl;
}

Status CrowdImpl::load_functions(const SkinnerInfo& info) {
  if (Status status = load(info, "vkCmdBindVertexBuffers", bind_vertex_buffers); !status) return status;
  return load(info, "vkCmdDrawIndexed", draw_indexed);
}

Status CrowdImpl::create_planner(const SkinnerInfo& info, const experimental::CrowdParts& parts) {
  crowd::Options planned = options.planner;
  planned.budget.kept_palettes = parts.backend != nullptr ? parts.kept_palettes : info.frames_in_flight;
  planned.budget.kept_vertices = parts.backend != nullptr ? parts.kept_vertices : (info.keep_previous ? 2 : 1);
  vertex_bytes = planned.budget.vertex_bytes = uint32_t(info.format) + (info.tangents ? 4 : 0);
  auto created = crowd::Planner::create(models.characters(), planned, options.parallel_for);
  if (!created) return created.error();
  planner = std::move(*created);
  std::vector<uint32_t> socket_counts;
  for (size_t i = 0; i < models.count(); ++i) socket_counts.push_back(models[i].socket_count());
  attachments = crowd::Attachments(socket_counts);
  return {};
}

void CrowdImpl::forget_frame() {
  has_frame = false;
  targets.clear(), placed.clear(), updated.clear(), draws.clear(), slices.clear(), body_of.clear();
  host_poses.find({}, {});
}

Status CrowdImpl::update(const CrowdFrame& frame, const crowd::Instances& instances,
                         std::span<const crowd::View> views) {
  std::swap(slices, previous_slices);
  forget_frame();
  if (Status status = make_frame(frame, instances, views); !status) {
    forget_frame();
    planner.update_all();
    return status;
  }
  has_frame = true;
  return {};
}

Status CrowdImpl::make_frame(const CrowdFrame& frame, const crowd::Instances& instances,
                             std::span<const crowd::View> views) {
  const auto now = std::chrono::steady_clock::now;
  times.begin = now();
  targets.assign(instances.targets.begin(), instances.targets.end());
  const crowd::Frame planned{frame.seconds, views, frame.shadows, frame.up, frame.occlusion};
  if (Status status = planner.plan(instances, planned, options.parallel_for); !status) return status;
  const crowd::Plan& plan = planner.last();
  times.planned = now();
  if (Status status = prepare(frame); !status) return status;
  times.prepared = now();
  if (Status status = evaluate_updated(); !status) return status;
  times.posed = now();
  backend->skin(updated);
  times.skinned = now();
  draws.build(*this, plan, options.parallel_for);
  host_poses.find(plan, placed);
  if (options.planner.previous_poses) note_slices();
  times.end = now();
  return {};
}

/// Makes room for the poses of all groups that the frame updates.
Status CrowdImpl::prepare(const CrowdFrame& frame) {
  const crowd::Plan& plan = planner.last();
  if (Status status = attachments.begin(plan, options.parallel_for); !status) return status;
  Frame begun{.number = frame.number};
  if (frame.last_completed != 0) begun.last_completed = frame.last_completed;
  if (Status status = backend->begin_frame(begun); !status) return status;
  for (uint32_t group = 0; group < plan.groups.size(); ++group) {
    if (!plan.groups[group].updated) continue;
    if (Status status = prepare_group(group); !status) return status;
  }
  append_ranges(plan, models, *backend, placed);
  for (const PlacedRange& range : placed) {
    if (plan.groups[range.group].updated) updated.push_back(range);
  }
  return {};
}

Status CrowdImpl::prepare_group(uint32_t group) {
  const crowd::Plan& plan = planner.last();
  const crowd::UpdateGroup& own = plan.groups[group];
  batches.clear();
  for (const crowd::PosedBatch& batch : std::span(plan.batches).subspan(own.first_batch, own.batch_count)) {
    const uint32_t palettes_of = batch.is_worn() ? batch.bodies - own.first_batch : kOwnPalettes;
    batches.push_back({models.mesh_of(batch).number, batch.mesh_count, palettes_of, plan.wearers_of(batch)});
  }
  return backend->prepare(group, batches, options.parallel_for);
}

/// Poses of the host begin as rest poses: what it does not write is defined.
std::span<const Playback> CrowdImpl::playbacks_of(const PlacedRange& placed_range) {
  const uint32_t count = placed_range.range->instance_count;
  if (planner.last().batches[placed_range.batch].host_posed) return std::span<const Playback>(rest_poses).first(count);
  return std::span(planner.last().playbacks).subspan(placed_range.first_mesh, count);
}

std::span<const ChainTarget> CrowdImpl::targets_of(uint32_t instance) const {
  return {std::ranges::lower_bound(targets, instance, {}, &ChainTarget::instance),
          std::ranges::upper_bound(targets, instance, {}, &ChainTarget::instance)};
}

Status CrowdImpl::evaluate_updated() {
  for (const PlacedRange& own : updated) {
    if (planner.last().batches[own.batch].host_posed)
      rest_poses.resize(std::max<size_t>(rest_poses.size(), own.range->instance_count));
  }
  if (pose_writer.write == nullptr) return pose_loop.run(*this);
  for (const PlacedRange& own : updated) {
    const crowd::PosedBatch& batch = planner.last().batches[own.batch];
    if (batch.is_worn()) continue;
    Status status =
        pose_writer.write(pose_writer.user_data, batch.character, batch.level, playbacks_of(own), *own.range);
    if (!status) return status;
  }
  return {};
}

void CrowdImpl::note_slices() {
  slices.resize(planner.last().posed_meshes.size());
  for (const PlacedRange& own : placed) {
    const InstanceRange& range = *own.range;
    const VkDeviceSize mesh_bytes = VkDeviceSize{range.vertex_count} * range.vertex_bytes;
    for (uint32_t i = 0; i < range.instance_count; ++i)
      slices[own.first_mesh + i] = {range.vertices, range.vertices_offset + i * mesh_bytes};
  }
}

const VertexSlice* CrowdImpl::previous_of(size_t place) const {
  const auto& poses = planner.last().previous_poses;
  if (place >= poses.size() || poses[place].posed_mesh == crowd::kNoPosedMesh) return nullptr;
  const std::vector<VertexSlice>& from = poses[place].in_this_plan ? slices : previous_slices;
  return poses[place].posed_mesh < from.size() ? &from[poses[place].posed_mesh] : nullptr;
}

const std::vector<uint32_t>& CrowdImpl::bodies() const {
  const crowd::Plan& plan = planner.last();
  if (!body_of.empty() || !has_frame) return body_of;
  for (uint32_t body = 0; body < plan.playbacks.size(); ++body) {
    const crowd::PosedMesh& posed = plan.posed_meshes[body];
    for (uint32_t i = 0; i < posed.instance_count; ++i) {
      const uint32_t instance = plan.instances[posed.first_instance + i];
      if (body_of.size() <= instance) body_of.resize(instance + 1, crowd::kNoPosedMesh);
      body_of[instance] = body;
    }
  }
  return body_of;
}

}  // namespace sinew::vulkan::internal
