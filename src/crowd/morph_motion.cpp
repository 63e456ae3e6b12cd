#include "morph_motion.h"

#include <algorithm>
#include <cmath>

#include "clip_path.h"
#include "sinew/animation/weights.h"

namespace sinew::crowd::internal {
namespace {

struct WeightRange {
  float low = 0, high = 0;
};

std::vector<WeightRange> weight_ranges(const Character& character, std::span<const uint32_t> clips) {
  std::vector<WeightRange> ranges(character.mesh.targets.size());
  if (ranges.empty()) return ranges;
  std::vector<float> weights(ranges.size());
  for (const uint32_t clip : clips) {
    for (const float time : path_times(character, clip)) {
      sample_weights(character.clips[clip], character.mesh.targets, time, weights);
      for (size_t t = 0; t < ranges.size(); ++t)
        ranges[t] = {std::min(ranges[t].low, weights[t]), std::max(ranges[t].high, weights[t])};
    }
  }
  return ranges;
}

/// For each vertex, in mesh space, the box of the positions that morph targets give it.
std::vector<Box> morphed_boxes(const Mesh& mesh, std::span<const WeightRange> ranges) {
  std::vector<Box> boxes;
  for (const Vec3 position : mesh.positions) boxes.push_back({position, position});
  for (size_t t = 0; t < ranges.size(); ++t) {
    const MorphTarget& target = mesh.targets[t];
    for (size_t i = 0; i < target.vertices.size(); ++i) {
      Box& box = boxes[target.vertices[i]];
      const Vec3 a = target.positions[i] * ranges[t].low, b = target.positions[i] * ranges[t].high;
      box.low = box.low + min(a, b), box.high = box.high + max(a, b);
    }
  }
  return boxes;
}

}  // namespace

std::vector<float> morph_sizes(const Mesh& mesh) {
  std::vector<float> sizes;
  for (const MorphTarget& target : mesh.targets) {
    float& largest = sizes.emplace_back();
    for (const Vec3 difference : target.positions) largest = std::max(largest, length(difference));
  }
  return sizes;
}

float morph_distance(std::span<const float> sizes, std::span<const float> a, std::span<const float> b) {
  float distance = 0;
  for (size_t t = 0; t < sizes.size(); ++t) distance += std::abs(b[t] - a[t]) * sizes[t];
  return distance;
}

std::vector<Box> boxes_of_entries(const Character& character, std::span<const uint32_t> clips) {
  const Mesh& mesh = character.mesh;
  const std::vector<Box> vertices = morphed_boxes(mesh, weight_ranges(character, clips));
  std::vector<Box> boxes(character.skin.palette_size(), kEmptyBox);
  for (uint32_t vertex = 0; vertex < mesh.vertex_count(); ++vertex) {
    for (const Influence influence : mesh.influences_of(vertex)) {
      include(boxes[influence.entry], vertices[vertex].low);
      include(boxes[influence.entry], vertices[vertex].high);
    }
  }
  return boxes;
}

/// The largest eigenvalue of m^T m is at most the largest sum of a row's absolute values (Gershgorin). Without shear
/// this is exact.
float max_scale(const Matrix3x4& m) {
  float largest = 0;
  for (int i = 0; i < 3; ++i) {
    float sum = 0;
    for (int j = 0; j < 3; ++j) {
      float element = 0;
      for (int row = 0; row < 3; ++row) element += m.m[row][i] * m.m[row][j];
      sum += std::abs(element);
    }
    largest = std::max(largest, sum);
  }
  return std::sqrt(largest);
}

}  // namespace sinew::crowd::internal
