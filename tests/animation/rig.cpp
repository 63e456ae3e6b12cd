#include "rig.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/animation/pose.h"

namespace sinew::test {
namespace {

constexpr double kFloatSums = 4e-6;  // meters; bake() measures in double precision, the lane code adds in single

std::vector<Matrix3x4d> joints_of(const Skeleton& skeleton, std::span<const Transform> pose) {
  std::vector<Matrix3x4d> model_from_joint(pose.size());
  walk_hierarchy(skeleton, pose, model_from_joint);
  return model_from_joint;
}

class RigMaker {
 public:
  explicit RigMaker(const RigOptions& options) : options_(options), random_(options.seed) {}

  Character make() {
    grow();
    character_.skeleton.model_from_root = to_matrix({{0.1f, 0.2f, 0.3f}, rotation_within(3), {1, 1, 1}});
    bind();
    for (uint32_t i = 0; i < options_.clips; ++i) add_clip(i);
    character_.mesh.first_influence = {0};
    character_.materials.resize(1);
    return std::move(character_);
  }

 private:
  float between(float low, float high) { return std::uniform_real_distribution<float>(low, high)(random_); }
  Vec3 vector(float size) { return {between(-size, size), between(-size, size), between(-size, size)}; }

  Quat rotation_within(float radians) {
    const Vec3 axis = normalize(vector(1)) * std::sin(radians * between(0, 0.5f));
    return normalize(Quat{axis.x, axis.y, axis.z, std::sqrt(1 - dot(axis, axis))});
  }

  Vec3 scale() {
    if (options_.scaling == Scaling::kNone) return {1, 1, 1};
    const float all = between(0.8f, 1.25f);
    if (options_.scaling == Scaling::kUniform) return {all, all, all};
    return {between(0.8f, 1.25f), between(0.8f, 1.25f), between(0.8f, 1.25f)};
  }

  void grow() {
    Skeleton& skeleton = character_.skeleton;
    std::vector<int32_t> ancestors;
    for (uint32_t j = 0; j < options_.joints; ++j) {
      while (ancestors.size() > 1 && options_.branching > 0 && random_() % options_.branching == 0) {
        ancestors.pop_back();
      }
      skeleton.joint_names.push_back("joint " + std::to_string(j));
      skeleton.parents.push_back(ancestors.empty() ? kNoJoint : ancestors.back());
      skeleton.rest_pose.push_back({vector(options_.bone_length), rotation_within(1), scale()});
      ancestors.push_back(int32_t(j));
    }
  }

  /// Inverse bind matrices of a pose that differs from the rest pose and has no scale.
  void bind() {
    std::vector<Transform> pose = character_.skeleton.rest_pose;
    for (Transform& local : pose) local.rotation = local.rotation * rotation_within(0.5f), local.scale = {1, 1, 1};
    const std::vector<Matrix3x4d> model_from_joint = joints_of(character_.skeleton, pose);
    for (size_t j = 0; j < pose.size(); ++j) {
      character_.skin.entries.push_back({int32_t(j), inverse(model_from_joint[j])});
    }
  }

  template <class Value, class Draw>
  void fill(Track<Value>& track, Draw draw) {
    const uint32_t keys = std::max(1u, uint32_t(options_.duration_seconds * options_.keys_per_second)) + 1;
    track.interpolation = options_.interpolation;
    for (uint32_t key = 0; key < keys; ++key) {
      const bool last = key + 1 == keys;
      const float time =
          (float(key) + (key == 0 || last || options_.even_keys ? 0 : between(-0.4f, 0.4f))) / float(keys - 1);
      track.times_seconds.push_back(options_.start_seconds + time * options_.duration_seconds);
      track.values.push_back(draw());
    }
  }

  void add_clip(uint32_t index) {
    Clip clip{"clip " + std::to_string(index), 0, 0, {}};
    for (uint32_t j = 0; j < options_.joints; ++j) {
      const Transform& rest = character_.skeleton.rest_pose[j];
      JointTracks tracks;
      tracks.joint = j;
      if (random_() % 2 == 0) fill(tracks.translation, [&] { return rest.translation + vector(0.03f); });
      if (random_() % 8 != 0)
        fill(tracks.rotation, [&] { return normalize(rest.rotation * rotation_within(options_.swing)); });
      if (options_.scaling != Scaling::kNone && random_() % 2 == 0) fill(tracks.scale, [&] { return scale(); });
      clip.tracks.push_back(std::move(tracks));
    }
    set_time_range(clip);
    character_.clips.push_back(std::move(clip));
  }

