#include "fbx/fbx_clips.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "asset/larger_error.h"
#include "asset/plain_text.h"
#include "curve_fit.h"
#include "fbx/fbx_nodes.h"
#include "fbx/fbx_stack.h"
#include "scene.h"
#include "sinew/animation/pose.h"

namespace sinew::internal {
namespace {

// The distance between a clip and the curves that it was made from.

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
      : nodes_(nodes.nodes()), stack_(stack), motion_(nodes, stack), scene_(scene), reach_(reach) {
    for (const SceneTracks& tracks : clip.tracks) {
      clip_.tracks.push_back({tracks.node, tracks.translation, tracks.rotation, tracks.scale});
    }
    skeleton_.parents.resize(scene.nodes.size(), -1);  // its joints are the scene's nodes; sampling asks for no parent
    for (const SceneNode& node : scene.nodes) skeleton_.rest_pose.push_back(node.rest);
    sampled_ = skeleton_.rest_pose;
    for (const FbxNode& node : nodes_) last_node_ = std::max({last_node_, node.unscaled_node, node.full_node});
  }

  double error_at(float seconds) {
    exact_.assign(scene_.nodes.size(), {}), kept_.assign(scene_.nodes.size(), {});
    sample_clip(clip_, skeleton_, seconds, sampled_);
    const double time = stack_.start_seconds + double(seconds);
    for (size_t i = 0; i < nodes_.size(); ++i) {
      const FbxNode& node = nodes_[i];
      const Double3 scale = motion_.scale(i, time, Side::kAt);
      DoubleTransform exact{motion_.translation(i, time, Side::kAt), motion_.rotation(i, time, Side::kAt), scale};
      if (node.is_split) exact.scale = {1, 1, 1};
      add(node.unscaled_node, exact);
      if (node.is_split) add(node.full_node, {{}, {0, 0, 0, 1}, scale});
    }
    for (size_t node = last_node_ + 1; node < scene_.nodes.size(); ++node) add_still(node);
    double largest = 0;
    for (size_t node = 0; node < exact_.size(); ++node) largest = std::max(largest, distance(node));
    return largest;
  }

 private:
  /// Sets a node of the scene in both poses. Its parent has been set.
  void add(uint32_t index, const DoubleTransform& exact) {
    const size_t parent = size_t(scene_.nodes[index].parent);
    exact_[index] = exact_[parent] * to_matrix(exact);
    kept_[index] = kept_[parent] * sinew::to_matrix(sampled_[index]);
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
  uint32_t last_node_ = 0;  // of the file's nodes
  Clip clip_;
  Skeleton skeleton_;
  std::vector<Transform> sampled_;
  std::vector<Matrix3x4d> exact_, kept_;  // model from node; the first is the root
};

/// The largest distance of a vertex from where the curves have it, in the scene's units: measured at the corners of the
/// boxes that `reach` has for the nodes, at up to 400 times between keys, fewer where there are many nodes, and at 32
/// times spread over the clip. Morph targets are not measured.
double fbx_clip_error(const FbxNodes& nodes, const FbxStack& stack, const SceneClip& clip, const Scene& scene,
                      const Reach& reach) {
  PoseComparison comparison(nodes, stack, clip, scene, reach);
  double largest = 0;
  for (const float seconds : times_between_keys(clip, scene.nodes.size())) {
    largest = larger_error(largest, comparison.error_at(seconds));
  }
  return largest;
}

constexpr double kFirstTolerance = 0.4 * kMaxCurveError;  // of one track; errors of tracks may add up
constexpr double kWantedError = 0.6 * kMaxCurveError;     // as measured, at a few times of each interval
constexpr double kToldError = 10 * kMaxCurveError;        // what the report has a line for
constexpr int kMaxRounds = 4;                             // of fitting, each with a quarter of the tolerance
constexpr double kWorthwhile = 0.8;                       // of the error before: what a round must reach
// The keys that all clips of a file may have: more would take longer than the file is worth.
constexpr uint64_t kKeysPerKey = 64, kMinKeys = uint64_t(1) << 16, kMaxFittedKeys = uint64_t(1) << 21;
constexpr int kCrossingSamples = 16;  // in an interval between keys

std::array<double, 4> four(const Double3& v) { return {v[0], v[1], v[2], 0}; }

uint64_t keys_of(const SceneClip& clip) {
  uint64_t count = 0;
  for (const SceneTracks& tracks : clip.tracks) {
    count += tracks.translation.times_seconds.size() + tracks.rotation.times_seconds.size() +
             tracks.scale.times_seconds.size();
  }
  for (const SceneWeightTrack& track : clip.weights) count += track.weight.times_seconds.size();
  return count;
}

/// Fits the tracks of one stack.
class ClipFitter {
 public:
  ClipFitter(const FbxNodes& nodes, const FbxStack& stack, const std::vector<FbxMorphedNode>& morphed,
             const Reach& reach, double tolerance, size_t& keys_left)
      : nodes_(nodes.nodes()),
        stack_(stack),
        motion_(nodes, stack),
        morphed_(morphed),
        reach_(reach),
        tolerance_(tolerance * reach.diagonal),
        keys_left_(keys_left) {}

