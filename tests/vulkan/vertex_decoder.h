// Draws skinned vertices with the library's vertex input and GLSL, and reads back what the vertex shader decoded.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/vulkan/draw.h"
#include "vulkan/test_device.h"

namespace sinew::test {

/// What a host's vertex shader has of one vertex.
struct DecodedVertex {
  std::array<float, 4> position, normal, tangent;  // position w: the vertex of the mesh
};

/// Draws the instances of `range`, with tangents, each with one of write_draws()'s commands for all vertices in their
/// order. `extent` is that of the box of kPacked, a cube around the origin. Waits.
std::vector<DecodedVertex> decode_on_device(TestDevice& device, const vulkan::InstanceRange& range,
                                            vulkan::VertexFormat format, float extent);

}  // namespace sinew::test
