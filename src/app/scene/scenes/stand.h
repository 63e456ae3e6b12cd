// The stand of a stadium: steps around an oval field, or along one side of it.
#pragma once

#include <cstdint>
#include <vector>

#include "scene/person_colors.h"
#include "scene/scenes/architecture.h"
#include "scene/terrain.h"

namespace sinew::app {

/// Each step is the seat of one row, and carries the feet of the row behind. Lengths in meters.
struct Stand {
  uint32_t rows = 1;        // of people: there are rows + 1 steps
  float half_straight = 1;  // of the field
  float field_radius = 1;
  float depth = 0.9f, height = 0.42f;  // of a step
  float wall = 0.7f;                   // height of the first step above the field
  bool one_side = false;               // only along the straight side at -z
  bool seats = true;                   // people sit

  Oval edge_of(uint32_t step) const { return {half_straight, field_radius + float(step) * depth}; }  // its front
  float top_of(uint32_t step) const { return wall + float(step) * height; }

  /// Meters along an edge that have places.
  float length_of(const Oval& edge) const { return one_side ? 2 * half_straight : edge.perimeter(); }
  /// The point after `meters` of those.
  Oval::Point at(const Oval& edge, float meters) const {
    return edge.at(one_side ? meters + edge.perimeter() / 2 : meters);
  }
  /// Meters along an edge from a point to the middle of the nearest aisle.
  float to_aisle(const Oval& edge, float meters) const;
};

inline constexpr float kHalfAisle = 0.6f;  // meters

/// A place on the stand: a row, and meters along the edge behind it.
struct StandPlace {
  uint32_t row = 0;
  float meters = 0;
};

/// Steps, aisles, the wall behind them and a roof over the rows at the back.
void add_stand(const Stand& stand, Architecture& built);
/// A seat at each of the places.
void add_seats(const Stand& stand, const std::vector<StandPlace>& places, Architecture& built);

/// The field: grass with lines, two goals, boards around it, and masts with floodlights.
void add_field(const Stand& stand, Architecture& built);

/// Half the sides of the rectangle of lines, along x and z.
struct Pitch {
  float length = 0, width = 0;
};
Pitch pitch_of(const Stand& stand);

/// The seats of a part of the stand, 0 to 1 around it: their color, and the top of fans who wear it.
struct SeatColor {
  Color seat;
  Top top;
};
const SeatColor& seat_color(float share);

}  // namespace sinew::app
