// Picking: rays against all triangles of a crowd, instances near a path, joints. Wrong arguments.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>
#include <variant>

#include "crowd_fixture.h"
#include "long_run.h"
#include "sinew/animation/inverse_kinematics.h"
#include "sinew/asset/cpu_skin.h"

namespace sinew::test {
namespace {

using crowd::PickHit;
using crowd::Ray;
using crowd::Segment;
using ::testing::HasSubstr;
using vulkan::CrowdOptions;
using vulkan::SkinnedCrowd;

using Point = std::array<double, 3>;
Point minus(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
double dot(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Point cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Point to_point(Vec3 a) { return {a.x, a.y, a.z}; }

SharedModel with_dual_quaternions() {
  auto model = std::make_shared<Model>(*built_in_model());
  model->character.mesh.blend = Blend::kDualQuaternion;
  for (ModelLevel& level : model->levels) level.mesh.blend = Blend::kDualQuaternion;
  return model;
}

/// Without levels; a morph target moves the upper half sideways by 0.35 m.
SharedModel with_morph_target() {
  CharacterFile file;
  file.character = built_in_model()->character;
  MorphTarget& target = file.character.mesh.targets.emplace_back();
  target.name = "side", target.rest_weight = 0.7f;
  for (uint32_t v = 0; v < file.character.mesh.vertex_count(); ++v) {
    if (file.character.mesh.positions[v].y < 1) continue;
    target.vertices.push_back(v), target.positions.push_back({0.5f, 0, 0});
  }
  ModelOptions options;
  options.levels.triangle_shares.clear();
  options.levels.small_levels = false;
  auto made = make_model(std::move(file), options);
  EXPECT_TRUE(made) << (made ? "" : made.error().message);
  return *made;
}

const std::vector<SharedModel>& three_models() {
  static const std::vector<SharedModel> models = {built_in_model(), with_dual_quaternions(), with_morph_target()};
  return models;
}

float between(std::mt19937& random, float low, float high) {
  return std::uniform_real_distribution<float>(low, high)(random);
}

/// Turned, scaled by 0.5 to 2; some mirrored, some stretched.
Matrix3x4 any_place(std::mt19937& random, uint32_t i, Vec3 at) {
  const float angle = between(random, -3, 3), scale = between(random, 0.5f, 2);
  const float x = i % 5 == 0 ? -scale : scale, y = i % 7 == 0 ? scale * 1.5f : scale;
  const float c = std::cos(angle), s = std::sin(angle);
  return {{{c * x, 0, s * scale, at.x}, {0, y, 0, at.y}, {-s * x, 0, c * scale, at.z}}};
}

/// 200 characters from 3 to 300 m before the camera, of three models.
Host mixed_host(double seconds) {
  std::mt19937 random(11);
  Host host = make_host(*built_in_model(), 200, seconds);
  for (uint32_t i = 0; i < 200; ++i) {
    host.models[i] = i % 9 == 1 ? 1 : i % 9 < 5 ? 0 : 2;
    const float depth = 3 * std::pow(100.0f, float(i) / 200), side = between(random, -1, 1) * (1 + 0.8f * depth);
    host.places[i] = any_place(random, i, {side, 0, 20 - depth});
  }
  return host;
}

/// A drawn instance with all its vertices in world space.
struct Posed {
  uint32_t instance = 0, model = 0, level = 0;
  std::vector<Point> vertices;
  Point low{INFINITY, INFINITY, INFINITY}, high{-INFINITY, -INFINITY, -INFINITY};
};

Posed posed(const SkinnedCrowd& crowd, const Host& host, const crowd::PosedBatch& batch, uint32_t instance,
            std::span<const Vec3> positions) {
  Posed out{instance, batch.model, batch.level, {}, {INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  EXPECT_EQ(positions.size(), crowd.models()[batch.model]->mesh(batch.level).vertex_count());
  for (const Vec3 p : positions) {
    Point& own = out.vertices.emplace_back();
    for (size_t r = 0; r < 3; ++r) {
      const auto& row = host.places[instance].m[r];
      own[r] = double(row[0]) * p.x + double(row[1]) * p.y + double(row[2]) * p.z + double(row[3]);
      out.low[r] = std::min(out.low[r], own[r] - 1e-6), out.high[r] = std::max(out.high[r], own[r] + 1e-6);
    }
  }
  return out;
}

bool may_hit(const Posed& own, const Point& origin, const Point& direction) {
  double begin = 0, end = INFINITY;
  for (size_t r = 0; r < 3; ++r) {
    const double a = (own.low[r] - origin[r]) / direction[r], b = (own.high[r] - origin[r]) / direction[r];
    begin = std::max(begin, std::min(a, b)), end = std::min(end, std::max(a, b));
  }
  return begin <= end;
}

struct FoundHit {
  double distance = 0;
  uint32_t instance = 0, triangle = 0;
};

/// All hits, by the signed volumes of a triangle's edges with the ray: not the formula of the library.
void add_hits(const Posed& own, const Mesh& mesh, const Point& origin, const Point& direction,
              std::vector<FoundHit>& hits) {
  for (uint32_t t = 0; t < mesh.indices.size() / 3; ++t) {
    const Point a = minus(own.vertices[mesh.indices[3 * t]], origin),
                b = minus(own.vertices[mesh.indices[3 * t + 1]], origin),
                c = minus(own.vertices[mesh.indices[3 * t + 2]], origin);
    const double u = dot(direction, cross(b, c)), v = dot(direction, cross(c, a)), w = dot(direction, cross(a, b));
    if (!((u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0)) || u + v + w == 0) continue;
    const double distance = (u * dot(a, direction) + v * dot(b, direction) + w * dot(c, direction)) / (u + v + w);
    if (distance >= 0) hits.push_back({distance, own.instance, t});
  }
}

std::optional<int32_t> heaviest_joint(const Model& model, const PickHit& hit) {
  std::map<int32_t, double> joints;
  const Mesh& mesh = model.mesh(hit.level);
  const float weights[] = {hit.barycentrics.x, hit.barycentrics.y, hit.barycentrics.z};
  for (size_t corner = 0; corner < 3; ++corner) {
    for (const Influence& own : mesh.influences_of(mesh.indices[3 * hit.triangle + corner]))
      joints[model.skin(hit.level).entries[own.entry].joint] += double(own.weight) * weights[corner];
  }
  double heaviest = 0, second = 0;
  std::optional<int32_t> joint;
  for (const auto& [own, weight] : joints) {
    second = std::max(second, std::min(heaviest, weight));
    if (weight > heaviest) heaviest = weight, joint = own;
  }
  if (heaviest - second < 1e-5) return {};  // two joints are equally heavy
  return joint;
}

class PickTest : public CrowdTest {
 protected:
  static std::vector<Posed> all_posed(const SkinnedCrowd& crowd, const Host& host) {
    std::vector<Posed> all;
    const crowd::Plan& plan = crowd.plan();
    for (const crowd::PosedBatch& batch : plan.batches) {
      for (uint32_t m = batch.first_mesh; m < batch.first_mesh + batch.mesh_count; ++m) {
        const crowd::PosedMesh& mesh = plan.posed_meshes[m];
        const auto positions = expected(*crowd.models()[batch.model], batch.level, plan.playbacks[m]);
        for (uint32_t i = 0; i < mesh.instance_count; ++i)
          all.push_back(posed(crowd, host, batch, plan.instances[mesh.first_instance + i], positions));
      }
    }
    return all;
  }

  /// Compares one ray with all triangles of all drawn instances.
  void check(const SkinnedCrowd& crowd, const crowd::Instances& instances, const std::vector<Posed>& all,
             const Ray& ray) {
    const Point origin = to_point(ray.origin);
    Point direction = to_point(ray.direction);
    const double size = std::sqrt(dot(direction, direction));
    for (double& d : direction) d /= size;
    found_.clear();
    for (const Posed& own : all) {
      if (may_hit(own, origin, direction))
        add_hits(own, crowd.models()[own.model]->mesh(own.level), origin, direction, found_);
    }
    double nearest = INFINITY;
    for (const FoundHit& hit : found_) nearest = std::min(nearest, hit.distance);
    const auto picked = crowd.pick(instances, ray);
    ASSERT_TRUE(picked) << picked.error().message;
    ASSERT_EQ(picked->has_value(), nearest < INFINITY) << "nearest " << nearest;
    if (!picked->has_value()) return;
    const PickHit& hit = **picked;
    ++hits_;
    int at_this_distance = 0;
    bool is_nearest = false;
    const double tolerance = 2e-6 * (1 + nearest);
    for (const FoundHit& own : found_) {
      if (own.distance - nearest > tolerance) continue;
      ++at_this_distance;
      is_nearest = is_nearest || (own.instance == hit.instance && own.triangle == hit.triangle);
    }
    if (at_this_distance > 1) ++ties_;
    EXPECT_TRUE(is_nearest) << "instance " << hit.instance << ", triangle " << hit.triangle;
    EXPECT_NEAR(hit.distance, nearest, 2 * tolerance);
    expect_consistent(crowd, all, ray, hit);
  }

  /// The parts of a hit agree with each other.
  static void expect_consistent(const SkinnedCrowd& crowd, const std::vector<Posed>& all, const Ray& ray,
                                const PickHit& hit) {
    const auto own = std::find_if(all.begin(), all.end(), [&](const Posed& p) { return p.instance == hit.instance; });
    ASSERT_NE(own, all.end());
    EXPECT_EQ(hit.model, own->model);
    EXPECT_EQ(hit.level, own->level);
    const Mesh& mesh = crowd.models()[hit.model]->mesh(hit.level);
    const float weights[] = {hit.barycentrics.x, hit.barycentrics.y, hit.barycentrics.z};
    EXPECT_NEAR(weights[0] + weights[1] + weights[2], 1, 1e-5f);
    Point point{};
    for (size_t corner = 0; corner < 3; ++corner) {
      const Point& vertex = own->vertices[mesh.indices[3 * hit.triangle + corner]];
      for (size_t r = 0; r < 3; ++r) point[r] += double(weights[corner]) * vertex[r];
    }
    const Vec3 along = normalize(ray.direction) * hit.distance;
    const double tolerance = 1e-5 * (1 + hit.distance);
    EXPECT_NEAR(hit.point.x, point[0], tolerance);
    EXPECT_NEAR(hit.point.y, point[1], tolerance);
    EXPECT_NEAR(hit.point.z, point[2], tolerance);
    EXPECT_NEAR(hit.point.z, ray.origin.z + along.z, tolerance);
    const auto joint = heaviest_joint(*crowd.models()[hit.model], hit);
    EXPECT_EQ(hit.joint, joint.value_or(hit.joint));
  }

  std::vector<FoundHit> found_;
  int hits_ = 0, ties_ = 0;
};

/// Half of the rays come from the eye, the others from anywhere near the ground; each goes near a vertex.
Ray any_ray(std::mt19937& random, const std::vector<Posed>& all, Vec3 eye) {
  const Posed& target = all[random() % all.size()];
  const Point& vertex = target.vertices[random() % target.vertices.size()];
  Ray ray{eye, {}};
  if (random() % 2 == 0) ray.origin = {between(random, -20, 20), between(random, 0.1f, 5), between(random, -80, 20)};
  const float spread = random() % 3 == 0 ? 0.5f : 0.1f;
  const auto near = [&](double at, float from) { return float(at) - from + between(random, -spread, spread); };
  ray.direction = {near(vertex[0], ray.origin.x), near(vertex[1], ray.origin.y), near(vertex[2], ray.origin.z)};
  ray.direction = ray.direction * between(random, 0.01f, 10);
  return ray;
}

TEST_F(PickTest, RaysHitWhatASearchOfAllTrianglesFinds) {
  const int rays = is_long_run() ? 2000 : 300;  // of a frame
  SkinnedCrowd crowd = make_crowd({.planner = {.unique_poses = 60}}, three_models());
  std::mt19937 random(3);
  const crowd::View view = view_from(20);
  uint32_t not_updated = 0, shared = 0;
  std::vector<crowd::Sphere> spheres(200);
  for (uint32_t frame = 0; frame < 5; ++frame) {
    const Host host = mixed_host(frame / 60.0);
    ASSERT_TRUE(run_frame(crowd, host, view));
    const crowd::PlanCounters& counters = crowd.plan().counters;
    not_updated += counters.not_updated, shared += counters.shared;
    EXPECT_GT(counters.culled, 0u);
    const std::vector<Posed> all = all_posed(crowd, host);
    crowd::Instances instances = host.instances();
    if (frame % 2 == 1) {
      for (uint32_t i = 0; i < 200; ++i) {
        const Model& model = *three_models()[host.models[i]];
        crowd::ModelInfo info;
        info.bounds = &model.bounds, info.baked = &model.baked;
        spheres[i] = bounding_sphere(info, host.places[i]);
      }
      instances.spheres = spheres;
    }
    for (int i = 0; i < rays; ++i) check(crowd, instances, all, any_ray(random, all, view.eye));
    uint32_t levels = 0;
    for (const uint32_t level : counters.levels) levels += level > 0;
    EXPECT_GT(levels, 2u);
  }
  EXPECT_GT(not_updated, 0u);
  EXPECT_GT(shared, 0u);
  EXPECT_GT(hits_, 5 * rays / 2);
  EXPECT_LT(ties_, rays / 20);
  std::printf("%d rays: %d hits, %d of them with another triangle at the same distance\n", 5 * rays, hits_, ties_);
}

TEST_F(PickTest, ARayAlongAnAxisFromInsideAndPastItsEnd) {
  SkinnedCrowd crowd = make_crowd({.planner = {.cull = false}}, three_models());
  const Host host = mixed_host(0);
  ASSERT_TRUE(run_frame(crowd, host, view_from(20)));
  const std::vector<Posed> all = all_posed(crowd, host);
  const auto instances = host.instances();
  uint32_t hits = 0;
  for (const Posed& own : all) {
    const Point& p = own.vertices[own.vertices.size() / 2];
    const Vec3 above{float(p[0]), float(p[1]) + 30, float(p[2])};
    const auto down = crowd.pick(instances, {above, {0, -1, 0}});
    ASSERT_TRUE(down);
    if (!*down) continue;
    ++hits;
    const float distance = (*down)->distance;
    EXPECT_TRUE(*crowd.pick(instances, {above, {0, -1, 0}}, distance * 1.0001f));
    EXPECT_FALSE(*crowd.pick(instances, {above, {0, -1, 0}}, distance * 0.9999f));
    const Vec3 inside{above.x, above.y - distance - 1e-4f, above.z};
    const auto out = crowd.pick(instances, {inside, {0, 1, 0}});
    ASSERT_TRUE(out);
    ASSERT_TRUE(*out);
    EXPECT_LT((*out)->distance, 0.01f);
  }
  EXPECT_GT(hits, 150u);
}

TEST_F(PickTest, ThePoseOfTheHostIsHit) {
  for (const bool compact : {false, true}) {
    auto without_sockets = std::make_shared<Model>(*built_in_model());
    without_sockets->sockets.clear();
    for (ModelLevel& level : without_sockets->levels) level.sockets.clear();
    const SharedModel model = without_sockets;
    SkinnedCrowd crowd = make_crowd({.planner = {.cull = false}, .compact_palettes = compact}, {&model, 1});
    Host host = make_host(*model, 3);
    host.host_posed = {0, 1, 0};
    const std::vector<crowd::Sphere> spheres(3, {{0, 1, 0}, 100});
    crowd::Instances instances = host.instances();
    instances.spheres = spheres;
    const crowd::View view = view_from(10);
    ASSERT_TRUE(crowd.update({.number = ++frame_}, instances, {&view, 1}));
    const vulkan::HostPose pose = crowd.host_pose(1);
    Matrix3x4 moved{{{1, 0, 0, 0}, {0, 1, 0, 20}, {0, 0, 1, 3}}};
    for (Matrix3x4& matrix : pose.palette) matrix = moved;
    for (CompactMatrix& matrix : pose.compact_palette) matrix = sinew::compact(moved, 1);
    const Vec3 at{host.places[1].m[0][3], 21, 3};
    const auto hit = crowd.pick(instances, {at + Vec3{0, 0, 10}, {0, 0, -1}});
    ASSERT_TRUE(hit);
    ASSERT_TRUE(*hit) << compact;
    EXPECT_EQ((*hit)->instance, 1u);
    EXPECT_NEAR((*hit)->point.z, 3, 0.5f);
    const int32_t joint = model->character.skin.entries[2].joint;
    const auto place = crowd.joint_transform(instances, 1, uint32_t(joint));
    ASSERT_TRUE(place) << place.error().message;
    const Matrix3x4d bind = inverse(model->character.skin.entries[2].joint_from_mesh);
    EXPECT_NEAR(place->m[1][3], bind.m[1][3] + 20, 1e-3);
    device_->submit_and_wait([&](VkCommandBuffer cmd) { crowd.record(cmd); });
  }
}

TEST_F(PickTest, InstancesNearAPathAreThoseWhoseSpheresAre) {
  SkinnedCrowd crowd = make_crowd({}, three_models());
  const Host host = mixed_host(0);
  ASSERT_TRUE(run_frame(crowd, host, view_from(20)));
  std::mt19937 random(5);
  size_t total = 0;
  for (int i = 0; i < 500; ++i) {
    Segment path{{between(random, -20, 20), between(random, 0, 5), between(random, -80, 20)}, {}};
    path.to = i % 10 == 0 ? path.from : path.from + Vec3{between(random, -9, 9), 1, between(random, -9, 9)};
    const float radius = i % 3 == 0 ? 0 : between(random, 0, 3);
    std::vector<uint32_t> near = {7}, expected, doubtful;
    ASSERT_TRUE(crowd.instances_near(host.instances(), path, radius, near));
    for (uint32_t own = 0; own < 200; ++own) {
      const Model& model = *three_models()[host.models[own]];
      crowd::ModelInfo info;
      info.bounds = &model.bounds, info.baked = &model.baked;
      const crowd::Sphere sphere = bounding_sphere(info, host.places[own]);
      const Point way = minus(to_point(path.to), to_point(path.from)),
                  center = minus(to_point(sphere.center), to_point(path.from));
      const double squared = dot(way, way), t = squared > 0 ? std::clamp(dot(center, way) / squared, 0.0, 1.0) : 0;
      const Point off = minus(center, {way[0] * t, way[1] * t, way[2] * t});
      const double gap = std::sqrt(dot(off, off)) - double(sphere.radius) - double(radius);
      if (std::abs(gap) < 2e-3) doubtful.push_back(own);
      if (gap < 0) expected.push_back(own);
    }
    if (!doubtful.empty()) continue;
    EXPECT_EQ(near, expected);
    total += near.size();
  }
  EXPECT_GT(total, 300u);
}

TEST_F(PickTest, AJointIsWhereItsSocketIsAndCulledInstancesHaveJoints) {
  const SharedModel& model = built_in_model();
  SkinnedCrowd crowd = make_crowd();
  Host host = make_host(*model, 30);
  for (uint32_t i = 0; i < 30; i += 4) host.places[i].m[0][0] = -1.5f;          // mirrored
  for (uint32_t i = 0; i < 30; i += 7) host.places[i].m[2][3] = 90 + float(i);  // behind the camera
  ASSERT_TRUE(run_frame(crowd, host, view_from(20)));
  EXPECT_GT(crowd.plan().counters.culled, 0u);
  const Skeleton& skeleton = model->character.skeleton;
  const auto& names = skeleton.joint_names;
  const auto hand = uint32_t(std::find(names.begin(), names.end(), "hand_r") - names.begin());
  const uint32_t socket = *find_socket(*model, "hand");
  EvaluationScratch scratch;
  std::vector<Matrix3x4> palette(model->baked.palette_size);
  for (uint32_t i = 0; i < 30; ++i) {
    const auto place = crowd.joint_transform(host.instances(), i, hand);
    ASSERT_TRUE(place) << place.error().message;
    const crowd::SocketRequest request{i, socket};
    Matrix3x4 in_crowd;
    crowd.place_sockets(host.instances(), {&request, 1}, {&in_crowd, 1});
    const bool drawn = in_crowd.m[0][0] != 0 || in_crowd.m[1][1] != 0;
    EXPECT_EQ(drawn, crowd.playback_of(i).has_value());
    ASSERT_TRUE(evaluate_exact(model->character, {&host.playbacks[i], 1}, uint32_t(palette.size()), palette, scratch));
    const Matrix3x4 exact = host.places[i] * matrix_cast<float>(scratch.model_from_joint[hand]);
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 4; ++column) {
        EXPECT_NEAR(place->m[row][column], drawn ? in_crowd.m[row][column] : place->m[row][column], 4e-3f) << i;
        EXPECT_NEAR(place->m[row][column], exact.m[row][column], 1e-4f) << i;
      }
    }
  }
}

TEST_F(PickTest, TargetsMoveJointsAndWhatRaysHit) {
  const SharedModel& model = built_in_model();
  SkinnedCrowd crowd = make_crowd();
  const std::vector<Chain> chains = *find_chains(model->character);
  const auto arm = std::ranges::find(chains, "right arm", &Chain::name);
  ASSERT_NE(arm, chains.end());
  ASSERT_TRUE(crowd.set_chains(0, chains));
  const uint32_t hand = std::get<TwoBoneChain>(arm->kind).end;
  Host host = make_host(*model, 1);
  host.places[0] = {};
  ASSERT_TRUE(run_frame(crowd, host, view_from(10)));
  const Matrix3x4 before = *crowd.joint_transform(host.instances(), 0, hand);
  const Vec3 target{before.m[0][3], before.m[1][3] + 0.25f, before.m[2][3] + 0.1f};
  const Ray ray{{target.x, target.y, target.z + 3}, {0, 0, -1}};
  const auto passes = crowd.pick(host.instances(), ray, 10);
  ASSERT_TRUE(passes);
  EXPECT_FALSE(passes->has_value() && std::abs((*passes)->point.z - target.z) < 0.15f) << "no hand is there yet";

  host.targets = {{0, uint32_t(arm - chains.begin()), target}};
  ASSERT_TRUE(run_frame(crowd, host, view_from(10)));
  host.targets.clear();  // those of the frame count
  const Matrix3x4 after = *crowd.joint_transform(host.instances(), 0, hand);
  EXPECT_LT(std::hypot(after.m[0][3] - target.x, after.m[1][3] - target.y, after.m[2][3] - target.z), 0.02f);
  const auto hits = crowd.pick(host.instances(), ray, 10);
  ASSERT_TRUE(hits && hits->has_value());
  EXPECT_NEAR((*hits)->point.z, target.z, 0.15f);
}

template <class T>
std::string pick_refusal(const Result<T>& result) {
  if (result) return "";
  EXPECT_EQ(result.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(result.error().message.find('\n'), std::string::npos);
  return result.error().message;
}

/// docs/misuse.md has more of them.
TEST_F(PickTest, WrongArgumentsGetOneLine) {
  const Host host = make_host(*built_in_model(), 4);
  const auto instances = host.instances();
  const Ray ray{{0, 1, 5}, {0, 0, -1}};
  std::vector<uint32_t> near;
  SkinnedCrowd crowd = make_crowd();
  EXPECT_THAT(pick_refusal(crowd.joint_transform(instances, 0, 0)), HasSubstr("update() comes before"));
  EXPECT_THAT(crowd.instances_near(instances, {}, 1, near).error().message, HasSubstr("update() comes before"));
  ASSERT_TRUE(run_frame(crowd, host, view_from(10)));
  ASSERT_EQ(crowd.instances().size(), 4u);
  EXPECT_EQ(pick_refusal(crowd.pick(instances, ray)), "");
  EXPECT_THAT(pick_refusal(crowd.pick(instances, {{0, NAN, 0}, {0, 0, 1}})), HasSubstr("not finite"));
  EXPECT_THAT(pick_refusal(crowd.pick(instances, {{0, 1, 0}, {0, INFINITY, 1}})), HasSubstr("not finite"));
  EXPECT_THAT(pick_refusal(crowd.pick(instances, ray, 0)), HasSubstr("largest distance"));
  EXPECT_THAT(pick_refusal(crowd.pick(instances, ray, NAN)), HasSubstr("largest distance"));
  EXPECT_THAT(pick_refusal(crowd.joint_transform(instances, 4, 0)), HasSubstr("no such instance"));
  EXPECT_THAT(crowd.instances_near(instances, {{NAN, 0, 0}, {}}, 1, near).error().message, HasSubstr("not finite"));
  EXPECT_THAT(crowd.instances_near(instances, {}, -1, near).error().message, HasSubstr("radius"));
  EXPECT_THAT(crowd.instances_near(instances, {}, NAN, near).error().message, HasSubstr("radius"));
  crowd::Instances without = instances;
  without.world_from_model = {};
  EXPECT_THAT(pick_refusal(crowd.pick(without, ray)), HasSubstr("world_from_model"));
}

}  // namespace
}  // namespace sinew::test
