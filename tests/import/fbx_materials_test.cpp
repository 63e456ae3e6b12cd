// Materials of FBX files: colors, opacity, metallic-roughness, normals, images beside the file and inside it, sets of
// texture coordinates.
#include "fbx_fixture.h"

namespace sinew::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Binary PPM images: one red pixel; normals, of which one leans to the right; heights.
std::string ppm(int width, const std::string& rgb) { return "P6 " + std::to_string(width) + " 1 255\n" + rgb; }
const std::string kRed = ppm(1, std::string("\xff\0\0", 3)), kNormals = ppm(2, "\x80\x80\xff\xda\x80\xda"),
                  kHeights = ppm(2, "\x80\x80\x80\xff\xff\xff");

class FbxMaterialsTest : public FbxFixture {
 protected:
  FbxMaterialsTest() {
    folder_.write("red.ppm", kRed), folder_.write("normals.ppm", kNormals), folder_.write("heights.ppm", kHeights);
    begin();
  }
  /// A new file with a model, whose mesh has two sets of texture coordinates.
  void begin() {
    file_ = {};
    const auto set = [](const std::string& name, double u) {
      return fbx_layer("LayerElementUV", "AllSame", "Direct", "Name: \"" + name + "\"\n" + fbx_array("UV", {u, 0}));
    };
    model_ = file_.add_model("Box", FbxBuilder::kRoot, {}, "Mesh");
    file_.add_mesh(model_, FbxProbe::points(), FbxProbe::polygons(), set("first", 0.25) + set("second", 0.75));
  }
  FbxBuilder::Id add_material(const std::string& properties, const std::string& records = {}) {
    const FbxBuilder::Id material = file_.add("Material", "Material::skin", "", records + fbx_properties(properties));
    file_.connect(material, model_);
    return material;
  }
  FbxBuilder::Id add_texture(FbxBuilder::Id material, const std::string& property, const std::string& image,
                             const std::string& properties = {}) {
    const FbxBuilder::Id texture =
        file_.add("Texture", "Texture::t", "", "RelativeFilename: \"" + image + "\"\n" + fbx_properties(properties));
    file_.connect(texture, material, property);
    return texture;
  }
  void embed(FbxBuilder::Id texture, const std::string& values) {
    file_.connect(file_.add("Video", "Video::v", "Clip", "Content: ,\n" + values + "\n"), texture);
  }
  Character loaded() { return load(file_.text()); }

  FbxBuilder file_;
  FbxBuilder::Id model_ = 0;
};

std::string number(const char* name, double value) { return fbx_property(name, {value}); }
std::string gray(const char* name, double value) { return fbx_property(name, {value, value, value}); }

/// What the numbers of a material become. Fields that are not said are those of a material without properties.
struct MaterialRow {
  const char* what;
  std::string properties, records = {};
  Vec4 color = {0.8f, 0.8f, 0.8f, 1};
  float metallic = 0, roughness = 1;
  Vec3 emissive = {};
  const char* warning = "";
};

std::vector<MaterialRow> material_rows() {
  const std::string shiny = gray("SpecularColor", 1), lambert = "ShadingModel: \"lambert\"\n";
  const auto max = [](const char* name, double value) {
    return number((std::string("3dsMax|Parameters|") + name).c_str(), value);
  };
  const Vec4 clear = {0.8f, 0.8f, 0.8f, 0.25f}, black = {0, 0, 0, 1};
  return {
      {"nothing", ""},
      {.what = "a color times its factor",
       .properties = fbx_property("DiffuseColor", {0.5, 0.25, 1}) + number("DiffuseFactor", 0.5),
       .color = {0.25f, 0.125f, 0.5f, 1}},
      {.what = "the color of a physical material comes first",
       .properties = gray("DiffuseColor", 0) + fbx_property("Maya|baseColor", {1, 0.5, 0}),
       .color = {1, 0.5f, 0, 1}},
      {.what = "opacity", .properties = number("Opacity", 0.25), .color = clear},
      {.what = "transparency: color times factor",
       .properties = fbx_property("TransparentColor", {1, 0.8, 0.7}) + number("TransparencyFactor", 0.9),
       .color = clear},
      {.what = "Lambert is rough", .properties = number("Shininess", 20) + shiny, .records = lambert},
      {.what = "Phong's exponent: (2 / 32)^(1/4)",
       .properties = number("ShininessExponent", 30) + number("Shininess", 2) + shiny,
       .roughness = 0.5f},
      {.what = "its older name", .properties = number("Shininess", 30) + shiny, .roughness = 0.5f},
      {.what = "what reflects nothing is rough", .properties = number("Shininess", 30) + gray("SpecularColor", 0)},
      {.what = "nothing times a color", .properties = number("Shininess", 30) + shiny + number("SpecularFactor", 0)},
      {.what = "an exponent that is none", .properties = number("Shininess", -7) + shiny},
      {.what = "numbers of physical materials",
       .properties = number("Maya|metalness", 0.75) + number("Maya|specularRoughness", 0.25) +
                     fbx_property("Maya|emissionColor", {1, 0.5, 0}) + number("Maya|emission", 2),
       .metallic = 0.75f,
       .roughness = 0.25f,
       .emissive = {2, 1, 0}},
      {.what = "the roughness of 3ds Max may be inverted",
       .properties = max("roughness", 0.25) + max("roughness_inv", 1) + max("metalness", 1),
       .metallic = 1,
       .roughness = 0.75f},
      {.what = "emission: color times factor",
       .properties = fbx_property("EmissiveColor", {0.5, 0.25, 1}) + number("EmissiveFactor", 0.5),
       .emissive = {0.25f, 0.125f, 0.5f}},
      {.what = "factors out of range",
       .properties = gray("DiffuseColor", 0) + number("Maya|metalness", 7),
       .color = black,
       .warning = "material 'skin': its metallic factor is not from 0 to 1, 0 instead"}};
}

