// Drawing: the vertex input of each format and the installed GLSL give what the CPU decodes from the same bytes.
#include "sinew/vulkan/draw.h"

#include <cstring>

#include "sinew/asset/skinned_vertex.h"
#include "vulkan/skinner_fixture.h"
#include "vulkan/vertex_decoder.h"

namespace sinew::test {
namespace {

using vulkan::VertexFormat;

constexpr float kExtent = 8;  // of the box of kPacked
constexpr Box kDrawBox{{-kExtent / 2, -kExtent / 2, -kExtent / 2}, {kExtent / 2, kExtent / 2, kExtent / 2}};
constexpr uint32_t kVertices = 100, kInstances = 3;

struct Expected {
  Vec3 position, normal;
  Vec4 tangent;
};

/// Decodes a vertex, with its tangent, on the CPU.
Expected decode(VertexFormat format, const uint32_t* words) {
  Expected expected;
  if (format == VertexFormat::kPacked) {
    PackedSkinnedVertex vertex;
    std::memcpy(vertex.position, words, sizeof vertex.position);
    expected = {decode_position(vertex, kDrawBox), decode_normal(words[2]), {}};
  } else {
    float values[6];
    std::memcpy(values, words, format == VertexFormat::kFloat ? 24 : 12);
    expected.position = {values[0], values[1], values[2]};
    expected.normal = format == VertexFormat::kFloat ? Vec3{values[3], values[4], values[5]} : decode_normal(words[3]);
  }
  expected.tangent = decode_tangent(words[uint32_t(format) / 4]);
  return expected;
}

void expect_near(const DecodedVertex& got, const Expected& expected, uint32_t v) {
  const auto near = [](const std::array<float, 4>& a, Vec3 b) { return length(Vec3{a[0], a[1], a[2]} - b) < 1e-5f; };
  ASSERT_TRUE(near(got.position, expected.position)) << v;
  ASSERT_TRUE(near(got.normal, expected.normal)) << v;
  ASSERT_TRUE(near(got.tangent, {expected.tangent.x, expected.tangent.y, expected.tangent.z})) << v;
  ASSERT_EQ(got.tangent[3], expected.tangent.w) << v;
  ASSERT_EQ(got.position[3], float(v % kVertices)) << v;
}

class Drawing : public SkinnerTest, public ::testing::WithParamInterface<VertexFormat> {};

TEST_P(Drawing, AHostsShaderDecodesEveryVertex) {
  auto info = skinner_info();
  info.format = GetParam(), info.tangents = true;
  auto skinner = make_skinner(info);
  const auto id = skinner.add_mesh(make_mesh({.vertices = kVertices}), 8, "rig", kDrawBox);
  ASSERT_TRUE(id);
  const vulkan::SkinnerBatch batch{*id, kInstances};
  ASSERT_TRUE(prepare(skinner, in_flight(1, 2), {&batch, 1}));
  const vulkan::InstanceRange range = skinner.ranges()[0];
  ASSERT_EQ(range.instance_count, kInstances);
  for (uint32_t i = 0; i < kInstances; ++i) {
    const std::vector<Matrix3x4> palette = make_palette(8, 7 + i, RigScaling::kMirrored);
    std::copy(palette.begin(), palette.end(), range.palettes.begin() + ptrdiff_t(i * range.palette_stride));
  }
  device_->submit_and_wait([&](VkCommandBuffer cmd) {
    skinner.record(cmd);
    device_->full_barrier(cmd);
  });
  const uint32_t stride = range.vertex_bytes / 4;
  const std::vector<uint32_t> words =
      device_->read_back(range.vertices, range.vertices_offset, range.vertex_bytes * kVertices * kInstances);
  for (const OwnStream own : {OwnStream::kMoves, OwnStream::kShared}) {
    const std::vector<DecodedVertex> decoded = decode_on_device(*device_, range, GetParam(), kExtent, own);
    ASSERT_EQ(decoded.size(), kVertices * kInstances);
    for (uint32_t v = 0; v < decoded.size(); ++v) {
      expect_near(decoded[v], decode(GetParam(), &words[v * stride]), v);
      const bool has_own = own == OwnStream::kShared || v < kVertices;
      ASSERT_EQ(decoded[v].normal[3], has_own ? float(v % kVertices) : -1.0f) << v;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryFormat, Drawing,
                         ::testing::Values(VertexFormat::kPacked, VertexFormat::kOctahedral, VertexFormat::kFloat));

TEST(VertexInput, OfAnUnknownFormatHasNoAttributes) {
  EXPECT_EQ(vulkan::vertex_input(VertexFormat(20)).attribute_count, 0u);
}

TEST(WriteDraws, WritesACommandPerInstanceOrNothing) {
  const vulkan::InstanceRange range{.instance_count = 2, .vertex_count = 50};
  const MeshPart part{.first_vertex = 10, .vertex_count = 20, .first_index = 30, .index_count = 60};
  VkDrawIndexedIndirectCommand commands[2] = {};
  vulkan::write_draws(range, part, 7, std::span(commands).first(1));
  EXPECT_EQ(commands[0].indexCount, 0u);
  vulkan::write_draws(range, part, 7, commands);
  EXPECT_EQ(commands[1].indexCount, 60u);
  EXPECT_EQ(commands[1].instanceCount, 1u);
  EXPECT_EQ(commands[1].firstIndex, 30u);
  EXPECT_EQ(commands[1].vertexOffset, 50);
  EXPECT_EQ(commands[1].firstInstance, 8u);
}

}  // namespace
}  // namespace sinew::test
