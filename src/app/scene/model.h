// A character as a model of the crowd: the clips it may play, and its transform to the ground of a world in meters.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scene/load.h"
#include "scene/person_colors.h"
#include "sinew/animation/inverse_kinematics.h"
#include "sinew/asset/character.h"
#include "sinew/asset/model.h"
#include "sinew/asset/parallel.h"
#include "sinew/asset/result.h"
#include "system/clock.h"

namespace sinew::app {

inline constexpr float kPersonHeight = 1.75f;  // meters; of people whose height is not known

/// Consecutive joints.
struct JointRange {
  uint32_t begin = 0, end = 0;
  bool contains(uint32_t joint) const { return joint >= begin && joint < end; }
};

/// A joint and all below it. kNoJoint: all joints. No joint if there is no such joint.
JointRange joints_below(const Skeleton& skeleton, int32_t joint);

// Arm overlay: a clip that moves one arm, played over the clips of the rest of the character.

inline constexpr uint32_t kArmMask = 1;  // number of the arm's mask in Layer::mask

struct ArmOverlay {
  uint32_t clip = 0;                 // in Character::clips
  std::vector<float> joint_mask;     // of each joint: 1 in the arm, 0 elsewhere
  std::vector<uint32_t> base_clips;  // the overlay is played over these clips only
};

/// Finds a waving clip, calm base clips and an arm by their names. Empty where one of the three is missing.
std::optional<ArmOverlay> find_arm_overlay(const Character& character);

/// Whether vertices stay in the order of the file, or are sorted for fast skinning by order_by_influences(). The order
/// does not show in pictures.
enum class VertexOrder : uint8_t { kOfFile, kByInfluences };

/// How tall a character is in meters. As a person: by the unit of its file if that is plausible for a person, else
/// fitted to one. Its own: by the unit of its file if that is plausible for anything that lives, or else in
/// centimeters; else as a person.
enum class Sizing : uint8_t { kAsPerson, kItsOwn };

/// How a crowd, or the viewer, uses a character.
struct ModelOptions {
  std::optional<std::vector<uint32_t>> clips;  // the clips it plays, in Character::clips; none: those that are playable
  bool changes_clips = true;                   // as Model has it
  bool tinted = true;                          // as Model has it; if the character has regions
  VertexOrder order = VertexOrder::kByInfluences;
  Sizing sizing = Sizing::kAsPerson;
};

/// How a clip moves its character over the ground; of an instance of scale 1 that looks along z. Meters; y is 0.
struct ClipMotion {
  Vec3 velocity;  // per second of the clip, so that planted feet stand still
  Vec3 in_clip;   // what the clip itself moves the character by, from its first frame to its last; 0: it stays in place

  float speed() const { return length(velocity); }
};

/// The clips of those instances of a scene that do one thing.
struct Act {
  std::vector<uint32_t> clips;     // in Character::clips
  bool changes_clips = true;       // as Model has it
  std::optional<ClipMotion> walk;  // of its only clip, for instances that walk; none: they cannot
  std::optional<uint32_t> wave;    // the clip of all when a wave of spectators passes, see Role
};

/// A moment of a walk at which a foot lands.
struct Step {
  float time_seconds = 0;  // in the clip's own time
  Vec3 sole;               // its middle then, in the upright space of the model, meters; y is 0
};

/// The legs of a walk at equal times of its clip, from its start to its end. Upright space, meters.
struct Gait {
  struct Leg {
    Vec3 hip, ankle;
  };
  std::vector<std::array<Leg, 2>> samples;  // at least two; empty: there is none
  float reach[2] = {};                      // how far each ankle gets from its hip
};

/// A model of the library, and how the program uses it. The library's crowds share it: it must outlive them. Its masks
/// are those that layers name: kArmMask is that of the arm overlay, then come those of the file.
struct Model : sinew::Model {
  std::string name;                     // of the file, without folder and extension
  std::vector<uint32_t> clips;          // clips that a crowd may play, in Character::clips; empty: the rest pose
  bool changes_clips = true;            // false: each instance plays one of them for ever, without an arm overlay
  bool tinted = true;                   // whether each instance gets colors of its own, in its regions
  std::optional<RegionColors> regions;  // of regions that its people have other colors in; none: it has none
  std::vector<Act> acts;                // of scenes with roles, all of `clips`; empty: all instances do the same
  std::optional<ArmOverlay> arm_overlay;
  std::optional<ClipMotion> walk;  // of the only clip that it plays, in scenes whose instances move; none: it stands
  std::vector<Chain> chains;       // of scenes with a terrain: walking_chains(); empty: none is moved
  Gait gait;                       // likewise
  std::vector<Step> steps;         // of the only clip of the act that walks, in scenes with footprints
  double bake_ms = 0;              // time that making `baked` took; 0: its file has it
  bool has_bounds = false;         // false: `bounds` are not measured, and it is never culled

