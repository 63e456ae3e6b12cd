#include "made_files.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "child.h"
#include "import/gltf_file.h"
#include "merged_level.h"
#include "sinew/asset/character_file.h"
#include "sinew/import/import.h"
#include "sinew/import/model.h"

namespace sinew::test {
namespace {

void write_merged(const std::string& path) {
  const auto model = must(load_model(kCharacter, {.levels = {.triangle_shares = {}, .small_levels = false}}));
  ASSERT_TRUE(write_model_file(path, with_merged_level(*model)));
}

/// One triangle on two joints, and a clip that turns one of them.
void write_small(const std::string& path) {
  const TemporaryFolder folder;
  GltfFile gltf = two_joints();
  auto character = must(load_character(gltf.write(folder)));
  JointTracks tracks;
  tracks.joint = 1;
  tracks.rotation = {{0, 0.4f, 1}, {{0, 0, 0, 1}, {0, 0.6f, 0, 0.8f}, {0, 0, 0, 1}}, Interpolation::kLinear};
  character.clips = {{"nod", 0, 1, {tracks}}};
  ASSERT_TRUE(write_character_file(path, {character, {}, {}}));
}

void stretch(Character& character) { character.clips.front().tracks.front().scale = {{0, 1}, {{1, 1, 1}, {1, 2, 1}}}; }

void add_endless_clip(Character& character) {
  JointTracks tracks;
  tracks.translation = {{0, 500000}, {{0, 0, 0}, {1, 0, 0}}, Interpolation::kLinear};
  Clip clip{"endless", 0, 0, {tracks}};
  set_time_range(clip);
  character.clips.push_back(clip);
}

void mark(Character& character) { character.clips[0].markers = {{0.25f, "left foot down"}, {1, "h\"op"}}; }

}  // namespace

void make_character_file(const std::string& name, const std::string& path) {
  if (name == "merged") return write_merged(path);
  if (name == "small") return write_small(path);
  auto character = must(load_character(kCharacter));
  if (name == "stretched") {
    stretch(character);
  } else if (name == "endless") {
    add_endless_clip(character);
  } else if (name == "marked") {
    mark(character);
  } else if (name == "additive" || name == "still") {
    character.clips = {{"nothing", 0, 1, {}, name == "additive"}};
  } else {
    throw std::out_of_range(name);
  }
  ASSERT_TRUE(write_character_file(path, {character, {}, {}}));
}

}  // namespace sinew::test
