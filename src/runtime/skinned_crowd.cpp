#include "sinew/runtime/skinned_crowd.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "asset/call_scope.h"
#include "asset/error.h"
#include "asset/exceptions.h"
#include "crowd_impl.h"
#include "sinew/experimental/kernel.h"

namespace sinew::vulkan {

using namespace sinew::internal;
using namespace internal;
namespace {

Error empty_crowd() { return {ErrorCode::kInvalidArgument, "the crowd is empty: it was not made by create()"}; }

Error no_previous_poses(const char* call) {
  return {ErrorCode::kInvalidArgument,
          std::string(call) + ": the crowd keeps no previous vertices: set CrowdOptions::planner.previous_poses"};
}

/// Runs `body` where no other call of the crowd runs.
template <class Body>
auto alone(CrowdImpl* crowd, const char* call, const Body& body) -> decltype(body(*crowd)) {
  if (crowd == nullptr) return empty_crowd();
  const CallScope scope(crowd->running, call);
  if (scope.other() != nullptr) return not_alone(call, scope.other(), "crowd");
  return body(*crowd);
}

const crowd::Plan& no_plan() {
  static const crowd::Plan kNone;
  return kNone;
}

}  // namespace

SkinnedCrowd::SkinnedCrowd() noexcept = default;
SkinnedCrowd::SkinnedCrowd(std::unique_ptr<CrowdImpl> impl) : impl_(std::move(impl)) {}
SkinnedCrowd::SkinnedCrowd(SkinnedCrowd&&) noexcept = default;
SkinnedCrowd& SkinnedCrowd::operator=(SkinnedCrowd&&) noexcept = default;
SkinnedCrowd::~SkinnedCrowd() = default;

Result<SkinnedCrowd> SkinnedCrowd::create(const SkinnerInfo& info, std::span<const SharedModel> models,
                                          const CrowdOptions& options) SINEW_TRY {
  auto impl = CrowdImpl::create(info, models, options, {});
  if (!impl) return impl.error();
  return SkinnedCrowd(std::move(*impl));
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

std::span<const SharedModel> SkinnedCrowd::models() const {
  return impl_ ? impl_->models.shared() : std::span<const SharedModel>();
}

Result<MeshStreams> SkinnedCrowd::make_streams() const SINEW_TRY {
  if (!impl_) return empty_crowd();
  return impl_->models.make_streams();
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Result<MeshStreams> SkinnedCrowd::make_streams(uint32_t model) const SINEW_TRY {
  if (!impl_) return empty_crowd();
  if (!impl_->models.is_there(model)) return no_model("make_streams", model);
  return impl_->models.make_streams(model);
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

struct PreparedModel::Impl {
  CrowdModel model;
  crowd::MeasuredModel measured;
  uint64_t crowd = 0;  // CrowdImpl::serial of the one that prepared it
};
PreparedModel::PreparedModel() noexcept = default;
PreparedModel::PreparedModel(PreparedModel&&) noexcept = default;
PreparedModel& PreparedModel::operator=(PreparedModel&&) noexcept = default;
PreparedModel::~PreparedModel() = default;

Result<PreparedModel> SkinnedCrowd::prepare_model(const SharedModel& model, const ModelUse& use) const SINEW_TRY {
  if (!impl_) return empty_crowd();
  if (!model) return Error{ErrorCode::kInvalidArgument, "prepare_model: the model is null"};
  PreparedModel prepared;
  prepared.impl_ = std::make_unique<PreparedModel::Impl>();
  PreparedModel::Impl& own = *prepared.impl_;
  own.crowd = impl_->serial;
  Status made = put_value(internal::prepare_model(model, use, impl_->options, impl_->parts), own.model);
  if (made && impl_->backend == &impl_->own_backend) made = prepare_meshes(own.model, impl_->own_backend);
  if (made) made = put_value(impl_->planner.measure(model_info_of(own.model)), own.measured);
  if (!made) return made.error();
  return prepared;
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Result<uint32_t> SkinnedCrowd::add_model(PreparedModel model) SINEW_TRY {
  return alone(impl_.get(), "add_model", [&](CrowdImpl& crowd) -> Result<uint32_t> {
    if (!model.impl_)
      return Error{ErrorCode::kInvalidArgument,
                   "add_model: it is empty, or was added: SkinnedCrowd::prepare_model() makes one"};
    if (model.impl_->crowd != crowd.serial)
      return Error{ErrorCode::kInvalidArgument, "add_model: another crowd has prepared the model"};
    return crowd.add(std::move(model.impl_->model), std::move(model.impl_->measured));
  });
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Status SkinnedCrowd::remove_model(uint32_t model) SINEW_TRY {
  return alone(impl_.get(), "remove_model", [&](CrowdImpl& crowd) { return crowd.remove(model); });
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Status SkinnedCrowd::update(const CrowdFrame& frame, const crowd::Instances& instances,
                            std::span<const crowd::View> views) SINEW_TRY {
  return alone(impl_.get(), "update", [&](CrowdImpl& crowd) { return crowd.update(frame, instances, views); });
}
SINEW_CATCH_BAD_ALLOC({
  impl_->forget_frame();
  impl_->planner.update_all();
  return out_of_memory();
})

void SkinnedCrowd::record(VkCommandBuffer cmd, const RecordInfo& info) {
  if (impl_ && impl_->has_frame) impl_->backend->record(cmd, info);
}

Status SkinnedCrowd::discard_frame() {
  return alone(impl_.get(), "discard_frame", [&](CrowdImpl& crowd) -> Status {
    if (Status status = crowd.backend->discard_frame(); !status) return status;
    crowd.forget_frame();
    crowd.planner.update_all();
    return {};
  });
}

std::span<const Draw> SkinnedCrowd::draws() const { return impl_ ? impl_->draws.draws() : std::span<const Draw>(); }

std::span<const crowd::DrawCommand> SkinnedCrowd::commands() const {
  return impl_ ? impl_->draws.commands() : std::span<const crowd::DrawCommand>();
}

const crowd::Plan& SkinnedCrowd::plan() const { return impl_ && impl_->has_frame ? impl_->planner.last() : no_plan(); }

std::span<const uint32_t> SkinnedCrowd::instances() const { return plan().instances; }

void SkinnedCrowd::write_transforms(const crowd::Instances& instances, std::span<Matrix3x4> out) const {
  constexpr size_t kAtOnce = 4096;
  const std::span<const uint32_t> drawn = this->instances();
  if (drawn.empty()) return;
  for_each_index(impl_->options.parallel_for, uint32_t((drawn.size() + kAtOnce - 1) / kAtOnce), [&](uint32_t task) {
    const size_t end = std::min({(task + 1) * kAtOnce, drawn.size(), out.size()});
    for (size_t i = task * kAtOnce; i < end; ++i) out[i] = instances.transform_of(drawn[i]);
  });
}

void SkinnedCrowd::write_first_vertices(std::span<uint32_t> out) const {
  if (!impl_) return;
  const std::span<const crowd::PosedMesh> meshes = plan().posed_meshes;
  for_each_index(impl_->options.parallel_for, uint32_t(impl_->placed.size()), [&](uint32_t i) {
    const PlacedRange& placed = impl_->placed[i];
    const InstanceRange& range = *placed.range;
    crowd::write_first_vertices(meshes.subspan(placed.first_mesh, range.instance_count),
                                {0, 0, first_vertex_of(range), range.vertex_count}, out);
  });
}

Status SkinnedCrowd::write_previous_vertices(std::span<VertexSlice> out) const {
  if (!impl_) return empty_crowd();
  if (!impl_->options.planner.previous_poses) return no_previous_poses("write_previous_vertices");
  const size_t count = std::min(out.size(), instances().size());
  for (size_t place = 0; place < count; ++place) {
    const VertexSlice* const previous = impl_->previous_of(place);
    out[place] = previous != nullptr ? *previous : VertexSlice();
  }
  return {};
}

HostPose SkinnedCrowd::host_pose(uint32_t instance, bool previous) {
  HostPose pose;
  const HostPosedMesh* mesh = impl_ ? impl_->host_poses.of(instance, previous) : nullptr;
  if (mesh == nullptr) return pose;
  const InstanceRange& range = *mesh->placed->range;
  const crowd::Plan& of = plan();
  const crowd::PosedBatch& batch = of.batches[mesh->placed->batch];
  const CrowdPalette& palette = impl_->models.palette_of(batch);
  const size_t entries = palette.skin->palette_size(), first = size_t{mesh->index} * range.palette_stride;
  if (palette.compact)
    pose.compact_palette = range.compact_palettes.subspan(first, entries);
  else
    pose.palette = range.palettes.subspan(first, entries);
  if (range.target_count > 0)
    pose.weights = range.weights.subspan(size_t{mesh->index} * range.weight_stride, range.target_count);
  const size_t sockets = impl_->models[batch.model].socket_count();
  pose.sockets =
      impl_->attachments.of(of, mesh->placed->batch).subspan((range.first_instance + mesh->index) * sockets, sockets);
  return pose;
}

void SkinnedCrowd::place_sockets(const crowd::Instances& instances, std::span<const crowd::SocketRequest> requests,
                                 std::span<Matrix3x4> out) const {
  if (!impl_) return;
  if (!impl_->has_frame) {
    std::fill(out.begin(), out.end(), Matrix3x4{{{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}});
    return;
  }
  impl_->attachments.place(plan(), instances, requests, out, impl_->options.parallel_for);
}

std::optional<Playback> SkinnedCrowd::playback_of(uint32_t instance) const {
  const std::optional<uint32_t> posed_mesh = posed_mesh_of(instance);
  if (!posed_mesh) return {};
  return plan().playbacks[*posed_mesh];
}

std::optional<PlacedMesh> SkinnedCrowd::posed_mesh(uint32_t index) const {
  const crowd::Plan& of = plan();
  if (index >= of.posed_meshes.size()) return {};
  const auto after = std::ranges::upper_bound(impl_->placed, index, {}, &PlacedRange::first_mesh);
  if (after == impl_->placed.begin()) return {};
  const PlacedRange* const placed = &*(after - 1);
  const uint32_t instances = of.posed_meshes[index].instance_count, in_range = index - placed->first_mesh;
  if (in_range >= placed->range->instance_count) return {};
  const crowd::PosedBatch& batch = of.batches[placed->batch];
  return PlacedMesh{index, placed->group, batch.model, batch.level, batch.wearable, instances, placed->range, in_range};
}

std::optional<uint32_t> SkinnedCrowd::posed_mesh_of(uint32_t instance) const {
  if (!impl_) return {};
  const std::vector<uint32_t>& bodies = impl_->bodies();
  if (instance >= bodies.size() || bodies[instance] == crowd::kNoPosedMesh) return {};
  return bodies[instance];
}

Status SkinnedCrowd::set_mask(uint32_t model, uint32_t mask, std::span<const float> factors) {
  return alone(impl_.get(), "set_mask", [&](CrowdImpl& crowd) -> Status {
    if (!crowd.models.is_there(model)) return no_model("set_mask", model);
    return crowd.models.set_mask(model, mask, factors);
  });
}

Status SkinnedCrowd::set_chains(uint32_t model, std::span<const Chain> chains) SINEW_TRY {
  return alone(impl_.get(), "set_chains", [&](CrowdImpl& crowd) -> Status {
    if (!crowd.models.is_there(model)) return no_model("set_chains", model);
    if (Status status = crowd.models.set_chains(model, chains); !status) return status;
    return crowd.planner.set_chain_margin(model, crowd.models[model].chain_margin);
  });
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

crowd::Planner& SkinnedCrowd::planner() {
  static crowd::Planner none;  // empty: its calls do nothing
  return impl_ ? impl_->planner : none;
}
const crowd::Planner& SkinnedCrowd::planner() const { return const_cast<SkinnedCrowd*>(this)->planner(); }

const Skinner& SkinnedCrowd::skinner() const {
  static const Skinner none;
  return impl_ ? impl_->own_backend.skinner() : none;
}

const UpdateTimes& SkinnedCrowd::times() const {
  static const UpdateTimes none;
  return impl_ ? impl_->times : none;
}

namespace experimental {

Result<SkinnedCrowd> create_crowd(const SkinnerInfo& info, std::span<const SharedModel> models,
                                  const CrowdOptions& options, const CrowdParts& parts) SINEW_TRY {
  auto impl = CrowdImpl::create(info, models, options, parts);
  if (!impl) return impl.error();
  return SkinnedCrowd(std::move(*impl));
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Status reload_kernel(SkinnedCrowd& crowd, std::span<const uint32_t> spirv) {
  if (!crowd.impl_) return empty_crowd();
  return reload_kernel(crowd.impl_->own_backend.skinner(), spirv);
}

}  // namespace experimental

void Draw::record(VkCommandBuffer cmd, uint32_t binding) const {
  if (crowd == nullptr) return;
  const CrowdImpl& own = *crowd;
  const VkDeviceSize offset = VkDeviceSize{first_vertex} * own.vertex_bytes;
  if (pulled == 0) own.bind_vertex_buffers(cmd, binding, 1, &vertex_buffer, &offset);
  for (const crowd::DrawCommand& c : own.draws.commands().subspan(first_command, command_count))
    own.draw_indexed(cmd, c.index_count, c.instance_count, c.first_index, c.vertex_offset, c.first_instance);
}

Status Draw::record_with_previous(VkCommandBuffer cmd, uint32_t binding) const {
  if (crowd == nullptr)
    return Error{ErrorCode::kInvalidArgument, "record_with_previous: the draw is empty: see SkinnedCrowd::draws()"};
  const CrowdImpl& own = *crowd;
  if (!own.options.planner.previous_poses) return no_previous_poses("record_with_previous");
  if (pulled != 0) {
    return Error{ErrorCode::kInvalidArgument,
                 "record_with_previous: the draw is pulled: see SkinnedCrowd::write_previous_vertices()"};
  }
  const VkDeviceSize vertex_bytes = own.vertex_bytes;
  for (const crowd::DrawCommand& c : own.draws.commands().subspan(first_command, command_count)) {
    const VertexSlice now{vertex_buffer, (VkDeviceSize{first_vertex} + VkDeviceSize(c.vertex_offset)) * vertex_bytes};
    const auto previous_at = [&](uint32_t i) {
      const VertexSlice* previous = own.previous_of(c.first_instance + i);
      return previous != nullptr ? *previous : now;
    };
    for (uint32_t begin = 0, end = 0; begin < c.instance_count; begin = end) {
      const VertexSlice previous = previous_at(begin);
      while (end < c.instance_count && previous_at(end) == previous) ++end;
      const std::array buffers{now.buffer, previous.buffer};
      const std::array offsets{now.offset, previous.offset};
      own.bind_vertex_buffers(cmd, binding, 2, buffers.data(), offsets.data());
      own.draw_indexed(cmd, c.index_count, end - begin, c.first_index, 0, c.first_instance + begin);
    }
  }
  return {};
}

}  // namespace sinew::vulkan
