// A character with its bake and bounds, and checks that its skinned vertices lie inside them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "rig.h"
#include "sinew/animation/bounds.h"

namespace sinew::test {

/// Random vertices within `size` of each joint along every axis. They follow this joint and up to two others.
inline void add_mesh(Character& character, size_t vertices_per_joint, float size, uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> offset(-size, size), share(0.05f, 1);
  Mesh& mesh = character.mesh;
  mesh.first_influence = {0};
  const auto entries = uint32_t(character.skin.entries.size());
  for (size_t v = 0; v < vertices_per_joint * entries; ++v) {
    const auto entry = uint32_t(v % entries);
    const Matrix3x4d mesh_from_joint = inverse(character.skin.entries[entry].joint_from_mesh);
    mesh.positions.push_back(transform_point(mesh_from_joint, {offset(random), offset(random), offset(random)}));
    mesh.normals.push_back({0, 0, 1});
    mesh.uvs.push_back({});
    std::vector<Influence> own = {{uint16_t(entry), 1}};
    if (entry > 0 && random() % 2 == 0) own.push_back({uint16_t(entry - 1), share(random)});
    if (entry > 3 && random() % 4 == 0) own.push_back({uint16_t(entry - 3), own.back().weight * 0.5f});
    float sum = 0;
    for (const Influence& influence : own) sum += influence.weight;
    for (Influence& influence : own) influence.weight /= sum;
    mesh.influences.insert(mesh.influences.end(), own.begin(), own.end());
    mesh.first_influence.push_back(uint32_t(mesh.influences.size()));
  }
  mesh.parts = {{"mesh", PartKind::kSkinned, 0, 0, mesh.vertex_count(), 0, 0}};
}

inline Character with_mesh(const RigOptions& options) {
  Character character = random_rig(options);
  add_mesh(character, 20, 0.1f, options.seed);
  return character;
}

inline double diagonal(const Box& box) { return double(length(box.high - box.low)); }

/// The distance by which `inner` extends outside `outer`. Negative: the smallest margin inside. Infinite for NaN.
inline double overhang(const Box& inner, const Box& outer) {
  const Vec3 low = outer.low - inner.low, high = inner.high - outer.high;
  if (!is_finite(low) || !is_finite(high)) return INFINITY;
  return std::max({low.x, low.y, low.z, high.x, high.y, high.z});
}

/// A character with its bake, its bounds, and an evaluator with two masks.
struct Subject {
  explicit Subject(Character made, const BakeOptions& options = {})
      : character(std::move(made)), baked(*bake(character, options)), evaluator(baked) {
    Result<CharacterBounds> measured = measure_bounds(character, baked);
    EXPECT_TRUE(measured) << measured.error().message;
    bounds = *measured;
    std::mt19937 random(7);
    for (int i = 0; i < 2; ++i) {
      std::vector<float> mask(character.skeleton.joint_count());
      for (float& factor : mask) factor = float(random() % 3) / 2;
      EXPECT_TRUE(evaluator.add_mask(mask));
    }
  }

  /// The bounding box of an instance's skinned vertices.
  Box skinned(const Playback& playback) const {
    Palettes palettes(1, baked.palette_size);
    EXPECT_TRUE(evaluator.evaluate({&playback, 1}, palettes.stride(), palettes.all()));
    const std::vector<Vec3> positions = skinned_positions(character.mesh, palettes.of(0));
    for (const Vec3 position : positions) EXPECT_TRUE(is_finite(position));
    return bounding_box(positions);
  }

  float any_time(uint32_t clip, std::mt19937& random) const {
    const BakedClip& c = baked.clips[clip];
    return std::uniform_real_distribution<float>(c.start_seconds, c.end_seconds)(random);
  }

  Layer any_layer(std::mt19937& random) const {
    const auto clip = uint32_t(random() % baked.clips.size());
    return {clip, any_time(clip, random), std::uniform_real_distribution<float>(0.01f, 1)(random),
            uint32_t(random() % 3)};
  }

  Character character;
  BakedCharacter baked;
  CrowdEvaluator evaluator;
  CharacterBounds bounds;
};

/// Checks one clip at its start, its end and random times. Returns the bounding box of the vertices at all these times.
inline Box expect_clip_inside(const Subject& subject, uint32_t clip, size_t times) {
  std::mt19937 random(clip);
  const BakedClip& baked = subject.baked.clips[clip];
  Box all = kEmptyBox;
  for (size_t i = 0; i < times; ++i) {
    const float time = i == 0 ? baked.start_seconds : i == 1 ? baked.end_seconds : subject.any_time(clip, random);
    const Playback playback{{{clip, time, 1}}};
    const Box box = subject.skinned(playback);
    EXPECT_LE(overhang(box, bounds_of(subject.bounds, subject.baked, playback)), 0) << baked.name << " at " << time;
    all = merge(all, box);
  }
  return all;
}

/// Checks `count` random playbacks of `layers` layers each.
inline void expect_layers_inside(const Subject& subject, size_t layers, size_t count) {
  std::mt19937 random{uint32_t(layers)};
  for (size_t i = 0; i < count; ++i) {
    Playback playback{{{}, {}, {}, {}}};
    for (size_t layer = 0; layer < layers; ++layer) playback.layers[layer] = subject.any_layer(random);
    const Box box = bounds_of(subject.bounds, subject.baked, playback);
    ASSERT_LE(overhang(subject.skinned(playback), box), 0) << layers << " layers, playback " << i;
  }
}

}  // namespace sinew::test
