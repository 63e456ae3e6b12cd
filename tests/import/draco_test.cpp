// KHR_draco_mesh_compression: damaged files are refused by name, and never read out of bounds.
#include <draco/compression/encode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "gltf_file.h"
#include "message.h"
#include "must.h"
#include "sinew/import/import.h"

namespace sinew::test {
namespace {

using testing::HasSubstr;

constexpr const char* kDracoName = "KHR_draco_mesh_compression";

/// two_joints() with its positions and its two-sided triangle in compressed data. Joints and weights stay as they are.
class DracoTest : public testing::Test {
 protected:
  DracoTest() {
    draco::Mesh mesh;
    mesh.set_num_points(3);
    draco::GeometryAttribute attribute;
    attribute.Init(draco::GeometryAttribute::POSITION, nullptr, 3, draco::DT_FLOAT32, false, 12, 0);
    const int id = mesh.AddAttribute(attribute, true, 3);
    const float positions[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}};
    for (uint32_t v = 0; v < 3; ++v) mesh.attribute(id)->SetAttributeValue(draco::AttributeValueIndex(v), positions[v]);
    const auto add_face = [&](uint32_t a, uint32_t b, uint32_t c) {
      mesh.AddFace({draco::PointIndex(a), draco::PointIndex(b), draco::PointIndex(c)});
    };
    add_face(0, 1, 2), add_face(0, 2, 1);
    draco::Encoder encoder;
    encoder.SetEncodingMethod(draco::MESH_SEQUENTIAL_ENCODING);
    draco::EncoderBuffer bytes;
    EXPECT_TRUE(encoder.EncodeMeshToBuffer(mesh, &bytes).ok());
    const int view = file_.add_view({bytes.data(), bytes.size()});
    primitive(file_)["extensions"][kDracoName] = {{"bufferView", view}, {"attributes", {{"POSITION", 0}}}};
    file_.json["extensionsUsed"] = file_.json["extensionsRequired"] = {kDracoName};
    position().erase("bufferView");
  }

  Json& extension() { return primitive(file_)["extensions"][kDracoName]; }
  Json& position() { return file_.json["accessors"][primitive(file_)["attributes"]["POSITION"].get<size_t>()]; }

  std::string refusal() { return message_of(load_character(file_.write_binary(folder_))); }

  GltfFile file_ = two_joints();
  TemporaryFolder folder_;
};

TEST_F(DracoTest, CompressedDataGoesBeforeWhatTheFileHasForOtherReaders) {
  position()["bufferView"] = file_.add_view(std::string(36, '\0'));
  file_.json.erase("extensionsRequired");
  const Character character = must(load_character(file_.write_binary(folder_)));
  EXPECT_GT(length(character.mesh.positions[0] - character.mesh.positions[1]), 0.5f);
}

TEST_F(DracoTest, CompressedDataIsReadWhereItIsNotRequired) {
  primitive(file_)["indices"] = file_.add_accessor<uint16_t>({0, 1, 2}, kUnsignedShort, "SCALAR");
  file_.json["accessors"].back().erase("bufferView");
  file_.json["accessors"].back()["count"] = 6;
  for (const bool listed : {true, false}) {
    file_.json.erase("extensionsRequired");
    if (!listed) file_.json.erase("extensionsUsed");
    const Character character = must(load_character(file_.write_binary(folder_)));
    EXPECT_EQ(character.mesh.indices.size(), 6u);
  }
}

TEST_F(DracoTest, WhatDoesNotFitIsRefusedByName) {
  const Json good = file_.json;
  const auto with = [&](auto change) {
    change();
    const std::string reason = refusal();
    file_.json = good;
    return reason;
  };
  EXPECT_THAT(with([&] { extension()["bufferView"] = 99; }), HasSubstr("mesh 'body': buffer view 99 does not exist"));
  EXPECT_THAT(with([&] { extension()["bufferView"] = "no"; }),
              HasSubstr("mesh 'body': " + std::string(kDracoName) + " has no number 'bufferView'"));
  EXPECT_THAT(with([&] { extension().erase("attributes"); }), HasSubstr("names no attributes"));
  EXPECT_THAT(with([&] { extension()["attributes"]["POSITION"] = 7; }), HasSubstr("has no attribute 7"));
  EXPECT_THAT(with([&] { extension()["attributes"]["POSITION"] = -1; }), HasSubstr("has no attribute -1"));
  EXPECT_THAT(with([&] { extension()["attributes"]["POSITION"] = "x"; }), HasSubstr("has no number 'POSITION'"));
  EXPECT_THAT(with([&] { position()["count"] = 4; }),
              HasSubstr("mesh 'body': accessor 0 has 4 elements, but its compressed data 3"));
  EXPECT_THAT(with([&] { primitive(file_)["mode"] = 6; }), HasSubstr("neither that of triangles"));
  EXPECT_THAT(with([&] { position()["componentType"] = 5; }), HasSubstr("componentType"));
  EXPECT_THAT(with([&] { file_.json["bufferViews"].back()["byteLength"] = 9; }),
              HasSubstr("mesh 'body': its compressed data is damaged"));
}

TEST_F(DracoTest, DamagedStreamsAreReadOrRefused) {
  const Json view = file_.json["bufferViews"].back();
  const std::string whole = file_.buffer;
  std::mt19937 random(5);
  int refused = 0;
  for (int way = 0; way < 500; ++way) {
    file_.buffer = whole;
    file_.buffer[view["byteOffset"].get<size_t>() + random() % view["byteLength"].get<size_t>()] = char(random());
    refused += !load_character(file_.write_binary(folder_));
  }
  EXPECT_GT(refused, 20);
  EXPECT_LT(refused, 500);
}

}  // namespace
}  // namespace sinew::test
