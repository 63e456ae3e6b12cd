// Reference positions of animated models, computed by other programs, and the distance of other positions to them.
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
  double time_seconds = 0;    // in the clip's time
  std::vector<Point> points;  // about 300 of the file's vertices, world space, the file's units
  Point min{}, max{};         // bounds of all skinned vertices; of all vertices if none is skinned
};

struct Truth {
  std::string model;                    // path of the character file
  std::vector<std::string> animations;  // paths of the files with the clips; empty: the clips of the model file
  uint32_t clip = 0;
  bool skinned = true;  // false: the model has only rigid parts, and the bounds are those of all vertices
  std::vector<TruthFrame> frames;
};

/// The sorted names of the reference files under `shared_folder` that the importer supports; empty without that folder.
std::vector<std::string> truth_names(const std::string& shared_folder);

/// Reads the reference file `name`. Throws if it is missing or malformed.
Truth read_truth(const std::string& shared_folder, const std::string& name);

/// Distances of a skinned model to the reference, as shares of the diagonal of the reference bounds.
struct Distance {
  double points = 0;  // largest distance from a reference point to its nearest vertex
  double bounds = 0;  // largest offset of a side of the bounds
};

/// `positions` are the vertices that the reference bounds enclose, in any order. The result is infinite without
/// vertices.
Distance distance_to(const TruthFrame& truth, std::span<const Vec3> positions);

}  // namespace sinew::test
