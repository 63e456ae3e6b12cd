// Captures a frame where RenderDoc has loaded itself into the process.
#pragma once

#include <optional>
#include <string>

#include "gpu/device.h"

namespace sinew::app {

class RenderDoc {
 public:
  /// Nothing where the process does not run under RenderDoc. Ask after the instance was created.
  static std::optional<RenderDoc> find();

  void start(const Device& device);

  /// The capture's file, or nothing where RenderDoc could not capture.
  std::optional<std::string> end(const Device& device);

 private:
  explicit RenderDoc(void* api) : api_(api) {}
  void* api_;  // RENDERDOC_API_1_6_0
};

/// What to do where find() found nothing: the command that starts this program again, as it was started, under
/// RenderDoc; or what to install.
std::string how_to_capture();

}  // namespace sinew::app
