#include "overlay/legend.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "asset/noun.h"
#include "render/draw_options.h"
#include "system/text.h"
#include "view/data_colors.h"

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

void add_level_legend(size_t levels) {
  for (uint32_t level = 0; level < levels; ++level)
    add_swatch(srgb_color(data_color(level)), level == 0 ? "level 0, the finest" : text("level %u", level));
}

void add_influence_legend(uint32_t max_influences) {
  const uint32_t count = std::clamp(max_influences, 1u, 8u);
  for (uint32_t i = 1; i <= count; ++i)
    add_swatch(srgb_color(influence_color(i)),
               text("%u %s%s", i, noun(i, "influence", "influences"), i == 8 && max_influences > 8 ? " or more" : ""));
}

}  // namespace sinew::app
