// The frames of an example: each is drawn into a target, then shown in the window, or written to a file if it is the
// last one.
//
//   while (const auto frame = screen.begin(camera)) {
//     ...                               // commands before drawing
//     screen.begin_pass(*frame);
//     ...                               // draws
//     screen.end(*frame);
//   }
#pragma once

#include <volk.h>

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "common/camera.h"
#include "common/gpu.h"
#include "common/program.h"
#include "common/resources.h"
#include "common/swapchain.h"
#include "common/target.h"
#include "common/window.h"

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

class Screen {
 public:
  /// `window` is null for --headless.
  Screen(Gpu& gpu, Window* window, const Options& options);
  ~Screen();  // waits for the device: make the screen last

  VkRenderPass render_pass() const { return pass_; }

  /// Waits for the frame slot and begins its commands. Nothing: the window was closed, or all frames are drawn.
  std::optional<Frame> begin(Camera& camera);
  void begin_pass(const Frame& frame);
  /// Ends the pass, submits and shows the frame.
  void end(const Frame& frame);

 private:
  struct Slot {
    VkCommandBuffer cmd = VK_NULL_HANDLE;
    VkFence completed = VK_NULL_HANDLE;
    VkSemaphore acquired = VK_NULL_HANDLE;
  };
  bool acquire(Camera& camera, const Slot& slot);
  double step() const;
  void mark_end(VkCommandBuffer cmd) const;
  void copy_to_window(VkCommandBuffer cmd) const;
  void submit(const Slot& slot) const;
  void write_picture() const;

  Gpu& gpu_;
  Window* window_;
  Options options_;
  Owner owner_;
  std::vector<Slot> slots_;
  std::unique_ptr<Swapchain> swapchain_;
  VkFormat format_ = VK_FORMAT_R8G8B8A8_SRGB;
  VkRenderPass pass_ = VK_NULL_HANDLE;
  Target target_;
  VkImage window_image_ = VK_NULL_HANDLE;
  uint64_t number_ = 0;
  double seconds_ = 0;
  std::chrono::steady_clock::time_point last_begin_;
};

}  // namespace host
