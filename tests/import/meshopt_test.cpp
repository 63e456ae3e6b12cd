// Meshopt compression: files that are compressed here give the character of the plain file, and damaged streams are
// refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <meshoptimizer.h>

#include <cmath>
#include <random>
#include <vector>

#include "gltf_file.h"
#include "message.h"
#include "must.h"
#include "sinew/import/import.h"

namespace sinew::test {
namespace {

using testing::HasSubstr;

constexpr const char* kMeshoptName = "EXT_meshopt_compression";

std::string encoded_vertices(const void* data, size_t count, size_t stride) {
  std::string bytes(meshopt_encodeVertexBufferBound(count, stride), '\0');
  bytes.resize(
      meshopt_encodeVertexBuffer(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), data, count, stride));
  return bytes;
}

/// Moves the bytes of a view into a compressed copy; the view itself is then one of the fallback buffer.
Json& compress(GltfFile& file, int view, const std::string& encoded, Json extension) {
  Json& json = file.json["bufferViews"][size_t(view)];
  const std::string plain = file.buffer.substr(json["byteOffset"], json["byteLength"]);
  std::fill_n(file.buffer.begin() + json["byteOffset"].get<std::ptrdiff_t>(), plain.size(), '\x55');
  extension["buffer"] = 0;
  extension["byteOffset"] = file.buffer.size();
  extension["byteLength"] = encoded.size();
  file.buffer += encoded;
  json["buffer"] = 1;
  json["extensions"][kMeshoptName] = extension;
  return json["extensions"][kMeshoptName];
}

/// The bytes of an accessor's view.
std::string bytes_of(const GltfFile& file, int accessor) {
  const Json& view = file.json["bufferViews"][file.json["accessors"][size_t(accessor)]["bufferView"].get<size_t>()];
  return file.buffer.substr(view["byteOffset"], view["byteLength"]);
}

Json& compress_vertices(GltfFile& file, int accessor, size_t stride, const char* filter = nullptr) {
  const std::string plain = bytes_of(file, accessor);
  const size_t count = plain.size() / stride;
  Json extension = {{"count", count}, {"byteStride", stride}, {"mode", "ATTRIBUTES"}};
  if (filter != nullptr) extension["filter"] = filter;
  return compress(file, file.json["accessors"][size_t(accessor)]["bufferView"],
                  encoded_vertices(plain.data(), count, stride), extension);
}

void finish(GltfFile& file, bool text) {
  file.json["extensionsUsed"] = file.json["extensionsRequired"] = {kMeshoptName};
  Json own = {{"byteLength", file.buffer.size()}};
  if (text) own["uri"] = "data:application/octet-stream;base64," + base64(file.buffer);
  file.json["buffers"] = {own, {{"byteLength", 4000}, {"extensions", {{kMeshoptName, {{"fallback", true}}}}}}};
}

/// Triangles begin where the codec lets them begin: it may rotate their corners.
struct Plain {
  GltfFile file = two_joints();
  int positions = 0, joints = 1, weights = 2, indices = 0;

  Plain() {
    const Json attributes = primitive(file)["attributes"];
    positions = attributes["POSITION"], joints = attributes["JOINTS_0"], weights = attributes["WEIGHTS_0"];
    indices = file.add_accessor<uint16_t>({0, 1, 2, 0, 2, 1}, kUnsignedShort, "SCALAR");
    primitive(file)["indices"] = indices;
  }
};

class MeshoptTest : public testing::Test {
 protected:
  MeshoptTest() {
    compress_vertices(compressed_.file, compressed_.positions, 12);
    compress_vertices(compressed_.file, compressed_.joints, 4);
    compress_vertices(compressed_.file, compressed_.weights, 16);
    const std::vector<unsigned int> indices = {0, 1, 2, 0, 2, 1};
    std::string encoded(meshopt_encodeIndexBufferBound(6, 3), '\0');
    encoded.resize(
        meshopt_encodeIndexBuffer(reinterpret_cast<unsigned char*>(encoded.data()), encoded.size(), indices.data(), 6));
    compress(compressed_.file, compressed_.file.json["accessors"][size_t(compressed_.indices)]["bufferView"], encoded,
             {{"count", 6}, {"byteStride", 2}, {"mode", "TRIANGLES"}});
  }

