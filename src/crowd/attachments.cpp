#include "sinew/crowd/attachments.h"

#include <algorithm>
#include <vector>

#include "asset/exceptions.h"
#include "asset/for_each.h"
#include "posed_mesh_loop.h"
#include "visible_instances.h"

namespace sinew::crowd {

using namespace internal;
using sinew::internal::out_of_memory;
using sinew::internal::Pieces;
namespace {

constexpr uint32_t kMinRequestsPerPiece = 4096;
constexpr Matrix3x4 kZero{{{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}};

}  // namespace

struct Attachments::Impl {
  /// Where the posed mesh of an instance is. Valid if `frame` is the current one.
  struct Place {
    uint32_t batch = 0, mesh = 0;  // `mesh` within the batch
    uint64_t frame = 0;
  };

  Status begin(const Plan& plan, const ParallelFor& parallel_for);
  Status lay_out(const Plan& plan);
  void find_places(const Plan& plan, const ParallelFor& parallel_for);
  Matrix3x4 world_from_socket(const Plan& plan, const Instances& instances, const SocketRequest& request) const;

  std::vector<uint32_t> socket_counts;         // of each model
  std::vector<std::vector<Matrix3x4>> groups;  // of each update group: of its posed meshes in turn
  std::vector<size_t> first_of_batch;          // of each batch: in its group's matrices
  std::vector<Place> places;                   // of each instance
  uint64_t frame = 0;
};

Status Attachments::Impl::begin(const Plan& plan, const ParallelFor& parallel_for) {
  ++frame;
  if (Status laid_out = lay_out(plan); !laid_out) return laid_out;
  const bool has_sockets = std::ranges::any_of(socket_counts, [](uint32_t count) { return count > 0; });
  if (has_sockets) find_places(plan, parallel_for);
  return {};
}

/// A group that is not updated has the batches of the frame before, so its matrices are already in place.
Status Attachments::Impl::lay_out(const Plan& plan) {
  groups.resize(plan.groups.size());
  first_of_batch.clear();
  for (size_t g = 0; g < plan.groups.size(); ++g) {
    const UpdateGroup& group = plan.groups[g];
    size_t count = 0;
    for (const PosedBatch& batch : std::span(plan.batches).subspan(group.first_batch, group.batch_count)) {
      if (batch.model >= socket_counts.size())
        return Error{ErrorCode::kInvalidArgument, "attachments: a model of the plan has no socket count"};
      first_of_batch.push_back(count);
      if (!batch.is_worn()) count += size_t{batch.mesh_count} * socket_counts[batch.model];
    }
    reserve_with_margin(groups[g], count);
    groups[g].resize(count);
  }
  return {};
}

void Attachments::Impl::find_places(const Plan& plan, const ParallelFor& parallel_for) {
  const auto highest = std::max_element(plan.instances.begin(), plan.instances.end());
  if (highest != plan.instances.end() && *highest >= places.size()) {
    reserve_with_margin(places, size_t{*highest} + 1);
    places.resize(size_t{*highest} + 1);
  }
  for_each_body(plan, parallel_for, [&](uint32_t b, uint32_t m) {
    const PosedMesh& mesh = plan.posed_meshes[m];
    for (uint32_t i = mesh.first_instance; i < mesh.first_instance + mesh.instance_count; ++i)
      places[plan.instances[i]] = {b, m - plan.batches[b].first_mesh, frame};
  });
}

Matrix3x4 Attachments::Impl::world_from_socket(const Plan& plan, const Instances& instances,
                                               const SocketRequest& request) const {
  if (request.instance >= places.size() || places[request.instance].frame != frame) return kZero;
  const Place& place = places[request.instance];
  const PosedBatch& batch = plan.batches[place.batch];
  const uint32_t count = socket_counts[batch.model];
  const bool placed = instances.world_from_model_source.at || request.instance < instances.world_from_model.size();
  if (request.socket >= count || !placed) return kZero;
  const size_t index = first_of_batch[place.batch] + size_t{place.mesh} * count + request.socket;
  return instances.transform_of(request.instance) * groups[batch.group][index];
}

Attachments::Attachments(std::span<const uint32_t> socket_counts) noexcept {
  SINEW_TRY {
    impl_ = std::make_unique<Impl>();
    impl_->socket_counts.assign(socket_counts.begin(), socket_counts.end());
  }
  SINEW_CATCH_BAD_ALLOC(impl_.reset(); out_of_memory_ = true;)
}
Attachments::Attachments() noexcept = default;
Attachments::Attachments(Attachments&&) noexcept = default;
Attachments& Attachments::operator=(Attachments&&) noexcept = default;
Attachments::~Attachments() = default;

Status Attachments::set_socket_count(uint32_t model, uint32_t socket_count) SINEW_TRY {
  if (!impl_) impl_ = std::make_unique<Impl>();
  if (model >= impl_->socket_counts.size()) impl_->socket_counts.resize(size_t{model} + 1);
  impl_->socket_counts[model] = socket_count;
  return {};
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Status Attachments::begin(const Plan& plan, const ParallelFor& parallel_for) SINEW_TRY {
  if (impl_) return impl_->begin(plan, parallel_for);
  if (out_of_memory_) return out_of_memory();
  return Error{ErrorCode::kInvalidArgument,
               "attachments: they are empty, because they were moved from or have no socket counts"};
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

std::span<Matrix3x4> Attachments::of(const Plan& plan, uint32_t batch) {
  if (!impl_ || batch >= impl_->first_of_batch.size() || batch >= plan.batches.size()) return {};
  const PosedBatch& own = plan.batches[batch];
  if (own.is_worn()) return {};
  const size_t count = size_t{own.mesh_count} * impl_->socket_counts[own.model];
  return std::span(impl_->groups[own.group]).subspan(impl_->first_of_batch[batch], count);
}

void Attachments::place(const Plan& plan, const Instances& instances, std::span<const SocketRequest> requests,
                        std::span<Matrix3x4> world_from_socket, const ParallelFor& parallel_for) const {
  if (!impl_) return;
  requests = requests.first(std::min(requests.size(), world_from_socket.size()));
  const Pieces pieces(uint32_t(requests.size()), kMinRequestsPerPiece);
  for_each_index(parallel_for, pieces.count(), [&](uint32_t piece) {
    for (uint32_t i = pieces.begin(piece); i < pieces.end(piece); ++i)
      world_from_socket[i] = impl_->world_from_socket(plan, instances, requests[i]);
  });
}

}  // namespace sinew::crowd
