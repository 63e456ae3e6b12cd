#include "window/controls.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "asset/plain_text.h"
#include "render/draw_options.h"
#include "scene/data_colors.h"
#include "system/output.h"
#include "system/text.h"

namespace sinew::app {
namespace {

constexpr float kNameShare = 0.34f;                 // of a panel's width, before a row of buttons
constexpr float kMinWidth = 720, kMinHeight = 360;  // of pictures with open panels; pixels at a scale of 1
constexpr ImGuiWindowFlags kPanelFlags = ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                                         ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus;

const char* controls_file() { return std::getenv("SINEW_CONTROLS"); }

std::string& marks() {
  static std::string marks;
  return marks;
}

constexpr size_t kLongestText = 255;  // bytes

bool escape_is_pressed() {
#if IMGUI_VERSION_NUM < 18700
  return ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape));
#else
  return ImGui::IsKeyPressed(ImGuiKey_Escape);
#endif
}

/// The right edge of the panel's contents, as SetCursorPosX() takes it.
float right_edge() { return ImGui::GetWindowContentRegionMax().x; }

void add_mark(ImVec2 low, ImVec2 high, const std::string& name) {
  marks() += text("%d %d %d %d %s\n", int(low.x), int(low.y), int(high.x), int(high.y), name.c_str());
}

}  // namespace

void mark_control(const std::string& name) {
  if (controls_file() && ImGui::IsItemVisible()) add_mark(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), name);
}

void mark_panel(const std::string& name) {
  const ImVec2 low = ImGui::GetWindowPos();
  if (controls_file()) add_mark(low, {low.x + ImGui::GetWindowWidth(), low.y + ImGui::GetFrameHeight()}, name);
}

void write_controls() {
  static unsigned frames = 0;
  if (controls_file()) (void)write_file(controls_file(), text("frame %u\n", ++frames) + marks());
  marks().clear();
}

void add_text(const std::string& text, const char* mark) {
  ImGui::TextWrapped("%s", text.c_str());
  if (mark) mark_control(mark);
}

bool add_button(const char* word, const std::string& mark) {
  const bool clicked = ImGui::Button(word);
  mark_control(mark.empty() ? word : mark);
  return clicked;
}

bool add_choice(const char* name, int index, int columns, const char* word, bool chosen) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const float left = ImGui::GetCursorStartPos().x, gap = style.ItemSpacing.x / 2;
  const float start = left + kNameShare * (right_edge() - left);
  const float width = (right_edge() - start - gap * float(columns - 1)) / float(columns);
  const int column = index % columns;
  if (index == 0) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(name);
  }
  if (index == 0 || column > 0) ImGui::SameLine();
  ImGui::SetCursorPosX(start + float(column) * (width + gap));
  if (chosen) ImGui::PushStyleColor(ImGuiCol_Button, style.Colors[ImGuiCol_CheckMark]);
  if (chosen) ImGui::PushStyleColor(ImGuiCol_Text, IM_COL32(10, 12, 16, 255));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {style.FramePadding.x / 4, style.FramePadding.y});
  const bool clicked = ImGui::Button(text("%s##%s", word, name).c_str(), {width, 0});
  ImGui::PopStyleVar();
  if (chosen) ImGui::PopStyleColor(2);
  mark_control(text("%s %s", name, word));
  return clicked;
}

int add_list(const char* name, const std::string& mark, const std::string& shown, std::span<const std::string> items) {
  const bool open = ImGui::BeginCombo(name, shown.c_str());
  mark_control(mark);
  if (!open) return -1;
  int clicked = -1;
  for (int i = 0; i < int(items.size()); ++i) {
    const std::string& item = items[size_t(i)];
    ImGui::PushID(i);  // items may have the same name
    if (ImGui::Selectable(item.c_str(), item == shown)) clicked = i;
    mark_control(mark + ": " + item);
    ImGui::PopID();
  }
  if (escape_is_pressed()) ImGui::CloseCurrentPopup();
  ImGui::EndCombo();
  return clicked;
}

void add_check(const char* name, bool& value, bool enabled, const std::string& mark) {
  ImGui::BeginDisabled(!enabled);
  ImGui::Checkbox(name, &value);
  ImGui::EndDisabled();
  mark_control(mark.empty() ? name : mark);
}