  Json& extension_of(int accessor) {
    const size_t view = compressed_.file.json["accessors"][size_t(accessor)]["bufferView"];
    return compressed_.file.json["bufferViews"][view]["extensions"][kMeshoptName];
  }

  std::string refusal() {
    finish(compressed_.file, true);
    return message_of(load_character(compressed_.file.write(folder_)));
  }

  void expect_plain_mesh(const std::string& path) {
    const Character plain = must(load_character(Plain().file.write(folder_, "plain.gltf")));
    EXPECT_TRUE(must(load_character(path)).mesh == plain.mesh);
  }

  Plain compressed_;
  TemporaryFolder folder_;
};

TEST_F(MeshoptTest, FilesWithFallbackBuffersGiveThePlainFilesMesh) {
  finish(compressed_.file, false);
  expect_plain_mesh(folder_.write("model.glb", compressed_.file.binary()));
  finish(compressed_.file, true);
  expect_plain_mesh(compressed_.file.write(folder_));
  compressed_.file.json.erase("extensionsRequired");
  expect_plain_mesh(compressed_.file.write(folder_));
}

TEST_F(MeshoptTest, TheExtensionOfKhronosIsReadLikewise) {
  finish(compressed_.file, true);
  std::string text = compressed_.file.json.dump();
  for (size_t at; (at = text.find("EXT_meshopt")) != text.npos;) text.replace(at, 3, "KHR");
  compressed_.file.json = Json::parse(text);
  expect_plain_mesh(compressed_.file.write(folder_));
}

TEST_F(MeshoptTest, WhatTheDecoderIsTooOldForIsSaid) {
  const size_t first = extension_of(compressed_.positions)["byteOffset"];
  compressed_.file.buffer[first] = char(0xa9);
  EXPECT_THAT(refusal(), HasSubstr("it has version 9 of Meshopt, which meshoptimizer 0."));
  compressed_.file.buffer[first] = char(0xb0);
  EXPECT_THAT(refusal(), HasSubstr("damaged"));
}

TEST_F(MeshoptTest, IndexSequencesAreRead) {
  const std::vector<unsigned int> indices = {0, 1, 2, 0, 2, 1};
  std::string encoded(meshopt_encodeIndexSequenceBound(6, 3), '\0');
  encoded.resize(
      meshopt_encodeIndexSequence(reinterpret_cast<unsigned char*>(encoded.data()), encoded.size(), indices.data(), 6));
  compress(compressed_.file, compressed_.file.json["accessors"][size_t(compressed_.indices)]["bufferView"], encoded,
           {{"count", 6}, {"byteStride", 2}, {"mode", "INDICES"}});
  finish(compressed_.file, true);
  expect_plain_mesh(compressed_.file.write(folder_));
}

TEST_F(MeshoptTest, FiltersAreUndone) {
  GltfFile& file = compressed_.file;
  const float normals[] = {0.6f, 0.8f, 0, 0, 0, 0, 1, 0, 0.48f, -0.6f, 0.64f, 0};
  std::vector<int8_t> packed_normals(12);
  meshopt_encodeFilterOct(packed_normals.data(), 3, 4, 8, normals);
  const int normal = file.add_accessor<int8_t>(packed_normals, kByte, "VEC4", true);
  file.json["accessors"][size_t(normal)]["type"] = "VEC3";
  file.json["bufferViews"].back()["byteStride"] = 4;
  compress_vertices(file, normal, 4, "OCTAHEDRAL");
  primitive(file)["attributes"]["NORMAL"] = normal;

  const float rotations[] = {0, 0, 0, 1, 0.5f, -0.5f, 0.5f, 0.5f};
  std::vector<int16_t> packed_rotations(8);
  meshopt_encodeFilterQuat(packed_rotations.data(), 2, 8, 16, rotations);
  file.add_channel(1, "rotation", {0, 1}, {0, 0, 0, 1, 0, 0, 0, 1});
  const int rotation = file.add_accessor<int16_t>(packed_rotations, kShort, "VEC4", true);
  compress_vertices(file, rotation, 8, "QUATERNION");
  file.json["animations"][0]["samplers"][0]["output"] = rotation;

  const float places[] = {1.5f, 0, -3, 4, 1000, 0.25f};
  std::vector<uint32_t> packed_places(6);
#if MESHOPTIMIZER_VERSION >= 200
  meshopt_encodeFilterExp(packed_places.data(), 2, 12, 20, places, meshopt_EncodeExpSharedVector);
#else
  meshopt_encodeFilterExp(packed_places.data(), 2, 12, 20, places);
#endif
  file.add_channel(2, "translation", {0, 1}, {0, 0, 0, 0, 0, 0}, "LINEAR", true);
  const int place = file.add_accessor<uint32_t>(packed_places, kFloat, "VEC3");
  compress_vertices(file, place, 12, "EXPONENTIAL");
  file.json["animations"][0]["samplers"][1]["output"] = place;

  finish(file, true);
  const Character character = must(load_character(file.write(folder_)));
  ASSERT_EQ(character.mesh.vertex_count(), 3u);
  for (int v = 0; v < 3; ++v)
    EXPECT_LT(length(character.mesh.normals[size_t(v)] - Vec3{normals[4 * v], normals[4 * v + 1], normals[4 * v + 2]}),
              0.02f);
  ASSERT_EQ(character.clips.size(), 1u);
  ASSERT_EQ(character.clips[0].tracks.size(), 2u);
  EXPECT_GT(std::abs(dot(character.clips[0].tracks[0].rotation.values[1], Quat{0.5f, -0.5f, 0.5f, 0.5f})), 0.9999f);
  for (int key = 0; key < 2; ++key) {
    const Vec3 wanted{places[3 * key], places[3 * key + 1], places[3 * key + 2]};
    EXPECT_LT(length(character.clips[0].tracks[1].translation.values[size_t(key)] - wanted), 0.01f);
  }
}

TEST_F(MeshoptTest, WrongSizesAreRefused) {
  const Json good = extension_of(compressed_.positions);
  const auto with = [&](const char* name, Json value) {
    Json& extension = extension_of(compressed_.positions);
    extension = good;
    extension[name] = std::move(value);
    return refusal();
  };
  EXPECT_THAT(with("buffer", 9), HasSubstr("buffer view 0: buffer 9 does not exist"));
  EXPECT_THAT(with("byteOffset", 1e9), HasSubstr("buffer view 0: it reaches past its buffer"));
  EXPECT_THAT(with("byteLength", 1e9), HasSubstr("buffer view 0: it reaches past its buffer"));
  EXPECT_THAT(with("byteLength", 10), HasSubstr("buffer view 0: its compressed data is damaged"));
  EXPECT_THAT(with("count", 1 << 30), HasSubstr("bytes cannot hold 12884901888"));
  EXPECT_THAT(with("count", -1), HasSubstr("in its bufferViews a count is -1"));
  EXPECT_THAT(with("byteStride", 10), HasSubstr("its stride of 10 bytes is not allowed"));
  EXPECT_THAT(with("byteStride", 0), HasSubstr("its stride of 0 bytes is not allowed"));
  EXPECT_THAT(with("mode", "TRIANGLES"), HasSubstr("its stride of 12 bytes is not allowed"));
  EXPECT_THAT(with("mode", "OTHER"), HasSubstr("its mode 'OTHER' is unknown"));
  EXPECT_THAT(with("mode", 3), HasSubstr("its mode is no text"));
  EXPECT_THAT(with("filter", "OCTAHEDRAL"), HasSubstr("its stride is not that of its filter"));
  EXPECT_THAT(with("filter", "OTHER"), HasSubstr("its filter 'OTHER' is unknown"));
  EXPECT_THAT(with("count", 2), HasSubstr("reaches past its buffer"));
}

TEST_F(MeshoptTest, DamagedStreamsAreReadOrRefused) {
  finish(compressed_.file, true);
  std::mt19937 random(3);
  int refused = 0;
  for (int way = 0; way < 500; ++way) {
    GltfFile damaged = compressed_.file;
    const Json& extension = extension_of(way % 2 == 0 ? compressed_.positions : compressed_.indices);
    const size_t first = extension["byteOffset"], bytes = extension["byteLength"];
    damaged.buffer[first + random() % bytes] = char(random());
    finish(damaged, true);
    refused += !load_character(damaged.write(folder_, "damaged.gltf"));
  }
  EXPECT_GT(refused, 20);
  EXPECT_LT(refused, 500);
}

}  // namespace
}  // namespace sinew::test
