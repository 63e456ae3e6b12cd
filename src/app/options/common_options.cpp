#include "options/common_options.h"

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

LoadOptions default_load() {
  LoadOptions options;
  options.isolated = true;
  options.import.normal_map_tangents = true;  // they are drawn with them
  return options;
}

std::vector<Option> option_rows(LoadOptions& o) {
  return {
      {"--animation", "FILE", words(o.import.animation_files),
       "Add the clips of this file, matched by joint name; repeatable"},
      {"--retarget", "", flag(o.retarget),
       "Match joints of --animation by VRM's human bones and by names without prefixes, and move them relative to the "
       "rest poses; the root's translation is scaled by height"},
      {"--rate", "RATE", number(o.import.ticks_per_second, 1e-3, 1e6),
       "Ticks or frames per second of clips whose file does not say it [30 of .smd, 4800 of .x, 25 of others]"},
      {"--isolate", "on|off", on_off(o.isolated),
       "Import in a separate process, so that a malformed file cannot crash this one [on]"},
      {"--verbose", "", flag(o.verbose),
       "Print what holds of the import process's sandbox, and what libraries print in it"},
      {"--import-seconds", "SECONDS", number(o.isolation.seconds, 1.0, 1e6),
       "Limit on an isolated import's processor time [4, plus 1 for each MiB of the files; more on a slow machine]"},
      {"--import-memory", "MIB", number(o.isolation.memory_bytes, uint64_t(16), uint64_t(1) << 24, uint64_t(1) << 20),
       "Limit on an isolated import's memory, in MiB [2048, or 30 times the files where that is more]"},
  };
}

Option scale_row(std::optional<float>& scale) {
  return {"--interface-scale", "PERCENT", number(scale, 50.0, 400.0, 0.01),
          "Size of letters and controls [that of the display]"};
}

Option blend_row(LoadOptions& o) {
  return {"--blend", "linear|dual-quaternion",
          choice(o.blend, {{"linear", Blend::kLinear}, {"dual-quaternion", Blend::kDualQuaternion}}),
          "Blend the influences of vertices as matrices, or as dual quaternions: those keep the volume of joints that "
          "bend or twist far [as the file says]"};
}

}  // namespace sinew::app
