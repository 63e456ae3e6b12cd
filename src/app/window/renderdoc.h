// Frame captures by RenderDoc, where it is loaded into this process.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gpu/host.h"

namespace sinew::app {

/// What a capture says about itself in RenderDoc's window.
struct CaptureText {
  std::string title, comments;  // comments: lines
};

/// The comments of a capture: command line, build, device, then `lines`, each with a line break at its end.
std::string capture_comments(const Device& device, const std::string& lines);

/// RenderDoc's in-application API. One capture at a time.
class RenderDoc {
 public:
  /// Finds RenderDoc in this process; never loads it. None where the process was not started under RenderDoc. Call it
  /// after the Vulkan instance was created.
  static std::optional<RenderDoc> find();

  /// Starts a capture on the device's instance.
  void start(const Device& device);

  /// Ends the capture and returns the path of its file. None where RenderDoc could not capture.
  std::optional<std::string> end(const Device& device, const CaptureText& text);

 private:
  friend class KeyCapture;
  explicit RenderDoc(void* api) : api_(api) {}
  void* api_;  // RENDERDOC_API_1_6_0
};

/// Captures a frame of a window when its user presses a key.
class KeyCapture {
 public:
  static constexpr char kKey = 'R';

  /// Captures the next frame, where RenderDoc is loaded. Returns a line that says so, or how to start under RenderDoc.
  std::string press();

  /// Whether a capture is under way: then call update() before each frame.
  bool pending() const { return renderdoc_.has_value(); }

  /// Describes the capture. Returns a line with its file once that is written, else an empty string.
  std::string update(const CaptureText& text);

 private:
  std::optional<RenderDoc> renderdoc_;
  uint32_t count_before_ = 0;
};

/// The end of an error message where find() returned none: the command that runs this program with the same arguments
/// under RenderDoc, or what to install.
std::string how_to_capture();

}  // namespace sinew::app
