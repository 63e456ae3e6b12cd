#include "plain_planner.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

#include "sinew/animation/bounds.h"

namespace sinew::test {

using namespace crowd;
namespace {

constexpr float kPlaneSlack = 1e-3f;  // world units
constexpr uint32_t kRates[kUpdateGroups] = {1, 2, 2, 4, 4, 4, 4}, kPhases[kUpdateGroups] = {0, 0, 1, 0, 1, 2, 3};

uint32_t frames_until_update(uint32_t group, uint64_t frame) {
  uint32_t frames = 0;
  while ((frame + frames) % kRates[group] != kPhases[group]) ++frames;
  return frames;
}

/// The six planes of a view, inside first: a x + b y + c z + d, of a unit normal.
std::array<Vec4, 6> planes_of(const View& view) {
  const float* m = view.clip_from_world;
  std::array<Vec4, 6> planes;
  size_t next = 0;
  const auto add = [&](int row, float sign, float w) {
    Vec4 plane{w * m[3] + sign * m[row], w * m[7] + sign * m[4 + row], w * m[11] + sign * m[8 + row],
               w * m[15] + sign * m[12 + row]};
    const float size = length(Vec3{plane.x, plane.y, plane.z});
    planes[next++] = {plane.x / size, plane.y / size, plane.z / size, plane.w / size};
  };
  add(0, 1, 1), add(0, -1, 1), add(1, 1, 1), add(1, -1, 1), add(2, 1, 0), add(2, -1, 1);
  return planes;
}

/// A box or a sphere in the world.
struct Shape {
  Vec3 center;
  float radius = 0;
  std::array<Vec3, 3> half_edges = {};
  float reach(Vec3 direction) const {
    float sum = radius;
    for (const Vec3 half : half_edges) sum += std::abs(dot(half, direction));
    return sum;
  }
};

Shape box_in_world(const Box& box, const Matrix3x4& at) {
  const Vec3 half = (box.high - box.low) * 0.5f;
  const auto edge = [&](int c, float size) { return Vec3{at.m[0][c] * size, at.m[1][c] * size, at.m[2][c] * size}; };
  return {transform_point(at, (box.low + box.high) * 0.5f), 0, {edge(0, half.x), edge(1, half.y), edge(2, half.z)}};
}

bool sees(const std::array<Vec4, 6>& planes, const Shape& shape, Vec3 sweep = {}, float margin = 0) {
  for (const Vec4& plane : planes) {
    const Vec3 n{plane.x, plane.y, plane.z};
    const float distance = plane.x * shape.center.x + plane.y * shape.center.y + plane.z * shape.center.z + plane.w;
    if (distance < -(shape.reach(n) + std::max(dot(n, sweep), 0.0f) + margin + kPlaneSlack)) return false;
  }
  return true;
}

/// A frame and the planes of its views.
struct Sight {
  explicit Sight(const PlanFrame& of_frame) : frame(of_frame) {
    for (const View& view : frame.views) planes.push_back(planes_of(view));
  }
  bool any_sees(const Shape& shape) const {
    return std::any_of(planes.begin(), planes.end(), [&](const auto& of_view) { return sees(of_view, shape); });
  }
  bool sees_shadow(const Shape& shape) const {
    if (!frame.shadows) return false;
    const float top = dot(shape.center, frame.up) + shape.reach(frame.up);
    const float way = -std::max(top - frame.shadows->lowest_ground, 0.0f) / dot(frame.shadows->to_sun, frame.up);
    return sees(planes[0], shape, frame.shadows->to_sun * way, frame.shadows->margin);
  }
  /// A view that does not see a shape needs not hide it. The way of a shadow is covered with spheres that begin at most
  /// a radius from each other.
  bool hides(const Shape& shape, uint32_t view) const {
    const OcclusionSource& source = frame.occlusion;
    return !sees(planes[view], shape) || source.is_hidden(source.user_data, {shape.center, shape.radius}, view);
  }
  bool all_hide(const Sphere& sphere) const {
    if (!frame.occlusion.is_hidden) return false;
    const Shape body{sphere.center, sphere.radius, {}};
    for (uint32_t view = 0; view < planes.size(); ++view) {
      if (!hides(body, view)) return false;
    }
    if (!frame.shadows) return true;
    const SunShadows& sun = *frame.shadows;
    const float height = dot(sphere.center, frame.up) + sphere.radius - sun.lowest_ground;
    const Vec3 end = sun.to_sun * (-std::max(height, 0.0f) / dot(sun.to_sun, frame.up));
    const float radius = sphere.radius + sun.margin, steps = std::ceil(length(end) / radius);
    bool hidden = steps <= 16;
    for (float i = 0; hidden && i <= steps; ++i)
      hidden = hides({sphere.center + end * (steps > 0 ? i / steps : 0), radius * 1.1181f, {}}, 0);
    return hidden;
  }

