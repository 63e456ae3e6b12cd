#include "collada/collada_clips.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <vector>

#include "asset/polar.h"
#include "curve_fit.h"
#include "double_transform.h"
#include "failure.h"
#include "scene.h"

namespace sinew::internal {
namespace {

// The motion of one node of a COLLADA scene: its placing elements with the animated numbers put in, multiplied.

class ColladaMotion {
 public:
  /// Borrows `element` and `channels`, which move transforms of `element`. Of several for one number the last one
  /// counts.
  ColladaMotion(const ColladaElement& element, const std::vector<const ColladaChannel*>& channels);

  /// The transform at a time, in seconds. Shear is lost.
  DoubleTransform at(double seconds, Side side) const;

  /// An upper bound of how far angles turn between two times that have no key between them, in degrees.
  double turned_degrees(double begin, double end) const;

  /// Whether whole matrices of it have shear, which tracks do not keep.
  bool has_sheared_keys() const { return has_sheared_keys_; }

  /// How much work at() is, in steps of some ten nanoseconds.
  uint64_t cost() const { return cost_; }

 private:
  /// A whole matrix that is animated: its keys decomposed.
  struct MatrixKeys {
    const ColladaCurve* curve = nullptr;
    std::vector<DoubleTransform> keys;
    DoubleTransform at(double seconds, Side side) const;
  };
  struct Step {
    Matrix3x4d fixed;  // used if nothing else is set
    const ColladaTransform* transform = nullptr;
    std::vector<const ColladaChannel*> channels;
    MatrixKeys matrix;
    Matrix3x4d at(double seconds, Side side) const;
  };

