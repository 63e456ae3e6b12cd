// What characters wear: vertex colors, alpha, sides and texture coordinates of glTF files and of others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include <limits>

#include "gltf_file.h"
#include "sinew/import/import.h"
#include "surface.h"

namespace sinew::test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// A triangle of one node, with a material of its own.
GltfFile flat_triangle() {
  GltfFile file;
  file.add_node({{"name", "flag"}, {"mesh", 0}});
  const Json attributes = {{"POSITION", file.add_floats({0, 0, 0, 1, 0, 0, 0, 1, 0}, "VEC3")}};
  file.json["materials"] = {{{"name", "cloth"}, {"pbrMetallicRoughness", Json::object()}}};
  file.json["meshes"] = {{{"name", "flag"}, {"primitives", {{{"attributes", attributes}, {"material", 0}}}}}};
  return file;
}

Json& material(GltfFile& file) { return file.json["materials"][0]; }

/// A picture of two pixels whose second has this alpha: an uncompressed TGA file.
std::string two_pixels(char alpha) {
  std::string bytes(26, '\0');
  bytes[2] = 2, bytes[12] = 2, bytes[14] = 1, bytes[16] = 32, bytes[17] = 0x28;
  const char bgra[] = {0x10, 0x20, 0x30, char(0xff), 0x40, 0x50, 0x60, alpha};
  std::copy(std::begin(bgra), std::end(bgra), bytes.begin() + 18);
  return bytes;
}

void add_image(GltfFile& file, char alpha) {
  file.json["images"] = {{{"bufferView", file.add_view(two_pixels(alpha))}, {"mimeType", "image/png"}}};
  file.json["textures"] = {{{"source", 0}}};
  material(file)["pbrMetallicRoughness"]["baseColorTexture"] = {{"index", 0}};
}

Character loaded_surface(const std::string& path, ImportReport* report = nullptr) {
  Result<Character> character = load_character(path, {}, report);
  EXPECT_TRUE(character) << character.error().message;
  return character ? std::move(*character) : Character();
}

Character loaded_surface(GltfFile& file, ImportReport* report = nullptr) {
  const TemporaryFolder folder;
  file.json.erase("buffers");  // of an earlier call
  return loaded_surface(file.write(folder), report);
}

std::vector<VertexColor> colors_of(GltfFile& file, int accessor, ImportReport* report = nullptr) {
  primitive(file)["attributes"]["COLOR_0"] = accessor;
  return loaded_surface(file, report).mesh.colors;
}

TEST(VertexColors, AreReadInEveryFormatOfGltf) {
  const VertexColor red{65535, 0, 0, 65535}, half{0, 32768, 0, 32768}, blue{0, 0, 65535, 65535};
  GltfFile file = flat_triangle();
  EXPECT_THAT(colors_of(file, file.add_floats({1, 0, 0, 1, 0, 0.5f, 0, 0.5f, 0, 0, 1, 1}, "VEC4")),
              ElementsAre(red, half, blue));
  EXPECT_THAT(colors_of(file, file.add_floats({1, 0, 0, 0, 0, 1, 1, 0, 0}, "VEC3")), ElementsAre(red, blue, red));
  const int bytes =
      file.add_accessor<uint8_t>({255, 0, 0, 255, 0, 128, 0, 1, 0, 0, 255, 255}, kUnsignedByte, "VEC4", true);
  EXPECT_THAT(colors_of(file, bytes), ElementsAre(red, VertexColor{0, 128 * 257, 0, 257}, blue)) << "exact";
  const int shorts = file.add_accessor<uint16_t>({65535, 0, 0, 1, 2, 3, 0, 0, 65535}, kUnsignedShort, "VEC3", true);
  EXPECT_THAT(colors_of(file, shorts), ElementsAre(red, VertexColor{1, 2, 3, 65535}, blue)) << "exact";
}

