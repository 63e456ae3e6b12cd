// Materials of FBX files: colors, opacity, metallic-roughness, normals, images beside the file and inside it, sets of
// texture coordinates.
#include "fbx_fixture.h"

namespace sinew::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A PNG of one pixel, red.
constexpr uint8_t kPng[] = {0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48,
                            0x44, 0x52, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x02, 0x00, 0x00,
                            0x00, 0x90, 0x77, 0x53, 0xde, 0x00, 0x00, 0x00, 0x0c, 0x49, 0x44, 0x41, 0x54, 0x78,
                            0x9c, 0x63, 0xf8, 0xcf, 0xc0, 0x00, 0x00, 0x03, 0x01, 0x01, 0x00, 0xc9, 0xfe, 0x92,
                            0xef, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};
const std::string kRed(reinterpret_cast<const char*>(kPng), sizeof(kPng));

/// A PNG of two pixels, of which one is transparent.
constexpr uint8_t kHoledPng[] = {
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00,
    0x00, 0x02, 0x00, 0x00, 0x00, 0x01, 0x08, 0x06, 0x00, 0x00, 0x00, 0xf4, 0x22, 0x7f, 0x8a, 0x00, 0x00, 0x00,
    0x0f, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0xf8, 0xcf, 0xc0, 0xf0, 0x1f, 0x88, 0x19, 0x00, 0x10, 0xf8,
    0x02, 0xfe, 0xac, 0xe9, 0x46, 0xf8, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};
const std::string kHoled(reinterpret_cast<const char*>(kHoledPng), sizeof(kHoledPng));

class FbxMaterialsTest : public FbxFixture {
 protected:
  FbxMaterialsTest() {
    model_ = file_.add_model("Box", FbxBuilder::kRoot, {}, "Mesh");
    const auto set = [](const char* name, double u) {
      return std::string("LayerElementUV: 0 {\nName: \"") + name +
             "\"\nMappingInformationType: \"AllSame\"\nReferenceInformationType: \"Direct\"\n" +
             fbx_array("UV", {u, 0}) + "}\n";
    };
    file_.add_mesh(model_, FbxProbe::points(), FbxProbe::polygons(), set("first", 0.25) + set("second", 0.75));
  }

  FbxBuilder::Id add_material(const std::string& properties) {
    const FbxBuilder::Id material = file_.add("Material", "Material::skin", "", fbx_properties(properties));
    file_.connect(material, model_);
    return material;
  }
  FbxBuilder::Id add_texture(FbxBuilder::Id material, const std::string& property, const std::string& records) {
    const FbxBuilder::Id texture = file_.add("Texture", "Texture::t", "", records);
    file_.connect(texture, material, property);
    return texture;
  }
  Character loaded() { return load(file_.text()); }

  FbxBuilder file_;
  FbxBuilder::Id model_ = 0;
};

std::string named(const std::string& file) { return "RelativeFilename: \"" + file + "\"\n"; }

TEST_F(FbxMaterialsTest, ColorIsTheDiffuseColorTimesItsFactor) {
  add_material(fbx_property("DiffuseColor", {0.5, 0.25, 1}) + fbx_property("DiffuseFactor", {0.5}));
  const Character character = loaded();
  const Material& material = character.materials.at(0);
  EXPECT_EQ(material.name, "skin");
  EXPECT_FLOAT_EQ(material.base_color.x, 0.25f);
  EXPECT_FLOAT_EQ(material.base_color.y, 0.125f);
  EXPECT_FLOAT_EQ(material.base_color.z, 0.5f);
  EXPECT_FLOAT_EQ(material.base_color.w, 1);
  EXPECT_EQ(material.alpha_mode, AlphaMode::kOpaque);
}

TEST_F(FbxMaterialsTest, ColorOfAPhysicalMaterialComesFirst) {
  add_material(fbx_property("DiffuseColor", {0, 0, 0}) + fbx_property("Maya|baseColor", {1, 0.5, 0}));
  EXPECT_FLOAT_EQ(loaded().materials.at(0).base_color.y, 0.5f);
}

TEST_F(FbxMaterialsTest, OpacityIsSaidInTwoWays) {
  add_material(fbx_property("Opacity", {0.25}));
  EXPECT_FLOAT_EQ(loaded().materials.at(0).base_color.w, 0.25f);
  EXPECT_EQ(loaded().materials.at(0).alpha_mode, AlphaMode::kBlend);
}

