// Surfaces whose texture, or vertices, name regions: what a person has other colors in, and what keeps its own.
#include "scene/person_colors.h"

#include "sinew/import/lod.h"
#include "surfaces.h"

namespace sinew::app {
namespace {

constexpr PersonColors kBlueTop{0, 0, 17, 0}, kRedTop{0, 0, 7, 0}, kBlueTrousers{0, 0, 7, 1};

/// Gray: the left half of one region, the right half of another.
sinew::Image gray_regions(Region left, Region right) {
  sinew::Image image{"regions", 16, 16, {}};
  for (int i = 0; i < 16 * 16; ++i) {
    const Region region = i % 16 < 8 ? left : right;
    image.rgba.insert(image.rgba.end(), {150, 150, 150, uint8_t(255 - int(region))});
  }
  return image;
}

/// The wall keeps its color; the cloth has two regions.
Character cloth_of(Region left, Region right) {
  Character character = cloth_before_wall();
  character.images = {gray_regions(Region::kNone, Region::kNone), gray_regions(left, right)};
  character.materials[0].name = "wall_regions", character.materials[1].name = "cloth_regions";
  character.materials[1].base_color = {1, 1, 1, 1};
  for (int i = 0; i < 2; ++i) character.materials[size_t(i)].base_color_texture.image = i;
  return character;
}

/// The same with regions in the uv sets of a small level.
Character small_level_of(Region left, Region right) {
  Character character = cloth_of(left, right);
  character.materials[1].name = kSmallLevelMaterial;
  character.materials[1].base_color_texture = {};
  character.mesh.colors.assign(8, {20000, 20000, 20000, 65535});
  character.mesh.uvs.assign(8, {}), character.mesh.second_uvs.assign(8, {});
  const float luminance = 20000.0f / 65535;
  for (const size_t corner : {4u, 5u, 6u, 7u}) {
    const Region region = corner % 2 == 0 ? left : right;
    if (region == Region::kSkin) character.mesh.uvs[corner].x = luminance;
    if (region == Region::kHair) character.mesh.uvs[corner].y = luminance;
    if (region == Region::kTop) character.mesh.second_uvs[corner].x = luminance;
    if (region == Region::kTrousers) character.mesh.second_uvs[corner].y = luminance;
  }
  return character;
}

/// The same with the left half of its texture darker.
Character cloth_with_shade() {
  Character character = cloth_of(Region::kTop, Region::kTop);
  sinew::Image& image = character.images[1];
  for (size_t i = 0; i < image.rgba.size(); i += 4) {
    if (i / 4 % 16 < 8) image.rgba[i] = image.rgba[i + 1] = image.rgba[i + 2] = 90;
  }
  return character;
}

/// A cloth whose alpha means something else.
Character cloth_with_alpha(uint8_t alpha) {
  Character character = cloth_of(Region::kTop, Region::kNone);
  for (size_t i = 3; i < character.images[1].rgba.size(); i += 4) character.images[1].rgba[i] = alpha;
  if (alpha > 128) character.materials[1].name = "cloth";
  return character;
}

Exhibit worn(Character character, PersonColors colors) { return {std::move(character), 0, pack(colors)}; }

std::vector<SurfaceCase> people() {
  const Character top = cloth_of(Region::kTop, Region::kNone), half = cloth_with_alpha(128),
                  full = cloth_with_alpha(252);
  return {
      {"colors are in regions only",
       {{top}, worn(top, kBlueTop)},
       [](std::span<const Photo> seen, const How&) {
         EXPECT_LT(distance(seen[0].left(), seen[0].right()), 12) << "gray without a person";
         EXPECT_GT(seen[1].left().b, seen[1].left().r + 30);
         EXPECT_EQ(distance(seen[1].right(), seen[0].right()), 0);
         EXPECT_EQ(distance(seen[1].wall(), seen[0].wall()), 0);
       }},
      {"each region has a color",
       {worn(cloth_of(Region::kTop, Region::kTrousers), kBlueTrousers),
        worn(cloth_of(Region::kSkin, Region::kHair), {5, 6, 0, 0})},
       [](std::span<const Photo> seen, const How&) {
         EXPECT_TRUE(is_red(seen[0].left()));
         EXPECT_GT(seen[0].right().b, seen[0].right().r + 20);
         EXPECT_GT(seen[1].left().r, seen[1].left().b + 15) << "dark skin";
         EXPECT_GT(seen[1].right().r, seen[1].left().r + 60) << "blond hair";
       }},
      {"colors in small levels",
       {worn(small_level_of(Region::kTop, Region::kNone), kRedTop)},
       [](std::span<const Photo> seen, const How&) {
         const Color left = seen[0].at(-0.45f, 1, 0.2f), right = seen[0].at(0.45f, 1, 0.2f);
         EXPECT_TRUE(is_red(left));
         EXPECT_LT(right.r, right.b + 40);
         EXPECT_NEAR(seen[0].at(0, 1, 0.2f).g, (left.g + right.g) / 2, 25) << "no third region lies between two";
       }},
      {"light and dark of the texture are kept",
       {worn(cloth_with_shade(), kBlueTop)},
       [](std::span<const Photo> seen, const How&) { EXPECT_GT(seen[0].right().b, seen[0].left().b + 30); }},
      {"other textures with alpha keep their color",
       {{half}, worn(half, kBlueTop), {full}, worn(full, kBlueTop)},
       [](std::span<const Photo> seen, const How&) {
         EXPECT_EQ(seen[0].rgba, seen[1].rgba);
         EXPECT_EQ(seen[2].rgba, seen[3].rgba);
       }},
  };
}

class People : public Surfaces {};

TEST_F(People, HaveTheirColorsInRegions) {
  for (const How& how : kHows) expect_seen(people(), how);
}

TEST_F(People, WearTheSameSteelAndLeather) {
  const Vec3 steel[] = {{0, 1.69f, 0.1f}, {-0.05f, 1.67f, 0.1f}, {0.05f, 1.67f, 0.1f}, {0, 1.66f, 0.12f}};
  const Vec3 cloth[] = {{0, 1.12f, 0.13f}, {0, 1.30f, 0.12f}, {0.10f, 0.6f, 0.08f}, {0, 1.57f, 0.1f}};
  const auto check = [&](std::span<const Photo> seen, const How&) {
    const auto pixel = [&](size_t i, Vec3 p) { return seen[i].at(p.x, p.y, p.z); };
    for (const Vec3 p : steel) {
      EXPECT_EQ(distance(pixel(0, p), pixel(1, p)), 0) << p.x;
      EXPECT_LT(std::abs(pixel(0, p).r - pixel(0, p).b), 40) << "gray";
    }
    for (const Vec3 p : cloth) EXPECT_GT(distance(pixel(0, p), pixel(1, p)), 20) << p.y;
  };
  const Character character = must(load_model(SINEW_SOURCE_DIR "/assets/looks/swordsman.glb", {})).character;
  expect_seen({{"swordsmen", {worn(character, {0, 0, 7, 0}), worn(character, {5, 7, 17, 7})}, check}}, {});
}

}  // namespace
}  // namespace sinew::app
