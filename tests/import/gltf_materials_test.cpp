// Materials of glTF files: every factor, texture, set of coordinates, transform and sampler, and files with bad ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "gltf_file.h"
#include "sinew/import/import.h"
#include "sinew/import/lod.h"
#include "surface.h"

namespace sinew::test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A PPM of one pixel.
std::string pixel(char r, char g, char b) { return std::string("P6 1 1 255\n") + r + g + b; }

class GltfMaterialsTest : public ::testing::Test {
 protected:
  /// A triangle with two sets of texture coordinates, five images and one material without members.
  GltfMaterialsTest() {
    file_.add_node({{"name", "flag"}, {"mesh", 0}});
    const Json attributes = {{"POSITION", file_.add_floats({0, 0, 0, 1, 0, 0, 0, 1, 0}, "VEC3")},
                             {"TEXCOORD_0", file_.add_floats({0, 0, 1, 0, 0, 1}, "VEC2")},
                             {"TEXCOORD_1", file_.add_floats({0.5f, 0, 0.5f, 0.25f, 0, 0.75f}, "VEC2")}};
    file_.json["meshes"] = {{{"name", "flag"}, {"primitives", {{{"attributes", attributes}, {"material", 0}}}}}};
    for (char i = 0; i < 5; ++i) {
      file_.json["images"].push_back({{"bufferView", file_.add_view(pixel(i, 2, 3))}, {"mimeType", "image/png"}});
      file_.json["textures"].push_back({{"source", i}});
    }
    file_.json["materials"] = {{{"name", "cloth"}, {"pbrMetallicRoughness", Json::object()}}};
  }

  Json& material() { return file_.json["materials"][0]; }
  Json& pbr() { return material()["pbrMetallicRoughness"]; }

  Character load(const ImportOptions& options = {}) {
    Result<Character> character = load_character(write(), options, &report_);
    EXPECT_TRUE(character) << character.error().message;
    return character ? std::move(*character) : Character();
  }
  Material loaded() {
    const Character character = load();
    return character.materials.empty() ? Material() : character.materials[0];
  }
  std::string refusal() {
    const Result<Character> character = load_character(write(), {}, &report_);
    return character ? "accepted" : character.error().message;
  }

  GltfFile file_;
  ImportReport report_;

 private:
  std::string write() {
    file_.json.erase("buffers");
    return file_.write(folder_);
  }
  TemporaryFolder folder_;
};

/// The first byte of the image of a texture: the number that the file gives the image.
int image_of(const Character& character, const Texture& texture) {
  return texture.image < 0 ? -1 : character.images[size_t(texture.image)].rgba[0];
}

TEST_F(GltfMaterialsTest, EveryFieldIsRead) {
  pbr() = {{"baseColorFactor", {0.1, 0.2, 0.3, 0.4}},
           {"baseColorTexture", {{"index", 0}}},
           {"metallicFactor", 0.25},
           {"roughnessFactor", 0.75},
           {"metallicRoughnessTexture", {{"index", 1}}}};
  material()["normalTexture"] = {{"index", 2}, {"scale", -2}};
  material()["occlusionTexture"] = {{"index", 3}, {"strength", 0.125}};
  material()["emissiveTexture"] = {{"index", 4}};
  material()["emissiveFactor"] = {0.25, 0.5, 1};
  material()["extensions"]["KHR_materials_emissive_strength"]["emissiveStrength"] = 4;
  file_.json["extensionsUsed"] = {"KHR_materials_emissive_strength"};
  const Character character = load();
  EXPECT_THAT(report_.warnings, IsEmpty());
  const Material& read = character.materials.at(0);
  EXPECT_FLOAT_EQ(read.base_color.w, 0.4f);
  EXPECT_EQ(read.metallic, 0.25f);
  EXPECT_EQ(read.roughness, 0.75f);
  EXPECT_EQ(read.normal_scale, -2);
  EXPECT_EQ(read.occlusion_strength, 0.125f);
  EXPECT_EQ(read.emissive.x, 1);
  EXPECT_EQ(read.emissive.z, 4);
  std::vector<int> images;
  for (const Texture* texture : read.textures()) images.push_back(image_of(character, *texture));
  EXPECT_THAT(images, ElementsAre(0, 1, 2, 3, 4));
}