TEST_F(FbxMaterialsTest, TransparencyIsColorTimesFactor) {
  add_material(fbx_property("TransparentColor", {0.5, 0.5, 0.5}) + fbx_property("TransparencyFactor", {0.5}));
  EXPECT_FLOAT_EQ(loaded().materials.at(0).base_color.w, 0.75f);
}

TEST_F(FbxMaterialsTest, ImageBesideTheFileReplacesTheColor) {
  folder_.write("red.png", kRed);
  const FbxBuilder::Id material = add_material(fbx_property("DiffuseColor", {0.5, 0.5, 0.5}));
  add_texture(material, "DiffuseColor", named("C:\\\\models\\\\red.png"));
  const Character character = loaded();
  EXPECT_THAT(report_.warnings, IsEmpty());
  ASSERT_EQ(character.images.size(), 1u);
  EXPECT_EQ(character.materials.at(0).base_color_texture.image, 0);
  EXPECT_FLOAT_EQ(character.materials.at(0).base_color.x, 1);
}

TEST_F(FbxMaterialsTest, ImageThatIsMissingIsToldOf) {
  add_texture(add_material({}), "DiffuseColor", named("no_such.png"));
  EXPECT_EQ(loaded().materials.at(0).base_color_texture.image, -1);
  EXPECT_THAT(report_.warnings, ElementsAre(HasSubstr("no_such.png")));
}

/// Text files have embedded images as base64, in several values.
TEST_F(FbxMaterialsTest, ImageInsideTheFileIsDecoded) {
  const std::string text = base64(kRed), begin = text.substr(0, 40), end = text.substr(40);
  const FbxBuilder::Id texture = add_texture(add_material({}), "DiffuseColor", named("inside.png"));
  file_.connect(file_.add("Video", "Video::v", "Clip", "Content: ,\n\"" + begin + "\",\n\"" + end + "\"\n"), texture);
  const Character character = loaded();
  EXPECT_THAT(report_.warnings, IsEmpty());
  ASSERT_EQ(character.images.size(), 1u);
  EXPECT_EQ(character.images[0].width, 1u);
}

TEST_F(FbxMaterialsTest, DamagedImageInsideTheFileIsToldOf) {
  const FbxBuilder::Id texture = add_texture(add_material({}), "DiffuseColor", named("inside.png"));
  file_.connect(file_.add("Video", "Video::v", "Clip", "Content: ,\n\"!!!!AAAA\"\n"), texture);
  EXPECT_TRUE(loaded().images.empty());
  EXPECT_THAT(report_.warnings, ElementsAre(HasSubstr("inside.png")));
}

TEST_F(FbxMaterialsTest, OneFileIsOneImage) {
  folder_.write("red.png", kRed);
  add_texture(add_material({}), "DiffuseColor", named("red.png"));
  const FbxBuilder::Id other = file_.add_model("Other", FbxBuilder::kRoot, {}, "Mesh");
  file_.add_mesh(other, FbxProbe::points(), FbxProbe::polygons());
  const FbxBuilder::Id material = file_.add("Material", "Material::b", "");
  file_.connect(material, other);
  add_texture(material, "DiffuseColor", named("red.png"));
  EXPECT_EQ(loaded().images.size(), 1u);
}

TEST_F(FbxMaterialsTest, TextureNamesItsSetOfCoordinates) {
  folder_.write("red.png", kRed);
  add_texture(add_material({}), "DiffuseColor",
              named("red.png") + fbx_properties(fbx_text_property("UVSet", "second")));
  EXPECT_FLOAT_EQ(loaded().mesh.uvs.at(0).x, 0.75f);
}

TEST_F(FbxMaterialsTest, UnknownSetOfCoordinatesIsTheFirst) {
  folder_.write("red.png", kRed);
  add_texture(add_material({}), "DiffuseColor",
              named("red.png") + fbx_properties(fbx_text_property("UVSet", "default")));
  EXPECT_FLOAT_EQ(loaded().mesh.uvs.at(0).x, 0.25f);
}

TEST_F(FbxMaterialsTest, ImageOfColorAndOpacityIsAMask) {
  folder_.write("red.png", kHoled);
  const FbxBuilder::Id material = add_material({});
  const FbxBuilder::Id texture = add_texture(material, "DiffuseColor", named("red.png"));
  file_.connect(texture, material, "TransparentColor");
  EXPECT_EQ(loaded().materials.at(0).alpha_mode, AlphaMode::kMask);
}

