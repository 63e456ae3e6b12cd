// Built instead of renderdoc.cpp where renderdoc_app.h was not found. Captures nothing; how_to_capture() says why.
#include "report/renderdoc.h"

namespace sinew::app {

std::optional<RenderDoc> RenderDoc::find() { return {}; }

void RenderDoc::start(const Device&) {}

std::optional<std::string> RenderDoc::end(const Device&, const CaptureText&) { return {}; }

void RenderDoc::trigger() {}

bool RenderDoc::capturing() const { return false; }

void RenderDoc::set_title(const std::string&) {}

uint32_t RenderDoc::capture_count() const { return 0; }

std::optional<std::string> RenderDoc::last_path() const { return {}; }

void RenderDoc::set_comments(const std::string&, const std::string&) {}

std::string how_to_capture() {
  return "this program was built without renderdoc_app.h; install librenderdoc-dev and renderdoc, then configure and "
         "build again";
}

}  // namespace sinew::app
