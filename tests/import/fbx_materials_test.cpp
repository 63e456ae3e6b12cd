// Materials of FBX files: colors, opacity, images beside the file and inside it, sets of texture coordinates.
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
  EXPECT_EQ(character.materials.at(0).base_color_image, 0);
  EXPECT_FLOAT_EQ(character.materials.at(0).base_color.x, 1);
}

TEST_F(FbxMaterialsTest, ImageThatIsMissingIsToldOf) {
  add_texture(add_material({}), "DiffuseColor", named("no_such.png"));
  EXPECT_EQ(loaded().materials.at(0).base_color_image, -1);
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

}  // namespace
}  // namespace sinew::test