TEST(VertexColors, OutOfRangeOrNotFiniteAreLimitedAndReported) {
  GltfFile file = flat_triangle();
  ImportReport report;
  const auto colors = colors_of(file, file.add_floats({kNan, -4, 0, 9e9f, 0.5f, 1, 1, 1.00001f, 0}, "VEC3"), &report);
  EXPECT_THAT(colors, ElementsAre(VertexColor{65535, 0, 0, 65535}, VertexColor{65535, 32768, 65535, 65535},
                                  VertexColor{65535, 65535, 0, 65535}));
  EXPECT_THAT(report.warnings, Contains("mesh 'flag': 2 vertex colors not within 0 to 1, limited"));
}

TEST(VertexColors, OfAnotherLengthOrTypeAreRefused) {
  const auto message = [](auto add) {
    GltfFile file = flat_triangle();
    primitive(file)["attributes"]["COLOR_0"] = add(file);
    const TemporaryFolder folder;
    const Result<Character> character = load_character(file.write(folder));
    return character ? "accepted" : character.error().message;
  };
  EXPECT_THAT(message([](GltfFile& file) {
                return file.add_floats({1, 0, 0, 1, 0, 0}, "VEC3");
              }),
              HasSubstr("mesh 'flag' has 3 positions but 2 of COLOR_0"));
  EXPECT_THAT(message([](GltfFile& file) {
                return file.add_floats({1, 0, 0, 1, 0, 0}, "VEC2");
              }),
              HasSubstr("wrong number of components"));
  EXPECT_THAT(message([](GltfFile&) { return 77; }), HasSubstr("accessor 77 does not exist"));
}

TEST(VertexColors, PartsWithoutColorsAreWhiteAndAllWhiteIsNone) {
  GltfFile file = flat_triangle();
  Json& primitives = file.json["meshes"][0]["primitives"];
  primitives.push_back(primitives[0]);
  primitives.push_back(primitives[0]);
  primitives[1]["attributes"]["COLOR_0"] = file.add_floats({1, 0, 0, 1, 0, 0, 1, 0, 0}, "VEC3");
  const VertexColor white, red{65535, 0, 0, 65535};
  EXPECT_THAT(loaded_surface(file).mesh.colors, ElementsAre(white, white, white, red, red, red, white, white, white));
  primitives[1]["attributes"]["COLOR_0"] = file.add_floats({1, 1, 1, 1, 1, 1, 1, 1, 1}, "VEC3");
  EXPECT_THAT(loaded_surface(file).mesh.colors, IsEmpty());
}

TEST(VertexColors, WeldingKeepsColorsApart) {
  internal::SceneMesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 0}, {0, 1, 0}};
  mesh.colors = {{1, 0, 0, 9}, {2, 0, 0, 9}, {3, 0, 0, 9}, {2, 0, 0, 9}, {1, 0, 0, 9}, {3, 0, 0, 8}};
  mesh.indices = {0, 1, 2, 3, 4, 5};
  internal::weld(mesh);
  EXPECT_THAT(mesh.indices, ElementsAre(0, 1, 2, 1, 0, 3));
  EXPECT_THAT(mesh.colors, ElementsAre(VertexColor{1, 0, 0, 9}, VertexColor{2, 0, 0, 9}, VertexColor{3, 0, 0, 9},
                                       VertexColor{3, 0, 0, 8}));
}

TEST(AlphaModes, AreReadWithCutoffAndSides) {
  GltfFile file = flat_triangle();
  const Material plain = loaded_surface(file).materials[0];
  EXPECT_EQ(plain.alpha_mode, AlphaMode::kOpaque);
  EXPECT_FALSE(plain.double_sided);
  material(file).update({{"alphaMode", "MASK"}, {"alphaCutoff", 0.75}, {"doubleSided", true}});
  material(file)["pbrMetallicRoughness"]["baseColorFactor"] = {0.25, 0.5, 1, 0.7};
  const Material mask = loaded_surface(file).materials[0];
  EXPECT_EQ(mask.alpha_mode, AlphaMode::kMask);
  EXPECT_EQ(mask.alpha_cutoff, 0.75f);
  EXPECT_TRUE(mask.double_sided);
  EXPECT_EQ(mask.base_color.w, 0.7f);
  material(file)["alphaMode"] = "BLEND";
  EXPECT_EQ(loaded_surface(file).materials[0].alpha_mode, AlphaMode::kBlend);
}