TEST_F(GltfMaterialsTest, DefaultsAreThoseOfTheSpecification) {
  const Material read = loaded();
  EXPECT_EQ(read.metallic, 1);
  EXPECT_EQ(read.roughness, 1);
  EXPECT_EQ(read.normal_scale, 1);
  EXPECT_EQ(read.occlusion_strength, 1);
  EXPECT_EQ(read.emissive.x + read.emissive.y + read.emissive.z, 0);
  for (const Texture* texture : read.textures()) EXPECT_EQ(texture->image, -1);
  primitive(file_).erase("material");
  EXPECT_EQ(load().materials.back().metallic, 0) << "a mesh without material";
}

TEST_F(GltfMaterialsTest, EmissionOfABlackBaseColorStaysEmission) {
  pbr()["baseColorFactor"] = {0, 0, 0, 1};
  material()["emissiveFactor"] = {0.5, 0.25, 0};
  const Material read = loaded();
  EXPECT_EQ(read.base_color.x, 0);
  EXPECT_EQ(read.emissive.x, 0.5f);
}

TEST_F(GltfMaterialsTest, SpecularGlossinessIsRoughAndNoMetal) {
  material()["extensions"]["KHR_materials_pbrSpecularGlossiness"] = {{"glossinessFactor", 0.75}};
  const Material read = loaded();
  EXPECT_EQ(read.metallic, 0);
  EXPECT_EQ(read.roughness, 0.25f);
}

TEST_F(GltfMaterialsTest, EachTextureHasItsTransform) {
  const Json transform = {{"offset", {0.125, 0.25}}, {"rotation", 1.5}, {"scale", {2, 3}}};
  pbr()["baseColorTexture"] = {{"index", 0}};
  material()["normalTexture"] = {{"index", 1}, {"extensions", {{"KHR_texture_transform", transform}}}};
  const Material read = loaded();
  EXPECT_THAT(report_.warnings, IsEmpty());
  EXPECT_EQ(read.base_color_texture.scale.x, 1);
  EXPECT_EQ(read.normal_texture.offset.y, 0.25f);
  EXPECT_EQ(read.normal_texture.scale.x, 2);
  EXPECT_EQ(read.normal_texture.rotation, 1.5f);
}

TEST_F(GltfMaterialsTest, TwoSetsOfCoordinatesAreKept) {
  pbr()["baseColorTexture"] = {{"index", 0}, {"texCoord", 1}};
  material()["normalTexture"] = {{"index", 1}};
  material()["occlusionTexture"] = {{"index", 2}, {"texCoord", 1}};
  const Character character = load();
  EXPECT_THAT(report_.warnings, IsEmpty());
  const Material& read = character.materials.at(0);
  EXPECT_EQ(read.base_color_texture.uv_set, 0u) << "the first set is that of the base color";
  EXPECT_EQ(read.normal_texture.uv_set, 1u);
  EXPECT_EQ(read.occlusion_texture.uv_set, 0u);
  EXPECT_EQ(character.mesh.uvs.at(1).y, 0.25f);
  ASSERT_EQ(character.mesh.second_uvs.size(), 3u);
  EXPECT_EQ(character.mesh.second_uvs[1].x, 1);
}

TEST_F(GltfMaterialsTest, OneSetNeedsNoSecondArray) {
  pbr()["baseColorTexture"] = {{"index", 0}};
  EXPECT_THAT(load().mesh.second_uvs, IsEmpty());
}

TEST_F(GltfMaterialsTest, AMaterialOfNoMeshNeedsNoSecondArray) {
  Json other = material();
  other["pbrMetallicRoughness"]["baseColorTexture"] = {{"index", 0}};
  other["normalTexture"] = {{"index", 0}, {"texCoord", 1}};
  file_.json["materials"].push_back(other);
  const Character character = load();
  EXPECT_THAT(character.mesh.second_uvs, IsEmpty());
  EXPECT_EQ(character.materials.at(1).normal_texture.uv_set, 0u);
}

TEST_F(GltfMaterialsTest, PartsWithoutASecondSetHaveZeros) {
  pbr()["baseColorTexture"] = {{"index", 0}};
  material()["normalTexture"] = {{"index", 1}, {"texCoord", 1}};
  file_.json["materials"].push_back({{"name", "plain"}});
  Json& primitives = file_.json["meshes"][0]["primitives"];
  primitives.insert(primitives.begin(), primitives[0]);
  primitives.push_back(primitives[0]);
  primitives[0]["material"] = primitives[2]["material"] = 1;
  const std::vector<Vec2> uvs = load().mesh.second_uvs;
  ASSERT_EQ(uvs.size(), 9u);
  EXPECT_EQ(uvs[1].y, 0);
  EXPECT_EQ(uvs[4].y, 0.25f);
  EXPECT_EQ(uvs[7].y, 0);
}

