#include "vertex_colors.h"

#include <algorithm>
#include <cmath>

namespace sinew::internal {
namespace {

constexpr float kRounding = 1e-3f;  // of values that are meant to be 0 or 1

uint16_t packed(float value, bool& repaired) {
  if (!(value >= -kRounding && value <= 1 + kRounding)) repaired = true;
  if (!std::isfinite(value)) return 65535;
  return uint16_t(std::lround(std::clamp(value, 0.0f, 1.0f) * 65535));
}

}  // namespace

std::vector<VertexColor> vertex_colors(const std::vector<Vec4>& linear, const std::string& name, ImportReport& report) {
  std::vector<VertexColor> colors;
  colors.reserve(linear.size());
  size_t repaired_count = 0;
  for (const Vec4 from : linear) {
    bool repaired = false;
    colors.push_back(
        {packed(from.x, repaired), packed(from.y, repaired), packed(from.z, repaired), packed(from.w, repaired)});
    repaired_count += repaired;
  }
  if (repaired_count > 0) {
    const char* what = repaired_count == 1 ? " vertex color" : " vertex colors";
    report.warnings.push_back(name + ": " + std::to_string(repaired_count) + what + " not within 0 to 1, limited");
  }
  return colors;
}

std::vector<VertexColor> srgb_vertex_colors(std::vector<Vec4> colors, const std::string& name, ImportReport& report) {
  const auto is_black = [](const Vec4& c) { return c.x == 0 && c.y == 0 && c.z == 0; };
  if (std::all_of(colors.begin(), colors.end(), is_black)) {
    report.warnings.push_back(name + ": its vertex colors are all black, left out");
    return {};
  }
  const bool is_clear = std::all_of(colors.begin(), colors.end(), [](const Vec4& c) { return c.w == 0; });
  for (Vec4& c : colors) c = {linear_of(c.x), linear_of(c.y), linear_of(c.z), is_clear ? 1 : c.w};
  return vertex_colors(colors, name, report);
}

float linear_of(float srgb) { return srgb <= 0.04045f ? srgb / 12.92f : std::pow((srgb + 0.055f) / 1.055f, 2.4f); }

void drop_white(std::vector<VertexColor>& colors) {
  const bool all_white = std::all_of(colors.begin(), colors.end(), [](VertexColor c) { return c == VertexColor(); });
  if (all_white) colors = {};
}

}  // namespace sinew::internal
