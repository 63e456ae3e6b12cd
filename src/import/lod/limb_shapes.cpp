#include "lod/limb_shapes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include "lod/surface_distance.h"

namespace sinew::internal {
namespace {

constexpr size_t kMinPoints = 4;         // fewer are not divided
constexpr size_t kMaxShapePieces = 256;  // of one joint
constexpr float kMinTaper = 0.4f;        // thickness at an end, as a share of the mean
constexpr float kMinThickness = 0.02f;   // of a shape, as a share of its length
constexpr double kMinContrast = 0.0075;  // of two pieces that look different, as a share of all points
constexpr float kEndShare = 0.01f;       // of the points that stick out of each end

/// The directions in which points are spread most and least, and how far: standard deviations.
struct Spread {
  Vec3 middle;
  std::array<Vec3, 3> axes;  // unit length, the widest first
  std::array<float, 3> size{};
};

/// Eigenvectors of a symmetric matrix. Source: Jacobi, 1846, as in Golub, Van Loan, "Matrix Computations", 8.5.
std::array<Vec3, 3> diagonalize(double (&m)[3][3]) {
  double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int sweep = 0; sweep < 16; ++sweep) {
    for (const auto& [p, q] : {std::pair{0, 1}, {0, 2}, {1, 2}}) {
      if (std::abs(m[p][q]) < 1e-300) continue;
      const double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
      const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
      const double c = 1 / std::sqrt(t * t + 1), s = t * c;
      for (int k = 0; k < 3; ++k) {
        const double a = m[k][p], b = m[k][q];
        m[k][p] = c * a - s * b, m[k][q] = s * a + c * b;
      }
      for (int k = 0; k < 3; ++k) {
        const double a = m[p][k], b = m[q][k];
        m[p][k] = c * a - s * b, m[q][k] = s * a + c * b;
      }
      for (auto& row : v) {
        const double a = row[p], b = row[q];
        row[p] = c * a - s * b, row[q] = s * a + c * b;
      }
    }
  }
  const auto column = [&](int i) { return Vec3{float(v[0][i]), float(v[1][i]), float(v[2][i])}; };
  return {column(0), column(1), column(2)};
}

Spread spread_of(std::span<const LimbPoint> points) {
  double mean[3] = {}, m[3][3] = {};
  const auto at = [](Vec3 p, int i) { return double(i == 0 ? p.x : i == 1 ? p.y : p.z); };
  for (const auto& [p, joint, look] : points) {
    for (int i = 0; i < 3; ++i) mean[i] += at(p, i) / double(points.size());
  }
  for (const auto& [p, joint, look] : points) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) m[i][j] += (at(p, i) - mean[i]) * (at(p, j) - mean[j]) / double(points.size());
    }
  }
  const std::array<Vec3, 3> axes = diagonalize(m);
  std::array<int, 3> order{0, 1, 2};
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return m[a][a] > m[b][b]; });
  Spread spread{{float(mean[0]), float(mean[1]), float(mean[2])}, {}, {}};
  for (size_t i = 0; i < 3; ++i) {
    const int from = order[i];
    spread.axes[i] = axes[size_t(from)];
    spread.size[i] = float(std::sqrt(std::max(m[from][from], 0.0)));
  }
  spread.axes[2] = cross(spread.axes[0], spread.axes[1]);
  return spread;
}

/// A limb as a round, tapered rod: where it ends along its axis, and how thick it is across.
struct Rod {
  Spread spread;
  float begin = 0, end = 0;            // along axes[0], from the middle
  float begin_size = 1, end_size = 1;  // factors on the thickness
  float thick_b = 0, thick_c = 0;      // half the extent along axes[1] and axes[2]
};

