#include "skin_spaces.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace sinew::internal {
namespace {

constexpr double kSameSpace = 1e-6;  // of the diagonal of the meshes
constexpr size_t kMaxSpaces = 64;    // that a skin is compared with

/// Inverse bind matrices by the scene's node.
using Binds = std::map<uint32_t, Matrix3x4d>;

bool has_weight(const SceneMesh& mesh, size_t vertex) {
  const auto* const influences = mesh.influences.data();
  return std::any_of(influences + mesh.first_influence[vertex], influences + mesh.first_influence[vertex + 1],
                     [](const SceneInfluence& influence) { return influence.weight > 0; });
}

bool has_weights(const SceneMesh& mesh) {
  if (mesh.first_influence.size() != mesh.positions.size() + 1) return false;
  for (size_t v = 0; v < mesh.positions.size(); ++v)
    if (!has_weight(mesh, v)) return false;
  return true;
}

/// The meshes of each skin, if they are its own and can move; else none.
std::vector<std::vector<uint32_t>> meshes_of_skins(const Scene& scene) {
  std::vector<int32_t> skin_of(scene.meshes.size(), -2);  // -2: not used, -1: rigid or of several skins
  for (const SceneMeshUse& use : scene.uses) {
    int32_t& known = skin_of[use.mesh];
    known = known == -2 || known == use.skin ? use.skin : -1;
  }
  std::vector<bool> is_fixed(scene.skins.size());
  for (const SceneMeshUse& use : scene.uses) {
    if (use.skin < 0) continue;
    const bool moves = skin_of[use.mesh] == use.skin && has_weights(scene.meshes[use.mesh]);
    is_fixed[size_t(use.skin)] = is_fixed[size_t(use.skin)] || !moves;
  }
  std::vector<std::vector<uint32_t>> meshes(scene.skins.size());
  for (uint32_t mesh = 0; mesh < skin_of.size(); ++mesh) {
    if (skin_of[mesh] >= 0 && !is_fixed[size_t(skin_of[mesh])]) meshes[size_t(skin_of[mesh])].push_back(mesh);
  }
  return meshes;
}

/// Nothing if a joint has two matrices, or one that cannot be inverted.
std::optional<Binds> binds_of(const SceneSkin& skin) {
  Binds binds;
  for (size_t i = 0; i < skin.nodes.size(); ++i) {
    const Matrix3x4d& bind = skin.joint_from_mesh[i];
    const double size = determinant(bind);
    if (!is_finite(bind) || size == 0 || !std::isfinite(size)) return std::nullopt;
    if (!binds.try_emplace(skin.nodes[i], bind).second) return std::nullopt;
  }
  return binds;
}

Box bounds_of(const Scene& scene, const std::vector<uint32_t>& meshes) {
  Box box = kEmptyBox;
  for (const uint32_t mesh : meshes) {
    for (const Vec3 position : scene.meshes[mesh].positions)
      if (is_within(position, kMaxCoordinate)) include(box, position);
  }
  return box;
}

/// How far two matrices move a corner of the box apart, as a share of the diagonal of the box that the first makes.
double difference(const Matrix3x4d& a, const Matrix3x4d& b, const Box& box) {
  double largest = 0;
  bool is_lost = false;  // whether a distance is not finite
  Box moved = kEmptyBox;
  for (const Vec3 p : corners_of(box)) {
    double sum = 0;
    for (int row = 0; row < 3; ++row) {
      const double *x = a.m[row], *y = b.m[row];
      const double d = (x[0] - y[0]) * p.x + (x[1] - y[1]) * p.y + (x[2] - y[2]) * p.z + x[3] - y[3];
      sum += d * d;
    }
    largest = std::max(largest, std::sqrt(sum));
    is_lost = is_lost || !std::isfinite(sum);
    include(moved, transform_point(a, p));
  }
  const double diagonal = double(length(size_of(moved)));
  return diagonal > 0 && std::isfinite(diagonal) && !is_lost ? largest / diagonal : HUGE_VAL;
}

/// Whether the matrices of joints that both have are those of `others` times a constant.
bool differ_by(const Matrix3x4d& constant, const Binds& binds, const Binds& others, const Box& box) {
  return std::all_of(binds.begin(), binds.end(), [&](const auto& bind) {
    const auto other = others.find(bind.first);
    return other == others.end() || difference(bind.second, other->second * constant, box) <= kSameSpace;
  });
}

/// The constant from the space of `binds` to that of `others`; nothing if they share no joint, or differ otherwise.
std::optional<Matrix3x4d> constant_between(const Binds& binds, const Binds& others, const Box& box) {
  const auto shared = std::ranges::find_if(binds, [&](const auto& bind) { return others.contains(bind.first); });
  if (shared == binds.end()) return std::nullopt;
  for (const Matrix3x4d& constant : {Matrix3x4d{}, inverse(others.at(shared->first)) * shared->second})
    if (differ_by(constant, binds, others, box)) return constant;
  return std::nullopt;
}

Vec3 turned(const Matrix3x4d& matrix, Vec3 v) {
  Matrix3x4d linear = matrix;
  for (auto& row : linear.m) row[3] = 0;
  return transform_point(linear, v);
}

Vec3 direction(Vec4 tangent) { return {tangent.x, tangent.y, tangent.z}; }

/// `before` is the mesh as it was, with its directions alone.
void move_targets(const Matrix3x4d& to, const SceneMesh& before, const SceneMesh& mesh, MorphTarget& target) {
  for (Vec3& position : target.positions) position = turned(to, position);
  for (size_t i = 0; i < target.tangents.size() && !mesh.tangents.empty(); ++i) {
    const uint32_t v = target.vertices[i];
    const Vec3 tangent = normalize(turned(to, direction(before.tangents[v]) + target.tangents[i]), {});
    target.tangents[i] = tangent - direction(mesh.tangents[v]);
  }
  for (size_t i = 0; i < target.normals.size() && !mesh.normals.empty(); ++i) {
    const uint32_t v = target.vertices[i];
    target.normals[i] = transform_normal(to, before.normals[v] + target.normals[i]) - mesh.normals[v];
  }
}

/// Moves a mesh to another space. A mirrored one turns its triangles around.
void move_mesh(const Matrix3x4d& to, SceneMesh& mesh) {
  const bool mirrors = determinant(to) < 0;
  SceneMesh before;
  before.normals = mesh.normals, before.tangents = mesh.tangents;
  for (Vec3& position : mesh.positions) position = transform_point(to, position);
  for (Vec3& normal : mesh.normals) normal = transform_normal(to, normal);
  for (Vec4& tangent : mesh.tangents) {
    const Vec3 t = normalize(turned(to, direction(tangent)), {});
    tangent = {t.x, t.y, t.z, mirrors ? -tangent.w : tangent.w};
  }
  for (MorphTarget& target : mesh.targets) move_targets(to, before, mesh, target);
  for (size_t i = 0; mirrors && i + 2 < mesh.indices.size(); i += 3)
    std::swap(mesh.indices[i + 1], mesh.indices[i + 2]);
}

}  // namespace

