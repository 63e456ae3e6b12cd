// Built instead of renderdoc.cpp where renderdoc_app.h was not found. Captures nothing; how_to_capture() says why.
#include "report/renderdoc.h"

namespace sinew::app {

std::optional<RenderDoc> RenderDoc::find() { return {}; }

void RenderDoc::start(const Device&) {}

std::optional<std::string> RenderDoc::end(const Device&) { return {}; }

std::string how_to_capture() {
  return "this program was built without renderdoc_app.h; install librenderdoc-dev and renderdoc, then configure and "
         "build again";
}

}  // namespace sinew::app
