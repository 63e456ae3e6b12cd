// A window, and the mouse that turns the camera.
#pragma once

#include <volk.h>

#include <memory>
#include <span>

#include "common/camera.h"
#include "common/program.h"

struct GLFWwindow;

namespace host {

class Window {
 public:
  Window(const char* title, uint32_t width, uint32_t height);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  std::span<const char* const> instance_extensions() const;
  VkSurfaceKHR create_surface(VkInstance instance) const;

  bool closed() const;
  VkExtent2D size() const;  // in pixels; 0 while it is minimized
  void poll(Camera& camera);
  void wait() const;  // for an event

 private:
  GLFWwindow* handle_ = nullptr;
  double mouse_x_ = 0, mouse_y_ = 0, scrolled_ = 0;
};

/// The window of an example; null with --headless.
std::unique_ptr<Window> make_window(const char* title, const Options& options);

}  // namespace host
