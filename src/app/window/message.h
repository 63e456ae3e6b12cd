// What a window says to its user.
#pragma once

#include <algorithm>
#include <string>
#include <utility>

namespace sinew::app {

/// A line that goes away by itself: after three seconds, or later if it takes longer to read.
class Message {
 public:
  Message& operator=(std::string text) {
    text_ = std::move(text);
    left_seconds_ = std::max(kMinSeconds, double(text_.size()) / kLettersPerSecond);
    return *this;
  }
  const std::string& text() const { return text_; }
  void clear() { text_.clear(); }

  /// Before a frame, with the time since the last one. Where frames take longer than a second, or one was prepared for
  /// long, three of them show the text.
  void advance(double seconds) {
    left_seconds_ -= std::min(seconds, 1.0);
    if (left_seconds_ < 0) text_.clear();
  }

 private:
  static constexpr double kMinSeconds = 3, kLettersPerSecond = 15;

  std::string text_;
  double left_seconds_ = 0;
};

/// Adds a panel at the upper edge with a message, and with a problem, which stays until it is solved; none where both
/// are empty. `left` and `right`: what panels at the sides take of the picture's width. In a small picture it is below
/// their titles. `scale` is that of the interface.
void add_message(const std::string& message, const std::string& problem, float left, float right, float scale);

}  // namespace sinew::app
