// RenderDoc where its header was found. What does not need the header is in key_capture.cpp.
#include "report/renderdoc.h"

#include <dlfcn.h>
#include <renderdoc_app.h>

#include <vector>

#include "system/command_line.h"

namespace sinew::app {
namespace {

const RENDERDOC_API_1_6_0& functions(void* api) { return *static_cast<const RENDERDOC_API_1_6_0*>(api); }

RENDERDOC_DevicePointer pointer_of(const Device& device) {
  return RENDERDOC_DEVICEPOINTER_FROM_VKINSTANCE(device.instance);
}

}  // namespace

std::optional<RenderDoc> RenderDoc::find() {
  void* library = dlopen("librenderdoc.so", RTLD_NOW | RTLD_NOLOAD);
  if (!library) return {};
  const auto get_api = reinterpret_cast<pRENDERDOC_GetAPI>(dlsym(library, "RENDERDOC_GetAPI"));
  void* api = nullptr;
  if (!get_api || get_api(eRENDERDOC_API_Version_1_6_0, &api) != 1) return {};
  return RenderDoc(api);
}

void RenderDoc::start(const Device& device) { functions(api_).StartFrameCapture(pointer_of(device), nullptr); }

std::optional<std::string> RenderDoc::end(const Device& device, const CaptureText& text) {
  set_title(text.title);
  if (functions(api_).EndFrameCapture(pointer_of(device), nullptr) != 1) return {};
  auto path = last_path();
  if (path) set_comments(*path, text.comments);
  return path;
}

void RenderDoc::trigger() { functions(api_).TriggerCapture(); }

bool RenderDoc::capturing() const { return functions(api_).IsFrameCapturing() != 0; }

void RenderDoc::set_title(const std::string& title) { functions(api_).SetCaptureTitle(title.c_str()); }

uint32_t RenderDoc::capture_count() const { return functions(api_).GetNumCaptures(); }

std::optional<std::string> RenderDoc::last_path() const {
  const uint32_t count = capture_count();
  uint32_t length = 0;
  if (count == 0 || !functions(api_).GetCapture(count - 1, nullptr, &length, nullptr)) return {};
  std::vector<char> path(length + 1, '\0');
  functions(api_).GetCapture(count - 1, path.data(), &length, nullptr);
  return std::string(path.data());
}

void RenderDoc::set_comments(const std::string& path, const std::string& comments) {
  functions(api_).SetCaptureFileComments(path.c_str(), comments.c_str());
}

std::string how_to_capture() { return "run: renderdoccmd capture -w -d . -c sinew " + command_line(); }

}  // namespace sinew::app
