#include "window/loading.h"

#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "render/renderer.h"
#include "skinning/evaluation.h"
#include "window/controls.h"
#include "window/interface.h"
#include "window/window_frames.h"

namespace sinew::app {
namespace {

constexpr float kMargin = 16;  // pixels, of letters at scale 1

const Overlay& draw_stage(const std::string& stage, const Target& target, Interface& interface) {
  interface.begin(target.width, target.height);
  add_loading(stage, interface.scale());
  return interface.end();
}

Result<std::unique_ptr<Renderer>> make_renderer(const GraphicsContext& graphics, const EmptyScene& empty,
                                                Evaluation& evaluation) {
  RendererInfo info;
  info.skinning = {&evaluation, SkinningMode::kCompute, 2};
  info.skinning.planner.cull = info.skinning.planner.update_rate = info.skinning.planner.levels = false;
  info.draw = empty.draw;
  info.samples = empty.samples;
  info.width = std::max(graphics.window->width(), 1u), info.height = std::max(graphics.window->height(), 1u);
  return Renderer::create(graphics.device, empty.models, empty.scene, info);
}

/// Adds to `pressed` what is not for this scene.
bool is_closed(Window& window, std::vector<KeyPress>& pressed) {
  for (const KeyPress& press : window.poll(false, false).pressed) {
    if (press.key == Key::kEscape) window.close();
    pressed.push_back(press);
  }
  return window.closed();
}

}  // namespace

void add_loading(const std::string& stage, float scale) {
  ImGui::SetNextWindowPos({ImGui::GetIO().DisplaySize.x / 2, kMargin * scale}, ImGuiCond_Always, {0.5f, 0});
  ImGui::Begin("loading", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize);
  ImGui::TextUnformatted(stage.c_str());
  mark_control("loading");
  ImGui::End();
}

Result<bool> show_loading(GraphicsContext& graphics, const EmptyScene& empty, const ProgressLine& line,
                          const std::future<Status>& work) {
  Evaluation evaluation(empty.models, 1, EvaluatorKind::kExact);
  auto renderer = make_renderer(graphics, empty, evaluation);
  if (!renderer) return renderer.error();
  std::optional<Interface> interface;
  if (empty.text) interface.emplace(empty.scale);
  WindowFrames frames(graphics.device, graphics.surface.handle, *graphics.window);
  bool closed = false, done = false;
  std::vector<KeyPress> pressed;
  for (std::chrono::milliseconds wait{}; !done && !closed; wait = kBetweenLoadingFrames) {
    done = work.wait_for(wait) == std::future_status::ready;  // then this is the last frame, with the last stage
    closed = is_closed(*graphics.window, pressed);
    auto fits = frames.fit(**renderer);
    if (!fits) return fits.error();
    if (!*fits) continue;
    const Overlay* overlay = interface ? &draw_stage(line.text(), (*renderer)->target(), *interface) : nullptr;
    auto drawn = frames.draw(**renderer, {.camera = empty.camera, .overlay = overlay});
    if (!drawn) return drawn.error();
  }
  vkDeviceWaitIdle(graphics.device.handle);
  graphics.window->put_back(std::move(pressed));
  if (closed) graphics.window->hide();  // the work may take some seconds to end
  return !closed;
}

}  // namespace sinew::app