TEST_F(FbxMaterialsTest, NumbersAreThoseOfTheTable) {
  for (const MaterialRow& row : material_rows()) {
    SCOPED_TRACE(row.what);
    begin();
    add_material(row.properties, row.records);
    const Material material = loaded().materials.at(0);
    EXPECT_EQ(material.name, "skin");
    EXPECT_FLOAT_EQ(material.base_color.x, row.color.x);
    EXPECT_FLOAT_EQ(material.base_color.y, row.color.y);
    EXPECT_FLOAT_EQ(material.base_color.z, row.color.z);
    EXPECT_FLOAT_EQ(material.base_color.w, row.color.w);
    EXPECT_EQ(material.alpha_mode, row.color.w < 1 ? AlphaMode::kBlend : AlphaMode::kOpaque);
    EXPECT_FLOAT_EQ(material.metallic, row.metallic);
    EXPECT_FLOAT_EQ(material.roughness, row.roughness);
    expect_at(material.emissive, {double(row.emissive.x), double(row.emissive.y), double(row.emissive.z)}, 1e-6);
    const std::vector<std::string> warnings(row.warning[0] == '\0' ? 0 : 1, row.warning);
    EXPECT_EQ(report_.warnings, warnings);
  }
}

// --- images ---

/// Beside the file, at the end of a path of another system; as often as it is used. It replaces the color.
TEST_F(FbxMaterialsTest, ImageBesideTheFileReplacesTheColor) {
  add_texture(add_material(gray("DiffuseColor", 0.5)), "DiffuseColor", "C:\\\\models\\\\red.ppm");
  const FbxBuilder::Id other = file_.add_probe("Other");
  const FbxBuilder::Id material = file_.add("Material", "Material::b", "");
  file_.connect(material, other);
  add_texture(material, "DiffuseColor", "C:\\\\models\\\\red.ppm");
  const Character character = loaded();
  EXPECT_THAT(report_.warnings, IsEmpty());
  EXPECT_EQ(character.images.size(), 1u);
  EXPECT_EQ(character.materials.at(0).base_color_texture.image, 0);
  EXPECT_FLOAT_EQ(character.materials.at(0).base_color.x, 1);
}

/// Text files have embedded images as base64, in several values.
TEST_F(FbxMaterialsTest, ImageInsideTheFileIsDecoded) {
  const std::string text = base64(kRed), first = text.substr(0, 4), second = text.substr(4);
  embed(add_texture(add_material({}), "DiffuseColor", "inside.ppm"), "\"" + first + "\",\n\"" + second + "\"");
  const Character character = loaded();
  EXPECT_THAT(report_.warnings, IsEmpty());
  ASSERT_EQ(character.images.size(), 1u);
  EXPECT_THAT(character.images[0].rgba, ElementsAre(255, 0, 0, 255));
}

TEST_F(FbxMaterialsTest, ImagesThatAreMissingOrDamagedAreToldOf) {
  add_texture(add_material({}), "DiffuseColor", "no_such.png");
  EXPECT_EQ(loaded().materials.at(0).base_color_texture.image, -1);
  EXPECT_THAT(report_.warnings, ElementsAre(HasSubstr("no_such.png")));
  begin();
  embed(add_texture(add_material({}), "DiffuseColor", "inside.png"), "\"!!!!AAAA\"");
  EXPECT_TRUE(loaded().images.empty());
  EXPECT_THAT(report_.warnings, ElementsAre(HasSubstr("inside.png")));
}