  const PlanFrame& frame;
  std::vector<std::array<Vec4, 6>> planes;
};

template <class T>
T element_or(std::span<const T> optional, uint32_t instance, T otherwise) {
  return optional.empty() ? otherwise : optional[instance];
}

bool is_targeted(const Instances& instances, uint32_t instance) {
  return std::ranges::any_of(instances.targets, [&](const ChainTarget& target) { return target.instance == instance; });
}

float largest_scale(const Matrix3x4& at) {
  float largest = 0;
  for (int c = 0; c < 3; ++c) largest = std::max(largest, length(Vec3{at.m[0][c], at.m[1][c], at.m[2][c]}));
  return largest;
}

bool wears(const Instances& instances, uint32_t instance, uint32_t wearable) {
  return (element_or(instances.outfits, instance, uint64_t{0}) >> wearable & 1) != 0;
}

Playback plays(const Instances& instances, uint32_t instance, double seconds) {
  const PlaybackSource& source = instances.playback_source;
  return source.at ? source.at(source.user_data, instance, seconds) : instances.playbacks[instance];
}

}  // namespace

PlainPlanner::PlainPlanner(std::span<const ModelInfo> characters, const PlanOptions& options)
    : characters_(characters.begin(), characters.end()), chain_margins_(characters.size()), options_(options) {
  for (const ModelInfo& character : characters_) motions_.emplace_back(character, ParallelFor());
}

const Plan& PlainPlanner::plan(const Instances& instances, const PlanFrame& frame) {
  const double since = frame.seconds - seconds_;
  if (since > 0 && since < 0.25) frame_seconds_ += (since - frame_seconds_) / 4;
  seconds_ = frame.seconds, ++number_;
  std::swap(now_, previous_);
  levels_.resize(instances.count());
  own_meshes_.assign(instances.count(), kNoPosedMesh);
  for (const PosedBatch& batch : previous_.batches) {
    for (uint32_t m = batch.first_mesh; m < batch.first_mesh + batch.mesh_count; ++m) {
      const PosedMesh& mesh = previous_.posed_meshes[m];
      if (!batch.is_worn() && batch.group > 0 && mesh.instance_count > 0 && mesh.instance < own_meshes_.size())
        own_meshes_[mesh.instance] = m;
    }
  }
  now_ = {};
  now_.seconds = frame.seconds;
  std::vector<Seen> all = find_seen(instances, frame);
  now_.counters.visible = uint32_t(all.size()), now_.counters.culled = instances.count() - now_.counters.visible;
  now_.groups.assign(1, {.seconds = frame.seconds});
  if (options_.update_rate) update_groups(instances, frame, all);
  list(std::move(all));
  add_worn(instances);
  return now_;
}

/// With targets the sphere decides, which has their margin; without, the box of what is played.
bool PlainPlanner::is_seen(const Instances& instances, const PlanFrame& frame, Seen& seen) {
  const ModelInfo& character = characters_[seen.character];
  const uint32_t i = seen.instance;
  const Sight sight(frame);
  const Matrix3x4 place = instances.transform_of(i);
  const Sphere extra = element_or(instances.extra_spheres, i, Sphere());
  Sphere around = instances.spheres.empty() ? bounding_sphere(character, place, extra) : instances.spheres[i];
  const bool targeted = is_targeted(instances, i);
  if (targeted) around.radius += chain_margins_[seen.character] * largest_scale(place);
  const Shape sphere{around.center, around.radius, {}};
  if (!sight.any_sees(sphere) && !sight.sees_shadow(sphere)) return false;
  if (!targeted) {
    const Shape box = box_in_world(bounds_of(*character.bounds, *character.baked, seen.playback), place);
    seen.shadow_only = !sight.any_sees(box) && !(extra.radius > 0 && sight.any_sees({extra.center, extra.radius, {}}));
    if (seen.shadow_only && !sight.sees_shadow(box)) return false;
  }
  const bool hidden = sight.all_hide(around);
  now_.counters.occluded += hidden;
  return !hidden;
}

std::vector<PlainPlanner::Seen> PlainPlanner::find_seen(const Instances& instances, const PlanFrame& frame) {
  std::vector<Seen> all;
  for (uint32_t i = 0; i < instances.count(); ++i) {
    Seen seen;
    seen.instance = i, seen.character = instances.models[i];
    if (seen.character >= characters_.size()) continue;
    const ModelInfo& character = characters_[seen.character];
    seen.playback = plays(instances, i, frame.seconds);
    if (options_.cull && character.bounds && character.baked && !is_seen(instances, frame, seen)) continue;
    follow_generation(instances, i);
    seen.host_posed = element_or(instances.host_posed, i, uint8_t{0}) != 0;
    seen.own_pose = seen.host_posed || is_targeted(instances, i);
    choose_level(instances, frame, seen);
    const uint32_t own_palette = character.levels[seen.level].palette_size;
    const bool is_small = own_palette > 0 && own_palette <= kMaxAlwaysUpdatedPalette;
    if (options_.update_rate && !seen.own_pose && !seen.shadow_only && !is_small) choose_group(instances, frame, seen);
    now_.counters.shadow_only += seen.shadow_only;
    all.push_back(seen);
  }
  return all;
}

void PlainPlanner::follow_generation(const Instances& instances, uint32_t instance) {
  generations_.resize(instances.count());
  const uint32_t generation = element_or(instances.generations, instance, generations_[instance]);
  if (generation != generations_[instance]) levels_[instance].reset(), own_meshes_[instance] = kNoPosedMesh;
  generations_[instance] = generation;
}

void PlainPlanner::choose_level(const Instances& instances, const PlanFrame& frame, Seen& seen) {
  if (!options_.levels) return;
  const ModelInfo& character = characters_[seen.character];
  const float scale = element_or(instances.scales, seen.instance, 1.0f);
  const Matrix3x4 place = instances.transform_of(seen.instance);
  const Vec3 feet = element_or(instances.positions, seen.instance, {place.m[0][3], place.m[1][3], place.m[2][3]});
  const Vec3 middle = feet + frame.up * (character.height * scale / 2);
  float pixels = 0;
  for (const View& view : frame.views) pixels = std::max(pixels, view.pixels_per_radian / length(middle - view.eye));
  pixels *= scale;
  const bool is_new = !levels_[seen.instance];
  uint32_t level = std::min(levels_[seen.instance].value_or(0), uint32_t(character.levels.size()) - 1);
  const auto fits = [&](uint32_t i, float limit) { return character.levels[i].error * pixels <= limit; };
  const auto usable = [&](uint32_t i) { return !seen.host_posed || character.levels[i].palette_size == 0; };
  while (level > 0 && (!fits(level, options_.error_pixels) || !usable(level))) --level;
  for (uint32_t i = level + 1; i < character.levels.size() && fits(i, options_.error_pixels * (is_new ? 1 : 0.9f)); ++i)
    level = usable(i) ? i : level;
  seen.level = level, levels_[seen.instance] = level;
}

void PlainPlanner::choose_group(const Instances& instances, const PlanFrame& frame, Seen& seen) const {
  const crowd::internal::MotionPaths& motions = motions_[seen.character];
  for (const View& view : frame.views) {
    if (!(view.pixels_per_radian > 0)) continue;
    const float pixels = motions.max_pixels_per_unit(view, instances.transform_of(seen.instance));
    seen.pixels_per_unit = std::max(seen.pixels_per_unit, pixels);
  }
  if (const uint32_t own = own_meshes_[seen.instance]; own != kNoPosedMesh && keeps(seen, own)) {
    seen.kept_mesh = own, seen.group = batch_of(own).group;
    return;
  }
  const float speed = element_or(instances.speeds, seen.instance, 1.0f);
  const float share = instances.playback_source.at ? 1 : 2;
  uint32_t rate = 4;
  for (; rate > 1; rate /= 2) {
    const float clip_seconds = speed * float(frame_seconds_) * float(rate - 1) * share;
    const float error = motions.max_error_over(seen.playback, clip_seconds) * seen.pixels_per_unit;
    if (error <= kMaxUpdateErrorPixels) break;
  }
  const uint32_t phase = instances.phases.empty() ? seen.instance : uint32_t(instances.phases[seen.instance]);
  seen.group = rate - 1 + phase % rate;
}

bool PlainPlanner::keeps(const Seen& seen, uint32_t mesh) const {
  const PosedBatch& batch = batch_of(mesh);
  if (batch.model != seen.character || batch.level != seen.level) return false;
  if (frames_until_update(batch.group, number_) == 0) return false;
  const float error = motions_[seen.character].max_distance_between(previous_.playbacks[mesh], seen.playback);
  return error * seen.pixels_per_unit <= kMaxUpdateErrorPixels;
}

void PlainPlanner::update_groups(const Instances& instances, const PlanFrame& frame, std::vector<Seen>& all) {
  const auto is_new = [&](const Seen& seen) {
    return seen.kept_mesh == kNoPosedMesh && frames_until_update(seen.group, number_) != 0;
  };
  const size_t new_ones = size_t(std::count_if(all.begin(), all.end(), is_new));
  const bool update_all = previous_.groups.empty() || new_ones * 4 > all.size();
  now_.groups.assign(kUpdateGroups, {});
  for (uint32_t g = 0; g < kUpdateGroups; ++g) {
    UpdateGroup& group = now_.groups[g];
    group.updated = update_all || frames_until_update(g, number_) == 0;
    const double ahead = frame_seconds_ * frames_until_update(g, number_ + 1) / 2;
    group.seconds = frame.seconds + (instances.playback_source.at ? ahead : 0);
    if (!group.updated) group.seconds = previous_.groups[g].seconds;
  }
  for (Seen& seen : all) {
    if (seen.group == 0) continue;
    if (!now_.groups[seen.group].updated) {
      if (seen.kept_mesh == kNoPosedMesh) seen.group = 0;
      continue;
    }
    seen.kept_mesh = kNoPosedMesh;
    const Playback shown = plays(instances, seen.instance, now_.groups[seen.group].seconds);
    const float error = motions_[seen.character].max_distance_between(shown, seen.playback);
    const bool accurate = error * seen.pixels_per_unit <= kMaxUpdateErrorPixels;
    accurate ? void(seen.playback = shown) : void(seen.group = 0);
  }
}

/// Lists posed meshes by group, the host's last, then by mesh, then by instance.
void PlainPlanner::list(std::vector<Seen> all) {
  const auto order = [&](const Seen& seen) {
    return std::tuple(seen.group, seen.host_posed, mesh_of(seen.character, seen.level), seen.instance);
  };
  std::sort(all.begin(), all.end(), [&](const Seen& a, const Seen& b) { return order(a) < order(b); });
  uint32_t finest_count = 0;
  for (const ModelInfo& character : characters_)
    finest_count = std::max(finest_count, uint32_t(character.levels.size()));
  now_.counters.levels.assign(finest_count, 0);
  size_t i = 0;
  for (uint32_t g = 0; g < now_.groups.size(); ++g) {
    now_.groups[g].first_batch = uint32_t(now_.batches.size());
    size_t end = i;
    while (end < all.size() && all[end].group == g) ++end;
    if (!now_.groups[g].updated) repeat_group(g, std::span(all).subspan(i, end - i)), i = end;
    while (i < end) {
      const Seen first = all[i];
      PosedMeshes meshes;
      const auto same = [&](const Seen& seen) {
        return std::tie(seen.character, seen.level, seen.host_posed) ==
               std::tie(first.character, first.level, first.host_posed);
      };
      for (; i < end && same(all[i]); ++i) meshes.push_back({{.instance = all[i].instance}, all[i].playback});
      PosedBatch batch{.model = first.character, .level = first.level, .group = g, .host_posed = first.host_posed};
      add_batch(batch, meshes);
    }
    now_.groups[g].batch_count = uint32_t(now_.batches.size()) - now_.groups[g].first_batch;
  }
}

void PlainPlanner::repeat_group(uint32_t group, std::span<const Seen> all) {
  for (const PosedBatch& batch : previous_.batches) {
    if (batch.group != group || batch.is_worn()) continue;
    PosedMeshes meshes;
    for (uint32_t m = batch.first_mesh; m < batch.first_mesh + batch.mesh_count; ++m) {
      meshes.push_back({previous_.posed_meshes[m], previous_.playbacks[m]});
      meshes.back().first.instance_count = 0;
    }
    for (const Seen& seen : all) {
      if (seen.kept_mesh >= batch.first_mesh && seen.kept_mesh < batch.first_mesh + batch.mesh_count)
        meshes[seen.kept_mesh - batch.first_mesh].first.instance_count = 1;
    }
    add_batch(batch, meshes);
  }
}

void PlainPlanner::add_batch(PosedBatch batch, const PosedMeshes& meshes) {
  batch.first_mesh = uint32_t(now_.posed_meshes.size()), batch.mesh_count = uint32_t(meshes.size());
  now_.batches.push_back(batch);
  const bool updated = now_.groups[batch.group].updated;
  PlanCounters& counters = now_.counters;
  for (auto [mesh, playback] : meshes) {
    mesh.first_instance = uint32_t(now_.instances.size());
    if (mesh.instance_count > 0) now_.instances.push_back(mesh.instance);
    now_.posed_meshes.push_back(mesh), now_.playbacks.push_back(playback);
    counters.levels[batch.level] += mesh.instance_count;
    counters.rates[kRates[batch.group] / 2] += mesh.instance_count;
    counters.updated_meshes += updated, counters.not_updated += updated ? 0 : mesh.instance_count;
  }
}

uint32_t PlainPlanner::mesh_of(uint32_t character, uint32_t level) const {
  uint32_t mesh = level;
  for (uint32_t i = 0; i < character; ++i) mesh += uint32_t(characters_[i].levels.size());
  return mesh;
}

/// Behind the bodies of each group.
void PlainPlanner::add_worn(const Instances& instances) {
  const std::vector<PosedBatch> bodies = std::exchange(now_.batches, {});
  for (uint32_t g = 0; g < now_.groups.size(); ++g) {
    const auto first = uint32_t(now_.batches.size());
    const auto own = std::span(bodies).subspan(now_.groups[g].first_batch, now_.groups[g].batch_count);
    for (uint32_t i = 0; i < own.size(); ++i) now_.batches.push_back(own[i]), now_.batches.back().bodies = first + i;
    for (uint32_t i = 0; i < own.size() && now_.groups[g].updated; ++i) wear(instances, first + i);
    for (const PosedBatch& worn : previous_.batches) {
      if (worn.group != g || !worn.is_worn() || now_.groups[g].updated) continue;
      const auto wearers = previous_.wearers_of(worn);
      add_worn_batch(first + worn.bodies - previous_.groups[g].first_batch, worn.wearable,
                     {wearers.begin(), wearers.end()}, nullptr);
    }
    now_.groups[g].first_batch = first, now_.groups[g].batch_count = uint32_t(now_.batches.size()) - first;
  }
}

/// What is worn first is skinned first.
void PlainPlanner::wear(const Instances& instances, uint32_t bodies) {
  const PosedBatch batch = now_.batches[bodies];
  const auto vertices = characters_[batch.model].levels[batch.level].wearable_vertices;
  std::vector<std::pair<uint32_t, std::vector<uint32_t>>> all;  // wearable, and who wears it
  for (uint32_t i = 0; i < batch.mesh_count; ++i) {
    const uint32_t instance = now_.posed_meshes[batch.first_mesh + i].instance;
    for (uint32_t w = 0; w < vertices.size(); ++w) {
      if (vertices[w] == 0 || !wears(instances, instance, w)) continue;
      auto own = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.first == w; });
      if (own == all.end()) own = all.insert(all.end(), {w, {}});
      own->second.push_back(i);
    }
  }
  for (const auto& [wearable, wearers] : all) add_worn_batch(bodies, wearable, wearers, &instances);
}

