#include "common/window.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>

#include "common/check.h"

namespace host {
namespace {

constexpr float kRadiansPerPixel = 0.006f, kZoomPerStep = 0.88f;

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value && *value;
}

[[noreturn]] void fail_without_window(const char* reason) {
  fail(std::string("no window can be opened: ") + reason + "; --headless PNG needs none");
}

std::string glfw_reason() {
  const char* reason = nullptr;
  glfwGetError(&reason);
  return reason ? reason : "no reason given";
}

}  // namespace

Window::Window(const char* title, uint32_t width, uint32_t height) {
  // GLFW would find out too, but libraries below it write lines of their own.
  if (!is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY"))
    fail_without_window("neither DISPLAY nor WAYLAND_DISPLAY is set");
  if (!glfwInit()) fail_without_window(glfw_reason().c_str());
  glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
  if (glfwVulkanSupported()) handle_ = glfwCreateWindow(int(width), int(height), title, nullptr, nullptr);
  if (!handle_) {
    const std::string reason = glfwVulkanSupported() ? glfw_reason() : "there is no Vulkan for windows";
    glfwTerminate();
    fail_without_window(reason.c_str());
  }
  glfwSetWindowUserPointer(handle_, this);
  glfwSetScrollCallback(handle_, [](GLFWwindow* handle, double, double y) {
    static_cast<Window*>(glfwGetWindowUserPointer(handle))->scrolled_ += y;
  });
}

Window::~Window() {
  glfwDestroyWindow(handle_);
  glfwTerminate();
}

std::span<const char* const> Window::instance_extensions() const {
  uint32_t count = 0;
  const char** names = glfwGetRequiredInstanceExtensions(&count);
  return {names, names ? count : 0};
}

VkSurfaceKHR Window::create_surface(VkInstance instance) const {
  VkSurfaceKHR surface = VK_NULL_HANDLE;
  if (glfwCreateWindowSurface(instance, handle_, nullptr, &surface) != VK_SUCCESS)
    fail_without_window("Vulkan makes no surface for it");
  return surface;
}

bool Window::closed() const { return glfwWindowShouldClose(handle_); }

VkExtent2D Window::size() const {
  int width = 0, height = 0;
  glfwGetFramebufferSize(handle_, &width, &height);
  return {uint32_t(width), uint32_t(height)};
}

void Window::poll(Camera& camera) {
  glfwPollEvents();
  if (glfwGetKey(handle_, GLFW_KEY_ESCAPE) == GLFW_PRESS) glfwSetWindowShouldClose(handle_, GLFW_TRUE);
  double x = 0, y = 0;
  glfwGetCursorPos(handle_, &x, &y);
  const float dx = float(x - std::exchange(mouse_x_, x)), dy = float(y - std::exchange(mouse_y_, y));
  if (glfwGetMouseButton(handle_, GLFW_MOUSE_BUTTON_LEFT) == GLFW_PRESS)
    camera.turn(-dx * kRadiansPerPixel, dy * kRadiansPerPixel);
  camera.distance *= std::pow(kZoomPerStep, float(std::exchange(scrolled_, 0)));
}

void Window::wait() const { glfwWaitEventsTimeout(0.1); }

std::unique_ptr<Window> make_window(const char* title, const Options& options) {
  if (!options.picture.empty()) return nullptr;
  return std::make_unique<Window>(title, options.width, options.height);
}

}  // namespace host
