#include "sinew/character.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sinew {
namespace {

Character one_triangle() {
  Character character;
  character.skeleton = {{"root"}, {kNoJoint}, {{}}, {}};
  character.skin.entries = {{0, {}}};
  character.mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  character.mesh.normals.assign(3, {0, 0, 1});
  character.mesh.uvs.resize(3);
  character.mesh.indices = {0, 1, 2};
  character.mesh.first_influence = {0, 1, 2, 3};
  character.mesh.influences.assign(3, {0, 1});
  character.mesh.parts = {{"body", PartKind::kRigid, 0, 0, 3, 0, 3}};
  character.materials = {{"plain", {1, 1, 1, 1}, -1}};
  return character;
}

TEST(Character, ValidCharacterIsAccepted) { EXPECT_TRUE(validate(one_triangle())); }

TEST(Character, EachPartIsChecked) {
  const auto message = [](auto damage) {
    Character character = one_triangle();
    damage(character);
    const Status status = validate(character);
    return status ? std::string("accepted") : status.error().message;
  };
  using testing::HasSubstr;
  EXPECT_THAT(message([](Character& c) { c.skeleton.parents[0] = 0; }), HasSubstr("skeleton"));
  EXPECT_THAT(message([](Character& c) { c.skin.entries[0].joint = 1; }), HasSubstr("skin"));
  EXPECT_THAT(message([](Character& c) { c.mesh.indices[0] = 3; }), HasSubstr("mesh"));
  EXPECT_THAT(message([](Character& c) { c.clips = {{"fly", 0, 0, {{7, {}, {}, {}}}}}; }), HasSubstr("clip 'fly'"));
  EXPECT_THAT(message([](Character& c) { c.materials[0].base_color_image = 0; }), HasSubstr("material 'plain'"));
  EXPECT_THAT(message([](Character& c) { c.materials.clear(); }), HasSubstr("material"));
  EXPECT_THAT(message([](Character& c) { c.images = {{"skin.png", 2, 2, {1, 2, 3}}}; }), HasSubstr("skin.png"));
}

}  // namespace
}  // namespace sinew
