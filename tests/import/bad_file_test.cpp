// Files that cannot be read: the error is one line that names the file and the fault.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#ifndef _WIN32
#include <sys/stat.h>
#include <unistd.h>
#endif

#include <filesystem>
#include <random>

#include "gltf_file.h"
#include "long_run.h"
#include "must.h"
#include "sinew/import/import.h"

namespace sinew::test {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

Error error_of(const std::string& path) {
  const Error error = must_fail(load_character(path));
  EXPECT_THAT(error.message, HasSubstr("'" + path + "'"));
  EXPECT_THAT(error.message, Not(HasSubstr("\n")));
  return error;
}

TEST(BadFileTest, MissingFileIsNotFound) {
  for (const char* name : {"absent.glb", "absent.gltf", "absent.fbx", "absent.txt", "no/such/folder/absent.dae"}) {
    const Error error = error_of(TemporaryFolder().path(name));
    EXPECT_EQ(error.code, ErrorCode::kNotFound) << name;
    EXPECT_THAT(error.message, EndsWith(": no such file"));
  }
}

TEST(BadFileTest, EmptyFileIsRefused) {
  const TemporaryFolder folder;
  for (const char* name : {"a.glb", "a.gltf", "a.fbx", "a.x"})
    EXPECT_THAT(error_of(folder.write(name, "")).message, EndsWith("the file is empty"));
}

TEST(BadFileTest, DirectoryIsUnreadable) {
  const TemporaryFolder folder;
  for (const char* name : {"a.glb", "a.fbx", "folder"}) {
    ASSERT_TRUE(std::filesystem::create_directory(folder.path(name)));
    const Error error = error_of(folder.path(name));
    EXPECT_EQ(error.code, ErrorCode::kUnreadable);
    EXPECT_THAT(error.message, HasSubstr("directory"));
  }
}

#ifndef _WIN32
TEST(BadFileTest, PipeDoesNotBlock) {
  const TemporaryFolder folder;
  for (const char* name : {"a.glb", "a.fbx"}) {
    ASSERT_EQ(mkfifo(folder.path(name).c_str(), 0600), 0);
    EXPECT_THAT(error_of(folder.path(name)).message, HasSubstr("not a regular file"));
  }
}

TEST(BadFileTest, DevicesAreRefused) {
  const TemporaryFolder folder;
  for (const char* device : {"/dev/zero", "/dev/null", "/dev/full"}) {
    for (const char* name : {"a.glb", "a.fbx", "a.sinew"}) {
      const std::string path = folder.path(name);
      std::filesystem::remove(path);
      std::filesystem::create_symlink(device, path);
      EXPECT_THAT(error_of(path).message, HasSubstr("not a regular file")) << device;
    }
  }
}

TEST(BadFileTest, FileWithoutPermissionIsUnreadable) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const TemporaryFolder folder;
  const std::string path = folder.write("a.glb", "glTF");
  chmod(path.c_str(), 0);
  EXPECT_EQ(error_of(path).code, ErrorCode::kUnreadable);
}
#endif

TEST(BadFileTest, UnknownFileTypeIsUnsupported) {
  const TemporaryFolder folder;
  const Error error = error_of(folder.write("notes.txt", "hello"));
  EXPECT_EQ(error.code, ErrorCode::kUnsupported);
  EXPECT_THAT(error.message, HasSubstr("'.txt'"));
  error_of(folder.write("no_extension", "hello"));
}

TEST(BadFileTest, ContentOfAnotherFileTypeIsInvalid) {
  const TemporaryFolder folder;
  for (const char* name : {"a.glb", "a.gltf", "a.fbx", "a.dae", "a.x", "a.md5mesh", "a.bvh"})
    EXPECT_EQ(error_of(folder.write(name, "this is no model, whatever it is called")).code, ErrorCode::kInvalidData);
}

TEST(FolderTest, BuffersOutsideTheModelsFolderAreNotRead) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path("model/below"));
  GltfFile file = two_joints();
  folder.write("outside.bin", file.buffer);
  folder.write("model/below/inside.bin", file.buffer);
  std::error_code no_links;  // of this system
  std::filesystem::create_symlink("../outside.bin", folder.path("model/link.bin"), no_links);
  const auto load_with = [&](const char* uri) {
    file.json["buffers"] = {{{"byteLength", file.buffer.size()}, {"uri", uri}}};
    return load_character(file.write(folder, "model/model.gltf"));
  };
  for (const char* inside : {"below/inside.bin", "below/../below/inside.bin"}) EXPECT_TRUE(load_with(inside)) << inside;
  for (const char* outside : {"../outside.bin", "below/../../outside.bin", "%2e%2e/outside.bin", "link.bin"})
    EXPECT_FALSE(load_with(outside)) << outside;
  EXPECT_FALSE(load_with(folder.path("outside.bin").c_str()));
}

TEST(BadFileTest, TruncatedGlbIsRefused) {
  const TemporaryFolder folder;
  const std::string whole = read_file_text(SINEW_SOURCE_DIR "/assets/character.glb");
  for (size_t part = 0; part < 16; ++part) error_of(folder.write("a.glb", whole.substr(0, whole.size() * part / 16)));
}

