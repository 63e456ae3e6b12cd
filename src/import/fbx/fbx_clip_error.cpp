#include "fbx/fbx_clip_error.h"

#include <algorithm>
#include <cmath>

#include "asset/larger_error.h"
#include "track_value.h"

namespace sinew::internal {
namespace {

constexpr size_t kMaxPoses = 400, kMinPoses = 32, kMaxNodePoses = 20000;
constexpr float kMinInterval = 2e-6f;  // seconds, and of the time: shorter ones are rounding of times
constexpr int kEvenTimes = 32;
constexpr double kUnevenShare = 0.381966;  // away from the frames of any rate
constexpr float kMarkSize = 0.05f;         // of the diagonal: where a scene has no vertices, its nodes are measured

/// Times between keys: most of them, or as many as can be measured in a moment.
std::vector<float> times_between_keys(const SceneClip& clip, size_t node_count) {
  std::vector<float> keys = {0, clip.end_seconds.value_or(0)};
  for (const SceneTracks& tracks : clip.tracks) {
    for (const auto* times :
         {&tracks.translation.times_seconds, &tracks.rotation.times_seconds, &tracks.scale.times_seconds}) {
      keys.insert(keys.end(), times->begin(), times->end());
    }
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  const size_t limit = std::clamp(kMaxNodePoses / std::max<size_t>(node_count, 1), kMinPoses, kMaxPoses);
  const double stride = std::max(1.0, double(keys.size() - 1) / double(limit));
  std::vector<float> times;
  for (double at = 0; at + 1 < double(keys.size()); at += stride) {
    const size_t i = size_t(at);
    if (keys[i + 1] - keys[i] < kMinInterval * std::max(1.0f, keys[i + 1])) continue;  // a jump
    const double share = times.size() % 2 == 0 ? 0.5 : 0.21;
    times.push_back(float(keys[i] + (double(keys[i + 1]) - keys[i]) * share));
  }
  // Keys may all be too near each other: these times are measured in any clip.
  for (int i = 0; i < kEvenTimes; ++i) times.push_back(float(keys.back() * (i + kUnevenShare) / kEvenTimes));
  return times;
}

class PoseComparison {
 public:
  PoseComparison(const FbxNodes& nodes, const FbxStack& stack, const SceneClip& clip, const Scene& scene,
                 const Reach& reach)
      : nodes_(nodes.nodes()),
        stack_(stack),
        motion_(nodes, stack),
        scene_(scene),
        reach_(reach),
        tracks_(scene.nodes.size()) {
    for (const SceneTracks& tracks : clip.tracks) tracks_[tracks.node] = &tracks;
    for (const FbxNode& node : nodes_) last_node_ = std::max({last_node_, node.unscaled_node, node.full_node});
  }

  double error_at(float seconds) {
    exact_.assign(scene_.nodes.size(), {}), kept_.assign(scene_.nodes.size(), {});
    const double time = stack_.start_seconds + double(seconds);
    for (size_t i = 0; i < nodes_.size(); ++i) {
      const FbxNode& node = nodes_[i];
      const Double3 scale = motion_.scale(i, time, Side::kAt);
      DoubleTransform exact{motion_.translation(i, time, Side::kAt), motion_.rotation(i, time, Side::kAt), scale};
      if (node.is_split) exact.scale = {1, 1, 1};
      add(node.unscaled_node, exact, seconds);
      if (node.is_split) add(node.full_node, {{}, {0, 0, 0, 1}, scale}, seconds);
    }
    for (size_t node = last_node_ + 1; node < scene_.nodes.size(); ++node) add_still(node);
    double largest = 0;
    for (size_t node = 0; node < exact_.size(); ++node) largest = std::max(largest, distance(node));
    return largest;
  }

 private:
  /// Sets a node of the scene in both poses. Its parent has been set.
  void add(uint32_t index, const DoubleTransform& exact, float seconds) {
    const SceneNode& node = scene_.nodes[index];
    Transform kept = node.rest;
    if (const SceneTracks* tracks = tracks_[index]) {
      kept.translation = value_at(tracks->translation, seconds, kept.translation);
      kept.rotation = value_at(tracks->rotation, seconds, kept.rotation);
      kept.scale = value_at(tracks->scale, seconds, kept.scale);
    }
    exact_[index] = exact_[size_t(node.parent)] * to_matrix(exact);
    kept_[index] = kept_[size_t(node.parent)] * sinew::to_matrix(kept);
  }

  /// Sets a node with a geometric transform: they come after all others.
  void add_still(size_t index) {
    const SceneNode& node = scene_.nodes[index];
    exact_[index] = exact_[size_t(node.parent)] * node.parent_from_node;
    kept_[index] = kept_[size_t(node.parent)] * node.parent_from_node;
  }

  double distance(size_t node) const {
    Box box = reach_.attached[node];
    if (!(box.low.x <= box.high.x)) {
      if (!scene_.uses.empty()) return 0;
      const float size = kMarkSize * float(reach_.diagonal);
      box = {{-size, -size, -size}, {size, size, size}};
    }
    double largest = 0;
    for (const Vec3 p : corners_of(box)) {
      double sum = 0;
      for (int row = 0; row < 3; ++row) {
        const auto *a = exact_[node].m[row], *b = kept_[node].m[row];
        const double d = (a[0] - b[0]) * p.x + (a[1] - b[1]) * p.y + (a[2] - b[2]) * p.z + a[3] - b[3];
        sum += d * d;
      }
      largest = std::max(largest, std::sqrt(sum));
    }
    return largest;
  }

  const std::vector<FbxNode>& nodes_;
  const FbxStack& stack_;
  const FbxMotion motion_;
  const Scene& scene_;
  const Reach& reach_;
  uint32_t last_node_ = 0;                  // of the file's nodes
  std::vector<const SceneTracks*> tracks_;  // by node; null: none
  std::vector<Matrix3x4d> exact_, kept_;    // model from node; the first is the root
};

}  // namespace

double fbx_clip_error(const FbxNodes& nodes, const FbxStack& stack, const SceneClip& clip, const Scene& scene,
                      const Reach& reach) {
  PoseComparison comparison(nodes, stack, clip, scene, reach);
  double largest = 0;
  for (const float seconds : times_between_keys(clip, scene.nodes.size())) {
    largest = larger_error(largest, comparison.error_at(seconds));
  }
  return largest;
}

}  // namespace sinew::internal