  SceneClip fit(const Scene& scene) {
    SceneClip clip;
    clip.name = stack_.name;
    clip.end_seconds = float(stack_.stop_seconds - stack_.start_seconds);
    for (size_t i = 0; i < nodes_.size(); ++i) fit_node(i, scene, clip);
    for (const FbxMorphedNode& node : morphed_) fit_weights(node, clip);
    return clip;
  }

 private:
  double reach_of(uint32_t node) const { return std::max({reach_.of_node[node], kMinReach * reach_.diagonal, 1e-30}); }

  /// A description with everything but the function. `times_` gets the breaks.
  FitCurve curve(FitCurve::Kind kind, double tolerance) {
    sort_breaks(times_);
    FitCurve curve;
    curve.kind = kind;
    curve.breaks = times_;
    curve.start_seconds = stack_.start_seconds;
    curve.tolerance = tolerance;
    curve.max_keys = std::min(curve.max_keys, keys_left_);
    return curve;
  }

  /// Counts the keys of a new track.
  template <class Value>
  Track<Value> counted(Track<Value> track) {
    keys_left_ -= std::min(keys_left_, track.times_seconds.size());
    return track;
  }

  void begin_times() { times_ = {stack_.start_seconds, stack_.stop_seconds}; }

  void fit_node(size_t i, const Scene& scene, SceneClip& clip) {
    const FbxNode& node = nodes_[i];
    SceneTracks tracks;
    tracks.node = node.unscaled_node;
    if (motion_.moves(i)) tracks.translation = fit_translation(i, node);
    if (motion_.turns(i)) tracks.rotation = fit_turn(i, node);
    if (motion_.scales(i)) {
      SceneTracks full;
      full.node = node.full_node;
      (node.is_split ? full : tracks).scale = fit_scale(i, scene.nodes[node.full_node].rest.scale);
      if (node.is_split) clip.tracks.push_back(std::move(full));
    }
    const bool has_keys =
        !tracks.translation.values.empty() || !tracks.rotation.values.empty() || !tracks.scale.values.empty();
    if (has_keys) clip.tracks.push_back(std::move(tracks));
  }

  Track<Vec3> fit_translation(size_t i, const FbxNode& node) {
    begin_times();
    motion_.append_translation_breaks(i, stack_.start_seconds, stack_.stop_seconds, times_);
    FitCurve fit = curve(FitCurve::Kind::kVector, tolerance_ / std::max(reach_.stretch[node.unscaled_node], 1e-30));
    fit.value = [&](double seconds, Side side) { return four(motion_.translation(i, seconds, side)); };
    return counted(fit_vector(fit));
  }

