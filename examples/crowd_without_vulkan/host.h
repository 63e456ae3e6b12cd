// A host without Vulkan: it plans the frames of a crowd, evaluates the palettes, and skins single vertices on the CPU.
// A game server, a tool or another renderer would do the same.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sinew/animation/bounds.h"
#include "sinew/animation/evaluator.h"
#include "sinew/asset/character.h"
#include "sinew/crowd/planner.h"
#include "sinew/import/lod.h"

namespace example {

/// A character and all that a planner needs of it. Made once; not moved, because the planner points to it.
struct Actor {
  sinew::Character character;
  sinew::BakedCharacter baked;
  sinew::CharacterBounds bounds;
  std::vector<sinew::ModelLevel> coarser;   // levels of detail after the first
  std::vector<sinew::crowd::Level> levels;  // of all
  std::vector<uint32_t> clips;              // that the instances play
  sinew::Matrix3x4 upright;                 // from model space to y up, in meters

  const sinew::Mesh& mesh(uint32_t level) const { return level == 0 ? character.mesh : coarser[level - 1].mesh; }
};

/// Loads and bakes a character in a process of its own. `worker` is the path of the import worker; if it is empty, it
/// is looked for beside the program.
sinew::Result<std::unique_ptr<Actor>> load_actor(const std::string& path, const std::string& worker = {});

/// The host's instances: as many arrays as the planner reads.
struct Crowd {
  std::vector<uint32_t> characters;
  std::vector<sinew::Matrix3x4> world_from_model;
  std::vector<sinew::Playback> playbacks;
};

/// Places `count` instances on a grid, two meters apart.
Crowd make_crowd(const Actor& actor, uint32_t count);

/// What each instance plays at a time: one clip after the other, at different moments.
void play(const Actor& actor, double seconds, Crowd& crowd);

/// The camera of a frame: in front of the crowd, at the height of the eyes.
sinew::crowd::View camera(float width, float height);

/// One instance as it is drawn.
struct Drawn {
  uint32_t instance = 0, level = 0;
  uint32_t posed_mesh = 0;  // in Plan::posed_meshes
  bool shared = false, updated = true;
  sinew::Vec3 first_vertex;  // of its mesh, in world space
};

/// Evaluates what `plan` updates, and lists every instance that it draws. `palettes` has one list for each update
/// group, with one palette for each posed mesh of the group. It is kept from frame to frame: a group that is not
/// updated keeps its palettes.
sinew::Result<std::vector<Drawn>> draw(const Actor& actor, const Crowd& crowd, const sinew::crowd::Plan& plan,
                                       std::vector<std::vector<sinew::Matrix3x4>>& palettes);

}  // namespace example
