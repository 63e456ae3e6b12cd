// The time line: a bar with the clip's keys, the range that plays, and the time now. Dragging in it scrubs.
#include <imgui.h>

#include <algorithm>

#include "overlay/controls.h"
#include "overlay/view_panels.h"
#include "system/text.h"

namespace sinew::app {
namespace {

constexpr ImU32 kBar = IM_COL32(52, 56, 66, 255), kRange = IM_COL32(74, 96, 130, 255),
                kKey = IM_COL32(205, 180, 110, 200), kNow = IM_COL32(255, 92, 60, 255);
constexpr float kPixelsPerKey = 3;  // keys closer than that are thinned

struct Bar {
  float left, right, top, bottom;
  float start_seconds, end_seconds;

  float at(float seconds) const {
    const float span = end_seconds - start_seconds;
    return span > 0 ? left + (right - left) * std::clamp((seconds - start_seconds) / span, 0.0f, 1.0f) : left;
  }
  float seconds_at(float x) const {
    return start_seconds + (end_seconds - start_seconds) * std::clamp((x - left) / (right - left), 0.0f, 1.0f);
  }
};

void draw_bar(const Bar& bar, const TimeLine& line, const Clip& clip) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({bar.left, bar.top}, {bar.right, bar.bottom}, kBar, 3);
  list.AddRectFilled({bar.at(line.start_seconds), bar.top}, {bar.at(line.end_seconds), bar.bottom}, kRange, 3);
  const size_t most = size_t(std::max((bar.right - bar.left) / kPixelsPerKey, 1.0f));
  const float middle = (bar.top + bar.bottom) / 2;
  for (float key : key_times(clip, most)) list.AddLine({bar.at(key), middle}, {bar.at(key), bar.bottom}, kKey);
  const float now = bar.at(clip_seconds(line));
  list.AddRectFilled({now - 1.5f, bar.top - 2}, {now + 1.5f, bar.bottom + 2}, kNow);
}

}  // namespace

void draw_time_line(Viewer& viewer, float scale) {
  Playing& playing = viewer.playing();
  if (!playing.clip()) return ImGui::TextUnformatted("No clip: the rest pose");
  TimeLine& line = playing.time_line();
  const Clip& clip = viewer.model().character.clips[*playing.clip()];
  ImGui::Text("%s  %.3f / %.3f s%s", printable(clip.name).c_str(), clip_seconds(line), line.clip_end_seconds,
              line.playing ? "" : "  paused");
  const ImVec2 low = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const float height = std::max(room.y, 12 * scale);
  ImGui::InvisibleButton("time line", {std::max(room.x, 1.0f), height});
  mark_control("time line");
  const Bar bar{low.x, low.x + room.x, low.y + 2, low.y + height - 2, line.clip_start_seconds, line.clip_end_seconds};
  if (ImGui::IsItemActive()) {
    line.playing = false;
    seek(line, bar.seconds_at(ImGui::GetIO().MousePos.x));
  }
  draw_bar(bar, line, clip);
}

}  // namespace sinew::app
