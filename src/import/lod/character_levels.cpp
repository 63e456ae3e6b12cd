// Levels of a character that moves: which there are, and what they promise.
#include <algorithm>
#include <map>
#include <new>
#include <numeric>
#include <optional>
#include <utility>

#include "asset/error.h"
#include "lod/edge_collapse.h"
#include "lod/joint_merge.h"
#include "lod/level_error.h"
#include "lod/small_levels.h"
#include "lod/textured_levels.h"
#include "sinew/animation/bake.h"
#include "sinew/animation/evaluator.h"
#include "sinew/asset/cpu_skin.h"
#include "sinew/import/lod.h"

namespace sinew {

using namespace internal;
namespace {

constexpr size_t kTexturedTriangles = 400;  // coarser levels are small ones
constexpr size_t kCollapsedTriangles = 96;  // coarser ones are made of shapes
constexpr size_t kMinTriangles = 24;        // a level with so many is the last
constexpr size_t kCollapsePoses = 8;        // in which edges are judged
constexpr uint32_t kEstimatePoses = 16;
constexpr double kMaxErrorGrowth = 2.5;    // of a collapsed level, against the error of the level before
constexpr double kFewerTriangles = 0.75;   // a collapsed level has at most this share of those of the level before
constexpr double kFewerShapes = 0.65;      // likewise, of shapes
constexpr double kDistanceStep = 1.15;     // between distances that are tried for shapes
constexpr double kMergeShare = 0.5;        // of a level's error, by which merged joints may move a vertex
constexpr double kShapeMergeShare = 0.75;  // of the distance of shapes, likewise
constexpr double kMaxMeasuredError = 1.6;  // of a level with merged joints, times that without
constexpr double kBetweenSamples = 1.05;   // poses between the samples may be a little worse
constexpr double kBakeShare = 0.04;        // of a level's error, that its bake may add
constexpr double kBakeExtent = 1.8;        // meters: of the character in BakeOptions
constexpr double kFoldShare = 0.5;         // of the distance by which merged joints may move a vertex
constexpr double kFewerJoints = 0.75;      // a palette of its own has at most this share of the character's entries
constexpr size_t kMergePoints = 256;       // besides those that stick out most
constexpr size_t kMaxInfluences = 4;

/// Some of the points, and of those that each joint moves most the ones that stick out farthest: a tip of a sword.
std::vector<uint32_t> chosen_points(std::span<const Vec3> points, std::span<const std::vector<JointWeight>> weights) {
  const auto directions = view_directions();
  std::vector<uint32_t> chosen;
  std::map<std::pair<uint32_t, size_t>, uint32_t> farthest;  // of each joint and direction
  const size_t stride = points.size() / kMergePoints + 1;
  for (uint32_t i = 0; i < points.size(); ++i) {
    if (i % stride == 0) chosen.push_back(i);
    const auto heaviest = std::max_element(weights[i].begin(), weights[i].end(),
                                           [](JointWeight a, JointWeight b) { return a.weight < b.weight; });
    for (size_t d = 0; d < directions.size(); ++d) {
      uint32_t& most = farthest.try_emplace({heaviest->joint, d}, i).first->second;
      if (dot(points[i] - points[most], directions[d]) > 0) most = i;
    }
  }
  for (const auto& [key, point] : farthest) chosen.push_back(point);
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

class LevelMaker {
 public:
  LevelMaker(const Character& character, const LevelContext& context, const LodOptions& options, SamplePoses poses,
             uint32_t material)
      : character_(character),
        context_(context),
        options_(options),
        poses_(std::move(poses)),
        error_(poses_, character.mesh),
        motion_(poses_, character.skeleton),
        different_(poses_.most_different(character.skeleton, kCollapsePoses)),
        material_(material) {}

  Result<std::vector<ModelLevel>> run() {
    if (Status status = add_textured(); !status) return status.error();
    if (options_.small_levels && motion_.exists()) {
      finest_.emplace(character_, poses_);
      if (finest_->visible.points.empty()) {
        warn("nothing of it is seen from outside");
        return std::move(levels_);
      }
      if (Status status = add_collapsed(); !status) return status.error();
      if (Status status = add_shaped(); !status) return status.error();
    }
    return std::move(levels_);
  }

 private:
  void warn(const std::string& why) {
    if (context_.warnings != nullptr) context_.warnings->push_back("no small levels of detail: " + why);
  }

  size_t last_triangles() const { return (levels_.empty() ? character_.mesh : levels_.back().mesh).indices.size() / 3; }
  double last_error() const { return levels_.empty() ? 0 : double(levels_.back().error); }

  Status add_textured() {
    std::vector<float> shares = options_.triangle_shares;
    const double all = double(character_.mesh.indices.size() / 3);
    for (float share = shares.empty() ? 1 : shares.back() / 2;
         options_.small_levels && double(share) * all >= double(kTexturedTriangles); share /= 2)
      shares.push_back(share);
    const double max_distance = double(options_.max_error) * error_.diagonal();
    for (TexturedLevel& made :
         make_textured_levels(character_.mesh, different_poses(), shares, max_distance, LevelVertices::kFitted)) {
      const ModelLevel whole{std::move(made.mesh)};
      const Status added = add(estimate(whole), [&](double max_shift) {
        ModelLevel level = whole;
        merge_joints_of(level, max_shift);
        return level;
      });
      if (!added) return added;
    }
    return {};
  }

  std::vector<std::span<const Vec3>> different_poses() const {
    std::vector<std::span<const Vec3>> positions;
    for (const uint32_t pose : different_) positions.push_back(poses_.positions(pose));
    return positions;
  }

  /// With exact palettes, in some of the poses.
  double estimate(const ModelLevel& level) {
    return error_.estimate(level.mesh.indices, level.mesh.vertex_count(), exactly(level),
                           poses_.count() / kEstimatePoses + 1, context_.parallel_for);
  }

  /// In all poses, with palettes as a crowd gets them: from the level's own bake, if it has one.
  double measure(const ModelLevel& level) {
    CrowdEvaluator evaluator(level.baked);
    for (const NamedMask& mask : context_.masks) {
      if (level.has_palette() && !evaluator.add_mask(mask.factors)) throw std::bad_alloc();
    }
    const LevelError::PoseLevel baked = [&](uint32_t pose, std::span<Vec3> positions) {
      std::vector<Matrix3x4> palette(level.skin.palette_size());
      if (!evaluator.evaluate({&poses_.playback(pose), 1}, level.skin.palette_size(), palette)) throw std::bad_alloc();
      skin_level(level.mesh, palette, pose, positions);
    };
    return error_.largest(level.mesh.indices, level.mesh.vertex_count(), level.has_palette() ? baked : exactly(level),
                          context_.parallel_for);
  }

  LevelError::PoseLevel exactly(const ModelLevel& level) const {
    return [&](uint32_t pose, std::span<Vec3> positions) {
      const Skin& skin = level.has_palette() ? level.skin : character_.skin;
      skin_level(level.mesh, poses_.palette(skin, pose), pose, positions);
    };
  }

  void skin_level(const Mesh& mesh, std::span<const Matrix3x4> palette, uint32_t pose,
                  std::span<Vec3> positions) const {
    const auto weights = mesh.targets.empty() ? std::span<const float>() : poses_.weights(pose);
    std::vector<Vec3> normals(positions.size());
    skin_on_cpu(mesh, palette, positions, normals, {}, weights);
  }

  /// Bakes the clips for the level's own palette, as precisely as the level's error asks.
  Status bake_level(double error, ModelLevel& level) const {
    if (!level.has_palette()) return {};
    BakeOptions options = context_.bake;
    const double meters = error_.extent() > 0 ? error * kBakeExtent / error_.extent() : 0;
    options.max_error = std::max(options.max_error, float(meters * kBakeShare));
    options.min_frames_per_second = std::max(options.min_frames_per_second / 4, 1.0f);
    return put_value(bake(character_, level.skin, level.mesh.target_count(), options), level.baked);
  }

  /// `make(max_shift)` makes the level with joints merged that move no vertex by more than that. Where blends of merged
  /// joints show too much, fewer are merged.
  template <class Make>
  Status add(double error, Make make) {
    for (double max_shift = error * kMergeShare;; max_shift /= 4) {
      ModelLevel level = make(max_shift);
      if (Status status = bake_level(error, level); !status) {
        if (status.error().code != ErrorCode::kUnsupported) return status;
        if (!std::exchange(can_bake_, false)) return {};  // a small level cannot do without
        warn(status.error().message);
        continue;
      }
      const double measured = measure(level);
      const bool last = max_shift < error * kMergeShare / 60;
      if (measured > error * kMaxMeasuredError && level.has_palette() && !last) continue;
      level.error = float(std::max(measured * kBetweenSamples, last_error()));
      levels_.push_back(std::move(level));
      return {};
    }
  }

  // --- joints ---

  uint32_t joint_of(uint32_t entry) const {
    const int32_t joint = character_.skin.entries[entry].joint;
    return joint == kNoJoint ? motion_.joint_count() : uint32_t(joint);
  }

  void add_sockets(MovedPoints& points) const {
    const std::vector<Matrix3x4> rest = poses_.palette(character_.skin, SamplePoses::kRest);
    for (const NamedSocket& named : context_.sockets) {
      const Matrix3x4 model_from_socket = rest[named.socket.entry] * named.socket.mesh_from_socket;
      const JointWeight all{joint_of(named.socket.entry), 1};
      points.add(transform_point(model_from_socket, {}), {&all, 1});
    }
  }

  /// Gives a level with the character's palette one of its own, if it needs much fewer joints.
  void merge_joints_of(ModelLevel& level, double max_distance) {
    if (!motion_.exists() || !can_bake_) return;
    const std::vector<Matrix3x4> rest = poses_.palette(character_.skin, SamplePoses::kRest);
    SmallMesh mesh{{}, {}, level.mesh.indices};
    const uint32_t vertices = level.mesh.vertex_count();
    mesh.positions.resize(vertices);
    std::vector<Vec3> normals(vertices);
    std::vector<Vec4> tangents(level.mesh.tangents.size());
    skin_on_cpu(level.mesh, rest, mesh.positions, normals, tangents);
    for (uint32_t v = 0; v < vertices; ++v)
      mesh.weights.push_back(joint_weights(level.mesh, character_.skin, motion_.joint_count(), v));
    const std::vector<uint32_t> replaced_by = merged_joints(mesh, max_distance);
    reduce_weights(mesh, replaced_by, max_distance);
    const std::vector<uint32_t> joints = joints_of(mesh, replaced_by, max_distance);
    if (double(joints.size()) > kFewerJoints * double(character_.skin.palette_size())) return;
    move_targets(rest, level.mesh);
    level.mesh.positions = mesh.positions, level.mesh.normals = normals, level.mesh.tangents = tangents;
    level.mesh.influences.clear(), level.mesh.first_influence = {0};
    give_palette(joints, replaced_by, level);
    for (uint32_t v = 0; v < vertices; ++v) {
      for (const JointWeight weight : mesh.weights[v])
        level.mesh.influences.push_back({motion_.entry_of(joints, weight.joint), weight.weight});
      level.mesh.first_influence.push_back(uint32_t(level.mesh.influences.size()));
    }
    if (!order_by_influences(level.mesh)) throw std::bad_alloc();
  }

  /// Differences of morph targets become those of the rest pose.
  static void move_targets(std::span<const Matrix3x4> rest, Mesh& mesh) {
    for (MorphTarget& target : mesh.targets) {
      for (std::vector<Vec3>* differences : {&target.positions, &target.normals, &target.tangents}) {
        for (size_t i = 0; i < differences->size(); ++i) {
          Vec3 sum;
          for (const Influence influence : mesh.influences_of(target.vertices[i])) {
            const Matrix3x4& matrix = rest[influence.entry];
            const Vec3 moved = transform_point(matrix, (*differences)[i]) - transform_point(matrix, {});
            sum = sum + moved * influence.weight;
          }
          (*differences)[i] = sum;
        }
      }
    }
  }

  std::vector<uint32_t> merged_joints(const SmallMesh& mesh, double max_distance) const {
    return merge_joints(motion_, points_of(mesh), max_distance);
  }

  MovedPoints points_of(const SmallMesh& mesh) const {
    MovedPoints points;
    for (const uint32_t v : chosen_points(mesh.positions, mesh.weights)) points.add(mesh.positions[v], mesh.weights[v]);
    add_sockets(points);
    return points;
  }

  /// Few influences where that moves no vertex by more than `max_distance`.
  void reduce_weights(SmallMesh& mesh, std::span<const uint32_t> replaced_by, double max_distance) const {
    for (size_t v = 0; v < mesh.positions.size(); ++v) {
      const std::vector<JointWeight> exact = mesh.weights[v];
      for (size_t count = 1; count <= std::max(exact.size(), kMaxInfluences); ++count) {
        mesh.weights[v] = merged_weights(exact, replaced_by, count);
        if (mesh.weights[v].size() < count) break;  // there are no more
        if (largest_shift(motion_, mesh.positions[v], exact, mesh.weights[v]) <= max_distance) break;
      }
    }
  }

  /// Ascending: those of vertices and of sockets, and those between them that must stay for blends.
  std::vector<uint32_t> joints_of(const SmallMesh& mesh, std::span<const uint32_t> replaced_by,
                                  double max_shift) const {
    std::vector<uint32_t> joints;
    for (const std::vector<JointWeight>& weights : mesh.weights) {
      for (const JointWeight weight : weights) joints.push_back(weight.joint);
    }
    for (const NamedSocket& named : context_.sockets) joints.push_back(replaced_by[joint_of(named.socket.entry)]);
    std::sort(joints.begin(), joints.end());
    joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
    motion_.add_unfoldable(max_shift * kFoldShare, joints);
    return joints;
  }

  void give_palette(std::span<const uint32_t> joints, std::span<const uint32_t> replaced_by, ModelLevel& level) const {
    level.skin = motion_.make_skin(joints);
    const std::vector<Matrix3x4> rest = poses_.palette(character_.skin, SamplePoses::kRest);
    for (const NamedSocket& named : context_.sockets) {
      const uint32_t entry = named.socket.entry;
      level.sockets.push_back(
          {motion_.entry_of(joints, replaced_by[joint_of(entry)]), rest[entry] * named.socket.mesh_from_socket});
    }
  }

  // --- small levels ---

  Status add_collapsed() {
    const std::vector<std::span<const Vec3>> poses = different_poses();
    EdgeCollapse collapse(weld(character_.mesh.indices, poses), poses);
    std::vector<uint32_t> all(motion_.joint_count() + 1);
    std::iota(all.begin(), all.end(), 0u);
    while (can_bake_ && last_triangles() / 2 >= kCollapsedTriangles) {
      collapse.run(last_triangles() / 2, std::max(last_error() * kMaxErrorGrowth, error_.diagonal() / 50));
      if (double(collapse.triangle_count()) > kFewerTriangles * double(last_triangles())) return {};
      SmallMesh mesh = to_small(*finest_, collapse.indices());
      if (mesh.indices.empty()) return {};
      fit_area(*finest_, mesh);
      const Status added = add(estimate(small_level(mesh, all, 0)), [&](double max_shift) {
        SmallMesh own = mesh;
        const std::vector<uint32_t> replaced_by = merged_joints(own, max_shift);
        reduce_weights(own, replaced_by, max_shift);
        return small_level(own, replaced_by, max_shift);
      });
      if (!added) return added;
    }
    return {};
  }

  /// Larger and larger distances, until there are much fewer triangles.
  Status add_shaped() {
    const MovedPoints points = points_of(to_small(*finest_, character_.mesh.indices));
    while (can_bake_ && last_triangles() > kMinTriangles) {
      const double most = kFewerShapes * double(last_triangles());
      std::optional<Shaped> best;
      for (double distance = error_.diagonal() / 64; distance < error_.diagonal(); distance *= kDistanceStep) {
        const size_t triangles = try_shapes(points, distance, most, best);
        if (double(triangles) < most / 2) break;
      }
      if (!best) return {};
      fit_area(*finest_, best->mesh);
      const Status added =
          add(best->error, [&](double max_shift) { return small_level(best->mesh, best->replaced_by, max_shift); });
      if (!added) return added;
    }
    return {};
  }

  struct Shaped {
    SmallMesh mesh;
    std::vector<uint32_t> replaced_by;
    double error = 0;
  };

  /// Keeps the better one. Returns the smallest number of triangles.
  size_t try_shapes(const MovedPoints& points, double distance, double most_triangles, std::optional<Shaped>& best) {
    const std::vector<uint32_t> replaced_by = merge_joints(motion_, points, distance * kShapeMergeShare);
    size_t fewest = SIZE_MAX;
    for (const LimbShape shape : {LimbShape::kPrism, LimbShape::kWedge}) {
      Shaped made{shaped(*finest_, motion_, replaced_by, shape, distance), replaced_by};
      const size_t triangles = made.mesh.indices.size() / 3;
      fewest = std::min(fewest, triangles);
      if (triangles == 0 || double(triangles) > most_triangles) continue;
      made.error = estimate(small_level(made.mesh, replaced_by, distance));
      if (!best || made.error < best->error) best = std::move(made);
    }
    return fewest;
  }

  ModelLevel small_level(const SmallMesh& mesh, std::span<const uint32_t> replaced_by, double max_shift) const {
    const std::vector<uint32_t> joints = joints_of(mesh, replaced_by, max_shift);
    ModelLevel level;
    give_palette(joints, replaced_by, level);
    level.mesh = to_mesh(*finest_, motion_, mesh, joints, material_);
    return level;
  }

  const Character& character_;
  const LevelContext& context_;
  const LodOptions& options_;
  SamplePoses poses_;
  LevelError error_;
  JointMotion motion_;
  std::vector<uint32_t> different_;  // poses in which edges are judged
  uint32_t material_;                // of small levels
  bool can_bake_ = true;             // false: the clips are too long, or move joints too far
  std::optional<FinestMesh> finest_;
  std::vector<ModelLevel> levels_;
};

/// The material of small levels.
Material mean_material(const Character& character) {
  Material material;
  material.name = kSmallLevelMaterial;
  double triangles = 0, metallic = 0, roughness = 0, unlit = 0;
  for (const MeshPart& part : character.mesh.parts) {
    const Material& own = character.materials[part.material];
    triangles += part.index_count, unlit += own.unlit * part.index_count;
    metallic += double(own.metallic) * part.index_count, roughness += double(own.roughness) * part.index_count;
  }
  material.metallic = float(metallic / triangles), material.roughness = float(roughness / triangles);
  material.unlit = unlit > triangles / 2;
  return material;
}

/// The index of that material: of the one that the character has, or the next one.
uint32_t small_level_material(const Character& character) {
  const auto& materials = character.materials;
  const auto same = [](const Material& material) { return material.name == kSmallLevelMaterial; };
  return uint32_t(std::find_if(materials.begin(), materials.end(), same) - materials.begin());
}

}  // namespace

Result<std::vector<ModelLevel>> make_levels(Character& character, const LevelContext& context,
                                            const LodOptions& options) try {
  if (Status status = validate(options); !status) return status.error();
  if (Status status = validate(character); !status) return status.error();
  if (character.mesh.indices.empty()) return std::vector<ModelLevel>();
  auto poses = SamplePoses::make(character, context.masks);
  if (!poses) return poses.error();
  const uint32_t material = small_level_material(character);
  auto levels = LevelMaker(character, context, options, std::move(*poses), material).run();
  if (!levels) return levels.error();
  const bool is_used = std::any_of(levels->begin(), levels->end(), [&](const ModelLevel& level) {
    return level.mesh.parts.front().material == material;
  });
  if (is_used && material == character.materials.size()) character.materials.push_back(mean_material(character));
  return levels;
} catch (const std::bad_alloc&) {
  return Error{ErrorCode::kOutOfMemory, "out of memory"};
}

}  // namespace sinew