/// Without instances all wear it.
void PlainPlanner::add_worn_batch(uint32_t bodies, uint32_t wearable, const std::vector<uint32_t>& wearers,
                                  const Instances* instances) {
  PosedBatch batch = now_.batches[bodies];
  const uint32_t first_body = std::exchange(batch.first_mesh, uint32_t(now_.posed_meshes.size()));
  batch.wearable = wearable, batch.mesh_count = uint32_t(wearers.size());
  now_.batches.push_back(batch);
  for (const uint32_t wearer : wearers) {
    PosedMesh mesh = now_.posed_meshes[first_body + wearer];
    mesh.first_instance = uint32_t(now_.instances.size());
    if (instances != nullptr && !wears(*instances, mesh.instance, wearable)) mesh.instance_count = 0;
    if (mesh.instance_count > 0) now_.instances.push_back(mesh.instance);
    now_.posed_meshes.push_back(mesh), now_.wearers.push_back(wearer);
  }
}

const PosedBatch& PlainPlanner::batch_of(uint32_t mesh) const {
  const auto holds = [&](const PosedBatch& batch) { return mesh - batch.first_mesh < batch.mesh_count; };
  return *std::find_if(previous_.batches.begin(), previous_.batches.end(), holds);
}

}  // namespace sinew::test
