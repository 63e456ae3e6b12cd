// Files that cannot be read: the error is one line that names the file and the fault.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#ifndef _WIN32
#include <sys/stat.h>
#include <unistd.h>
#endif

#include <filesystem>
#include <functional>

#include "gltf_file.h"
#include "sinew/import/import.h"

namespace sinew::test {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

Error error_of(const std::string& path) {
  const Result<Character> character = load_character(path);
  EXPECT_FALSE(character) << path << " was read";
  if (character) return {};
  EXPECT_THAT(character.error().message, HasSubstr("'" + path + "'"));
  EXPECT_THAT(character.error().message, Not(HasSubstr("\n")));
  return character.error();
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
  for (const char* name : {"a.glb", "a.gltf", "a.fbx", "a.x"}) {
    EXPECT_THAT(error_of(folder.write(name, "")).message, EndsWith("the file is empty"));
  }
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
  for (const char* name : {"a.glb", "a.gltf", "a.fbx", "a.dae", "a.x", "a.md5mesh", "a.bvh"}) {
    EXPECT_EQ(error_of(folder.write(name, "this is no model, whatever it is called")).code, ErrorCode::kInvalidData);
  }
}

TEST(BadFileTest, ErrorNamesTheAnimationFile) {
  const TemporaryFolder folder;
  const std::string absent = folder.path("walk.glb");
  GltfFile file = two_joints();
  const Result<Character> character = load_character(file.write(folder), {{absent}, 0});
  ASSERT_FALSE(character);
  EXPECT_THAT(character.error().message, HasSubstr("'" + absent + "'"));
}

struct Damage {
  const char* name;
  std::function<void(GltfFile&)> apply;
  const char* message;  // a part of the expected message
};

class DamagedGltfTest : public ::testing::TestWithParam<Damage> {};

TEST_P(DamagedGltfTest, IsRefusedWithTheReason) {
  const TemporaryFolder folder;
  GltfFile file = two_joints();
  GetParam().apply(file);
  const Error error = error_of(file.write(folder));
  EXPECT_THAT(error.message, HasSubstr(GetParam().message));
}

Json& accessor(GltfFile& file, int index) { return file.json["accessors"][size_t(index)]; }

/// Replaces `count` elements of the positions. `indices` and the values, 12 bytes each, are in views of their own.
void make_sparse(GltfFile& file, const std::vector<uint8_t>& indices, int count, size_t value_bytes) {
  const int index_view = file.add_view(GltfFile::bytes_of(indices));
  const int value_view = file.add_view(std::string(value_bytes, '\0'));
  accessor(file, 0)["sparse"] = {{"count", count},
                                 {"indices", {{"bufferView", index_view}, {"componentType", kUnsignedByte}}},
                                 {"values", {{"bufferView", value_view}}}};
}

/// Adds a channel with two keys. Its accessors are the last two.
void animate(GltfFile& file) { file.add_channel(1, "translation", {0, 1}, {0, 0, 0, 1, 1, 1}); }

const Damage kDamages[] = {
    {"joint_out_of_range",
     [](GltfFile& f) {
       primitive(f)["attributes"]["JOINTS_0"] =
           f.add_accessor<uint8_t>({0, 0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0}, kUnsignedByte, "VEC4");
     },
     "mesh 'body' names joint 9 of a skin of 2"},
    {"index_out_of_range",
     [](GltfFile& f) {
       primitive(f)["indices"] = f.add_accessor<uint16_t>({0, 1, 3}, kUnsignedShort, "SCALAR");
     },
     "names vertex 3 of 3"},
    {"accessor_past_its_view", [](GltfFile& f) { accessor(f, 0)["count"] = 4; }, "accessor 0: it reaches past"},
    {"accessor_offset_past_its_view", [](GltfFile& f) { accessor(f, 0)["byteOffset"] = 1000000; }, "accessor 0: it"},
    {"accessor_of_enormous_count", [](GltfFile& f) { accessor(f, 0)["count"] = uint64_t(1) << 62; }, "accessor 0: it"},
    {"accessor_without_view_of_enormous_count",
     [](GltfFile& f) {
       accessor(f, 0).erase("bufferView");
       accessor(f, 0)["count"] = uint64_t(1) << 62;
     },
     "accessor 0: it is larger than"},
    {"accessor_without_view_larger_than_2_gib",
     [](GltfFile& f) {
       accessor(f, 0).erase("bufferView");
       accessor(f, 0)["count"] = uint64_t(1) << 28;  // of 12 bytes
     },
     "accessor 0: it is larger than 2 GiB"},
    {"view_past_its_buffer", [](GltfFile& f) { f.json["bufferViews"][0]["byteOffset"] = 1000000; }, "past its buffer"},
    {"view_of_enormous_length",
     [](GltfFile& f) { f.json["bufferViews"][0]["byteLength"] = uint64_t(0xFFFFFFFFFFFFFFF0); }, "past its buffer"},
    {"stride_past_the_view", [](GltfFile& f) { f.json["bufferViews"][0]["byteStride"] = 252; }, "accessor 0: it"},
    {"view_of_missing_buffer", [](GltfFile& f) { f.json["bufferViews"][0]["buffer"] = 7; }, "buffer 7 does not exist"},
    {"attribute_of_missing_accessor", [](GltfFile& f) { primitive(f)["attributes"]["POSITION"] = 99; }, "accessor 99"},
    {"wrong_width", [](GltfFile& f) { accessor(f, 0)["type"] = "VEC2"; }, "accessor 0: it has the wrong number"},
    {"float_joints", [](GltfFile& f) { primitive(f)["attributes"]["JOINTS_0"] = 2; }, "not unsigned integers"},
    {"fewer_weights_than_vertices", [](GltfFile& f) { accessor(f, 2)["count"] = 2; }, "2 of WEIGHTS_0"},
    {"sparse_index_out_of_range",
     [](GltfFile& f) {
       const std::vector<uint8_t> index = {3};
       accessor(f, 0)["sparse"] = {
           {"count", 1},
           {"indices", {{"bufferView", f.add_view(GltfFile::bytes_of(index))}, {"componentType", kUnsignedByte}}},
           {"values", {{"bufferView", 0}}}};
     },
     "sparse index 3"},
    {"sparse_indices_past_their_view", [](GltfFile& f) { make_sparse(f, {0}, 2, 36); }, "accessor 0: it reaches past"},
    {"sparse_values_past_their_view",
     [](GltfFile& f) {
       make_sparse(f, {0, 1}, 2, 23);
     },
     "accessor 0: it reaches past"},
    {"too_few_inverse_binds",
     [](GltfFile& f) {
       f.json["skins"][0]["joints"] = {1, 2, 0};
     },
     "inverse bind matrices"},
    {"missing_joint_node",
     [](GltfFile& f) {
       f.json["skins"][0]["joints"] = {1, 12};
     },
     "node 12 does not exist"},
    {"skin_without_joints", [](GltfFile& f) { f.json["skins"][0]["joints"] = Json::array(); }, "joints"},
    {"missing_skin", [](GltfFile& f) { f.json["nodes"][3]["skin"] = 4; }, "skin 4 does not exist"},
    {"missing_mesh", [](GltfFile& f) { f.json["nodes"][3]["mesh"] = 4; }, "mesh 4 does not exist"},
    {"missing_material", [](GltfFile& f) { primitive(f)["material"] = 4; }, "material 4 does not exist"},
    {"missing_child", [](GltfFile& f) { f.json["nodes"][2]["children"] = {40}; }, "node 40 does not exist"},
    {"missing_scene", [](GltfFile& f) { f.json["scene"] = 3; }, "scene 3 does not exist"},
    {"cycle_below_the_scene", [](GltfFile& f) { f.json["nodes"][2]["children"] = {1}; }, "node 1 is reached twice"},
    {"cycle_outside_the_scene",
     [](GltfFile& f) {
       f.add_node({{"children", {5}}});
       f.add_node({{"children", {4}}});
     },
     "node 4 is its own ancestor"},
    {"node_of_two_parents",
     [](GltfFile& f) {
       f.json["nodes"][1]["children"] = {2, 3};
     },
     "reached twice"},
    {"no_mesh",
     [](GltfFile& f) {
       f.json["nodes"][3].erase("mesh");
       f.json["nodes"][3].erase("skin");
     },
     "it has no mesh"},
    {"buffer_outside_the_folder",
     [](GltfFile& f) {
       f.json["buffers"] = {{{"byteLength", 1}, {"uri", "/etc/passwd"}}};
     },
     "/etc/passwd"},
    {"channel_of_missing_node",
     [](GltfFile& f) {
       animate(f);
       f.json["animations"][0]["channels"][0]["target"]["node"] = 77;
     },
     "node 77 does not exist"},
    {"channel_of_missing_sampler",
     [](GltfFile& f) {
       animate(f);
       f.json["animations"][0]["channels"][0]["sampler"] = 5;
     },
     "animation sampler 5 does not exist"},
    {"fewer_values_than_times",
     [](GltfFile& f) {
       animate(f);
       f.json["accessors"].back()["count"] = 1;
     },
     "2 times has 1 values"},
    {"compressed_by_an_extension", [](GltfFile& f) { f.json["extensionsRequired"] = {"KHR_meshopt_compression"}; },
     "KHR_meshopt_compression"},
    {"positions_not_finite",
     [](GltfFile& f) {
       primitive(f)["attributes"]["POSITION"] = f.add_floats({0, 0, 0, NAN, 0, 0, 1, 1, 1}, "VEC3");
     },
     "vertex 1 is not finite"},
};

std::string damage_name(const ::testing::TestParamInfo<Damage>& damage) { return damage.param.name; }

INSTANTIATE_TEST_SUITE_P(Damages, DamagedGltfTest, ::testing::ValuesIn(kDamages), damage_name);

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
  EXPECT_TRUE(load_with("below/inside.bin"));
  EXPECT_TRUE(load_with("below/../below/inside.bin"));
  EXPECT_FALSE(load_with("../outside.bin"));
  EXPECT_FALSE(load_with("below/../../outside.bin"));
  EXPECT_FALSE(load_with("%2e%2e/outside.bin"));
  EXPECT_FALSE(load_with("link.bin"));
  EXPECT_FALSE(load_with(folder.path("outside.bin").c_str()));
}

TEST(NodeTest, DeepHierarchiesAreRead) {
  const TemporaryFolder folder;
  GltfFile file = two_joints();
  int last = 2;
  for (int i = 0; i < 5000; ++i) {
    const int node = file.add_node({{"name", "n"}});
    file.json["nodes"][size_t(last)]["children"] = {node};
    last = node;
  }
  file.json["skins"][0]["joints"] = {1, last};
  const Result<Character> character = load_character(file.write(folder));
  ASSERT_TRUE(character) << character.error().message;
  EXPECT_EQ(character->skeleton.joint_count(), 5002u);
}

}  // namespace
}  // namespace sinew::test
