#include "worn_meshes.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace sinew::crowd::internal {
namespace {

uint64_t outfit_of(const Instances& instances, uint32_t instance) {
  return instance < instances.outfits.size() ? instances.outfits[instance] : 0;
}

constexpr uint64_t bit_of(uint32_t wearable) { return uint64_t{1} << wearable; }

std::span<const PosedBatch> batches_of(const Plan& plan, const UpdateGroup& group) {
  return std::span(plan.batches).subspan(group.first_batch, group.batch_count);
}

/// Calls `use(body, wearable, posed_mesh)` for each posed mesh of a wearable; `body` is the posed mesh of its body.
template <class Use>
void for_each_worn(const Plan& plan, Use use) {
  for (const PosedBatch& batch : plan.batches) {
    if (!batch.is_worn()) continue;
    for (uint32_t mesh = batch.first_mesh; mesh < batch.first_mesh + batch.mesh_count; ++mesh)
      use(plan.body_of(batch, mesh), batch.wearable, mesh);
  }
}

}  // namespace

void WornIndex::build(const Plan& plan) {
  worn_.clear();
  if (plan.wearers.empty()) return;
  worn_.assign(plan.playbacks.size(), 0);
  for_each_worn(plan, [&](uint32_t body, uint32_t wearable, uint32_t) { worn_[body] |= bit_of(wearable); });
  first_.resize(worn_.size());
  uint32_t next = 0;
  for (size_t body = 0; body < worn_.size(); ++body)
    first_[body] = std::exchange(next, next + uint32_t(std::popcount(worn_[body])));
  meshes_.resize(next);
  for_each_worn(plan, [&](uint32_t body, uint32_t wearable, uint32_t mesh) {
    const uint64_t before = worn_[body] & (bit_of(wearable) - 1);
    meshes_[first_[body] + uint32_t(std::popcount(before))] = mesh;
  });
}

uint32_t WornIndex::posed_mesh_of(uint32_t body, uint32_t wearable) const {
  if (body >= worn_.size() || (worn_[body] & bit_of(wearable)) == 0) return kNoPosedMesh;
  return meshes_[first_[body] + uint32_t(std::popcount(worn_[body] & (bit_of(wearable) - 1)))];
}

void WornMeshes::set_models(std::span<const ModelInfo> models) {
  std::vector<uint64_t> drawn;
  std::vector<uint32_t> first_drawn;
  uint64_t any = 0;
  for (const ModelInfo& model : models) {
    first_drawn.push_back(uint32_t(drawn.size()));
    for (const Level& level : model.levels) {
      uint64_t bits = 0;
      for (uint32_t w = 0; w < level.wearable_vertices.size(); ++w)
        bits |= level.wearable_vertices[w] > 0 ? bit_of(w) : 0;
      drawn.push_back(bits), any |= bits;
    }
  }
  drawn_ = std::move(drawn), first_drawn_ = std::move(first_drawn);
  has_wearables_ = any != 0;
}

void WornMeshes::begin(const Plan& previous, bool wants_previous_poses) {
  previous_ = &previous, wants_previous_poses_ = wants_previous_poses;
  if (has_wearables_ && wants_previous_poses) before_.build(previous);
}

void WornMeshes::append(const Instances& instances, Plan& plan) {
  plan.wearers.clear(), wearers_.clear();
  if (!has_wearables_) return;
  const bool worn_now = find_worn(instances, plan);
  if (!worn_now && !is_repeated(plan)) return;
  bodies_.assign(plan.batches.begin(), plan.batches.end());
  plan.batches.clear();
  for (uint32_t group = 0; group < plan.groups.size(); ++group) append_group(instances, group, plan);
  if (wants_previous_poses_) write_previous_poses(plan);
}

/// A pose of the frame before is worn as by the instances that are drawn now: their previous vertices are read.
bool WornMeshes::find_worn(const Instances& instances, const Plan& plan) {
  uint64_t any = 0;
  worn_.assign(plan.posed_meshes.size(), 0);
  if (instances.outfits.empty()) return false;
  for (const PosedBatch& batch : plan.batches) {
    const uint64_t all = drawn_wearables(batch);
    if (all == 0 || !plan.groups[batch.group].updated) continue;
    for (uint32_t m = batch.first_mesh; m < batch.first_mesh + batch.mesh_count; ++m) {
      const PosedMesh& mesh = plan.posed_meshes[m];
      for (uint32_t place = mesh.first_instance; place < mesh.first_instance + mesh.instance_count; ++place) {
        const uint64_t outfit = outfit_of(instances, plan.instances[place]) & all;
        worn_[m] |= outfit, any |= outfit;
        if (place >= plan.previous_poses.size() || !plan.previous_poses[place].in_this_plan) continue;
        worn_[plan.previous_poses[place].posed_mesh] |= outfit;
      }
    }
  }
  return any != 0;
}