  Track<Quat> fit_turn(size_t i, const FbxNode& node) {
    begin_times();
    const FbxChannel& channel = motion_.channels(i).rotation;
    channel.append_breaks(stack_.start_seconds, stack_.stop_seconds, times_);
    FitCurve fit = curve(FitCurve::Kind::kRotation, tolerance_ / reach_of(node.unscaled_node));
    fit.value = [&](double seconds, Side side) { return motion_.rotation(i, seconds, side); };
    fit.turned_degrees = [&](double begin, double end) { return channel.variation(begin, end); };
    return counted(fit_rotation(fit));
  }

  Track<Vec3> fit_scale(size_t i, Vec3 rest) {
    begin_times();
    motion_.append_scale_breaks(i, stack_.start_seconds, stack_.stop_seconds, times_);
    const double size = std::max({std::abs(rest.x), std::abs(rest.y), std::abs(rest.z), 1e-3f});
    FitCurve fit = curve(FitCurve::Kind::kVector, tolerance_ * size / reach_of(nodes_[i].full_node));
    fit.value = [&](double seconds, Side side) { return four(motion_.scale(i, seconds, side)); };
    return counted(fit_vector(fit));
  }

  /// A shape has the sum of its weights in all channels.
  void fit_weights(const FbxMorphedNode& node, SceneClip& clip) {
    std::vector<FbxChannel> channels;
    for (const FbxShapeChannel& shapes : node.shapes->channels) {
      channels.emplace_back(stack_, FbxLayer::Property{shapes.object, "DeformPercent"},
                            Double3{shapes.rest_percent, 0, 0});
    }
    for (uint32_t target = 0; target < node.shapes->shapes.size(); ++target) fit_weight(node, target, channels, clip);
  }

  void fit_weight(const FbxMorphedNode& node, uint32_t target, const std::vector<FbxChannel>& channels,
                  SceneClip& clip) {
    struct Step {
      const FbxShapeChannel* shapes;
      const FbxChannel* channel;
      size_t index;
    };
    std::vector<Step> steps;
    begin_times();
    for (size_t i = 0; i < channels.size(); ++i) {
      const FbxShapeChannel& shapes = node.shapes->channels[i];
      for (size_t k = 0; k < shapes.steps.size(); ++k) {
        if (shapes.steps[k].target == target) steps.push_back({&shapes, &channels[i], k});
      }
    }
    const auto is_animated = [](const Step& step) { return step.channel->is_animated(); };
    if (std::none_of(steps.begin(), steps.end(), is_animated)) return;
    for (const Step& step : steps) step.channel->append_breaks(stack_.start_seconds, stack_.stop_seconds, times_);
    sort_breaks(times_);
    for (const Step& step : steps) append_crossings(*step.shapes, *step.channel);
    const double displacement = std::max(node.displacement[target], 1e-30);
    FitCurve fit = curve(FitCurve::Kind::kScalar, std::min(tolerance_ / displacement, 1e-2));
    fit.value = [&](double seconds, Side side) {
      double sum = 0;
      for (const Step& step : steps) {
        sum += step.shapes->weight(step.index, step.channel->value(seconds, side)[0]);
      }
      return std::array<double, 4>{sum, 0, 0, 0};
    };
    clip.weights.push_back({node.scene_node, target, counted(fit_scalar(fit))});
  }

  /// Adds the times at which the percentage passes a step: there the weights have corners.
  void append_crossings(const FbxShapeChannel& shapes, const FbxChannel& channel) {
    if (shapes.steps.size() < 2) return;
    std::vector<double> levels = {0};
    for (const FbxShapeChannel::Step& step : shapes.steps) levels.push_back(step.percent);
    const auto percent = [&](double seconds) { return channel.value(seconds, Side::kAt)[0]; };
    const size_t count = times_.size();
    for (size_t i = 0; i + 1 < count; ++i) {
      const double step = (times_[i + 1] - times_[i]) / kCrossingSamples;
      for (int k = 0; k < kCrossingSamples; ++k) {
        for (const double level : levels) {
          double low = times_[i] + k * step, high = low + step;
          const bool is_below = percent(low) < level;
          if (is_below == (percent(high) < level)) continue;
          for (int round = 0; round < 50; ++round) {
            const double middle = (low + high) / 2;
            ((percent(middle) < level) == is_below ? low : high) = middle;
          }
          times_.push_back(high);
        }
      }
    }
  }

