#include "viewer/file_list_panel.h"

#include <imgui.h>

#include <array>
#include <cstring>
#include <utility>

#include "system/text.h"
#include "window/controls.h"

namespace sinew::app {
namespace {

constexpr float kWidth = 560, kHeight = 440;  // pixels at a scale of 1

using Entry = FileList::Entry;
using Kind = FileList::Kind;

void choose(Viewer& viewer, size_t index) {
  const auto file = viewer.file_list->choose(index);
  if (!file) return;
  viewer.open = {*file};
  viewer.file_list.reset();
}

/// A field of its own for each folder: the letters of the last one would stay in it.
void draw_filter(FileList& list) {
  ImGui::PushID(list.folder().string().c_str());
  std::array<char, 128> letters{};
  std::strncpy(letters.data(), list.filter().c_str(), letters.size() - 1);
  if (!ImGui::IsAnyItemActive()) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(-1);
  ImGui::InputTextWithHint("##filter", "type a part of a name", letters.data(), letters.size());
  mark_control("file filter");
  list.set_filter(letters.data());
  ImGui::PopID();
}

std::string label_of(const Entry& entry) { return printable(entry.name) + (entry.kind == Kind::kFolder ? "/" : ""); }

/// Returns the entry that was opened by a double click, or the number of entries.
size_t draw_entries(FileList& list) {
  const std::vector<const Entry*> shown = list.shown();
  const bool is_new = std::exchange(kept("selected"), float(list.selected())) != float(list.selected());
  size_t opened = shown.size();
  for (size_t i = 0; i < shown.size(); ++i) {
    const bool is_recent = shown[i]->kind == Kind::kRecent;
    if (is_recent && i == 0) ImGui::TextDisabled("opened last");
    if (!is_recent && (i == 0 || shown[i - 1]->kind == Kind::kRecent))
      ImGui::TextDisabled("%s", printable(list.folder().string()).c_str());
    ImGui::PushID(int(i));
    if (ImGui::Selectable(label_of(*shown[i]).c_str(), i == list.selected(), ImGuiSelectableFlags_AllowDoubleClick)) {
      list.select(i);
      if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) opened = i;
    }
    mark_control("file " + label_of(*shown[i]));
    ImGui::PopID();
    if (i == list.selected() && is_new) ImGui::SetScrollHereY();
  }
  return opened;
}

void draw_list(Viewer& viewer) {
  FileList& list = *viewer.file_list;
  draw_filter(list);
  const float below =
      2 * ImGui::GetFrameHeightWithSpacing() + (list.problem().empty() ? 0 : ImGui::GetTextLineHeight());
  ImGui::BeginChild("entries", {0, -below}, true, ImGuiWindowFlags_HorizontalScrollbar);
  const size_t count = list.shown().size(), opened = draw_entries(list);
  ImGui::EndChild();
  if (!list.problem().empty()) add_text(list.problem(), "problem");
  ImGui::TextDisabled("Enter: open. Backspace: the folder above. Esc: close.");
  const bool open = add_button("Open", "open file");
  ImGui::SameLine();
  const bool close = add_button("Cancel", "cancel file");
  if (open || opened < count) return choose(viewer, open ? list.selected() : opened);
  if (close) viewer.file_list.reset();
}

}  // namespace

void press_key_of_list(Viewer& viewer, const KeyPress& press) {
  FileList& list = *viewer.file_list;
  if (press.key == Key::kEnter) return choose(viewer, list.selected());
  if (press.key == Key::kEscape) return viewer.file_list.reset();
  if (press.key == Key::kUp) return list.move_selection(-1);
  if (press.key == Key::kDown) return list.move_selection(1);
  if (press.key == Key::kBackspace && list.filter().empty()) list.go_up();
}

void draw_file_list(Viewer& viewer, float scale) {
  if (!viewer.file_list) return;
  ImGui::SetNextWindowFocus();
  if (begin_centered_panel("Open a file", nullptr, kWidth, kHeight, scale)) draw_list(viewer);
  ImGui::End();
}

}  // namespace sinew::app
