// A model of a crowd, as the planner needs to know it: its clips, bounds and levels of detail.
#pragma once

#include <cstdint>
#include <span>

#include "sinew/animation/bounds.h"
#include "sinew/asset/baked_character.h"
#include "sinew/asset/character.h"

namespace sinew::crowd {

/// One level of detail of a model. A level uses the palette of the character, or has one of its own with fewer
/// entries, see ModelLevel; the finest uses that of the character. The host writes palettes of the character alone: an
/// instance that is host-posed gets the coarsest of the levels that use it.
struct Level {
  /// The largest distance between its surface and that of the finest level, in world units, of an instance of scale 1.
  float error = 0;
  uint32_t vertex_count = 0;  // for the memory budget
  uint64_t static_bytes = 0;  // device memory of the mesh itself, for the memory budget
  uint32_t palette_size = 0;  // of a palette of its own; 0: palette and morph weights are those of the character
  uint32_t target_count = 0;  // morph targets of a level with a palette of its own
  /// The vertices of each wearable at this level, at most kMaxWearables; 0: it is not drawn there. With
  /// Instances::outfits.
  std::span<const uint32_t> wearable_vertices = {};
};

/// Describes a model to a Planner. What it points to must be valid until is_gone(), or the planner's end.
struct ModelInfo {
  const Character* character = nullptr;

  /// Bounds of all poses, and the bake that they were measured from: measure_bounds(). If one of them is null,
  /// instances of this model are never culled.
  const CharacterBounds* bounds = nullptr;
  const BakedCharacter* baked = nullptr;

  /// The clips that instances play, as indices in Character::clips. No additive ones. Their motion is measured
  /// once, by the planner. An instance shares or keeps poses only while it plays one of them in Playback::layers[0],
  /// alone and without a mask. All else is updated in every frame.
  std::span<const uint32_t> clips;

  /// From the finest to the coarsest; at least one, at most 255.
  std::span<const Level> levels;

  float height = 0;  // above 0: world units, of an instance of scale 1
  Vec3 middle;       // model space: a point near the middle of the poses, to measure distances from
};

}  // namespace sinew::crowd
