// Where a seated clip sits.
#pragma once

#include <optional>

#include "scene/model.h"

namespace sinew::app {

/// In meters, of an instance of scale 1 that looks along z.
struct Seat {
  float height = 0;  // of the seat above the feet
  float feet = 0;    // y of the lowest point of the feet
  float middle = 0;  // z of the body above it
};

/// Measured in the first frame of a clip. Empty for a clip that does not sit.
std::optional<Seat> measure_seat(const Model& model, uint32_t clip);

}  // namespace sinew::app
