// What several scenes share: instances in any order become batches, and models play what the scene asks for.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "scene/scene.h"

namespace sinew::app {

/// Of people's heights, to that of their model.
inline constexpr float kShortest = 0.92f, kTallest = 1.08f;

/// A person of a scene.
struct Placed {
  uint32_t model = 0;
  CrowdInstance instance;
};

/// Makes a scene of people in any order, without a radius and a camera.
Scene gather(std::span<const Model> models, std::span<const Placed> people);

/// A position on the ground, in the pattern of sunflower seeds: even, around the middle. Source: Vogel, "A better way
/// to construct the sunflower head", 1979.
Vec3 sunflower_position(uint32_t index, float spacing);

/// Meters from the middle of one person to that of the next, shoulder to shoulder: that of the widest model.
float body_width(std::span<const Model> models);

/// By how much a scene is larger than one designed for people: see Architecture.
float scale_of(std::span<const Model> models);

/// Whether a picture of a camera, 16:9, shows the head of someone at a position, but not the chest: at its lower edge,
/// or so near that the head fills it. For people, without a scale.
bool crops(const Orbit& camera, Vec3 position);

// Which clips a model plays. Words are as has_word() takes them.

/// Those with one of `words` in their name, or those without.
std::vector<uint32_t> clips_with(const Model& model, std::string_view words, bool wanted = true);

/// Keeps these clips, if there are any: the others are not baked.
void keep_clips(Model& model, std::vector<uint32_t> clips);

inline constexpr std::string_view kWalkWords = " walk | walking ", kRunWords = " run | running | jog ";

/// What an act plays: the clips with one of `words` in their name. Where a model has none: those of standing people.
struct ActWish {
  std::string_view words;
  bool changes_clips = true;
  float meters_per_second = 0;  // above 0: one clip of `words` that walks, the nearest to this speed of a person
  bool waves = false;           // cheers when a wave of spectators passes
};

/// Sets Model::acts, one for each wish, and Model::clips to the clips of all. Measures clips that walk.
void choose_acts(Model& model, std::span<const ActWish> wishes);

}  // namespace sinew::app