  std::vector<Step> steps_;
  uint64_t cost_ = 1;
  bool has_sheared_keys_ = false;
};

constexpr uint64_t kCurvedCost = 8;  // of a number between keys of a Bézier curve, which is searched for

std::array<double, 16> row_of(const ColladaCurve& curve, size_t key) {
  std::array<double, 16> row{};
  for (size_t i = 0; i < row.size(); ++i) row[i] = curve.value(key, i);
  return row;
}

Double3 mix(const Double3& a, const Double3& b, double share) {
  return {a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share};
}

Double3 column(const Matrix3x4d& matrix, int index) {
  return {matrix.m[0][index], matrix.m[1][index], matrix.m[2][index]};
}

/// The rotation whose first two columns are `x` and `y`.
Matrix3x4d with_axes(const Double3& x, const Double3& y) {
  return {{{x[0], y[0], x[1] * y[2] - x[2] * y[1], 0},
           {x[1], y[1], x[2] * y[0] - x[0] * y[2], 0},
           {x[2], y[2], x[0] * y[1] - x[1] * y[0], 0}}};
}

/// Like to_transform(), but not rounded to float: rounding would look like jumps of the curves.
DoubleTransform decompose(const Matrix3x4d& matrix) {
  const Transform rounded = to_transform(matrix);
  const Double3 x = column(matrix, 0), y = column(matrix, 1), z = column(matrix, 2);
  const double sign = determinant(matrix) < 0 ? -1 : 1, size = std::sqrt(dot(x, x));
  Matrix3x4d turn = to_matrix(Transform{{}, rounded.rotation, {1, 1, 1}});
  if (size > 0) {
    const Double3 unit_x = x * Double3{sign / size, sign / size, sign / size};
    const double along = dot(unit_x, y);
    const Double3 rest = y - unit_x * Double3{along, along, along};
    const double width = std::sqrt(dot(rest, rest));
    if (width > 0) turn = with_axes(unit_x, rest * Double3{1 / width, 1 / width, 1 / width});
  }
  double q[4];
  quaternion_of(turn, q);
  return {column(matrix, 3),
          {q[0], q[1], q[2], q[3]},
          {dot(column(turn, 0), x), dot(column(turn, 1), y), dot(column(turn, 2), z)}};
}

/// Whether two axes are a thousandth from orthogonal.
bool is_sheared(const Matrix3x4d& matrix) {
  for (int i = 0; i < 3; ++i) {
    const Double3 a = column(matrix, i), b = column(matrix, (i + 1) % 3);
    if (std::abs(dot(a, b)) > 1e-3 * std::sqrt(dot(a, a) * dot(b, b))) return true;
  }
  return false;
}

bool is_whole_matrix(const ColladaChannel& channel) { return channel.count == 16; }

ColladaMotion::ColladaMotion(const ColladaElement& element, const std::vector<const ColladaChannel*>& channels) {
  std::vector<std::vector<const ColladaChannel*>> by_transform(element.transforms.size());
  for (const ColladaChannel* channel : channels) {
    auto& all = by_transform[channel->transform];
    if (is_whole_matrix(*channel)) all.clear();
    all.push_back(channel);
  }
  for (size_t i = 0; i < by_transform.size(); ++i) {
    const ColladaTransform& transform = element.transforms[i];
    if (by_transform[i].empty()) {  // one step for several that stand still
      if (steps_.empty() || steps_.back().transform != nullptr) steps_.emplace_back();
      steps_.back().fixed = steps_.back().fixed * matrix_of(transform.kind, transform.numbers);
      continue;
    }
    Step& step = steps_.emplace_back();
    step.transform = &transform;
    step.channels = by_transform[i];
    cost_ += 2;
    for (const ColladaChannel* channel : step.channels) {
      cost_ += channel->count * (channel->curve.in_tangents->width > 0 ? kCurvedCost : 1);
    }
    if (!is_whole_matrix(*step.channels.front()) || step.channels.size() > 1) continue;
    step.matrix.curve = &step.channels.front()->curve;
    for (size_t key = 0; key < step.matrix.curve->key_count(); ++key) {
      const Matrix3x4d matrix = matrix_of(ColladaPlacement::kMatrix, row_of(*step.matrix.curve, key));
      step.matrix.keys.push_back(decompose(matrix));
      has_sheared_keys_ |= is_sheared(matrix);
    }
  }
  cost_ += steps_.size();
}

/// Between two keys rotations take the shorter way, translation and scale go straight.
DoubleTransform ColladaMotion::MatrixKeys::at(double seconds, Side side) const {
  const ptrdiff_t before = curve->key_before(seconds, side);
  if (before < 0) return keys.front();
  const size_t key = size_t(before);
  const DoubleTransform& a = keys[key];
  if (key + 1 == keys.size() || curve->interpolation(key) == ColladaInterpolation::kStep) return a;
  const double from = curve->time(key), to = curve->time(key + 1), share = (seconds - from) / (to - from);
  if (share >= 1) return keys[key + 1];
  const DoubleTransform& b = keys[key + 1];
  return {mix(a.translation, b.translation, share), slerp(a.rotation, b.rotation, share), mix(a.scale, b.scale, share)};
}

Matrix3x4d ColladaMotion::Step::at(double seconds, Side side) const {
  if (transform == nullptr) return fixed;
  if (matrix.curve != nullptr) return to_matrix(matrix.at(seconds, side));
  std::array<double, 16> numbers = transform->numbers;
  for (const ColladaChannel* channel : channels) {
    for (uint32_t i = 0; i < channel->count; ++i) numbers[channel->first + i] = channel->curve.at(i, seconds, side);
  }
  return matrix_of(transform->kind, numbers);
}

DoubleTransform ColladaMotion::at(double seconds, Side side) const {
  if (steps_.size() == 1 && steps_.front().matrix.curve != nullptr) return steps_.front().matrix.at(seconds, side);
  Matrix3x4d parent_from_node;
  for (const Step& step : steps_) parent_from_node = parent_from_node * step.at(seconds, side);
  return decompose(parent_from_node);
}

double ColladaMotion::turned_degrees(double begin, double end) const {
  double degrees = 0;
  for (const Step& step : steps_) {
    if (step.transform == nullptr || step.transform->kind != ColladaPlacement::kRotate) continue;
    for (const ColladaChannel* channel : step.channels) {
      const bool has_angle = channel->first <= 3 && 3 < channel->first + channel->count;
      if (has_angle) degrees += channel->curve.variation(3 - channel->first, begin, end);
    }
  }
  return degrees;
}

constexpr double kTrackTolerance = 2.5e-6;  // of the diagonal, for each track: errors of a chain of joints add up
constexpr uint64_t kMaxWork = 30'000'000, kWorkPerByte = 16;  // see ColladaMotion::cost(); 2 s for a small file
constexpr size_t kMaxKnown = size_t(1) << 16;                 // values of a node that are kept
constexpr size_t kMaxTrackKeys = size_t(1) << 24;             // of all tracks

/// The times at which the curves of a node have corners, within the clip.
std::vector<double> corner_times(const std::vector<const ColladaChannel*>& channels, const ColladaClip& clip) {
  std::vector<double> times;
  for (const ColladaChannel* channel : channels) {
    const std::vector<double>& all = channel->curve.times->numbers;
    times.insert(times.end(), all.begin(), all.end());
  }
  const double low = clip.start.value_or(-HUGE_VAL), high = clip.end.value_or(HUGE_VAL);
  std::erase_if(times, [&](double time) { return time < low || time > high; });
  if (clip.start) times.push_back(low);
  if (clip.end) times.push_back(high);
  sort_breaks(times);
  return times;
}

std::array<double, 4> numbers(const Double3& v) { return {v[0], v[1], v[2], 0}; }

/// Adds a key where a track ends before `end`: it stands still until then, and the clip ends there.
template <class Value>
void hold_until(float end, Track<Value>& track) {
  if (track.interpolation == Interpolation::kCubic || track.times_seconds.back() >= end) return;
  track.times_seconds.push_back(end);
  track.values.push_back(Value(track.values.back()));
}

/// Writes clips. Counts work and keys, and throws beyond the limits.
class ClipWriter {
 public:
  ClipWriter(const ColladaNodes& nodes, const ColladaAnimations& animations,
             const std::vector<ColladaMorphedNode>& morphed, uint64_t max_work, Scene& scene)
      : elements_(nodes.elements()),
        animations_(animations),
        morphed_(morphed),
        max_work_(max_work),
        scene_(scene),
        reach_(measure_reach(scene)) {
    for (uint32_t node = 0; node < nodes.nodes().size(); ++node) nodes_of_[nodes.nodes()[node].element].push_back(node);
  }

