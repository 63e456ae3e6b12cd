// The window, and what mouse and keys do to the view.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "gpu/device.h"
#include "scene/camera.h"

struct GLFWwindow;

namespace sinew::app {

/// Drag turns, the wheel zooms, space pauses, Esc closes. One at a time in a process; main thread only.
class Window {
 public:
  static Result<std::unique_ptr<Window>> create(uint32_t width, uint32_t height, const std::string& title);
  ~Window();

  /// What the instance must have for create_surface().
  static std::span<const char* const> instance_extensions();
  Result<VkSurfaceKHR> create_surface(VkInstance instance) const;

  /// Takes in what happened since the last call, and turns and zooms `orbit` accordingly.
  void poll(Orbit& orbit);

  /// Sleeps until something happens, for a tenth of a second at most.
  void wait() const;

  void set_title(const std::string& title);
  bool closed() const;
  bool paused() const { return paused_; }
  bool turned() const { return turned_; }  // the user has taken the camera
  /// In pixels; 0 while minimized.
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
