#include "sinew/crowd/occlusion.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "asset/exceptions.h"

namespace sinew::crowd {
namespace {

constexpr uint32_t kMaxSize = 16384;
constexpr uint32_t kMaxRead = 4;        // a rectangle is read at the finest level where it is not wider than this
constexpr double kPixelSlack = 1e-3;    // of the rounding of the rectangle
constexpr double kDepthSlack = 2.5e-7;  // two steps of 24 bits: of the rounding of the image
constexpr float kFarthest = std::numeric_limits<float>::infinity();

Error fault(const char* what) { return {ErrorCode::kInvalidArgument, std::string("a depth image of a crowd ") + what}; }

/// The pixels that a range of clip space from -1 to 1 touches.
std::pair<uint32_t, uint32_t> pixels_of(double low, double high, uint32_t size) {
  const auto pixel = [&](double at) { return uint32_t(std::clamp(at, 0.0, double(size - 1))); };
  return {pixel((low + 1) / 2 * size - kPixelSlack), pixel((high + 1) / 2 * size + kPixelSlack)};
}

}  // namespace

Status DepthPyramid::build(const DepthImage& image) SINEW_TRY {
  clear();
  if (image.width == 0 || image.height == 0 || image.width > kMaxSize || image.height > kMaxSize)
    return fault("has a width or height that is not from 1 to 16384");
  if (image.depth.size() != size_t(image.width) * image.height) return fault("needs width * height depths");
  const float* m = image.view.clip_from_world;
  const auto row = [&](int r) { return Row{m[r], m[4 + r], m[8 + r], m[12 + r]}; };
  x_ = row(0), y_ = row(1), z_ = row(2), w_ = row(3);
  view_index_ = image.view_index, reversed_ = image.reversed, margin_ = image.margin;
  depths_.resize(image.depth.size());
  const float sign = image.reversed ? -1.0f : 1.0f;
  std::transform(image.depth.begin(), image.depth.end(), depths_.begin(),
                 [&](float depth) { return std::isnan(depth) ? kFarthest : sign * depth; });
  levels_.push_back({image.width, image.height, 0});
  while (levels_.back().width > 1 || levels_.back().height > 1) add_level(levels_.back());
  return {};
}
SINEW_CATCH_BAD_ALLOC(clear(); return sinew::internal::out_of_memory();)

/// Each depth is the farthest of four of the finer level, or of fewer at its right and lower end.
void DepthPyramid::add_level(const Level& finer) {
  const Level from = finer, to{(from.width + 1) / 2, (from.height + 1) / 2, depths_.size()};
  depths_.resize(to.first + size_t(to.width) * to.height);
  for (uint32_t y = 0; y < to.height; ++y) {
    const float* upper = depths_.data() + from.first + size_t(2 * y) * from.width;
    const float* lower = 2 * y + 1 < from.height ? upper + from.width : upper;
    float* out = depths_.data() + to.first + size_t(y) * to.width;
    for (uint32_t x = 0; x < to.width; ++x) {
      const uint32_t left = 2 * x, right = std::min(left + 1, from.width - 1);
      out[x] = std::max(std::max(upper[left], upper[right]), std::max(lower[left], lower[right]));
    }
  }
  levels_.push_back(to);
}

void DepthPyramid::clear() { levels_.clear(); }

/// The range of row / w over a sphere, exactly. False where the sphere reaches behind the eye.
///
/// A value t is at the end of the range where the plane row - t w = 0 touches the sphere: where
/// (row(c) - t w(c))^2 = r^2 |grad row - t grad w|^2, which is a quadratic equation. Its discriminant is written so
/// that nothing cancels for spheres that are small and far.
bool DepthPyramid::find_range(const Row& row, const Row& w, const Sphere& sphere, Range& range) {
  const double x = sphere.center.x, y = sphere.center.y, z = sphere.center.z;
  const double square = double(sphere.radius) * double(sphere.radius);
  const double at = row.x * x + row.y * y + row.z * z + row.w, depth = w.x * x + w.y * y + w.z * z + w.w;
  const double row_row = row.x * row.x + row.y * row.y + row.z * row.z, w_w = w.x * w.x + w.y * w.y + w.z * w.z;
  const double row_w = row.x * w.x + row.y * w.y + row.z * w.z;
  const double a = depth * depth - square * w_w, b = at * depth - square * row_w;
  if (!(depth > 0 && a > 0)) return false;
  const double across[] = {depth * row.x - at * w.x, depth * row.y - at * w.y, depth * row.z - at * w.z};
  const double length = across[0] * across[0] + across[1] * across[1] + across[2] * across[2];
  const double discriminant = square * (length - square * (w_w * row_row - row_w * row_w));
  if (!(discriminant >= 0)) return false;
  const double root = std::sqrt(discriminant);
  range = {(b - root) / a, (b + root) / a};
  return true;
}

bool DepthPyramid::is_hidden(const Sphere& sphere) const {
  const Sphere moved{sphere.center, sphere.radius + margin_};
  Range x, y, z;
  if (levels_.empty() || !find_range(z_, w_, moved, z) || !(z.low >= 0 && z.high <= 1)) return false;
  if (!find_range(x_, w_, moved, x) || !(x.low >= -1 && x.high <= 1)) return false;
  if (!find_range(y_, w_, moved, y) || !(y.low >= -1 && y.high <= 1)) return false;
  auto [left, right] = pixels_of(x.low, x.high, levels_[0].width);
  auto [top, bottom] = pixels_of(y.low, y.high, levels_[0].height);
  uint32_t shift = 0;
  while (((right >> shift) - (left >> shift)) >= kMaxRead || ((bottom >> shift) - (top >> shift)) >= kMaxRead) ++shift;
  const Level& level = levels_[shift];
  const double nearest = (reversed_ ? -z.high : z.low) - kDepthSlack;
  for (uint32_t row = top >> shift; row <= bottom >> shift; ++row) {
    const float* depths = depths_.data() + level.first + size_t(row) * level.width;
    for (uint32_t column = left >> shift; column <= right >> shift; ++column) {
      if (!(nearest > depths[column])) return false;
    }
  }
  return true;
}

OcclusionSource DepthPyramid::source() const {
  const auto is_hidden = [](void* pyramid, const Sphere& sphere, uint32_t view) {
    const auto& self = *static_cast<const DepthPyramid*>(pyramid);
    return view == self.view_index_ && self.is_hidden(sphere);
  };
  return {const_cast<DepthPyramid*>(this), is_hidden};
}

}  // namespace sinew::crowd