  const std::vector<FbxNode>& nodes_;
  const FbxStack& stack_;
  const FbxMotion motion_;
  const std::vector<FbxMorphedNode>& morphed_;
  const Reach& reach_;
  const double tolerance_;
  size_t& keys_left_;  // of the whole file
  std::vector<double> times_;
};

bool has_keys(const FbxStack& stack) {
  return std::any_of(stack.layers.begin(), stack.layers.end(), [](const FbxLayer& layer) {
    return std::any_of(layer.animated.begin(), layer.animated.end(), [](const auto& animated) {
      const auto& curves = animated.second.curves;
      return std::ranges::any_of(curves, [](const FbxCurve* c) { return c != nullptr && !c->keys.empty(); });
    });
  });
}

uint64_t keys_of(const FbxNodes& nodes, const FbxStack& stack, const std::vector<FbxMorphedNode>& morphed) {
  const FbxMotion motion(nodes, stack);
  uint64_t count = 0;
  for (size_t i = 0; i < nodes.nodes().size(); ++i) {
    const FbxMotion::Channels& channels = motion.channels(i);
    count += channels.translation.key_count() + channels.rotation.key_count() + channels.scaling.key_count();
  }
  for (const FbxMorphedNode& node : morphed) {
    for (const FbxShapeChannel& shapes : node.shapes->channels) {
      count += FbxChannel(stack, {shapes.object, "DeformPercent"}, {}).key_count();
    }
  }
  return count;
}

/// The clip of a stack, and its error: with a smaller tolerance as long as that helps, until it is near enough.
SceneClip fit_closely(const FbxNodes& nodes, const FbxStack& stack, const std::vector<FbxMorphedNode>& morphed,
                      const Scene& scene, const Reach& reach, size_t& keys_left, double& error) {
  double tolerance = kFirstTolerance;
  SceneClip clip = ClipFitter(nodes, stack, morphed, reach, tolerance, keys_left).fit(scene);
  error = fbx_clip_error(nodes, stack, clip, scene, reach);
  for (int round = 1; round < kMaxRounds && error > kWantedError * reach.diagonal; ++round) {
    SceneClip nearer = ClipFitter(nodes, stack, morphed, reach, tolerance /= 4, keys_left).fit(scene);
    const double nearer_error = fbx_clip_error(nodes, stack, nearer, scene, reach);
    if (nearer_error > kWorthwhile * error) break;
    clip = std::move(nearer), error = nearer_error;
  }
  return clip;
}

}  // namespace

CurveFit append_fbx_clips(const FbxNodes& nodes, const FbxStacks& stacks, const std::vector<FbxMorphedNode>& morphed,
                          Scene& scene, std::vector<std::string>& warnings) {
  CurveFit report;
  const Reach reach = measure_reach(scene);
  uint64_t file_keys = 0;
  for (const FbxStack& stack : stacks.stacks()) file_keys += keys_of(nodes, stack, morphed);
  size_t keys_left = size_t(std::clamp(kKeysPerKey * file_keys, kMinKeys, kMaxFittedKeys));
  for (const FbxStack& stack : stacks.stacks()) {
    if (!has_keys(stack)) {
      warnings.push_back("clip '" + stack.name + "' has no keys, left out");
      continue;
    }
    double error = 0;
    SceneClip clip = fit_closely(nodes, stack, morphed, scene, reach, keys_left, error);
    if (error > kToldError * reach.diagonal) {
      scene.motion_warnings.push_back("clip '" + stack.name + "': between keys up to " +
                                      number_text(100 * error / reach.diagonal, 3) + " %" +
                                      " of the diagonal away from the file's curves");
    }
    if (reach.diagonal > 0) report.largest_error = std::max(report.largest_error, error / reach.diagonal);
    report.file_keys += uint32_t(keys_of(nodes, stack, morphed));
    report.track_keys += uint32_t(keys_of(clip));
    scene.clips.push_back(std::move(clip));
  }
  return report;
}

}  // namespace sinew::internal
