// A character as a member of the crowd: what it may play, and how it is stood on the ground of a world in meters.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scene/arm_overlay.h"
#include "scene/load.h"
#include "scene/model_bake.h"
#include "sinew/animation/bounds.h"
#include "sinew/asset/character.h"
#include "sinew/asset/result.h"

namespace sinew::app {

/// The index ranges of one material, after the triangles were sorted by material.
struct MaterialRange {
  uint32_t material = 0;
  uint32_t first_index = 0, index_count = 0;  // in Level::indices
};

/// A mesh that a model is drawn with.
struct Level {
  Mesh mesh;
  std::vector<uint32_t> indices;  // the mesh's, triangles of a material together
  std::vector<MaterialRange> runs;
  float error = 0;  // meters that its surface is off the finest's
};

struct Model {
  std::string name;  // the file's, without folder and extension
  Character character;
  std::vector<Level> levels;    // of detail; the first is the character's own mesh
  std::vector<uint32_t> clips;  // what a crowd may play, in Character::clips; empty: the rest pose
  std::optional<ArmOverlay> overlay;
  std::optional<ModelBake> bake;          // where the crowd evaluator is used
  std::optional<BakedCharacter> baked;    // what the file had, until it becomes `bake`
  std::optional<CharacterBounds> bounds;  // of what it plays; without, it counts as seen from everywhere

  Matrix3x4 world_from_model;  // upright (y up), facing z, in meters, feet on the ground, above the origin
  float height = 0;            // meters, of the poses it plays
  float radius = 0;            // meters on the ground that it takes up
  float diagonal = 0;          // of the bounding box of its poses, in the model's units

  /// What `bounds` were measured of.
  const BakedCharacter* bounded_clips() const { return bake ? &bake->baked : baked ? &*baked : nullptr; }

  /// What layers name: kArmMask is the only one.
  std::span<const std::vector<float>> masks() const {
    return overlay ? std::span(&overlay->joint_mask, 1) : std::span<const std::vector<float>>();
  }
};

/// Reads a character, and measures the poses it will play. A bake that a `.sinew` has is kept.
Result<Model> load_model(const std::string& path, const LoadOptions& options);

/// Adds coarser levels of detail. They have the first level's skin, and so its palettes.
Status add_levels(Model& model);

/// The file of the built-in character: beside the sources it was built from, or where it was installed.
Result<std::string> find_builtin_character();

}  // namespace sinew::app
