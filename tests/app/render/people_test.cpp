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

class People : public Surfaces {
 protected:
  void draw_person(Character character, How how, PersonColors colors) {
    how.tint = pack(colors);
    ASSERT_NO_FATAL_FAILURE(draw(std::move(character), how));
  }
};

TEST_F(People, HaveTheirColorsInRegionsOnly) {
  for (const How& how : kHows) {
    ASSERT_NO_FATAL_FAILURE(draw(cloth_of(Region::kTop, Region::kNone), how));
    const Color left = left_of_cloth(), right = right_of_cloth(), behind = wall();
    EXPECT_LT(distance(left, right), 12) << "gray without a person";
    ASSERT_NO_FATAL_FAILURE(draw_person(cloth_of(Region::kTop, Region::kNone), how, kBlueTop));
    EXPECT_GT(left_of_cloth().b, left_of_cloth().r + 30) << words_of(how);
    EXPECT_EQ(distance(right_of_cloth(), right), 0) << words_of(how);
    EXPECT_EQ(distance(wall(), behind), 0) << words_of(how);
  }
}

TEST_F(People, HaveAColorForEachRegion) {
  draw_person(cloth_of(Region::kTop, Region::kTrousers), {}, kBlueTrousers);
  EXPECT_TRUE(is_red(left_of_cloth()));
  EXPECT_GT(right_of_cloth().b, right_of_cloth().r + 20);
  draw_person(cloth_of(Region::kSkin, Region::kHair), {}, {5, 6, 0, 0});
  EXPECT_GT(left_of_cloth().r, left_of_cloth().b + 15) << "dark skin";
  EXPECT_GT(right_of_cloth().r, left_of_cloth().r + 60) << "blond hair";
}

TEST_F(People, HaveTheirColorsInSmallLevels) {
  for (const How& how : kHows) {
    ASSERT_NO_FATAL_FAILURE(draw_person(small_level_of(Region::kTop, Region::kNone), how, kRedTop));
    const Color left = at(-0.45f, 1, 0.2f), right = at(0.45f, 1, 0.2f);
    EXPECT_TRUE(is_red(left)) << words_of(how);
    EXPECT_LT(right.r, right.b + 40) << words_of(how);
    const Color middle = at(0, 1, 0.2f);
    EXPECT_NEAR(middle.g, (left.g + right.g) / 2, 25) << "no third region lies between two";
  }
}

TEST_F(People, KeepTheLightAndDarkOfTheTexture) {
  Character character = cloth_of(Region::kTop, Region::kTop);
  sinew::Image& image = character.images[1];
  for (size_t i = 0; i < image.rgba.size(); i += 4) {
    if (i / 4 % 16 < 8) image.rgba[i] = image.rgba[i + 1] = image.rgba[i + 2] = 90;
  }
  draw_person(std::move(character), {}, kBlueTop);
  EXPECT_GT(right_of_cloth().b, left_of_cloth().b + 30);
}

TEST_F(People, WearTheSameSteelAndLeather) {
  const auto swordsman = load_model(SINEW_SOURCE_DIR "/assets/looks/swordsman.glb", {});
  ASSERT_TRUE(swordsman);
  const auto pixels = [&](PersonColors colors, const std::array<Vec3, 4>& points) {
    draw_person(swordsman->character, {}, colors);
    std::array<Color, 4> seen;
    std::ranges::transform(points, seen.begin(), [&](Vec3 p) { return at(p.x, p.y, p.z); });
    return seen;
  };
  const std::array<Vec3, 4> steel = {
      {{0, 1.69f, 0.1f}, {-0.05f, 1.67f, 0.1f}, {0.05f, 1.67f, 0.1f}, {0, 1.66f, 0.12f}}};
  const std::array<Vec3, 4> cloth = {{{0, 1.12f, 0.13f}, {0, 1.30f, 0.12f}, {0.10f, 0.6f, 0.08f}, {0, 1.57f, 0.1f}}};
  const PersonColors one{0, 0, 7, 0}, other{5, 7, 17, 7};
  const auto steel_of_one = pixels(one, steel), steel_of_other = pixels(other, steel);
  const auto cloth_of_one = pixels(one, cloth), cloth_of_other = pixels(other, cloth);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(distance(steel_of_one[i], steel_of_other[i]), 0) << i;
    EXPECT_LT(std::abs(steel_of_one[i].r - steel_of_one[i].b), 40) << "gray";
    EXPECT_GT(distance(cloth_of_one[i], cloth_of_other[i]), 20) << i;
  }
}

TEST_F(People, DoNotTouchOtherTexturesWithAlpha) {
  for (const uint8_t alpha : {uint8_t(128), uint8_t(252)}) {
    Character character = cloth_of(Region::kTop, Region::kNone);
    for (size_t i = 3; i < character.images[1].rgba.size(); i += 4) character.images[1].rgba[i] = alpha;
    if (alpha > 128) character.materials[1].name = "cloth";
    ASSERT_NO_FATAL_FAILURE(draw(character, {}));
    const std::vector<uint8_t> own = rgba_;
    ASSERT_NO_FATAL_FAILURE(draw_person(character, {}, kBlueTop));
    EXPECT_EQ(rgba_, own);
  }
}

}  // namespace
}  // namespace sinew::app
