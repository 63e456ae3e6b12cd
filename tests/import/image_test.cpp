// Files that a model names: images in WebP or outside of its folder, and names of buffers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <webp/encode.h>

#include <filesystem>

#include "gltf_file.h"
#include "must.h"
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

class ImageTest : public ::testing::Test {
 protected:
  /// A file whose material has the image `uri`.
  GltfFile file_with(const char* uri) {
    GltfFile file = two_joints();
    file.json["images"] = {{{"uri", uri}}};
    file.json["textures"] = {{{"source", 0}}};
    file.json["materials"] = {{{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}}};
    primitive(file)["material"] = 0;
    primitive(file)["attributes"]["TEXCOORD_0"] = file.add_floats({0, 0, 1, 0, 0, 1}, "VEC2");
    return file;
  }
  Character load_uri(const char* uri) {
    GltfFile file = file_with(uri);
    return must(load_character(file.write(folder_), {}, &report_));
  }

  TemporaryFolder folder_;
  ImportReport report_;
};

TEST_F(ImageTest, WebPIsDecoded) {
  folder_.write("a.webp", webp());
  const Character character = load_uri("a.webp");
  EXPECT_THAT(report_.warnings, IsEmpty());
  ASSERT_EQ(character.images.size(), 1u);
  EXPECT_EQ(character.images[0].width, 2u);
  EXPECT_EQ(character.images[0].height, 1u);
  EXPECT_THAT(character.images[0].rgba, ::testing::ElementsAreArray(kPixels));
}

/// Each scan of a progressive JPEG may change all pixels: 20 of 8192 x 8192 pixels would take a minute.
TEST_F(ImageTest, JpegOfManyScansIsLeftOut) {
  std::string jpeg = "\xff\xd8\xff\xc2\0\x11\x08\x20\0\x20\0\x03\x01\x11\0\x02\x11\0\x03\x11\0"s;
  for (int i = 0; i < 20; ++i) jpeg += "\xff\xda\0\x08"s;
  folder_.write("a.jpg", jpeg);
  load_uri("a.jpg");
  EXPECT_THAT(report_.warnings, ElementsAre("image 'a.jpg' has too many scans for its size: left out"));
}

TEST_F(ImageTest, IsLeftOutOfAStoredFileWithoutImages) {
  folder_.write("a.webp", webp());
  const CharacterFile stored{load_uri("a.webp"), {}, {}};
  ASSERT_EQ(stored.character.images.size(), 1u);
  ASSERT_TRUE(write_character_file(folder_.path("a.sinew"), stored));
  ImportOptions options;
  options.images = false;
  const Character character = must(load_character(folder_.path("a.sinew"), options));
  EXPECT_THAT(character.images, IsEmpty());
  EXPECT_EQ(character.materials[0].base_color_texture.image, -1);
}

TEST_F(ImageTest, TruncatedWebPIsAWarning) {
  const std::string whole = webp();
  for (size_t size = 13; size < whole.size(); ++size) {
    folder_.write("a.webp", whole.substr(0, size));
    EXPECT_THAT(load_uri("a.webp").images, IsEmpty()) << size;
    EXPECT_THAT(report_.warnings, ElementsAre("image 'a.webp' cannot be decoded: its WebP is malformed: left out"));
  }
}

TEST_F(ImageTest, FilesOutsideTheFolderAreNotFoundInAnyCase) {
  for (const char* name : {"Outside", "model"}) std::filesystem::create_directory(folder_.path(name));
  folder_.write("Outside/skin.webp", webp());
  std::error_code error;
  std::filesystem::create_directory_symlink(folder_.path("Outside"), folder_.path("model/Link"), error);
  for (const char* uri : {"../outside/skin.webp", "link/SKIN.webp", "Link/skin.webp", "..%5Coutside%5Cskin.webp"}) {
    GltfFile file = file_with(uri);
    const Character character = must(load_character(file.write(folder_, "model/a.gltf"), {}, &report_));
    EXPECT_THAT(character.images, IsEmpty()) << uri;
  }
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

TEST_F(BufferName, OfAFileThatIsLongerTakesItsBeginning) {
  folder_.write("long 1.bin", file_.buffer + "more");
  EXPECT_TRUE(load("long%201.bin"));
  file_.json["buffers"].push_back({{"byteLength", 2}, {"uri", "long 1.bin"}});
  EXPECT_TRUE(load_character(file_.write(folder_))) << "of two buffers each has its length";
  folder_.write("short.bin", file_.buffer.substr(1));
  EXPECT_FALSE(load("short.bin"));
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
  EXPECT_THAT(must_fail(load("no%20such+file.bin")).message,
              HasSubstr("model.gltf': its file 'no such+file.bin' is not beside the model"));
}

}  // namespace
}  // namespace sinew::test
