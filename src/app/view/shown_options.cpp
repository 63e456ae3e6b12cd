#include "view/shown_options.h"

namespace sinew::app {
namespace {

struct Switch {
  std::string_view word;
  bool ShownOptions::*flag;
};
constexpr Switch kSwitches[] = {
    {"bones", &ShownOptions::bones},
    {"names", &ShownOptions::names},
    {"axes", &ShownOptions::axes},
    {"normals", &ShownOptions::normals},
    {"tangents", &ShownOptions::tangents},
    {"clip-bounds", &ShownOptions::clip_bounds},
    {"pose-bounds", &ShownOptions::pose_bounds},
    {"wireframe", &ShownOptions::wireframe},
};

struct Colors {
  std::string_view word;
  DataColors colors;
};
constexpr Colors kColors[] = {{"weights", DataColors::kJointWeight},
                              {"influences", DataColors::kInfluences},
                              {"lost-weight", DataColors::kLostWeight},
                              {"level", DataColors::kLevel}};

}  // namespace

bool show(ShownOptions& shown, std::string_view word) {
  for (const Switch& known : kSwitches) {
    if (known.word != word) continue;
    shown.*known.flag = true;
    return true;
  }
  for (const Colors& known : kColors) {
    if (known.word != word) continue;
    shown.colors = known.colors;
    return true;
  }
  return false;
}

}  // namespace sinew::app