  RigOptions options_;
  std::mt19937 random_;
  Character character_;
};

Matrix3x4 not_written() {
  Matrix3x4 matrix;
  for (auto& row : matrix.m) std::fill(row, row + 4, NAN);
  return matrix;
}

std::vector<Matrix3x4> rest_palette(const Character& character) {
  std::vector<Matrix3x4> palette(character.skin.palette_size());
  build_palette(character.skin, rest_joints(character), palette);
  return palette;
}

}  // namespace

Character random_rig(const RigOptions& options) { return RigMaker(options).make(); }

Character rig_with_triangles(const RigOptions& options) {
  Character character = random_rig(options);
  Mesh& mesh = character.mesh;
  mesh.first_influence = {0};
  for (uint16_t entry = 0; entry < character.skin.palette_size(); ++entry) {
    for (int corner = 0; corner < 3; ++corner) {
      mesh.indices.push_back(mesh.vertex_count());
      mesh.positions.push_back({0.05f * float(corner == 1), 0.05f * float(corner == 2), 0});
      mesh.normals.push_back({0, 0, 1});
      mesh.uvs.push_back({});
      mesh.influences.push_back({entry, 1});
      mesh.first_influence.push_back(uint32_t(mesh.influences.size()));
    }
  }
  mesh.parts = {{"rig", PartKind::kSkinned, 0, 0, mesh.vertex_count(), 0, uint32_t(mesh.indices.size())}};
  if (character.materials.empty()) character.materials.emplace_back();
  return character;
}

Character one_joint(std::vector<float> times, const std::vector<float>& xs, Interpolation interpolation) {
  Character character = random_rig({.joints = 1, .clips = 0});
  character.skeleton.model_from_root = {};
  character.skeleton.rest_pose = {{}};
  character.skin.entries = {{0, {}}};
  JointTracks tracks;
  tracks.translation.times_seconds = std::move(times);
  for (const float x : xs) tracks.translation.values.push_back({x, 0, 0});
  tracks.translation.interpolation = interpolation;
  Clip clip{"move", 0, 0, {tracks}};
  set_time_range(clip);
  character.clips = {clip};
  return character;
}

Mesh triangle(float size) {
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, {size, 0, 0}, {0, size, 0}};
  mesh.normals.assign(3, {0, 0, 1});
  mesh.uvs.resize(3);
  mesh.indices = {0, 1, 2};
  mesh.first_influence = {0, 1, 2, 3};
  mesh.influences.assign(3, {0, 1});
  mesh.parts = {{"face", PartKind::kRigid, 0, 0, 3, 0, 3}};
  return mesh;
}

Palettes::Palettes(size_t instances, uint32_t palette_size)
    : palette_size_(palette_size),
      stride_(uint32_t(palette_stride(palette_size))),
      blocks_(std::max<size_t>(instances * stride_ / 4, 1)) {
  for (Matrix3x4& matrix : all()) matrix = not_written();
}

Palettes evaluate_exact(const Character& character, std::span<const Playback> instances,
                        std::span<const std::vector<float>> masks) {
  Palettes palettes(instances.size(), character.skin.palette_size());
  EvaluationScratch scratch;
  EXPECT_TRUE(evaluate_exact(character, instances, palettes.stride(), palettes.all(), scratch, masks));
  return palettes;
}

Palettes evaluate_baked(const BakedCharacter& baked, std::span<const Playback> instances) {
  Palettes palettes(instances.size(), baked.palette_size);
  EXPECT_TRUE(CrowdEvaluator(baked).evaluate(instances, palettes.stride(), palettes.all()));
  return palettes;
}

std::vector<Matrix3x4d> rest_joints(const Character& character) {
  return joints_of(character.skeleton, character.skeleton.rest_pose);
}

std::vector<Matrix3x4d> joints_at(const Character& character, const Clip& clip, float time_seconds) {
  std::vector<Transform> pose(character.skeleton.joint_count());
  sample_clip(clip, character.skeleton, time_seconds, pose);
  return joints_of(character.skeleton, pose);
}

double larger(double a, double b) { return std::isnan(a) || !(a < b || std::isnan(b)) ? a : b; }

