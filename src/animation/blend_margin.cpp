#include "blend_margin.h"

#include <algorithm>
#include <vector>

#include "asset/exceptions.h"
#include "sinew/animation/evaluator.h"
#include "sinew/asset/cpu_skin.h"

namespace sinew::internal {
namespace {

constexpr size_t kVertices = 500;  // at most, evenly spread over those with several influences
constexpr uint32_t kTimes = 16;    // of each clip
constexpr double kBetweenSamples = 1.25;

/// Vertices with several influences, as a mesh without triangles.
Mesh blended_vertices(const Mesh& mesh) {
  std::vector<uint32_t> all;
  for (uint32_t v = 0; v < mesh.vertex_count(); ++v) {
    if (mesh.influences_of(v).size() > 1) all.push_back(v);
  }
  const size_t step = all.size() / kVertices + 1;
  Mesh some;
  some.first_influence = {0};
  for (size_t i = 0; i < all.size(); i += step) {
    const auto own = mesh.influences_of(all[i]);
    some.positions.push_back(mesh.positions[all[i]]);
    some.normals.push_back(mesh.normals[all[i]]);
    some.influences.insert(some.influences.end(), own.begin(), own.end());
    some.first_influence.push_back(uint32_t(some.influences.size()));
  }
  return some;
}

class Comparison {
 public:
  explicit Comparison(const Character& character)
      : character_(character),
        mesh_(blended_vertices(character.mesh)),
        palette_(character.skin.palette_size()),
        linear_(mesh_.vertex_count()),
        rigid_(mesh_.vertex_count()),
        normals_(mesh_.vertex_count()) {}

  /// The largest distance in one pose.
  double largest(const Playback& playback) {
    if (!evaluate_exact(character_, {&playback, 1}, uint32_t(palette_.size()), palette_, scratch_)) throw_bad_alloc();
    mesh_.blend = Blend::kLinear;
    skin_on_cpu(mesh_, palette_, linear_, normals_);
    mesh_.blend = Blend::kDualQuaternion;
    skin_on_cpu(mesh_, palette_, rigid_, normals_);
    double largest = 0;
    for (size_t v = 0; v < linear_.size(); ++v) largest = std::max(largest, double(length(rigid_[v] - linear_[v])));
    return largest;
  }

 private:
  const Character& character_;
  Mesh mesh_;
  std::vector<Matrix3x4> palette_;
  std::vector<Vec3> linear_, rigid_, normals_;
  EvaluationScratch scratch_;
};

}  // namespace

double blend_margin(const Character& character) {
  if (character.mesh.blend == Blend::kLinear) return 0;
  Comparison comparison(character);
  double largest = comparison.largest({});
  for (uint32_t c = 0; c < character.clips.size(); ++c) {
    const Clip& clip = character.clips[c];
    if (clip.additive) continue;
    for (uint32_t i = 0; i < kTimes; ++i) {
      const float share = float(i) / float(kTimes - 1);
      Playback playback;
      playback.layers[0] = {c, clip.start_seconds + share * clip.duration_seconds(), 1};
      largest = std::max(largest, comparison.largest(playback));
    }
  }
  return largest * kBetweenSamples;
}

}  // namespace sinew::internal
