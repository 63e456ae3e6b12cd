#include "sinew/asset/character.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <string_view>

#include "message.h"
#include "sinew/asset/cpu_skin.h"

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
  character.materials = {{.name = "plain"}};
  return character;
}

std::string material_fault(const std::function<void(Material&)>& damage) {
  Character character = one_triangle();
  character.images = {{"red", 1, 1, {255, 0, 0, 255}}};
  damage(character.materials[0]);
  const Status status = validate(character);
  if (status) return "";
  constexpr std::string_view kBegin = "material 'plain': ";
  EXPECT_TRUE(status.error().message.starts_with(kBegin)) << status.error().message;
  return status.error().message.substr(kBegin.size());
}

TEST(Character, FactorsOfMaterialsAreValidated) {
  const auto fault = material_fault;
  EXPECT_EQ(fault([](Material& m) { m.metallic = m.occlusion_strength = 1, m.roughness = 0; }), "");
  EXPECT_EQ(fault([](Material& m) { m.emissive = {90, 0, 0}, m.normal_scale = -3; }), "");
  EXPECT_EQ(fault([](Material& m) { m.base_color.w = NAN; }), "its base color is not finite");
  for (const float value : {-0.1f, 1.1f, NAN}) {
    EXPECT_EQ(fault([&](Material& m) { m.metallic = value; }), "its metallic factor is not from 0 to 1");
    EXPECT_EQ(fault([&](Material& m) { m.roughness = value; }), "its roughness factor is not from 0 to 1");
    EXPECT_EQ(fault([&](Material& m) { m.occlusion_strength = value; }), "its occlusion strength is not from 0 to 1");
  }
  EXPECT_EQ(fault([](Material& m) { m.normal_scale = INFINITY; }), "its normal scale is not finite");
  EXPECT_EQ(fault([](Material& m) { m.emissive.y = -1; }), "its emission is negative or not finite");
  EXPECT_EQ(fault([](Material& m) { m.emissive.z = NAN; }), "its emission is negative or not finite");
}

TEST(Character, TexturesOfMaterialsAreValidated) {
  for (size_t t = 0; t < Material::kTextureCount; ++t) {
    SCOPED_TRACE(t);
    const auto fault = [&](const std::function<void(Texture&)>& damage) {
      return material_fault([&](Material& m) {
        m.textures()[t]->image = 0;
        damage(*m.textures()[t]);
      });
    };
    EXPECT_EQ(fault([](Texture&) {}), "");
    EXPECT_EQ(fault([](Texture& x) { x.image = 1; }), "it names an image that is not there");
    EXPECT_EQ(fault([](Texture& x) { x.image = -2; }), "it names an image that is not there");
    EXPECT_EQ(fault([](Texture& x) { x.uv_set = 2; }), "it names set 2 of uvs, but a mesh has 0 and 1");
    EXPECT_EQ(fault([](Texture& x) { x.uv_set = 1; }), "it names the second uvs, which the mesh has not");
    EXPECT_EQ(fault([](Texture& x) { x.rotation = NAN; }), "the transform of a texture is not finite");
    EXPECT_EQ(fault([](Texture& x) { x.scale.y = INFINITY; }), "the transform of a texture is not finite");
    EXPECT_EQ(fault([](Texture& x) { x.wrap_v = Wrap(3); }), "the sampler of a texture has an unknown mode");
    EXPECT_EQ(fault([](Texture& x) { x.magnify = Filter::kNone; }), "the sampler of a texture has an unknown mode");
    EXPECT_EQ(fault([](Texture& x) { x.image = -1, x.uv_set = 7, x.rotation = NAN; }), "") << "it is none";
  }
}

