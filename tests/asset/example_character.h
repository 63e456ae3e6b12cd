// A small valid character with data of every kind and distinct values, and a bake that matches it.
#pragma once

#include "asset/archive.h"
#include "asset/file.h"
#include "sinew/asset/character_file.h"

namespace sinew::test {

inline Clip example_clip() {
  JointTracks hip, knee;
  hip.joint = 0;
  hip.translation = {{0.5f, 1.5f}, {{1, 2, 3}, {4, 5, 6}}, Interpolation::kStep};
  hip.rotation = {{0.25f}, {{9, 8, 7, 6}, {0, 0, 0, 1}, {5, 4, 3, 2}}, Interpolation::kCubic};
  knee.joint = 1;
  knee.scale = {{0.75f, 2.5f}, {{1, 1, 1}, {2, 1, 0.5f}}, Interpolation::kLinear};
  Clip clip{"walk", 0, 0, {hip, knee}};
  clip.weights = {{1, {{0.5f, 1.5f}, {0, 1}, Interpolation::kLinear}}};
  set_time_range(clip);
  clip.markers = {{0.25f, "left foot down"}, {1, "h\xC3\xBCpf"}, {1, ""}};
  return clip;
}

inline Mesh example_mesh() {
  Mesh mesh;
  for (int v = 0; v < 40; ++v) {
    const float x = float(v);
    mesh.positions.push_back({x, x + 0.25f, x + 0.5f});
    mesh.normals.push_back({0, v % 2 ? 1.0f : -1.0f, 0});
    mesh.tangents.push_back({0.6f, 0, v % 3 ? 0.8f : -0.8f, v % 5 ? 1.0f : -1.0f});
    mesh.uvs.push_back({x / 40, 1 - x / 40});
    mesh.second_uvs.push_back({x / 80, x});
    mesh.colors.push_back({uint16_t(v * 1600), uint16_t(65535 - v), 3, uint16_t(v)});
    mesh.first_influence.push_back(uint32_t(mesh.influences.size()));
    mesh.influences.push_back({1, v % 2 ? 1 : 0.75f});
    if (v % 2 == 0) mesh.influences.push_back({2, 0.25f});
  }
  mesh.first_influence.push_back(uint32_t(mesh.influences.size()));
  mesh.indices = {0, 1, 2, 37, 38, 39};
  mesh.targets = {{"smile", 0.25f, {3, 4}, {{1, 0, 0}, {0, 2, 0}}, {}, {}},
                  {"blink", 0, {4, 39}, {{0, 1, 0}, {5, 5, 5}}, {{1, 0, 0}, {0, 0, 1}}, {{0, 1, 0}, {1, 0, 0}}}};
  mesh.parts = {{"coat", PartKind::kSkinned, 1, 0, 30, 0, 3}, {"h\xC3\xBCte", PartKind::kRigid, 0, 30, 10, 3, 3}};
  return mesh;
}

inline Texture example_texture(float seed) {
  return {0,
          uint32_t(seed) % 2,
          {seed, seed + 0.5f},
          {seed + 2, -seed},
          seed / 8,
          Wrap(int(seed) % 3),
          Wrap(int(seed + 1) % 3),
          Filter(int(seed) % 2),
          Filter(int(seed + 1) % 2),
          Filter(int(seed + 2) % 3)};
}

/// A number 1 has textures, masks and is double-sided.
inline Material example_material(const char* name, int number) {
  Material material;
  material.name = name;
  material.base_color = {1, 0.5f, 0.25f, 1};
  if (number == 0) return material;
  material.metallic = 0.25f, material.roughness = 0.75f;
  material.normal_scale = -2, material.occlusion_strength = 0.125f;
  material.emissive = {0, 1, 7};
  float seed = 0;
  for (Texture* texture : material.textures()) *texture = example_texture(++seed);
  material.alpha_mode = AlphaMode::kMask, material.alpha_cutoff = 0.25f, material.double_sided = true;
  return material;
}

inline Character example_character() {
  Character character;
  character.name = "example";
  character.space = {{0, 0, 1}, {0, -1, 0}, 0.01f};
  character.skeleton = {
      {"hip", "knee"}, {kNoJoint, 0}, {{{1, 2, 3}, {0, 0, 1, 0}, {1, 1, 2}}, {{4, 5, 6}, {}, {1, 1, 1}}}, {}};
  character.skeleton.humanoid_names = {"hips", ""};
  character.skeleton.model_from_root.m[1][3] = 0.1;
  character.skin.entries = {{kNoJoint, {}}, {0, {}}, {1, {}}};
  character.skin.entries[2].joint_from_mesh.m[2][1] = 1.0 / 3;
  character.mesh = example_mesh();
  character.clips = {example_clip(), {"still", 0, 0, {}, true}};
  character.materials = {example_material("plain", 0), example_material("cloth", 1)};
  character.images = {{"cloth.png", 2, 1, {1, 2, 3, 4, 5, 6, 7, 8}}};
  return character;
}

inline BakedCharacter example_bake() {
  BakedCharacter baked;
  baked.nodes = {{kNoJoint, -1, 0, {}}, {0, -1, 1, {1, 2, 3}}, {1, 1, 2, {4, 5, 6}}};
  for (uint32_t i = 0; i < 6; ++i) {
    BakedQuantization quantization = {};
    quantization.center[i] = float(i), quantization.scale[7 - i] = 1.0f / float(i + 1);
    baked.quantizations.push_back(quantization);
    baked.additive_quantizations.push_back(quantization);
  }
  baked.blocks_per_node = 2;
  baked.cache_lines_per_frame = 2;
  baked.frames.resize(2 * 6);
  for (size_t i = 0; i < baked.frames.size() * 32; ++i) baked.frames[i / 32].values[i % 32] = int16_t(i * 77);
  baked.clips = {{"walk", 0.25f, 2.5f, {4, 30, {0.25f, 1.5f, 1.5f, 2.5f}}, 2, 1e-5f, false, 1, 0.5f},
                 {"still", 0, 0, {2, 30, {}}, 4, 0, true}};
  baked.rest_weights = {0.25f, 0};
  baked.clip_weights = {{{3, 30, {}}, 0, 1, 0, 1e-4f}, {{0, 30, {}}, 1, 0, 3, 0}};
  baked.weight_targets = {1};
  baked.weight_values = {0, 0.5f, 1};
  baked.scale = 0.5f;
  baked.joint_count = 2;
  baked.palette_size = 3;
  baked.options = {2e-4f, 0.2f, 25, 125};
  return baked;
}

inline CharacterFile example_file() {
  CharacterFile file{example_character(), example_bake(), ImportReport()};
  file.report->vertices = 40;
  file.report->computed_normals = 7;
  file.report->computed_tangents = 3;
  file.report->largest_lost_weight = 0.125;
  file.report->warnings = {"image 'x.png' is not beside the model", ""};
  return file;
}

/// A level with a palette of its own: the hip is merged, and there are no morph targets.
inline ModelLevel example_level() {
  ModelLevel level;
  level.mesh = example_mesh();
  level.mesh.targets.clear();
  for (Influence& influence : level.mesh.influences) --influence.entry;
  level.error = 0.5f;
  level.skin = example_character().skin;
  level.skin.entries.erase(level.skin.entries.begin() + 1);
  level.baked = example_bake();
  level.baked.nodes = {{kNoJoint, -1, 0, {}}, {1, -1, 1, {4, 5, 6}}};
  level.baked.quantizations.resize(4), level.baked.additive_quantizations.resize(4);
  level.baked.cache_lines_per_frame = 1, level.baked.frames.resize(6);
  level.baked.palette_size = 2;
  level.baked.rest_weights.clear(), level.baked.clip_weights.clear();
  level.baked.weight_targets.clear(), level.baked.weight_values.clear();
  level.sockets = {{1, {{{1, 0, 0, 2}, {0, 1, 0, 3}, {0, 0, 1, 4}}}}};
  return level;
}

/// A mesh without morph targets.
inline Mesh worn(Mesh mesh) {
  mesh.targets.clear();
  return mesh;
}

/// With a level of each kind, a socket, and two wearables.
inline CharacterFile example_file_with_levels() {
  CharacterFile file = example_file();
  file.levels = {{example_mesh(), 0.25f}, example_level()};
  file.sockets = {{"knee", {2, {}}}};
  file.wearables = {{"hat", "head", {worn(example_mesh()), worn(example_mesh()), worn(example_level().mesh)}},
                    {"shield", "", {worn(example_mesh()), worn(example_mesh()), {}}}};
  return file;
}

/// A copy that begins at a multiple of 64 bytes, as decode_character() requires.
inline internal::FileBytes aligned(std::span<const std::byte> bytes) {
  internal::FileBytes copy = *internal::FileBytes::allocate(bytes.size());
  std::copy(bytes.begin(), bytes.end(), copy.bytes().begin());
  return copy;
}

/// Writes the checksum that matches the file's bytes.
inline void seal(internal::FileBytes& file) {
  const uint64_t checksum = internal::checksum_of(file.bytes());
  std::memcpy(file.bytes().data() + internal::kChecksumOffset, &checksum, sizeof(checksum));
}

}  // namespace sinew::test
