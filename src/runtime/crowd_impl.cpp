#include "crowd_impl.h"

#include <algorithm>
#include <string>
#include <utility>

#include "sinew/vulkan/evaluate.h"

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
                                                     const CrowdOptions& options) {
  auto impl = std::make_unique<CrowdImpl>();
  impl->options = options;
  auto own_models = CrowdModels::create(models, options);
  if (!own_models) return own_models.error();
  impl->models = std::move(*own_models);
  const SkinnerInfo derived = skinner_info(info, options);
  auto skinner = create_skinner(derived);
  if (!skinner) return skinner.error();
  impl->skinner = std::move(*skinner);
  if (Status status = impl->load_functions(derived); !status) return status.error();
  if (Status status = impl->models.add_to(impl->skinner); !status) return status.error();
  if (Status status = impl->create_planner(derived); !status) return status.error();
  return impl;
}

Status CrowdImpl::load_functions(const SkinnerInfo& info) {
  if (Status status = load(info, "vkCmdBindVertexBuffers", bind_vertex_buffers); !status) return status;
  return load(info, "vkCmdDrawIndexed", draw_indexed);
}

Status CrowdImpl::create_planner(const SkinnerInfo& info) {
  crowd::Options planned = options.planner;
  planned.budget.kept_palettes = info.frames_in_flight;
  planned.budget.kept_vertices = info.keep_previous ? 2 : 1;
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
  placed.clear(), draws.clear(), slices.clear(), posed_mesh_of.clear();
  host_poses.find({}, {});
}

Status CrowdImpl::update(const CrowdFrame& frame, const crowd::Instances& instances,
                         std::span<const crowd::View> views) {
  std::swap(slices, previous_slices);
  forget_frame();
  const crowd::Frame planned{frame.seconds, views, frame.shadows, frame.up};
  Status status = planner.plan(instances, planned, options.parallel_for);
  if (status) status = skin(frame);
  if (!status) {
    planner.update_all();
    return status;
  }
  const crowd::Plan& plan = planner.last();
  append_ranges(plan, skinner, placed);
  draws.build(*this, models, plan, placed, options);
  host_poses.find(plan, placed);
  if (options.planner.previous_poses) note_slices();
  has_frame = true;
  return {};
}

Status CrowdImpl::skin(const CrowdFrame& frame) {
  const crowd::Plan& plan = planner.last();
  if (Status status = attachments.begin(plan, options.parallel_for); !status) return status;
  Frame begun{.number = frame.number};
  if (frame.last_completed != 0) begun.last_completed = frame.last_completed;
  if (Status status = skinner.begin_frame(begun); !status) return status;
  for (uint32_t group = 0; group < plan.groups.size(); ++group) {
    if (!plan.groups[group].updated) continue;
    if (Status status = update_group(group); !status) return status;
  }
  return {};
}

Status CrowdImpl::update_group(uint32_t group) {
  const crowd::Plan& plan = planner.last();
  const crowd::UpdateGroup& own = plan.groups[group];
  batches.clear();
  for (const crowd::PosedBatch& batch : std::span(plan.batches).subspan(own.first_batch, own.batch_count))
    batches.push_back({models.level(batch.mesh).id, batch.mesh_count});
  if (Status status = skinner.prepare(group, batches, {}, options.parallel_for); !status) return status;
  for (const InstanceRange& range : skinner.ranges(group)) {
    if (Status status = evaluate(own, range); !status) return status;
  }
  return {};
}

/// Poses of the host begin as rest poses: what it does not write is defined.
Status CrowdImpl::evaluate(const crowd::UpdateGroup& group, const InstanceRange& range) {
  const crowd::Plan& plan = planner.last();
  const uint32_t number = group.first_batch + range.batch;
  const crowd::PosedBatch& batch = plan.batches[number];
  const CrowdModel& model = models[batch.character];
  auto playbacks = std::span(plan.playbacks).subspan(batch.first_mesh + range.first_instance, range.instance_count);
  if (batch.host_posed) {
    rest_poses.resize(std::max<size_t>(rest_poses.size(), range.instance_count));
    playbacks = std::span<const Playback>(rest_poses).first(range.instance_count);
  }
  const size_t sockets = model.socket_count();
  const auto socket_matrices =
      attachments.of(plan, number).subspan(range.first_instance * sockets, range.instance_count * sockets);
  return sinew::evaluate(model.evaluator, playbacks, range, options.parallel_for, socket_matrices);
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

const std::vector<uint32_t>& CrowdImpl::posed_meshes() const {
  const crowd::Plan& plan = planner.last();
  if (!posed_mesh_of.empty() || !has_frame) return posed_mesh_of;
  for (uint32_t mesh = 0; mesh < plan.posed_meshes.size(); ++mesh) {
    const crowd::PosedMesh& posed = plan.posed_meshes[mesh];
    for (uint32_t i = 0; i < posed.instance_count; ++i) {
      const uint32_t instance = plan.instances[posed.first_instance + i];
      if (posed_mesh_of.size() <= instance) posed_mesh_of.resize(instance + 1, crowd::kNoPosedMesh);
      posed_mesh_of[instance] = mesh;
    }
  }
  return posed_mesh_of;
}

}  // namespace sinew::vulkan::internal
