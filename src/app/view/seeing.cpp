#include "view/seeing.h"

namespace sinew::app {
namespace {

struct Switch {
  std::string_view word;
  bool Seeing::*flag;
};
constexpr Switch kSwitches[] = {
    {"bones", &Seeing::bones},
    {"names", &Seeing::names},
    {"axes", &Seeing::axes},
    {"normals", &Seeing::normals},
    {"tangents", &Seeing::tangents},
    {"clip-bounds", &Seeing::clip_bounds},
    {"pose-bounds", &Seeing::pose_bounds},
    {"wireframe", &Seeing::wireframe},
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

bool show(Seeing& seeing, std::string_view word) {
  for (const Switch& known : kSwitches) {
    if (known.word != word) continue;
    seeing.*known.flag = true;
    return true;
  }
  for (const Colors& known : kColors) {
    if (known.word != word) continue;
    seeing.colors = known.colors;
    return true;
  }
  return false;
}

}  // namespace sinew::app
