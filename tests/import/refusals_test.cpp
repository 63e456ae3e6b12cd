// glTF that the importer does not read gives an error of one line with the reason, or a warning where the feature can
// be left out. Most tests run on a text file and on a binary file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gltf_file.h"
#include "sinew/import/import.h"

namespace sinew::test {
namespace {

using namespace std::string_literals;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// The parameter says whether files are written as text (false) or binary (true).
class Refusals : public ::testing::TestWithParam<bool> {
 protected:
  std::string write(GltfFile& file) { return GetParam() ? file.write_binary(folder_) : file.write(folder_); }

  Error refusal(GltfFile& file) {
    const Result<Character> character = load_character(write(file));
    EXPECT_FALSE(character);
    return character ? Error() : character.error();
  }

  /// The warnings of an import, which must succeed.
  std::vector<std::string> warnings(GltfFile& file) {
    ImportReport report;
    const Result<Character> character = load_character(write(file), {}, &report);
    EXPECT_TRUE(character) << character.error().message;
    EXPECT_TRUE(!character || character->mesh.vertex_count() == 3);
    return report.warnings;
  }

 private:
  TemporaryFolder folder_;
};

INSTANTIATE_TEST_SUITE_P(Gltf, Refusals, ::testing::Bool(),
                         [](const auto& binary) { return binary.param ? "Binary" : "Text"; });

/// A file that requires this extension.
GltfFile requiring(const std::string& extension) {
  GltfFile file = two_joints();
  file.json["extensionsRequired"] = file.json["extensionsUsed"] = {extension};
  return file;
}

/// A file with a texture whose image has these bytes. Where `extension` is not empty, only this extension names the
/// image.
GltfFile textured(std::string_view image, const std::string& extension = {}) {
  GltfFile file = extension.empty() ? two_joints() : requiring(extension);
  file.json["images"] = {{{"bufferView", file.add_view(image)}, {"mimeType", "image/png"}, {"name", "skin"}}};
  const Json source = {{"source", 0}};
  file.json["textures"] = {extension.empty() ? source : Json{{"extensions", {{extension, source}}}}};
  file.json["materials"] = {{{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}}};
  primitive(file)["material"] = 0;
  return file;
}

TEST_P(Refusals, CompressionIsReportedBeforeOtherErrors) {
  GltfFile meshopt = requiring("KHR_meshopt_compression");
  meshopt.json["bufferViews"][0]["byteOffset"] = 1000000;
  const Error error = refusal(meshopt);
  EXPECT_EQ(error.code, ErrorCode::kUnsupported);
  EXPECT_THAT(error.message,
              EndsWith(": it is compressed with the second version of Meshopt (KHR_meshopt_compression), "
                       "which is not read: export it without compression"));
}

TEST_P(Refusals, UnknownRequiredExtensionsAreRefusedByName) {
  GltfFile file = requiring("ACME_teapot");
  const Error error = refusal(file);
  EXPECT_EQ(error.code, ErrorCode::kUnsupported);
  EXPECT_THAT(error.message, EndsWith(": it requires the extension ACME_teapot, which is not read"));
}

TEST_P(Refusals, RequiredMaterialExtensionsAreWarnings) {
  for (const char* name : {"KHR_materials_sheen", "VRMC_materials_mtoon"}) {
    GltfFile file = requiring(name);
    EXPECT_THAT(warnings(file), ElementsAre("1 material extension '" + std::string(name) +
                                            "': it is not read, the character may look different"));
  }
}

TEST_P(Refusals, ExtensionsThatAreUsedButNotRequiredAreIgnored) {
  GltfFile file = requiring("KHR_draco_mesh_compression");
  file.json.erase("extensionsRequired");
  EXPECT_THAT(warnings(file), IsEmpty());
}

/// KHR_mesh_quantization: positions as plain 16-bit integers, normals as normalized 8-bit integers.
TEST_P(Refusals, QuantizedMeshesAreRead) {
  GltfFile file = requiring("KHR_mesh_quantization");
  Json& attributes = primitive(file)["attributes"];
  attributes["POSITION"] = file.add_accessor<int16_t>({0, 0, 0, -300, 0, 0, 0, 500, 0}, kShort, "VEC3");
  attributes["NORMAL"] = file.add_accessor<int8_t>({0, 127, 0, 0, 127, 0, 0, -127, 0}, kByte, "VEC3", true);
  const Result<Character> character = load_character(write(file));
  ASSERT_TRUE(character) << character.error().message;
  EXPECT_EQ(character->mesh.positions[1].x, -300);
  EXPECT_EQ(character->mesh.positions[2].y, 500);
  EXPECT_EQ(character->mesh.normals[2].y, -1);
}

TEST_P(Refusals, UnsupportedImageFormatsAreWarnings) {
  const std::string ktx = "\xabKTX 20\xbb\r\n\x1a\n"s + std::string(80, '\0');
  const std::string webp = "RIFF\x20\0\0\0WEBPVP8 "s + std::string(32, '\0');  // damaged
  const std::string avif = "\0\0\0\x20"s + "ftypavif" + std::string(32, '\0');
  const auto line = [](const std::string& format) {
    return "image 'skin' is in " + format + ", which is not read: left out";
  };
  for (const std::string& extension : {"KHR_texture_basisu"s, ""s}) {
    GltfFile file = textured(ktx, extension);
    EXPECT_THAT(warnings(file), ElementsAre(line("KTX2"))) << extension;
  }
  for (const std::string& extension : {"EXT_texture_webp"s, ""s}) {
    GltfFile file = textured(webp, extension);
    EXPECT_THAT(warnings(file), ElementsAre("image 'skin' cannot be decoded: its WebP is malformed: left out"))
        << extension;
  }
  GltfFile file = textured(avif, "EXT_texture_avif");
  EXPECT_THAT(warnings(file), ElementsAre(line("AVIF")));
}

TEST_P(Refusals, OtherVersionsAreRefusedByName) {
  const auto of_version = [&](const std::string& version) {
    GltfFile file = two_joints();
    file.json["asset"]["version"] = version;
    return refusal(file);
  };
  EXPECT_EQ(of_version("1.0").code, ErrorCode::kUnsupported);
  EXPECT_THAT(of_version("1.0").message, EndsWith(": it is glTF 1.0, which is not read: export it as glTF 2.0"));
  EXPECT_THAT(of_version("0.8").message, HasSubstr("glTF 1.0"));
  EXPECT_THAT(of_version("3.1").message, HasSubstr("it is glTF 3.1, which is not read"));
  EXPECT_THAT(of_version("").message, HasSubstr("does not say its version"));
  GltfFile minor = two_joints();
  minor.json["asset"]["version"] = "2.7";
  EXPECT_THAT(warnings(minor), IsEmpty());
  minor.json.erase("asset");
  EXPECT_THAT(refusal(minor).message, HasSubstr("does not say its version"));
}

TEST(BinaryGltf, OtherVersionsAndTruncationAreRefusedByName) {
  const TemporaryFolder folder;
  GltfFile file = two_joints();
  std::ifstream source(file.write_binary(folder), std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(source)), std::istreambuf_iterator<char>());
  const auto refusal = [&](std::string bytes) {
    const Result<Character> character = load_character(folder.write("a.glb", bytes));
    EXPECT_FALSE(character);
    return character ? "" : character.error().message;
  };
  std::string first = whole, fifth = whole;
  first[4] = 1, fifth[4] = 5;
  EXPECT_THAT(refusal(first), HasSubstr("it is glTF 1.0, which is not read"));
  EXPECT_THAT(refusal(fifth), HasSubstr("it is GLB 5, which is not read"));
  const std::string size = std::to_string(whole.size());
  EXPECT_THAT(refusal(whole.substr(0, 100)), HasSubstr("it is cut short: 100 bytes of " + size));
  EXPECT_THAT(refusal(whole.substr(0, 12)), HasSubstr("it is cut short within the header"));
}

TEST(BinaryGltf, VrmFilesAreReadAndTheVrmExtensionSetsTheFront) {
  const TemporaryFolder folder;
  GltfFile file = two_joints();
  Result<Character> character = load_character(file.write_binary(folder, "model.vrm"));
  ASSERT_TRUE(character) << character.error().message;
  EXPECT_EQ(character->space.front.z, 1);
  file.json["extensions"]["VRM"] = Json::object();
  character = load_character(file.write_binary(folder, "model.VRM"));
  ASSERT_TRUE(character) << character.error().message;
  EXPECT_EQ(character->space.front.z, -1);
}

TEST(GltfText, SyntaxErrorsNameTheLineAndColumn) {
  const TemporaryFolder folder;
  const auto refusal = [&](const std::string& text) {
    const std::string path = folder.write("a.gltf", text);
    const Result<Character> character = load_character(path);
    EXPECT_FALSE(character);
    return character ? "" : character.error().message.substr(("cannot read '" + path + "': ").size());
  };
  EXPECT_EQ(refusal("{\"asset\": {\"version\": \"2.0\",\n}}"), "its JSON is not correct at line 2, column 1: '}'");
  EXPECT_EQ(refusal("{\n\"asset\": nul}"), "its JSON is not correct at line 2, column 13: '\"asset\": nul}'");
  EXPECT_EQ(refusal("{\n\n  \"asset\""), "its JSON ends too early, at line 3, column 9");
  EXPECT_EQ(refusal("{\"asset\": {\"version\": \"2.0\"}, \"scene\": 1e999}"),
            "its JSON is not correct at line 1, column 44: '... : \"2.0\"}, \"scene\": 1e999'");
  EXPECT_EQ(refusal("{\"asset\": {\"version\": \"2.0\n\"}}"),
            "its JSON is not correct at line 1, column 27: '... sset\": {\"version\": \"2.0 '");
}

TEST(GltfText, JsonWithoutAGltfVersionIsRefused) {
  const TemporaryFolder folder;
  for (const char* text : {"[1, 2]", "{\"asset\": 7}", "{\"asset\": {\"version\": 2}}", "\"glTF\"", "17", "null"}) {
    const Result<Character> character = load_character(folder.write("a.gltf", text));
    ASSERT_FALSE(character) << text;
    EXPECT_THAT(character.error().message, HasSubstr("does not say its version")) << text;
  }
}

TEST(ClipsAlone, AreRefusedWithAHintUnlessAllowed) {
  const TemporaryFolder folder;
  GltfFile file = two_joints();
  file.json["nodes"][3].erase("mesh"), file.json["nodes"][3].erase("skin");
  file.json.erase("meshes"), file.json.erase("skins");
  std::string path = file.write_binary(folder);
  Result<Character> character = load_character(path);
  ASSERT_FALSE(character);
  EXPECT_THAT(character.error().message, EndsWith(": it has no mesh and no clip"));
  const ImportOptions clips_alone = {.animation_files = {}, .allow_no_mesh = true};
  EXPECT_FALSE(load_character(path, clips_alone));

  file.add_channel(2, "translation", {0, 2}, {0, 0, 0, 1, 1, 1});
  path = file.write_binary(folder);
  character = load_character(path);
  ASSERT_FALSE(character);
  EXPECT_EQ(character.error().code, ErrorCode::kInvalidData);
  EXPECT_THAT(character.error().message,
              EndsWith(": it has no mesh; its clip can move another file's mesh (--animation)"));
  ImportReport report;
  character = load_character(path, clips_alone, &report);
  ASSERT_TRUE(character) << character.error().message;
  EXPECT_EQ(character->mesh.vertex_count(), 0u);
  EXPECT_THAT(character->skeleton.joint_names, ElementsAre("knee"));
  ASSERT_EQ(character->clips.size(), 1u);
  EXPECT_EQ(character->clips[0].duration_seconds(), 2);
  EXPECT_THAT(report.warnings, IsEmpty());

  GltfFile model = two_joints();
  const Result<Character> moved = load_character(model.write(folder), {{path}});
  ASSERT_TRUE(moved) << moved.error().message;
  EXPECT_EQ(moved->clips.size(), 1u);
}

}  // namespace
}  // namespace sinew::test
