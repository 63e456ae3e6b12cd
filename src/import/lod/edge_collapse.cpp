#include "lod/edge_collapse.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "lod/surface_distance.h"

namespace sinew::internal {
namespace {

constexpr size_t kMaxStreams = 16;    // of meshoptimizer
constexpr double kBorderWeight = 10;  // of the planes that hold a border, times its squared length
constexpr float kMinCosine = 0.0f;    // between the normals of a triangle before and after

}  // namespace

void EdgeCollapse::Quadric::add_plane(Vec3 n, Vec3 point, double by) {
  const double d = -double(dot(n, point));
  xx += by * double(n.x) * double(n.x), yy += by * double(n.y) * double(n.y), zz += by * double(n.z) * double(n.z);
  xy += by * double(n.x) * double(n.y), xz += by * double(n.x) * double(n.z), yz += by * double(n.y) * double(n.z);
  x += by * double(n.x) * d, y += by * double(n.y) * d, z += by * double(n.z) * d;
  c += by * d * d, weight += by;
}

void EdgeCollapse::Quadric::add(const Quadric& o) {
  xx += o.xx, yy += o.yy, zz += o.zz, xy += o.xy, xz += o.xz, yz += o.yz;
  x += o.x, y += o.y, z += o.z, c += o.c, weight += o.weight;
}

double EdgeCollapse::Quadric::at(Vec3 p) const {
  const double px = double(p.x), py = double(p.y), pz = double(p.z);
  const double squares = xx * px * px + yy * py * py + zz * pz * pz;
  const double sum = squares + 2 * (xy * px * py + xz * px * pz + yz * py * pz + x * px + y * py + z * pz) + c;
  return weight > 0 ? std::max(sum, 0.0) / weight : 0;
}

std::vector<uint32_t> weld(std::span<const uint32_t> indices, std::span<const std::span<const Vec3>> poses) {
  std::vector<meshopt_Stream> streams;
  for (const std::span<const Vec3> positions : poses) streams.push_back({positions.data(), sizeof(Vec3), sizeof(Vec3)});
  std::vector<uint32_t> welded(indices.size());
  meshopt_generateShadowIndexBufferMulti(welded.data(), indices.data(), indices.size(), poses[0].size(), streams.data(),
                                         std::min<size_t>(streams.size(), kMaxStreams));
  return welded;
}

EdgeCollapse::EdgeCollapse(std::span<const uint32_t> indices, std::vector<std::span<const Vec3>> poses)
    : poses_(std::move(poses)), removed_(indices.size() / 3), triangle_count_(removed_.size()) {
  const size_t vertices = poses_[0].size();
  const std::vector<uint32_t> corners = weld(indices, poses_);
  place_.resize(vertices), around_.resize(vertices), versions_.resize(vertices);
  for (uint32_t v = 0; v < vertices; ++v) place_[v] = v, merged_.push_back({v});
  for (size_t i = 0; i < indices.size(); ++i) place_[indices[i]] = corners[i];
  for (uint32_t t = 0; t < removed_.size(); ++t) {
    triangles_.push_back({indices[t * 3], indices[t * 3 + 1], indices[t * 3 + 2]});
    const uint32_t a = corners[t * 3], b = corners[t * 3 + 1], c = corners[t * 3 + 2];
    if (a == b || b == c || a == c) {
      removed_[t] = true, --triangle_count_;
      continue;
    }
    for (const uint32_t place : {a, b, c}) around_[place].push_back(t);
  }
  add_quadrics();
  for (uint32_t place = 0; place < vertices; ++place) push_around(place);
}

void EdgeCollapse::add_quadrics() {
  quadrics_.assign(poses_.size(), std::vector<Quadric>(place_.size()));
  for (uint32_t t = 0; t < triangles_.size(); ++t) {
    if (removed_[t]) continue;
    const auto place = [&](size_t corner) { return place_[triangles_[t][corner]]; };
    for (size_t pose = 0; pose < poses_.size(); ++pose) {
      const Vec3 a = position(pose, place(0));
      const Vec3 normal = cross(position(pose, place(1)) - a, position(pose, place(2)) - a);
      const float twice = length(normal);
      if (!(twice > 0)) continue;
      for (size_t i = 0; i < 3; ++i) quadrics_[pose][place(i)].add_plane(normal * (1 / twice), a, double(twice));
    }
    for (uint32_t corner = 0; corner < 3; ++corner) {
      if (is_border(place(corner), place((corner + 1) % 3))) add_border(t, corner);
    }
  }
}

bool EdgeCollapse::has(uint32_t triangle, uint32_t place) const {
  const Triangle& corners = triangles_[triangle];
  return place_[corners[0]] == place || place_[corners[1]] == place || place_[corners[2]] == place;
}

bool EdgeCollapse::is_border(uint32_t a, uint32_t b) const {
  return std::count_if(around_[a].begin(), around_[a].end(), [&](uint32_t t) { return has(t, b); }) == 1;
}

/// A plane through the edge, perpendicular to the triangle: it keeps the outline of open surfaces.
void EdgeCollapse::add_border(uint32_t triangle, uint32_t corner) {
  const auto place = [&](uint32_t i) { return place_[triangles_[triangle][(corner + i) % 3]]; };
  for (size_t pose = 0; pose < poses_.size(); ++pose) {
    const Vec3 a = position(pose, place(0)), along = position(pose, place(1)) - a;
    const Vec3 normal = normalize(cross(cross(along, position(pose, place(2)) - a), along), {});
    const double weight = kBorderWeight * double(dot(along, along));
    for (const uint32_t end : {place(0), place(1)}) quadrics_[pose][end].add_plane(normal, a, weight);
  }
}

double EdgeCollapse::cost(uint32_t from, uint32_t to) const {
  double worst = 0;
  for (size_t pose = 0; pose < poses_.size(); ++pose) {
    Quadric both = quadrics_[pose][from];
    both.add(quadrics_[pose][to]);
    worst = std::max(worst, both.at(position(pose, to)));
  }
  return worst;
}

/// The points that have lost their triangles after a collapse: all that became `from`, or a corner whose last triangle
/// goes.
std::vector<uint32_t> EdgeCollapse::uncovered(uint32_t from, uint32_t to) const {
  std::vector<uint32_t> points = merged_[from];
  for (const uint32_t t : around_[from]) {
    if (!has(t, to)) continue;
    for (const uint32_t v : triangles_[t]) {
      const uint32_t place = place_[v];
      const bool goes = place != from && place != to &&
                        std::all_of(around_[place].begin(), around_[place].end(),
                                    [&](uint32_t own) { return has(own, from) && has(own, to); });
      if (goes) points.insert(points.end(), merged_[place].begin(), merged_[place].end());
    }
  }
  return points;
}

/// The largest squared distance of uncovered() points to the triangles that are left around `to`. Quadrics are means:
/// they do not see the end of a thin strip. Where no triangle is left, the size of what goes.
double EdgeCollapse::removed_distance(uint32_t from, uint32_t to) const {
  const std::vector<uint32_t> points = uncovered(from, to);
  std::vector<uint32_t> left;
  for (const uint32_t place : {from, to}) {
    for (const uint32_t t : around_[place]) {
      if (!has(t, from) || !has(t, to)) left.push_back(t);
    }
  }
  if (left.empty()) {
    Box box = kEmptyBox;
    for (const uint32_t point : points) include(box, position(0, point));
    for (const uint32_t point : merged_[to]) include(box, position(0, point));
    return double(dot(size_of(box), size_of(box)));
  }
  double worst = 0;
  for (size_t pose = 0; pose < poses_.size(); ++pose) {
    for (const uint32_t point : points) {
      double nearest = INFINITY;
      for (size_t i = 0; i < left.size() && nearest > worst; ++i) {
        const auto at = [&](size_t corner) {
          const uint32_t place = place_[triangles_[left[i]][corner]];
          return position(pose, place == from ? to : place);
        };
        nearest = std::min(nearest, squared_distance(position(pose, point), at(0), at(1), at(2)));
      }
      worst = std::max(worst, nearest);
    }
  }
  return worst;
}

void EdgeCollapse::push(uint32_t from, uint32_t to) {
  queue_.push({cost(from, to), from, to, versions_[from], versions_[to]});
}

void EdgeCollapse::push_around(uint32_t place) {
  std::vector<uint32_t> neighbors;
  for (const uint32_t t : around_[place]) {
    for (const uint32_t v : triangles_[t]) {
      if (place_[v] != place) neighbors.push_back(place_[v]);
    }
  }
  std::sort(neighbors.begin(), neighbors.end());
  neighbors.erase(std::unique(neighbors.begin(), neighbors.end()), neighbors.end());
  for (const uint32_t neighbor : neighbors) push(place, neighbor), push(neighbor, place);
}

/// False if a vertex at `from` has no edge to a vertex at `to`: the edge lies beside a seam, not on it.
bool EdgeCollapse::find_replacements(uint32_t from, uint32_t to) {
  replacements_.clear();
  const auto find = [&](uint32_t vertex) {
    return std::ranges::find_if(replacements_, [&](const Replacement& r) { return r.vertex == vertex; });
  };
  for (const uint32_t t : around_[from]) {
    if (!has(t, to)) continue;
    uint32_t removed = 0, by = 0;
    for (const uint32_t v : triangles_[t]) {
      if (place_[v] == from) removed = v;
      if (place_[v] == to) by = v;
    }
    if (find(removed) == replacements_.end()) replacements_.push_back({removed, by});
  }
  return std::all_of(around_[from].begin(), around_[from].end(), [&](uint32_t t) {
    return std::all_of(triangles_[t].begin(), triangles_[t].end(),
                       [&](uint32_t v) { return place_[v] != from || find(v) != replacements_.end(); });
  });
}

bool EdgeCollapse::flips(uint32_t from, uint32_t to) const {
  for (const uint32_t t : around_[from]) {
    if (has(t, to)) continue;
    for (size_t pose = 0; pose < poses_.size(); ++pose) {
      Vec3 before[3], after[3];
      for (size_t i = 0; i < 3; ++i) {
        const uint32_t place = place_[triangles_[t][i]];
        before[i] = position(pose, place), after[i] = place == from ? position(pose, to) : before[i];
      }
      const Vec3 old_normal = cross(before[1] - before[0], before[2] - before[0]);
      const Vec3 new_normal = cross(after[1] - after[0], after[2] - after[0]);
      if (dot(old_normal, new_normal) < kMinCosine * length(old_normal) * length(new_normal)) return true;
    }
  }
  return false;
}

void EdgeCollapse::collapse(uint32_t from, uint32_t to) {
  const std::vector<uint32_t> points = uncovered(from, to);
  merged_[to].insert(merged_[to].end(), points.begin(), points.end());
  merged_[from] = {};
  for (const uint32_t t : around_[from]) {
    if (has(t, to)) {
      removed_[t] = true, --triangle_count_;
      for (const uint32_t v : triangles_[t]) {
        if (place_[v] != from) std::erase(around_[place_[v]], t);
      }
      continue;
    }
    for (uint32_t& v : triangles_[t]) {
      for (const Replacement& replacement : replacements_) {
        if (v == replacement.vertex) {
          v = replacement.by;
          break;
        }
      }
    }
    around_[to].push_back(t);
  }
  around_[from].clear();
  for (std::vector<Quadric>& quadrics : quadrics_) quadrics[to].add(quadrics[from]);
  ++versions_[from], ++versions_[to];
  push_around(to);
}

void EdgeCollapse::run(size_t triangles, double max_distance) {
  while (triangle_count_ > triangles && !queue_.empty()) {
    Candidate best = queue_.top();
    if (std::sqrt(best.cost) > max_distance) return;
    queue_.pop();
    if (versions_[best.from] != best.from_version || versions_[best.to] != best.to_version) continue;
    if (around_[best.from].empty() || !find_replacements(best.from, best.to) || flips(best.from, best.to)) continue;
    const double distance = removed_distance(best.from, best.to);  // of what is around them now
    if (distance > best.cost) {
      best.cost = distance;
      queue_.push(best);
      continue;
    }
    collapse(best.from, best.to);
  }
}

std::vector<uint32_t> EdgeCollapse::indices() const {
  std::vector<uint32_t> indices;
  for (size_t t = 0; t < triangles_.size(); ++t) {
    if (!removed_[t]) indices.insert(indices.end(), triangles_[t].begin(), triangles_[t].end());
  }
  return indices;
}

}  // namespace sinew::internal
