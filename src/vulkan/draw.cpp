#include "sinew/vulkan/draw.h"

namespace sinew::vulkan {

VertexInput vertex_input(VertexFormat format, bool tangents, uint32_t binding, uint32_t first_location) {
  VertexInput input;
  const auto add = [&](VkFormat attribute, uint32_t offset) {
    const uint32_t index = input.attribute_count++;
    input.attributes[index] = {first_location + index, binding, attribute, offset};
  };
  switch (format) {
    case VertexFormat::kPacked:
      add(VK_FORMAT_R16G16B16A16_UNORM, 0), add(VK_FORMAT_R16G16_SNORM, 8);
      break;
    case VertexFormat::kOctahedral:
      add(VK_FORMAT_R32G32B32_SFLOAT, 0), add(VK_FORMAT_R16G16_SNORM, 12);
      break;
    case VertexFormat::kFloat:
      add(VK_FORMAT_R32G32B32_SFLOAT, 0), add(VK_FORMAT_R32G32B32_SFLOAT, 12);
      break;
    default:
      return input;
  }
  const uint32_t bytes_without_tangent = uint32_t(format);
  if (tangents) add(VK_FORMAT_R32_UINT, bytes_without_tangent);
  input.binding = {binding, bytes_without_tangent + (tangents ? 4u : 0u), VK_VERTEX_INPUT_RATE_VERTEX};
  return input;
}

void write_draws(const InstanceRange& range, const MeshPart& part, uint32_t first_instance,
                 std::span<VkDrawIndexedIndirectCommand> commands) {
  if (commands.size() < range.instance_count) return;
  for (uint32_t i = 0; i < range.instance_count; ++i)
    commands[i] = {part.index_count, 1, part.first_index, int32_t(i * range.vertex_count), first_instance + i};
}

}  // namespace sinew::vulkan
