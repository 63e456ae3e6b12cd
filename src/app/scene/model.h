// A character as a model of the crowd: the clips it may play, and its transform to the ground of a world in meters.
#pragma once

#include <algorithm>
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
#include "sinew/asset/import_report.h"
#include "sinew/asset/result.h"

namespace sinew::app {

/// The index range of one material. Triangles are sorted by material, in the order in which they are drawn.
struct MaterialRange {
  uint32_t material = 0;
  uint32_t first_index = 0, index_count = 0;  // in Level::indices
};

/// The mesh of one level of detail.
struct Level {
  Mesh mesh;
  std::vector<uint32_t> indices;  // those of the mesh, by material
  std::vector<MaterialRange> material_ranges;
  float error = 0;  // meters between its surface and that of the finest level
};

/// Whether vertices stay in the order of the file, or are sorted for fast skinning by order_by_influences(). The order
/// does not show in pictures.
enum class VertexOrder : uint8_t { kOfFile, kByInfluences };

/// How a crowd, or the viewer, uses a character.
struct ModelOptions {
  std::optional<std::vector<uint32_t>> clips;  // the clips it plays, in Character::clips; none: those that are playable
  bool changes_clips = true;                   // as Model has it
  bool tinted = true;                          // as Model has it
  VertexOrder order = VertexOrder::kByInfluences;
};

/// How a clip moves its character over the ground; of an instance of scale 1 that looks along z. Meters; y is 0.
struct ClipMotion {
  Vec3 velocity;  // per second of the clip, so that planted feet stand still
  Vec3 in_clip;   // what the clip itself moves the character by, from its first frame to its last; 0: it stays in place

  float speed() const { return length(velocity); }
};

struct Model {
  std::string name;  // of the file, without folder and extension
  Character character;
  std::vector<Level> levels;    // of detail; the first is the character's own mesh
  std::vector<uint32_t> clips;  // clips that a crowd may play, in Character::clips; empty: the rest pose
  bool changes_clips = true;    // false: each instance plays one of them for ever, without an arm overlay
  bool tinted = true;           // whether each instance gets a color of its own; else all have those of the file
  std::optional<ArmOverlay> arm_overlay;
  std::optional<ClipMotion> walk;  // of the only clip that it plays, in scenes whose instances move; none: it stands
  std::vector<std::vector<float>> masks;  // that layers name: number m is masks[m - 1]; kArmMask for the arm overlay
  ImportReport report;
  std::optional<ModelBake> bake;          // with the crowd evaluator
  std::optional<BakedCharacter> baked;    // as loaded, until it is moved to `bake`; or made for `bounds`
  double isolated_bake_ms = 0;            // time that the import worker took for `baked`
  std::optional<CharacterBounds> bounds;  // of all poses it plays; without bounds it is never culled

  Matrix3x4 world_from_model;  // to y up, front along z, meters, feet on the ground at the origin
  float height = 0;            // meters; median over its clips
  float radius = 0;            // meters on the ground; half its width
  float diagonal = 0;          // of the bounding box of its poses, in model units

  /// The larger of height and width, in meters.
  float size() const { return std::max(height, 2 * radius); }

  /// From the palette of one posed mesh to the next, in matrices; morph weights lie between them.
  uint32_t palette_stride() const {
    return uint32_t(sinew::palette_stride(character.skin.palette_size(), character.mesh.target_count()));
  }

  /// The bake that `bounds` is measured from; null where there is none.
  const BakedCharacter* bounded_clips() const { return bake ? &bake->baked : baked ? &*baked : nullptr; }
};

/// Whether a part of a model has a normal map.
bool has_normal_map(const Model& model);

/// Makes a model of a loaded file: measures the poses that it will play. Keeps the bake of a `.sinew` file. Fails
/// (kInvalidData) for a file without triangles, or whose clips move vertices out of range. `path` gives the model's
/// name.
Result<Model> make_model(const std::string& path, CharacterFile file, const ModelOptions& options = {});

/// Loads a character, and makes a model of it.
Result<Model> load_model(const std::string& path, const LoadOptions& options, const ModelOptions& model_options = {});

/// Adds coarser levels of detail. They use the palettes of the first level, because their skin is the same.
Status add_levels(Model& model);

/// The path of the built-in character: beside the sources of this build, or in the installation.
Result<std::string> find_builtin_character();

/// The built-in character's other looks: the files in the folder `looks` beside it, by name. Empty: there are none.
std::vector<std::string> find_builtin_looks();

/// Whether a path names a look that holds a weapon. It has clips of its own for its hands.
bool is_armed_look(const std::string& path);

/// The file with more clips for the built-in character and its unarmed looks. Empty: there is none.
std::optional<std::string> find_builtin_clips();

/// Whether a path names the file of the built-in character.
bool is_builtin_character(const std::string& path);

}  // namespace sinew::app
