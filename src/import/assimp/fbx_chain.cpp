#include "assimp/fbx_chain.h"

#include <string>

namespace sinew::internal {
namespace {

constexpr std::string_view kHelperMark = "_$AssimpFbx$_";

bool is_geometric(std::string_view kind) { return kind.starts_with("Geometric"); }

struct Tree {
  std::vector<uint32_t> child_count, last_child;
  std::vector<bool> has_mesh;
};

Tree tree_of(const Scene& scene) {
  const size_t count = scene.nodes.size();
  Tree tree{std::vector<uint32_t>(count), std::vector<uint32_t>(count), std::vector<bool>(count)};
  for (uint32_t node = 0; node < count; ++node) {
    const int32_t parent = scene.nodes[node].parent;
    if (parent < 0) continue;
    ++tree.child_count[size_t(parent)];
    tree.last_child[size_t(parent)] = node;
  }
  for (const SceneMeshUse& use : scene.uses) tree.has_mesh[use.node] = true;
  return tree;
}

/// Adds the helpers above the node to the chain: named `prefix`, with one child and no mesh. Geometric helpers are
/// directly above the node, the others above those.
void add_helpers_above(const Scene& scene, const Tree& tree, const std::string& prefix, FbxChain& chain) {
  for (int32_t above = scene.nodes[chain.node].parent; above >= 0; above = scene.nodes[size_t(above)].parent) {
    const std::string& name = scene.nodes[size_t(above)].name;
    if (!name.starts_with(prefix) || tree.child_count[size_t(above)] != 1 || tree.has_mesh[size_t(above)]) return;
    const std::string_view kind = helper_kind(name);
    if (is_geometric(kind) && (kind.ends_with("Inverse") || !chain.transform.empty())) return;
    std::vector<uint32_t>& part = is_geometric(kind) ? chain.geometric : chain.transform;
    part.insert(part.begin(), uint32_t(above));
  }
}

/// Adds the inverse helpers below the node to the chain: each is the only child of the node above it.
void add_helpers_below(const Scene& scene, const Tree& tree, const std::string& prefix, FbxChain& chain) {
  for (uint32_t above = chain.node; tree.child_count[above] == 1; above = chain.inverse.back()) {
    const uint32_t below = tree.last_child[above];
    const std::string& name = scene.nodes[below].name;
    const std::string_view kind = helper_kind(name);
    if (!name.starts_with(prefix) || !is_geometric(kind) || !kind.ends_with("Inverse") || tree.has_mesh[below]) return;
    chain.inverse.push_back(below);
  }
}

}  // namespace

std::string_view helper_kind(std::string_view name) {
  const size_t mark = name.find(kHelperMark);
  return mark == name.npos ? std::string_view() : name.substr(mark + kHelperMark.size());
}

std::vector<FbxChain> find_fbx_chains(const Scene& scene) {
  const Tree tree = tree_of(scene);
  std::vector<FbxChain> chains;
  for (uint32_t node = 0; node < scene.nodes.size(); ++node) {
    const std::string& name = scene.nodes[node].name;
    if (!helper_kind(name).empty()) continue;
    const std::string prefix = name + std::string(kHelperMark);
    FbxChain chain;
    chain.node = node;
    add_helpers_above(scene, tree, prefix, chain);
    if (!chain.geometric.empty()) add_helpers_below(scene, tree, prefix, chain);
    if (!chain.transform.empty() || !chain.geometric.empty()) chains.push_back(std::move(chain));
  }
  return chains;
}

}  // namespace sinew::internal
