#include "host/window.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <imgui.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

namespace host {
namespace {

/// The last error of GLFW.
std::string glfw_problem() {
  const char* description = nullptr;
  glfwGetError(&description);
  return description ? description : "no reason given";
}

[[maybe_unused]] bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value && *value;
}

/// GLFW would find out too, but the libraries that it tries write to standard error.
bool has_display() {
#ifdef __unix__
  return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
#else
  return true;
#endif
}

/// A letter is that of the keyboard's layout, other keys have their place: digits need Shift in some layouts. A key
/// that has the place of a letter, and types another sign, is none.
std::optional<Key> key_of(int code, int scancode) {
  switch (code) {
    case GLFW_KEY_ESCAPE:
      return Key::kEscape;
    case GLFW_KEY_TAB:
      return Key::kTab;
    case GLFW_KEY_LEFT:
      return Key::kLeft;
    case GLFW_KEY_RIGHT:
      return Key::kRight;
    case GLFW_KEY_UP:
      return Key::kUp;
    case GLFW_KEY_DOWN:
      return Key::kDown;
    case GLFW_KEY_HOME:
      return Key::kHome;
    case GLFW_KEY_ENTER:
      return Key::kEnter;
    case GLFW_KEY_END:
      return Key::kEnd;
    case GLFW_KEY_BACKSPACE:
      return Key::kBackspace;
    case GLFW_KEY_F1:
      return Key::kF1;
    default:
      break;
  }
  if (code < GLFW_KEY_SPACE || code >= 128) return {};
  const char* name = glfwGetKeyName(code, scancode);
  const bool is_ascii = name && name[0] && !name[1];
  if (is_ascii && name[0] >= 'a' && name[0] <= 'z') return Key(name[0] - 'a' + 'A');
  if (is_ascii && code >= 'A' && code <= 'Z') return {};
  return Key(code);  // GLFW has ASCII there
}

bool repeats(Key key) { return key == Key::kLeft || key == Key::kRight || key == Key::kUp || key == Key::kDown; }

Window& window_of(GLFWwindow* handle) { return *static_cast<Window*>(glfwGetWindowUserPointer(handle)); }

}  // namespace

