// The switches of the crowd's panel, and the legend of its colors.
#include <imgui.h>

#include <array>

#include "overlay/choices.h"
#include "overlay/crowd_panel.h"
#include "overlay/legend.h"
#include "system/text.h"

namespace sinew::app {
namespace {

template <class Value>
struct Named {
  const char* word;
  Value value;
};

/// A row of buttons that sets `value`.
template <class Value, size_t kCount>
void choose(const char* name, const Named<Value> (&all)[kCount], int columns, Value& value) {
  std::array<Choice, kCount> choices;
  for (size_t i = 0; i < kCount; ++i) choices[i] = {all[i].word, all[i].value == value};
  const int clicked = add_choices(name, choices, columns);
  if (clicked >= 0) value = all[clicked].value;
}

constexpr Named<uint32_t> kCharacters[] = {{"10", 10},      {"100", 100},    {"1k", 1'000},
                                           {"2k", 2'000},   {"5k", 5'000},   {"10k", 10'000},
                                           {"20k", 20'000}, {"50k", 50'000}, {"100k", 100'000}};
constexpr Named<SkinningMode> kModes[] = {
    {"compute", SkinningMode::kCompute}, {"vertex", SkinningMode::kVertex}, {"cpu", SkinningMode::kCpu}};
constexpr Named<uint32_t> kSharedPoses[] = {{"off", 0}, {"256", 256}, {"1k", 1'000}, {"4k", 4'000}};
constexpr Named<uint32_t> kPasses[] = {{"1", 1}, {"2", 2}, {"3", 3}, {"4", 4}, {"5", 5}, {"6", 6}};
constexpr Named<Coloring> kColors[] = {{"lit", Coloring::kLit},
                                       {"level", Coloring::kLevel},
                                       {"update group", Coloring::kUpdateGroup},
                                       {"influences", Coloring::kVertices}};

void draw_group_legend(bool update_rate) {
  add_swatch(srgb_color(data_color(0)), "updated in every frame");
  if (!update_rate) return;
  for (uint32_t group = 1; group < crowd::kUpdateGroups; ++group) {
    const bool second = group < 3;
    const uint32_t phase = second ? group - 1 : group - 3;
    add_swatch(srgb_color(data_color(group)), text("every %s frame, phase %u", second ? "2nd" : "4th", phase));
  }
}

void draw_legend(const CrowdFigures& figures, const CrowdSwitches& switches) {
  switch (switches.draw.coloring) {
    case Coloring::kLevel:
      return add_level_legend(figures.renderer.plan().counters.levels.size());
    case Coloring::kUpdateGroup:
      return draw_group_legend(switches.optimizations.update_rate);
    case Coloring::kVertices:
      return add_influence_legend(figures.max_influences);
    case Coloring::kVelocity:
      return ImGui::TextWrapped(
          "velocity: the hue is the direction (red: right, cyan: left), the brightness the speed");
    case Coloring::kLit:
      return;
  }
}

void draw_work_switches(CrowdSwitches& switches) {
  const bool velocity = switches.draw.coloring == Coloring::kVelocity;  // for compute skinning only
  choose("characters", kCharacters, 5, switches.characters);
  if (!velocity) choose("skinning", kModes, 3, switches.skinning);
  choose("shared poses", kSharedPoses, 4, switches.optimizations.unique_poses);
  choose("passes", kPasses, 6, switches.draw.passes);
  add_check("culling", switches.optimizations.cull, Half::kLeft);
  add_check("levels of detail", switches.optimizations.levels, Half::kRight);
  add_check("update rate", switches.optimizations.update_rate, Half::kLeft);
}

void draw_color_switches(const CrowdFigures& figures, CrowdSwitches& switches) {
  if (switches.draw.coloring != Coloring::kVelocity) choose("colors", kColors, 2, switches.draw.coloring);
  draw_legend(figures, switches);
  add_check("wireframe", switches.draw.wireframe, Half::kLeft, figures.can_draw_wireframe);
  add_check("bones", switches.bones, Half::kRight);
}

}  // namespace

void draw_crowd_switches(const CrowdFigures& figures, CrowdSwitches& switches) {
  if (add_section("crowd")) draw_work_switches(switches);
  if (add_section("colors and lines")) draw_color_switches(figures, switches);
  if (!add_section("camera and time")) return;
  add_check("pause", switches.paused, Half::kLeft);
  add_check("orbit", switches.orbiting, Half::kRight);
  add_check("freeze the visible set", switches.frozen, Half::kLeft);
}

}  // namespace sinew::app
