// What several scenes share: instances in any order become batches, and walkers keep up with one another.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "scene/clip_motion.h"
#include "scene/scene.h"

namespace sinew::app {

/// Of people's heights, to that of their model: those who walk step as far as they are tall, see place_walker().
inline constexpr float kShortest = 0.92f, kTallest = 1.08f;

/// A person of a scene.
struct Placed {
  uint32_t model = 0;
  CrowdInstance instance;
};

/// Whom a scene that moves consists of, and how fast all of them move.
struct Walkers {
  std::vector<uint32_t> models;  // those that walk; all where none walks
  float meters_per_second = 0;   // 0: none walks
};

/// Makes a scene of people in any order, without a radius and a camera.
Scene gather(std::span<const Model> models, std::span<const Placed> people);

/// The same of people who all walk.
Scene gather_walkers(std::span<const Model> models, std::span<const Placed> people, const Walkers& walkers);

/// A position on the ground, in the pattern of sunflower seeds: even, around the middle. Source: Vogel, "A better way
/// to construct the sunflower head", 1979.
Vec3 sunflower_position(uint32_t index, float spacing);

/// Meters from the middle of one person to that of the next, shoulder to shoulder: that of the widest model.
float body_width(std::span<const Model> models);

/// Keeps these clips, if there are any: the others are not baked.
void keep_clips(Model& model, std::vector<uint32_t> clips);

/// Keeps the clips that have one of `words` in their name. Keeps all where none has.
void keep_named_clips(Model& model, std::span<const std::string_view> words);

/// Leaves out the clips that have one of `words` in their name, unless none is left.
void drop_named_clips(Model& model, std::span<const std::string_view> words);

/// Keeps the clip that walks at about `meters_per_second`, and sets Model::walk; keeps all where none walks.
void keep_walking_clip(Model& model, float meters_per_second);

/// Of all models.
Walkers find_walkers(std::span<const Model> models);

/// A person who walks along z, at the speed of the others.
Placed place_walker(std::span<const Model> models, uint32_t model, Vec3 start, float scale, const Walkers& walkers);

}  // namespace sinew::app
