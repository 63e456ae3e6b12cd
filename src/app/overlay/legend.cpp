#include "overlay/legend.h"

#include <imgui.h>

#include <cmath>

namespace sinew::app {

uint32_t srgb_color(uint32_t linear) {
  const auto encode = [](uint32_t byte) {
    const float value = float(byte & 255) / 255;
    const float encoded = value <= 0.0031308f ? 12.92f * value : 1.055f * std::pow(value, 1 / 2.4f) - 0.055f;
    return uint32_t(std::lround(255 * encoded));
  };
  return encode(linear) | encode(linear >> 8) << 8 | encode(linear >> 16) << 16 | 0xff000000u;
}

void add_swatch(uint32_t srgb, const std::string& meaning) {
  const float side = ImGui::GetTextLineHeight();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + side, at.y + side}, srgb, side / 6);
  ImGui::Dummy({side, side});
  ImGui::SameLine();
  ImGui::TextUnformatted(meaning.c_str());
}

}  // namespace sinew::app
