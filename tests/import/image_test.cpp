// Images that a model names: WebP, and names that differ from those of the files in the case of letters or in escapes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <webp/encode.h>

#include <filesystem>

#include "gltf_file.h"
#include "sinew/import/import.h"

namespace sinew::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace std::string_literals;

constexpr uint8_t kPixels[] = {10, 20, 30, 255, 200, 100, 0, 128};

/// A picture of two pixels, without loss.
std::string webp() {
  uint8_t* bytes = nullptr;
  const size_t size = WebPEncodeLosslessRGBA(kPixels, 2, 1, 8, &bytes);
  std::string text(reinterpret_cast<const char*>(bytes), size);
  WebPFree(bytes);
  return text;
}

/// An uncompressed TGA file of one pixel.
std::string tga() {
  std::string bytes(22, '\0');
  bytes[2] = 2, bytes[12] = 1, bytes[14] = 1, bytes[16] = 32, bytes[17] = 0x28, bytes[21] = '\xff';
  return bytes;
}

class ImageTest : public ::testing::Test {
 protected:
  /// A character whose material has the image `uri`. The texture may have extensions that name others.
  Character load(const Json& images, const Json& texture = {{"source", 0}}) {
    GltfFile file = two_joints();
    file.json["images"] = images;
    file.json["textures"] = {texture};
    file.json["materials"] = {{{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}}};
    primitive(file)["material"] = 0;
    primitive(file)["attributes"]["TEXCOORD_0"] = file.add_floats({0, 0, 1, 0, 0, 1}, "VEC2");
    Result<Character> character = load_character(file.write(folder_), options_, &report_);
    EXPECT_TRUE(character) << character.error().message;
    return character ? std::move(*character) : Character();
  }
  Character load_uri(const char* uri) { return load(Json::array({{{"uri", uri}}})); }

  void make_folder(const char* name) { std::filesystem::create_directory(folder_.path(name)); }

  TemporaryFolder folder_;
  ImportOptions options_;
  ImportReport report_;
};

std::string other_case(const std::string& name, const std::string& file) {
  return "image '" + name + "' is read from '" + file + "', whose name differs in the case of letters";
}
std::string not_beside(const std::string& name) { return "image '" + name + "' is not beside the model: left out"; }

TEST_F(ImageTest, WebPIsDecoded) {
  folder_.write("a.webp", webp());
  const Character character = load_uri("a.webp");
  EXPECT_THAT(report_.warnings, IsEmpty());
  ASSERT_EQ(character.images.size(), 1u);
  EXPECT_EQ(character.images[0].width, 2u);
  EXPECT_EQ(character.images[0].height, 1u);
  EXPECT_THAT(character.images[0].rgba, ::testing::ElementsAreArray(kPixels));
}

TEST_F(ImageTest, IsNotEvenOpenedWithoutImages) {
  options_.images = false;
  for (const char* uri : {"absent.png", "data:image/png;base64,AAAA"}) {
    const Character character = load_uri(uri);
    EXPECT_THAT(character.images, IsEmpty());
    ASSERT_EQ(character.materials.size(), 1u);
    EXPECT_EQ(character.materials[0].base_color_texture.image, -1);
    EXPECT_THAT(report_.warnings, IsEmpty()) << uri;
  }
}

TEST_F(ImageTest, IsLeftOutOfAStoredFileWithoutImages) {
  folder_.write("a.webp", webp());
  const CharacterFile stored{load_uri("a.webp"), {}, {}};
  ASSERT_EQ(stored.character.images.size(), 1u);
  ASSERT_TRUE(write_character_file(folder_.path("a.sinew"), stored));
  options_.images = false;
  const Result<Character> character = load_character(folder_.path("a.sinew"), options_);
  ASSERT_TRUE(character) << character.error().message;
  EXPECT_THAT(character->images, IsEmpty());
  EXPECT_EQ(character->materials[0].base_color_texture.image, -1);
}

