#include "crowd_impl.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>

#include "asset/plain_text.h"

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

bool have(const Consumers& consumers, const Consumers& wanted) {
  constexpr VkPipelineStageFlags kAnyStage = VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT | VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  return (consumers.stages & (wanted.stages | kAnyStage)) != 0 &&
         (consumers.accesses & (wanted.accesses | VK_ACCESS_MEMORY_READ_BIT)) != 0;
}

/// Without the barriers of the stages that read the vertices, draws race with skinning.
Status check_consumers(const SkinnerInfo& info, const CrowdOptions& options) {
  const bool pulls_all = options.vertex_pulling, pulls_some = options.max_pulled_vertices > 0;
  if (info.barriers != Barriers::kLibrary || (!pulls_all && !pulls_some)) return {};
  if (have(info.consumers, kVertexPulling) && (pulls_all || have(info.consumers, kVertexInput))) return {};
  return Error{ErrorCode::kInvalidArgument,
               pulls_all ? "CrowdOptions::vertex_pulling needs kVertexPulling in SkinnerInfo::consumers"
                         : "CrowdOptions::max_pulled_vertices needs kVertexInput and kVertexPulling in "
                           "SkinnerInfo::consumers"};
}

/// The evaluators would say it too, but count the targets of some instances alone.
Status check_chains(std::span<const ChainTarget> targets, const crowd::Instances& instances,
                    const CrowdModels& models) {
  for (size_t i = 0; i < targets.size(); ++i) {
    const uint32_t model = instances.models[targets[i].instance], chain = targets[i].chain;
    if (!models.is_there(model)) continue;
    const size_t count = models[model].chains.size();
    if (chain < count) continue;
    const std::string of = "target " + std::to_string(i) + ": model " + std::to_string(model) + " has no chain";
    return Error{ErrorCode::kInvalidArgument, count == 0
                                                  ? of + "s: call set_chains()"
                                                  : of + ' ' + std::to_string(chain) + ", of " + std::to_string(count)};
  }
  return {};
}

/// Takes back what was added to a planner, unless all goes well.
struct Undo {
  crowd::Planner& planner;
  uint32_t model = 0;
  bool wanted = true;

  ~Undo() {
    if (wanted) (void)planner.remove_model(model);
  }
};

}  // namespace

Error no_model(const char* call, uint32_t model) {
  return {ErrorCode::kInvalidArgument, std::string(call) + ": the crowd has no model " + std::to_string(model)};
}

uint64_t next_serial() {
  static std::atomic<uint64_t> last{0};
  return ++last;
}

Result<std::unique_ptr<CrowdImpl>> CrowdImpl::create(const SkinnerInfo& info, std::span<const SharedModel> models,
                                                     const CrowdOptions& options,
                                                     const experimental::CrowdParts& parts) {
  if (models.empty()) return Error{ErrorCode::kInvalidArgument, "a crowd needs a model"};
  if (!options.uses.empty() && options.uses.size() != models.size()) {
    return Error{ErrorCode::kInvalidArgument, "CrowdOptions::uses has " +
                                                  counted(options.uses.size(), "element", "elements") + " for " +
                                                  counted(models.size(), "model", "models")};
  }
  if (parts.backend == nullptr) {
    if (Status checked = check_consumers(info, options); !checked) return checked.error();
  }
  auto impl = std::make_unique<CrowdImpl>();
  impl->options = options, impl->options.uses = {};
  impl->parts = parts;
  const SkinnerInfo derived = skinner_info(info, options);
  std::vector<CrowdModel> prepared;
  for (size_t i = 0; i < models.size(); ++i) {
    if (!models[i]) return Error{ErrorCode::kInvalidArgument, "model " + std::to_string(i) + " is null"};
    auto model = prepare_model(models[i], options.uses.empty() ? ModelUse() : options.uses[i], options, parts);
    if (!model) return model.error();
    prepared.push_back(std::move(*model));
  }
  if (parts.backend != nullptr)
    impl->backend = parts.backend;
  else if (Status status = impl->own_backend.make_skinner(derived); !status)
    return status.error();
  if (Status status = impl->load_functions(derived); !status) return status.error();
  if (Status status = impl->add_models(std::move(prepared)); !status) return status.error();
  if (Status status = impl->create_planner(derived); !status) return status.error();
  return impl;
}

Status CrowdImpl::load_functions(const SkinnerInfo& info) {
  if (Status status = load(info, "vkCmdBindVertexBuffers", bind_vertex_buffers); !status) return status;
  return load(info, "vkCmdDrawIndexed", draw_indexed);
}

Status CrowdImpl::add_models(std::vector<CrowdModel> prepared) {
  for (uint32_t i = 0; i < prepared.size(); ++i) {
    if (backend == &own_backend) {
      if (Status made = prepare_meshes(prepared[i], own_backend); !made) return made;
    }
    if (Status added = models.add(i, std::move(prepared[i]), {*backend, own_backend}); !added) return added;
  }
  return {};
}

