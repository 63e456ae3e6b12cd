#include "collada/collada_file.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "collada/collada_lost.h"
#include "collada/collada_motion.h"
#include "collada/collada_repair.h"
#include "curve_fit.h"
#include "failure.h"
#include "reach.h"

namespace sinew::internal {
namespace {

constexpr double kTolerance = 2.5e-6;  // of the diagonal, for each track: errors of a chain of joints add up
constexpr uint64_t kMaxWork = 30'000'000, kWorkPerByte = 16;  // see ColladaMotion::cost(); 2 s for a small file
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
  ClipWriter(const std::vector<ColladaElement>& elements, const std::vector<uint32_t>& element_of_node,
             const ColladaAnimations& animations, uint64_t max_work, Scene& scene)
      : elements_(elements), animations_(animations), max_work_(max_work), scene_(scene), reach_(measure_reach(scene)) {
    for (uint32_t node = 0; node < element_of_node.size(); ++node) nodes_of_[element_of_node[node]].push_back(node);
  }

  void write(const ColladaClip& source) {
    SceneClip clip;
    clip.name = source.name;
    clip.repairs = source.repairs;
    std::map<uint32_t, std::vector<const ColladaChannel*>> by_element;
    for (const uint32_t channel : source.channels) {
      by_element[animations_.channels[channel].element].push_back(&animations_.channels[channel]);
    }
    for (const auto& [element, channels] : by_element) {
      const ColladaMotion motion(elements_[element], channels);
      for (const ColladaChannel* channel : channels) work(channel->curve.key_count());
      const std::vector<double> breaks = corner_times(channels, source);
      for (const uint32_t node : nodes_of_[element]) add_tracks(motion, breaks, node, clip);
    }
    scene_.clips.push_back(std::move(clip));
  }

 private:
  void add_tracks(const ColladaMotion& motion, const std::vector<double>& breaks, uint32_t node, SceneClip& clip) {
    const double diagonal = reach_.diagonal > 0 ? reach_.diagonal : 1, tolerance = kTolerance * diagonal;
    const double reach = std::max(reach_.of_node[node], kMinReach * diagonal);
    const Vec3 rest = scene_.nodes[node].rest.scale;
    const double size = std::max({std::abs(rest.x), std::abs(rest.y), std::abs(rest.z), 1e-3f});
    const auto at = [&](double seconds, Side side) {
      work(motion.cost());
      return motion.at(seconds, side);
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
    keys_ += tracks.rotation.values.size() + tracks.translation.values.size() + tracks.scale.values.size();
    require(keys_ <= kMaxTrackKeys,
            [] { return "its clips need more than " + std::to_string(kMaxTrackKeys) + " keys"; });
    clip.tracks.push_back(std::move(tracks));
  }

  void work(uint64_t steps) {
    work_ += steps;
    if (work_ > max_work_) fail("its animations are too much work", ErrorCode::kUnsupported);
  }

  const std::vector<ColladaElement>& elements_;
  const ColladaAnimations& animations_;
  const uint64_t max_work_;
  Scene& scene_;
  const Reach reach_;
  std::map<uint32_t, std::vector<uint32_t>> nodes_of_;  // the nodes of each element
  uint64_t work_ = 0;
  size_t keys_ = 0;
};

}  // namespace

ColladaFile::ColladaFile(const std::vector<uint8_t>& bytes, ImportReport& report) : size_bytes_(bytes.size()) {
  ColladaDocument document(bytes);
  if (!document.root()) return;
  LostFeatures lost(lost_features_of_collada());
  find_lost(document, lost);
  const ColladaNodes nodes(document);
  animations_ = read_animations(document, nodes, lost);
  for (const ColladaNode& node : nodes.nodes()) nodes_.push_back(node.element);
  elements_ = nodes.elements();
  lost.append_to(report.warnings, LostFrom::kLooks);
  lost.append_to(motion_warnings_, LostFrom::kMotion);
  repair_for_assimp(document, nodes.scene());
  text_ = text_of(document);
}

void ColladaFile::animate(Scene& scene) const {
  scene.motion_warnings.insert(scene.motion_warnings.end(), motion_warnings_.begin(), motion_warnings_.end());
  if (scene.nodes.size() != nodes_.size()) {
    scene.motion_warnings.push_back("its animations are left out: its nodes are not those of its scene");
    return;
  }
  for (size_t node = 1; node < nodes_.size(); ++node) set_rest(scene.nodes[node], rest_of(elements_[nodes_[node]]));
  ClipWriter writer(elements_, nodes_, animations_, kMaxWork + kWorkPerByte * size_bytes_, scene);
  for (const ColladaClip& clip : animations_.clips) writer.write(clip);
}

}  // namespace sinew::internal
