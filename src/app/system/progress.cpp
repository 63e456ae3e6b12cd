#include "system/progress.h"

#include <unistd.h>

#include <cstdio>
#include <limits>
#include <utility>

namespace sinew::app {
namespace {

constexpr double kPatienceMs = 1000, kBetweenLinesMs = 200;
constexpr double kNever = std::numeric_limits<double>::infinity();

}  // namespace

ProgressLine::ProgressLine(std::string what)
    : what_(std::move(what)), next_ms_(isatty(STDERR_FILENO) ? kPatienceMs : kNever) {}

ProgressLine::~ProgressLine() {
  if (shown_) std::fprintf(stderr, "\r\033[K");
}

void ProgressLine::rename(std::string what) { what_ = std::move(what); }

void ProgressLine::show(double share) {
  if (next_ms_ == kNever || watch_.elapsed_ms() < next_ms_) return;
  std::fprintf(stderr, "\r%s: %.0f %%, %.0f s\033[K", what_.c_str(), share * 100, watch_.elapsed_ms() / 1e3);
  next_ms_ = watch_.elapsed_ms() + kBetweenLinesMs;
  shown_ = true;
}

BakeProgress ProgressLine::of_bake() {
  return {this, [](void* line, double share) { static_cast<ProgressLine*>(line)->show(share); }};
}

ShownStatus::ShownStatus(const char* what) {
  if (isatty(STDERR_FILENO)) std::fprintf(stderr, "\r\033[K%s", what);
}

ShownStatus::~ShownStatus() {
  if (isatty(STDERR_FILENO)) std::fprintf(stderr, "\r\033[K");
}

}  // namespace sinew::app