TEST_F(GltfMaterialsTest, SamplersAreRead) {
  pbr()["baseColorTexture"] = {{"index", 0}};
  file_.json["textures"][0]["sampler"] = 0;
  const auto texture = [&](const Json& sampler) {
    file_.json["samplers"] = {sampler};
    return loaded().base_color_texture;
  };
  const Texture none = texture(Json::object());
  EXPECT_EQ(none.wrap_u, Wrap::kRepeat);
  EXPECT_EQ(none.mip, Filter::kLinear);
  const Texture clamped = texture({{"wrapS", 33071}, {"wrapT", 33648}, {"magFilter", 9728}, {"minFilter", 9985}});
  EXPECT_EQ(clamped.wrap_u, Wrap::kClamp);
  EXPECT_EQ(clamped.wrap_v, Wrap::kMirror);
  EXPECT_EQ(clamped.magnify, Filter::kNearest);
  EXPECT_EQ(clamped.minify, Filter::kLinear);
  EXPECT_EQ(clamped.mip, Filter::kNearest);
  EXPECT_EQ(texture({{"minFilter", 9729}}).mip, Filter::kNone);
  EXPECT_EQ(texture({{"minFilter", 9986}}).minify, Filter::kNearest);
  EXPECT_EQ(texture({{"minFilter", 9986}}).mip, Filter::kLinear);
}

TEST_F(GltfMaterialsTest, FactorsOutOfRangeAreReplacedWithALine) {
  const auto line = [&](const char* place, const Json& value) {
    const Json before = material();
    material()[Json::json_pointer(place)] = value;
    load();
    material() = before;
    EXPECT_EQ(report_.warnings.size(), 1u) << place;
    return report_.warnings.empty() ? std::string() : report_.warnings[0];
  };
  EXPECT_EQ(line("/pbrMetallicRoughness/metallicFactor", 2),
            "material 'cloth': its metallic factor is not from 0 to 1, 0 instead");
  EXPECT_EQ(line("/pbrMetallicRoughness/roughnessFactor", -1),
            "material 'cloth': its roughness factor is not from 0 to 1, 1 instead");
  EXPECT_EQ(line("/pbrMetallicRoughness/baseColorFactor", {1, 1e60, 1, 1}),
            "material 'cloth': its base color is not finite, 1 instead");
  EXPECT_EQ(line("/normalTexture", {{"index", 0}, {"scale", 1e60}}),
            "material 'cloth': its normal scale is not finite, 1 instead");
  EXPECT_EQ(line("/occlusionTexture", {{"index", 0}, {"strength", 1.5}}),
            "material 'cloth': its occlusion strength is not from 0 to 1, 1 instead");
  EXPECT_EQ(line("/emissiveFactor", {0, -1, 0}), "material 'cloth': its emission is negative or not finite, 0 instead");
}

TEST_F(GltfMaterialsTest, IndicesOutOfRangeAreRefused) {
  for (const char* name : {"normalTexture", "occlusionTexture", "emissiveTexture"}) {
    material()[name] = {{"index", 77}};
    EXPECT_THAT(refusal(), HasSubstr("texture 77")) << name;
    material().erase(name);
  }
  pbr()["metallicRoughnessTexture"] = {{"index", 77}};
  EXPECT_THAT(refusal(), HasSubstr("texture 77"));
  pbr()["metallicRoughnessTexture"] = {{"index", 0}};
  file_.json["textures"][0] = {{"source", 99}};
  EXPECT_THAT(refusal(), HasSubstr("image 99"));
  file_.json["textures"][0] = {{"source", 0}, {"sampler", 5}};
  EXPECT_THAT(refusal(), HasSubstr("sampler 5"));
}

TEST_F(GltfMaterialsTest, AnImageThatIsDamagedIsLeftOutWithALine) {
  file_.json["images"][1]["bufferView"] = file_.add_view("no picture");
  material()["normalTexture"] = {{"index", 1}};
  EXPECT_EQ(loaded().normal_texture.image, -1);
  EXPECT_THAT(report_.warnings, ElementsAre(HasSubstr("cannot be decoded")));
}

TEST_F(GltfMaterialsTest, TangentsComeWithANormalMap) {
  ImportOptions options;
  options.normal_map_tangents = true;
  EXPECT_THAT(load(options).mesh.tangents, IsEmpty());
  material()["normalTexture"] = {{"index", 0}};
  EXPECT_THAT(load().mesh.tangents, IsEmpty()) << "they were not asked for";
  const Character character = load(options);
  ASSERT_EQ(character.mesh.tangents.size(), 3u);
  EXPECT_NEAR(character.mesh.tangents[0].x, 1, 1e-5f) << "u grows along x";
}