TEST(Character, CoordinatesOfTheBaseColorFollowItsTexture) {
  Character character = one_triangle();
  character.mesh.uvs = {{0, 0}, {1, 0}, {0, 1}};
  character.mesh.second_uvs = {{0.5f, 0}, {1, 0}, {0, 1}};
  Texture& texture = character.materials[0].base_color_texture;
  texture.uv_set = 1;
  EXPECT_EQ(base_color_uvs(character.mesh, character.materials)->at(0).x, 0) << "there is no texture";
  texture.image = 0;
  EXPECT_EQ(base_color_uvs(character.mesh, character.materials)->at(0).x, 0.5f);
  // A quarter turn takes u, scaled by 2, to -v, and v, scaled by 3, to u: KHR_texture_transform.
  texture.uv_set = 0, texture.offset = {0.125f, 0.25f}, texture.scale = {2, 3}, texture.rotation = 1.57079632679f;
  const Result<std::vector<Vec2>> uvs = base_color_uvs(character.mesh, character.materials);
  const Vec2 expected[] = {{0.125f, 0.25f}, {0.125f, -1.75f}, {3.125f, 0.25f}};
  for (size_t v = 0; v < 3; ++v) {
    EXPECT_NEAR(uvs->at(v).x, expected[v].x, 1e-5f) << v;
    EXPECT_NEAR(uvs->at(v).y, expected[v].y, 1e-5f) << v;
  }
}

TEST(Character, EveryMemberIsValidated) {
  const auto message = [](auto damage) {
    return test::message_after(one_triangle(), damage, [](const Character& c) { return validate(c); });
  };
  using testing::HasSubstr;
  EXPECT_THAT(message([](Character& c) { c.skeleton.parents[0] = 0; }), HasSubstr("skeleton"));
  EXPECT_THAT(message([](Character& c) { c.skin.entries[0].joint = 1; }), HasSubstr("skin"));
  EXPECT_THAT(message([](Character& c) { c.mesh.indices[0] = 3; }), HasSubstr("mesh"));
  EXPECT_THAT(message([](Character& c) { c.clips = {{"fly", 0, 0, {{7, {}, {}, {}}}}}; }), HasSubstr("clip 'fly'"));
  EXPECT_THAT(message([](Character& c) { c.materials[0].base_color_texture.image = 0; }),
              HasSubstr("material 'plain'"));
  EXPECT_THAT(message([](Character& c) { c.materials[0].alpha_cutoff = NAN; }),
              HasSubstr("material 'plain': its alpha cutoff"));
  EXPECT_THAT(message([](Character& c) { c.materials[0].alpha_cutoff = -0.1f; }),
              HasSubstr("material 'plain': its alpha cutoff"));
  EXPECT_THAT(message([](Character& c) { c.mesh.colors.resize(2); }), HasSubstr("2 colors for 3 vertices"));
  EXPECT_THAT(message([](Character& c) { c.mesh.second_uvs.resize(2); }), HasSubstr("2 second uvs for 3 vertices"));
  EXPECT_THAT(message([](Character& c) {
                c.mesh.second_uvs.resize(3);
                c.mesh.second_uvs[1].y = NAN;
              }),
              HasSubstr("vertex 1 has second uvs that are not finite"));
  EXPECT_THAT(message([](Character& c) { c.materials.clear(); }), HasSubstr("material"));
  EXPECT_THAT(message([](Character& c) { c.images = {{"skin.png", 2, 2, {1, 2, 3}}}; }), HasSubstr("skin.png"));
  // 2^62 + 1 pixels have 2^64 + 4 bytes, which 64 bits wrap to 4.
  EXPECT_THAT(message([](Character& c) {
                c.images = {{"vast.png", 2147418113, 2147549185, {1, 2, 3, 4}}};
              }),
              HasSubstr("vast.png"));
}

TEST(ModelSpace, OnlyUnitAxesAndAUnitOfLengthAreValid) {
  const auto message = [](const ModelSpace& space) {
    Character character = one_triangle();
    character.space = space;
    return test::message_of(validate(character));
  };
  const float half = std::sqrt(0.5f), tiny = std::numeric_limits<float>::denorm_min();
  EXPECT_EQ(message({{0, half, half}, {0, -half, half}, 0.01f}), "");
  const std::string lengths = "space: its up and front axes are not of unit length";
  for (const Vec3 axis : {Vec3{NAN, 1, 0}, Vec3{0, 0, 0}, Vec3{0, 2, 0}, Vec3{INFINITY, 0, 0}, Vec3{1, 1, 0}}) {
    EXPECT_EQ(message({axis, {0, 0, 1}, 1}), lengths);
    EXPECT_EQ(message({{0, 0, 1}, axis, 1}), lengths);
  }
  EXPECT_EQ(message({{0, 1, 0}, {0, 1, 0}, 1}), "space: its up and front axes are not perpendicular");
  EXPECT_EQ(message({{0, 1, 0}, {0, half, half}, 1}), "space: its up and front axes are not perpendicular");
  for (const float unit : {NAN, INFINITY, -INFINITY, 0.0f, -1.0f, tiny, 3e38f})
    EXPECT_NE(message({{0, 1, 0}, {0, 0, 1}, unit}).find("space: its unit, "), std::string::npos) << unit;
}

