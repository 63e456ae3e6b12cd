// Golden files: where three.js and Blender put some vertices of real files. See tests/golden/README.md.
#pragma once

#include <string>
#include <vector>

#include "sinew/asset/character.h"

namespace sinew::test {

struct GoldenFrame {
  float time_seconds = 0;
  Vec3 low, high;            // of all vertices that triangles use
  std::vector<Vec3> points;  // the vertices that were kept, in the same order in every frame
};

/// What is kept of a clip. All vertices that lie in a ball in the first frame are; where there are no balls, all are.
struct GoldenClip {
  struct Ball {
    Vec3 center;
    float radius = 0;
  };
  std::string name;
  int index = -1;  // in the file; -1: the witness knows names alone
  std::vector<Ball> balls;
  std::vector<uint32_t>
      vertices;  // of the kept points, in the file's order; empty: the witness has an order of its own
  std::vector<GoldenFrame> frames;
};

struct Golden {
  std::string model;  // "assets/...", "shared/..." or "assimp/..."
  std::string witness;
  std::vector<GoldenClip> clips;
};

/// Names of the files in `folder`, sorted.
std::vector<std::string> golden_names(const std::string& folder);

Golden read_golden(const std::string& path);

/// The clip that is meant, or -1.
int find_golden_clip(const GoldenClip& golden, const std::vector<Clip>& clips);

/// The farthest of each way of matching, in the file's units. Positions are of the vertices that triangles use.
struct GoldenDistance {
  double to_ours = 0;    // from a kept point to the nearest of ours
  double to_golden = 0;  // from one of ours that starts within a ball to the nearest kept point
  double by_index = 0;   // between vertices of one number, where the witness keeps the file's order
  double bounds = 0;     // of the sides of the box

  double worst() const;
};

/// `ours[frame]` are positions at the golden frames' times; `in_file_order`: vertices were neither split nor welded.
GoldenDistance compare(const GoldenClip& golden, const std::vector<std::vector<Vec3>>& ours, bool in_file_order);

/// Of the box in the first frame.
double diagonal_of(const GoldenClip& golden);

}  // namespace sinew::test
