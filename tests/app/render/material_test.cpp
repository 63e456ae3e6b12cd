// What the maps of materials look like: pixels of a cloth in front of a wall, in all skinning modes.
#include <array>

#include "render/surfaces.h"

namespace sinew::app {
namespace {

using Texel = std::array<uint8_t, 3>;
using Photos = std::span<const Photo>;

/// An image of two columns of 8 texels each.
sinew::Image two_columns(Texel left, Texel right) {
  sinew::Image image{"two", 16, 16, {}};
  for (int i = 0; i < 16 * 16; ++i) {
    const Texel& color = i % 16 < 8 ? left : right;
    image.rgba.insert(image.rgba.end(), {color[0], color[1], color[2], 255});
  }
  return image;
}
sinew::Image one_color(Texel color) { return two_columns(color, color); }

/// The cloth before the wall, with tangents; `change` gives its material.
template <class Change>
Exhibit cloth_with(const sinew::Image& image, const Change& change) {
  Character character = cloth_before_wall();
  character.mesh.tangents.assign(character.mesh.positions.size(), {1, 0, 0, 1});
  character.images = {image};
  change(character, character.materials[1]);
  return {std::move(character)};
}

constexpr Texel kUp = {128, 128, 255};  // of a normal map: no slope

Exhibit with_normal_map(Texel texel, float scale = 1) {
  return cloth_with(one_color(texel), [&](Character&, Material& m) {
    m.normal_texture.image = 0;
    m.normal_scale = scale;
  });
}
Exhibit with_normal(Vec3 normal) {
  return cloth_with(one_color(kUp), [&](Character& c, Material&) {
    for (uint32_t v = 4; v < 8; ++v) c.mesh.normals[v] = normal;
  });
}

// v points down, and the second axis of a normal map up.
constexpr std::pair<Texel, Vec3> kSlopes[] = {{kUp, {0, 0, 1}},
                                              {{218, 128, 218}, {0.7071f, 0, 0.7071f}},
                                              {{38, 128, 218}, {-0.7071f, 0, 0.7071f}},
                                              {{128, 218, 218}, {0, 0.7071f, 0.7071f}}};

/// Each with what looks like it.
SurfaceCase normal_maps() {
  std::vector<Exhibit> exhibits;
  for (const auto& [texel, normal] : kSlopes) {
    exhibits.push_back(with_normal_map(texel));
    exhibits.push_back(with_normal(normal));
  }
  return {"a normal map is seen as the normals that it has", std::move(exhibits), [](Photos seen, const How&) {
            for (size_t i = 0; i < seen.size(); i += 2) {
              // GPUs filter textures with fewer bits: 4 on an H100.
              EXPECT_LE(distance(seen[i].left(), seen[i + 1].left()), 4) << i / 2;
              EXPECT_LE(distance(seen[i].right(), seen[i + 1].left()), 4) << i / 2;
              if (i == 0) continue;
              EXPECT_GT(distance(seen[i + 1].left(), seen[i - 1].left()), 5) << "slopes differ";
            }
          }};
}

Exhibit with_roughness(float metallic, float roughness) {
  return cloth_with(one_color(kUp), [&](Character&, Material& m) { m.metallic = metallic, m.roughness = roughness; });
}
Exhibit with_roughness_map(Texel texel) {
  return cloth_with(one_color(texel), [&](Character&, Material& m) {
    m.metallic_roughness_texture.image = 0;
    m.metallic = m.roughness = 1;
  });
}
Exhibit with_occlusion(float strength) {
  return cloth_with(two_columns({0, 255, 255}, {255, 0, 0}), [&](Character&, Material& m) {
    m.occlusion_texture.image = 0;
    m.occlusion_strength = strength;
  });
}

/// White at the right, where nothing else is changed.
template <class Change>
Exhibit glowing(const Change& change) {
  return cloth_with(two_columns({0, 0, 0}, {255, 255, 255}), [&](Character& c, Material& m) {
    m.emissive_texture.image = 0;
    m.emissive = {0, 1, 0};
    change(c, m.emissive_texture);
  });
}

std::vector<SurfaceCase> materials() {
  return {
      normal_maps(),
      {"the scale of a normal map flattens it",
       {with_normal_map(kUp), with_normal_map({218, 128, 218}, 0)},
       [](Photos seen, const How&) { EXPECT_LE(distance(seen[0].left(), seen[1].left()), 2); }},
      {"metallic is the blue of its map, and roughness the green",
       {with_roughness(0, 1), with_roughness(1, 1), with_roughness(1, 0.2f), with_roughness_map({77, 255, 0}),
        with_roughness_map({77, 255, 255}), with_roughness_map({77, 51, 255})},
       [](Photos seen, const How&) {
         EXPECT_GT(distance(seen[0].left(), seen[1].left()), 10) << "metal";
         EXPECT_GT(distance(seen[1].left(), seen[2].left()), 5) << "smooth";
         for (size_t i = 0; i < 3; ++i) EXPECT_LE(distance(seen[i].left(), seen[i + 3].left()), 2) << i;
       }},
      {"occlusion darkens by its strength",
       {with_occlusion(0), with_occlusion(0.5f), with_occlusion(1)},
       [](Photos seen, const How&) {
         for (size_t i = 0; i < 3; ++i) EXPECT_GE(seen[i].right().b, seen[i].left().b);
         for (size_t i = 1; i < 3; ++i) EXPECT_GT(seen[i - 1].left().b, seen[i].left().b + 3);
       }},
      // Emission is added where its texture has it. A texture is read with its own set of uvs, and its own transform.
      {"emission, moved and repeated",
       {glowing([](Character&, Texture&) {}), glowing([](Character&, Texture& t) { t.offset.x = 0.5f; }),
        glowing([](Character& c, Texture& t) {
          c.mesh.second_uvs = c.mesh.uvs;
          for (Vec2& uv : c.mesh.second_uvs) uv.x = 1 - uv.x;
          t.uv_set = 1;
        }),
        glowing([](Character&, Texture& t) { t.offset.x = 1.5f; }),
        glowing([](Character&, Texture& t) { t.offset.x = 1.5f, t.wrap_u = Wrap::kClamp; }),
        glowing([](Character&, Texture& t) { t.offset.x = 1, t.wrap_u = Wrap::kMirror; })},
       [](Photos seen, const How&) {
         constexpr bool kLeftGlows[] = {false, true, true, true, true, true};
         constexpr bool kRightGlows[] = {true, false, false, false, true, false};
         for (size_t i = 0; i < 6; ++i) {
           EXPECT_TRUE(kLeftGlows[i] ? seen[i].left().g > 200 : seen[i].left().g < 150) << i;
           EXPECT_TRUE(kRightGlows[i] ? seen[i].right().g > 200 : seen[i].right().g < 150) << i;
         }
       }},
      {"a base color is read with its transform",
       {cloth_with(two_columns({255, 0, 0}, {0, 0, 255}),
                   [](Character&, Material& m) {
                     m.base_color = {1, 1, 1, 1};
                     m.base_color_texture.image = 0;
                     m.base_color_texture.offset.x = 0.5f;
                   })},
       [](Photos seen, const How&) { EXPECT_TRUE(is_blue(seen[0].left()) && is_red(seen[0].right())); }},
  };
}

class Materials : public Surfaces {};

TEST_F(Materials, AreSeenAsTheirMapsSay) {
  for (const How& how : kHows) expect_seen(materials(), how);
}

/// A renderer whose models all have tangents skins them; this one cannot.
TEST_F(Materials, ModelsWithoutTangentsShowTheirNormalMapsToo) {
  Exhibit without = with_normal_map({218, 128, 218});
  without.character.mesh.tangents.clear();
  expect_seen({{"without tangents",
                {without, with_normal(kSlopes[1].second)},
                [](Photos seen, const How&) { EXPECT_LE(distance(seen[0].left(), seen[1].left()), 4); }}},
              {});
}

}  // namespace
}  // namespace sinew::app