TEST_F(ImageTest, TruncatedWebPIsAWarning) {
  const std::string whole = webp();
  for (size_t size = 13; size < whole.size(); ++size) {
    folder_.write("a.webp", whole.substr(0, size));
    EXPECT_THAT(load_uri("a.webp").images, IsEmpty()) << size;
    EXPECT_THAT(report_.warnings, ElementsAre("image 'a.webp' cannot be decoded: its WebP is malformed: left out"));
  }
}

TEST_F(ImageTest, AnimatedWebPIsAWarning) {
  const std::string head = "VP8X\x0a\0\0\0\x02\0\0\0\1\0\0\0\0\0ANIM\6\0\0\0\0\0\0\0\0\0"s;
  std::string file = "RIFF\0\0\0\0WEBP"s;
  file += head;
  file[4] = char(file.size() - 8);
  folder_.write("a.webp", file);
  EXPECT_THAT(load_uri("a.webp").images, IsEmpty());
  EXPECT_THAT(report_.warnings, ElementsAre("image 'a.webp' is an animated WebP, which is not read: left out"));
}

TEST_F(ImageTest, TheImageOfTheWebPExtensionGoesFirst) {
  folder_.write("a.webp", webp()), folder_.write("a.tga", tga());
  const Json images = {{{"uri", "a.tga"}}, {{"uri", "a.webp"}}};
  const Json both = {{"source", 0}, {"extensions", {{"EXT_texture_webp", {{"source", 1}}}}}};
  EXPECT_EQ(load(images, both).images.at(0).width, 2u);
  EXPECT_EQ(load(images).images.at(0).width, 1u);
}

TEST_F(ImageTest, PlainImageIsUsedWhereThatOfTheExtensionIsMissing) {
  folder_.write("a.tga", tga());
  const Json images = {{{"uri", "a.tga"}}, {{"uri", "a.webp"}}};
  const Json both = {{"source", 0}, {"extensions", {{"EXT_texture_webp", {{"source", 1}}}}}};
  EXPECT_EQ(load(images, both).images.at(0).width, 1u);
}

TEST_F(ImageTest, TheOnlyNameThatDiffersInCaseIsFoundAndSaid) {
  SINEW_SKIP_IF_CASE_IS_IGNORED();
  folder_.write("skin_red.tga", tga());
  EXPECT_EQ(load_uri("Skin_Red.TGA").images.size(), 1u);
  EXPECT_THAT(report_.warnings, ElementsAre(other_case("Skin_Red.TGA", "skin_red.tga")));
}

TEST_F(ImageTest, NamesWithTheSameCaseGoFirst) {
  folder_.write("SKIN.tga", "no image"), folder_.write("skin.tga", tga());
  EXPECT_EQ(load_uri("skin.tga").images.size(), 1u);
  EXPECT_THAT(report_.warnings, IsEmpty());
}

TEST_F(ImageTest, SeveralNamesThatDifferInCaseAreNotGuessed) {
  SINEW_SKIP_IF_CASE_IS_IGNORED();
  folder_.write("SKIN.tga", tga()), folder_.write("skin.tga", tga());
  EXPECT_THAT(load_uri("Skin.tga").images, IsEmpty());
  EXPECT_THAT(report_.warnings, ElementsAre(not_beside("Skin.tga")));
}

TEST_F(ImageTest, CaseOfFoldersMayDifferToo) {
  SINEW_SKIP_IF_CASE_IS_IGNORED();
  make_folder("Textures");
  folder_.write("Textures/Skin.tga", tga());
  EXPECT_EQ(load_uri("textures/skin.tga").images.size(), 1u);
  EXPECT_THAT(report_.warnings, ElementsAre(other_case("textures/skin.tga", "Skin.tga")));
  EXPECT_EQ(load_uri("./textures/Skin.tga").images.size(), 1u);
}

