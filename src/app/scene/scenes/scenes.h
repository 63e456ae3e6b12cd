// The scenes by name: written once, for the benchmark, the tests and the window.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "scene/scene.h"

namespace sinew::app {

/// What a scene is made for.
struct SceneRequest {
  uint32_t count = 1000;  // instances
  uint64_t seed = 1;
  float children = 0;  // their share of those who stroll or watch, 0 to 1; scenes without such people have none
};

/// A kind of scene. Its functions are deterministic.
struct SceneKind {
  std::string_view name;
  uint32_t characters = 1000;    // unless another number is asked for
  uint32_t made_for = 1000;      // characters
  std::string_view description;  // what is seen
  std::string_view looks = {};   // of the built-in character, besides itself; words as has_word() takes them
  void (*choose_clips)(Model& model) = nullptr;  // which clips of those that it may play
  Scene (*make)(std::span<const Model> models, const SceneRequest& request) = nullptr;
  bool has_children = false;  // SceneRequest::children does something
  bool tints_armed = true;    // whether people of the look with a weapon differ in colors, too
  bool dressed = false;       // whether people without a weapon have a wardrobe, see fill_wardrobe()
};

/// All scenes; the first is the default.
std::span<const SceneKind> scene_kinds();

/// Null: there is no such scene.
const SceneKind* find_scene(std::string_view name);

/// For --list-scenes: a line for each scene.
std::string list_scenes();

/// The names, for messages.
std::string scene_names();

// One of a scene each, as the table in scenes.cpp has them. `models` of make() must not be empty; choose_clips() leaves
// Model::clips with at least one clip where it had one.
SceneKind festival_scene(), crowd_scene(), stadium_scene(), marathon_scene(), square_scene(), march_scene(),
    hills_scene(), stress_scene();

}  // namespace sinew::app
