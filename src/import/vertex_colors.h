// Vertex colors of files as VertexColor.
#pragma once

#include <string>
#include <vector>

#include "sinew/asset/mesh.h"
#include "sinew/import/import.h"

namespace sinew::internal {

/// Converts linear colors, 0 to 1. Values outside are limited, and values that are not finite become 1; a warning that
/// begins with `name` has their number.
std::vector<VertexColor> vertex_colors(const std::vector<Vec4>& linear, const std::string& name, ImportReport& report);

/// Converts colors in sRGB, 0 to 1, as FBX and most formats of Assimp have them. Colors that are all black are left out
/// with a warning; alpha that is 0 everywhere becomes 1: exporters write both where there are no colors.
std::vector<VertexColor> srgb_vertex_colors(std::vector<Vec4> colors, const std::string& name, ImportReport& report);

/// A value of sRGB, 0 to 1, as linear value.
float linear_of(float srgb);

/// Empties `colors` if all are white: an empty list says the same.
void drop_white(std::vector<VertexColor>& colors);

}  // namespace sinew::internal
