#include "window/renderdoc.h"

#if SINEW_HAS_RENDERDOC
#include <renderdoc_app.h>
#endif

#include <filesystem>
#include <system_error>
#include <vector>

#include "system/machine_report.h"
#include "system/paths.h"
#include "system/platform.h"
#include "system/process.h"
#include "system/text.h"

namespace sinew::app {

#if SINEW_HAS_RENDERDOC

namespace {

const RENDERDOC_API_1_6_0& functions(void* api) { return *static_cast<const RENDERDOC_API_1_6_0*>(api); }

RENDERDOC_DevicePointer pointer_of(const Device& device) {
  return RENDERDOC_DEVICEPOINTER_FROM_VKINSTANCE(device.instance);
}

/// Adds comments to the last capture, and returns its path. None where there is none.
std::optional<std::string> describe_last(const RENDERDOC_API_1_6_0& api, const std::string& comments) {
  const uint32_t count = api.GetNumCaptures();
  uint32_t length = 0;
  if (count == 0 || !api.GetCapture(count - 1, nullptr, &length, nullptr)) return {};
  std::vector<char> path(length + 1, '\0');
  api.GetCapture(count - 1, path.data(), &length, nullptr);
  api.SetCaptureFileComments(path.data(), comments.c_str());
  std::error_code failed;  // RenderDoc's path may be relative to the folder that it started the program in
  const std::filesystem::path whole = std::filesystem::absolute(path_of(path.data()), failed);
  return failed ? std::string(path.data()) : utf8_of(whole.lexically_normal());
}

}  // namespace

std::optional<RenderDoc> RenderDoc::find() {
  const auto get_api = reinterpret_cast<pRENDERDOC_GetAPI>(renderdoc_function("RENDERDOC_GetAPI"));
  void* api = nullptr;
  if (!get_api || get_api(eRENDERDOC_API_Version_1_6_0, &api) != 1) return {};
  return RenderDoc(api);
}

void RenderDoc::start(const Device& device) { functions(api_).StartFrameCapture(pointer_of(device), nullptr); }

std::optional<std::string> RenderDoc::end(const Device& device, const CaptureText& text) {
  functions(api_).SetCaptureTitle(text.title.c_str());
  if (functions(api_).EndFrameCapture(pointer_of(device), nullptr) != 1) return {};
  return describe_last(functions(api_), text.comments);
}

std::string KeyCapture::press() {
  if (!pending()) {
    renderdoc_ = RenderDoc::find();
    if (!renderdoc_) return "RenderDoc is not loaded; " + how_to_capture();
    count_before_ = functions(renderdoc_->api_).GetNumCaptures();
    functions(renderdoc_->api_).TriggerCapture();
  }
  return "RenderDoc captures the next frame";
}

std::string KeyCapture::update(const CaptureText& text) {
  const RENDERDOC_API_1_6_0& api = functions(renderdoc_->api_);
  if (api.IsFrameCapturing() != 0) api.SetCaptureTitle(text.title.c_str());
  if (api.GetNumCaptures() == count_before_) return {};
  const auto path = describe_last(api, text.comments);
  renderdoc_.reset();
  return path ? "captured " + *path : "RenderDoc could not capture the frame";
}

std::string how_to_capture() { return "run: renderdoccmd capture -w -d . -c sinew " + command_line(); }

#else  // without renderdoc_app.h nothing is captured

std::optional<RenderDoc> RenderDoc::find() { return {}; }
void RenderDoc::start(const Device&) {}
std::optional<std::string> RenderDoc::end(const Device&, const CaptureText&) { return {}; }
std::string KeyCapture::press() { return "RenderDoc is not loaded; " + how_to_capture(); }
std::string KeyCapture::update(const CaptureText&) { return {}; }

std::string how_to_capture() {
  return "this program was built without renderdoc_app.h; install librenderdoc-dev and renderdoc, then configure and "
         "build again";
}

#endif

std::string capture_comments(const Device& device, const std::string& lines) {
  const BuildReport build = this_build();
  const DeviceInfo& info = device.info;
  return text("command: %s\nbuild: sinew %s, commit %s, %s\ndevice: %s, driver %s, Vulkan %s\n", command_line().c_str(),
              build.version.c_str(), build.commit.c_str(), build.type.c_str(), info.name.c_str(), info.driver.c_str(),
              info.api.c_str()) +
         lines;
}

}  // namespace sinew::app