TEST(AlphaModes, NonsenseIsReported) {
  GltfFile file = flat_triangle();
  material(file).update({{"alphaMode", "GLITTER"}, {"alphaCutoff", -1}});
  ImportReport report;
  const Material odd = loaded_surface(file, &report).materials[0];
  EXPECT_EQ(odd.alpha_mode, AlphaMode::kOpaque);
  EXPECT_EQ(odd.alpha_cutoff, 0.5f);
  EXPECT_THAT(report.warnings, Contains(HasSubstr("material 'cloth': alpha mode 'GLITTER' is unknown")));
  EXPECT_THAT(report.warnings, Contains(HasSubstr("material 'cloth': its alpha cutoff is negative or not finite")));
  material(file)["alphaCutoff"] = 1e39;  // no float holds it
  EXPECT_EQ(loaded_surface(file).materials[0].alpha_cutoff, 0.5f);
}

TEST(AlphaModes, WithoutATransparentPlaceMaterialsAreOpaque) {
  const auto mode = [](const char* name, char image_alpha, float vertex_alpha) {
    GltfFile file = flat_triangle();
    material(file)["alphaMode"] = name;
    add_image(file, image_alpha);
    primitive(file)["attributes"]["COLOR_0"] = file.add_floats({1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, vertex_alpha}, "VEC4");
    const Character character = loaded_surface(file);
    EXPECT_EQ(character.images.size(), 1u);
    return character.materials[0].alpha_mode;
  };
  EXPECT_EQ(mode("BLEND", '\xff', 1), AlphaMode::kOpaque);
  EXPECT_EQ(mode("BLEND", '\xfe', 1), AlphaMode::kBlend);
  EXPECT_EQ(mode("BLEND", '\xff', 0.99f), AlphaMode::kBlend);
  EXPECT_EQ(mode("MASK", '\x90', 1), AlphaMode::kOpaque) << "above the cutoff of 0.5 everywhere";
  EXPECT_EQ(mode("MASK", '\x90', 0.8f), AlphaMode::kMask) << "image times vertex color";
  EXPECT_EQ(mode("MASK", '\x70', 1), AlphaMode::kMask);
}

TEST(AlphaModes, PartsThatBlendComeLastInTheOrderOfTheFile) {
  GltfFile file = flat_triangle();
  const Json clear = {{"baseColorFactor", {1, 1, 1, 0.5}}};
  file.json["materials"] = {
      {{"name", "glass"}, {"alphaMode", "BLEND"}, {"pbrMetallicRoughness", clear}},
      {{"name", "skin"}},
      {{"name", "lashes"}, {"alphaMode", "MASK"}, {"alphaCutoff", 0.6}, {"pbrMetallicRoughness", clear}},
      {{"name", "tears"}, {"alphaMode", "BLEND"}, {"pbrMetallicRoughness", clear}}};
  Json& primitives = file.json["meshes"][0]["primitives"];
  for (const int m : {3, 1, 2, 1}) {
    primitives.push_back(primitives[0]);
    primitives.back()["material"] = m;
  }
  std::vector<uint32_t> order;
  for (const MeshPart& part : loaded_surface(file).mesh.parts) order.push_back(part.material);
  EXPECT_THAT(order, ElementsAre(1, 1, 2, 0, 3));
}

Vec4 base_color(GltfFile& file) { return loaded_surface(file).materials.at(0).base_color; }

