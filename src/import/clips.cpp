#include "clips.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <unordered_set>

#include "asset/file.h"
#include "asset/node_pairs.h"
#include "failure.h"

namespace sinew::internal {
namespace {

std::vector<bool> nodes_with_meshes(const Scene& scene) {
  std::vector<bool> nodes(scene.nodes.size());
  for (const SceneMeshUse& use : scene.uses) nodes[use.node] = true;
  return nodes;
}

/// Makes a flag of a node that of its parents too. Parents come before their children.
std::vector<bool> spread_up(const Scene& scene, std::vector<bool> flags) {
  for (size_t node = flags.size(); node-- > 0;) {
    if (const int32_t parent = scene.nodes[node].parent; flags[node] && parent >= 0) flags[size_t(parent)] = true;
  }
  return flags;
}

NamedNodes named_nodes(const Scene& scene) {
  NamedNodes nodes;
  for (const SceneNode& node : scene.nodes) nodes.names.push_back(node.name), nodes.parents.push_back(node.parent);
  nodes.is_joint.resize(scene.nodes.size());
  for (const SceneSkin& skin : scene.skins)
    for (const uint32_t node : skin.nodes) nodes.is_joint[node] = true;
  const std::vector<bool> meshes = nodes_with_meshes(scene);
  if (scene.skins.empty()) {
    for (size_t node = 0; node < meshes.size(); ++node) nodes.is_joint[node] = !meshes[node];
    return nodes;
  }
  nodes.holds_meshes = spread_up(scene, meshes);
  const std::vector<bool> holds_joints = spread_up(scene, nodes.is_joint);
  for (size_t node = 0; node < meshes.size(); ++node)
    if (holds_joints[node]) nodes.holds_meshes[node] = false;
  return nodes;
}

/// The morph targets of the scene's nodes: the first of each name, and whether a node has a target of a number.
class TargetNames {
 public:
  explicit TargetNames(const Scene& scene) {
    for (const SceneMeshUse& use : scene.uses) {
      const std::vector<MorphTarget>& targets = scene.meshes[use.mesh].targets;
      for (uint32_t t = 0; t < targets.size(); ++t) {
        name_of_.try_emplace({use.node, t}, targets[t].name);
        named_.try_emplace(targets[t].name, use.node, t);
      }
    }
  }

  /// Empty for a target that no mesh has.
  std::string name_of(uint32_t node, uint32_t target) const {
    const auto found = name_of_.find({node, target});
    return found == name_of_.end() ? "" : found->second;
  }
  bool has(uint32_t node, uint32_t target) const { return name_of_.count({node, target}) > 0; }
  /// Node and number of the target with a name, or null.
  const std::pair<uint32_t, uint32_t>* find(const std::string& name) const {
    const auto found = named_.find(name);
    return found == named_.end() ? nullptr : &found->second;
  }

