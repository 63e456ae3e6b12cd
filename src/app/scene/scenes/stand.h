// The stand of a stadium: steps around an oval field.
#pragma once

#include <cstdint>
#include <vector>

#include "scene/scene.h"
#include "scene/oval.h"

namespace sinew::app {

/// Each step is the seat of one row, and carries the feet of the row behind. Lengths in meters.
struct Stand {
  uint32_t rows = 1;        // of people: there are rows + 1 steps
  float half_straight = 1;  // of the field
  float field_radius = 1;
  float depth = 0.9f, height = 0.42f;  // of a step
  float wall = 0.7f;                   // height of the first step above the field

  Oval edge_of(uint32_t step) const { return {half_straight, field_radius + float(step) * depth}; }  // its front
  float top_of(uint32_t step) const { return wall + float(step) * height; }
};

/// Triangles of the steps, the wall behind them and the field.
std::vector<StandVertex> build_stand(const Stand& stand);

}  // namespace sinew::app
