// The contract of skinned vertices with acceleration structures, without a device. docs/misuse.md has the mistakes.
#include "sinew/vulkan/acceleration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "message.h"

namespace sinew::test {
namespace {

using namespace vulkan;
using ::testing::HasSubstr;

constexpr VkDeviceAddress kBuffer = 0x10000, kIndices = 0x50000;

/// Three instances of a mesh of 100 vertices, which frame 7 skins.
InstanceRange range_of_three() {
  InstanceRange range;
  range.mesh = {5}, range.instance_count = 3, range.vertex_count = 100, range.vertex_bytes = 16;
  range.vertices = reinterpret_cast<VkBuffer>(uintptr_t{1}), range.vertices_offset = 320, range.skinned_frame = 7;
  return range;
}

PosedVertices posed(uint32_t instance = 0, uint64_t frame = 7) {
  InstanceRange range = range_of_three();
  range.skinned_frame = frame;
  return posed_vertices(range, instance, kBuffer);
}

/// Built from the vertices in frame 7.
StructureState built(const PosedVertices& from) {
  StructureState state;
  note_step(state, from, StructureStep::kBuild, 7);
  return state;
}

TEST(Acceleration, WhatIsNotThereHasNoVertices) {
  InstanceRange range = range_of_three();
  EXPECT_EQ(posed_vertices(range, 3, kBuffer).vertex_count, 0u);
  EXPECT_EQ(posed_vertices(range, 0, 0).vertex_count, 0u);
  range.vertices = VK_NULL_HANDLE;
  const PosedVertices none = posed_vertices(range, 0, kBuffer);
  EXPECT_EQ(none.vertex_count, 0u);
  EXPECT_THAT(message_of(make_geometry(none, VertexFormat::kFloat, {kIndices, 0, 3})), HasSubstr("no vertices"));
  EXPECT_THAT(message_of(check_structure(built(none), none)), HasSubstr("no vertices"));
}

TEST(Acceleration, AGeometryReadsTheTrianglesOfAPosedMesh) {
  const auto made = make_geometry(posed(1), VertexFormat::kOctahedral, {kIndices, 0, 300});
  ASSERT_TRUE(made);
  EXPECT_EQ(made->geometry.sType, VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR);
  EXPECT_EQ(made->geometry.geometryType, VK_GEOMETRY_TYPE_TRIANGLES_KHR);
  EXPECT_EQ(made->geometry.flags, VkGeometryFlagsKHR{VK_GEOMETRY_OPAQUE_BIT_KHR});
  const auto& triangles = made->geometry.geometry.triangles;
  EXPECT_EQ(triangles.sType, VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_TRIANGLES_DATA_KHR);
  EXPECT_EQ(triangles.vertexFormat, VK_FORMAT_R32G32B32_SFLOAT);
  EXPECT_EQ(triangles.vertexData.deviceAddress, kBuffer + 320 + 1600);
  EXPECT_EQ(triangles.vertexStride, 16u);
  EXPECT_EQ(triangles.maxVertex, 99u);
  EXPECT_EQ(triangles.indexType, VK_INDEX_TYPE_UINT32);
  EXPECT_EQ(triangles.indexData.deviceAddress, kIndices);
  EXPECT_EQ(triangles.transformData.deviceAddress, 0u);
  EXPECT_EQ(made->triangles.primitiveCount, 100u);
  EXPECT_EQ(made->triangles.primitiveOffset, 0u);
  EXPECT_EQ(made->triangles.firstVertex, 0u);
}

TEST(Acceleration, PartsAreGeometriesOfTheirOwn) {
  for (const AlphaMode mode : {AlphaMode::kOpaque, AlphaMode::kMask, AlphaMode::kBlend}) {
    const auto made = make_geometry(posed(), VertexFormat::kOctahedral, {kIndices, 30, 60, mode});
    ASSERT_TRUE(made);
    EXPECT_EQ(made->geometry.flags, mode == AlphaMode::kOpaque ? VK_GEOMETRY_OPAQUE_BIT_KHR : 0);
    EXPECT_EQ(made->triangles.primitiveCount, 20u);
    EXPECT_EQ(made->triangles.primitiveOffset, 120u);  // bytes
  }
}

TEST(Acceleration, GeometriesHaveAFormatWithFloats) {
  PosedVertices vertices = posed();
  const auto made = [&](uint32_t bytes, VertexFormat format, uint32_t first_index = 0) {
    vertices.vertex_bytes = bytes;
    return message_of(make_geometry(vertices, format, {kIndices, first_index, 3}));
  };
  EXPECT_EQ(made(16, VertexFormat::kOctahedral), "");
  EXPECT_EQ(made(20, VertexFormat::kOctahedral), "");
  EXPECT_EQ(made(24, VertexFormat::kFloat), "");
  EXPECT_EQ(made(28, VertexFormat::kFloat), "");
  EXPECT_NE(made(16, VertexFormat::kPacked), "");  // with tangents
  EXPECT_EQ(made(16, VertexFormat{9}), "acceleration structure: no vertex format 9");
  EXPECT_EQ(made(16, VertexFormat::kOctahedral, UINT32_MAX / 4), "");
  EXPECT_THAT(made(16, VertexFormat::kOctahedral, UINT32_MAX / 4 + 1), HasSubstr("index 1073741824 is beyond 4 GiB"));
}

TEST(Acceleration, ARefitUpdatesInPlaceAndABuildStartsAnew) {
  const auto structure = reinterpret_cast<VkAccelerationStructureKHR>(uintptr_t{9});
  const VkAccelerationStructureGeometryKHR geometries[2] = {};
  const auto refit = build_info(StructureStep::kRefit, structure, geometries);
  EXPECT_EQ(refit.mode, VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR);
  EXPECT_EQ(refit.srcAccelerationStructure, structure);
  EXPECT_EQ(refit.dstAccelerationStructure, structure);
  const auto build = build_info(StructureStep::kBuild, structure, geometries);
  EXPECT_EQ(build.mode, VK_BUILD_ACCELERATION_STRUCTURE_MODE_BUILD_KHR);
  EXPECT_EQ(build.srcAccelerationStructure, VkAccelerationStructureKHR{VK_NULL_HANDLE});
  EXPECT_EQ(build.dstAccelerationStructure, structure);
  for (const auto& info : {refit, build}) {
    EXPECT_EQ(info.type, VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR);
    EXPECT_TRUE(info.flags & VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_UPDATE_BIT_KHR);
    EXPECT_EQ(info.geometryCount, 2u);
    EXPECT_EQ(info.pGeometries, geometries);
  }
}

TEST(Acceleration, NextStepFollowsTheVertices) {
  StructureState state;
  EXPECT_EQ(next_step(state, posed(), 31), StructureStep::kBuild);
  note_step(state, posed(), StructureStep::kBuild, 7);
  EXPECT_EQ(next_step(state, posed(), 31), StructureStep::kKeep);
  EXPECT_EQ(next_step(state, posed(), 0), StructureStep::kKeep);
  EXPECT_EQ(next_step(state, posed(0, 8), 31), StructureStep::kRefit);  // the same place, skinned again
  EXPECT_EQ(next_step(state, posed(1, 7), 31), StructureStep::kRefit);  // the pose of another instance
  EXPECT_EQ(next_step(state, posed(0, 8), 0), StructureStep::kBuild);
  PosedVertices other_level = posed();
  other_level.mesh = {6};
  EXPECT_EQ(next_step(state, other_level, 31), StructureStep::kBuild);
  note_step(state, posed(0, 8), StructureStep::kKeep, 8);
  EXPECT_EQ(state.holds.skinned_frame, 7u);
}

TEST(Acceleration, ABuildFollowsTheLastRefit) {
  StructureState state = built(posed());
  for (uint64_t frame = 8; frame < 30; ++frame) {
    const StructureStep step = next_step(state, posed(0, frame), 3);
    EXPECT_EQ(step, frame % 4 == 3 ? StructureStep::kBuild : StructureStep::kRefit) << frame;
    note_step(state, posed(0, frame), step, frame);
    EXPECT_TRUE(check_structure(state, posed(0, frame)));
  }
}

TEST(Acceleration, BuildsAreSpreadOverFrames) {
  constexpr uint32_t kStructures = 22, kMaxRefits = 4;
  std::vector<StructureState> states;
  for (uint32_t i = 0; i < kStructures; ++i) states.push_back(first_state(i, kMaxRefits));
  for (uint64_t frame = 1; frame <= 40; ++frame) {
    uint32_t builds = 0;
    for (StructureState& state : states) {
      const StructureStep step = next_step(state, posed(0, frame), kMaxRefits);
      builds += step == StructureStep::kBuild ? 1 : 0;
      note_step(state, posed(0, frame), step, frame);
    }
    if (frame == 1) {
      EXPECT_EQ(builds, kStructures);
    } else {
      EXPECT_TRUE(builds == 4 || builds == 5) << frame << ": " << builds;
    }
  }
  EXPECT_EQ(first_state(UINT32_MAX, UINT32_MAX).refits, UINT32_MAX);
  EXPECT_EQ(first_state(5, 0).refits, 0u);
}

TEST(Acceleration, ADiscardedStepIsBuiltAgain) {
  StructureState state = built(posed());
  note_step(state, posed(0, 8), StructureStep::kRefit, 8);
  discard_step(state, 7);
  EXPECT_EQ(next_step(state, posed(0, 9), 31), StructureStep::kRefit);
  discard_step(state, 8);
  EXPECT_EQ(next_step(state, posed(0, 8), 31), StructureStep::kBuild);  // the same frame, begun again
  EXPECT_FALSE(check_structure(state, posed(0, 8)));
}

}  // namespace
}  // namespace sinew::test
