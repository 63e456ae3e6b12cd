#include "golden.h"
#include "asset/larger_error.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

namespace sinew::test {
namespace {

using Json = nlohmann::json;

constexpr float kEdge = 1e-3f;  // share of a ball's radius: a vertex this near to the surface may be inside or outside

Vec3 vec3(const Json& numbers, size_t first = 0) {
  return {numbers.at(first), numbers.at(first + 1), numbers.at(first + 2)};
}

GoldenFrame read_frame(const Json& clip, size_t frame) {
  GoldenFrame result{
      clip.at("times_seconds")[frame], vec3(clip.at("bounds").at(frame)), vec3(clip.at("bounds").at(frame), 3), {}};
  const Json& numbers = clip.at("positions").at(frame);
  for (size_t i = 0; i < numbers.size(); i += 3) result.points.push_back(vec3(numbers, i));
  return result;
}

GoldenClip read_clip(const Json& clip) {
  GoldenClip result;
  result.name = clip.at("name");
  result.index = clip.value("index", -1);
  result.vertices = clip.value("vertices", std::vector<uint32_t>());
  for (const Json& ball : clip.at("balls")) result.balls.push_back({vec3(ball), ball.at(3)});
  for (size_t i = 0; i < clip.at("times_seconds").size(); ++i) result.frames.push_back(read_frame(clip, i));
  return result;
}

double distance(Vec3 a, Vec3 b) { return std::hypot(double(a.x) - b.x, double(a.y) - b.y, double(a.z) - b.z); }

double to_nearest(Vec3 point, const std::vector<Vec3>& others) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const Vec3 other : others) nearest = std::min(nearest, distance(point, other));
  return nearest;
}

double sides(const GoldenFrame& golden, const std::vector<Vec3>& positions) {
  const Box box = bounding_box(positions);
  const Vec3 a = box.low - golden.low, b = box.high - golden.high;
  return std::max({std::abs(a.x), std::abs(a.y), std::abs(a.z), std::abs(b.x), std::abs(b.y), std::abs(b.z)});
}

/// Indices of the vertices that are clearly within a ball in the first frame; without balls, of all vertices.
std::vector<size_t> within_balls(const GoldenClip& golden, const std::vector<Vec3>& start) {
  std::vector<size_t> within;
  for (size_t v = 0; v < start.size(); ++v) {
    const bool inside = std::any_of(golden.balls.begin(), golden.balls.end(), [&](const GoldenClip::Ball& ball) {
      return distance(start[v], ball.center) < double(ball.radius * (1 - kEdge));
    });
    if (inside || golden.balls.empty()) within.push_back(v);
  }
  return within;
}

}  // namespace

Golden read_golden(const std::string& path) {
  std::ifstream file(path);
  const Json json = Json::parse(file);
  const bool preserves_volume = json.value("blend", "linear") == std::string("dual-quaternion");
  Golden golden{json.at("model"), json.at("witness"), preserves_volume ? Blend::kDualQuaternion : Blend::kLinear, {}};
  for (const Json& clip : json.at("clips")) golden.clips.push_back(read_clip(clip));
  return golden;
}

int find_golden_clip(const GoldenClip& golden, const std::vector<Clip>& clips) {
  if (golden.index >= 0) return golden.index < int(clips.size()) ? golden.index : -1;
  if (golden.name.empty()) return clips.size() == 1 ? 0 : -1;
  const auto found = std::find_if(clips.begin(), clips.end(), [&](const Clip& c) { return c.name == golden.name; });
  return found == clips.end() ? -1 : int(found - clips.begin());
}

double GoldenDistance::worst() const { return std::max({to_actual, to_golden, by_index, bounds}); }

GoldenDistance compare(const GoldenClip& golden, const std::vector<std::vector<Vec3>>& actual) {
  GoldenDistance worst;
  const std::vector<size_t> within = within_balls(golden, actual.at(0));
  for (size_t i = 0; i < golden.frames.size(); ++i) {
    const GoldenFrame& frame = golden.frames[i];
    const std::vector<Vec3>& positions = actual.at(i);
    if (!std::all_of(positions.begin(), positions.end(), [](Vec3 p) { return is_finite(p); })) worst.bounds = INFINITY;
    for (const Vec3 point : frame.points)
      worst.to_actual = sinew::internal::larger_error(worst.to_actual, to_nearest(point, positions));
    for (const size_t v : within)
      worst.to_golden = sinew::internal::larger_error(worst.to_golden, to_nearest(positions[v], frame.points));
    for (size_t v = 0; v < golden.vertices.size(); ++v) {
      worst.by_index =
          sinew::internal::larger_error(worst.by_index, distance(frame.points[v], positions.at(golden.vertices[v])));
    }
    worst.bounds = sinew::internal::larger_error(worst.bounds, sides(frame, positions));
  }
  return worst;
}

double diagonal_of(const GoldenClip& golden) {
  return golden.frames.empty() ? 0 : distance(golden.frames[0].low, golden.frames[0].high);
}

}  // namespace sinew::test
