#include "lod/vertex_fit.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace sinew::internal {
namespace {

constexpr double kHold = 0.02;  // how much a vertex is held at its start, as a share of what points say of it
constexpr int kSteps = 100;

using Values = std::vector<double>;

double at(const PointOnMesh& point, const Values& vertices) {
  double sum = 0;
  for (size_t i = 0; i < 3; ++i) sum += double(point.shares[i]) * vertices[point.vertices[i]];
  return sum;
}

void add_to_vertices(const PointOnMesh& point, double value, Values& vertices) {
  for (size_t i = 0; i < 3; ++i) vertices[point.vertices[i]] += double(point.shares[i]) * value;
}

}  // namespace

/// Projected gradients with momentum. The step of a vertex is the inverse of the sum of its row of the normal
/// equations. Source: Beck, Teboulle, "A Fast Iterative Shrinkage-Thresholding Algorithm for Linear Inverse Problems",
/// 2009.
std::vector<float> fit_vertices(std::span<const PointOnMesh> points, std::span<const float> values,
                                std::span<const float> start, ValueRange range) {
  Values weight(start.size());
  for (const PointOnMesh& point : points) add_to_vertices(point, 1, weight);
  Values fitted(start.begin(), start.end()), ahead = fitted, error(start.size());
  for (int step = 0; step < kSteps; ++step) {
    std::fill(error.begin(), error.end(), 0);
    for (size_t i = 0; i < points.size(); ++i)
      add_to_vertices(points[i], double(values[i]) - at(points[i], ahead), error);
    const double momentum = double(step) / double(step + 3);
    for (size_t v = 0; v < fitted.size(); ++v) {
      if (!(weight[v] > 0)) continue;
      error[v] += kHold * weight[v] * (double(start[v]) - ahead[v]);
      const double next = std::clamp(ahead[v] + error[v] / (weight[v] * (1 + kHold)), range.lowest, range.highest);
      const double change = next - std::exchange(fitted[v], next);
      ahead[v] = next + momentum * change;
    }
  }
  return {fitted.begin(), fitted.end()};
}

}  // namespace sinew::internal
