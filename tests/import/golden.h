// Golden files: vertex positions of real files, by three.js and Blender. See tests/golden/README.md.
#pragma once

#include <string>
#include <vector>

#include "sinew/asset/character.h"

namespace sinew::test {

struct GoldenFrame {
  float time_seconds = 0;
  Vec3 low, high;            // the bounding box of all vertices that triangles use
  std::vector<Vec3> points;  // positions of the selected vertices, in the same order in every frame
};

/// The golden positions of a clip. They are of all vertices that lie in one of the balls in the first frame; without
/// balls, of all vertices.
struct GoldenClip {
  struct Ball {
    Vec3 center;
    float radius = 0;
  };
  std::string name;
  int index = -1;  // of the clip in the file; -1: the witness has only names
  std::vector<Ball> balls;
  std::vector<uint32_t> vertices;  // of each point, its index in the file; empty: the witness has another order
  std::vector<GoldenFrame> frames;
};

struct Golden {
  std::string model;    // "assets/...", "shared/..." or "assimp/..."
  std::string witness;  // the program that computed the positions
  Blend blend = Blend::kLinear;
  std::vector<GoldenClip> clips;
};

Golden read_golden(const std::string& path);

/// The index of the golden clip in `clips`, or -1.
int find_golden_clip(const GoldenClip& golden, const std::vector<Clip>& clips);

/// The largest distance of each way of matching, in the file's units. All positions are of vertices that triangles use.
struct GoldenDistance {
  double to_actual = 0;  // from a golden point to the nearest actual position
  double to_golden = 0;  // from an actual position that starts within a ball to the nearest golden point
  double by_index = 0;   // between vertices of the same index, if the witness keeps the file's order
  double bounds = 0;     // between the sides of the bounding boxes

  double worst() const;
};

/// `actual[frame]` has the actual positions at the time of that golden frame, in the order of the file.
GoldenDistance compare(const GoldenClip& golden, const std::vector<std::vector<Vec3>>& actual);

/// The diagonal of the bounding box in the first frame, in the file's units.
double diagonal_of(const GoldenClip& golden);

}  // namespace sinew::test