  Matrix3x4 world_from_model;  // to y up, front along z, meters, feet on the ground at the origin
  float height = 0;            // meters; of the rest pose
  float radius = 0;            // meters on the ground; half its width, the median over its clips
  float diagonal = 0;          // of the bounding box of its poses, in model units

  /// The larger of height and width, in meters.
  float size() const { return std::max(height, 2 * radius); }
  float meters_per_unit() const {
    return length(Vec3{world_from_model.m[0][0], world_from_model.m[0][1], world_from_model.m[0][2]});
  }
  /// Whether `baked` is a bake. It is that of the crowd evaluator; with the exact evaluator it is made for the bounds
  /// alone.
  bool is_baked() const { return baked.palette_size > 0; }
  bool is_whole() const { return is_baked() && has_bounds; }
};

/// The model as the library's crowds take it. It is not copied.
inline SharedModel share(const Model& model) { return {std::shared_ptr<const void>(), &model}; }

/// Leaves of the arm overlay what Model::clips has. It is none without its clip, or without one to play it over.
void restrict_overlay(Model& model);

/// Whether a part of a model has a normal map.
bool has_normal_map(const Model& model);

/// Makes a model of a loaded file: measures the poses that it will play. Keeps all that a `.sinew` file has. Fails
/// (kInvalidData) for a file without triangles, or whose clips move vertices out of range. `path` gives the model's
/// name.
Result<Model> make_model(const std::string& path, CharacterFile file, const ModelOptions& options = {});

/// Loads a character, and makes a model of it.
Result<Model> load_model(const std::string& path, const LoadOptions& options, const ModelOptions& model_options = {});

/// The parts of a model that a file holds, moved out of it and back.
CharacterFile take_file(Model& model);
void give_back(CharacterFile file, Model& model);

/// Passes the share of a bake on, and measures from its first call to its last. Must outlive the bake.
struct TimedBake {
  std::function<void(double share)> show;
  std::optional<Stopwatch> watch = {};  // from the first call
  double ms = 0;

  BakeProgress progress() {
    return {this, [](void* self, double share) {
              auto& bake = *static_cast<TimedBake*>(self);
              bake.show(share);
              if (!bake.watch) bake.watch.emplace();
              bake.ms = bake.watch->elapsed_ms();
            }};
  }
};

/// How complete() makes a model whole.
struct Completion {
  bool levels = true;  // also levels of detail, where it has none: those that were kept of an earlier run, or new ones
  ParallelFor parallel_for = {};
  BakeProgress progress = {};
};

/// Makes what a model lacks of a whole one, as load_model() does for a host, but in the space of its file: bake, bounds
/// and levels of detail. What it has stays. Warnings are in its report. Errors are those of complete_file(), with the
/// name of the model.
Status complete(Model& model, const Completion& completion = {});

/// For models that need no bake, of the exact evaluator and of the viewer. Adds coarser levels of detail where the file
/// has none: those that were kept of an earlier run, see prepared.h, or new ones, which takes seconds. Errors are in
/// model space. `warnings` gets a line where small levels cannot be made.
Status add_levels(Model& model, const ParallelFor& parallel_for = {}, std::vector<std::string>* warnings = nullptr);

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

/// What a level of detail of a model costs, how far it is from the finest one, and how small the model is on screen
/// where a crowd uses it.
struct LevelFacts {
  uint32_t triangles = 0, vertices = 0, joints = 0;  // joints: entries of its palette
  uint32_t influences = 0;                           // of a vertex, the largest number
  uint32_t parts = 0;                                // with triangles
  float error_meters = 0;                            // in the drawn world; 0 of the finest level
  /// The height of the model on screen, in pixels, above which the error of the level is more than one pixel. Infinite
  /// for the finest level.
  float height_pixels = 0;
};

/// `level` < model.level_count().
LevelFacts facts_of(const Model& model, uint32_t level);

/// Of all levels of a model.
std::vector<LevelFacts> level_facts(const Model& model);

/// Morph weights in place of those that an instance plays: one per target of a character; nothing: that of the clips.
using WeightOverrides = std::vector<std::optional<float>>;

/// `weights` are those of a level of detail, which may have fewer targets than its character.
inline void override_weights(const WeightOverrides& overrides, std::span<float> weights) {
  for (size_t i = 0; i < std::min(overrides.size(), weights.size()); ++i) {
    if (overrides[i]) weights[i] = *overrides[i];
  }
}

}  // namespace sinew::app
