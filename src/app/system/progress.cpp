#include "system/progress.h"

#include <chrono>
#include <cstdio>
#include <utility>

#include "system/platform.h"
#include "system/text.h"

namespace sinew::app {
namespace {

constexpr double kPatienceMs = 1000, kBetweenLinesMs = 200;

}  // namespace

ProgressLine::ProgressLine(std::string what) : what_(std::move(what)), next_ms_(kPatienceMs) {
  if (takes_control_sequences(stderr)) writer_ = std::thread([this] { write_lines(); });
}

ProgressLine::~ProgressLine() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  ended_.notify_one();
  if (writer_.joinable()) writer_.join();
  clear();
}

void ProgressLine::write_lines() {
  std::unique_lock lock(mutex_);
  while (!ending_) {
    const double left_ms = next_ms_ - watch_.elapsed_ms();
    if (left_ms > 0) {
      ended_.wait_for(lock, std::chrono::duration<double, std::milli>(left_ms));
      continue;
    }
    std::fprintf(stderr, "\r%s\033[K", text_locked().c_str());
    next_ms_ = watch_.elapsed_ms() + kBetweenLinesMs;
    shown_ = true;
  }
}

void ProgressLine::rename(std::string what) {
  const std::lock_guard lock(mutex_);
  what_ = std::move(what), share_ = -1;
}

void ProgressLine::show(double share) {
  const std::lock_guard lock(mutex_);
  share_ = share;
}

void ProgressLine::hide() {
  const std::lock_guard lock(mutex_);
  clear();
  next_ms_ = watch_.elapsed_ms() + kPatienceMs;
}

void ProgressLine::clear() {
  if (std::exchange(shown_, false)) std::fprintf(stderr, "\r\033[K");
}

std::string ProgressLine::text_locked() const {
  const std::string seconds = app::text("%.0f s", watch_.elapsed_ms() / 1e3);
  return share_ < 0 ? what_ + ": " + seconds : what_ + app::text(": %.0f %%, ", share_ * 100) + seconds;
}

std::string ProgressLine::text() const {
  const std::lock_guard lock(mutex_);
  return text_locked();
}

BakeProgress ProgressLine::of_bake() {
  return {this, [](void* line, double share) { static_cast<ProgressLine*>(line)->show(share); }};
}

}  // namespace sinew::app
