// Options that move the camera, the same for every command that draws.
#pragma once

#include <glm/vec3.hpp>
#include <optional>
#include <vector>

#include "options/option_table.h"
#include "scene/camera.h"

namespace sinew::app {

/// What is not set stays as the command has it.
struct CameraOptions {
  std::optional<glm::vec3> at;    // where it looks, meters
  std::optional<float> distance;  // from there, meters
  std::optional<float> height;    // of the eye, meters above the ground
  std::optional<float> fov;       // degrees, vertical
  std::optional<float> turn;      // degrees around what it looks at
};

/// A point in meters, such as 0,1.5,20.
Binding point(std::optional<glm::vec3>& value);

/// They refer to `options`.
std::vector<Option> option_rows(CameraOptions& options);

Orbit changed(Orbit orbit, const CameraOptions& options);

}  // namespace sinew::app
