#include "assimp/fbx_skin.h"

#include <cmath>
#include <map>
#include <string>

#include "failure.h"

namespace sinew::internal {
namespace {

/// The transform from a node to the root's space. The root's own transform is left out: it is Assimp's conversion of
/// the file's axes, and no skinned mesh is attached to the root.
Matrix3x4d world_from_node(const Scene& scene, uint32_t node) {
  Matrix3x4d product;
  for (int32_t i = int32_t(node); scene.nodes[size_t(i)].parent >= 0; i = scene.nodes[size_t(i)].parent) {
    product = scene.nodes[size_t(i)].parent_from_node * product;
  }
  return product;
}

/// The geometric transform of a mesh's node. The identity if there is none.
Matrix3x4d geometric_transform(const Scene& scene, const FbxChain* chain) {
  Matrix3x4d product;
  if (chain == nullptr || chain->geometric.empty()) return product;
  for (const uint32_t helper : chain->geometric) product = product * scene.nodes[helper].parent_from_node;
  return product * scene.nodes[chain->node].parent_from_node;
}

/// The transform that Assimp multiplied the offset matrix with, in place of the mesh's: that of the node's parent
/// alone. Throws ImportFailure if it is singular.
Matrix3x4d parent_transform(const Scene& scene, uint32_t node, const FbxChain* chain) {
  const int32_t parent = scene.nodes[chain == nullptr ? node : chain->front()].parent;
  if (parent < 0 || scene.nodes[size_t(parent)].parent < 0) return {};
  const SceneNode& above = scene.nodes[size_t(parent)];
  const double size = std::abs(determinant(above.parent_from_node));
  require(size > 0 && std::isfinite(size), [&] {
    return "the skin below node '" + above.name + "' is lost: Assimp has it relative to that node, whose scale is 0";
  });
  return above.parent_from_node;
}

bool is_same(const Matrix3x4d& a, const Matrix3x4d& b) {
  double largest = 0, difference = 0;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 4; ++column) {
      largest = std::max(largest, std::abs(a.m[row][column]));
      difference = std::max(difference, std::abs(a.m[row][column] - b.m[row][column]));
    }
  }
  return difference <= 1e-6 * largest;
}

}  // namespace

void complete_skins(Scene& scene, const std::vector<FbxChain>& chains, const FbxConvention& convention,
                    ImportReport& report) {
  using Offset = FbxConvention::Offset;
  require(convention.offset != Offset::kUnknown || scene.skins.empty(), [] {
    return "its skins are not known to be right: the installed Assimp passes them on in a way of its own";
  });
  std::map<uint32_t, const FbxChain*> chain_of;
  for (const FbxChain& chain : chains) chain_of[chain.node] = &chain;

  std::vector<bool> done(scene.skins.size());
  uint32_t geometric_meshes = 0, placed_meshes = 0;
  for (const SceneMeshUse& use : scene.uses) {
    if (use.skin < 0 || done[size_t(use.skin)]) continue;  // Assimp's offset is for the first use of several
    done[size_t(use.skin)] = true;
    const auto found = chain_of.find(use.node);
    const FbxChain* chain = found == chain_of.end() ? nullptr : found->second;
    Matrix3x4d missing = geometric_transform(scene, chain);
    geometric_meshes += !is_same(missing, {});
    if (convention.offset == Offset::kParent) {
      const Matrix3x4d present = parent_transform(scene, use.node, chain), whole = world_from_node(scene, use.node);
      placed_meshes += !is_same(present, whole);
      missing = inverse(present) * whole;
    }
    for (Matrix3x4d& offset : scene.skins[size_t(use.skin)].joint_from_mesh) offset = offset * missing;
  }
  const auto warn = [&](uint32_t count, const char* what) {
    if (count > 0) report.warnings.push_back(std::to_string(count) + (count == 1 ? " skin " : " skins ") + what);
  };
  warn(geometric_meshes, "without its mesh's geometric transform: put back");
  warn(placed_meshes, "without its mesh's transform: put back, from the rest pose");
}

}  // namespace sinew::internal