/// A binary PPM of two pixels.
std::string two_pixels(const char (&rgb)[7]) { return "P6 2 1 255\n" + std::string(rgb, 6); }
const std::string kNormals = two_pixels("\x80\x80\xff\xda\x80\xda");  // one straight up, one to the right
const std::string kHeights = two_pixels("\x80\x80\x80\xff\xff\xff");

TEST_F(FbxMaterialsTest, LambertIsRoughAndNoMetal) {
  file_.connect(file_.add("Material", "Material::a", "",
                          "ShadingModel: \"lambert\"\n" + fbx_properties(fbx_property("Shininess", {20}))),
                model_);
  const Material material = loaded().materials.at(0);
  EXPECT_EQ(material.metallic, 0);
  EXPECT_EQ(material.roughness, 1);
}

TEST_F(FbxMaterialsTest, RoughnessFollowsPhongsExponent) {
  const std::string shines = fbx_property("SpecularColor", {1, 1, 1});
  add_material(fbx_property("ShininessExponent", {30}) + fbx_property("Shininess", {2}) + shines);
  EXPECT_FLOAT_EQ(loaded().materials.at(0).roughness, 0.5f) << "(2 / 32)^(1/4)";
}

TEST_F(FbxMaterialsTest, WhatReflectsNothingIsRough) {
  add_material(fbx_property("Shininess", {30}) + fbx_property("SpecularColor", {0, 0, 0}));
  EXPECT_EQ(loaded().materials.at(0).roughness, 1);
}

TEST_F(FbxMaterialsTest, AnExponentThatIsNoneIsRough) {
  add_material(fbx_property("Shininess", {-7}) + fbx_property("SpecularColor", {1, 1, 1}));
  EXPECT_EQ(loaded().materials.at(0).roughness, 1);
}

TEST_F(FbxMaterialsTest, NumbersOfPhysicalMaterialsAreRead) {
  add_material(fbx_property("Maya|metalness", {0.75}) + fbx_property("Maya|specularRoughness", {0.25}) +
               fbx_property("Maya|emissionColor", {1, 0.5, 0}) + fbx_property("Maya|emission", {2}));
  const Material material = loaded().materials.at(0);
  EXPECT_FLOAT_EQ(material.metallic, 0.75f);
  EXPECT_FLOAT_EQ(material.roughness, 0.25f);
  EXPECT_FLOAT_EQ(material.emissive.x, 2);
  EXPECT_FLOAT_EQ(material.emissive.y, 1);
}

TEST_F(FbxMaterialsTest, RoughnessOf3dsMaxMayBeInverted) {
  add_material(fbx_property("3dsMax|Parameters|roughness", {0.25}) +
               fbx_property("3dsMax|Parameters|roughness_inv", {1}) + fbx_property("3dsMax|Parameters|metalness", {1}));
  EXPECT_FLOAT_EQ(loaded().materials.at(0).roughness, 0.75f);
  EXPECT_FLOAT_EQ(loaded().materials.at(0).metallic, 1);
}

TEST_F(FbxMaterialsTest, EmissionIsItsColorTimesItsFactor) {
  add_material(fbx_property("EmissiveColor", {0.5, 0.25, 1}) + fbx_property("EmissiveFactor", {0.5}));
  EXPECT_FLOAT_EQ(loaded().materials.at(0).emissive.x, 0.25f);
  EXPECT_FLOAT_EQ(loaded().materials.at(0).emissive.z, 0.5f);
}

TEST_F(FbxMaterialsTest, ATextureOfEmissionReplacesItsColor) {
  folder_.write("red.png", kRed);
  add_texture(add_material(fbx_property("EmissiveColor", {0, 0, 0}) + fbx_property("EmissiveFactor", {0.5})),
              "EmissiveColor", named("red.png"));
  const Material material = loaded().materials.at(0);
  EXPECT_EQ(material.emissive_texture.image, 0);
  EXPECT_FLOAT_EQ(material.emissive.y, 0.5f);
}

