// What the colors of a picture mean. Between Interface::begin() and end().
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace sinew::app {

/// Colors of the crowd are linear, those of the overlay are sRGB; rgba8, opaque.
uint32_t srgb_color(uint32_t linear);

/// A square of a color as the overlay has it, and what the color means.
void add_swatch(uint32_t srgb, const std::string& meaning);

/// The colors of levels of detail, and of numbers of influences up to the largest of a mesh.
void add_level_legend(size_t levels);
void add_influence_legend(uint32_t max_influences);

}  // namespace sinew::app
