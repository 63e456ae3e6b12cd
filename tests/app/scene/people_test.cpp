// The colors of people: that they fit each other, and that neighbors differ.
#include "scene/person_colors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <tuple>

#include "scene/camera.h"
#include "scene/scenes/scenes.h"
#include "scene/stage.h"

namespace sinew::app {
namespace {

TEST(PeopleColors, ColorsArePackedAndUnpacked) {
  for (const PersonColors colors : {PersonColors{}, PersonColors{5, 8, 23, 11}, PersonColors{31, 30, 29, 28}})
    EXPECT_EQ(person_colors(pack(colors)), colors);
  EXPECT_EQ(person_colors(0), std::nullopt);
}

TEST(PeopleColors, WearTrousersThatDifferFromTheTop) {
  Random random{3};
  for (uint8_t top = 0; top < palette_of(Region::kTop).size(); ++top) {
    for (int i = 0; i < 100; ++i) {
      const PersonColors colors = pick_colors(random, top);
      EXPECT_EQ(colors.top, top);
      const Vec3 a = palette_of(Region::kTop)[top], b = palette_of(Region::kTrousers)[colors.trousers];
      EXPECT_GT(length(a - b), 0.02f) << int(top) << " " << int(colors.trousers);
    }
  }
}

sinew::Image image_of(std::vector<std::array<uint8_t, 4>> texels) {
  sinew::Image image{"texels", uint32_t(texels.size()), 1, {}};
  for (const auto& texel : texels) image.rgba.insert(image.rgba.end(), texel.begin(), texel.end());
  return image;
}

Character character_with(const sinew::Image& image, const char* material = "cloth_regions") {
  Character character;
  character.images = {image};
  character.materials = {{.name = material}};
  character.materials[0].base_color_texture.image = 0;
  return character;
}

TEST(Regions, AreNamedByAlpha) {
  const auto shares = region_shares(image_of({{0, 0, 0, 255}, {0, 0, 0, 254}, {0, 0, 0, 251}, {0, 0, 0, 250}}));
  EXPECT_EQ(shares, (std::vector<uint8_t>{0, 0, 0, 0, 255, 0, 0, 0, 0, 0, 0, 255, 0, 0, 0, 0}));
}

TEST(Regions, HaveMeansInLinearLight) {
  const auto colors = must(region_colors(character_with(
      image_of({{0, 0, 0, 252}, {255, 0, 255, 252}, {0, 0, 0, 252}, {255, 255, 255, 252}, {9, 9, 9, 255}}))));
  const RegionColor top = colors[size_t(Region::kTop) - 1], skin = colors[size_t(Region::kSkin) - 1];
  EXPECT_NEAR(length(top.bright - Vec3{1, 0.5f, 1}), 0, 1e-5f);
  EXPECT_NEAR(length(top.mean - Vec3{0.5f, 0.25f, 0.5f}), 0, 1e-5f);
  EXPECT_NEAR(length(skin.bright - Vec3{1, 1, 1}), 0, 1e-5f) << "no texel is skin";
}

TEST(Regions, AreNotInOtherAlpha) {
  const sinew::Image image = image_of({{1, 2, 3, 255}, {1, 2, 3, 252}});
  EXPECT_TRUE(region_colors(character_with(image)));
  EXPECT_FALSE(region_colors(character_with(image, "cloth"))) << "not named so";
  EXPECT_FALSE(region_colors(character_with(image_of({{1, 2, 3, 252}, {1, 2, 3, 128}})))) << "that is real alpha";
  Character masked = character_with(image), two = character_with(image), plain = character_with(image);
  masked.materials[0].alpha_mode = AlphaMode::kMask;
  EXPECT_FALSE(region_colors(masked));
  two.materials.push_back({.name = "glass"});
  EXPECT_FALSE(region_colors(two));
  plain.materials[0].base_color_texture.image = -1;
  EXPECT_FALSE(region_colors(plain));
  EXPECT_FALSE(region_colors(Character()));
}

using Kind = std::tuple<uint32_t, uint8_t, uint8_t, uint8_t, uint8_t>;  // look, skin, hair, top, trousers

/// Of the people whom the camera of a scene sees, those that are nearest to it.
std::vector<Kind> nearest_people(const Scene& scene, size_t count) {
  const View view = view_of(frame_crowd(scene), 1280, 720);
  std::vector<std::pair<float, Kind>> people;
  for (uint32_t i = 0; i < scene.count(); ++i) {
    const Vec3 at = scene.positions[i];
    const glm::vec4 clip = view.clip_from_world * glm::vec4(at.x, at.y + 1, at.z, 1);
    if (clip.w <= 0 || std::abs(clip.x) > clip.w || std::abs(clip.y) > clip.w) continue;
    const auto colors = person_colors(scene.looks[i].tint);
    if (!colors) continue;
    people.push_back({glm::length(glm::vec3(at.x, at.y + 1, at.z) - view.eye),
                      {scene.model_of(i), colors->skin, colors->hair, colors->top, colors->trousers}});
  }
  std::ranges::sort(people);
  std::vector<Kind> nearest;
  for (size_t i = 0; i < std::min(count, people.size()); ++i) nearest.push_back(people[i].second);
  return nearest;
}

/// Children have neither beards nor gray hair, no two of the twenty nearest are alike, and what people do does not
/// depend on their colors.
TEST(PeopleColors, FitThePeopleOfEachScene) {
  for (const SceneKind& kind : scene_kinds()) {
    SCOPED_TRACE(std::string(kind.name));
    const std::vector<Model> models = test::our_models(kind.name);
    for (const uint32_t count : {100u, kind.characters, kind.made_for}) {
      const std::vector<Kind> nearest = nearest_people(kind.make(models, {count, 1, 0.1f}), 20);
      EXPECT_EQ(nearest.size(), 20u);
      EXPECT_EQ(std::set<Kind>(nearest.begin(), nearest.end()).size(), nearest.size()) << count;
    }
    const Scene scene = kind.make(models, {500, 1, 0.5f});
    std::vector<Model> untinted = test::our_models(kind.name);
    for (Model& model : untinted) model.tinted = false;
    const Scene plain = kind.make(untinted, {500, 1, 0.5f});
    EXPECT_TRUE(plain.positions == scene.positions && plain.randoms == scene.randoms && plain.speeds == scene.speeds)
        << "what people do depends on their colors";
    for (const Scene::Look& look : plain.looks) EXPECT_EQ(look.tint, 0u) << "the model's own colors";
    const std::vector<uint32_t> children = test::children_of(scene);
    for (const uint32_t child : children) {
      EXPECT_NE(models[scene.model_of(child)].name, "merchant");
      EXPECT_LT(int(person_colors(scene.looks[child].tint)->hair), 7);
    }
    EXPECT_GE(children.size(), kind.has_children ? 90u : 0u);
  }
}

}  // namespace
}  // namespace sinew::app
