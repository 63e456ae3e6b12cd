// The character behind its handle.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "layout.h"
#include "sinew/animation/bounds.h"
#include "sinew/asset/baked_character.h"
#include "sinew/asset/character.h"
#include "sinew/asset/character_file.h"
#include "sinew/asset/import_report.h"
#include "sinew/asset/level.h"
#include "sinew/c/asset.h"

namespace sinew::c {

/// A mesh's morph targets as C sees them. They point into the mesh.
std::vector<SinewMorphTarget> targets_of(const Mesh& mesh);

/// A coarser level of detail.
struct CoarseLevel : ModelLevel {
  explicit CoarseLevel(ModelLevel&& level) : ModelLevel(std::move(level)), targets(targets_of(mesh)) {}
  std::vector<SinewMorphTarget> targets;  // targets_of(mesh)
};

/// What evaluators and planners share.
struct CharacterContent {
  Character character;
  std::vector<SinewMorphTarget> targets;  // targets_of(character.mesh)
  std::optional<BakedCharacter> baked;
  std::optional<CharacterBounds> bounds;  // of `baked`
  std::optional<ImportReport> report;
  std::vector<CoarseLevel> coarse_levels;

  size_t level_count() const { return 1 + coarse_levels.size(); }
  /// The level, if it has a palette of its own; null: it uses that of the character. Refuses a level that is not there.
  const CoarseLevel* own_palette(uint32_t level) const {
    if (level >= level_count())
      refuse("level is " + std::to_string(level) + ", but the character has " + std::to_string(level_count()));
    return level > 0 && coarse_levels[level - 1].has_palette() ? &coarse_levels[level - 1] : nullptr;
  }
  void drop_bake() {
    baked.reset();
    bounds.reset();
    for (CoarseLevel& level : coarse_levels) level.baked = {.options = level.baked.options};
  }
};

SINEW_SAME_LAYOUT(SinewBox, Box, low, high);
SINEW_SAME_LAYOUT(SinewInfluence, Influence, entry, weight);
SINEW_SAME_LAYOUT(SinewMatrix3x4, Matrix3x4, m);
SINEW_SAME_LAYOUT(SinewCompactMatrix, CompactMatrix, words);

}  // namespace sinew::c

struct SinewCharacter {
  std::shared_ptr<sinew::c::CharacterContent> content;
};

namespace sinew::c {

/// The handle of a file's content.
SinewCharacter* make_character(CharacterFile&& file);

const CharacterContent& content_of(const SinewCharacter* character, const char* name = "character");

/// The content, to be changed: not while an evaluator or a planner shares it.
CharacterContent& changeable(SinewCharacter* character);

/// A copy of the caller's mesh, valid for palettes of that size, or the end of the call.
Mesh read_mesh(const SinewMesh* given, uint32_t palette_size);

}  // namespace sinew::c
