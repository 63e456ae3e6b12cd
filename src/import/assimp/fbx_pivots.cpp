#include "assimp/fbx_pivots.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "linear_keys.h"

namespace sinew {
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

/// A helper's channel has keys of all three kinds. Two of them are place holders, at a time that means nothing.
void drop_place_holders(const Scene& scene, uint32_t helper, TracksByNode& tracks) {
  const auto found = tracks.find(helper);
  if (found == tracks.end()) return;
  const std::string_view kind = helper_kind(scene.nodes[helper].name);
  const bool rotates = kind.ends_with("Rotation"), scales = kind.ends_with("Scaling");
  if (rotates || scales) found->second.translation = {};
  if (!rotates) found->second.rotation = {};
  if (!scales) found->second.scale = {};
}

/// The keys of a chain's product, or nothing where no channel animates it.
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

/// Takes the post-rotation out, which must not be there, and puts its inverse in, which the helper has.
void invert_post_rotation(const Scene& scene, const FbxChain& chain, SceneTracks& whole) {
  for (const uint32_t helper : chain.transform) {
    if (helper_kind(scene.nodes[helper].name) != "PostRotation") continue;
    const Quat inverse = scene.nodes[helper].rest.rotation;
    for (Quat& key : whole.rotation.values) key = key * inverse * inverse;
  }
}

/// How many channels were taken for the whole transform of their node, and over how many of its helpers' channels.
struct Replaced {
  uint32_t nodes = 0, channels = 0;
};

/// The one channel of a chain: the node's own, which holds the whole transform, or else the product of its helpers'.
std::optional<SceneTracks> tracks_of(const Scene& scene, const FbxChain& chain, const FbxConvention& convention,
                                     TracksByNode& tracks, Replaced& replaced) {
  const auto own = tracks.find(chain.node);
  if (own == tracks.end()) {
    for (const uint32_t helper : chain.transform) drop_place_holders(scene, helper, tracks);
    return collapse_tracks(scene, chain, tracks);
  }
  ++replaced.nodes;
  for (const uint32_t helper : chain.transform) replaced.channels += uint32_t(tracks.count(helper));
  if (convention.inverts_post_rotation) invert_post_rotation(scene, chain, own->second);
  return std::move(own->second);
}

void tell(const Replaced& replaced, SceneClip& clip) {
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
  tell(replaced, clip);
  clip.tracks.clear();
  for (auto& [node, tracks] : by_node) clip.tracks.push_back(std::move(tracks));
}

// --- nodes ---

/// What becomes of the nodes.
struct Places {
  std::vector<uint32_t> of_node;  // which one stands for it as a joint and as a parent
  std::vector<uint32_t> of_mesh;  // where its mesh hangs
  std::vector<bool> gone;
};

Matrix3x4d product_of(const Scene& scene, const std::vector<uint32_t>& chain) {
  Matrix3x4d product;
  for (const uint32_t node : chain) product = product * scene.nodes[node].parent_from_node;
  return product;
}

/// The chain's topmost becomes the node. The node itself stays below it where it has a mesh that a geometric transform
/// moves.
void collapse_nodes(Scene& scene, const FbxChain& chain, const std::vector<bool>& has_mesh, Places& places) {
  const uint32_t top = chain.front();
  SceneNode& node = scene.nodes[chain.node];
  const Matrix3x4d transform = product_of(scene, chain.transform), below = node.parent_from_node;
  const Matrix3x4d geometric = product_of(scene, chain.geometric);
  const bool has_geometry = !chain.geometric.empty();
  for (const auto* part : {&chain.transform, &chain.geometric, &chain.inverse}) {
    for (const uint32_t helper : *part) places.gone[helper] = true, places.of_node[helper] = top;
  }
  places.gone[top] = false;
  places.of_node[chain.node] = top;
  scene.nodes[top].name = node.name;
  set_rest(scene.nodes[top], has_geometry ? transform : transform * below);
  places.gone[chain.node] = !has_geometry || !has_mesh[chain.node];
  if (!has_geometry) places.of_mesh[chain.node] = top;
  set_rest(node, geometric * below);
}

/// Takes the nodes out that are gone; what named one names what stands for it.
void remove_nodes(Scene& scene, const Places& places) {
  std::vector<uint32_t> new_index(scene.nodes.size());
  std::vector<SceneNode> kept;
  for (size_t i = 0; i < scene.nodes.size(); ++i) {
    new_index[i] = uint32_t(kept.size());
    if (places.gone[i]) continue;
    SceneNode& node = kept.emplace_back(std::move(scene.nodes[i]));
    // Parents stand before their children, so that theirs are known.
    if (node.parent >= 0) node.parent = int32_t(new_index[places.of_node[size_t(node.parent)]]);
  }
  scene.nodes = std::move(kept);
  const auto joint = [&](uint32_t& node) { node = new_index[places.of_node[node]]; };
  for (SceneMeshUse& use : scene.uses) use.node = new_index[places.of_mesh[use.node]];
  for (SceneSkin& skin : scene.skins) std::for_each(skin.nodes.begin(), skin.nodes.end(), joint);
  for (SceneClip& clip : scene.clips) {
    for (SceneTracks& tracks : clip.tracks) joint(tracks.node);
  }
}

}  // namespace

void collapse_pivots(Scene& scene, const std::vector<FbxChain>& chains, const FbxConvention& convention) {
  for (SceneClip& clip : scene.clips) collapse_clip(scene, chains, convention, clip);

  Places places;
  places.of_node.resize(scene.nodes.size());
  std::iota(places.of_node.begin(), places.of_node.end(), 0);
  places.of_mesh = places.of_node;
  places.gone.resize(scene.nodes.size());
  std::vector<bool> has_mesh(scene.nodes.size());
  for (const SceneMeshUse& use : scene.uses) has_mesh[use.node] = true;
  for (const FbxChain& chain : chains) collapse_nodes(scene, chain, has_mesh, places);
  remove_nodes(scene, places);
}

}  // namespace sinew