Status CrowdImpl::create_planner(const SkinnerInfo& info) {
  crowd::PlanOptions planned = options.planner;
  planned.budget.kept_palettes = parts.backend != nullptr ? parts.kept_palettes : info.frames_in_flight;
  planned.budget.kept_vertices = parts.backend != nullptr ? parts.kept_vertices : (info.keep_previous ? 2 : 1);
  vertex_bytes = planned.budget.vertex_bytes = uint32_t(info.format) + (info.tangents ? 4 : 0);
  frames_in_flight = info.frames_in_flight;
  std::vector<crowd::ModelInfo> infos;
  std::vector<uint32_t> socket_counts;
  for (size_t i = 0; i < models.count(); ++i) {
    infos.push_back(model_info_of(models[i]));
    socket_counts.push_back(models[i].socket_count());
  }
  Status status = put_value(crowd::Planner::create(infos, planned, options.parallel_for), planner);
  if (!status) return status;
  attachments = crowd::Attachments(socket_counts);
  return {};
}

/// The number of the planner is that of the model.
Result<uint32_t> CrowdImpl::add(CrowdModel model, crowd::MeasuredModel measured) {
  if (has_removed) release_removed();  // after a plan that failed, the planner may give one of these numbers
  auto number = planner.add_model(std::move(measured));
  if (!number) return number;
  Undo undo{planner, *number};
  if (Status set = attachments.set_socket_count(*number, model.socket_count()); !set) return set.error();
  if (Status added = models.add(*number, std::move(model), {*backend, own_backend}); !added) return added.error();
  undo.wanted = false;
  return number;
}

/// Frames in flight may show the model: what they read of it stays.
Status CrowdImpl::remove(uint32_t model) {
  if (!models.is_there(model)) return no_model("remove_model", model);
  if (Status removed = planner.remove_model(model, frames_in_flight); !removed) return removed;
  models.remove(model, *backend);
  has_removed = true;
  return {};
}

void CrowdImpl::release_removed() {
  has_removed = false;
  for (uint32_t i = 0; i < models.count(); ++i) {
    if (!models[i].removed) continue;
    planner.is_gone(i) ? models.release(i) : void(has_removed = true);
  }
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
  UpdateTimes made;
  made.begin = now();
  targets.assign(instances.targets.begin(), instances.targets.end());
  const crowd::PlanFrame planned{frame.seconds, views, frame.shadows, frame.up, frame.occlusion};
  if (Status status = planner.plan(instances, planned, options.parallel_for); !status) return status;
  if (has_removed) release_removed();
  if (parts.poses.write == nullptr) {  // others know no chains
    if (Status status = check_chains(targets, instances, models); !status) return status;
  }
  const crowd::Plan& plan = planner.last();
  made.planned = now();
  if (Status status = prepare(frame); !status) return status;
  made.prepared = now();
  if (Status status = evaluate_updated(); !status) return status;
  made.posed = now();
  for (uint32_t group = 0; group < plan.groups.size(); ++group) {
    if (plan.groups[group].updated) backend->skin(group);
  }
  made.skinned = now();
  draws.build(*this, plan, options.parallel_for);
  host_poses.find(plan, placed);
  if (options.planner.previous_poses) note_slices();
  made.end = now();
  times = made;
  return {};
}

/// Makes room for the poses of all groups that the frame updates.
Status CrowdImpl::prepare(const CrowdFrame& frame) {
  const crowd::Plan& plan = planner.last();
  if (Status status = attachments.begin(plan, options.parallel_for); !status) return status;
  SkinnerFrame begun{.number = frame.number != 0 ? frame.number : frame_number + 1};
  if (frame.last_completed != 0) begun.last_completed = frame.last_completed;
  if (Status status = backend->begin_frame(begun); !status) {
    std::string message = status.error().message;
    constexpr std::string_view kCalled = "begin_frame";  // the host has called update()
    if (message.starts_with(kCalled)) message.replace(0, kCalled.size(), "update");
    if (frame.number != 0) message += " (CrowdFrame::number; the crowd counts where it is 0)";
    return Error{status.error().code, message};
  }
  frame_number = begun.number;  // a number that was refused counts as none
  for (uint32_t group = 0; group < plan.groups.size(); ++group) {
    if (!plan.groups[group].updated) continue;
    if (Status status = prepare_group(group); !status) return status;
  }
  append_ranges(plan, *backend, placed);
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
    batches.push_back({models.mesh_of(batch).id, batch.mesh_count, palettes_of, plan.wearers_of(batch)});
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
  if (parts.poses.write == nullptr) return pose_loop.run(*this);
  for (const PlacedRange& own : updated) {
    const crowd::PosedBatch& batch = planner.last().batches[own.batch];
    if (batch.is_worn()) continue;
    Status status = parts.poses.write(parts.poses.user_data, batch.model, batch.level, playbacks_of(own), *own.range);
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
