#include "assimp/fbx_chain.h"

#include <string>

namespace sinew {
namespace {

constexpr std::string_view kMark = "_$AssimpFbx$_";

bool is_geometric(std::string_view kind) { return kind.starts_with("Geometric"); }

struct Shape {
  std::vector<uint32_t> child_count, last_child;
  std::vector<bool> has_mesh;
};

Shape shape_of(const Scene& scene) {
  const size_t count = scene.nodes.size();
  Shape shape{std::vector<uint32_t>(count), std::vector<uint32_t>(count), std::vector<bool>(count)};
  for (uint32_t node = 0; node < count; ++node) {
    const int32_t parent = scene.nodes[node].parent;
    if (parent < 0) continue;
    ++shape.child_count[size_t(parent)];
    shape.last_child[size_t(parent)] = node;
  }
  for (const SceneMeshUse& use : scene.uses) shape.has_mesh[use.node] = true;
  return shape;
}

/// Helpers of that name above the node, each with one child and no mesh: geometric ones lowest.
void climb(const Scene& scene, const Shape& shape, const std::string& prefix, FbxChain& chain) {
  for (int32_t above = scene.nodes[chain.node].parent; above >= 0; above = scene.nodes[size_t(above)].parent) {
    const std::string& name = scene.nodes[size_t(above)].name;
    if (!name.starts_with(prefix) || shape.child_count[size_t(above)] != 1 || shape.has_mesh[size_t(above)]) return;
    const std::string_view kind = helper_kind(name);
    if (is_geometric(kind) && (kind.ends_with("Inverse") || !chain.transform.empty())) return;
    std::vector<uint32_t>& part = is_geometric(kind) ? chain.geometric : chain.transform;
    part.insert(part.begin(), uint32_t(above));
  }
}

/// The inverses below the node, each the only child of the one above it.
void descend(const Scene& scene, const Shape& shape, const std::string& prefix, FbxChain& chain) {
  for (uint32_t above = chain.node; shape.child_count[above] == 1; above = chain.inverse.back()) {
    const uint32_t below = shape.last_child[above];
    const std::string& name = scene.nodes[below].name;
    const std::string_view kind = helper_kind(name);
    if (!name.starts_with(prefix) || !is_geometric(kind) || !kind.ends_with("Inverse") || shape.has_mesh[below]) return;
    chain.inverse.push_back(below);
  }
}

}  // namespace

std::string_view helper_kind(std::string_view name) {
  const size_t mark = name.find(kMark);
  return mark == name.npos ? std::string_view() : name.substr(mark + kMark.size());
}

std::vector<FbxChain> find_fbx_chains(const Scene& scene) {
  const Shape shape = shape_of(scene);
  std::vector<FbxChain> chains;
  for (uint32_t node = 0; node < scene.nodes.size(); ++node) {
    const std::string& name = scene.nodes[node].name;
    if (!helper_kind(name).empty()) continue;
    const std::string prefix = name + std::string(kMark);
    FbxChain chain;
    chain.node = node;
    climb(scene, shape, prefix, chain);
    if (!chain.geometric.empty()) descend(scene, shape, prefix, chain);
    if (!chain.transform.empty() || !chain.geometric.empty()) chains.push_back(std::move(chain));
  }
  return chains;
}

}  // namespace sinew