 private:
  std::map<std::pair<uint32_t, uint32_t>, std::string> name_of_;
  std::map<std::string, std::pair<uint32_t, uint32_t>> named_;
};

bool is_usable(Vec3 value) { return is_within(value, kMaxCoordinate); }
bool is_usable(Quat value) { return is_finite(value); }
bool is_usable(float value) { return std::abs(value) <= kMaxCoordinate; }

bool key_is_usable(float time, const auto* values, size_t count) {
  return std::isfinite(time) && std::all_of(values, values + count, [](const auto& v) { return is_usable(v); });
}

/// The usable keys of `track` (finite, not too large), sorted by time. Keys with equal times keep their order: the
/// later one wins. Counts the others in `dropped_keys`.
template <class Value>
Track<Value> usable_keys(Track<Value> track, uint32_t& dropped_keys) {
  const size_t width = track.interpolation == Interpolation::kCubic ? 3 : 1;
  std::vector<size_t> keys;
  for (size_t key = 0; key < track.times_seconds.size(); ++key) {
    if (key_is_usable(track.times_seconds[key], &track.values[key * width], width)) keys.push_back(key);
  }
  const auto before = [&](size_t a, size_t b) { return track.times_seconds[a] < track.times_seconds[b]; };
  const bool all_usable = keys.size() == track.times_seconds.size();
  if (all_usable && std::is_sorted(keys.begin(), keys.end(), before)) return track;

  dropped_keys += uint32_t(track.times_seconds.size() - keys.size());
  std::stable_sort(keys.begin(), keys.end(), before);
  Track<Value> result;
  result.interpolation = track.interpolation;
  for (const size_t key : keys) {
    result.times_seconds.push_back(track.times_seconds[key]);
    for (size_t i = 0; i < width; ++i) result.values.push_back(track.values[key * width + i]);
  }
  return result;
}

/// Gives rotation keys unit length. The tangents of a cubic track are scaled by the same factor as their key.
void normalize_rotations(Track<Quat>& track, ImportReport& report) {
  const size_t width = track.interpolation == Interpolation::kCubic ? 3 : 1;
  for (size_t i = width / 2; i < track.values.size(); i += width) {
    Quat& value = track.values[i];
    const double size = std::sqrt(double(value.x) * value.x + double(value.y) * value.y + double(value.z) * value.z +
                                  double(value.w) * value.w);
    report.normalized_rotation_keys += std::abs(size - 1) > 1e-4;
    value = normalize(value);
    if (width == 1 || !(size > 0)) continue;
    for (Quat* tangent : {&track.values[i - 1], &track.values[i + 1]}) {
      const float share = float(1 / size);
      *tangent = {tangent->x * share, tangent->y * share, tangent->z * share, tangent->w * share};
    }
  }
}

struct Counts {
  uint32_t dropped_keys = 0, idle_channels = 0;
};

std::vector<WeightTrack> convert_weights(SceneClip& source, const TargetBuilder& targets, Counts& counts) {
  std::map<uint32_t, WeightTrack> by_target;
  for (SceneWeightTrack& track : source.weights) {
    const std::optional<uint32_t> target = targets.find(track.node, track.target);
    if (!target) {
      ++counts.idle_channels;
      continue;
    }
    by_target[*target] = {*target, usable_keys(std::move(track.weight), counts.dropped_keys)};
  }
  std::vector<WeightTrack> tracks;
  for (auto& [target, track] : by_target) tracks.push_back(std::move(track));
  return tracks;
}

/// What the tracks of a node do.
enum class NodeRole : uint8_t { kIdle, kJoint, kSkinned };  // kSkinned: only its skin's joints move its mesh

Clip convert(SceneClip& source, const Joints& joints, const std::vector<NodeRole>& roles, Counts& counts) {
  std::map<uint32_t, JointTracks> by_joint;
  const auto move_track = [&](auto& from, auto& to) {
    if (!from.values.empty()) to = usable_keys(std::move(from), counts.dropped_keys);
  };
  for (SceneTracks& tracks : source.tracks) {
    if (roles[tracks.node] != NodeRole::kJoint) {
      counts.idle_channels += roles[tracks.node] == NodeRole::kIdle;
      continue;
    }
    const uint32_t joint = uint32_t(joints.joint_of[tracks.node]);
    JointTracks& target = by_joint[joint];
    target.joint = joint;
    move_track(tracks.translation, target.translation);
    move_track(tracks.rotation, target.rotation);
    move_track(tracks.scale, target.scale);
  }
  Clip clip;
  clip.name = source.name;
  for (auto& [joint, tracks] : by_joint) clip.tracks.push_back(std::move(tracks));
  return clip;
}

/// A node below its nearest joint has that joint's index in joint_of, but is not a joint.
std::vector<NodeRole> roles_of_nodes(const Scene& scene, const Joints& joints) {
  std::vector<NodeRole> roles(scene.nodes.size(), NodeRole::kIdle);
  for (const SceneMeshUse& use : scene.uses) {
    if (use.skin >= 0) roles[use.node] = NodeRole::kSkinned;
  }
  int32_t next = 0;
  for (size_t node = 0; node < roles.size(); ++node) {
    if (joints.joint_of[node] == next) roles[node] = NodeRole::kJoint, ++next;
  }
  return roles;
}

std::string counted(size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

/// What the clips have tracks for.
std::vector<bool> moved_nodes(const Scene& scene) {
  std::vector<bool> moved(scene.nodes.size());
  for (const SceneClip& clip : scene.clips) {
    for (const SceneTracks& tracks : clip.tracks) moved[tracks.node] = true;
  }
  return moved;
}

/// Pairs the nodes that the clips of `other` move with those of `scene`. Morph targets with names need no node.
NodePairs pair_scenes(const Scene& other, const TargetNames& targets, const Scene& scene) {
  std::vector<bool> wanted = moved_nodes(other);
  for (const SceneClip& clip : other.clips) {
    for (const SceneWeightTrack& track : clip.weights)
      if (targets.name_of(track.node, track.target).empty()) wanted[track.node] = true;
  }
  NodePairs pairs = pair_nodes(named_nodes(other), wanted, named_nodes(scene));
  if (!pairs.ambiguous.empty()) fail("its clips move a node whose name is there twice: " + pairs.ambiguous.front());
  return pairs;
}

constexpr double kOtherRest = 0.01;  // of the diagonal: what vertices are moved by, for a line

/// Which parts of a node's transform all clips of a file leave as they are at rest.
struct UnmovedParts {
  bool translation = true, rotation = true, scale = true;
};

std::vector<UnmovedParts> unmoved_parts(const Scene& scene) {
  std::vector<UnmovedParts> unmoved(scene.nodes.size());
  for (const SceneClip& clip : scene.clips) {
    for (const SceneTracks& tracks : clip.tracks) {
      UnmovedParts& node = unmoved[tracks.node];
      node.translation &= tracks.translation.values.empty();
      node.rotation &= tracks.rotation.values.empty();
      node.scale &= tracks.scale.values.empty();
    }
  }
  return unmoved;
}

/// How far vertices that follow a node are moved by another transform at rest: they are within `reach` of it, and a
/// unit of its parent is `stretch` long.
double shift_by(const Transform& a, const Transform& b, const UnmovedParts& unmoved, double reach, double stretch) {
  const Quat p = normalize(a.rotation), q = normalize(b.rotation);
  const double cosine = std::abs(double(p.x) * q.x + double(p.y) * q.y + double(p.z) * q.z + double(p.w) * q.w);
  double shift = 0;
  if (unmoved.translation) shift += double(length(a.translation - b.translation)) * stretch;
  if (unmoved.rotation) shift += 2 * std::sqrt(std::max(0.0, 1 - cosine * cosine)) * reach;
  if (unmoved.scale) {
    const Vec3 difference = a.scale - b.scale, size{std::abs(b.scale.x), std::abs(b.scale.y), std::abs(b.scale.z)};
    const float smallest = std::max(std::min({size.x, size.y, size.z}), 1e-6f);
    shift += double(length(difference) / smallest) * reach;
  }
  return shift;
}

/// The space that a node's own transform is in, at rest.
std::vector<Transform> spaces_of_nodes(const Scene& scene) {
  std::vector<Matrix3x4d> model_from_node;
  std::vector<Transform> spaces;
  for (const SceneNode& node : scene.nodes) {
    const Matrix3x4d above = node.parent < 0 ? Matrix3x4d{} : model_from_node[size_t(node.parent)];
    model_from_node.push_back(above * node.parent_from_node);
    const Matrix3x4d space = model_from_node.back() * inverse(to_matrix(node.rest));
    spaces.push_back(is_finite(space) ? to_transform(space) : Transform());
  }
  return spaces;
}

/// A line if the file of clips has another skeleton at rest. What its clips move is not compared: the rest pose of such
/// files is often a frame of their motion.
void report_rest(const Scene& scene, const Scene& other, const std::vector<int32_t>& pairs, const std::string& path,
                 ImportReport& report) {
  const Reach reach = measure_reach(scene);
  const std::vector<UnmovedParts> unmoved = unmoved_parts(other);
  const std::vector<bool> moved = moved_nodes(other);
  const std::vector<Transform> spaces = spaces_of_nodes(scene), other_spaces = spaces_of_nodes(other);
  double largest = 0;
  uint32_t count = 0, worst = 0;
  for (uint32_t node = 0; node < pairs.size(); ++node) {
    if (!moved[node] || pairs[node] < 0) continue;
    const auto own = uint32_t(pairs[node]);
    const int32_t parent = other.nodes[node].parent;
    const UnmovedParts above = {false, parent < 0 || !moved[size_t(parent)], parent < 0 || !moved[size_t(parent)]};
    const double reached = reach.of_node[own];
    const double shift =
        shift_by(other.nodes[node].rest, scene.nodes[own].rest, unmoved[node], reached, reach.stretch[own]) +
        shift_by(other_spaces[node], spaces[own], above, reached, 1);
    if (!(shift > kOtherRest * reach.diagonal)) continue;
    ++count;
    if (shift > largest) largest = shift, worst = own;
  }
  if (count == 0) return;
  report.warnings.push_back(
      "'" + path + "': " + counted(count, "joint") + " at rest unlike those of the model, '" + scene.nodes[worst].name +
      "' by " + std::to_string(std::lround(100 * largest / reach.diagonal)) + " % of its size: retarget its clips");
}

/// The nodes of a clip that the model does not have.
class MissingNodes {
 public:
  /// Returns true.
  bool add(const std::string& name) {
    if (names_.empty()) first_ = name;
    return names_.insert(name), true;
  }
  void report(const SceneClip& clip, const std::string& path, ImportReport& report) const {
    if (names_.empty()) return;
    report.warnings.push_back("clip '" + clip.name + "' of '" + path + "': " + counted(names_.size(), "node") +
                              " not in the model, '" + first_ + "' the first");
  }

 private:
  std::unordered_set<std::string> names_;
  std::string first_;
};

}  // namespace

void add_motion_report(const Scene& scene, const std::string& prefix, ImportReport& report) {
  report.curve_keys += scene.fit.file_keys, report.track_keys += scene.fit.track_keys;
  report.largest_curve_error = std::max(report.largest_curve_error, scene.fit.largest_error);
  for (const std::string& warning : scene.motion_warnings) report.warnings.push_back(prefix + warning);
}

void add_clips(Scene& scene, Scene&& other, const std::string& other_path, ImportReport& report) {
  add_motion_report(other, "'" + other_path + "': ", report);
  if (other.clips.empty() && !other.loses_clips) report.warnings.push_back("'" + other_path + "' has no clip");
  const TargetNames targets(scene), other_targets(other);
  const std::vector<int32_t> pairs = pair_scenes(other, other_targets, scene).to_of_from;
  report_rest(scene, other, pairs, other_path, report);
  for (SceneClip& clip : other.clips) {
    MissingNodes missing;
    std::erase_if(clip.tracks, [&](SceneTracks& tracks) {
      if (pairs[tracks.node] < 0) return missing.add(other.nodes[tracks.node].name);
      tracks.node = uint32_t(pairs[tracks.node]);
      return false;
    });
    std::erase_if(clip.weights, [&](SceneWeightTrack& track) {
      const std::string target = other_targets.name_of(track.node, track.target);
      const int32_t node = pairs[track.node];
      if (const auto* named = target.empty() ? nullptr : targets.find(target)) {
        std::tie(track.node, track.target) = *named;
        return false;
      }
      if (node < 0 || !targets.has(uint32_t(node), track.target))
        return missing.add(target.empty() ? other.nodes[track.node].name : target);
      track.node = uint32_t(node);
      return false;
    });
    missing.report(clip, other_path, report);
    if (clip.name.empty()) clip.name = utf8_of(path_of(other_path).stem());
    scene.clips.push_back(std::move(clip));
  }
}

/// Moves the markers to the clip, whose range is that of its keys. Returns how many are outside.
uint32_t move_markers(std::vector<Marker>& markers, Clip& clip) {
  const auto is_outside = [&](const Marker& marker) {
    return marker.time_seconds < clip.start_seconds || marker.time_seconds > clip.end_seconds;
  };
  const auto outside = uint32_t(std::erase_if(markers, is_outside));
  clip.markers = std::move(markers);
  return outside;
}

std::vector<Clip> convert_clips(Scene& scene, const Joints& joints, const TargetBuilder& targets,
                                ImportReport& report) {
  const std::vector<NodeRole> roles = roles_of_nodes(scene, joints);
  std::vector<Clip> clips;
  for (SceneClip& source : scene.clips) {
    Counts counts;
    Clip clip = convert(source, joints, roles, counts);
    clip.weights = convert_weights(source, targets, counts);
    if (clip.name.empty()) clip.name = "clip_" + std::to_string(clips.size());
    for (JointTracks& tracks : clip.tracks) normalize_rotations(tracks.rotation, report);
    set_time_range(clip);
    if (source.end_seconds) clip.start_seconds = 0, clip.end_seconds = *source.end_seconds;
    const uint32_t markers_outside = move_markers(source.markers, clip);
    const auto warn = [&](uint32_t count, const std::string& noun, const char* what) {
      if (count > 0) report.warnings.push_back("clip '" + clip.name + "': " + counted(count, noun) + what);
    };
    for (const std::string& repair : source.repairs) report.warnings.push_back("clip '" + clip.name + "': " + repair);
    warn(counts.dropped_keys, "key", " not finite or beyond 1e9, dropped");
    warn(markers_outside, "marker", " outside its keys, left out");
    warn(counts.idle_channels, "channel", " without a mesh to move, left out");
    clips.push_back(std::move(clip));
  }
  return clips;
}

}  // namespace sinew::internal
