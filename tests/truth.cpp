#include "truth.h"
#include "asset/larger_error.h"
#include "files.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

namespace sinew::test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double distance(const Point& a, const Point& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

Point to_point(Vec3 v) { return {v.x, v.y, v.z}; }

double to_nearest(const Point& point, std::span<const Vec3> positions) {
  double nearest = kInfinity;
  for (const Vec3& position : positions) nearest = std::min(nearest, distance(point, to_point(position)));
  return nearest;
}

double between_bounds(const TruthFrame& truth, std::span<const Vec3> positions) {
  const Box box = bounding_box(positions);
  const Point low = to_point(box.low), high = to_point(box.high);
  double worst = 0;
  for (size_t axis = 0; axis < 3; ++axis) {
    worst = std::max({worst, std::abs(low[axis] - truth.min[axis]), std::abs(high[axis] - truth.max[axis])});
  }
  return worst;
}

/// Folders of reference files, and where the models that they name are.
constexpr std::pair<const char*, const char*> kFolders[] = {
    {"/truth/", "/"}, {"/next/truth/", "/"}, {"/cases/truth/", "/cases/"}, {"/cases4/truth/", "/cases4/"}};

}  // namespace

std::vector<std::string> truth_names(const std::string& shared_folder) {
  std::vector<std::string> names;
  for (const auto& [folder, models] : kFolders) {
    for (std::string& name : json_files(shared_folder + folder)) names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  return names;
}

Truth read_truth(const std::string& shared_folder, const std::string& name) {
  std::ifstream file;
  std::string models_folder;
  for (const auto& [folder, models] : kFolders) {
    if (file.is_open()) break;
    file.clear();
    file.open(shared_folder + folder + name);
    models_folder = shared_folder + models;
  }
  const auto json = nlohmann::json::parse(file);
  Truth truth;
  truth.model = models_folder + json.at("model").get<std::string>();
  if (json.contains("animation")) truth.animations = {models_folder + json["animation"].get<std::string>()};
  truth.clip = json.at("clip_index");
  const bool is_case = (models_folder.ends_with("/cases/") || models_folder.ends_with("/cases4/")) &&
                       !name.starts_with("between_frames");
  truth.skinned = !is_case && !name.starts_with("character.glb") && name.find("Morph") == name.npos;
  const auto& times = json.at("times_seconds");
  for (size_t i = 0; i < times.size(); ++i) {
    truth.frames.push_back(
        {times[i], json.at("positions")[i].get<std::vector<Point>>(), json.at("min")[i], json.at("max")[i]});
  }
  return truth;
}

Distance distance_to(const TruthFrame& truth, std::span<const Vec3> positions) {
  Distance worst;
  if (!std::all_of(positions.begin(), positions.end(), [](Vec3 p) { return is_finite(p); }))
    return {kInfinity, kInfinity};
  for (const Point& point : truth.points)
    worst.points = sinew::internal::larger_error(worst.points, to_nearest(point, positions));
  worst.bounds = between_bounds(truth, positions);
  const double diagonal = distance(truth.min, truth.max);
  return {worst.points / diagonal, worst.bounds / diagonal};
}

}  // namespace sinew::test
