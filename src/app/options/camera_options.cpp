#include "options/camera_options.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>
#include <string>

namespace sinew::app {
namespace {

constexpr float kMaxCoordinate = 1e5f;  // meters
constexpr float kDegree = std::numbers::pi_v<float> / 180;

}  // namespace

Binding point(std::optional<glm::vec3>& value) {
  const auto set = [&value](const std::string& all) -> std::string {
    std::istringstream words(all + ",");
    glm::vec3 parsed{0};
    int count = 0;
    bool valid = true;
    for (std::string word; std::getline(words, word, ','); ++count) {
      const auto coordinate = parse_number(word, -kMaxCoordinate, kMaxCoordinate);
      valid = valid && coordinate && count < 3;
      if (valid) parsed[count] = *coordinate;
    }
    if (!valid || count != 3) return "'" + all + "' is not a point in meters such as 0,1.5,20";
    return value = parsed, std::string();
  };
  return {set, [&value] { return value ? Json::array({value->x, value->y, value->z}) : Json(); }};
}

std::vector<Option> option_rows(CameraOptions& o) {
  return {
      {"--at", "X,Y,Z", point(o.at), "Where the camera looks, in meters, y is up [chosen for what is shown]"},
      {"--distance", "METERS", number(o.distance, 0.05f, 5000.0f), "Of the camera from there [chosen likewise]"},
      {"--height", "METERS", number(o.height, 0.0f, 5000.0f), "Of the camera above the ground [chosen likewise]"},
      {"--fov", "DEGREES", number(o.fov, 5.0f, 120.0f), "Field of view from top to bottom [41]"},
      {"--turn", "DEGREES", number(o.turn, -360.0f, 360.0f), "Turns the camera around what it looks at [0]"},
  };
}

Orbit changed(Orbit orbit, const CameraOptions& options) {
  if (options.at) orbit.target = *options.at;
  if (options.distance) orbit.distance = *options.distance;
  if (options.height)
    orbit.pitch = std::asin(std::clamp((*options.height - orbit.target.y) / orbit.distance, -0.99f, 0.99f));
  if (options.fov) orbit.field_of_view = *options.fov * kDegree;
  orbit.yaw += options.turn.value_or(0) * kDegree;
  return orbit;
}

}  // namespace sinew::app