TEST(BaseColors, AreTheDiffuseColorOfSpecularGlossiness) {
  GltfFile file = flat_triangle();
  const Json specular = {{"diffuseFactor", {0.1, 0.2, 0.3, 0.4}}};
  material(file)["extensions"]["KHR_materials_pbrSpecularGlossiness"] = specular;
  const Vec4 color = base_color(file);
  EXPECT_THAT((std::vector{color.x, color.y, color.z, color.w}), ElementsAre(0.1f, 0.2f, 0.3f, 0.4f));
  add_image(file, '\xff');
  material(file)["pbrMetallicRoughness"].erase("baseColorTexture");
  EXPECT_EQ(loaded_surface(file).materials.at(0).base_color_texture.image, -1);
  Json& extension = material(file)["extensions"]["KHR_materials_pbrSpecularGlossiness"];
  extension["diffuseTexture"] = {{"index", 0}};
  EXPECT_EQ(loaded_surface(file).materials.at(0).base_color_texture.image, 0);
  extension = {{"diffuseFactor", {"red", 1}}, {"diffuseTexture", 7}};
  EXPECT_EQ(base_color(file).x, 1);
}

TEST(TextureCoordinates, AreTheSetOfTheBaseColor) {
  GltfFile file = flat_triangle();
  add_image(file, '\xff');
  primitive(file)["attributes"]["TEXCOORD_0"] = file.add_floats({0, 0, 0, 0, 0, 0}, "VEC2");
  primitive(file)["attributes"]["TEXCOORD_1"] = file.add_floats({0.5f, 0, 0.25f, 0, 0, 1}, "VEC2");
  material(file)["pbrMetallicRoughness"]["baseColorTexture"]["texCoord"] = 1;
  ImportReport report;
  const Character character = loaded_surface(file, &report);
  EXPECT_EQ(character.mesh.uvs[0].x, 0.5f);
  EXPECT_EQ(character.mesh.uvs[2].y, 1);
  EXPECT_THAT(report.warnings, IsEmpty());
}

/// KHR_texture_transform: a quarter turn takes u, scaled by 2, to -v, and v, scaled by 3, to u.
const Json kTransform = {{"offset", {0.125, 0.25}}, {"rotation", 1.57079632679}, {"scale", {2, 3}}, {"texCoord", 1}};

void expect_transformed(GltfFile& file) {
  primitive(file)["attributes"]["TEXCOORD_0"] = file.add_floats({0, 0, 0, 0, 0, 0}, "VEC2");
  primitive(file)["attributes"]["TEXCOORD_1"] = file.add_floats({0, 0, 1, 0, 0, 1}, "VEC2");
  const Character character = loaded_surface(file);
  const std::vector<Vec2> uvs = *base_color_uvs(character.mesh, character.materials);
  EXPECT_EQ(character.mesh.uvs.at(1).x, 1) << "the mesh has those of the file";
  const Vec2 expected[] = {{0.125f, 0.25f}, {0.125f, -1.75f}, {3.125f, 0.25f}};
  for (size_t v = 0; v < 3; ++v) {
    EXPECT_NEAR(uvs.at(v).x, expected[v].x, 1e-5f) << v;
    EXPECT_NEAR(uvs.at(v).y, expected[v].y, 1e-5f) << v;
  }
}

TEST(TextureCoordinates, OfBaseColorAndDiffuseTexturesAreTransformed) {
  GltfFile base = flat_triangle(), diffuse = flat_triangle();
  for (GltfFile* file : {&base, &diffuse}) add_image(*file, '\xff');
  material(base)["pbrMetallicRoughness"]["baseColorTexture"]["extensions"]["KHR_texture_transform"] = kTransform;
  const Json texture = {{"index", 0}, {"extensions", {{"KHR_texture_transform", kTransform}}}};
  material(diffuse)["extensions"]["KHR_materials_pbrSpecularGlossiness"]["diffuseTexture"] = texture;
  for (GltfFile* file : {&base, &diffuse}) expect_transformed(*file);
}

