// Options that several commands have: the camera, and how files are loaded.
#pragma once

#include <glm/vec3.hpp>
#include <optional>
#include <vector>

#include "options/option_table.h"
#include "scene/camera.h"
#include "scene/load.h"

namespace sinew::app {

// Options that move the camera, the same for every command that draws.

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

/// The defaults of a command line: isolated imports; the import worker is beside this program.
LoadOptions default_load();

/// A row for each option of all commands that load a character. They refer to `options`.
std::vector<Option> option_rows(LoadOptions& options);

/// The rows of --interface-scale and --blend.
Option scale_row(std::optional<float>& scale);
Option blend_row(LoadOptions& options);

}  // namespace sinew::app