double largest_difference(const Matrix3x4d& a, const Matrix3x4d& b) {
  double largest = 0;
  for (int i = 0; i < 12; ++i) largest = larger(largest, std::abs(a.m[i / 4][i % 4] - b.m[i / 4][i % 4]));
  return largest;
}

double largest_distance(const Character& character, std::span<const Matrix3x4> a, std::span<const Matrix3x4> b,
                        double radius) {
  const std::vector<Matrix3x4> rest = rest_palette(character);
  double largest = 0;
  for (size_t e = 0; e < character.skin.entries.size(); ++e) {
    double size = 0;
    for (int c = 0; c < 3; ++c)
      size = std::max(size, double(std::hypot(rest[e].m[0][c], rest[e].m[1][c], rest[e].m[2][c])));
    const Matrix3x4d& joint_from_mesh = character.skin.entries[e].joint_from_mesh;
    const bool flat = !(std::abs(determinant(joint_from_mesh)) > 1e-9);
    const Matrix3x4d mesh_from_joint = flat ? Matrix3x4d() : inverse(joint_from_mesh);
    for (int i = 0; i < 6; ++i) {
      double p[3] = {mesh_from_joint.m[0][3], mesh_from_joint.m[1][3], mesh_from_joint.m[2][3]};
      p[i / 2] += (i % 2 == 0 ? 1 : -1) * radius / (size > 0 ? size : 1);
      double difference[3];
      for (int r = 0; r < 3; ++r) {
        const auto of = [&](int c) { return double(a[e].m[r][c]) - double(b[e].m[r][c]); };
        difference[r] = of(0) * p[0] + of(1) * p[1] + of(2) * p[2] + of(3);
      }
      const double distance = std::hypot(difference[0], difference[1], difference[2]);
      largest = larger(largest, distance);
    }
  }
  return largest;
}

double largest_distance(const Character& character, Palettes& a, Palettes& b, double radius) {
  double largest = 0;
  for (size_t i = 0; i < a.all().size() / a.stride(); ++i)
    largest = larger(largest, largest_distance(character, a.of(i), b.of(i), radius));
  return largest;
}

double extent_of(const Character& character) {
  if (character.mesh.positions.empty()) return 1.8;
  const Vec3 size = size_of(bounding_box(skinned_positions(character.mesh, rest_palette(character))));
  return std::max({size.x, size.y, size.z});
}

std::vector<float> times_to_compare(const Clip& clip, size_t count, std::mt19937& random) {
  std::uniform_real_distribution<float> anywhere(clip.start_seconds, clip.end_seconds);
  std::vector<float> times = {clip.start_seconds, clip.end_seconds, clip.start_seconds - 1, clip.end_seconds + 1};
  const auto append_keys = [&](const auto& track) {
    for (const float time : track.times_seconds)
      for (const float near : {std::nextafter(time, -INFINITY), time, std::nextafter(time, INFINITY)})
        if (times.size() < count / 2) times.push_back(near);
  };
  for (const JointTracks& joint : clip.tracks)
    append_keys(joint.translation), append_keys(joint.rotation), append_keys(joint.scale);
  while (times.size() < count + 4) times.push_back(anywhere(random));
  return times;
}

double largest_error(const Character& character, const BakedCharacter& baked, uint32_t clip, size_t count) {
  std::mt19937 random(clip + 1);
  std::vector<Playback> instances;
  for (const float time : times_to_compare(character.clips[clip], count, random)) {
    instances.push_back({{{clip, time, 1}}});
  }
  Palettes exact = evaluate_exact(character, instances), approximate = evaluate_baked(baked, instances);
  const double units_per_meter = extent_of(character) / 1.8;
  return largest_distance(character, exact, approximate, 0.1 * units_per_meter) / units_per_meter;
}

void expect_stated_errors(const Character& character, const BakedCharacter& baked, double max_error, size_t count) {
  ASSERT_EQ(baked.clips.size(), character.clips.size());
  for (uint32_t i = 0; i < baked.clips.size(); ++i) {
    const BakedClip& clip = baked.clips[i];
    EXPECT_LE(clip.error, max_error) << clip.name;
    EXPECT_LE(largest_error(character, baked, i, count), double(clip.error) + kFloatSums)
        << clip.name << " at " << clip.times.frames_per_second << " frames a second";
  }
}

}  // namespace sinew::test
