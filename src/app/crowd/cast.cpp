#include "crowd/cast.h"

#include <algorithm>
#include <glm/geometric.hpp>
#include <limits>
#include <numeric>
#include <utility>

namespace sinew::app {
namespace {

constexpr uint32_t kLookedAtAtOnce = 2048;  // instances
constexpr float kHeroPixels = 120;          // from this height on nobody's pose is shared
constexpr float kHysteresis = 0.8f;  // of the pixels that a level may be off, from which on it gets coarser again
constexpr double kMostFrameSeconds = 0.25;  // what takes longer is no frame but a pause or a leap
constexpr uint32_t kManyHomeless = 4;       // where a quarter of the seen would move, all are updated in their groups

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
  if (options.update_rate) {
    group_count_ = kUpdateGroups;
    for (const Model& model : models) motions_.emplace_back(model, pool);
    homes_.resize(scene.instances.size());
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
  const double since = seconds - frame_.seconds;
  if (since > 0 && since < kMostFrameSeconds) frame_seconds_ += (since - frame_seconds_) / 4;
  frame_ = {view, seconds, frame_.number + 1, frustum_of(view.clip_from_world), {}};
  if (!view.shadows.empty()) frame_.shadows = reach_of(view, floor_);
  std::swap(cast_, before_);
  find_homes();
  return again();
}

const Cast& Casting::again() {
  pool_.for_each(uint32_t(chunks_.size()), [&](uint32_t chunk) { look(chunks_[chunk]); });
  begin_groups();
  pool_.for_each(uint32_t(chunks_.size()), [&](uint32_t chunk) { settle(chunks_[chunk]); });
  sort_by_mesh();
  cast_.batches.clear(), cast_.copies.clear(), cast_.playbacks.clear(), cast_.sharers.clear();
  for (uint32_t group = 0; group < group_count_; ++group) add_group(group);
  count();
  return cast_;
}

bool Casting::may_count(uint32_t instance) const {
  return frame_.shadows ? may_shade(frame_.frustum, spheres_[instance], *frame_.shadows)
                        : may_see(frame_.frustum, spheres_[instance]);
}

/// Only groups that can be held matter.
void Casting::find_homes() {
  for (uint32_t b = 0; b < before_.batches.size(); ++b) {
    const CastBatch& batch = before_.batches[b];
    for (uint32_t c = batch.first_copy; c < batch.first_copy + batch.copy_count && batch.group > 0; ++c)
      homes_[before_.copies[c].instance] = {c, b, frame_.number};
  }
}

/// All that is done for everybody is the sphere's test.
void Casting::look(Chunk& chunk) {
  const Model& model = models_[chunk.model];
  chunk.seen.clear(), chunk.homeless = 0;
  for (uint32_t i = chunk.first_instance; i < chunk.first_instance + chunk.instance_count; ++i) {
    if (options_.cull && !may_count(i)) continue;
    const CrowdInstance& instance = scene_.instances[i];
    const Playback playback = playback_at(model, instance, frame_.seconds);
    const bool seen = !options_.cull || !model.bounds || may_see(frame_.frustum, model, instance, playback);
    if (!seen && !(frame_.shadows && may_shade(frame_.frustum, model, instance, playback, *frame_.shadows))) continue;
    const glm::vec3 place(instance.position.x, model.height / 2, instance.position.z);
    const float pixels_per_metre = frame_.view.pixels_per_radian / glm::distance(frame_.view.eye, place);
    Member& member = chunk.seen.emplace_back();
    member.instance = i, member.playback = playback, member.caster = !seen;
    if (options_.levels) member.level = choose_level(model, pixels_per_metre, levels_[i]);
    if (!buckets_.empty() && model.height * pixels_per_metre < kHeroPixels)
      member.bucket = buckets_[chunk.model].bucket_of(playback);
    if (options_.update_rate && seen && !member.bucket) choose_group(chunk, member);
  }
}

/// Not of who shares a pose, which is everybody's, nor of who only throws a shadow, which may fall near the eye. A copy
/// that is held is drawn until the turn of its group, or until it no longer will do; then a group is chosen anew.
void Casting::choose_group(Chunk& chunk, Member& member) {
  const Motions& motions = motions_[chunk.model];
  const CrowdInstance& instance = scene_.instances[member.instance];
  member.pixels_per_unit = motions.most_pixels_per_unit(frame_.view, instance);
  const Home home = homes_[member.instance];
  if (is_good(home, chunk, member)) {
    member.held = home.copy;
    member.group = before_.batches[home.batch].group;
    return;
  }
  uint32_t rate = kSlowestRate;
  const auto off_pixels = [&] {
    return motions.held(member.playback, instance.speed * float(frame_seconds_) * float(rate - 1)) *
           member.pixels_per_unit;
  };
  while (rate > 1 && !(off_pixels() <= kHeldPixels)) rate /= 2;
  member.group = update_group(rate, instance.random);
  chunk.homeless += !is_turn_of(member.group);
}

bool Casting::is_good(const Home& home, const Chunk& chunk, const Member& member) const {
  if (home.frame != frame_.number) return false;
  const CastBatch& batch = before_.batches[home.batch];
  if (batch.level != member.level || is_turn_of(batch.group)) return false;
  const float off = motions_[chunk.model].between(before_.playbacks[home.copy], member.playback);
  return off * member.pixels_per_unit <= kHeldPixels;
}

/// Which are updated, and what moment they show.
void Casting::begin_groups() {
  uint64_t seen = 0, homeless = 0;
  for (const Chunk& chunk : chunks_) seen += chunk.seen.size(), homeless += chunk.homeless;
  const bool all = before_.groups.empty() || homeless * kManyHomeless > seen;
  cast_.seconds = frame_.seconds;
  cast_.groups.assign(group_count_, {});
  for (uint32_t g = 0; g < group_count_; ++g) {
    CastGroup& group = cast_.groups[g];
    group.updated = all || is_turn_of(g);
    const uint32_t shown = frames_until_update(g, frame_.number + 1) + 1;
    group.seconds = group.updated ? frame_.seconds + frame_seconds_ * (shown - 1) / 2 : before_.groups[g].seconds;
  }
}

/// What members play when their group is updated, and who has to do without it.
void Casting::settle(Chunk& chunk) {
  for (Member& member : chunk.seen) {
    if (member.group == 0) continue;
    const CastGroup& group = cast_.groups[member.group];
    if (!group.updated) {
      if (member.held == kNoCopy) member.group = 0;
      continue;
    }
    member.held = kNoCopy;
    const Playback shown = playback_at(models_[chunk.model], scene_.instances[member.instance], group.seconds);
    const float off = motions_[chunk.model].between(shown, member.playback);
    if (off * member.pixels_per_unit <= kHeldPixels)
      member.playback = shown;
    else
      member.group = 0;
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
  const auto place_of = [&](const Chunk& chunk, const Member& member) {
    return member.group * meshes_.size() + first_of_model[chunk.model] + member.level;
  };
  first_of_mesh_.assign(group_count_ * meshes_.size() + 1, 0);
  drawn_.assign(before_.copies.size(), false);
  for (const Chunk& chunk : chunks_) {
    for (const Member& member : chunk.seen) {
      if (member.held == kNoCopy)
        ++first_of_mesh_[place_of(chunk, member) + 1];
      else
        drawn_[member.held] = true;
    }
  }
  std::partial_sum(first_of_mesh_.begin(), first_of_mesh_.end(), first_of_mesh_.begin());
  sorted_.resize(first_of_mesh_.back());
  std::vector<uint32_t> next(first_of_mesh_.begin(), first_of_mesh_.end() - 1);
  for (const Chunk& chunk : chunks_) {
    for (const Member& member : chunk.seen) {
      if (member.held == kNoCopy) sorted_[next[place_of(chunk, member)]++] = &member;
    }
  }
}

void Casting::add_group(uint32_t g) {
  CastGroup& group = cast_.groups[g];
  group.first_batch = uint32_t(cast_.batches.size());
  if (!group.updated) add_held_group(before_.groups[g]);
  for (CastBatch mesh : meshes_) {
    mesh.group = g;
    const size_t place = g * meshes_.size() + mesh.mesh;
    const uint32_t first = first_of_mesh_[place], end = first_of_mesh_[place + 1];
    if (first < end) add_batch(mesh, std::span(sorted_).subspan(first, end - first));
  }
  group.batch_count = uint32_t(cast_.batches.size()) - group.first_batch;
}

/// Its copies as they are, with who of them is seen.
void Casting::add_held_group(const CastGroup& group) {
  for (CastBatch batch : std::span(before_.batches).subspan(group.first_batch, group.batch_count)) {
    const uint32_t first = std::exchange(batch.first_copy, uint32_t(cast_.copies.size()));
    for (uint32_t c = first; c < first + batch.copy_count; ++c) {
      Copy copy = before_.copies[c];
      copy.first_sharer = uint32_t(cast_.sharers.size());
      copy.sharer_count = drawn_[c];
      if (drawn_[c]) cast_.sharers.push_back(copy.instance);
      cast_.copies.push_back(copy);
      cast_.playbacks.push_back(before_.playbacks[c]);
    }
    cast_.batches.push_back(batch);
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

void Casting::count() {
  CastCounters& counters = cast_.counters;
  counters = {};
  for (const CastBatch& mesh : meshes_)
    counters.levels.resize(std::max(counters.levels.size(), mesh.level + size_t{1}));
  for (const CastBatch& batch : cast_.batches) {
    const bool updated = cast_.groups[batch.group].updated;
    uint32_t sharers = 0;
    for (const Copy& copy : std::span(cast_.copies).subspan(batch.first_copy, batch.copy_count))
      sharers += copy.sharer_count;
    counters.levels[batch.level] += sharers;
    counters.rates[size_t(std::countr_zero(rate_of_group(batch.group)))] += sharers;
    (updated ? counters.shared : counters.held) += updated ? sharers - batch.copy_count : sharers;
    if (updated) counters.updated_copies += batch.copy_count;
  }
  for (const Chunk& chunk : chunks_) {
    for (const Member& member : chunk.seen) counters.casters += member.caster;
  }
  counters.visible = uint32_t(cast_.sharers.size());
  counters.culled = uint32_t(scene_.instances.size() - cast_.sharers.size());
}

}  // namespace sinew::app