/// Whether a group that is not updated has wearables.
bool WornMeshes::is_repeated(const Plan& plan) const {
  return !previous_->wearers.empty() &&
         std::ranges::any_of(plan.groups, [](const UpdateGroup& group) { return !group.updated; });
}

void WornMeshes::append_group(const Instances& instances, uint32_t g, Plan& plan) {
  UpdateGroup& group = plan.groups[g];
  const auto own = std::span(bodies_).subspan(group.first_batch, group.batch_count);
  group.first_batch = uint32_t(plan.batches.size());
  for (PosedBatch body : own) {
    body.bodies = uint32_t(plan.batches.size());
    plan.batches.push_back(body);
  }
  if (group.updated) {
    for (uint32_t i = 0; i < own.size(); ++i) append_new(instances, group.first_batch + i, plan);
  } else {
    repeat(previous_->groups[g], group, plan);
  }
  group.batch_count = uint32_t(plan.batches.size()) - group.first_batch;
}

/// What is worn with the batch `bodies`: wearables in the order in which they are met.
void WornMeshes::append_new(const Instances& instances, uint32_t bodies, Plan& plan) {
  const PosedBatch batch = plan.batches[bodies];
  if (drawn_wearables(batch) == 0) return;
  std::array<uint32_t, kMaxWearables> order;
  uint32_t count = 0;
  for (uint32_t i = 0; i < batch.mesh_count; ++i) {
    for (uint64_t left = worn_[batch.first_mesh + i]; left != 0; left &= left - 1) {
      const uint32_t wearable = uint32_t(std::countr_zero(left));
      if (bodies_with_[wearable].empty()) order[count++] = wearable;
      bodies_with_[wearable].push_back(i);
    }
  }
  for (const uint32_t wearable : std::span(order).first(count)) {
    PosedBatch worn = batch;
    worn.wearable = wearable;
    add_batch(instances, worn, bodies_with_[wearable], plan);
    bodies_with_[wearable].clear();
  }
}

/// The bodies of the group are those of the plan before, in the same order.
void WornMeshes::repeat(const UpdateGroup& before, const UpdateGroup& now, Plan& plan) {
  for (const PosedBatch& batch : batches_of(*previous_, before)) {
    if (!batch.is_worn()) continue;
    PosedBatch worn = batch;
    worn.bodies = now.first_batch + (batch.bodies - before.first_batch);
    add_batch({}, worn, previous_->wearers_of(batch), plan);
  }
}

void WornMeshes::add_batch(const Instances& instances, PosedBatch batch, std::span<const uint32_t> wearers,
                           Plan& plan) {
  batch.first_mesh = uint32_t(plan.posed_meshes.size()), batch.mesh_count = uint32_t(wearers.size());
  plan.batches.push_back(batch);
  plan.wearers.insert(plan.wearers.end(), wearers.begin(), wearers.end());
  for (const uint32_t wearer : wearers)
    add_mesh(instances, plan.batches[batch.bodies].first_mesh + wearer, batch, plan);
}

/// The wearable of `batch` on a body, with those instances of the body that wear it.
void WornMeshes::add_mesh(const Instances& instances, uint32_t body, const PosedBatch& batch, Plan& plan) {
  PosedMesh mesh = plan.posed_meshes[body];
  const bool updated = plan.groups[batch.group].updated;
  const uint32_t first = mesh.first_instance, end = first + mesh.instance_count;
  mesh.first_instance = uint32_t(plan.instances.size());
  for (uint32_t place = first; place < end; ++place) {
    const uint32_t instance = plan.instances[place];
    if (updated && (outfit_of(instances, instance) & bit_of(batch.wearable)) == 0) continue;
    plan.instances.push_back(instance);
    wearers_.push_back({place, batch.wearable});
  }
  mesh.instance_count = uint32_t(plan.instances.size()) - mesh.first_instance;
  plan.posed_meshes.push_back(mesh);
}

void WornMeshes::write_previous_poses(Plan& plan) {
  now_.build(plan);
  for (const Wearer& wearer : wearers_) plan.previous_poses.push_back(previous_pose_of(wearer, plan));
}

PreviousPose WornMeshes::previous_pose_of(const Wearer& wearer, const Plan& plan) const {
  const PreviousPose& body = plan.previous_poses[wearer.place];
  if (body.posed_mesh == kNoPosedMesh) return {};
  const WornIndex& worn = body.in_this_plan ? now_ : before_;
  const uint32_t mesh = worn.posed_mesh_of(body.posed_mesh, wearer.wearable);
  return mesh == kNoPosedMesh ? PreviousPose() : PreviousPose{mesh, body.in_this_plan};
}

}  // namespace sinew::crowd::internal
