#include "window/interface.h"

#include <imgui.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "window/controls.h"
#include "window/letters.h"

namespace sinew::app {
namespace {

static_assert(sizeof(ImDrawVert) == sizeof(OverlayVertex) &&
              offsetof(ImDrawVert, col) == offsetof(OverlayVertex, color));
static_assert(sizeof(ImDrawIdx) == sizeof(uint16_t));

void set_style(float scale) {
  ImGui::StyleColorsDark();
  ImGuiStyle& style = ImGui::GetStyle();
  style.WindowRounding = 4;
  style.FrameRounding = 3;
  style.GrabRounding = 3;
  style.WindowBorderSize = 0;
  style.ItemSpacing = {6, 4};
  style.Colors[ImGuiCol_WindowBg].w = 0.86f;
  style.ScaleAllSizes(scale);
}

/// The part of a clip rectangle that is inside the picture. All positions are in pixels from its upper left corner.
OverlayDraw cut_off(const ImVec4& clip, const ImVec2& picture) {
  const float left = std::clamp(clip.x, 0.0f, picture.x), right = std::clamp(clip.z, 0.0f, picture.x);
  const float top = std::clamp(clip.y, 0.0f, picture.y), bottom = std::clamp(clip.w, 0.0f, picture.y);
  return {int32_t(left), int32_t(top), uint32_t(std::max(right - left, 0.0f)), uint32_t(std::max(bottom - top, 0.0f))};
}

void append(const ImDrawList& list, const ImVec2& picture, OverlayLists& lists) {
  const int32_t first_vertex = int32_t(lists.vertices.size());
  const uint32_t first_index = uint32_t(lists.indices.size());
  for (const ImDrawVert& vertex : list.VtxBuffer)
    lists.vertices.push_back({{vertex.pos.x, vertex.pos.y}, {vertex.uv.x, vertex.uv.y}, vertex.col});
  lists.indices.insert(lists.indices.end(), list.IdxBuffer.begin(), list.IdxBuffer.end());
  for (const ImDrawCmd& command : list.CmdBuffer) {
    OverlayDraw draw = cut_off(command.ClipRect, picture);
    if (draw.width == 0 || draw.height == 0 || command.ElemCount == 0) continue;
    draw.first_index = first_index + command.IdxOffset;
    draw.index_count = command.ElemCount;
    draw.vertex_offset = first_vertex + int32_t(command.VtxOffset);
    lists.draws.push_back(draw);
  }
}

}  // namespace

Interface::Interface(float scale) : scale_(scale) {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = io.LogFilename = nullptr;  // writes no files
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
  set_style(scale);
  letters_ = std::make_unique<Letters>(scale);
}

Interface::~Interface() { ImGui::DestroyContext(); }

void Interface::add_letters(std::string_view text) { has_new_letters_ |= letters_->add(text); }

void Interface::begin(uint32_t width, uint32_t height) {
  ImGuiIO& io = ImGui::GetIO();
  // Everything is in pixels of the picture, also on displays whose windows count in larger units.
  io.DisplaySize = {float(width), float(height)};
  io.DisplayFramebufferScale = {1, 1};
  if (io.DeltaTime <= 0) io.DeltaTime = 1.0f / 60;
  if (std::exchange(has_new_letters_, false)) overlay_.font = letters_->draw(overlay_.font.version + 1);
  ImGui::NewFrame();
}

const Overlay& Interface::end() {
  ImGui::Render();
  write_controls();
  OverlayLists& lists = overlay_.lists;
  lists.vertices.clear(), lists.indices.clear(), lists.draws.clear();
  const ImDrawData& data = *ImGui::GetDrawData();
  for (int i = 0; i < data.CmdListsCount; ++i) append(*data.CmdLists[i], data.DisplaySize, lists);
  return overlay_;
}

bool Interface::takes_mouse() const { return ImGui::GetIO().WantCaptureMouse; }
bool Interface::takes_keys() const {
  return ImGui::GetIO().WantTextInput || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
}

}  // namespace sinew::app
