// Drawing skinned vertices: vertex input for pipelines, draw commands for the parts of a mesh.
//
// The vertices of a range are an ordinary vertex buffer: bind InstanceRange::vertices at vertices_offset once, then
// draw instance i with vertexOffset = i * vertex_count and the indices of the mesh. Every part of the mesh with a
// material of its own is one draw.
//
// Or one draw serves all instances of a range: vertex shaders then read the vertices from a storage buffer. Set
// Consumers kVertexPulling; sinew/vulkan/skinned_vertex.glsl decodes the words. With a plan crowd::instanced_draw()
// gives the command.
//
// vertexOffset moves every attribute stream, those of the host too. A stream that all instances share, such as texture
// coordinates, is possible with one draw for each instance: bind the vertices at instance_offset(range, i), the stream
// at its own beginning, and draw with vertexOffset 0. Otherwise put it into a storage buffer, one element per vertex of
// the mesh, and read element sinew_mesh_vertex(gl_VertexIndex, vertex_count) of sinew/vulkan/skinned_vertex.glsl.
#pragma once

#include <vulkan/vulkan_core.h>

#include <array>
#include <cstdint>
#include <span>

#include "sinew/api.h"
#include "sinew/vulkan/skinner.h"

namespace sinew::vulkan {

/// The vertex input of skinned vertices, for VkPipelineVertexInputStateCreateInfo: one binding at vertex rate, and the
/// attributes position, normal and, with tangents, tangent, at consecutive locations. In the vertex shader:
///
///   kOctahedral   vec3 position, vec2 normal: sinew_decode_normal()
///   kPacked       vec3 position: sinew_decode_position(), vec2 normal: sinew_decode_normal()
///   kFloat        vec3 position, vec3 normal
///   tangents      uint tangent: sinew_decode_tangent()
struct VertexInput {
  VkVertexInputBindingDescription binding = {};
  std::array<VkVertexInputAttributeDescription, 3> attributes = {};
  uint32_t attribute_count = 0;
};

/// `format` and `tangents` are those of SkinnerInfo. Without attributes for an unknown format.
SINEW_API VertexInput vertex_input(VertexFormat format, bool tangents = false, uint32_t binding = 0,
                                   uint32_t first_location = 0);

/// Where the vertices of one instance of `range` begin in InstanceRange::vertices, in bytes: a multiple of 4, as
/// vkCmdBindVertexBuffers() needs it. `instance` counts from 0 in the range.
constexpr VkDeviceSize instance_offset(const InstanceRange& range, uint32_t instance) {
  return range.vertices_offset + VkDeviceSize{instance} * range.vertex_count * range.vertex_bytes;
}

/// Writes a draw command for each instance of `range`: `part` of its mesh, at the vertices of the instance, with
/// firstInstance = first_instance + its index in the range. For vkCmdDrawIndexedIndirect(), with the device
/// features drawIndirectFirstInstance and, for more than one command, multiDrawIndirect, or as the arguments of
/// vkCmdDrawIndexed(). `commands` has room for range.instance_count, else nothing is written; it is never read, so it
/// may be mapped memory.
///
/// Hosts with a crowd::Plan use crowd::write_draws() instead: there several instances may share a posed mesh.
SINEW_API void write_draws(const InstanceRange& range, const MeshPart& part, uint32_t first_instance,
                           std::span<VkDrawIndexedIndirectCommand> commands);

}  // namespace sinew::vulkan
