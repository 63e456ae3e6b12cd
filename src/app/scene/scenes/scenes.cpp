#include "scene/scenes/scenes.h"

#include <array>

#include "system/text.h"

namespace sinew::app {
namespace {

constexpr std::array<SceneKind, 8> kScenes = {{
    {"festival", 1000, 20'000,
     "a feast at dusk around a bonfire: rings of people who dance, cheer, watch and stroll by torches and lanterns",
     Looks::kAll, choose_festival_clips, make_festival, true},
    {"crowd", 1000, 1000, "a plain round crowd that faces all ways, with mixed clips, cross-fades and waving arms",
     Looks::kBuiltIn, choose_crowd_clips, make_crowd},
    {"stadium", 2000, 50'000,
     "a football ground: fans in tiers of seats under a roof, waves that run around them, two teams on the field",
     Looks::kUnarmed, choose_stadium_clips, make_stadium, true},
    {"marathon", 1000, 10'000,
     "a street race: runners past cheering people behind barriers, through an arch, between houses", Looks::kUnarmed,
     choose_marathon_clips, make_marathon, true},
    {"square",
     500,
     2000,
     "a market square: groups who talk among stalls around a fountain, houses, a gate with guards who patrol",
     Looks::kAll,
     choose_square_clips,
     make_square,
     true,
     true,
     {},
     true},
    {"march", 1000, 20'000,
     "companies in rank and file, all in step, on a road through hills; the camera moves with them", Looks::kAll,
     choose_march_clips, make_march},
    {"hills", 200, 5000,
     "paths over rolling hills: every foot of those nearby is on the ground, and heads follow a balloon",
     Looks::kUnarmed, choose_hills_clips, make_hills},
    {"stress", 1000, 100'000, "a plain grid where every clip is played, cross-faded and layered: for figures",
     Looks::kAll, choose_stress_clips, make_stress, false, false, "weaver"},
}};

}  // namespace

std::span<const SceneKind> scene_kinds() { return kScenes; }

const SceneKind* find_scene(std::string_view name) {
  for (const SceneKind& kind : kScenes) {
    if (kind.name == name) return &kind;
  }
  return nullptr;
}

std::string list_scenes() {
  std::string lines;
  for (const SceneKind& kind : kScenes) {
    lines += text("%-9s %6s characters, made for %7s: %.*s\n", std::string(kind.name).c_str(),
                  grouped(kind.characters).c_str(), grouped(kind.made_for).c_str(), int(kind.description.size()),
                  kind.description.data());
  }
  return lines;
}

std::string scene_names() {
  std::string names;
  for (const SceneKind& kind : kScenes) names += (names.empty() ? "" : ", ") + std::string(kind.name);
  return names;
}

}  // namespace sinew::app
