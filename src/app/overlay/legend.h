// What the colors of a picture mean. Between Interface::begin() and end().
#pragma once

#include <cstdint>
#include <string>

namespace sinew::app {

/// Colors of the crowd are linear, those of the overlay are sRGB; rgba8, opaque.
uint32_t srgb_color(uint32_t linear);

/// A square of a color as the overlay has it, and what the color means.
void add_swatch(uint32_t srgb, const std::string& meaning);

}  // namespace sinew::app