Rod rod_around(std::span<const LimbPoint> points) {
  Rod rod{spread_of(points)};
  const Spread& spread = rod.spread;
  std::vector<float> along;
  double sums[2] = {}, counts[2] = {};
  for (const LimbPoint& point : points) {
    const Vec3 q = point.at - spread.middle;
    along.push_back(dot(q, spread.axes[0]));
    const float b = dot(q, spread.axes[1]), c = dot(q, spread.axes[2]);
    const int half = along.back() > 0;
    sums[half] += double(b * b + c * c), counts[half] += 1;
  }
  const size_t cut = size_t(float(along.size()) * kEndShare);
  std::nth_element(along.begin(), along.begin() + ptrdiff_t(cut), along.end());
  rod.begin = along[cut];
  std::nth_element(along.begin(), along.end() - 1 - ptrdiff_t(cut), along.end());
  rod.end = along[along.size() - 1 - cut];
  // The points are on the surface: across a round rod their standard deviation is its radius over the root of two.
  const float root = std::numbers::sqrt2_v<float>, thinnest = (rod.end - rod.begin) * kMinThickness;
  rod.thick_b = std::max(spread.size[1] * root, thinnest), rod.thick_c = std::max(spread.size[2] * root, thinnest);
  if (counts[0] > 0 && counts[1] > 0) {
    const double first = std::sqrt(sums[0] / counts[0]), second = std::sqrt(sums[1] / counts[1]);
    const float slope = first + second > 0 ? float((second - first) / (second + first)) * 2 : 0;  // from half to half
    rod.begin_size = std::clamp(1 - slope, kMinTaper, 2 - kMinTaper);
    rod.end_size = 2 - rod.begin_size;
  }
  return rod;
}

Vec3 at(const Rod& rod, float along, float b, float c) {
  return rod.spread.middle + rod.spread.axes[0] * along + rod.spread.axes[1] * b + rod.spread.axes[2] * c;
}

/// The mean width of a convex outline over all directions is its length / pi: a triangle is as wide as a circle of
/// radius r if its corners are 2 pi / (3 sqrt(3)) r from the middle.
void add_prism(const Rod& rod, std::vector<Vec3>& positions, std::vector<uint32_t>& indices) {
  const uint32_t first = uint32_t(positions.size());
  const float corner = 2 * std::numbers::pi_v<float> / (3 * std::numbers::sqrt3_v<float>);
  for (const auto& [along, size] : {std::pair{rod.begin, rod.begin_size}, {rod.end, rod.end_size}}) {
    for (int i = 0; i < 3; ++i) {
      const float angle = float(i) * 2 * std::numbers::pi_v<float> / 3;
      positions.push_back(
          at(rod, along, rod.thick_b * corner * size * std::cos(angle), rod.thick_c * corner * size * std::sin(angle)));
    }
  }
  for (const uint32_t i : {0, 2, 1, 3, 4, 5, 0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4, 2, 0, 3, 2, 3, 5})
    indices.push_back(first + i);
}

/// At each place along the axis the outline is a rectangle whose sides add up to the edge at an end: pi times the
/// radius makes it as wide as a circle.
void add_wedge(const Rod& rod, std::vector<Vec3>& positions, std::vector<uint32_t>& indices) {
  const uint32_t first = uint32_t(positions.size());
  const float half = std::numbers::pi_v<float> / 2;
  for (const float side : {-half, half})
    positions.push_back(at(rod, rod.begin, side * rod.thick_b * rod.begin_size, 0));
  for (const float side : {-half, half}) positions.push_back(at(rod, rod.end, 0, side * rod.thick_c * rod.end_size));
  for (const uint32_t i : {0, 1, 2, 1, 0, 3, 2, 3, 0, 3, 2, 1}) indices.push_back(first + i);
}

using LimbPoints = std::vector<LimbPoint>;
using Halves = std::pair<LimbPoints, LimbPoints>;

struct Sums {
  std::array<double, std::tuple_size_v<Look>> sum{};
  double count = 0;

  void add(const Look& look, double times) {
    for (size_t i = 0; i < sum.size(); ++i) sum[i] += double(look[i]) * times;
    count += times;
  }
};

/// By how much the squared differences from the mean shrink, summed over all points, if two groups have one each.
double contrast(const Sums& a, const Sums& b) {
  double squared = 0;
  for (size_t i = 0; i < a.sum.size(); ++i) {
    const double difference = a.sum[i] / a.count - b.sum[i] / b.count;
    squared += difference * difference;
  }
  return squared * a.count * b.count / (a.count + b.count);
}

class LimbMaker {
 public:
  LimbMaker(std::span<const Vec3> origins, LimbShape shape, double max_distance, size_t all_points)
      : origins_(origins), shape_(shape), max_distance_(max_distance), all_points_(all_points) {}

  void add(LimbPoints points, uint32_t joint) {
    joint_ = joint, pieces_ = 1;
    add_piece(std::move(points));
  }
  LimbMesh take() { return std::move(mesh_); }

