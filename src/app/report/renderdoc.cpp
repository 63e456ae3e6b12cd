#include "report/renderdoc.h"

#include <dlfcn.h>
#include <renderdoc_app.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <vector>

namespace sinew::app {
namespace {

const RENDERDOC_API_1_6_0& functions(void* api) { return *static_cast<const RENDERDOC_API_1_6_0*>(api); }

RENDERDOC_DevicePointer pointer_of(const Device& device) {
  return RENDERDOC_DEVICEPOINTER_FROM_VKINSTANCE(device.instance);
}

/// A word quoted for a shell, where it needs quotes.
std::string quoted(const std::string& word) {
  if (!word.empty() && word.find_first_of(" \t'\"\\$&;|<>()*?[]#~`!{}") == word.npos) return word;
  std::string text = "'";
  for (char letter : word) text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return text + "'";
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

std::optional<std::string> RenderDoc::end(const Device& device) {
  if (functions(api_).EndFrameCapture(pointer_of(device), nullptr) != 1) return {};
  const uint32_t count = functions(api_).GetNumCaptures();
  uint32_t length = 0;
  if (count == 0 || !functions(api_).GetCapture(count - 1, nullptr, &length, nullptr)) return {};
  std::vector<char> path(length + 1, '\0');
  functions(api_).GetCapture(count - 1, path.data(), &length, nullptr);
  return std::string(path.data());
}

std::string how_to_capture() {
  std::error_code error;
  std::string line = "run: renderdoccmd capture -w -d . -c sinew";
  line += " " + quoted(std::filesystem::read_symlink("/proc/self/exe", error).string());
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  const std::string words(std::istreambuf_iterator<char>(file), {});
  for (size_t start = words.find('\0') + 1; start < words.size(); start = words.find('\0', start) + 1)
    line += " " + quoted(words.c_str() + start);
  return line;
}

}  // namespace sinew::app
