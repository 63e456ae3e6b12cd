// The window, and how mouse and keyboard control the camera.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "gpu/device.h"
#include "scene/camera.h"

struct GLFWwindow;

namespace sinew::app {

/// Dragging turns the camera, the wheel zooms, space pauses, Esc closes. One window per process; main thread only.
class Window {
 public:
  /// Fails (kUnsupported) without a display, or without Vulkan for windows.
  static Result<std::unique_ptr<Window>> create(uint32_t width, uint32_t height, const std::string& title);
  ~Window();

  /// The extensions that the instance needs for create_surface().
  static std::span<const char* const> instance_extensions();
  Result<VkSurfaceKHR> create_surface(VkInstance instance) const;

  /// Handles the events since the last call: turns and zooms `orbit`.
  void poll(Orbit& orbit);

  /// Sleeps until an event, for at most a tenth of a second.
  void wait() const;

  void set_title(const std::string& title);
  bool closed() const;
  bool paused() const { return paused_; }
  bool turned() const { return turned_; }  // the user has turned the camera
  /// Of the framebuffer, in pixels; 0 while minimized.
  uint32_t width() const;
  uint32_t height() const;

 private:
  explicit Window(GLFWwindow* handle) : handle_(handle) {}
  static void on_key(GLFWwindow* handle, int key, int scancode, int action, int modifiers);
  static void on_scroll(GLFWwindow* handle, double x, double y);

  GLFWwindow* handle_;
  bool paused_ = false, turned_ = false;
  double scrolled_ = 0, mouse_x_ = 0, mouse_y_ = 0;
};

}  // namespace sinew::app