void to_right_half() {
  ImGui::SameLine();
  ImGui::SetCursorPosX((ImGui::GetCursorStartPos().x + right_edge()) / 2);
}

void add_slider(const char* name, float& value, float low, float high, const char* format, const std::string& mark) {
  float changed = value;  // a number that is typed may be too large, or not finite
  if (ImGui::SliderFloat(name, &changed, low, high, format) && std::isfinite(changed))
    value = std::clamp(changed, low, high);
  mark_control(mark);
}

bool is_small_picture(float width, float height, float scale) {
  return width < kMinWidth * scale || height < kMinHeight * scale;
}

bool begin_panel(const char* name, float scale, int flags) {
  const ImVec2 picture = ImGui::GetIO().DisplaySize;
  const bool small = is_small_picture(picture.x, picture.y, scale);
  if (std::exchange(kept(name), float(small)) != float(small)) ImGui::SetNextWindowCollapsed(small);
  const bool shows = ImGui::Begin(name, nullptr, kPanelFlags | flags);
  mark_panel(text("panel %s", name));
  return shows;
}

bool begin_centered_panel(const char* title, bool* open, float width, float height, float scale) {
  constexpr float kMaxShare = 0.9f;  // of the picture
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({size.x / 2, size.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({std::min(width * scale, kMaxShare * size.x), std::min(height * scale, kMaxShare * size.y)});
  return ImGui::Begin(title, open,
                      ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse |
                          ImGuiWindowFlags_NoSavedSettings);
}

void focus_next_control() {
  ImGui::SetWindowFocus();  // Dear ImGui 1.90 looks for the control in the window that had the keys
  ImGui::SetKeyboardFocusHere();
}

bool add_text_field(const char* name, const char* hint, std::string& value, const std::string& mark) {
  char letters[kLongestText + 1] = {};
  value.copy(letters, kLongestText);
  const bool entered = ImGui::InputTextWithHint(
      name, hint, letters, sizeof(letters), ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  const bool emptied = ImGui::IsItemDeactivated() && escape_is_pressed();
  value = emptied ? "" : letters;
  mark_control(mark);
  return entered;
}

float& kept(const char* name, float first) { return *ImGui::GetStateStorage()->GetFloatRef(ImGui::GetID(name), first); }

float height_left(float least) { return std::max(std::floor(ImGui::GetContentRegionAvail().y - kept("rest")), least); }

void begin_rest() { kept("rest begins") = ImGui::GetCursorPosY(); }
void end_rest() { kept("rest") = ImGui::GetCursorPosY() - kept("rest begins"); }

bool add_section(const char* name, bool open) {
  open = ImGui::CollapsingHeader(name, open ? ImGuiTreeNodeFlags_DefaultOpen : 0);
  mark_control(name);
  return open;
}

void add_row(const char* name, const std::string& value) {
  ImGui::TextDisabled("%s", name);
  const float at = right_edge() - ImGui::CalcTextSize(value.c_str()).x;
  const float name_end = ImGui::GetCursorPosX() + ImGui::CalcTextSize(name).x + ImGui::GetStyle().ItemSpacing.x;
  if (at >= name_end) ImGui::SameLine();
  ImGui::SetCursorPosX(at);
  ImGui::TextUnformatted(value.c_str());
}

void add_swatch(uint32_t srgb, const std::string& meaning) {
  const float side = ImGui::GetTextLineHeight();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + side, at.y + side}, srgb, side / 6);
  ImGui::Dummy({side, side});
  ImGui::SameLine();
  ImGui::TextUnformatted(meaning.c_str());
}

uint32_t srgb_color(uint32_t linear) {
  const auto encode = [](uint32_t byte) {
    const float value = float(byte & 255) / 255;
    const float encoded = value <= 0.0031308f ? 12.92f * value : 1.055f * std::pow(value, 1 / 2.4f) - 0.055f;
    return uint32_t(std::lround(255 * encoded));
  };
  return encode(linear) | encode(linear >> 8) << 8 | encode(linear >> 16) << 16 | 0xff000000u;
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
