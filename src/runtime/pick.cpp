#include "pick.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

#include "asset/exceptions.h"
#include "crowd_impl.h"
#include "pick_spheres.h"
#include "sinew/asset/cpu_skin.h"

namespace sinew::vulkan {
namespace internal {
namespace {

using Point = std::array<double, 3>;

constexpr double kEdge = 1e-9;         // of barycentrics: a ray along an edge hits one of its triangles at least
constexpr double kBoxRounding = 1e-6;  // of the coordinates of a box

Point operator-(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
double dot(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Point cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Point to_point(Vec3 a) { return {a.x, a.y, a.z}; }

Point transform(const Matrix3x4d& a, const Point& p) {
  const auto row = [&](int r) { return a.m[r][0] * p[0] + a.m[r][1] * p[1] + a.m[r][2] * p[2] + a.m[r][3]; };
  return {row(0), row(1), row(2)};
}

Point unit(const Point& a) {
  const double size = std::sqrt(dot(a, a));
  return {a[0] / size, a[1] / size, a[2] / size};
}

struct PointBox {
  Point low{INFINITY, INFINITY, INFINITY}, high{-INFINITY, -INFINITY, -INFINITY};
};

/// Includes what the matrix makes of a box that is larger by `reach`.
void include(PointBox& all, const Matrix3x4d& matrix, const Box& box, Vec3 reach) {
  const Point low = to_point(box.low - reach), high = to_point(box.high + reach);
  const Point half{(high[0] - low[0]) / 2, (high[1] - low[1]) / 2, (high[2] - low[2]) / 2};
  const Point center = transform(matrix, {low[0] + half[0], low[1] + half[1], low[2] + half[2]});
  for (int r = 0; r < 3; ++r) {
    const auto& row = matrix.m[r];
    const double extent = std::abs(row[0]) * half[0] + std::abs(row[1]) * half[1] + std::abs(row[2]) * half[2];
    const double margin = extent + kBoxRounding * (extent + std::abs(center[size_t(r)]));
    all.low[size_t(r)] = std::min(all.low[size_t(r)], center[size_t(r)] - margin);
    all.high[size_t(r)] = std::max(all.high[size_t(r)], center[size_t(r)] + margin);
  }
}

/// Whether a ray from the origin is in the box somewhere up to `end`.
bool enters(const PointBox& box, const Point& direction, double end) {
  double begin = 0;
  for (size_t axis = 0; axis < 3; ++axis) {
    if (direction[axis] == 0) {
      if (box.low[axis] > 0 || box.high[axis] < 0) return false;
      continue;
    }
    const double a = box.low[axis] / direction[axis], b = box.high[axis] / direction[axis];
    begin = std::max(begin, std::min(a, b)), end = std::min(end, std::max(a, b));
  }
  return begin <= end;
}

struct TriangleHit {
  double distance = 0, u = 0, v = 0;  // u, v: the weights of the second and the third vertex
};

/// A ray from the origin, and a triangle seen from either side.
/// Source: Möller, Trumbore, "Fast, Minimum Storage Ray/Triangle Intersection", 1997.
bool hits(const Point& direction, const Point& a, const Point& b, const Point& c, TriangleHit& hit) {
  const Point ab = b - a, ac = c - a, p = cross(direction, ac);
  const double det = dot(ab, p);
  if (det == 0) return false;
  const Point s{-a[0], -a[1], -a[2]}, q = cross(s, ab);
  hit = {dot(ac, q) / det, dot(s, p) / det, dot(direction, q) / det};
  return hit.u >= -kEdge && hit.v >= -kEdge && hit.u + hit.v <= 1 + kEdge && hit.distance >= 0;
}

/// How much larger than its sphere an instance of a coarse level may be: see Model::vertex_box().
float growth_of(const CrowdModel& model, uint32_t level) {
  const float half = length(size_of(model.model->bounds.layered)) / 2;
  return level > 0 && half > 0 ? 1 + 2 * model.model->levels[level - 1].error / half : 1;
}

std::span<const crowd::PosedMesh> posed_meshes_in(const crowd::Plan& plan, const crowd::PosedBatch& batch) {
  return std::span(plan.posed_meshes).subspan(batch.first_mesh, batch.mesh_count);
}

/// The posed mesh of a batch that is drawn at a place of Plan::instances.
uint32_t posed_mesh_at(const crowd::Plan& plan, const crowd::PosedBatch& batch, uint32_t place) {
  const auto meshes = posed_meshes_in(plan, batch);
  const auto next =
      std::upper_bound(meshes.begin(), meshes.end(), place,
                       [](uint32_t wanted, const crowd::PosedMesh& mesh) { return wanted < mesh.first_instance; });
  return batch.first_mesh + uint32_t(next - meshes.begin()) - 1;
}

}  // namespace

struct Picker::Search {
  const CrowdImpl& crowd;
  const crowd::Instances& instances;
  Vec3 origin;
  Point direction;
  double nearest;  // no hit further away is of use
  std::optional<crowd::PickHit> hit;
  const Candidate* candidate = nullptr;
  uint32_t wearable = kNoWearable;  // that is tried
  Vec3 reach;                       // of morph targets
  bool improved = false;            // what is tried has the hit

  /// Of hits at one distance the one with the lowest instance, mesh and triangle is kept.
  void keep(uint32_t triangle, const TriangleHit& found) {
    if (!(found.distance <= nearest)) return;
    const uint32_t instance = candidate->instance;
    // The body is number 0.
    if (hit && found.distance == nearest &&
        std::tuple(instance, wearable + 1, triangle) > std::tuple(hit->instance, hit->wearable + 1, hit->triangle))
      return;
    nearest = found.distance, improved = true;
    crowd::PickHit& kept = hit.emplace();
    kept.instance = instance, kept.wearable = wearable, kept.triangle = triangle;
    kept.barycentrics = {float(1 - found.u - found.v), float(found.u), float(found.v)};
  }
};

void Picker::find_candidates(const CrowdImpl& crowd, const crowd::Instances& instances, const crowd::Ray& ray,
                             float max_distance) {
  const crowd::Plan& plan = crowd.planner.last();
  const InstanceSpheres spheres(crowd, instances);
  const Point d = unit(to_point(ray.direction));
  const Line line{ray.origin, {float(d[0]), float(d[1]), float(d[2])}, max_distance};
  SphereBlock block;
  std::array<float, SphereBlock::kSize> entries;
  candidates_.clear();
  for (uint32_t b = 0; b < plan.batches.size(); ++b) {
    const crowd::PosedBatch& batch = plan.batches[b];
    const auto meshes = posed_meshes_in(plan, batch);
    if (meshes.empty()) continue;
    const CrowdModel& model = crowd.models[batch.model];
    const float grown = growth_of(model, batch.level);
    const uint32_t end = meshes.back().first_instance + meshes.back().instance_count;
    for (uint32_t first = meshes.front().first_instance; first < end; first += SphereBlock::kSize) {
      const uint32_t count = std::min(SphereBlock::kSize, end - first);
      for (uint32_t i = 0; i < count; ++i) block.set(i, spheres.of(plan.instances[first + i], model));
      enter_spheres(block, count, line, grown, 0, entries);
      for (uint32_t i = 0; i < count; ++i) {
        if (entries[i] == INFINITY) continue;
        candidates_.push_back({entries[i], plan.instances[first + i], b, posed_mesh_at(plan, batch, first + i)});
      }
    }
  }
  std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
    return std::tie(a.entry, a.instance, a.posed_mesh) < std::tie(b.entry, b.instance, b.posed_mesh);
  });
}

Result<std::optional<crowd::PickHit>> Picker::pick(const CrowdImpl& crowd, const crowd::Instances& instances,
                                                   const crowd::Ray& ray, float max_distance) {
  find_candidates(crowd, instances, ray, max_distance);
  body_ = crowd::kNoPosedMesh;
  Search search{crowd, instances, ray.origin, unit(to_point(ray.direction)), double(max_distance), {}};
  for (const Candidate& candidate : candidates_) {
    if (double(candidate.entry) > search.nearest) break;
    if (Status status = try_candidate(candidate, search); !status) return status.error();
  }
  if (!search.hit) return search.hit;
  const Point& d = search.direction;
  const double t = search.nearest;
  search.hit->distance = float(t);
  search.hit->point = {float(ray.origin.x + t * d[0]), float(ray.origin.y + t * d[1]), float(ray.origin.z + t * d[2])};
  return search.hit;
}

Status Picker::try_candidate(const Candidate& candidate, Search& search) {
  if (Status status = read_body(candidate, search.crowd); !status) return status;
  search.candidate = &candidate;
  try_mesh(search.crowd.planner.last().batches[candidate.batch], search);
  return {};
}

/// Reads the pose of a body. What it wears follows it, and has no morph targets.
Status Picker::read_body(const Candidate& candidate, const CrowdImpl& crowd) {
  const crowd::Plan& plan = crowd.planner.last();
  const crowd::PosedBatch& batch = plan.batches[candidate.batch];
  const uint32_t body = plan.body_of(batch, candidate.posed_mesh);
  if (body != body_) {
    if (Status status = read_pose(crowd, batch.bodies, body, pose_); !status) return status;
    body_ = body;
  }
  weights_ = batch.is_worn() ? std::span<const float>() : pose_.weights;
  return {};
}

/// A mesh in the pose that was read.
void Picker::try_mesh(const crowd::PosedBatch& batch, Search& search) {
  const CrowdMesh& level = search.crowd.models.mesh_of(batch);
  PickMesh& mesh = level.picked;
  if (!mesh.prepared()) mesh = prepare_pick_mesh(*level.mesh);
  search.wearable = level.wearable, search.reach = morph_reach(mesh, weights_), search.improved = false;
  begin_instance(*level.mesh, search.instances.transform_of(search.candidate->instance), search.origin);
  if (level.mesh->blend == Blend::kDualQuaternion) {
    skin_all(*level.mesh);
    try_triangles(*level.mesh, mesh.whole, search);
  } else if (may_hit(mesh, mesh.whole, search)) {
    for (const PickCluster& cluster : mesh.clusters) {
      if (may_hit(mesh, cluster, search)) try_triangles(*level.mesh, cluster, search);
    }
  }
  if (!search.improved) return;
  search.hit->model = batch.model, search.hit->level = batch.level;
  search.hit->joint = joint_at(*search.crowd.models.palette_of(batch).skin, *level.mesh, *search.hit);
}

/// The palette in world space relative to the ray's origin: coordinates are small, and no matrix is inverted.
void Picker::begin_instance(const Mesh& mesh, const Matrix3x4& world_from_model, Vec3 origin) {
  ray_from_model_ = matrix_cast<double>(world_from_model);
  const Point o = to_point(origin);
  for (size_t axis = 0; axis < 3; ++axis) ray_from_model_.m[axis][3] -= o[axis];
  ray_from_mesh_.resize(pose_.palette.size());
  for (size_t e = 0; e < ray_from_mesh_.size(); ++e)
    ray_from_mesh_[e] = ray_from_model_ * matrix_cast<double>(pose_.palette[e]);
  if (skinned_for_.size() < mesh.vertex_count()) {
    skinned_for_.resize(mesh.vertex_count());
    positions_.resize(mesh.vertex_count());
  }
  if (++tried_ == 0) {
    std::fill(skinned_for_.begin(), skinned_for_.end(), 0);
    tried_ = 1;
  }
}

bool Picker::may_hit(const PickMesh& mesh, const PickCluster& cluster, const Search& search) const {
  PointBox box;
  for (const EntryBox& own : std::span(mesh.boxes).subspan(cluster.first_box, cluster.box_count))
    include(box, ray_from_mesh_[own.entry], own.box, search.reach);
  return enters(box, search.direction, search.nearest);
}

void Picker::try_triangles(const Mesh& mesh, const PickCluster& cluster, Search& search) {
  for (uint32_t t = cluster.first_triangle; t < cluster.first_triangle + cluster.triangle_count; ++t) {
    const uint32_t* v = &mesh.indices[3 * size_t{t}];
    TriangleHit found;
    if (hits(search.direction, skinned(mesh, v[0]), skinned(mesh, v[1]), skinned(mesh, v[2]), found))
      search.keep(t, found);
  }
}

/// As skin_on_cpu() does it, but positions alone.
const Point& Picker::skinned(const Mesh& mesh, uint32_t vertex) {
  Point& position = positions_[vertex];
  if (skinned_for_[vertex] == tried_) return position;
  skinned_for_[vertex] = tried_;
  Vec3 bound = mesh.positions[vertex];
  for (size_t t = 0; t < weights_.size(); ++t) {
    const MorphTarget& target = mesh.targets[t];
    if (weights_[t] == 0) continue;
    const auto own = std::lower_bound(target.vertices.begin(), target.vertices.end(), vertex);
    if (own == target.vertices.end() || *own != vertex) continue;
    bound = bound + target.positions[size_t(own - target.vertices.begin())] * weights_[t];
  }
  position = {};
  for (const Influence& influence : mesh.influences_of(vertex)) {
    if (influence.weight == 0) continue;  // the entry is not read: it may be NaN
    const Point moved = transform(ray_from_mesh_[influence.entry], to_point(bound));
    for (size_t axis = 0; axis < 3; ++axis) position[axis] += double(influence.weight) * moved[axis];
  }
  return position;
}

/// What dual quaternions make of a vertex may leave the boxes, and needs the palette itself.
void Picker::skin_all(const Mesh& mesh) {
  model_positions_.resize(mesh.vertex_count()), model_normals_.resize(mesh.vertex_count());
  skin_on_cpu(mesh, pose_.palette, model_positions_, model_normals_, {}, weights_);
  for (uint32_t v = 0; v < mesh.vertex_count(); ++v) {
    positions_[v] = transform(ray_from_model_, to_point(model_positions_[v]));
    skinned_for_[v] = tried_;
  }
}

int32_t Picker::joint_at(const Skin& skin, const Mesh& mesh, const crowd::PickHit& hit) {
  joint_weights_.clear();
  const float weights[] = {hit.barycentrics.x, hit.barycentrics.y, hit.barycentrics.z};
  for (size_t corner = 0; corner < 3; ++corner) {
    for (const Influence& influence : mesh.influences_of(mesh.indices[3 * size_t{hit.triangle} + corner])) {
      const int32_t joint = skin.entries[influence.entry].joint;
      auto own = std::ranges::find_if(joint_weights_, [&](const JointWeight& known) { return known.joint == joint; });
      if (own == joint_weights_.end()) own = joint_weights_.insert(own, {joint, 0});
      own->weight += influence.weight * weights[corner];
    }
  }
  const auto heaviest =
      std::max_element(joint_weights_.begin(), joint_weights_.end(),
                       [](const JointWeight& a, const JointWeight& b) { return a.weight < b.weight; });
  return heaviest == joint_weights_.end() ? kNoJoint : heaviest->joint;
}

}  // namespace internal

using namespace internal;
using namespace sinew::internal;
namespace {

Error refused(const char* call, const char* why) {
  return {ErrorCode::kInvalidArgument, std::string(call) + ": " + why};
}

Line line_along(const crowd::Segment& path) {
  const Point way = to_point(path.to) - to_point(path.from);
  const double size = std::sqrt(dot(way, way));
  if (!(size > 0)) return {path.from, {0, 0, 1}, 0};
  return {path.from, {float(way[0] / size), float(way[1] / size), float(way[2] / size)}, float(size)};
}

/// What an instance plays now, in the frame that was updated last.
Playback playback_now(const crowd::Instances& instances, uint32_t instance, double seconds) {
  const crowd::PlaybackSource& source = instances.playback_source;
  return source.at ? source.at(source.user_data, instance, seconds) : instances.playbacks[instance];
}

/// The crowd has a frame, and these may be its instances.
Status check_frame(const char* call, const CrowdImpl* impl, const crowd::Instances& instances) {
  if (impl == nullptr) return refused(call, "the crowd is empty: it was not made by create()");
  if (!impl->has_frame) return refused(call, "there is no pose yet: update() comes before");
  const size_t count = instances.count();
  const auto fits = [&](size_t size, bool optional) { return size == count || (optional && size == 0); };
  if (!instances.world_from_model_source.at && !fits(instances.world_from_model.size(), false))
    return refused(call, "Instances::world_from_model has not one element per instance");
  if (!fits(instances.spheres.size(), true))
    return refused(call, "Instances::spheres has not one element per instance");
  if (!fits(instances.extra_spheres.size(), true))
    return refused(call, "Instances::extra_spheres has not one element per instance");
  return {};
}

}  // namespace

Result<std::optional<crowd::PickHit>> SkinnedCrowd::pick(const crowd::Instances& instances, const crowd::Ray& ray,
                                                         float max_distance) const SINEW_TRY {
  const char* const call = "pick";
  if (Status status = check_frame(call, impl_.get(), instances); !status) return status.error();
  if (!is_finite(ray.origin) || !is_finite(ray.direction)) return refused(call, "the ray is not finite");
  if (ray.direction.x == 0 && ray.direction.y == 0 && ray.direction.z == 0)
    return refused(call, "the ray has no direction: it is zero");
  if (!(max_distance > 0)) return refused(call, "the largest distance is not above 0");
  uint32_t highest = 0;
  for (const uint32_t instance : plan().instances) highest = std::max(highest, instance);
  if (highest >= instances.count() && !plan().instances.empty())
    return refused(call, "these are not the instances of the last update()");
  return impl_->picker.pick(*impl_, instances, ray, max_distance);
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Status SkinnedCrowd::instances_near(const crowd::Instances& instances, const crowd::Segment& path, float radius,
                                    std::vector<uint32_t>& near) const SINEW_TRY {
  const char* const call = "instances_near";
  near.clear();
  if (Status status = check_frame(call, impl_.get(), instances); !status) return status;
  if (!is_finite(path.from) || !is_finite(path.to)) return refused(call, "the path is not finite");
  if (!(radius >= 0)) return refused(call, "the radius is negative or NaN");
  const InstanceSpheres spheres(*impl_, instances);
  const Line line = line_along(path);
  SphereBlock block;
  std::array<float, SphereBlock::kSize> entries;
  for (uint32_t first = 0; first < instances.count(); first += SphereBlock::kSize) {
    const uint32_t count = std::min(SphereBlock::kSize, instances.count() - first);
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t model = instances.models[first + i];
      const bool exists = impl_->models.is_there(model);
      block.set(i, exists ? spheres.of(first + i, impl_->models[model]) : crowd::Sphere{{NAN, NAN, NAN}, 0});
    }
    enter_spheres(block, count, line, 1, radius, entries);
    for (uint32_t i = 0; i < count; ++i) {
      if (entries[i] != INFINITY) near.push_back(first + i);
    }
  }
  return {};
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Result<Matrix3x4> SkinnedCrowd::joint_transform(const crowd::Instances& instances, uint32_t instance,
                                                uint32_t joint) const SINEW_TRY {
  const char* const call = "joint_transform";
  if (Status status = check_frame(call, impl_.get(), instances); !status) return status.error();
  if (instance >= instances.count() || !impl_->models.is_there(instances.models[instance]))
    return refused(call, "there is no such instance");
  const uint32_t model = instances.models[instance];
  if (joint >= impl_->models[model].model->character.skeleton.joint_count())
    return refused(call, "the model has no such joint");
  PickPose& pose = impl_->picker.pose();
  const std::vector<uint32_t>& bodies = impl_->bodies();
  const uint32_t mesh = instance < bodies.size() ? bodies[instance] : crowd::kNoPosedMesh;
  const bool drawn = mesh != crowd::kNoPosedMesh;
  const uint32_t batch = drawn ? batch_of(*impl_, mesh) : 0;
  if (drawn && plan().batches[batch].model != model)
    return refused(call, "these are not the instances of the last update()");
  const bool host_posed = drawn ? plan().batches[batch].host_posed
                                : instance < instances.host_posed.size() && instances.host_posed[instance] != 0;
  if (host_posed && !drawn) {
    return Error{ErrorCode::kUnsupported, "joint_transform: the host poses the instance, which is not drawn"};
  }
  if (!drawn && !instances.playback_source.at && instance >= instances.playbacks.size())
    return refused(call, "Instances::playbacks has not one element per instance");
  const auto model_from_joint =
      host_posed ? joint_of_host(*impl_, batch, mesh, joint, pose)
      : drawn    ? joint_of(*impl_, model, instance, plan().playbacks[mesh], joint, pose)
                 : joint_of(*impl_, model, instance, playback_now(instances, instance, plan().seconds), joint, pose);
  if (!model_from_joint) return model_from_joint.error();
  return matrix_cast<float>(matrix_cast<double>(instances.transform_of(instance)) * *model_from_joint);
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

}  // namespace sinew::vulkan
