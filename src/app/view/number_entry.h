// A number that is typed digit by digit, such as that of a clip.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace sinew::app {

class NumberEntry {
 public:
  static constexpr double kWaitSeconds = 0.7;

  /// Adds a digit. The number is complete at once where a further digit would reach `count`.
  void type(uint32_t digit, uint32_t count) {
    digits_ += char('0' + digit);
    waited_ = 0;
    complete_ = std::stoul(digits_) * 10 >= count || digits_.size() > 4;
  }

  /// The number, once it is complete: after kWaitSeconds without a digit, or after finish().
  std::optional<uint32_t> take() {
    if (digits_.empty() || !(complete_ || waited_ >= kWaitSeconds)) return {};
    return uint32_t(std::stoul(std::exchange(*this, {}).digits_));
  }
  void wait(double seconds) { waited_ += seconds; }
  void finish() { complete_ = true; }

  const std::string& digits() const { return digits_; }

 private:
  std::string digits_;
  double waited_ = 0;
  bool complete_ = false;
};

}  // namespace sinew::app