  void write(const ColladaClip& source) {
    SceneClip clip;
    clip.name = source.name;
    clip.repairs = source.repairs;
    std::map<uint32_t, std::vector<const ColladaChannel*>> by_element;
    for (const uint32_t index : source.channels) {
      const ColladaChannel& channel = animations_.channels[index];
      work(channel.curve.key_count());
      if (channel.morph) {
        add_weights(channel, source, clip);
      } else {
        by_element[channel.element].push_back(&channel);
      }
    }
    uint32_t sheared = 0;
    for (const auto& [element, channels] : by_element) {
      const ColladaMotion motion(elements_[element], channels);
      sheared += motion.has_sheared_keys();
      const std::vector<double> breaks = corner_times(channels, source);
      for (const uint32_t node : nodes_of_[element]) add_tracks(motion, breaks, node, clip);
    }
    if (sheared > 0)
      clip.repairs.push_back("the shear of keys is lost, of " + std::to_string(sheared) +
                             (sheared == 1 ? " node" : " nodes"));
    scene_.clips.push_back(std::move(clip));
  }

 private:
  double diagonal() const { return reach_.diagonal > 0 ? reach_.diagonal : 1; }

  void add_weights(const ColladaChannel& channel, const ColladaClip& source, SceneClip& clip) {
    const std::vector<double> breaks = corner_times({&channel}, source);
    work(morphed_.size());
    for (const ColladaMorphedNode& node : morphed_) {
      if (node.morph != channel.morph) continue;
      for (uint32_t i = 0; i < channel.count; ++i) {
        FitCurve fit;
        fit.kind = FitCurve::Kind::kScalar;
        fit.breaks = breaks;
        const double displacement = (*node.displacements)[channel.first + i] * node.scale;
        fit.tolerance = kTrackTolerance * diagonal() / std::max(displacement, 1e-30);
        fit.value = [&](double seconds, Side side) {
          work(kCurvedCost);
          return std::array<double, 4>{channel.curve.at(i, seconds, side), 0, 0, 0};
        };
        SceneWeightTrack track{node.node, node.first_target + channel.first + i, fit_scalar(fit)};
        hold_until(float(breaks.back()), track.weight);
        count_keys(track.weight.values.size());
        clip.weights.push_back(std::move(track));
      }
    }
  }

