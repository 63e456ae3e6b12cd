#include "report/renderdoc.h"
#include "report/report.h"
#include "system/command_line.h"
#include "system/text.h"

namespace sinew::app {

std::string capture_comments(const Device& device, const std::string& lines) {
  const BuildReport build = this_build();
  const DeviceInfo& info = device.info;
  return text("command: %s\nbuild: sinew %s, commit %s, %s\ndevice: %s, driver %s, Vulkan %s\n", command_line().c_str(),
              build.version.c_str(), build.commit.c_str(), build.type.c_str(), info.name.c_str(), info.driver.c_str(),
              info.api.c_str()) +
         lines;
}

std::string KeyCapture::press() {
  if (!pending()) {
    renderdoc_ = RenderDoc::find();
    if (!renderdoc_) return "RenderDoc is not loaded; " + how_to_capture();
    count_before_ = renderdoc_->capture_count();
    renderdoc_->trigger();
  }
  return "RenderDoc captures the next frame";
}

std::string KeyCapture::update(const CaptureText& text) {
  if (renderdoc_->capturing()) renderdoc_->set_title(text.title);
  if (renderdoc_->capture_count() == count_before_) return {};
  const auto path = renderdoc_->last_path();
  if (path) renderdoc_->set_comments(*path, text.comments);
  renderdoc_.reset();
  return path ? "captured " + *path : "RenderDoc could not capture the frame";
}

}  // namespace sinew::app
