// Materials, meshes and morph targets through the C interface: every field is that of C++.
#include <gtest/gtest.h>

#include <cstring>
#include <span>
#include <tuple>
#include <vector>

#include "asset/example_character.h"
#include "sinew/asset/cpu_skin.h"
#include "sinew/c/sinew.h"

namespace sinew::test {
namespace {

auto fields_of(const SinewTexture& t) {
  return std::tuple(t.image, t.uv_set, t.offset[0], t.offset[1], t.scale[0], t.scale[1], t.rotation, t.wrap_u, t.wrap_v,
                    t.magnify, t.minify, t.mip);
}
auto fields_of(const Texture& t) {
  return std::tuple(t.image, t.uv_set, t.offset.x, t.offset.y, t.scale.x, t.scale.y, t.rotation, uint32_t(t.wrap_u),
                    uint32_t(t.wrap_v), uint32_t(t.magnify), uint32_t(t.minify), uint32_t(t.mip));
}

/// An array of three floats an element; null where C++ has none.
bool same(const float* in_c, const std::vector<Vec3>& in_cpp) {
  if (in_c == nullptr || in_cpp.empty()) return in_c == nullptr && in_cpp.empty();
  return std::memcmp(in_c, in_cpp.data(), in_cpp.size() * sizeof(Vec3)) == 0;
}

class AssetInC : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto bytes = encode_character({example_character(), {}, {}});
    ASSERT_TRUE(bytes) << bytes.error().message;
    ASSERT_EQ(sinew_character_load_memory(bytes->data(), bytes->size(), &character_, nullptr), SINEW_OK);
    ASSERT_EQ(sinew_character_mesh(character_, 0, &mesh_, nullptr), SINEW_OK);
  }
  void TearDown() override { sinew_character_destroy(character_); }

  const Character expected_ = example_character();
  SinewCharacter* character_ = nullptr;
  SinewMesh mesh_ = SINEW_INIT(SinewMesh);
};

TEST_F(AssetInC, MaterialsHaveAllFields) {
  SinewMaterial found = SINEW_INIT(SinewMaterial);
  ASSERT_EQ(sinew_character_material(character_, 1, &found, nullptr), SINEW_OK);
  const Material& cloth = expected_.materials[1];
  EXPECT_EQ(std::memcmp(found.base_color, &cloth.base_color, sizeof found.base_color), 0);
  EXPECT_EQ(std::memcmp(found.emissive, &cloth.emissive, sizeof found.emissive), 0);
  EXPECT_EQ(std::tuple(found.metallic, found.roughness, found.normal_scale, found.occlusion_strength),
            std::tuple(cloth.metallic, cloth.roughness, cloth.normal_scale, cloth.occlusion_strength));
  EXPECT_EQ(std::tuple(found.alpha_mode, found.alpha_cutoff, found.double_sided, found.unlit),
            std::tuple(uint32_t(cloth.alpha_mode), cloth.alpha_cutoff, 1u, 0u));
  const SinewTexture* textures[] = {&found.base_color_texture, &found.metallic_roughness_texture, &found.normal_texture,
                                    &found.occlusion_texture, &found.emissive_texture};
  for (size_t t = 0; t < Material::kTextureCount; ++t)
    EXPECT_EQ(fields_of(*textures[t]), fields_of(*cloth.textures()[t])) << t;
}

TEST_F(AssetInC, MeshesHaveSecondUvsAndMorphTargets) {
  EXPECT_EQ(mesh_.part_count, expected_.mesh.parts.size());
  ASSERT_NE(mesh_.second_uvs, nullptr);
  EXPECT_EQ(std::memcmp(mesh_.second_uvs, expected_.mesh.second_uvs.data(), mesh_.vertex_count * sizeof(Vec2)), 0);
  ASSERT_EQ(mesh_.target_count, 2u);
  for (size_t t = 0; t < 2; ++t) {
    const SinewMorphTarget& found = mesh_.targets[t];
    const MorphTarget& target = expected_.mesh.targets[t];
    EXPECT_EQ(found.name, target.name);
    EXPECT_EQ(found.rest_weight, target.rest_weight);
    EXPECT_EQ(std::vector<uint32_t>(found.vertices, found.vertices + found.vertex_count), target.vertices);
    EXPECT_TRUE(same(found.positions, target.positions)) << t;
    EXPECT_TRUE(same(found.normals, target.normals)) << t;
    EXPECT_TRUE(same(found.tangents, target.tangents)) << t;
  }
}

TEST_F(AssetInC, MorphTargetsMoveVerticesAsInCpp) {
  const SinewMatrix3x4 palette[3] = {{{{1, 0, 0, 3}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
                                     {{{0, 1, 0, 0}, {1, 0, 0, 0}, {0, 0, -1, 5}}},
                                     {{{0, 0, 1, 0}, {1, 0, 0, 7}, {0, 1, 0, 0}}}};
  const float weights[] = {0.5f, 2};
  const uint32_t count = expected_.mesh.vertex_count();
  std::vector<Vec3> still(count), moved(count), normals(count);
  const std::span matrices(reinterpret_cast<const Matrix3x4*>(palette), 3);
  skin_on_cpu(expected_.mesh, matrices, still, normals);
  skin_on_cpu(expected_.mesh, matrices, moved, normals, {}, weights);
  std::vector<float> positions(3 * count);
  ASSERT_EQ(sinew_skin_on_cpu(&mesh_, palette, 3, weights, positions.data(), nullptr, nullptr), SINEW_OK);
  EXPECT_TRUE(same(positions.data(), moved));
  ASSERT_EQ(sinew_skin_on_cpu(&mesh_, palette, 3, nullptr, positions.data(), nullptr, nullptr), SINEW_OK);
  EXPECT_TRUE(same(positions.data(), still)) << "no weights: the targets do not count";
  EXPECT_FALSE(same(positions.data(), moved));
}

}  // namespace
}  // namespace sinew::test