 private:
  void add_piece(LimbPoints points) {
    std::vector<Vec3> positions;
    std::vector<uint32_t> indices;
    Rod rod = rod_around(points);
    if (pieces_ == 1 && joint_ < origins_.size()) reach(origins_[joint_], rod);
    (shape_ == LimbShape::kPrism ? add_prism : add_wedge)(rod, positions, indices);
    if (pieces_ < kMaxShapePieces && points.size() >= kMinPoints) {
      auto [one, other] = is_too_far(points, {positions, indices}) ? divide(points, rod) : divide_by_look(points, rod);
      if (!one.empty() && !other.empty()) {
        ++pieces_;
        add_piece(std::move(one)), add_piece(std::move(other));
        return;
      }
    }
    const uint32_t first = uint32_t(mesh_.positions.size());
    mesh_.positions.insert(mesh_.positions.end(), positions.begin(), positions.end());
    mesh_.joints.resize(mesh_.positions.size(), joint_);
    for (const uint32_t index : indices) mesh_.indices.push_back(first + index);
  }

  /// Makes the rod longer, up to half its length, so that it ends at the joint.
  static void reach(Vec3 origin, Rod& rod) {
    const float along = dot(origin - rod.spread.middle, rod.spread.axes[0]), most = (rod.end - rod.begin) / 2;
    rod.begin = std::min(rod.begin, std::max(along, rod.begin - most));
    rod.end = std::max(rod.end, std::min(along, rod.end + most));
  }

  bool is_too_far(std::span<const LimbPoint> points, const Surface& surface) const {
    SurfaceDistance distance(surface);
    uint32_t guess = 0;
    const double enough = max_distance_ * max_distance_;
    return std::any_of(points.begin(), points.end(),
                       [&](const LimbPoint& p) { return distance.squared(p.at, guess, enough) > enough; });
  }

  /// Two groups around two middles that begin at the ends of the rod. Source: Lloyd, "Least Squares Quantization",
  /// 1982.
  static Halves divide(std::span<const LimbPoint> points, const Rod& rod) {
    Vec3 middles[2] = {at(rod, rod.begin, 0, 0), at(rod, rod.end, 0, 0)};
    LimbPoints groups[2];
    for (int round = 0; round < 8; ++round) {
      groups[0].clear(), groups[1].clear();
      for (const LimbPoint& p : points) groups[length(p.at - middles[1]) < length(p.at - middles[0])].push_back(p);
      for (int i = 0; i < 2 && !groups[0].empty() && !groups[1].empty(); ++i) {
        Vec3 sum;
        for (const LimbPoint& p : groups[i]) sum = sum + p.at;
        middles[i] = sum * (1 / float(groups[i].size()));
      }
    }
    return {std::move(groups[0]), std::move(groups[1])};
  }

  /// Two groups along the rod that differ most in what they look like; none where one shape does as well.
  Halves divide_by_look(LimbPoints& points, const Rod& rod) const {
    const auto along = [&](const LimbPoint& p) { return dot(p.at - rod.spread.middle, rod.spread.axes[0]); };
    std::stable_sort(points.begin(), points.end(), [&](auto& a, auto& b) { return along(a) < along(b); });
    Sums before, behind;
    for (const LimbPoint& p : points) behind.add(p.look, 1);
    double most = kMinContrast * double(all_points_);
    size_t cut = 0;
    for (size_t i = 0; i + 1 < points.size(); ++i) {
      before.add(points[i].look, 1), behind.add(points[i].look, -1);
      if (const double gain = contrast(before, behind); gain > most) most = gain, cut = i + 1;
    }
    if (cut == 0) return {};
    const auto middle = points.begin() + ptrdiff_t(cut);
    return {LimbPoints(points.begin(), middle), LimbPoints(middle, points.end())};
  }

  std::span<const Vec3> origins_;
  LimbShape shape_;
  double max_distance_;
  size_t all_points_;
  uint32_t joint_ = 0;
  size_t pieces_ = 0;  // of the joint
  LimbMesh mesh_;
};

}  // namespace

LimbMesh make_limbs(std::span<const LimbPoint> points, std::span<const Vec3> origins, LimbShape shape,
                    double max_distance) {
  std::map<uint32_t, LimbPoints> of_joint;
  for (const LimbPoint& point : points) of_joint[point.joint].push_back(point);
  LimbMaker maker(origins, shape, max_distance, points.size());
  for (auto& [joint, own] : of_joint) maker.add(std::move(own), joint);
  return maker.take();
}

}  // namespace sinew::internal
