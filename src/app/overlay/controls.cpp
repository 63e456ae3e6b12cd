#include "overlay/controls.h"

#include <imgui.h>

#include <cstdlib>

#include "system/text.h"
#include "system/write_file.h"

namespace sinew::app {
namespace {

struct Marks {
  const char* file = std::getenv("SINEW_CONTROLS");
  std::string now;
  unsigned frames = 0;
};

Marks& marks() {
  static Marks marks;
  return marks;
}

}  // namespace

void mark_control(const std::string& name) {
  if (!marks().file || !ImGui::IsItemVisible()) return;
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  mark_control(name, low.x, low.y, high.x, high.y);
}

void mark_control(const std::string& name, float left, float top, float right, float bottom) {
  if (!marks().file) return;
  marks().now += text("%d %d %d %d %s\n", int(left), int(top), int(right), int(bottom), name.c_str());
}

void write_controls() {
  Marks& all = marks();
  if (!all.file) return;
  (void)write_file(all.file, text("frame %u\n", ++all.frames) + all.now);
  all.now.clear();
}

}  // namespace sinew::app