TEST_F(GltfMaterialsTest, ComputedTangentsAreThoseOfTheNormalMapsCoordinates) {
  ImportOptions options;
  options.normal_map_tangents = true;
  pbr()["baseColorTexture"] = {{"index", 0}};
  material()["normalTexture"] = {{"index", 1}, {"texCoord", 1}};
  primitive(file_)["attributes"]["TEXCOORD_1"] = file_.add_floats({0, 0, 0, 1, 1, 0}, "VEC2");
  EXPECT_NEAR(load(options).mesh.tangents.at(0).y, 1, 1e-5f) << "u of the second set grows along y";
  const Json turned = {{"rotation", 3.14159265359}};
  material()["normalTexture"]["extensions"]["KHR_texture_transform"] = turned;
  EXPECT_NEAR(load(options).mesh.tangents.at(0).y, -1, 1e-5f) << "turned by half";
}

TEST_F(GltfMaterialsTest, TangentsOfTheFileAreKept) {
  ImportOptions options;
  options.normal_map_tangents = true;
  material()["normalTexture"] = {{"index", 0}};
  primitive(file_)["attributes"]["NORMAL"] = file_.add_floats({0, 0, 1, 0, 0, 1, 0, 0, 1}, "VEC3");
  primitive(file_)["attributes"]["TANGENT"] = file_.add_floats({0, 1, 0, -1, 0, 1, 0, -1, 0, 1, 0, -1}, "VEC4");
  EXPECT_EQ(load(options).mesh.tangents.at(0).y, 1);
}

TEST(SecondUvs, WeldingKeepsThemApart) {
  internal::SceneMesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 0}, {0, 1, 0}};
  mesh.second_uvs = {{1, 0}, {2, 0}, {3, 0}, {2, 0}, {1, 0}, {3, 9}};
  mesh.indices = {0, 1, 2, 3, 4, 5};
  internal::weld(mesh);
  EXPECT_THAT(mesh.indices, ElementsAre(0, 1, 2, 1, 0, 3));
  ASSERT_EQ(mesh.second_uvs.size(), 4u);
  EXPECT_EQ(mesh.second_uvs[2].y, 0);
  EXPECT_EQ(mesh.second_uvs[3].y, 9);
}

/// A bent grid whose second uvs are its positions.
Mesh grid(uint32_t size) {
  Mesh mesh;
  mesh.first_influence = {0};
  for (uint32_t y = 0; y <= size; ++y) {
    for (uint32_t x = 0; x <= size; ++x) {
      mesh.positions.push_back({float(x), float(y), 0.02f * float(x * x)});
      mesh.normals.push_back({0, 0, 1});
      mesh.uvs.push_back({});
      mesh.second_uvs.push_back({float(x), float(y)});
      mesh.influences.push_back({0, 1});
      mesh.first_influence.push_back(mesh.vertex_count());
      if (x == size || y == size) continue;
      const uint32_t v = y * (size + 1) + x;
      for (const uint32_t corner : {0u, 1u, size + 1, 1u, size + 2, size + 1}) mesh.indices.push_back(v + corner);
    }
  }
  mesh.parts = {{"grid", PartKind::kSkinned, 0, 0, mesh.vertex_count(), 0, uint32_t(mesh.indices.size())}};
  return mesh;
}

TEST(SecondUvs, LevelsOfDetailKeepThem) {
  const auto levels = make_levels(grid(16), {}, {});
  ASSERT_TRUE(levels) << levels.error().message;
  ASSERT_FALSE(levels->empty());
  for (const ModelLevel& level : *levels) {
    ASSERT_EQ(level.mesh.second_uvs.size(), level.mesh.positions.size());
    for (uint32_t v = 0; v < level.mesh.vertex_count(); ++v)
      ASSERT_EQ(level.mesh.second_uvs[v].x, level.mesh.positions[v].x);
  }
}

TEST(SecondUvs, StayWithTheirVerticesInAnotherOrder) {
  Mesh mesh = grid(8);
  for (uint32_t v = 0; v < 10; ++v) mesh.influences[v].entry = uint16_t(9 - v);
  ASSERT_TRUE(order_by_influences(mesh));
  bool moved = false;
  for (uint32_t v = 0; v < mesh.vertex_count(); ++v) {
    ASSERT_EQ(mesh.second_uvs[v].x, mesh.positions[v].x);
    moved = moved || mesh.positions[v].y * 9 + mesh.positions[v].x != float(v);
  }
  EXPECT_TRUE(moved);
}

}  // namespace
}  // namespace sinew::test
