#include "window/window.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <cmath>
#include <cstdlib>
#include <utility>

namespace sinew::app {
namespace {

constexpr float kRadiansPerPixel = 0.006f, kZoomPerStep = 0.88f;

/// The last error of GLFW.
std::string glfw_problem() {
  const char* description = nullptr;
  glfwGetError(&description);
  return description ? description : "no reason given";
}

/// GLFW would find out too, but the libraries that it tries write to standard error.
bool has_display() {
#ifdef __unix__
  const auto is_set = [](const char* name) {
    const char* value = std::getenv(name);
    return value && *value;
  };
  return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
#else
  return true;
#endif
}

Window& window_of(GLFWwindow* handle) { return *static_cast<Window*>(glfwGetWindowUserPointer(handle)); }

}  // namespace

Result<std::unique_ptr<Window>> Window::create(uint32_t width, uint32_t height, const std::string& title) {
  const auto fail = [](const std::string& problem) {
    return Error{ErrorCode::kUnsupported, "no window can be opened: " + problem};
  };
  if (!has_display()) return fail("neither DISPLAY nor WAYLAND_DISPLAY is set");
  if (!glfwInit()) return fail(glfw_problem());
  if (!glfwVulkanSupported()) {
    glfwTerminate();
    return fail("there is no Vulkan for windows here");
  }
  glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
  GLFWwindow* handle = glfwCreateWindow(int(width), int(height), title.c_str(), nullptr, nullptr);
  if (!handle) {
    const std::string problem = glfw_problem();
    glfwTerminate();
    return fail(problem);
  }
  std::unique_ptr<Window> window(new Window(handle));
  glfwSetWindowUserPointer(handle, window.get());
  glfwSetKeyCallback(handle, on_key);
  glfwSetScrollCallback(handle, on_scroll);
  return window;
}

Window::~Window() {
  glfwDestroyWindow(handle_);
  glfwTerminate();
}

std::span<const char* const> Window::instance_extensions() {
  uint32_t count = 0;
  const char** names = glfwGetRequiredInstanceExtensions(&count);
  return {names, names ? count : 0};
}

Result<VkSurfaceKHR> Window::create_surface(VkInstance instance) const {
  VkSurfaceKHR surface = VK_NULL_HANDLE;
  if (VkResult result = glfwCreateWindowSurface(instance, handle_, nullptr, &surface); result != VK_SUCCESS)
    return vulkan_error("the window has no Vulkan surface", result);
  return surface;
}

void Window::on_key(GLFWwindow* handle, int key, int, int action, int) {
  if (action != GLFW_PRESS) return;
  if (key == GLFW_KEY_SPACE) window_of(handle).paused_ = !window_of(handle).paused_;
  if (key == GLFW_KEY_ESCAPE) glfwSetWindowShouldClose(handle, GLFW_TRUE);
}

void Window::on_scroll(GLFWwindow* handle, double, double y) { window_of(handle).scrolled_ += y; }

void Window::poll(Orbit& orbit) {
  glfwPollEvents();
  double x = 0, y = 0;
  glfwGetCursorPos(handle_, &x, &y);
  const double dx = x - std::exchange(mouse_x_, x), dy = y - std::exchange(mouse_y_, y);
  if (glfwGetMouseButton(handle_, GLFW_MOUSE_BUTTON_LEFT) == GLFW_PRESS && (dx != 0 || dy != 0)) {
    orbit.yaw -= float(dx) * kRadiansPerPixel;
    orbit.pitch += float(dy) * kRadiansPerPixel;
    turned_ = true;
  }
  orbit.distance *= std::pow(kZoomPerStep, float(std::exchange(scrolled_, 0)));
  clamp_orbit(orbit);
}

void Window::wait() const { glfwWaitEventsTimeout(0.1); }

void Window::set_title(const std::string& title) { glfwSetWindowTitle(handle_, title.c_str()); }

bool Window::closed() const { return glfwWindowShouldClose(handle_); }

uint32_t Window::width() const {
  int width = 0, height = 0;
  glfwGetFramebufferSize(handle_, &width, &height);
  return uint32_t(width);
}

uint32_t Window::height() const {
  int width = 0, height = 0;
  glfwGetFramebufferSize(handle_, &width, &height);
  return uint32_t(height);
}

}  // namespace sinew::app
