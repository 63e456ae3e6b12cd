// What is drawn of rolling ground: grass with paths, flowers, stones and trees; and the balloon above it.
#pragma once

#include <vector>

#include "scene/scenes/architecture.h"
#include "scene/terrain.h"

namespace sinew::app {

/// Where people walk: loops around the middle, and half the width of the path.
struct Path {
  Oval loop;
  float half_width = 1;
};

/// How far a point is beside the middle of a path. Meters.
float distance_to(const Path& path, float x, float z);

struct Tree {
  Vec3 at;
  float height = 6;
};

/// Trees beside the paths and away from the way to the eye.
std::vector<Tree> plant_trees(const Terrain& terrain, std::span<const Path> paths, Vec3 eye, uint64_t seed);

/// The ground as triangles with smooth normals: fine where people are seen from near, and coarser further away. Of a
/// terrain of scale 1; `scale` as Architecture has it.
void add_ground(const Terrain& terrain, std::span<const Path> paths, float scale, std::vector<StandVertex>& vertices);

/// Tufts, flowers, stones and the trees.
void add_plants(const Terrain& terrain, std::span<const Path> paths, std::span<const Tree> trees, uint64_t seed,
                Architecture& built);

/// A balloon in stripes, its basket at the origin.
Balloon make_balloon(float scale);

}  // namespace sinew::app