  void add_tracks(const ColladaMotion& motion, const std::vector<double>& breaks, uint32_t node, SceneClip& clip) {
    const double tolerance = kTrackTolerance * diagonal();
    const double reach = std::max(reach_.of_node[node], kMinReach * diagonal());
    const Vec3 rest = scene_.nodes[node].rest.scale;
    const double size = std::max({std::abs(rest.x), std::abs(rest.y), std::abs(rest.z), 1e-3f});
    std::unordered_map<double, DoubleTransform> known[3];  // by side: the three curves ask for the same times
    const auto at = [&](double seconds, Side side) {
      if (known[size_t(side)].size() >= kMaxKnown) known[size_t(side)].clear();
      const auto [found, is_new] = known[size_t(side)].try_emplace(seconds);
      if (is_new) work(motion.cost()), found->second = motion.at(seconds, side);
      return found->second;
    };
    FitCurve translation;
    translation.breaks = breaks;
    FitCurve rotation = translation, scale = translation;
    translation.value = [&](double seconds, Side side) { return numbers(at(seconds, side).translation); };
    translation.tolerance = tolerance / std::max(reach_.stretch[node], 1e-30);
    rotation.kind = FitCurve::Kind::kRotation;
    rotation.value = [&](double seconds, Side side) { return at(seconds, side).rotation; };
    rotation.tolerance = tolerance / reach;
    rotation.turned_degrees = [&](double begin, double end) { return motion.turned_degrees(begin, end); };
    scale.value = [&](double seconds, Side side) { return numbers(at(seconds, side).scale); };
    scale.tolerance = tolerance * size / reach;
    SceneTracks tracks{node, fit_vector(translation), fit_rotation(rotation), fit_vector(scale)};
    hold_until(float(breaks.back()), tracks.translation);
    hold_until(float(breaks.back()), tracks.rotation);
    hold_until(float(breaks.back()), tracks.scale);
    count_keys(tracks.rotation.values.size() + tracks.translation.values.size() + tracks.scale.values.size());
    clip.tracks.push_back(std::move(tracks));
  }

  void count_keys(size_t count) {
    keys_ += count;
    require(keys_ <= kMaxTrackKeys,
            [] { return "its clips need more than " + std::to_string(kMaxTrackKeys) + " keys"; });
  }

  void work(uint64_t steps) {
    work_ += steps;
    if (work_ > max_work_) fail("its animations are too much work", ErrorCode::kUnsupported);
  }

  const std::vector<ColladaElement>& elements_;
  const ColladaAnimations& animations_;
  const std::vector<ColladaMorphedNode>& morphed_;
  const uint64_t max_work_;
  Scene& scene_;
  const Reach reach_;
  std::map<uint32_t, std::vector<uint32_t>> nodes_of_;  // the nodes of each element
  uint64_t work_ = 0;
  size_t keys_ = 0;
};

/// Whether each node has a mesh, or moves a skin, at or below it. Without meshes all nodes count.
std::vector<bool> nodes_that_matter(const Scene& scene) {
  std::vector<bool> matters(scene.nodes.size(), scene.uses.empty());
  for (const SceneMeshUse& use : scene.uses) matters[use.node] = true;
  for (const SceneSkin& skin : scene.skins)
    for (const uint32_t node : skin.nodes) matters[node] = true;
  for (size_t node = matters.size(); node-- > 0;) {
    const int32_t parent = scene.nodes[node].parent;
    if (parent >= 0 && matters[node]) matters[size_t(parent)] = true;
  }
  return matters;
}

/// Leaves out clips that move nothing, unless all do. Blender 2.7 writes channels of bones as those of the armature:
/// each would be a clip.
void drop_idle_clips(Scene& scene) {
  const std::vector<bool> matters = nodes_that_matter(scene);
  const auto is_idle = [&](const SceneClip& clip) {
    return clip.weights.empty() && clip.repairs.empty() &&
           std::ranges::none_of(clip.tracks, [&](const SceneTracks& tracks) { return matters[tracks.node]; });
  };
  const auto idle = size_t(std::count_if(scene.clips.begin(), scene.clips.end(), is_idle));
  if (idle == 0 || idle == scene.clips.size()) return;
  std::erase_if(scene.clips, is_idle);
  const char* what = idle == 1 ? " clip that moves nothing is left out" : " clips that move nothing are left out";
  scene.motion_warnings.push_back(std::to_string(idle) + what);
}

}  // namespace

Matrix3x4d rest_of(const ColladaElement& element) {
  Matrix3x4d rest;
  for (const ColladaTransform& transform : element.transforms)
    rest = rest * matrix_of(transform.kind, transform.numbers);
  return rest;
}

void append_collada_clips(const ColladaNodes& nodes, const ColladaAnimations& animations,
                          const std::vector<ColladaMorphedNode>& morphed, uint64_t size_bytes, Scene& scene) {
  if (animations.clips.empty()) return;
  ClipWriter writer(nodes, animations, morphed, kMaxWork + kWorkPerByte * size_bytes, scene);
  for (const ColladaClip& clip : animations.clips) writer.write(clip);
  drop_idle_clips(scene);
}

}  // namespace sinew::internal
