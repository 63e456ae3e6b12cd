// Reference positions that other evaluators computed, and how near ours come. For every test that needs them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sinew/asset/math.h"

namespace sinew::test {

using Point = std::array<double, 3>;

struct TruthFrame {
  double time_seconds = 0;    // the clip's own
  std::vector<Point> points;  // about 300 of the file's vertices, world space, the file's units
  Point min{}, max{};         // of all its skinned vertices; of all vertices where nothing is skinned
};

struct Truth {
  std::string model;                    // path of the character file
  std::vector<std::string> animations;  // of the files whose clips move it; none: its own do
  uint32_t clip = 0;
  bool skinned = true;  // false: the model has rigid parts only, and bounds are of all vertices
  std::vector<TruthFrame> frames;
};

/// Names of all truth files under `shared_folder` that the importer can be held to, sorted; none where it is absent.
std::vector<std::string> truth_names(const std::string& shared_folder);

Truth read_truth(const std::string& shared_folder, const std::string& name);

/// How far a skinned model is from the truth, as shares of the diagonal of the truth's bounds.
struct Distance {
  double points = 0;  // the worst reference point to the vertex nearest to it
  double bounds = 0;  // the worst of the six sides
};

/// `positions` are those that the truth's bounds are about, in any order. Infinite where there are none.
Distance distance_to(const TruthFrame& truth, std::span<const Vec3> positions);

}  // namespace sinew::test
