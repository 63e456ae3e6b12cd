// Materials through the C interface: every field is that of C++.
#include <gtest/gtest.h>

#include <cstring>
#include <tuple>

#include "asset/example_character.h"
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

class MaterialInC : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto bytes = encode_character({example_character(), {}, {}});
    ASSERT_TRUE(bytes) << bytes.error().message;
    ASSERT_EQ(sinew_character_load_memory(bytes->data(), bytes->size(), &character_, nullptr), SINEW_OK);
  }
  void TearDown() override { sinew_character_destroy(character_); }

  SinewCharacter* character_ = nullptr;
};

TEST_F(MaterialInC, HasAllFields) {
  const Character expected = example_character();
  SinewMaterial found = SINEW_INIT(SinewMaterial);
  ASSERT_EQ(sinew_character_material(character_, 1, &found, nullptr), SINEW_OK);
  const Material& cloth = expected.materials[1];
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

TEST_F(MaterialInC, MeshesHaveSecondUvs) {
  SinewMesh mesh = SINEW_INIT(SinewMesh);
  ASSERT_EQ(sinew_character_mesh(character_, 0, &mesh, nullptr), SINEW_OK);
  const Character expected = example_character();
  ASSERT_NE(mesh.second_uvs, nullptr);
  EXPECT_EQ(std::memcmp(mesh.second_uvs, expected.mesh.second_uvs.data(), mesh.vertex_count * sizeof(Vec2)), 0);
}

}  // namespace
}  // namespace sinew::test
