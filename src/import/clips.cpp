#include "clips.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "asset/file.h"

namespace sinew::internal {
namespace {

/// Maps names to nodes. Of several nodes with one name, the first without a mesh is taken as the joint.
std::unordered_map<std::string, uint32_t> nodes_by_name(const Scene& scene) {
  std::vector<bool> has_mesh(scene.nodes.size());
  for (const SceneMeshUse& use : scene.uses) has_mesh[use.node] = true;
  std::unordered_map<std::string, uint32_t> nodes;
  for (uint32_t node = 0; node < scene.nodes.size(); ++node) {
    const auto [found, is_new] = nodes.try_emplace(scene.nodes[node].name, node);
    if (!is_new && has_mesh[found->second] && !has_mesh[node]) found->second = node;
  }
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

}  // namespace

void add_motion_report(const Scene& scene, const std::string& prefix, ImportReport& report) {
  report.curve_keys += scene.fit.file_keys, report.track_keys += scene.fit.track_keys;
  report.largest_curve_error = std::max(report.largest_curve_error, scene.fit.largest_error);
  for (const std::string& warning : scene.motion_warnings) report.warnings.push_back(prefix + warning);
}

void add_clips(Scene& scene, Scene&& other, const std::string& other_path, ImportReport& report) {
  const auto nodes = nodes_by_name(scene);
  const TargetNames targets(scene), other_targets(other);
  add_motion_report(other, "'" + other_path + "': ", report);
  if (other.clips.empty() && !other.loses_clips) report.warnings.push_back("'" + other_path + "' has no clip");
  for (SceneClip& clip : other.clips) {
    std::unordered_set<std::string> unmatched;
    std::string first;
    const auto miss = [&](const std::string& name) {
      if (unmatched.empty()) first = name;
      unmatched.insert(name);
      return true;
    };
    std::erase_if(clip.tracks, [&](SceneTracks& tracks) {
      const std::string& name = other.nodes[tracks.node].name;
      const auto found = nodes.find(name);
      if (found == nodes.end()) return miss(name);
      tracks.node = found->second;
      return false;
    });
    std::erase_if(clip.weights, [&](SceneWeightTrack& track) {
      const std::string target = other_targets.name_of(track.node, track.target), &node = other.nodes[track.node].name;
      if (const auto* named = target.empty() ? nullptr : targets.find(target)) {
        std::tie(track.node, track.target) = *named;
        return false;
      }
      const auto found = nodes.find(node);
      if (found == nodes.end() || !targets.has(found->second, track.target))
        return miss(target.empty() ? node : target);
      track.node = found->second;
      return false;
    });
    if (!unmatched.empty()) {
      report.warnings.push_back("clip '" + clip.name + "' of '" + other_path + "': " +
                                counted(unmatched.size(), "node") + " not in the model, '" + first + "' the first");
    }
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
