// The frames of a small program: each is drawn into a target, then shown in the window, or written to a file if it is
// the last one.
//
//   const WaitAtEnd idle{device};
//   while (const auto frame = check(screen->begin(camera))) {
//     ...                               // commands before drawing
//     screen->begin_pass(*frame);
//     ...                               // draws
//     check(screen->end(*frame));
//   }
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "host/camera.h"
#include "host/device.h"
#include "host/frame_slots.h"
#include "host/pipeline.h"
#include "host/program.h"
#include "host/swapchain.h"
#include "host/target.h"

namespace host {

/// Frames in flight: while the device draws one, the CPU prepares the next.
inline constexpr uint32_t kSlots = 2;

struct Frame {
  uint64_t number = 0;  // from 1
  uint32_t slot = 0;    // number % kSlots: the commands of the last frame in this slot have completed
  double seconds = 0, step_seconds = 0;
  VkCommandBuffer cmd = VK_NULL_HANDLE;
  float width = 0, height = 0;
};

/// Waits for the device at the end of its scope, after an error too. Declare it after everything that frames use.
struct WaitAtEnd {
  const Device& device;

  ~WaitAtEnd() { vkDeviceWaitIdle(device.handle); }
};

class Screen {
 public:
  /// `graphics` must outlive it.
  static Result<std::unique_ptr<Screen>> create(const GraphicsContext& graphics, const Options& options);
  ~Screen();  // waits for the device

  /// Of the pass that draws. It clears depth, not color.
  PassFormat format() const { return {pass_.get(), samples_}; }

  /// Waits for the frame slot and begins its commands. The mouse in the window turns the camera. Nothing: the window
  /// was closed, or all frames are drawn.
  Result<std::optional<Frame>> begin(Camera& camera);
  void begin_pass(const Frame& frame);
  /// Ends the pass, submits and shows the frame.
  Status end(const Frame& frame);

 private:
  Screen(const GraphicsContext& graphics, const Options& options);
  Status build();
  Status resize(uint32_t width, uint32_t height);
  Result<bool> fit();
  Result<bool> acquire(Camera& camera, VkSemaphore acquired);
  double step() const;
  void mark_end(VkCommandBuffer cmd) const;

  const Device& device_;
  Window* window_;  // null: no window
  const Options options_;
  VkSampleCountFlagBits samples_ = VK_SAMPLE_COUNT_1_BIT;
  RenderPassHandle pass_;
  Target target_;
  Swapchain swapchain_;
  std::vector<FrameSlot> slots_;
  FrameTimelines timelines_;  // none: a frame is one submission
  std::optional<Presentation> presentation_;
  std::optional<Label> frame_label_, draw_label_;
  uint64_t number_ = 0;
  double seconds_ = 0, begun_ms_ = 0;
};

}  // namespace host