/// An unknown set is the first one.
TEST_F(FbxMaterialsTest, TextureNamesItsSetOfCoordinates) {
  for (const auto& [set, u] : {std::pair{"second", 0.75f}, {"first", 0.25f}, {"default", 0.25f}}) {
    begin();
    add_texture(add_material({}), "DiffuseColor", "red.ppm", fbx_text_property("UVSet", set));
    EXPECT_FLOAT_EQ(loaded().mesh.uvs.at(0).x, u) << set;
  }
}

TEST_F(FbxMaterialsTest, ASecondSetOfCoordinatesIsKept) {
  const FbxBuilder::Id material = add_material({});
  add_texture(material, "DiffuseColor", "red.ppm", fbx_text_property("UVSet", "second"));
  add_texture(material, "AmbientOcclusion", "red.ppm", fbx_text_property("UVSet", "first"));
  const Character character = loaded();
  EXPECT_EQ(character.materials.at(0).occlusion_texture.uv_set, 1u);
  EXPECT_FLOAT_EQ(character.mesh.uvs.at(0).x, 0.75f);
  EXPECT_FLOAT_EQ(character.mesh.second_uvs.at(0).x, 0.25f);
}

TEST_F(FbxMaterialsTest, TexturesMayBeClamped) {
  add_texture(add_material({}), "DiffuseColor", "red.ppm", number("WrapModeU", 1));
  const Texture texture = loaded().materials.at(0).base_color_texture;
  EXPECT_EQ(texture.wrap_u, Wrap::kClamp);
  EXPECT_EQ(texture.wrap_v, Wrap::kRepeat);
}

TEST_F(FbxMaterialsTest, ImageOfColorAndOpacityIsAMask) {
  const FbxBuilder::Id material = add_material({}), texture = add_texture(material, "DiffuseColor", "holed.png");
  // A PNG of two pixels, of which one is transparent.
  embed(texture,
        "\"iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAAD0lEQVR4nGP4z8DwH4gZABD4Av6s6Ub4AAAAAElFTkSuQmCC\"");
  file_.connect(texture, material, "TransparentColor");
  EXPECT_EQ(loaded().materials.at(0).alpha_mode, AlphaMode::kMask);
}

TEST_F(FbxMaterialsTest, ATextureOfEmissionReplacesItsColor) {
  add_texture(add_material(gray("EmissiveColor", 0) + number("EmissiveFactor", 0.5)), "EmissiveColor", "red.ppm");
  const Material material = loaded().materials.at(0);
  EXPECT_EQ(material.emissive_texture.image, 0);
  EXPECT_FLOAT_EQ(material.emissive.y, 0.5f);
}

/// Bump maps of heights are lost with a line.
TEST_F(FbxMaterialsTest, ABumpMapOfNormalsIsANormalMap) {
  for (const char* property : {"NormalMap", "Bump", "Maya|TEX_normal_map", "Maya|normalCamera",
                               "3dsMax|Parameters|bump_map", "3dsMax|main|norm_map"}) {
    SCOPED_TRACE(property);
    begin();
    add_texture(add_material({}), property, "normals.ppm");
    EXPECT_EQ(loaded().materials.at(0).normal_texture.image, 0);
    EXPECT_THAT(report_.warnings, IsEmpty());
  }
  begin();
  add_texture(add_material({}), "Bump", "heights.ppm");
  EXPECT_EQ(loaded().materials.at(0).normal_texture.image, -1);
  EXPECT_THAT(report_.warnings, ElementsAre(HasSubstr("its bump map has heights and no normals")));
}

TEST_F(FbxMaterialsTest, MetallicAndRoughnessBecomeOneImage) {
  folder_.write("m.ppm", ppm(2, "\x10\x10\x10\x20\x20\x20"));
  folder_.write("r.ppm", ppm(1, "\x40\x40\x40"));
  const FbxBuilder::Id material = add_material(number("Maya|metallic", 0.5));
  add_texture(material, "Maya|TEX_metallic_map", "m.ppm");
  add_texture(material, "Maya|TEX_roughness_map", "r.ppm");
  const Character character = loaded();
  const Material& read = character.materials.at(0);
  EXPECT_EQ(read.metallic, 1) << "the texture replaces it";
  EXPECT_EQ(read.roughness, 1);
  ASSERT_EQ(read.metallic_roughness_texture.image, 0) << "the two images of the file are left out";
  EXPECT_THAT(character.images.at(0).rgba, ElementsAre(255, 0x40, 0x10, 255, 255, 0x40, 0x20, 255));
  begin();
  add_texture(add_material(number("Maya|metalness", 0.5)), "Maya|specularRoughness", "m.ppm");
  const Character rough = loaded();
  EXPECT_EQ(rough.materials.at(0).metallic, 0.5f);
  EXPECT_THAT(rough.images.at(0).rgba, ElementsAre(255, 0x10, 255, 255, 255, 0x20, 255, 255));
}

}  // namespace
}  // namespace sinew::test
