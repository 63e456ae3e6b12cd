#include "draw_list.h"

#include <algorithm>

#include "shared/crowd.h"

namespace sinew::app {
namespace {

void write_instances(const Scene& scene, const SkinnedRange& range, SkinningMode mode,
                     std::vector<shared::InstanceAttributes>& attributes) {
  const uint32_t first = scene.batches[range.batch].first_instance + range.first_instance;
  const uint32_t step = mode == SkinningMode::kVertex ? range.palette_stride : range.vertex_count;
  for (uint32_t i = 0; i < range.instance_count; ++i) {
    const CrowdInstance& instance = scene.instances[first + i];
    shared::InstanceAttributes& to = attributes[first + i];
    for (int row = 0; row < 3; ++row) {
      const float* from = instance.world_from_model.m[row];
      to.world_from_model[row] = {from[0], from[1], from[2], from[3]};
    }
    to.tint = instance.tint;
    to.base = i * step;
    to.shadow[0] = instance.position.x, to.shadow[1] = instance.position.z, to.shadow[2] = instance.shadow_radius;
  }
}

void add_group(const Scene& scene, const SkinnedRange& range, const MaterialDraw& material, SkinningMode mode,
               std::vector<VkDrawIndexedIndirectCommand>& commands) {
  const uint32_t first = scene.batches[range.batch].first_instance + range.first_instance;
  if (mode == SkinningMode::kVertex) {
    commands.push_back({material.index_count, range.instance_count, material.first_index, 0, first});
    return;
  }
  for (uint32_t i = 0; i < range.instance_count; ++i) {
    commands.push_back({material.index_count, 1, material.first_index, int32_t(i * range.vertex_count), first + i});
  }
}

}  // namespace

Result<DrawList> create_draw_list(const Device& device, const Scene& scene, const ModelBuffers& buffers,
                                  std::span<const SkinnedRange> ranges, SkinningMode mode) {
  DrawList list;
  std::vector<shared::InstanceAttributes> attributes(scene.instances.size());
  for (uint32_t r = 0; r < ranges.size(); ++r) {
    const SkinnedRange& range = ranges[r];
    const uint32_t model = scene.batches[range.batch].model;
    write_instances(scene, range, mode, attributes);
    for (uint32_t material = 0; material < buffers.materials[model].size(); ++material) {
      const uint32_t first = uint32_t(list.direct.size());
      add_group(scene, range, buffers.materials[model][material], mode, list.direct);
      list.groups.push_back({r, range.batch, model, material, first, uint32_t(list.direct.size()) - first});
    }
  }
  auto instances = create_buffer_with(device, std::as_bytes(std::span(attributes)), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT,
                                      "sinew.instances");
  if (!instances) return instances.error();
  list.instances = std::move(*instances);
  auto commands = create_buffer_with(device, std::as_bytes(std::span(list.direct)), VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT,
                                     "sinew.draw_commands");
  if (!commands) return commands.error();
  list.commands = std::move(*commands);
  return list;
}

}  // namespace sinew::app