TEST_F(FbxMaterialsTest, ABumpMapOfNormalsIsANormalMap) {
  for (const char* property : {"NormalMap", "Bump", "Maya|TEX_normal_map", "Maya|normalCamera",
                               "3dsMax|Parameters|bump_map", "3dsMax|main|norm_map"}) {
    SCOPED_TRACE(property);
    folder_.write("n.ppm", kNormals);
    file_ = FbxBuilder();
    model_ = file_.add_model("Box", FbxBuilder::kRoot, {}, "Mesh");
    file_.add_mesh(model_, FbxProbe::points(), FbxProbe::polygons());
    add_texture(add_material({}), property, named("n.ppm"));
    EXPECT_EQ(loaded().materials.at(0).normal_texture.image, 0);
    EXPECT_THAT(report_.warnings, IsEmpty());
  }
}

TEST_F(FbxMaterialsTest, ABumpMapOfHeightsIsLostWithALine) {
  folder_.write("h.ppm", kHeights);
  add_texture(add_material({}), "Bump", named("h.ppm"));
  EXPECT_EQ(loaded().materials.at(0).normal_texture.image, -1);
  EXPECT_THAT(report_.warnings, ElementsAre(HasSubstr("its bump map has heights and no normals")));
}

TEST_F(FbxMaterialsTest, MetallicAndRoughnessBecomeOneImage) {
  folder_.write("m.ppm", two_pixels("\x10\x10\x10\x20\x20\x20"));
  folder_.write("r.ppm", "P6 1 1 255\n\x40\x40\x40");
  const FbxBuilder::Id material = add_material(fbx_property("Maya|metallic", {0.5}));
  add_texture(material, "Maya|TEX_metallic_map", named("m.ppm"));
  add_texture(material, "Maya|TEX_roughness_map", named("r.ppm"));
  const Character character = loaded();
  const Material& read = character.materials.at(0);
  EXPECT_EQ(read.metallic, 1) << "the texture replaces it";
  EXPECT_EQ(read.roughness, 1);
  ASSERT_EQ(read.metallic_roughness_texture.image, 2);
  EXPECT_THAT(character.images[2].rgba, ElementsAre(255, 0x40, 0x10, 255, 255, 0x40, 0x20, 255));
}

TEST_F(FbxMaterialsTest, RoughnessAloneLeavesTheMetallicNumber) {
  folder_.write("r.ppm", two_pixels("\x10\x10\x10\x20\x20\x20"));
  add_texture(add_material(fbx_property("Maya|metalness", {0.5})), "Maya|specularRoughness", named("r.ppm"));
  const Character character = loaded();
  EXPECT_EQ(character.materials.at(0).metallic, 0.5f);
  EXPECT_THAT(character.images.at(1).rgba, ElementsAre(255, 0x10, 255, 255, 255, 0x20, 255, 255));
}

TEST_F(FbxMaterialsTest, ASecondSetOfCoordinatesIsKept) {
  folder_.write("red.png", kRed);
  const FbxBuilder::Id material = add_material({});
  const auto of_set = [](const char* set) {
    return named("red.png") + fbx_properties(fbx_text_property("UVSet", set));
  };
  add_texture(material, "DiffuseColor", of_set("second"));
  add_texture(material, "AmbientOcclusion", of_set("first"));
  const Character character = loaded();
  EXPECT_EQ(character.materials.at(0).occlusion_texture.uv_set, 1u);
  EXPECT_FLOAT_EQ(character.mesh.uvs.at(0).x, 0.75f);
  EXPECT_FLOAT_EQ(character.mesh.second_uvs.at(0).x, 0.25f);
}

TEST_F(FbxMaterialsTest, TexturesMayBeClamped) {
  folder_.write("red.png", kRed);
  add_texture(add_material({}), "DiffuseColor", named("red.png") + fbx_properties(fbx_property("WrapModeU", {1})));
  EXPECT_EQ(loaded().materials.at(0).base_color_texture.wrap_u, Wrap::kClamp);
  EXPECT_EQ(loaded().materials.at(0).base_color_texture.wrap_v, Wrap::kRepeat);
}

TEST_F(FbxMaterialsTest, FactorsOutOfRangeAreReplacedWithALine) {
  add_material(fbx_property("Maya|metalness", {7}));
  EXPECT_EQ(loaded().materials.at(0).metallic, 0);
  EXPECT_THAT(report_.warnings, ElementsAre("material 'skin': its metallic factor is not from 0 to 1, 0 instead"));
}

}  // namespace
}  // namespace sinew::test