TEST(TextureCoordinates, TransformsThatAreNoneAreRefusedByName) {
  const auto refusal = [](const char* member, const Json& value) {
    const TemporaryFolder folder;
    GltfFile file = flat_triangle();
    add_image(file, '\xff');
    Json& texture = material(file)["pbrMetallicRoughness"]["baseColorTexture"];
    texture["extensions"]["KHR_texture_transform"] = {{member, value}};
    const Result<Character> character = load_character(file.write(folder));
    return character ? "accepted" : character.error().message;
  };
  EXPECT_THAT(refusal("offset", {1, 2, 3}), HasSubstr("KHR_texture_transform: its offset is not two numbers"));
  EXPECT_THAT(refusal("scale", 5), HasSubstr("KHR_texture_transform: its scale is not two numbers"));
  EXPECT_THAT(refusal("scale", {1, "x"}), HasSubstr("KHR_texture_transform: its scale is not a finite number"));
  EXPECT_THAT(refusal("rotation", 1e60), HasSubstr("KHR_texture_transform: its rotation is not a finite number"));
}

TEST(Materials, MayBeUnlit) {
  GltfFile file = flat_triangle();
  EXPECT_FALSE(loaded_surface(file).materials.at(0).unlit);
  material(file)["extensions"]["KHR_materials_unlit"] = Json::object();
  file.json["extensionsRequired"] = {"KHR_materials_unlit"};
  ImportReport report;
  EXPECT_TRUE(loaded_surface(file, &report).materials.at(0).unlit);
  EXPECT_THAT(report.warnings, IsEmpty());
}

TEST(TextureCoordinates, ThatAreMissingAreReported) {
  GltfFile file = flat_triangle();
  add_image(file, '\xff');
  material(file)["pbrMetallicRoughness"]["baseColorTexture"]["texCoord"] = 2;
  material(file)["occlusionTexture"] = {{"index", 0}, {"texCoord", 1}};
  ImportReport report;
  const Character character = loaded_surface(file, &report);
  EXPECT_THAT(report.warnings, ElementsAre("mesh 'flag' has no TEXCOORD_2 for its image: zeros instead",
                                           "mesh 'flag' has no TEXCOORD_1 for its image: zeros instead"));
  EXPECT_EQ(character.mesh.second_uvs.size(), 3u);
}

/// A Wavefront file with this material, after Assimp's own, and vertices of which the second is half gray.
Character loaded_obj(const std::string& material, ImportReport* report = nullptr) {
  const TemporaryFolder folder;
  folder.write("a.mtl", "newmtl glass\nKd 0.5 0.25 1\n" + material);
  folder.write("a.tga", two_pixels('\x10'));
  folder.write("b.tga", two_pixels('\x10'));
  return loaded_surface(
      folder.write("a.obj",
                   "mtllib a.mtl\nv 0 0 0 1 1 1\nv 1 0 0 0.5 0.5 0.5\nv 0 1 0 0 0 1\nvt 0 0\nusemtl glass\n"
                   "f 1/1 2/1 3/1\n"),
      report);
}

TEST(AssimpSurface, VertexColorsAreConvertedFromSrgb) {
  const Character character = loaded_obj("");
  EXPECT_THAT(character.mesh.colors,
              ElementsAre(VertexColor(), VertexColor{14027, 14027, 14027, 65535}, VertexColor{0, 0, 65535, 65535}));
  EXPECT_TRUE(character.materials.back().double_sided);
  EXPECT_EQ(character.materials.back().alpha_mode, AlphaMode::kOpaque);
}

TEST(AssimpSurface, VertexColorsThatAreAllBlackAreLeftOut) {
  const TemporaryFolder folder;
  ImportReport report;
  const Character character =
      loaded_surface(folder.write("a.obj", "v 0 0 0 0 0 0\nv 1 0 0 0 0 0\nv 0 1 0 0 0 0\nf 1 2 3\n"), &report);
  EXPECT_THAT(character.mesh.colors, IsEmpty());
  EXPECT_THAT(report.warnings, Contains(HasSubstr("its vertex colors are all black, left out")));
}

