#include "scene/scenes/scenes.h"

#include <algorithm>

#include "system/text.h"

namespace sinew::app {

std::span<const SceneKind> scene_kinds() {
  static const SceneKind kKinds[] = {festival_scene(), crowd_scene(), stadium_scene(), marathon_scene(),
                                     square_scene(),   march_scene(), hills_scene(),   stress_scene()};
  return kKinds;
}

const SceneKind* find_scene(std::string_view name) {
  const auto found = std::ranges::find(scene_kinds(), name, &SceneKind::name);
  return found == scene_kinds().end() ? nullptr : &*found;
}

std::string list_scenes() {
  std::string lines;
  for (const SceneKind& kind : scene_kinds()) {
    lines += text("%-9s %6s characters, made for %7s: %.*s\n", std::string(kind.name).c_str(),
                  grouped(kind.characters).c_str(), grouped(kind.made_for).c_str(), int(kind.description.size()),
                  kind.description.data());
  }
  return lines;
}

std::string scene_names() { return joined(scene_kinds(), ", ", &SceneKind::name); }

}  // namespace sinew::app
