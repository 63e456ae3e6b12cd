// Small glTF files that would become large characters are refused with a line; large files are read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <meshoptimizer.h>

#include "gltf_file.h"
#include "message.h"
#include "must.h"
#include "sinew/import/import.h"

namespace sinew::test {
namespace {

using ::testing::HasSubstr;

std::string limit_refusal(const std::string& path) { return message_of(load_character(path)); }

/// Adds `count` buffer views that decode the same few bytes to 16 MiB of zeros each.
void add_meshopt_views(GltfFile& file, int count) {
  constexpr size_t kStride = 256, kElements = size_t(1) << 16;
  const std::vector<unsigned char> zeros(kStride * kElements);
  std::string bytes(meshopt_encodeVertexBufferBound(kElements, kStride), '\0');
  bytes.resize(meshopt_encodeVertexBuffer(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), zeros.data(),
                                          kElements, kStride));
  const int encoded = file.add_view(bytes);
  const Json view = file.json["bufferViews"][size_t(encoded)];
  const Json extension = {{"buffer", 0},
                          {"byteOffset", view["byteOffset"]},
                          {"byteLength", bytes.size()},
                          {"byteStride", kStride},
                          {"count", kElements},
                          {"mode", "ATTRIBUTES"}};
  for (int i = 0; i < count; ++i) {
    const Json extensions = {{"EXT_meshopt_compression", extension}};
    file.json["bufferViews"].push_back(
        {{"buffer", 0}, {"byteLength", 4}, {"byteStride", 252}, {"extensions", extensions}});
  }
}

TEST(GltfLimits, OfDecodedMeshoptDataIsOneOfTheWholeFile) {
  const TemporaryFolder folder;
  GltfFile few = two_joints(), many = two_joints();
  add_meshopt_views(few, 1), add_meshopt_views(many, 40);
  EXPECT_EQ(limit_refusal(few.write_binary(folder)), "");
  EXPECT_THAT(limit_refusal(many.write_binary(folder)),
              HasSubstr("the decoded data is too large for the size of the file"));
}

/// The parser would keep them all in memory. Names of morph targets are among them.
TEST(GltfLimits, ManyExtrasAreLeftOutButForNames) {
  const TemporaryFolder folder;
  GltfFile file = two_joints();
  Json& mesh = file.json["meshes"][0];
  mesh["primitives"][0]["targets"] = {{{"POSITION", mesh["primitives"][0]["attributes"]["POSITION"]}}};
  mesh["extras"] = {{"targetNames", {"smile"}}, {"data", std::vector<int>(20000)}};
  file.json["nodes"][1]["extras"] = std::vector<int>(20000);
  for (const std::string& path : {file.write(folder), file.write_binary(folder)}) {
    const Character character = must(load_character(path));
    EXPECT_EQ(character.mesh.targets.at(0).name, "smile");
    EXPECT_EQ(character.skeleton.joint_names, (std::vector<std::string>{"hip", "knee"}));
  }
}

TEST(GltfLimits, OfAccessorsIsOneOfTheWholeFile) {
  const TemporaryFolder folder;
  GltfFile file = two_joints();
  primitive(file)["attributes"]["POSITION"] = file.add_floats(std::vector<float>(3 << 16), "VEC3");
  primitive(file)["attributes"].erase("JOINTS_0"), primitive(file)["attributes"].erase("WEIGHTS_0");
  file.json["nodes"][3].erase("skin");
  Json& primitives = file.json["meshes"][0]["primitives"];
  for (int i = 1; i < 20; ++i) primitives.push_back(Json(primitives[0]));
  EXPECT_EQ(limit_refusal(file.write_binary(folder)), "");
  for (int i = 0; i < 1000; ++i) primitives.push_back(Json(primitives[0]));
  EXPECT_THAT(limit_refusal(file.write_binary(folder)),
              HasSubstr("with it, the accessors hold too much for the size of the buffers"));
}

/// A file whose nodes draw a mesh of `triangles` triangles with the same three corners `times` times.
GltfFile repeated(size_t triangles, int times) {
  GltfFile file = two_joints();
  const std::vector<uint8_t> corners(triangles * 3);
  primitive(file)["indices"] = file.add_accessor(corners, kUnsignedByte, "SCALAR");
  file.json["nodes"][3].erase("skin");
  for (int i = 0; i < times; ++i) {
    file.json["nodes"].push_back({{"mesh", 0}});
    file.json["nodes"][0]["children"].push_back(4 + i);
  }
  return file;
}

TEST(GltfLimits, OfTrianglesCountsAMeshAsOftenAsItIsDrawn) {
  const TemporaryFolder folder;
  GltfFile few = repeated(100000, 10), many = repeated(100000, 100);
  EXPECT_EQ(limit_refusal(few.write_binary(folder)), "");
  EXPECT_THAT(limit_refusal(many.write_binary(folder)), HasSubstr("it has more than 8488608 triangles"));
}

TEST(GltfLimits, OfPrimitivesCountsAMeshAsOftenAsItIsDrawn) {
  const TemporaryFolder folder;
  GltfFile file = repeated(1, 1100);
  Json& primitives = file.json["meshes"][0]["primitives"];
  for (int i = 0; i < 1000; ++i) primitives.push_back(Json(primitives[0]));
  EXPECT_THAT(limit_refusal(file.write_binary(folder)), HasSubstr("its nodes draw more than 1048576 primitives"));
}

TEST(GltfLimits, OfPointersToMeshesCountsTheNodesOfTheMesh) {
  const TemporaryFolder folder;
  GltfFile file = repeated(1, 1000);
  file.add_channel(0, "scale", {0, 1}, {1, 1, 1, 1, 1, 1});
  Json& channels = file.json["animations"][0]["channels"];
  channels[0]["target"] = {{"path", "pointer"},
                           {"extensions", {{"KHR_animation_pointer", {{"pointer", "/meshes/0/weights"}}}}}};
  for (int i = 0; i < 70; ++i) channels.push_back(Json(channels[0]));
  EXPECT_THAT(limit_refusal(file.write_binary(folder)),
              HasSubstr("its pointers to meshes animate more than 65536 nodes"));
}

// --- how much may be in a file ---

/// Adds a chain of `count` nodes below the knee, the last of which is a joint.
void add_chain(GltfFile& file, int count) {
  int last = 2;
  for (int i = 0; i < count; ++i) {
    const int node = file.add_node({{"name", "n"}});
    file.json["nodes"][size_t(last)]["children"] = {node};
    last = node;
  }
  file.json["skins"][0]["joints"] = {1, last};
}

TEST(GltfLimits, OfLevelsOfNodesAreTenThousand) {
  const TemporaryFolder folder;
  GltfFile some = two_joints(), many = two_joints();
  add_chain(some, 5000), add_chain(many, 60000);
  const Character character = must(load_character(some.write(folder)));
  EXPECT_EQ(character.skeleton.joint_count(), 5002u);
  EXPECT_THAT(limit_refusal(many.write(folder)), HasSubstr("more than 10000 deep"));
}

TEST(GltfLimits, AllowSeventyThousandJoints) {
  const TemporaryFolder folder;
  GltfFile file = two_joints();
  Json& joints = file.json["skins"][0]["joints"];
  Json& below = file.json["nodes"][2]["children"];
  for (int i = 0; i < 70000; ++i) {
    file.json["nodes"].push_back({{"name", "n"}});
    joints.push_back(4 + i);
    below.push_back(4 + i);
  }
  file.json["skins"][0].erase("inverseBindMatrices");
  const Character character = must(load_character(file.write(folder)));
  EXPECT_EQ(character.skeleton.joint_count(), 70002u);
}

TEST(GltfLimits, AllowSeventyThousandVertices) {
  const TemporaryFolder folder;
  GltfFile file;
  std::vector<float> positions;
  for (int i = 0; i < 3 * 70001; ++i) positions.push_back(float(i % 1000));
  file.add_node({{"mesh", 0}});
  Json attributes;
  attributes["POSITION"] = file.add_floats(positions, "VEC3");
  file.json["meshes"] = {{{"primitives", {{{"attributes", attributes}}}}}};
  const Character character = must(load_character(file.write(folder)));
  EXPECT_EQ(character.mesh.vertex_count(), 70001u);
  EXPECT_EQ(character.mesh.indices[69998], 69998u);
}

TEST(GltfLimits, AllowTenThousandMorphTargets) {
  const TemporaryFolder folder;
  GltfFile file = two_joints();
  Json& targets = primitive(file)["targets"];
  for (int i = 0; i < 10000; ++i) targets.push_back({{"POSITION", 0}});
  const Character character = must(load_character(file.write(folder)));
  EXPECT_EQ(character.mesh.target_count(), 10000u);
}

}  // namespace
}  // namespace sinew::test