TEST(AssimpSurface, OnlyOpacityThatMakesSenseIsTrusted) {
  ImportReport report;
  const Material half = loaded_obj("d 0.5\n", &report).materials.back();
  EXPECT_EQ(half.alpha_mode, AlphaMode::kBlend);
  EXPECT_EQ(half.base_color.w, 0.5f);
  EXPECT_EQ(half.base_color.y, 0.25f);
  EXPECT_THAT(report.warnings, IsEmpty());
  for (const char* nonsense : {"d 0\n", "d -3\n", "d 7\n"}) {
    const Material opaque = loaded_obj(nonsense, &report).materials.back();
    EXPECT_EQ(opaque.alpha_mode, AlphaMode::kOpaque) << nonsense;
    EXPECT_EQ(opaque.base_color.w, 1) << nonsense;
    EXPECT_THAT(report.warnings, Contains(HasSubstr("material 'glass': an opacity of "))) << nonsense;
  }
}

TEST(AssimpSurface, RoughnessFollowsTheExponent) {
  ImportReport report;
  const Material shining = loaded_obj("Ks 1 1 1\nNs 30\nillum 2\nKe 0.5 0.25 2\n", &report).materials.back();
  EXPECT_FLOAT_EQ(shining.roughness, 0.5f) << "(2 / 32)^(1/4)";
  EXPECT_EQ(shining.metallic, 0);
  EXPECT_FLOAT_EQ(shining.emissive.z, 2);
  EXPECT_THAT(report.warnings, IsEmpty());
  EXPECT_EQ(loaded_obj("Ks 0 0 0\nNs 30\nillum 2\n").materials.back().roughness, 1) << "it reflects nothing";
  EXPECT_EQ(loaded_obj("Ks 1 1 1\nNs 30\nillum 1\n").materials.back().roughness, 1) << "no highlight";
}

TEST(AssimpSurface, MapsAreRead) {
  const TemporaryFolder folder;
  folder.write("n.ppm", "P6 1 1 255\n\x80\x80\xff");
  folder.write("m.ppm", "P6 1 1 255\n\x10\x10\x10");
  folder.write("r.ppm", "P6 1 1 255\n\x40\x40\x40");
  folder.write("a.mtl", "newmtl glass\nKd 1 1 1\nmap_Bump n.ppm\nmap_Ke m.ppm\nmap_Pm m.ppm\nmap_Pr r.ppm\n");
  ImportReport report;
  const Character character = loaded_surface(
      folder.write("a.obj", "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl glass\nf 1/1 2/1 3/1\n"), &report);
  EXPECT_THAT(report.warnings, IsEmpty());
  const Material& read = character.materials.back();
  const auto bytes_of = [&](const Texture& texture) {
    return texture.image < 0 ? std::vector<uint8_t>() : character.images[size_t(texture.image)].rgba;
  };
  EXPECT_THAT(bytes_of(read.normal_texture), ElementsAre(0x80, 0x80, 255, 255));
  EXPECT_THAT(bytes_of(read.emissive_texture), ElementsAre(0x10, 0x10, 0x10, 255));
  EXPECT_THAT(bytes_of(read.metallic_roughness_texture), ElementsAre(255, 0x40, 0x10, 255));
  EXPECT_EQ(read.metallic, 1);
  EXPECT_EQ(read.emissive.x, 1);
}

TEST(AssimpSurface, AnImageThatIsAlsoTheOpacityMasks) {
  ImportReport report;
  const Material mask = loaded_obj("map_Kd a.tga\nmap_d a.tga\n", &report).materials.back();
  EXPECT_EQ(mask.alpha_mode, AlphaMode::kMask);
  EXPECT_EQ(mask.base_color_texture.image, 0);
  EXPECT_THAT(report.warnings, IsEmpty());
  EXPECT_EQ(loaded_obj("map_Kd a.tga\n").materials.back().alpha_mode, AlphaMode::kOpaque);
  EXPECT_EQ(loaded_obj("map_Kd a.tga\nmap_d b.tga\n", &report).materials.back().alpha_mode, AlphaMode::kOpaque);
  EXPECT_THAT(report.warnings, Contains("material 'glass': its opacity is an image of its own, which is not read"));
}

}  // namespace
}  // namespace sinew::test
