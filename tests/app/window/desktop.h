// A virtual X display (Xvfb) whose screen is read from outside the program, and whose mouse and keys xdotool moves.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "controls.h"
#include "picture.h"

namespace sinew::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kSlowdown = 4;
#else
constexpr int kSlowdown = 1;
#endif

/// Polls `condition` until it is true, for at most `seconds`, and longer under sanitizers.
template <class Condition>
bool eventually(int seconds, const Condition& condition) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(seconds * kSlowdown);
  while (std::chrono::steady_clock::now() < deadline) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return false;
}

/// The part of a picture inside an area.
Picture cut(const Picture& picture, const Area& area);

class Desktop : public ::testing::Test {
 protected:
  /// Skips without a device or without Xvfb.
  void SetUp() override;

  /// Starts `sinew` with these arguments, and waits until its overlay has controls and something is on the screen. The
  /// test ends where that takes too long.
  void open(std::vector<std::string> arguments);

  Picture screen();
  /// The screen as soon as it stays the same for some frames, or after some seconds.
  Picture still_screen();

  /// Presses keys, one after another, as xdotool names them.
  void press(const std::vector<std::string>& keys);
  /// Where a control is; fails the test if it is not there within some seconds.
  Area control(const std::string& name);
  bool has_control(const std::string& name);
  /// At a share of its width.
  void click(const std::string& name, double share = 0.5);
  /// The number of the frame that was drawn last.
  unsigned frame_number();
  /// Waits until the program has drawn two frames: it looks at the mouse once per frame.
  void wait_for_mouse();
  /// Presses the left button at a share of the control's width, and moves to another share before it goes up.
  void drag(const std::string& name, double from_share, double to_share);
  /// Drags from a point of the screen by a distance. Buttons: 1 left, 2 middle, 3 right.
  void drag(int x, int y, int dx, int dy, int button = 1);
  void xdotool(std::vector<std::string> arguments);

  /// Closes the window with Ctrl+Q. The program's exit code is 0, and nothing is on standard error.
  void close();
  /// The same for a program that was started with --validate: the layers have said nothing.
  void close_without_messages();

  Folder folder_;
  std::string opened_program_ = program();
  Environment display_;
  std::unique_ptr<Background> screen_, program_;
};

/// One that is used with a mouse and keys: skips without xdotool or xwd.
class UsedDesktop : public Desktop {
 protected:
  void SetUp() override;
};

}  // namespace sinew::test