Result<std::unique_ptr<Window>> Window::create(uint32_t width, uint32_t height, const std::string& title) {
  const auto fail = [](const std::string& problem) {
    return Error{ErrorCode::kUnsupported, "no window can be opened: " + problem};
  };
  if (!has_display()) return fail("neither DISPLAY nor WAYLAND_DISPLAY is set");
#if defined(__unix__) && defined(GLFW_PLATFORM_X11)
  // GLFW 3.4 tries Wayland first. Where there is none, the Wayland library writes an error of its own.
  if (!is_set("WAYLAND_DISPLAY")) glfwInitHint(GLFW_PLATFORM, GLFW_PLATFORM_X11);
#endif
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
  glfwSetCharCallback(handle, on_letter);
  glfwSetDropCallback(handle, on_drop);
  glfwSetScrollCallback(handle, on_scroll);
  glfwSetMouseButtonCallback(handle, on_button);
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

void Window::on_key(GLFWwindow* handle, int code, int scancode, int action, int modifiers) {
  Window& window = window_of(handle);
  if (action == GLFW_PRESS && code >= 0 && code != GLFW_KEY_TAB && window.connected_)
    window.pressed_codes_.push_back(code);
  window.goes_down_ = action == GLFW_PRESS, window.pushed_ = false;
  const auto key = key_of(code, scancode);
  if (!key || action == GLFW_RELEASE) return;
  if (*key == Key('Q') && (modifiers & GLFW_MOD_CONTROL) != 0) return window.close();
  if (action == GLFW_REPEAT && !repeats(*key)) return;
  window.pressed_.push_back({*key, (modifiers & GLFW_MOD_SHIFT) != 0, (modifiers & GLFW_MOD_CONTROL) != 0});
  window.pushed_ = true;
}

/// Comes right after its key, which is none of its own then: on some keyboards it is the minus.
void Window::on_letter(GLFWwindow* handle, unsigned letter) {
  Window& window = window_of(handle);
  if (letter != unsigned(Key::kQuestionMark) || !window.goes_down_) return;
  if (window.pushed_ && !window.pressed_.empty()) window.pressed_.pop_back();
  window.pushed_ = false;
  window.pressed_.push_back({Key::kQuestionMark});
}

void Window::on_drop(GLFWwindow* handle, int count, const char** paths) {
  window_of(handle).dropped_.assign(paths, paths + count);
}

void Window::on_scroll(GLFWwindow* handle, double, double y) {
  if (!window_of(handle).interface_has_mouse_) window_of(handle).scrolled_ += y;
}

/// A drag that begins on a panel belongs to the panel until the button goes up.
void Window::on_button(GLFWwindow* handle, int button, int action, int modifiers) {
  Window& window = window_of(handle);
  const bool left = button == GLFW_MOUSE_BUTTON_LEFT, pans = !left || (modifiers & GLFW_MOD_SHIFT) != 0;
  if (action == GLFW_PRESS && !window.interface_has_mouse_) {
    (pans ? window.panning_ : window.dragging_) = true;
    window.moved_ = false;
  }
  if (action == GLFW_RELEASE) {
    window.clicked_ = left && window.dragging_ && !window.moved_;
    window.dragging_ = window.panning_ = false;
  }
}

bool Window::is_down(int key) const { return glfwGetKey(handle_, key) == GLFW_PRESS; }

Input Window::poll(bool interface_has_mouse, bool interface_has_keys) {
  interface_has_mouse_ = interface_has_mouse;
  glfwPollEvents();
  Input input;
  input.pressed = std::exchange(pressed_, {});
  input.dropped = std::exchange(dropped_, {});
  double x = 0, y = 0;
  glfwGetCursorPos(handle_, &x, &y);
  x *= double(pixels_per_unit()), y *= double(pixels_per_unit());
  const float dx = float(x - std::exchange(mouse_x_, x)), dy = float(y - std::exchange(mouse_y_, y));
  input.mouse_x = float(x), input.mouse_y = float(y);
  if (dx != 0 || dy != 0) moved_ = true;
  if (dragging_) input.drag_x = dx, input.drag_y = dy;
  input.dragging = dragging_;
  if (panning_) input.pan_x = dx, input.pan_y = dy;
  input.scrolled = float(std::exchange(scrolled_, 0));
  input.clicked = std::exchange(clicked_, false);
  if (interface_has_keys) {
    input.pressed.clear();
    return input;
  }
  const auto axis = [&](int forward, int backward) { return float(is_down(forward)) - float(is_down(backward)); };
  input.fly_x = axis(GLFW_KEY_D, GLFW_KEY_A);
  input.fly_y = axis(GLFW_KEY_E, GLFW_KEY_Q);
  input.fly_z = axis(GLFW_KEY_W, GLFW_KEY_S);
  return input;
}

void Window::connect_interface() {
  ImGui_ImplGlfw_InitForOther(handle_, true);  // it calls the callbacks that were set before
  // Tab is a key of the program only: Dear ImGui would go from field to field.
  glfwSetKeyCallback(handle_, [](GLFWwindow* handle, int code, int scancode, int action, int modifiers) {
    (code == GLFW_KEY_TAB ? on_key : ImGui_ImplGlfw_KeyCallback)(handle, code, scancode, action, modifiers);
  });
  connected_ = true;
}

void Window::disconnect_interface() {
  if (std::exchange(connected_, false)) ImGui_ImplGlfw_Shutdown();
}

float Window::pixels_per_unit() const {
  int width = 0, height = 0;
  glfwGetWindowSize(handle_, &width, &height);
  return width > 0 ? float(this->width()) / float(width) : 1;
}

void Window::begin_interface() {
  ImGui_ImplGlfw_NewFrame();
#if IMGUI_VERSION_NUM < 18700
  // Dear ImGui would miss a key that goes down and up between two frames: it is down in the first frame.
  bool* down = ImGui::GetIO().KeysDown;
  for (const int code : std::exchange(brief_codes_, {})) down[code] = is_down(code);
  for (const int code : pressed_codes_) {
    if (!std::exchange(down[code], true)) brief_codes_.push_back(code);
  }
#endif
  pressed_codes_.clear();
  ImVec2& mouse = ImGui::GetIO().MousePos;
  const float scale = pixels_per_unit();
  if (scale != 1 && ImGui::IsMousePosValid(&mouse)) mouse = {mouse.x * scale, mouse.y * scale};
}

void Window::wait() const { glfwWaitEventsTimeout(0.1); }

void Window::set_title(const std::string& title) { glfwSetWindowTitle(handle_, title.c_str()); }

void Window::hide() { glfwHideWindow(handle_); }
void Window::close() { glfwSetWindowShouldClose(handle_, GLFW_TRUE); }

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

float Window::scale() const {
  float x = 1, y = 1;
  glfwGetWindowContentScale(handle_, &x, &y);
  return std::max({x, y, 1.0f});
}

}  // namespace host
