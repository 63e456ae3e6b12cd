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
  std::array<float, 4> position, normal, tangent;  // position w: the vertex of the mesh; normal w: see OwnStream
};

/// A stream of the host's own with a number for each vertex of the mesh, 0, 1 and so on.
enum class OwnStream {
  kMoves,   // with the vertices of each instance, as vertexOffset does it; behind the first instance it has -1
  kShared,  // all instances share it: each draw binds its vertices at instance_offset()
};

/// Draws the instances of `range`, with tangents, each with one draw for all vertices in their order: for kMoves that
/// of write_draws(). `extent` is that of the box of kPacked, a cube around the origin. Waits.
std::vector<DecodedVertex> decode_on_device(TestDevice& device, const vulkan::InstanceRange& range,
                                            vulkan::VertexFormat format, float extent,
                                            OwnStream own = OwnStream::kMoves);

}  // namespace sinew::test
