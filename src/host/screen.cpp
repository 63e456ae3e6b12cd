#include "host/screen.h"

#include <stb_image_write.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "host/clock.h"
#include "host/target.h"
#include "sinew/asset/result.h"

namespace host {
namespace {

/// Writes a picture, rows from the top, 4 bytes per pixel of which alpha is not written.
sinew::Status write_png(const std::string& path, uint32_t width, uint32_t height, std::span<const uint8_t> rgba) {
  std::vector<uint8_t> rgb;
  rgb.reserve(size_t{3} * width * height);
  for (size_t i = 0; i < size_t{4} * width * height; ++i) {
    if (i % 4 != 3) rgb.push_back(rgba[i]);
  }
  if (!stbi_write_png(path.c_str(), int(width), int(height), 3, rgb.data(), int(3 * width)))
    return sinew::Error{sinew::ErrorCode::kUnreadable, "cannot write '" + path + "'"};
  return {};
}

constexpr double kHeadlessStep = 1.0 / 60, kMaxStep = 0.1;
constexpr float kRadiansPerPixel = 0.006f, kZoomPerStep = 0.88f;

void turn(const Input& input, Camera& camera) {
  camera.turn(-input.drag_x * kRadiansPerPixel, input.drag_y * kRadiansPerPixel);
  camera.distance *= std::pow(kZoomPerStep, input.scrolled);
}

}  // namespace

Screen::Screen(const GraphicsContext& graphics, const Options& options)
    : device_(graphics.device),
      window_(graphics.window.get()),
      options_(options),
      swapchain_(graphics.device, graphics.surface.handle) {}

Screen::~Screen() { vkDeviceWaitIdle(device_.handle); }

Result<std::unique_ptr<Screen>> Screen::create(const GraphicsContext& graphics, const Options& options) {
  std::unique_ptr<Screen> screen(new Screen(graphics, options));
  if (Status built = screen->build(); !built) return built.error();
  return screen;
}

Status Screen::build() {
  for (uint32_t i = 0; i < kSlots; ++i) {
    if (Status made = put(create_frame_slot(device_, {}, i), slots_.emplace_back()); !made) return made;
  }
  if (device_.info.multisampling) samples_ = VK_SAMPLE_COUNT_4_BIT;
  if (Status made = put(create_render_pass(device_, samples_), pass_); !made) return made;
  return window_ ? Status() : resize(options_.width, options_.height);
}

Status Screen::resize(uint32_t width, uint32_t height) {
  vkDeviceWaitIdle(device_.handle);
  target_ = {};
  return put(create_target(device_, pass_.get(), samples_, width, height), target_);
}

/// Makes the images as large as the window. False while it has no size, as when it is minimized.
Result<bool> Screen::fit() {
  auto fits = swapchain_.fit(window_->width(), window_->height());
  if (!fits || !*fits) return fits;
  if (target_.width == swapchain_.width() && target_.height == swapchain_.height()) return true;
  if (Status sized = resize(swapchain_.width(), swapchain_.height()); !sized) return sized.error();
  return true;
}

/// Gets an image of the window; waits while it is minimized. False: the window was closed.
Result<bool> Screen::acquire(Camera& camera, VkSemaphore acquired) {
  for (;;) {
    const Input input = window_->poll(false, false);
    turn(input, camera);
    const auto ends = [](const KeyPress& press) { return press.key == Key::kEscape; };
    if (window_->closed() || std::any_of(input.pressed.begin(), input.pressed.end(), ends)) return false;
    const auto fits = fit();
    if (!fits) return fits.error();
    if (!*fits) {
      window_->wait();
      continue;
    }
    auto image = swapchain_.acquire(acquired);
    if (!image) return image.error();
    if (!*image) continue;
    presentation_ = *image;
    return true;
  }
}

double Screen::step() const {
  if (number_ == 0) return options_.seconds;
  if (!window_) return kHeadlessStep;  // the picture does not depend on the machine
  return std::min((now_ms() - begun_ms_) / 1000, kMaxStep);
}

Result<std::optional<Frame>> Screen::begin(Camera& camera) {
  if (options_.frames > 0 && number_ == options_.frames) return std::optional<Frame>();
  FrameSlot& slot = slots_[(number_ + 1) % kSlots];
  if (Status waited = wait_for(device_, slot); !waited) return waited.error();
  if (window_) {
    const auto acquired = acquire(camera, slot.acquired.get());
    if (!acquired) return acquired.error();
    if (!*acquired) return std::optional<Frame>();
  }
  Frame frame;
  frame.step_seconds = step();
  begun_ms_ = now_ms();
  frame.seconds = seconds_ += frame.step_seconds;
  frame.number = slot.number = ++number_;
  frame.slot = uint32_t(number_ % kSlots);
  frame.cmd = slot.cmd;
  frame.width = float(target_.width), frame.height = float(target_.height);
  if (Status begun = begin_commands(device_, slot); !begun) return begun.error();
  frame_label_.emplace(device_, frame.cmd, LabelColor(), "frame %llu", (unsigned long long)number_);
  return std::optional(frame);
}

void Screen::begin_pass(const Frame& frame) {
  draw_label_.emplace(device_, frame.cmd, LabelColor(), "draw");
  constexpr std::array kClear = {VkClearValue{}, VkClearValue{.depthStencil = {1, 0}}};
  host::begin_pass(frame.cmd, pass_.get(), target_.framebuffer.get(), {target_.width, target_.height}, kClear);
}

Status Screen::end(const Frame& frame) {
  vkCmdEndRenderPass(frame.cmd);
  draw_label_.reset();
  SubmitSemaphores semaphores;
  FrameSlot& slot = slots_[frame.slot];
  if (window_) {
    record_presentation(frame.cmd, target_.picture.get(), {target_.width, target_.height}, *presentation_);
    semaphores = {slot.acquired.get(), presentation_->rendered};
  }
  frame_label_.reset();
  if (!window_) mark_end(frame.cmd);
  if (Status submitted = submit(device_, slot, semaphores, timelines_); !submitted) return submitted;
  if (window_) return swapchain_.present();
  if (number_ != options_.frames) return {};
  const auto rgba = read_picture(device_, target_);
  return rgba ? write_png(options_.picture, target_.width, target_.height, *rgba) : Status(rgba.error());
}

/// RenderDoc takes what is presented as a frame. Where nothing is, it takes what ends with this label.
void Screen::mark_end(VkCommandBuffer cmd) const {
  if (!device_.debug_utils) return;
  VkDebugUtilsLabelEXT label{VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT};
  label.pLabelName = "vr-marker,frame_end,type,application";
  vkCmdInsertDebugUtilsLabelEXT(cmd, &label);
}

}  // namespace host
