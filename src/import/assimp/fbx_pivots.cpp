#include "assimp/fbx_pivots.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "linear_keys.h"

namespace sinew::internal {
namespace {

// --- keys ---

Matrix3x4d local_at(const SceneNode& node, const SceneTracks* tracks, float time) {
  if (tracks == nullptr) return node.parent_from_node;
  return to_matrix({value_at(tracks->translation, time, node.rest.translation),
                    value_at(tracks->rotation, time, node.rest.rotation),
                    value_at(tracks->scale, time, node.rest.scale)});
}

void add_times(const SceneTracks& tracks, std::set<float>& times) {
  times.insert(tracks.translation.times_seconds.begin(), tracks.translation.times_seconds.end());
  times.insert(tracks.rotation.times_seconds.begin(), tracks.rotation.times_seconds.end());
  times.insert(tracks.scale.times_seconds.begin(), tracks.scale.times_seconds.end());
}

using TracksByNode = std::map<uint32_t, SceneTracks>;

/// Removes placeholder keys. Assimp gives a helper's channel translation, rotation and scale keys, but only one of the
/// three is animated. The others have a meaningless time.
void drop_placeholders(const Scene& scene, uint32_t helper, TracksByNode& tracks) {
  const auto found = tracks.find(helper);
  if (found == tracks.end()) return;
  const std::string_view kind = helper_kind(scene.nodes[helper].name);
  const bool rotates = kind.ends_with("Rotation"), scales = kind.ends_with("Scaling");
  if (rotates || scales) found->second.translation = {};
  if (!rotates) found->second.rotation = {};
  if (!scales) found->second.scale = {};
}

/// The keys of the product of a chain's transforms, or nothing if no channel animates the chain.
std::optional<SceneTracks> collapse_tracks(const Scene& scene, const FbxChain& chain, const TracksByNode& tracks) {
  std::set<float> times;
  for (const uint32_t node : chain.transform) {
    if (const auto found = tracks.find(node); found != tracks.end()) add_times(found->second, times);
  }
  if (times.empty()) return std::nullopt;
  SceneTracks result;
  for (const float time : times) {
    Matrix3x4d product;
    for (const uint32_t node : chain.transform) {
      const auto found = tracks.find(node);
      product = product * local_at(scene.nodes[node], found == tracks.end() ? nullptr : &found->second, time);
    }
    const Transform local = to_transform(product);
    result.translation.values.push_back(local.translation);
    result.rotation.values.push_back(local.rotation);
    result.scale.values.push_back(local.scale);
  }
  result.translation.times_seconds.assign(times.begin(), times.end());
  result.rotation.times_seconds = result.scale.times_seconds = result.translation.times_seconds;
  return result;
}

/// Corrects keys that contain the post-rotation in place of its inverse. The helper's rest rotation is the inverse: the
/// first product removes the post-rotation, the second adds its inverse.
void invert_post_rotation(const Scene& scene, const FbxChain& chain, SceneTracks& whole) {
  for (const uint32_t helper : chain.transform) {
    if (helper_kind(scene.nodes[helper].name) != "PostRotation") continue;
    const Quat inverse = scene.nodes[helper].rest.rotation;
    for (Quat& key : whole.rotation.values) key = key * inverse * inverse;
  }
}

/// The nodes whose own channel holds the whole transform, and the helpers' channels that those replaced.
struct Replaced {
  uint32_t nodes = 0, channels = 0;
};

/// The merged channel of a chain: the node's own, if it has one, else the product of the helpers' channels.
std::optional<SceneTracks> tracks_of(const Scene& scene, const FbxChain& chain, const FbxConvention& convention,
                                     TracksByNode& tracks, Replaced& replaced) {
  const auto own = tracks.find(chain.node);
  if (own == tracks.end()) {
    for (const uint32_t helper : chain.transform) drop_placeholders(scene, helper, tracks);
    return collapse_tracks(scene, chain, tracks);
  }
  ++replaced.nodes;
  for (const uint32_t helper : chain.transform) replaced.channels += uint32_t(tracks.count(helper));
  if (convention.has_uninverted_post_rotation) invert_post_rotation(scene, chain, own->second);
  return std::move(own->second);
}

void add_repair(const Replaced& replaced, SceneClip& clip) {
  if (replaced.nodes == 0) return;
  std::string text = "whole transforms of " + std::to_string(replaced.nodes) + " node" +
                     (replaced.nodes == 1 ? "" : "s") + " in place of the pivots";
  if (replaced.channels > 0) text += " and of " + std::to_string(replaced.channels) + " of their channels";
  clip.repairs.push_back(std::move(text));
}

void collapse_clip(const Scene& scene, const std::vector<FbxChain>& chains, const FbxConvention& convention,
                   SceneClip& clip) {
  TracksByNode by_node;
  for (SceneTracks& tracks : clip.tracks) by_node[tracks.node] = std::move(tracks);
  Replaced replaced;
  for (const FbxChain& chain : chains) {
    std::optional<SceneTracks> collapsed = tracks_of(scene, chain, convention, by_node, replaced);
    for (const auto* part : {&chain.transform, &chain.geometric, &chain.inverse}) {
      for (const uint32_t helper : *part) by_node.erase(helper);
    }
    by_node.erase(chain.node);
    if (!collapsed) continue;
    collapsed->node = chain.node;
    by_node[chain.node] = std::move(*collapsed);
  }
  add_repair(replaced, clip);
  clip.tracks.clear();
  for (auto& [node, tracks] : by_node) clip.tracks.push_back(std::move(tracks));
}

// --- nodes ---

/// How the scene's nodes change. Each vector has one element per node.
struct NodeChanges {
  std::vector<uint32_t> of_node;  // the node that replaces it as a joint and as a parent
  std::vector<uint32_t> of_mesh;  // the node that its mesh is attached to
  std::vector<bool> removed;
};

Matrix3x4d product_of(const Scene& scene, const std::vector<uint32_t>& chain) {
  Matrix3x4d product;
  for (const uint32_t node : chain) product = product * scene.nodes[node].parent_from_node;
  return product;
}

/// Makes the chain's topmost helper the node. The node itself stays, below that one, if it has a mesh with a geometric
/// transform.
void collapse_nodes(Scene& scene, const FbxChain& chain, const std::vector<bool>& has_mesh, NodeChanges& changes) {
  const uint32_t top = chain.front();
  SceneNode& node = scene.nodes[chain.node];
  const Matrix3x4d transform = product_of(scene, chain.transform), below = node.parent_from_node;
  const Matrix3x4d geometric = product_of(scene, chain.geometric);
  const bool has_geometry = !chain.geometric.empty();
  for (const auto* part : {&chain.transform, &chain.geometric, &chain.inverse}) {
    for (const uint32_t helper : *part) changes.removed[helper] = true, changes.of_node[helper] = top;
  }
  changes.removed[top] = false;
  changes.of_node[chain.node] = top;
  scene.nodes[top].name = node.name;
  set_rest(scene.nodes[top], has_geometry ? transform : transform * below);
  changes.removed[chain.node] = !has_geometry || !has_mesh[chain.node];
  if (!has_geometry) changes.of_mesh[chain.node] = top;
  set_rest(node, geometric * below);
}

/// Removes the merged nodes from the scene. References to a removed node become references to its replacement.
void remove_nodes(Scene& scene, const NodeChanges& changes) {
  std::vector<uint32_t> new_index(scene.nodes.size());
  std::vector<SceneNode> kept;
  for (size_t i = 0; i < scene.nodes.size(); ++i) {
    new_index[i] = uint32_t(kept.size());
    if (changes.removed[i]) continue;
    SceneNode& node = kept.emplace_back(std::move(scene.nodes[i]));
    // Parents come before their children, so the parent's new index is known.
    if (node.parent >= 0) node.parent = int32_t(new_index[changes.of_node[size_t(node.parent)]]);
  }
  scene.nodes = std::move(kept);
  const auto joint = [&](uint32_t& node) { node = new_index[changes.of_node[node]]; };
  for (SceneMeshUse& use : scene.uses) use.node = new_index[changes.of_mesh[use.node]];
  for (SceneSkin& skin : scene.skins) std::for_each(skin.nodes.begin(), skin.nodes.end(), joint);
  for (SceneClip& clip : scene.clips) {
    for (SceneTracks& tracks : clip.tracks) joint(tracks.node);
  }
}

}  // namespace

void collapse_pivots(Scene& scene, const std::vector<FbxChain>& chains, const FbxConvention& convention) {
  for (SceneClip& clip : scene.clips) collapse_clip(scene, chains, convention, clip);

  NodeChanges changes;
  changes.of_node.resize(scene.nodes.size());
  std::iota(changes.of_node.begin(), changes.of_node.end(), 0);
  changes.of_mesh = changes.of_node;
  changes.removed.resize(scene.nodes.size());
  std::vector<bool> has_mesh(scene.nodes.size());
  for (const SceneMeshUse& use : scene.uses) has_mesh[use.node] = true;
  for (const FbxChain& chain : chains) collapse_nodes(scene, chain, has_mesh, changes);
  remove_nodes(scene, changes);
}

}  // namespace sinew::internal
