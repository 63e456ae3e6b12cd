// What the maps of materials look like: pixels of a cloth in front of a wall, in all skinning modes.
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <utility>

#include "render/surfaces.h"

namespace sinew::app {
namespace {

/// An image of two columns of 8 texels each.
sinew::Image two_columns(std::array<uint8_t, 3> left, std::array<uint8_t, 3> right) {
  sinew::Image image{"two", 16, 16, {}};
  for (int i = 0; i < 16 * 16; ++i) {
    const auto& color = i % 16 < 8 ? left : right;
    image.rgba.insert(image.rgba.end(), {color[0], color[1], color[2], 255});
  }
  return image;
}
sinew::Image one_color(std::array<uint8_t, 3> color) { return two_columns(color, color); }

/// The cloth before the wall, with tangents; `change` gives its material.
Character cloth_with(const sinew::Image& image, const std::function<void(Character&, Material&)>& change) {
  Character character = cloth_before_wall();
  character.mesh.tangents.assign(character.mesh.positions.size(), {1, 0, 0, 1});
  character.images = {image};
  change(character, character.materials[1]);
  return character;
}

constexpr std::array<uint8_t, 3> kUp = {128, 128, 255};  // of a normal map: no slope

class Materials : public Surfaces {};

TEST_F(Materials, ANormalMapIsSeenAsTheNormalsThatItHas) {
  struct Slope {
    std::array<uint8_t, 3> texel;
    Vec3 normal;
  };
  // v points down, and the second axis of a normal map up.
  const Slope slopes[] = {{kUp, {0, 0, 1}},
                          {{218, 128, 218}, {0.7071f, 0, 0.7071f}},
                          {{38, 128, 218}, {-0.7071f, 0, 0.7071f}},
                          {{128, 218, 218}, {0, 0.7071f, 0.7071f}}};
  Color last;
  for (const Slope& slope : slopes) {
    const auto expected_normals = [&](Character& character, Material&) {
      for (uint32_t v = 4; v < 8; ++v) character.mesh.normals[v] = slope.normal;
    };
    draw(cloth_with(one_color(kUp), expected_normals));
    const Color expected = left_of_cloth();
    EXPECT_GT(distance(expected, last), 5) << "slopes differ";
    last = expected;
    for (const How& how : kHows) {
      draw(cloth_with(one_color(slope.texel), [](Character&, Material& m) { m.normal_texture.image = 0; }), how);
      // GPUs filter textures with fewer bits: 4 on an H100.
      EXPECT_LE(distance(left_of_cloth(), expected), 4) << words_of(how) << int(slope.texel[0]);
      EXPECT_LE(distance(right_of_cloth(), expected), 4) << words_of(how) << int(slope.texel[0]);
    }
  }
}

TEST_F(Materials, TheScaleOfANormalMapFlattensIt) {
  draw(cloth_with(one_color(kUp), [](Character&, Material& m) { m.normal_texture.image = 0; }));
  const Color flat = left_of_cloth();
  draw(cloth_with(one_color({218, 128, 218}), [](Character&, Material& m) {
    m.normal_texture.image = 0;
    m.normal_scale = 0;
  }));
  EXPECT_LE(distance(left_of_cloth(), flat), 2);
}

TEST_F(Materials, MetallicIsTheBlueOfItsMapAndRoughnessTheGreen) {
  const auto plain = [&](float metallic, float roughness) {
    draw(cloth_with(one_color(kUp), [&](Character&, Material& m) { m.metallic = metallic, m.roughness = roughness; }));
    return left_of_cloth();
  };
  const auto mapped = [&](std::array<uint8_t, 3> texel) {
    draw(cloth_with(one_color(texel), [&](Character&, Material& m) {
      m.metallic_roughness_texture.image = 0;
      m.metallic = m.roughness = 1;
    }));
    return left_of_cloth();
  };
  const Color matte = plain(0, 1), metal = plain(1, 1), smooth = plain(1, 0.2f);
  EXPECT_GT(distance(matte, metal), 10);
  EXPECT_GT(distance(smooth, metal), 5);
  EXPECT_LE(distance(mapped({77, 255, 0}), matte), 2);
  EXPECT_LE(distance(mapped({77, 255, 255}), metal), 2);
  EXPECT_LE(distance(mapped({77, 51, 255}), smooth), 2);
}

TEST_F(Materials, OcclusionDarkensByItsStrength) {
  const auto left = [&](float strength) {
    draw(cloth_with(two_columns({0, 255, 255}, {255, 0, 0}), [&](Character&, Material& m) {
      m.occlusion_texture.image = 0;
      m.occlusion_strength = strength;
    }));
    EXPECT_GE(right_of_cloth().b, left_of_cloth().b);
    return left_of_cloth().b;
  };
  const int none = left(0), half = left(0.5f), all = left(1);
  EXPECT_GT(none, half + 3);
  EXPECT_GT(half, all + 3);
}

TEST_F(Materials, EmissionIsAddedWhereItsTextureHasIt) {
  for (const How& how : kHows) {
    draw(cloth_with(two_columns({0, 0, 0}, {255, 255, 255}),
                    [](Character&, Material& m) {
                      m.emissive_texture.image = 0;
                      m.emissive = {0, 1, 0};
                    }),
         how);
    EXPECT_LT(left_of_cloth().g, 150) << words_of(how);
    EXPECT_GT(right_of_cloth().g, 200) << words_of(how);
  }
}

TEST_F(Materials, ATextureIsReadWithItsOwnSetAndTransform) {
  const sinew::Image image = two_columns({0, 0, 0}, {255, 255, 255});
  const auto glow = [&](const std::function<void(Character&, Texture&)>& change) {
    draw(cloth_with(image, [&](Character& c, Material& m) {
      m.emissive_texture.image = 0;
      m.emissive = {0, 1, 0};
      change(c, m.emissive_texture);
    }));
    return std::pair(left_of_cloth().g > 200, right_of_cloth().g > 200);
  };
  EXPECT_EQ(glow([](Character&, Texture&) {}), std::pair(false, true));
  EXPECT_EQ(glow([](Character&, Texture& t) { t.offset.x = 0.5f; }), std::pair(true, false));
  EXPECT_EQ(glow([](Character& c, Texture& t) {
              c.mesh.second_uvs = c.mesh.uvs;
              for (Vec2& uv : c.mesh.second_uvs) uv.x = 1 - uv.x;
              t.uv_set = 1;
            }),
            std::pair(true, false));
  EXPECT_EQ(glow([](Character&, Texture& t) { t.offset.x = 1.5f; }), std::pair(true, false)) << "it repeats";
  EXPECT_EQ(glow([](Character&, Texture& t) { t.offset.x = 1.5f, t.wrap_u = Wrap::kClamp; }), std::pair(true, true));
  EXPECT_EQ(glow([](Character&, Texture& t) { t.offset.x = 1, t.wrap_u = Wrap::kMirror; }), std::pair(true, false));
}

TEST_F(Materials, ABaseColorIsReadWithItsTransform) {
  for (const How& how : kHows) {
    draw(cloth_with(two_columns({255, 0, 0}, {0, 0, 255}),
                    [](Character&, Material& m) {
                      m.base_color = {1, 1, 1, 1};
                      m.base_color_texture.image = 0;
                      m.base_color_texture.offset.x = 0.5f;
                    }),
         how);
    EXPECT_TRUE(is_blue(left_of_cloth())) << words_of(how);
    EXPECT_TRUE(is_red(right_of_cloth())) << words_of(how);
  }
}

TEST_F(Materials, ModelsWithoutTangentsShowTheirNormalMapsToo) {
  const auto slope = [&](bool tangents) {
    Character character =
        cloth_with(one_color({218, 128, 218}), [](Character&, Material& m) { m.normal_texture.image = 0; });
    if (!tangents) character.mesh.tangents.clear();
    draw(character);
    return left_of_cloth();
  };
  const Color with = slope(true);
  EXPECT_LE(distance(slope(false), with), 2);
}

}  // namespace
}  // namespace sinew::app
