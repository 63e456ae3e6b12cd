#include "cast.h"

#include <algorithm>
#include <glm/geometric.hpp>
#include <numeric>
#include <utility>

namespace sinew::app {
namespace {

constexpr uint32_t kLookedAtAtOnce = 2048;  // instances
constexpr float kHeroPixels = 120;          // from this height on nobody's pose is shared
constexpr float kHysteresis = 0.8f;  // of the pixels that a level may be off, from which on it gets coarser again
constexpr uint32_t kNoCopy = UINT32_MAX;

}  // namespace

Casting::Casting(std::span<const Model> models, const Scene& scene, const CastOptions& options, ThreadPool& pool)
    : models_(models), scene_(scene), options_(options), pool_(pool), levels_(scene.instances.size()) {
  for (uint32_t model = 0; model < models.size(); ++model) {
    for (uint32_t level = 0; level < models[model].levels.size(); ++level)
      meshes_.push_back({model, level, uint32_t(meshes_.size())});
  }
  for (const Batch& batch : scene.batches) {
    for (uint32_t i = batch.first_instance; i < batch.first_instance + batch.instance_count && options.cull; ++i) {
      spheres_.push_back(sphere_of(models[batch.model], scene.instances[i]));
      floor_ = std::min(floor_, floor_of(models[batch.model], scene.instances[i]));
    }
    for (uint32_t done = 0; done < batch.instance_count; done += kLookedAtAtOnce) {
      const uint32_t count = std::min(kLookedAtAtOnce, batch.instance_count - done);
      chunks_.push_back({batch.model, batch.first_instance + done, count, {}});
    }
  }
  economy_.unique_poses = options.unique_poses;
  share_poses();
}

void Casting::set_economy(const Economy& economy) {
  const bool same_poses = economy.unique_poses == economy_.unique_poses;
  economy_ = economy;
  if (!same_poses) share_poses();
}

void Casting::share_poses() {
  buckets_.clear();
  if (economy_.unique_poses == 0) return;
  if (turns_.empty()) {
    for (const Model& model : models_) turns_.push_back(measure_turns(model));
  }
  const uint32_t of_each = std::max(economy_.unique_poses / std::max(uint32_t(meshes_.size()), 1u), 1u);
  for (size_t model = 0; model < models_.size(); ++model) buckets_.emplace_back(models_[model], turns_[model], of_each);
}

float Casting::shared_radians() const {
  float radians = 0;
  for (const PoseBuckets& buckets : buckets_) radians = std::max(radians, buckets.radians());
  return radians;
}

const Cast& Casting::cast(const View& view, double seconds) {
  Look frame{frustum_of(view.clip_from_world), view, seconds, {}};
  if (!view.shadows.empty()) frame.shadows = reach_of(view, floor_);
  pool_.for_each(uint32_t(chunks_.size()), [&](uint32_t chunk) { look(chunks_[chunk], frame); });
  sort_by_mesh();
  cast_.seconds = seconds;
  cast_.batches.clear(), cast_.copies.clear(), cast_.playbacks.clear(), cast_.sharers.clear();
  for (const CastBatch& mesh : meshes_) {
    const uint32_t first = first_of_mesh_[mesh.mesh], end = first_of_mesh_[mesh.mesh + 1];
    if (first < end) add_batch(mesh, std::span(sorted_).subspan(first, end - first));
  }
  cast_.counters.levels.clear();
  for (const CastBatch& mesh : meshes_) {
    if (mesh.level >= cast_.counters.levels.size()) cast_.counters.levels.resize(mesh.level + 1);
    cast_.counters.levels[mesh.level] += first_of_mesh_[mesh.mesh + 1] - first_of_mesh_[mesh.mesh];
  }
  cast_.counters.visible = uint32_t(sorted_.size());
  cast_.counters.shared = uint32_t(cast_.sharers.size() - cast_.copies.size());
  cast_.counters.casters = 0;
  for (const Member* member : sorted_) cast_.counters.casters += member->caster;
  cast_.counters.culled = uint32_t(scene_.instances.size() - sorted_.size());
  return cast_;
}

bool Casting::may_count(uint32_t instance, const Look& frame) const {
  return frame.shadows ? may_shade(frame.frustum, spheres_[instance], *frame.shadows)
                       : may_see(frame.frustum, spheres_[instance]);
}

/// All that is done for everybody is the sphere's test.
void Casting::look(Chunk& chunk, const Look& frame) {
  const Model& model = models_[chunk.model];
  chunk.seen.clear();
  for (uint32_t i = chunk.first_instance; i < chunk.first_instance + chunk.instance_count; ++i) {
    if (options_.cull && !may_count(i, frame)) continue;
    const CrowdInstance& instance = scene_.instances[i];
    const Playback playback = playback_at(model, instance, frame.seconds);
    const bool seen = !options_.cull || !model.bounds || may_see(frame.frustum, model, instance, playback);
    if (!seen && !(frame.shadows && may_shade(frame.frustum, model, instance, playback, *frame.shadows))) continue;
    const glm::vec3 place(instance.position.x, model.height / 2, instance.position.z);
    const float pixels_per_metre = frame.view.pixels_per_radian / glm::distance(frame.view.eye, place);
    const uint32_t level = options_.levels ? choose_level(model, pixels_per_metre, levels_[i]) : 0;
    Member& member = chunk.seen.emplace_back(Member{i, level, {}, playback, !seen});
    if (!buckets_.empty() && model.height * pixels_per_metre < kHeroPixels)
      member.bucket = buckets_[chunk.model].bucket_of(playback);
  }
}

/// The coarsest whose error is too small to see. From `level`, the last one, it gets coarser later than finer, so that
/// who stands at the border does not flicker.
uint32_t Casting::choose_level(const Model& model, float pixels_per_metre, uint8_t& level) const {
  const auto error = [&](size_t of) { return model.levels[of].error * pixels_per_metre; };
  while (level > 0 && error(level) > economy_.error_pixels) --level;
  while (level + 1u < model.levels.size() && error(level + 1u) <= economy_.error_pixels * kHysteresis) ++level;
  return level;
}

/// Counts, then places: stable.
void Casting::sort_by_mesh() {
  std::vector<uint32_t> first_of_model(models_.size());
  for (const CastBatch& mesh : meshes_) {
    if (mesh.level == 0) first_of_model[mesh.model] = mesh.mesh;
  }
  first_of_mesh_.assign(meshes_.size() + 1, 0);
  for (const Chunk& chunk : chunks_) {
    for (const Member& member : chunk.seen) ++first_of_mesh_[first_of_model[chunk.model] + member.level + 1];
  }
  std::partial_sum(first_of_mesh_.begin(), first_of_mesh_.end(), first_of_mesh_.begin());
  sorted_.resize(first_of_mesh_.back());
  std::vector<uint32_t> next(first_of_mesh_.begin(), first_of_mesh_.end() - 1);
  for (const Chunk& chunk : chunks_) {
    for (const Member& member : chunk.seen) sorted_[next[first_of_model[chunk.model] + member.level]++] = &member;
  }
}

/// Members of one bucket are sharers of one copy, which stands where the first of them would.
void Casting::add_batch(const CastBatch& mesh, std::span<const Member* const> members) {
  CastBatch batch = mesh;
  batch.first_copy = uint32_t(cast_.copies.size());
  const PoseBuckets* buckets = buckets_.empty() ? nullptr : &buckets_[mesh.model];
  copy_of_bucket_.assign(buckets ? buckets->count() : 0, kNoCopy);
  copy_of_.clear();
  for (const Member* member : members) {
    uint32_t copy = member->bucket ? copy_of_bucket_[*member->bucket] : kNoCopy;
    if (copy == kNoCopy) {
      copy = uint32_t(cast_.copies.size());
      cast_.copies.push_back({member->instance, 0, 0, member->bucket.has_value()});
      cast_.playbacks.push_back(member->bucket ? buckets->playback_of(*member->bucket) : member->playback);
      if (member->bucket) copy_of_bucket_[*member->bucket] = copy;
    }
    ++cast_.copies[copy].sharer_count;
    copy_of_.push_back(copy);
  }
  batch.copy_count = uint32_t(cast_.copies.size()) - batch.first_copy;
  cast_.batches.push_back(batch);
  place_sharers(batch, members);
}

void Casting::place_sharers(const CastBatch& batch, std::span<const Member* const> members) {
  uint32_t next = uint32_t(cast_.sharers.size());
  for (Copy& copy : std::span(cast_.copies).subspan(batch.first_copy)) {
    copy.first_sharer = next;
    next += std::exchange(copy.sharer_count, 0);
  }
  cast_.sharers.resize(next);
  for (size_t i = 0; i < members.size(); ++i) {
    Copy& copy = cast_.copies[copy_of_[i]];
    cast_.sharers[copy.first_sharer + copy.sharer_count++] = members[i]->instance;
  }
}

}  // namespace sinew::app