uint32_t unify_skin_spaces(Scene& scene) {
  uint32_t merged = 0;
  const std::vector<std::vector<uint32_t>> meshes = meshes_of_skins(scene);
  std::vector<Binds> spaces;
  for (size_t s = 0; s < scene.skins.size(); ++s) {
    SceneSkin& skin = scene.skins[s];
    const std::optional<Binds> binds = binds_of(skin);
    const Box box = bounds_of(scene, meshes[s]);
    if (!binds || !(box.low.x <= box.high.x)) continue;
    std::optional<Matrix3x4d> to;
    for (size_t i = 0; i < spaces.size() && !to; ++i) {
      to = constant_between(*binds, spaces[i], box);
      if (!to) continue;
      for (const uint32_t mesh : meshes[s]) {
        if (*to != Matrix3x4d{}) move_mesh(*to, scene.meshes[mesh]);
      }
      for (size_t k = 0; k < skin.nodes.size(); ++k) {
        Matrix3x4d& bind = skin.joint_from_mesh[k];
        const auto [known, is_new] = spaces[i].try_emplace(skin.nodes[k], bind * inverse(*to));
        merged += !is_new && bind != known->second;
        bind = known->second;
      }
    }
    if (!to && spaces.size() < kMaxSpaces) spaces.push_back(*binds);
  }
  return merged;
}

}  // namespace sinew::internal
