#include "window/window_frames.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <glm/geometric.hpp>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "skinning/evaluation.h"
#include "system/text.h"
#include "window/controls.h"
#include "window/interface.h"

namespace sinew::app {
namespace {

constexpr double kReloadMs = 250;
constexpr float kRadiansPerPixel = 0.006f, kZoomPerStep = 0.88f;
constexpr float kFlightPerSecond = 0.6f;  // of the camera's distance

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

/// Compiles all of `changed` first: where that fails, nothing changes.
Status reload(std::span<const Shader> changed, Renderer& renderer) {
  ShaderWords words = *renderer.shaders();
  for (Shader shader : changed) {
    if (Status made = put(compile_shader(shader), words[size_t(shader)]); !made) return made;
  }
  return renderer.set_shaders(std::make_shared<const ShaderWords>(std::move(words)));
}

}  // namespace

Result<bool> WindowFrames::fit(Renderer& renderer) {
  auto fits = swapchain_.fit(window_.width(), window_.height());
  if (!fits || !*fits) return fits;
  const Target& target = renderer.target();
  if (target.width == swapchain_.width() && target.height == swapchain_.height()) return true;
  if (Status sized = renderer.resize(swapchain_.width(), swapchain_.height()); !sized) return sized.error();
  return true;
}

bool WindowFrames::reload_shaders(Renderer& renderer) {
  const bool has_new = shaders_ && renderer.shaders() != shaders_ && hand_over(renderer);
  if (since_reload_.elapsed_ms() < kReloadMs) return has_new;
  since_reload_ = Stopwatch();
  const std::vector<Shader> saved = watch_.changed();
  if (saved.empty()) return has_new;
  changed_.insert(saved.begin(), saved.end());
  const std::vector<Shader> changed(changed_.begin(), changed_.end());
  if (Status reloaded = reload(changed, renderer); !reloaded) return tell_problem(reloaded.error().message), has_new;
  shaders_ = renderer.shaders();
  std::fprintf(stderr, "reloaded %s\n", joined(changed, ", ", source_name).c_str());
  changed_.clear(), shader_problem_.clear();
  return true;
}

/// Shaders that the new renderer does not take count as changed: the next that is saved is compiled with them.
bool WindowFrames::hand_over(Renderer& renderer) {
  const Status set = renderer.set_shaders(shaders_);
  if (set) return true;
  tell_problem(set.error().message);
  const std::shared_ptr<const ShaderWords> lost = std::exchange(shaders_, renderer.shaders());
  for (size_t i = 0; i < lost->size(); ++i) {
    if ((*lost)[i] != (*shaders_)[i]) changed_.insert(Shader(i));
  }
  return false;
}

void WindowFrames::tell_problem(const std::string& message) {
  const std::string problem = "not reloaded, the old shaders stay in use: " + message;
  std::fprintf(stderr, "%s\n", problem.c_str());
  shader_problem_ = problem.substr(0, problem.find('\n'));
}

Result<bool> WindowFrames::draw(Renderer& renderer, FrameRequest request) {
  auto acquired = renderer.begin_frame();
  if (!acquired) return acquired.error();
  auto image = swapchain_.acquire(*acquired);
  if (!image) return image.error();
  if (!*image) return false;
  request.presentation = &**image;
  if (Status drawn = renderer.draw_frame(request); !drawn) return drawn.error();
  if (Status presented = swapchain_.present(); !presented) return presented.error();
  return true;
}

void move_camera(const Input& input, uint32_t height, Orbit& orbit) {
  orbit.yaw -= input.drag_x * kRadiansPerPixel;
  orbit.pitch += input.drag_y * kRadiansPerPixel;
  orbit.distance *= std::pow(kZoomPerStep, input.scrolled);
  clamp_orbit(orbit);
  const float per_pixel = meters_per_pixel(orbit, height);
  const Axes axes = axes_of(orbit);
  orbit.target += (-input.pan_x * axes.right + input.pan_y * axes.up) * per_pixel;
}

void fly_camera(const Input& input, double seconds, Orbit& orbit) {
  const Axes axes = axes_of(orbit);
  const glm::vec3 ahead = glm::normalize(glm::vec3(axes.forward.x, 0, axes.forward.z));
  const float length = kFlightPerSecond * orbit.distance * float(seconds);
  orbit.target += length * (input.fly_x * axes.right + input.fly_z * ahead + glm::vec3(0, input.fly_y, 0));
}

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
    std::ranges::copy(graphics.window->poll(false, false).pressed, std::back_inserter(pressed));  // for what comes then
    closed = graphics.window->closed();
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
