#include "scene/scenes/seat.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scene/exact_poses.h"

namespace sinew::app {
namespace {

constexpr float kUpperBody = 0.6f;  // share of the height above which there is only head, chest and arms
constexpr float kColumn = 0.06f;    // share of the height: half the depth of the body above the seat
constexpr float kLowestSeat = 0.15f, kHighestSeat = 0.5f;  // share of the height of a seated person

}  // namespace

std::optional<Seat> measure_seat(const Model& model, uint32_t clip) {
  constexpr float kNone = std::numeric_limits<float>::max();
  Playback playback;
  playback.layers[0] = {clip, model.character.clips[clip].start_seconds, 1};
  std::vector<Vec3> positions = exact_positions(model.character, playback);
  float top = -kNone, bottom = kNone;
  for (Vec3& position : positions) {
    position = transform_point(model.world_from_model, position);
    top = std::max(top, position.y), bottom = std::min(bottom, position.y);
  }
  const float size = top - bottom;
  double middle = 0;
  size_t above = 0;
  for (const Vec3 position : positions) {
    if (position.y > bottom + kUpperBody * size) middle += position.z, ++above;
  }
  if (above == 0) return {};
  Seat seat{kNone, bottom, float(middle / double(above))};
  for (const Vec3 position : positions) {
    if (std::abs(position.z - seat.middle) < kColumn * size) seat.height = std::min(seat.height, position.y - bottom);
  }
  if (seat.height < kLowestSeat * size || seat.height > kHighestSeat * size) return {};
  return seat;
}

}  // namespace sinew::app
