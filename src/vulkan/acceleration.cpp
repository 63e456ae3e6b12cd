#include "sinew/vulkan/acceleration.h"

#include <array>
#include <charconv>
#include <string>

#include "asset/exceptions.h"
#include "sinew/vulkan/draw.h"

namespace sinew::vulkan {

namespace {

constexpr uint32_t kTangentBytes = 4;

Error refusal(std::string why) { return {ErrorCode::kInvalidArgument, "acceleration structure: " + std::move(why)}; }

std::string number(uint64_t value) { return std::to_string(value); }

std::string hexadecimal(VkDeviceAddress address) {
  std::array<char, 16> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), address, 16);
  return "0x" + std::string(digits.data(), end.ptr);
}

Status check_format(const PosedVertices& posed, VertexFormat format) {
  if (format == VertexFormat::kPacked) {
    return Error{
        ErrorCode::kUnsupported,
        "acceleration structure: VertexFormat::kPacked has no positions as floats; kOctahedral and kFloat have"};
  }
  if (format != VertexFormat::kOctahedral && format != VertexFormat::kFloat)
    return refusal("no vertex format " + number(uint64_t(format)));
  const uint32_t without_tangent = uint32_t(format);
  if (posed.vertex_bytes == without_tangent || posed.vertex_bytes == without_tangent + kTangentBytes) return {};
  return refusal("a vertex of " + number(posed.vertex_bytes) + " bytes has not the format of " +
                 number(without_tangent) + " bytes");
}

Status check_triangles(const StructureTriangles& triangles) {
  if (triangles.index_count == 0) return refusal("no triangles");
  if (triangles.index_count % 3 != 0)
    return refusal(number(triangles.index_count) + " indices are not three per triangle");
  if (triangles.first_index <= UINT32_MAX / sizeof(uint32_t)) return {};
  return refusal("index " + number(triangles.first_index) + " is beyond 4 GiB: set the address of the indices instead");
}

bool same_vertices(const PosedVertices& a, const PosedVertices& b) {
  return a.mesh.value == b.mesh.value && a.address == b.address && a.skinned_frame == b.skinned_frame;
}

}  // namespace

PosedVertices posed_vertices(const InstanceRange& range, uint32_t instance, VkDeviceAddress buffer) {
  if (instance >= range.instance_count || range.vertices == VK_NULL_HANDLE || buffer == 0) return {};
  return {range.mesh, range.vertex_count, range.vertex_bytes, buffer + instance_offset(range, instance),
          range.skinned_frame};
}

Result<StructureGeometry> make_geometry(const PosedVertices& posed, VertexFormat format,
                                        const StructureTriangles& from) SINEW_TRY {
  if (posed.vertex_count == 0)
    return refusal("no vertices: the range has no such instance, or its buffer has no address");
  if (Status checked = check_format(posed, format); !checked) return checked.error();
  if (Status checked = check_triangles(from); !checked) return checked.error();
  StructureGeometry made;
  made.geometry = {VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR};
  made.geometry.geometryType = VK_GEOMETRY_TYPE_TRIANGLES_KHR;
  made.geometry.flags = from.alpha_mode == AlphaMode::kOpaque ? VK_GEOMETRY_OPAQUE_BIT_KHR : 0;
  auto& triangles = made.geometry.geometry.triangles;
  triangles = {VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_TRIANGLES_DATA_KHR};
  triangles.vertexFormat = VK_FORMAT_R32G32B32_SFLOAT;
  triangles.vertexData.deviceAddress = posed.address;
  triangles.vertexStride = posed.vertex_bytes;
  triangles.maxVertex = posed.vertex_count - 1;
  triangles.indexType = VK_INDEX_TYPE_UINT32;
  triangles.indexData.deviceAddress = from.indices;
  made.triangles.primitiveCount = from.index_count / 3;
  made.triangles.primitiveOffset = from.first_index * uint32_t(sizeof(uint32_t));
  return made;
}
SINEW_CATCH_BAD_ALLOC(return sinew::internal::out_of_memory();)

StructureState first_state(uint32_t index, uint32_t max_refits) {
  StructureState state;
  state.refits = uint32_t(index % (uint64_t{max_refits} + 1));
  return state;
}

StructureStep next_step(const StructureState& state, const PosedVertices& posed, uint32_t max_refits) {
  if (!state.is_built || state.holds.mesh.value != posed.mesh.value) return StructureStep::kBuild;
  if (same_vertices(state.holds, posed)) return StructureStep::kKeep;
  return state.refits < max_refits ? StructureStep::kRefit : StructureStep::kBuild;
}

VkAccelerationStructureBuildGeometryInfoKHR build_info(StructureStep step, VkAccelerationStructureKHR structure,
                                                       std::span<const VkAccelerationStructureGeometryKHR> geometries) {
  const bool refits = step == StructureStep::kRefit;
  VkAccelerationStructureBuildGeometryInfoKHR build{VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR};
  build.type = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR;
  build.flags =
      VK_BUILD_ACCELERATION_STRUCTURE_PREFER_FAST_TRACE_BIT_KHR | VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_UPDATE_BIT_KHR;
  build.mode =
      refits ? VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR : VK_BUILD_ACCELERATION_STRUCTURE_MODE_BUILD_KHR;
  build.srcAccelerationStructure = refits ? structure : VK_NULL_HANDLE;
  build.dstAccelerationStructure = structure;
  build.geometryCount = uint32_t(geometries.size());
  build.pGeometries = geometries.data();
  return build;
}

void note_step(StructureState& state, const PosedVertices& posed, StructureStep step, uint64_t frame) {
  if (step == StructureStep::kKeep) return;
  if (step == StructureStep::kRefit) ++state.refits;
  // The first build leaves the count: see first_state().
  if (step == StructureStep::kBuild && state.is_built) state.refits = 0;
  state.holds = posed, state.written_frame = frame, state.is_built = true;
}

void discard_step(StructureState& state, uint64_t frame) {
  if (state.is_built && state.written_frame == frame) state.is_built = false;
}

Status check_structure(const StructureState& state, const PosedVertices& posed) SINEW_TRY {
  const PosedVertices& holds = state.holds;
  if (posed.vertex_count == 0) return refusal("no vertices: the instance is not drawn, or its buffer has no address");
  if (state.is_built && same_vertices(holds, posed)) return {};
  const auto refuse = [&](const std::string& why) {
    return Error{ErrorCode::kInvalidArgument,
                 "acceleration structure of mesh " + number(posed.mesh.value) + ": it " + why};
  };
  if (!state.is_built) return refuse("was not built from skinned vertices: rays meet the rest pose, or nothing");
  if (holds.mesh.value != posed.mesh.value) return refuse("holds mesh " + number(holds.mesh.value));
  if (holds.skinned_frame < posed.skinned_frame) {
    return refuse("is late: it holds the vertices of frame " + number(holds.skinned_frame) + ", and frame " +
                  number(posed.skinned_frame) + " has skinned new ones");
  }
  if (holds.skinned_frame > posed.skinned_frame) {
    return refuse("holds the vertices of frame " + number(holds.skinned_frame) + ", and those of frame " +
                  number(posed.skinned_frame) + " are shown: another range's, or of a frame that was discarded");
  }
  return refuse("has the pose of another instance: it holds the vertices at " + hexadecimal(holds.address) +
                ", and those at " + hexadecimal(posed.address) + " are shown");
}
SINEW_CATCH_BAD_ALLOC(return sinew::internal::out_of_memory();)

}  // namespace sinew::vulkan