TEST_F(ImageTest, LastPartOfAPathMayDifferInCase) {
  SINEW_SKIP_IF_CASE_IS_IGNORED();
  folder_.write("skin.tga", tga());
  EXPECT_EQ(load_uri("/home/artist/maps/Skin.tga").images.size(), 1u);
  EXPECT_THAT(report_.warnings, ElementsAre(other_case("/home/artist/maps/Skin.tga", "skin.tga")));
  EXPECT_EQ(load_uri("C:%5Cmaps%5CSKIN.TGA").images.size(), 1u);
}

TEST_F(ImageTest, BackslashesSeparateFolders) {
  make_folder("maps");
  folder_.write("maps/skin.tga", tga());
  EXPECT_EQ(load_uri("maps%5Cskin.tga").images.size(), 1u);
  EXPECT_THAT(report_.warnings, IsEmpty());
  EXPECT_EQ(load_uri("MAPS%5Cskin.tga").images.size(), 1u);
}

TEST_F(ImageTest, FilesOutsideTheFolderAreNotFoundInAnyCase) {
  make_folder("Outside"), make_folder("model");
  folder_.write("Outside/skin.tga", tga());
  std::error_code error;
  std::filesystem::create_directory_symlink(folder_.path("Outside"), folder_.path("model/Link"), error);
  GltfFile file = two_joints();
  for (const char* uri : {"../outside/skin.tga", "link/SKIN.tga", "Link/skin.tga", "..%5Coutside%5Cskin.tga"}) {
    file.json["images"] = {{{"uri", uri}}};
    file.json["textures"] = {{{"source", 0}}};
    file.json["materials"] = {{{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}}};
    primitive(file)["material"] = 0;
    const Result<Character> character = load_character(file.write(folder_, "model/a.gltf"), {}, &report_);
    ASSERT_TRUE(character) << character.error().message;
    EXPECT_THAT(character->images, IsEmpty()) << uri;
  }
}

TEST_F(ImageTest, EscapesOfUrisAreDecodedAndAPlusStays) {
  folder_.write("my skin+1%.tga", tga());
  EXPECT_EQ(load_uri("my%20skin+1%25.tga").images.size(), 1u);
  EXPECT_THAT(report_.warnings, IsEmpty());
  EXPECT_EQ(load_uri("my skin%2b1%.tga").images.size(), 1u);
  EXPECT_THAT(load_uri("my+skin+1%25.tga").images, IsEmpty());
}

class BufferName : public ::testing::Test {
 protected:
  Result<Character> load(const char* uri) {
    file_.json["buffers"] = {{{"byteLength", file_.buffer.size()}, {"uri", uri}}};
    return load_character(file_.write(folder_), {}, &report_);
  }

  GltfFile file_ = two_joints();
  TemporaryFolder folder_;
  ImportReport report_;
};

TEST_F(BufferName, EscapesAreDecodedAndAPlusStays) {
  folder_.write("my buffer+1%.bin", file_.buffer);
  EXPECT_TRUE(load("my%20buffer+1%25.bin"));
  EXPECT_TRUE(load("my buffer%2B1%.bin"));
  EXPECT_FALSE(load("my+buffer+1%25.bin"));
  EXPECT_THAT(report_.warnings, IsEmpty());
}

TEST_F(BufferName, MayDifferInCase) {
  SINEW_SKIP_IF_CASE_IS_IGNORED();
  folder_.write("model.bin", file_.buffer);
  EXPECT_TRUE(load("Model.BIN"));
  EXPECT_THAT(report_.warnings,
              ElementsAre("buffer 'Model.BIN' is read from 'model.bin', whose name differs in the case "
                          "of letters"));
}

TEST_F(BufferName, ThatIsMissingIsNamedInOneLine) {
  const Result<Character> character = load("no%20such+file.bin");
  ASSERT_FALSE(character);
  EXPECT_THAT(character.error().message, HasSubstr("model.gltf': its file 'no such+file.bin' is not beside the model"));
}

}  // namespace
}  // namespace sinew::test
