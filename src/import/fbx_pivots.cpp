#include "fbx_pivots.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string_view>

namespace sinew {
namespace {

constexpr std::string_view kMark = "_$AssimpFbx$_";

/// "Rotation" of "Arm_$AssimpFbx$_Rotation"; nothing for other names.
std::optional<std::string_view> helper_kind(std::string_view name) {
  const size_t mark = name.find(kMark);
  if (mark == name.npos) return std::nullopt;
  return name.substr(mark + kMark.size());
}

/// Rotations stand above scales in these, so that their product has no shear.
bool keeps_product_plain(std::string_view kind) { return !kind.starts_with("Geometric"); }

struct Shape {
  std::vector<uint32_t> child_count;
  std::vector<bool> has_mesh;
};

Shape shape_of(const Scene& scene) {
  Shape shape{std::vector<uint32_t>(scene.nodes.size()), std::vector<bool>(scene.nodes.size())};
  for (const SceneNode& node : scene.nodes) {
    if (node.parent >= 0) ++shape.child_count[size_t(node.parent)];
  }
  for (const SceneMeshUse& use : scene.uses) shape.has_mesh[use.node] = true;
  return shape;
}

/// The chain that ends in `node`, from the top: helpers of its name, each with one child and no mesh.
std::vector<uint32_t> chain_to(const Scene& scene, const Shape& shape, uint32_t node) {
  std::vector<uint32_t> chain = {node};
  const std::string prefix = scene.nodes[node].name + std::string(kMark);
  for (int32_t above = scene.nodes[node].parent; above >= 0; above = scene.nodes[size_t(above)].parent) {
    const std::string& name = scene.nodes[size_t(above)].name;
    if (!name.starts_with(prefix) || shape.child_count[size_t(above)] != 1 || shape.has_mesh[size_t(above)]) break;
    if (!keeps_product_plain(*helper_kind(name))) return {node};
    chain.insert(chain.begin(), uint32_t(above));
  }
  return chain;
}

// --- keys ---

/// The track at a time, linear as all of Assimp's are; `rest` where it has no keys.
template <class Value, class Mix>
Value value_at(const Track<Value>& track, float time, const Value& rest, Mix mix) {
  if (track.values.empty()) return rest;
  const auto after = std::upper_bound(track.times_seconds.begin(), track.times_seconds.end(), time);
  const size_t next = size_t(after - track.times_seconds.begin());
  if (next == 0) return track.values.front();
  if (next == track.values.size()) return track.values.back();
  const float from = track.times_seconds[next - 1], to = track.times_seconds[next];
  return mix(track.values[next - 1], track.values[next], (time - from) / (to - from));
}

Vec3 mix_linear(Vec3 a, Vec3 b, float share) { return a + (b - a) * share; }

/// Slerp by the shorter arc.
Quat mix_rotations(Quat a, Quat b, float share) {
  a = normalize(a), b = normalize(b);
  const double cosine = double(dot(a, b)), sign = cosine < 0 ? -1 : 1;
  const double angle = std::acos(std::min(std::abs(cosine), 1.0));
  double u = 1 - double(share), v = share;
  if (angle > 1e-4) u = std::sin(u * angle) / std::sin(angle), v = std::sin(v * angle) / std::sin(angle);
  const auto mix = [&](float x, float y) { return float(u * x + sign * v * y); };
  return normalize(Quat{mix(a.x, b.x), mix(a.y, b.y), mix(a.z, b.z), mix(a.w, b.w)});
}

Matrix3x4d local_at(const SceneNode& node, const SceneTracks* tracks, float time) {
  if (tracks == nullptr) return node.parent_from_node;
  return to_matrix({value_at(tracks->translation, time, node.rest.translation, mix_linear),
                    value_at(tracks->rotation, time, node.rest.rotation, mix_rotations),
                    value_at(tracks->scale, time, node.rest.scale, mix_linear)});
}

void add_times(const SceneTracks& tracks, std::set<float>& times) {
  times.insert(tracks.translation.times_seconds.begin(), tracks.translation.times_seconds.end());
  times.insert(tracks.rotation.times_seconds.begin(), tracks.rotation.times_seconds.end());
  times.insert(tracks.scale.times_seconds.begin(), tracks.scale.times_seconds.end());
}

using TracksByNode = std::map<uint32_t, SceneTracks>;

/// The keys of a chain's product, or nothing where no channel animates it.
std::optional<SceneTracks> collapse_tracks(const Scene& scene, const std::vector<uint32_t>& chain,
                                           const TracksByNode& tracks) {
  std::set<float> times;
  for (const uint32_t node : chain) {
    if (const auto found = tracks.find(node); found != tracks.end()) add_times(found->second, times);
  }
  if (times.empty()) return std::nullopt;
  SceneTracks result;
  result.node = chain.back();
  for (const float time : times) {
    Matrix3x4d product;
    for (const uint32_t node : chain) {
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

void collapse_clip(const Scene& scene, const std::vector<std::vector<uint32_t>>& chains, SceneClip& clip) {
  TracksByNode by_node;
  for (SceneTracks& tracks : clip.tracks) by_node[tracks.node] = std::move(tracks);
  for (const std::vector<uint32_t>& chain : chains) {
    std::optional<SceneTracks> collapsed = collapse_tracks(scene, chain, by_node);
    for (const uint32_t node : chain) by_node.erase(node);
    if (collapsed) by_node[chain.back()] = std::move(*collapsed);
  }
  clip.tracks.clear();
  for (auto& [node, tracks] : by_node) clip.tracks.push_back(std::move(tracks));
}

// --- nodes ---

/// Takes `gone` nodes out; what named a node behind them names its new place.
void remove_nodes(Scene& scene, const std::vector<bool>& gone) {
  std::vector<uint32_t> new_place(scene.nodes.size());
  std::vector<SceneNode> kept;
  for (size_t i = 0; i < scene.nodes.size(); ++i) {
    new_place[i] = uint32_t(kept.size());
    if (!gone[i]) kept.push_back(std::move(scene.nodes[i]));
  }
  for (SceneNode& node : kept) {
    if (node.parent >= 0) node.parent = int32_t(new_place[size_t(node.parent)]);
  }
  scene.nodes = std::move(kept);
  for (SceneMeshUse& use : scene.uses) use.node = new_place[use.node];
  for (SceneSkin& skin : scene.skins) {
    for (uint32_t& node : skin.nodes) node = new_place[node];
  }
  for (SceneClip& clip : scene.clips) {
    for (SceneTracks& tracks : clip.tracks) tracks.node = new_place[tracks.node];
  }
}

}  // namespace

void collapse_pivots(Scene& scene) {
  const Shape shape = shape_of(scene);
  std::vector<std::vector<uint32_t>> chains;
  for (uint32_t node = 0; node < scene.nodes.size(); ++node) {
    if (helper_kind(scene.nodes[node].name)) continue;
    std::vector<uint32_t> chain = chain_to(scene, shape, node);
    if (chain.size() > 1) chains.push_back(std::move(chain));
  }
  if (chains.empty()) return;
  for (SceneClip& clip : scene.clips) collapse_clip(scene, chains, clip);

  std::vector<bool> gone(scene.nodes.size());
  for (const std::vector<uint32_t>& chain : chains) {
    Matrix3x4d product;
    for (const uint32_t node : chain) product = product * scene.nodes[node].parent_from_node;
    scene.nodes[chain.back()].parent = scene.nodes[chain.front()].parent;
    set_rest(scene.nodes[chain.back()], product);
    for (size_t i = 0; i + 1 < chain.size(); ++i) gone[chain[i]] = true;
  }
  remove_nodes(scene, gone);
}

}  // namespace sinew
