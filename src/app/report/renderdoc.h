// Frame captures by RenderDoc, where it is loaded into this process.
#pragma once

#include <optional>
#include <string>

#include "gpu/device.h"

namespace sinew::app {

/// RenderDoc's in-application API. One capture at a time.
class RenderDoc {
 public:
  /// Finds RenderDoc in this process; never loads it. None where the process was not started under RenderDoc. Call it
  /// after the Vulkan instance was created.
  static std::optional<RenderDoc> find();

  /// Starts a capture on the device's instance.
  void start(const Device& device);

  /// Ends the capture and returns the path of its file. None where RenderDoc could not capture.
  std::optional<std::string> end(const Device& device);

 private:
  explicit RenderDoc(void* api) : api_(api) {}
  void* api_;  // RENDERDOC_API_1_6_0
};

/// The end of an error message where find() returned none: the command that runs this program with the same arguments
/// under RenderDoc, or what to install.
std::string how_to_capture();

}  // namespace sinew::app