TEST(ConvertSpace, LeavesAValidSpaceForAxesOfAnyLength) {
  Character character = one_triangle();
  convert_space(character, {{0, 0, 3}, {0, -2, 1}, 1});
  EXPECT_TRUE(validate(character));
  EXPECT_EQ(character.space.front.y, -1);
}

TEST(ConvertSpace, ConvertsConstantEntriesAndTheRootAlike) {
  Character character = one_triangle();
  character.space = {{0, 0, 2}, {0, -1, 0.5f}, 0.01f};  // centimeters, z up; front is not perpendicular to up
  character.skin.entries = {{kNoJoint, {}}, {0, {}}};
  character.skeleton.model_from_root.m[0][3] = 100;
  convert_space(character);
  EXPECT_EQ(character.space.meters_per_unit, 1);
  EXPECT_EQ(character.space.up.y, 1);
  // x (left) stays x, z (up) becomes y, and -y (front) becomes z.
  const Vec3 constant = transform_point(character.skin.entries[0].joint_from_mesh, {100, -200, 300});
  EXPECT_NEAR(constant.x, 1, 1e-6f);
  EXPECT_NEAR(constant.y, 3, 1e-6f);
  EXPECT_NEAR(constant.z, 2, 1e-6f);
  const Vec3 moved = transform_point(character.skeleton.model_from_root, {100, -200, 300});
  EXPECT_NEAR(moved.x, 2, 1e-6f);
  EXPECT_NEAR(moved.y, 3, 1e-6f);
  EXPECT_NEAR(moved.z, 2, 1e-6f);
  EXPECT_EQ(character.skin.entries[1].joint_from_mesh.m[0][0], 1);
}

TEST(ConvertSpace, ConvertingThereAndBackRestoresTheRoot) {
  Character character = one_triangle();
  const ModelSpace own{{0, 0, 1}, {1, 0, 0}, 0.0254f};
  character.space = own;
  character.skeleton.model_from_root = to_matrix({{1, 2, 3}, normalize(Quat{1, 2, 3, 4}), {1, 2, 3}});
  const Matrix3x4d before = character.skeleton.model_from_root;
  convert_space(character);
  convert_space(character, own);
  for (int i = 0; i < 12; ++i)
    EXPECT_NEAR(character.skeleton.model_from_root.m[i / 4][i % 4], before.m[i / 4][i % 4], 1e-6);
}

TEST(ConvertSpace, RotatesTangentsAndKeepsTheirHandedness) {
  for (const double mirror : {1.0, -1.0}) {
    Character character = one_triangle();
    character.space = {{0, 0, 1}, {0, -1, 0}, 0.01f};
    character.skin.entries = {{kNoJoint, {}}};
    character.skin.entries[0].joint_from_mesh.m[0][0] = mirror;
    character.mesh.tangents = {{0, 1, 0, 1}, {0, 0, 1, -1}, {1, 0, 0, 1}};
    const Mesh before = character.mesh;
    convert_space(character);
    const Matrix3x4 entry = matrix_cast<float>(character.skin.entries[0].joint_from_mesh);
    std::array<Vec3, 3> positions, normals;
    std::array<Vec4, 3> tangents;
    skin_on_cpu(character.mesh, {&entry, 1}, positions, normals, tangents);
    EXPECT_NEAR(tangents[0].z, -1, 1e-6f);  // y (back) becomes -z, z (up) becomes y
    EXPECT_NEAR(tangents[1].y, 1, 1e-6f);
    EXPECT_NEAR(tangents[2].x, mirror, 1e-6f);
    for (int v = 0; v < 3; ++v) EXPECT_EQ(tangents[v].w, before.tangents[v].w * float(mirror));
  }
}

}  // namespace
}  // namespace sinew
