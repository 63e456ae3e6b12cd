#include "collada/collada_file.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "collada/collada_lost.h"
#include "collada/collada_motion.h"
#include "collada/collada_repair.h"
#include "collada/motion_fit.h"
#include "failure.h"

namespace sinew::internal {
namespace {

constexpr double kTolerance = 2e-6;  // of the model's diagonal, for each joint: errors of a chain add up
constexpr uint64_t kMaxWork = 30'000'000, kWorkPerByte = 16;  // see ColladaMotion::cost(); 2 s for a small file
constexpr uint64_t kMaxKeys = uint64_t(1) << 24;              // of all tracks

std::vector<Matrix3x4d> model_from_nodes(const Scene& scene) {
  std::vector<Matrix3x4d> matrices;
  for (const SceneNode& node : scene.nodes) {
    const Matrix3x4d parent = node.parent < 0 ? Matrix3x4d{} : matrices[size_t(node.parent)];
    matrices.push_back(parent * node.parent_from_node);
  }
  return matrices;
}

/// The diagonal of the model in its rest pose, about: skinned meshes are where their first joint puts them. Without
/// meshes the diagonal of the joints.
double diagonal_of(const Scene& scene, const std::vector<Matrix3x4d>& model_from_node) {
  Box box = kEmptyBox;
  for (const SceneMeshUse& use : scene.uses) {
    Matrix3x4d model_from_mesh = model_from_node[use.node];
    if (use.skin >= 0 && !scene.skins[size_t(use.skin)].nodes.empty()) {
      const SceneSkin& skin = scene.skins[size_t(use.skin)];
      model_from_mesh = model_from_node[skin.nodes[0]] * skin.joint_from_mesh[0];
    }
    for (const Vec3 corner : corners_of(bounding_box(scene.meshes[use.mesh].positions))) {
      include(box, transform_point(model_from_mesh, corner));
    }
  }
  if (scene.uses.empty()) {
    for (const Matrix3x4d& node : model_from_node) include(box, transform_point(node, {}));
  }
  const double diagonal = length(size_of(box));
  return diagonal > 0 && std::isfinite(diagonal) ? diagonal : 1;
}

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
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

/// Writes clips. Counts work and keys, and throws beyond the limits.
class ClipWriter {
 public:
  ClipWriter(const std::vector<ColladaElement>& elements, const std::vector<uint32_t>& element_of_node,
             const ColladaAnimations& animations, uint64_t max_work, Scene& scene)
      : elements_(elements),
        animations_(animations),
        max_work_(max_work),
        scene_(scene),
        model_from_node_(model_from_nodes(scene)) {
    diagonal_ = diagonal_of(scene, model_from_node_);
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
      for (const uint32_t node : nodes_of_[element]) add_tracks(source, element, channels, node, clip);
    }
    scene_.clips.push_back(std::move(clip));
  }

 private:
  void add_tracks(const ColladaClip& source, uint32_t element, const std::vector<const ColladaChannel*>& channels,
                  uint32_t node, SceneClip& clip) {
    const ColladaMotion motion(elements_[element], channels);
    for (const ColladaChannel* channel : channels) work(channel->curve.key_count());
    SceneTracks tracks = fit_motion(
        [&](double time, double inside) {
          work(motion.cost());
          return motion.at(time, inside);
        },
        corner_times(channels, source), tolerance_at(node));
    tracks.node = node;
    keys_ += tracks.rotation.values.size() + tracks.translation.values.size() + tracks.scale.values.size();
    require(keys_ <= kMaxKeys, [] { return "its clips need more than " + std::to_string(kMaxKeys) + " keys"; });
    clip.tracks.push_back(std::move(tracks));
  }

  MotionTolerance tolerance_at(uint32_t node) const {
    const int32_t parent = scene_.nodes[node].parent;
    const double size = parent < 0 ? 1 : std::cbrt(std::abs(determinant(model_from_node_[size_t(parent)])));
    const double scale = size > 0 && std::isfinite(size) ? size : 1;
    return {kTolerance * diagonal_ / scale, kTolerance, kTolerance};
  }

  void work(uint64_t steps) {
    work_ += steps;
    if (work_ > max_work_) fail("its animations are too much work", ErrorCode::kUnsupported);
  }

  const std::vector<ColladaElement>& elements_;
  const ColladaAnimations& animations_;
  const uint64_t max_work_;
  Scene& scene_;
  const std::vector<Matrix3x4d> model_from_node_;
  double diagonal_ = 1;
  std::map<uint32_t, std::vector<uint32_t>> nodes_of_;  // the nodes of each element
  uint64_t work_ = 0, keys_ = 0;
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
  lost.append_to(report.warnings);
  repair_for_assimp(document, nodes.scene());
  text_ = text_of(document);
}

void ColladaFile::animate(Scene& scene, ImportReport& report) const {
  if (scene.nodes.size() != nodes_.size()) {
    report.warnings.push_back("its animations are left out: its nodes are not those of its scene");
    return;
  }
  for (size_t node = 1; node < nodes_.size(); ++node) set_rest(scene.nodes[node], rest_of(elements_[nodes_[node]]));
  ClipWriter writer(elements_, nodes_, animations_, kMaxWork + kWorkPerByte * size_bytes_, scene);
  for (const ColladaClip& clip : animations_.clips) writer.write(clip);
}

}  // namespace sinew::internal