TEST(BadFileTest, GltfWithFlippedBitsIsRefusedOrGivesAValidCharacter) {
  const TemporaryFolder folder;
  GltfFile file = two_joints();
  file.add_channel(1, "translation", {0, 0.5f, 1}, {0, 0, 1, 1, 0, 1, 2, 0, 1});
  file.write(folder);
  const std::string whole = file.json.dump();
  std::mt19937 random(7);
  size_t loaded = 0;
  const size_t rounds = is_long_run() ? 2000 : 400;
  for (size_t i = 0; i < rounds; ++i) {
    std::string text = whole;
    for (size_t flips = 1 + i % 3; flips > 0; --flips) text[random() % text.size()] ^= char(1 << random() % 7);
    const Result<Character> character = load_character(folder.write("a.gltf", text));
    if (!character) continue;
    ++loaded;
    EXPECT_TRUE(validate(*character));
  }
  EXPECT_GT(loaded, rounds / 20);
}

TEST(BadFileTest, LargeBufferThatIsNoBase64IsRefused) {
  const TemporaryFolder folder;
  GltfFile file = two_joints();
  file.json["buffers"] = {
      {{"byteLength", 4}, {"uri", "data:application/octet-stream;base64," + std::string(3 << 20, '?')}}};
  EXPECT_LT(error_of(file.write(folder)).message.size(), 1000u);
}

TEST(BinaryGltf, OtherVersionsAndTruncationAreRefusedByName) {
  const TemporaryFolder folder;
  GltfFile file = two_joints();
  const std::string whole = read_file_text(file.write_binary(folder));
  const auto refusal = [&](const std::string& bytes) { return error_of(folder.write("a.glb", bytes)).message; };
  std::string first = whole, fifth = whole;
  first[4] = 1, fifth[4] = 5;
  EXPECT_THAT(refusal(first), HasSubstr("it is glTF 1.0, which is not read"));
  EXPECT_THAT(refusal(fifth), HasSubstr("it is GLB 5, which is not read"));
  const std::string size = std::to_string(whole.size());
  EXPECT_THAT(refusal(whole.substr(0, 100)), HasSubstr("it is cut short: 100 bytes of " + size));
  EXPECT_THAT(refusal(whole.substr(0, 12)), HasSubstr("it is cut short within the header"));
}

TEST(BinaryGltf, AnEmptyChunkIsRead) {
  const TemporaryFolder folder;
  const std::string empty = std::string("glTF\2\0\0\0\x38\0\0\0", 12) + std::string("\x1c\0\0\0JSON", 8) +
                            R"({"asset":{"version":"2.0"}} )" + std::string("\0\0\0\0BIN\0", 8);
  EXPECT_THAT(error_of(folder.write("a.glb", empty)).message, HasSubstr("it has no mesh and no clip"));
}

TEST(BinaryGltf, VrmFilesAreRead) {
  const TemporaryFolder folder;
  GltfFile file = two_joints();
  for (const char* name : {"model.vrm", "model.VRM", "model.vrma"}) {
    const Character character = must(load_character(file.write_binary(folder, name)));
    EXPECT_EQ(character.space.front.z, 1) << "only the extension turns it";
  }
}

TEST(GltfText, SyntaxErrorsNameTheLineAndColumn) {
  const TemporaryFolder folder;
  const auto refusal = [&](const std::string& text) {
    const std::string path = folder.write("a.gltf", text);
    return error_of(path).message.substr(("cannot read '" + path + "': ").size());
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
  for (const char* text : {"[1, 2]", "{\"asset\": 7}", "\"glTF\"", "17", "null"})
    EXPECT_THAT(error_of(folder.write("a.gltf", text)).message, HasSubstr("does not say its version")) << text;
}

TEST(GltfText, JsonThatNestsTooDeepIsRefusedBeforeParsing) {
  const TemporaryFolder folder;
  const auto nested = [](size_t depth) {
    return "{\"asset\":{\"version\":\"2.0\"},\"extras\":" + std::string(depth, '[') + std::string(depth, ']') + "}";
  };
  EXPECT_THAT(error_of(folder.write("a.gltf", nested(198))).message, HasSubstr("no mesh"));
  EXPECT_THAT(error_of(folder.write("a.gltf", nested(200))).message, HasSubstr("nests more than 200 deep"));
  EXPECT_THAT(error_of(folder.write("a.gltf", nested(200000))).message, HasSubstr("nests more than 200 deep"));
  const std::string deep = "{\"asset\":{\"version\":\"2.0\"},\"extras\":" + std::string(200000, '[');
  EXPECT_THAT(error_of(folder.write("a.gltf", deep)).message, HasSubstr("nests more than 200 deep"));
  std::string binary = "glTF";
  for (const uint32_t number : {2u, uint32_t(20 + deep.size()), uint32_t(deep.size()), 0x4E4F534Au})
    binary.append(reinterpret_cast<const char*>(&number), sizeof(number));
  EXPECT_THAT(error_of(folder.write("c.glb", binary + deep)).message, HasSubstr("nests"));
}

}  // namespace
}  // namespace sinew::test
