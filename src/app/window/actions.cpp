#include "window/actions.h"

#include <imgui.h>

#include "window/controls.h"

namespace sinew::app {
namespace {

constexpr float kListWidth = 520, kListHeight = 680;  // pixels at a scale of 1

using Words = std::span<const std::pair<const char*, const char*>>;

void add_rows(Words words) {
  if (!ImGui::BeginTable("actions", 2)) return;
  float width = 0;
  for (const auto& [keys, does] : words) width = std::max(width, ImGui::CalcTextSize(keys).x);
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, width);
  for (const auto& [keys, does] : words) {
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(keys);
    ImGui::TableNextColumn();
    add_text(does);
  }
  ImGui::EndTable();
}

}  // namespace

void add_key_list(Words words, bool& open, float scale) {
  const bool shows = begin_centered_panel("Keys and mouse", &open, kListWidth, kListHeight, scale);
  mark_panel("help");
  if (shows) add_rows(words);
  ImGui::End();
}

}  // namespace sinew::app
