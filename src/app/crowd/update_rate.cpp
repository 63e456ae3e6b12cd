#include "crowd/update_rate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>

namespace sinew::app {
namespace {

using Corners = std::array<Vec3, 8>;

/// Of the box of the vertices that follow each palette entry; all at the origin where there are none.
std::vector<Corners> corners_of_entries(const Model& model) {
  const Mesh& mesh = model.character.mesh;
  std::vector<Corners> corners(model.character.skin.palette_size());
  std::vector<bool> used(corners.size());
  std::vector<Vec3> low(corners.size()), high(corners.size());
  for (uint32_t vertex = 0; vertex < mesh.vertex_count(); ++vertex) {
    const Vec3 p = mesh.positions[vertex];
    for (uint32_t i = mesh.first_influence[vertex]; i < mesh.first_influence[vertex + 1]; ++i) {
      const uint32_t entry = mesh.influences[i].entry;
      if (!used[entry]) low[entry] = high[entry] = p;
      used[entry] = true;
      low[entry] = {std::min(low[entry].x, p.x), std::min(low[entry].y, p.y), std::min(low[entry].z, p.z)};
      high[entry] = {std::max(high[entry].x, p.x), std::max(high[entry].y, p.y), std::max(high[entry].z, p.z)};
    }
  }
  for (size_t entry = 0; entry < corners.size(); ++entry) {
    const Vec3 sides[] = {low[entry], high[entry]};
    for (uint32_t i = 0; i < 8; ++i) corners[entry][i] = {sides[i & 1].x, sides[i >> 1 & 1].y, sides[i >> 2].z};
  }
  return corners;
}

float distance_between(std::span<const Corners> corners, std::span<const Matrix3x4> a, std::span<const Matrix3x4> b) {
  float furthest = 0;
  for (size_t entry = 0; entry < corners.size(); ++entry) {
    Matrix3x4 change;
    for (int i = 0; i < 12; ++i) change.m[i / 4][i % 4] = b[entry].m[i / 4][i % 4] - a[entry].m[i / 4][i % 4];
    for (const Vec3 corner : corners[entry]) furthest = std::max(furthest, length(transform_point(change, corner)));
  }
  return furthest;
}

float reach_of(std::span<const Corners> corners, std::span<const Matrix3x4> palette, Vec3 middle) {
  float reach = 0;
  for (size_t entry = 0; entry < corners.size(); ++entry) {
    for (const Vec3 corner : corners[entry])
      reach = std::max(reach, length(transform_point(palette[entry], corner) - middle));
  }
  return reach;
}

/// Crowds scale evenly.
float scale_of(const Matrix3x4& m) { return length(Vec3{m.m[0][0], m.m[1][0], m.m[2][0]}); }

/// Half way up where the model stands, in its own units.
Vec3 middle_of(const Model& model) {
  const auto& m = model.world_from_model.m;
  const float square = scale_of(model.world_from_model) * scale_of(model.world_from_model);
  const Vec3 p = Vec3{0, model.height / 2, 0} - Vec3{m[0][3], m[1][3], m[2][3]};
  const auto along = [&](int c) { return (m[0][c] * p.x + m[1][c] * p.y + m[2][c] * p.z) / square; };
  return {along(0), along(1), along(2)};
}

}  // namespace

MotionPaths::MotionPaths(const Model& model, ThreadPool& pool)
    : paths_(model.character.clips.size()), middle_(middle_of(model)) {
  const std::vector<Corners> corners = corners_of_entries(model);
  std::vector<float> reaches(model.clips.size());
  pool.for_each(uint32_t(model.clips.size()), [&](uint32_t i) {
    const auto distance = [&](std::span<const Matrix3x4> last, std::span<const Matrix3x4> now) {
      reaches[i] = std::max(reaches[i], reach_of(corners, now, middle_));
      return distance_between(corners, last, now);
    };
    paths_[model.clips[i]] = measure_path(model.character, model.clips[i], distance);
  });
  for (const float reach : reaches) reach_ = std::max(reach_, reach);
}

const ClipPath* MotionPaths::path_of(const Playback& playback) const {
  const Layer* lone = lone_layer(playback);
  if (!lone || lone->clip >= paths_.size() || paths_[lone->clip].empty()) return nullptr;
  return &paths_[lone->clip];
}

float MotionPaths::between(const Playback& a, const Playback& b) const {
  const ClipPath *of_a = path_of(a), *of_b = path_of(b);
  if (!of_a || of_a != of_b) return std::numeric_limits<float>::infinity();
  return of_a->between(a.layers[0].time_seconds, b.layers[0].time_seconds);
}

float MotionPaths::not_updated(const Playback& begin, float clip_seconds) const {
  const ClipPath* path = path_of(begin);
  if (!path) return std::numeric_limits<float>::infinity();
  const float duration = path->end_seconds() - path->start_seconds();
  const auto later = [&](float seconds) {
    const float rounds = duration > 0 ? std::floor((seconds - path->start_seconds()) / duration) : 0;
    return seconds - rounds * duration;
  };
  const float first = begin.layers[0].time_seconds;
  const float middle = later(first + clip_seconds / 2), last = later(first + clip_seconds);
  return std::max(path->between(first, middle), path->between(middle, last));
}

/// A place p before the eye that moves by s moves by no more than f s |p| / (z z') pixels, z and z' being how deep it
/// lies before and after.
float MotionPaths::max_pixels_per_unit(const View& view, const CrowdInstance& instance) const {
  const float meters_per_unit = scale_of(instance.world_from_model), reach = reach_ * meters_per_unit;
  const Vec3 place = transform_point(instance.world_from_model, middle_);
  const glm::mat4& m = view.clip_from_world;
  const float nearest = m[0][3] * place.x + m[1][3] * place.y + m[2][3] * place.z + m[3][3] - reach;
  if (!(nearest > 0)) return std::numeric_limits<float>::infinity();
  const float furthest = glm::distance(view.eye, glm::vec3(place.x, place.y, place.z)) + reach;
  return view.pixels_per_radian * furthest / (nearest * nearest) * meters_per_unit;
}

}  // namespace sinew::app
