#include "outfits.h"

#include <array>
#include <bit>
#include <utility>

namespace sinew::vulkan::internal {
namespace {

uint64_t outfit_of(const crowd::Instances& instances, uint32_t instance) {
  return instance < instances.outfits.size() ? instances.outfits[instance] : 0;
}

/// Calls `use(wearable)` for each bit.
template <class Use>
void for_each_bit(uint64_t bits, Use use) {
  for (; bits != 0; bits &= bits - 1) use(uint32_t(std::countr_zero(bits)));
}

std::span<const crowd::PosedBatch> batches_of(const crowd::Plan& plan, const crowd::UpdateGroup& group) {
  return std::span(plan.batches).subspan(group.first_batch, group.batch_count);
}

}  // namespace

uint32_t WornBits::number() {
  first_.resize(bits_.size());
  uint32_t next = 0;
  for (size_t mesh = 0; mesh < bits_.size(); ++mesh)
    first_[mesh] = std::exchange(next, next + uint32_t(std::popcount(bits_[mesh])));
  return next;
}

uint32_t WornBits::place_of(size_t mesh, uint32_t wearable) const {
  const uint64_t before = bits_[mesh] & ((uint64_t{1} << wearable) - 1);
  return first_[mesh] + uint32_t(std::popcount(before));
}

Outfits::WornBatch& Outfits::WornGroup::add(uint32_t body, uint32_t wearable, uint32_t mesh) {
  if (count == all.size()) all.emplace_back();
  WornBatch& added = all[count++];
  added.body = body, added.wearable = wearable, added.mesh = mesh;
  added.posed_meshes.clear();
  return added;
}

void Outfits::forget_frame() {
  worn_.clear();
  ranges_.clear(), wearables_.clear(), posed_meshes_.clear(), bodies_.clear(), instances_.clear(), wearers_.clear();
}

void Outfits::clear() {
  forget_frame();
  groups_.clear();
  now_.worn.clear(), now_.slices.clear(), before_.worn.clear(), before_.slices.clear();
}

void Outfits::begin(const CrowdModels& models, const crowd::Plan& plan, const crowd::Instances& instances) {
  forget_frame();
  if (!models.has_wearables()) return;
  groups_.resize(plan.groups.size());
  worn_.reset(plan.posed_meshes.size());
  if (!instances.outfits.empty()) find_worn(models, plan, instances);
  for (uint32_t g = 0; g < plan.groups.size(); ++g) {
    if (plan.groups[g].updated) continue;
    for (const WornBatch& batch : groups_[g].batches()) {
      const uint32_t first = plan.batches[plan.groups[g].first_batch + batch.body].first_mesh;
      for (const uint32_t mesh : batch.posed_meshes) worn_[first + mesh] |= uint64_t{1} << batch.wearable;
    }
  }
}

/// A pose of the frame before is worn as by the instances that are drawn now: their previous vertices are read.
void Outfits::find_worn(const CrowdModels& models, const crowd::Plan& plan, const crowd::Instances& instances) {
  for (const crowd::PosedBatch& batch : plan.batches) {
    const uint64_t all = models.drawn_wearables(batch.mesh);
    if (all == 0 || !plan.groups[batch.group].updated) continue;
    for (uint32_t m = batch.first_mesh; m < batch.first_mesh + batch.mesh_count; ++m) {
      const crowd::PosedMesh& mesh = plan.posed_meshes[m];
      for (uint32_t place = mesh.first_instance; place < mesh.first_instance + mesh.instance_count; ++place) {
        const uint64_t outfit = outfit_of(instances, plan.instances[place]) & all;
        worn_[m] |= outfit;
        if (place >= plan.previous_poses.size() || !plan.previous_poses[place].in_this_plan) continue;
        worn_[plan.previous_poses[place].posed_mesh] |= outfit;
      }
    }
  }
}

void Outfits::add_batches(const CrowdModels& models, const crowd::Plan& plan, uint32_t group,
                          std::vector<experimental::BackendBatch>& batches) {
  if (!models.has_wearables()) return;
  WornGroup& worn = groups_[group];
  worn.count = 0;
  const auto bodies = batches_of(plan, plan.groups[group]);
  std::array<uint32_t, kMaxWearables> index;  // in `worn`, of the wearables of one batch
  for (uint32_t body = 0; body < bodies.size(); ++body) {
    if (models.drawn_wearables(bodies[body].mesh) == 0) continue;
    index.fill(kNoWearable);
    for (uint32_t i = 0; i < bodies[body].mesh_count; ++i) {
      for_each_bit(worn_.of(bodies[body].first_mesh + i), [&](uint32_t wearable) {
        if (index[wearable] == kNoWearable) {
          index[wearable] = uint32_t(worn.count);
          worn.add(body, wearable, models.mesh_of_wearable(bodies[body].mesh, wearable));
        }
        worn.all[index[wearable]].posed_meshes.push_back(i);
      });
    }
  }
  for (const WornBatch& batch : worn.batches())
    batches.push_back({batch.mesh, uint32_t(batch.posed_meshes.size()), batch.body, batch.posed_meshes});
}

void Outfits::place(const crowd::Plan& plan, const experimental::SkinningBackend& backend,
                    const crowd::Instances& instances) {
  if (groups_.empty()) return;
  for (uint32_t group = 0; group < plan.groups.size(); ++group) {
    if (groups_[group].count == 0) continue;
    for (const InstanceRange& range : backend.ranges(group)) {
      if (range.batch >= plan.groups[group].batch_count) place_range(plan, group, range, instances);
    }
  }
  if (wearers_.empty()) return;
  instances_.assign(plan.instances.begin(), plan.instances.end());
  for (const Wearer& wearer : wearers_) instances_.push_back(plan.instances[wearer.place]);
}

void Outfits::place_range(const crowd::Plan& plan, uint32_t group, const InstanceRange& range,
                          const crowd::Instances& instances) {
  const crowd::UpdateGroup& own = plan.groups[group];
  const WornBatch& worn = groups_[group].all[range.batch - own.batch_count];
  const uint32_t batch = own.first_batch + worn.body;
  ranges_.push_back({group, batch, worn.mesh, uint32_t(posed_meshes_.size()), &range});
  wearables_.push_back(worn.wearable);
  for (uint32_t i = range.first_instance; i < range.first_instance + range.instance_count; ++i) {
    const uint32_t body = plan.batches[batch].first_mesh + worn.posed_meshes[i];
    crowd::PosedMesh mesh = plan.posed_meshes[body];
    const uint32_t first = mesh.first_instance, end = first + mesh.instance_count;
    mesh.first_instance = uint32_t(plan.instances.size() + wearers_.size()), mesh.instance_count = 0;
    for (uint32_t place = first; place < end; ++place) {
      if (own.updated && (outfit_of(instances, plan.instances[place]) >> worn.wearable & 1) == 0) continue;
      wearers_.push_back({place, worn.wearable});
      ++mesh.instance_count;
    }
    posed_meshes_.push_back(mesh);
    bodies_.push_back(body);
  }
}

uint64_t Outfits::drawn_on(const crowd::Plan& plan, const crowd::PosedBatch& batch, uint32_t posed_mesh,
                           uint32_t instance, const crowd::Instances& instances) const {
  const uint64_t worn = worn_.of(posed_mesh);
  return plan.groups[batch.group].updated ? worn & outfit_of(instances, instance) : worn;
}

void Outfits::note_slices() {
  std::swap(now_, before_);
  now_.worn = worn_;
  now_.slices.resize(now_.worn.number());
  for (size_t r = 0; r < ranges_.size(); ++r) {
    const InstanceRange& range = *ranges_[r].range;
    const VkDeviceSize mesh_bytes = VkDeviceSize{range.vertex_count} * range.vertex_bytes;
    for (uint32_t i = 0; i < range.instance_count; ++i) {
      const uint32_t place = now_.worn.place_of(bodies_[ranges_[r].first_mesh + i], wearables_[r]);
      now_.slices[place] = {range.vertices, range.vertices_offset + i * mesh_bytes};
    }
  }
}

const VertexSlice* Outfits::previous_of(const crowd::Plan& plan, size_t place) const {
  const Wearer& wearer = wearers_[place - plan.instances.size()];
  if (wearer.place >= plan.previous_poses.size()) return nullptr;
  const crowd::PreviousPose& pose = plan.previous_poses[wearer.place];
  const Slices& from = pose.in_this_plan ? now_ : before_;
  if ((from.worn.of(pose.posed_mesh) >> wearer.wearable & 1) == 0) return nullptr;
  return &from.slices[from.worn.place_of(pose.posed_mesh, wearer.wearable)];
}

}  // namespace sinew::vulkan::internal
