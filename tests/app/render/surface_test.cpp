// What surfaces look like: pixels of a cloth in front of a wall. All skinning modes, with and without shadow maps and a
// depth pass.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string>

#include "render/surfaces.h"

namespace sinew::app {
namespace {

/// The wall is 2 m high, and as wide whatever its height is.
TEST_F(Surfaces, AreStretchedUpward) {
  for (How how : kHows) {
    for (const int stretch : {-32, 0, 31}) {
      how.stretch = int8_t(stretch);
      ASSERT_NO_FATAL_FAILURE(draw(cloth_before_wall(), how)) << words_of(how);
      EXPECT_EQ(is_red(at(0, 1.92f, 0)), stretch >= 0) << words_of(how);
      EXPECT_EQ(is_red(at(0, 2.08f, 0)), stretch > 0) << words_of(how);
      EXPECT_TRUE(is_red(at(0.95f, 1, 0)) && !is_red(at(1.05f, 1, 0))) << words_of(how);
    }
  }
}

TEST_F(Surfaces, OpaqueAlphaIsIgnored) {
  for (const How& how : kHows) {
    Character character = cloth_before_wall();
    character.images = {half_clear()};
    character.materials[1].base_color_texture.image = 0;
    character.materials[1].base_color.w = 0.1f;
    ASSERT_NO_FATAL_FAILURE(draw(std::move(character), how)) << words_of(how);
    EXPECT_TRUE(is_blue(left_of_cloth()) && is_blue(right_of_cloth()) && is_red(wall())) << words_of(how);
  }
}

TEST_F(Surfaces, MasksHaveHoles) {
  for (const How& how : kHows) {
    Character character = cloth_before_wall();
    character.images = {half_clear()};
    character.materials[1].base_color_texture.image = 0;
    character.materials[1].alpha_mode = AlphaMode::kMask;
    ASSERT_NO_FATAL_FAILURE(draw(std::move(character), how)) << words_of(how);
    EXPECT_TRUE(is_red(left_of_cloth())) << words_of(how);
    EXPECT_TRUE(is_blue(right_of_cloth())) << words_of(how);
  }
}

TEST_F(Surfaces, MasksAreCutByVertexAlphaAndFactorToo) {
  for (const How& how : kHows) {
    Character character = cloth_before_wall();
    character.mesh.colors.resize(8);
    character.mesh.colors[4].a = character.mesh.colors[6].a = 0;  // the left corners of the cloth
    character.materials[1].alpha_mode = AlphaMode::kMask;
    character.materials[1].base_color.w = 0.9f;
    ASSERT_NO_FATAL_FAILURE(draw(character, how)) << words_of(how);
    EXPECT_TRUE(is_red(left_of_cloth())) << words_of(how);
    EXPECT_TRUE(is_blue(right_of_cloth())) << words_of(how);
    character.materials[1].alpha_cutoff = 0.95f;
    ASSERT_NO_FATAL_FAILURE(draw(character, how)) << words_of(how);
    EXPECT_TRUE(is_red(right_of_cloth())) << words_of(how);
  }
}

/// The wall comes after the cloth in the file: the cloth must not hide it.
TEST_F(Surfaces, WhatBlendsShowsWhatIsBehindInTheSharesOfItsAlpha) {
  for (const How& how : kHows) {
    Character character = cloth_before_wall();
    ASSERT_NO_FATAL_FAILURE(draw(character, how));
    const Color opaque = right_of_cloth();
    std::swap(character.materials[0], character.materials[1]);
    character.mesh.parts[0].material = 1, character.mesh.parts[1].material = 0;
    Material& cloth = character.materials[0];
    cloth.alpha_mode = AlphaMode::kBlend;
    cloth.base_color.w = 0;
    ASSERT_NO_FATAL_FAILURE(draw(character, how));
    const Color behind = right_of_cloth();
    EXPECT_TRUE(is_red(behind)) << words_of(how);
    cloth.base_color.w = 0.5f;
    ASSERT_NO_FATAL_FAILURE(draw(character, how));
    const auto linear = [](int byte) { return std::pow(double(byte) / 255, 2.2); };
    const auto mean = [&](int a, int b) { return int(255 * std::pow((linear(a) + linear(b)) / 2, 1 / 2.2)); };
    const Color expected{mean(opaque.r, behind.r), mean(opaque.g, behind.g), mean(opaque.b, behind.b)};
    EXPECT_LT(distance(right_of_cloth(), expected), how.passes > 1 ? 25 : 6) << words_of(how);
  }
}

TEST_F(Surfaces, WhatBlendsIsDrawnInTheOrderOfItsMaterials) {
  Character character = cloth_before_wall();
  add_square(character.mesh, "veil", 2, 0.5f, 0.1f);  // behind the cloth, but a later material
  character.materials.push_back(
      {.name = "veil", .base_color = {0.1f, 0.8f, 0.1f, 0.9f}, .alpha_mode = AlphaMode::kBlend});
  character.materials[1].alpha_mode = AlphaMode::kBlend, character.materials[1].base_color.w = 0.9f;
  ASSERT_NO_FATAL_FAILURE(draw(character));
  EXPECT_GT(right_of_cloth().g, right_of_cloth().b) << "neither writes depth: the last covers";
}

/// The order of triangles in the file does not matter.
TEST_F(Surfaces, OfWhatBlendsFrontFacesCoverBackFaces) {
  std::array<Color, 2> seen;
  for (const bool front_first : {false, true}) {
    Character character = cloth_before_wall();
    character.mesh = {};
    character.mesh.first_influence = {0};
    add_square(character.mesh, "wall", 0, 1, 0);
    const auto add_front = [&] { add_square(character.mesh, "front", 1, 0.5f, 0.2f); };
    if (front_first) add_front();
    add_square(character.mesh, "back", 1, 0.5f, 0.1f, true);
    if (!front_first) add_front();
    character.mesh.colors.resize(12);
    for (const MeshPart& part : character.mesh.parts) {
      if (part.name != "back") continue;
      for (uint32_t v = part.first_vertex; v < part.first_vertex + 4; ++v)
        character.mesh.colors[v] = {65535, 0, 0, 65535};
    }
    character.materials[1] = {
        .name = "cloth", .base_color = {0.9f, 0.9f, 0.9f, 0.6f}, .alpha_mode = AlphaMode::kBlend, .double_sided = true};
    ASSERT_NO_FATAL_FAILURE(draw(std::move(character)));
    seen[front_first] = right_of_cloth();
  }
  EXPECT_LT(distance(seen[0], seen[1]), 2);
  EXPECT_LT(seen[0].r, 2 * seen[0].b) << "the white front covers the red back";
}

TEST_F(Surfaces, BacksAreSeenOnlyOfDoubleSidedParts) {
  for (const How& how : kHows) {
    for (const bool double_sided : {false, true}) {
      Character character = cloth_before_wall();
      character.mesh = {};
      character.mesh.first_influence = {0};
      add_square(character.mesh, "wall", 0, 1, 0);
      add_square(character.mesh, "cloth", 1, 0.5f, 0.2f, true);
      character.materials[1].double_sided = double_sided;
      ASSERT_NO_FATAL_FAILURE(draw(std::move(character), how));
      EXPECT_EQ(is_blue(right_of_cloth()), double_sided) << words_of(how);
      EXPECT_EQ(is_red(right_of_cloth()), !double_sided) << words_of(how);
      EXPECT_TRUE(is_red(wall())) << words_of(how);
    }
  }
}

TEST_F(Surfaces, UnlitColorsAreSeenAsTheyAre) {
  for (const How& how : kHows) {
    Character character = cloth_before_wall();
    character.materials[0].base_color = character.materials[1].base_color = {0.5f, 0.5f, 0.5f, 1};
    character.materials[1].unlit = true;
    ASSERT_NO_FATAL_FAILURE(draw(character, how)) << words_of(how);
    const Color front = left_of_cloth(), lit = wall();
    EXPECT_GT(distance(front, lit), 20) << words_of(how);
    for (Vec3& normal : character.mesh.normals) normal = {0, -1, 0};  // away from the light
    ASSERT_NO_FATAL_FAILURE(draw(character, how)) << words_of(how);
    EXPECT_EQ(distance(left_of_cloth(), front), 0) << words_of(how);
    EXPECT_GT(distance(wall(), lit), 20) << words_of(how);
  }
}

/// From behind, a double-sided wall is lit as one that looks there.
TEST_F(Surfaces, TheBackIsLitByItsOwnNormal) {
  for (const bool mirrored : {false, true}) {
    Character character = cloth_before_wall();
    character.mesh = {};
    character.mesh.first_influence = {0};
    add_square(character.mesh, "wall", 0, 1, 0, true);
    const float behind = 3.14159265f;
    ASSERT_NO_FATAL_FAILURE(draw(character, {.yaw = behind}));
    const Color front = at(0.5f, 1.5f, 0);
    character.materials[0].double_sided = true;
    for (Vec3& normal : character.mesh.normals) normal.z = 1;  // the normals of the other side
    if (mirrored) std::swap(character.mesh.indices[1], character.mesh.indices[2]);
    if (mirrored) std::swap(character.mesh.indices[4], character.mesh.indices[5]);
    ASSERT_NO_FATAL_FAILURE(draw(character, {.yaw = behind}));
    EXPECT_LT(distance(at(0.5f, 1.5f, 0), front), 3) << mirrored;
  }
}

TEST_F(Surfaces, VertexColorsTint) {
  for (const How& how : kHows) {
    Character character = cloth_before_wall();
    character.materials[1].base_color = {1, 1, 1, 1};
    character.mesh.colors.resize(8);
    for (const size_t corner : {4u, 6u}) character.mesh.colors[corner] = {60000, 0, 0, 0};  // alpha is ignored
    for (const size_t corner : {5u, 7u}) character.mesh.colors[corner] = {0, 0, 60000, 65535};
    ASSERT_NO_FATAL_FAILURE(draw(std::move(character), how));
    EXPECT_TRUE(is_red(at(-0.45f, 1, 0.2f))) << words_of(how);
    EXPECT_TRUE(is_blue(at(0.45f, 1, 0.2f))) << words_of(how);
  }
}

/// The sun is at the upper right: the shadow of the cloth lies at the left of it.
TEST_F(Surfaces, MasksAndHairCastTheirShadowAndGlassDoesNot) {
  const auto shadow = [&](AlphaMode mode, float alpha, bool image) {
    Character character = cloth_before_wall();
    character.materials[1].alpha_mode = mode, character.materials[1].base_color.w = alpha;
    character.images = {half_clear()};
    character.materials[1].base_color_texture.image = image ? 0 : -1;
    draw(std::move(character), {.passes = 2});
    return wall().r - at(-0.65f, 0.7f, 0).r;  // the wall's light there is that of the cloth's left half
  };
  const int opaque = shadow(AlphaMode::kOpaque, 1, false);
  EXPECT_GT(opaque, 15);
  EXPECT_LT(shadow(AlphaMode::kMask, 1, true), opaque / 3) << "a hole lets the light through";
  EXPECT_GT(shadow(AlphaMode::kBlend, 0.8f, false), opaque * 2 / 3) << "hair";
  EXPECT_LT(shadow(AlphaMode::kBlend, 0.2f, false), opaque / 3) << "glass";
}

TEST_F(Surfaces, DataColorsAndVelocityDrawThemToo) {
  for (const Coloring coloring : {Coloring::kLevel, Coloring::kUpdateGroup, Coloring::kVelocity}) {
    for (const AlphaMode mode : {AlphaMode::kOpaque, AlphaMode::kMask, AlphaMode::kBlend}) {
      if (coloring == Coloring::kVelocity && !context_.device.buffer_addresses) continue;
      Character character = cloth_before_wall();
      character.images = {half_clear()};
      character.materials[1].base_color_texture.image = 0;
      character.materials[1].alpha_mode = mode;
      ASSERT_NO_FATAL_FAILURE(draw(std::move(character), {.passes = 4, .coloring = coloring}));
      EXPECT_LT(distance(left_of_cloth(), wall()), 12) << "one color for all parts of an instance";
    }
  }
}

}  // namespace
}  // namespace sinew::app
