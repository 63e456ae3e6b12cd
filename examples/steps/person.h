// The character of steps 3 to 6: loaded, seen, colored.
#pragma once

#include <string>
#include <vector>

#include "host/camera.h"
#include "sinew/asset/character.h"

namespace steps {

/// The character of a file, in meters and with y up.
sinew::Character load_person(const std::string& file);

/// A camera that sees all of its joints.
host::Camera camera_for(const sinew::Character& character);

/// The clip with this name or, in another file than the built-in one, the first.
uint32_t clip_of(const sinew::Character& character, const char* name);

/// The color of each vertex, linear: its material's, where its image is read.
std::vector<sinew::Vec3> vertex_colors(const sinew::Character& character);

}  // namespace steps
