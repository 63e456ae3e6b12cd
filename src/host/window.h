// The window: its surface and its events.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "host/device.h"

struct GLFWwindow;

namespace host {

/// Letters and digits are keys of their own: Key('A'), Key('1'). kQuestionMark is the letter, whatever keys type it.
enum class Key : int {
  kEscape = 1,
  kTab,
  kLeft,
  kRight,
  kUp,
  kDown,
  kHome,
  kEnd,
  kEnter,
  kBackspace,
  kF1,
  kSpace = ' ',
  kQuestionMark = '?'
};

struct KeyPress {
  Key key{};
  bool shift = false, control = false;
};

/// What happened since the last poll. Without what a panel of Dear ImGui has taken.
struct Input {
  std::vector<KeyPress> pressed;
  float drag_x = 0, drag_y = 0;           // pixels, with the left button
  float pan_x = 0, pan_y = 0;             // pixels, with the right or middle button, or with shift
  float scrolled = 0;                     // steps of the wheel
  float fly_x = 0, fly_y = 0, fly_z = 0;  // -1 to 1 while the keys D and A, E and Q, W and S are down
  float mouse_x = 0, mouse_y = 0;         // pixels
  bool clicked = false;                   // the left button went up where it went down
  bool dragging = false;                  // the left button is down, and went down in the picture
  std::vector<std::string> dropped;       // paths of files
};

/// One window per process; main thread only.
class Window {
 public:
  /// Fails (kUnsupported) without a display, or without Vulkan for windows.
  static Result<std::unique_ptr<Window>> create(uint32_t width, uint32_t height, const std::string& title);
  ~Window();

  /// The extensions that the instance needs for create_surface().
  static std::span<const char* const> instance_extensions();
  Result<VkSurfaceKHR> create_surface(VkInstance instance) const;

  /// Passes events to Dear ImGui from now on, but for Tab, which would move its focus. Its context must exist, and must
  /// outlive the calls.
  void connect_interface();
  void disconnect_interface();
  /// Begins a frame of Dear ImGui with the events since the last one.
  void begin_interface();

  /// Handles the events since the last call. `interface_has_mouse` and `..._keys`: Dear ImGui takes them. Ctrl+Q closes
  /// the window, also where Dear ImGui has the keys.
  Input poll(bool interface_has_mouse, bool interface_has_keys);

  /// Gives the next poll() key presses that an earlier one returned, and that are for what is shown then.
  void put_back(std::vector<KeyPress> pressed) { pressed_ = std::move(pressed); }

  /// Sleeps until an event, for at most a tenth of a second.
  void wait() const;

  void set_title(const std::string& title);
  void close();
  /// Takes it from the screen, for work that goes on after it was closed.
  void hide();
  bool closed() const;
  /// Of the framebuffer, in pixels; 0 while minimized.
  uint32_t width() const;
  uint32_t height() const;
  /// The factor by which the display asks to enlarge letters; at least 1.
  float scale() const;

 private:
  explicit Window(GLFWwindow* handle) : handle_(handle) {}
  static void on_key(GLFWwindow* handle, int key, int scancode, int action, int modifiers);
  static void on_letter(GLFWwindow* handle, unsigned letter);
  static void on_drop(GLFWwindow* handle, int count, const char** paths);
  static void on_scroll(GLFWwindow* handle, double x, double y);
  static void on_button(GLFWwindow* handle, int button, int action, int modifiers);
  bool is_down(int key) const;
  float pixels_per_unit() const;  // pixels of the framebuffer for a unit that the window's size and events count in

  GLFWwindow* handle_;
  std::vector<KeyPress> pressed_;
  std::vector<int> pressed_codes_, brief_codes_;  // for begin_interface(); of GLFW
  std::vector<std::string> dropped_;
  bool goes_down_ = false, pushed_ = false;  // of the last key event: it was no repeat; it is the last of pressed_
  bool connected_ = false;
  bool dragging_ = false, panning_ = false, clicked_ = false, moved_ = false, interface_has_mouse_ = false;
  double scrolled_ = 0, mouse_x_ = 0, mouse_y_ = 0;
};

}  // namespace host
