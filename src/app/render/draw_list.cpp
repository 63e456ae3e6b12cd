#include "render/draw_list.h"

#include <algorithm>
#include <cstring>

#include "shared/crowd.h"

namespace sinew::app {
namespace {

using shared::InstanceAttributes;
using Command = VkDrawIndexedIndirectCommand;

std::span<const PosedMesh> meshes_of(const VisibleSet& visible_set, const SkinnedRange& range) {
  return std::span(visible_set.posed_meshes)
      .subspan(visible_set.batches[range.batch].first_mesh + range.first_mesh, range.mesh_count);
}

InstanceAttributes attributes_of(const CrowdInstance& instance, uint32_t first_element) {
  InstanceAttributes attributes;
  for (int row = 0; row < 3; ++row) {
    const float* from = instance.world_from_model.m[row];
    attributes.world_from_model[row] = {from[0], from[1], from[2], from[3]};
  }
  attributes.tint = instance.tint;
  attributes.first_element = first_element;
  attributes.shadow[0] = instance.position.x, attributes.shadow[1] = instance.position.z;
  attributes.shadow[2] = instance.shadow_radius;
  return attributes;
}

/// Writes in order and never reads: mapped memory may be slow to read.
void write_instances(const DrawSource& source, const SkinnedRange& range, InstanceAttributes* mapped) {
  const uint32_t step = source.vertex_shader_skins ? range.palette_stride : range.vertex_count;
  uint32_t first_element = source.vertex_shader_skins ? range.first_entry : 0;
  for (const PosedMesh& mesh : meshes_of(source.visible_set, range)) {
    for (uint32_t s = mesh.first_instance; s < mesh.first_instance + mesh.instance_count; ++s)
      mapped[s] = attributes_of(source.scene.instances[source.visible_set.instances[s]], first_element);
    first_element += step;
  }
}

void add_commands(const DrawSource& source, const SkinnedRange& range, const MaterialDraw& material,
                  std::vector<Command>& commands) {
  const auto posed_meshes = meshes_of(source.visible_set, range);
  if (source.vertex_shader_skins) {
    const uint32_t first = posed_meshes.front().first_instance,
                   end = posed_meshes.back().first_instance + posed_meshes.back().instance_count;
    if (first < end) commands.push_back({material.index_count, end - first, material.first_index, 0, first});
    return;
  }
  int32_t first_vertex = 0;
  for (const PosedMesh& mesh : posed_meshes) {
    if (mesh.instance_count > 0) {
      commands.push_back(
          {material.index_count, mesh.instance_count, material.first_index, first_vertex, mesh.first_instance});
    }
    first_vertex += int32_t(range.vertex_count);
  }
}

Status fit(const Device& device, const DrawSource& source, DrawList& list) {
  const VkDeviceSize instance_bytes = source.visible_set.instances.size() * sizeof(InstanceAttributes);
  const BufferSpec instances{instance_bytes, VK_WHOLE_SIZE, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, "sinew.instances"};
  if (Status fits = fit_upload_buffer(device, instances, list.instances); !fits) return fits;
  const VkDeviceSize command_bytes = list.direct.size() * sizeof(Command);
  const BufferSpec commands{command_bytes, VK_WHOLE_SIZE, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, "sinew.draw_commands"};
  return fit_upload_buffer(device, commands, list.commands);
}

}  // namespace

Status write_draw_list(const Device& device, const DrawSource& source, DrawList& list) {
  list.calls.clear(), list.direct.clear();
  list.character_count = uint32_t(source.visible_set.instances.size());
  for (uint32_t r = 0; r < source.ranges.size(); ++r) {
    const SkinnedRange& range = source.ranges[r];
    const uint32_t mesh = source.visible_set.batches[range.batch].mesh;
    const std::vector<MaterialDraw>& materials = source.buffers.materials[mesh];
    for (uint32_t material = 0; material < materials.size(); ++material) {
      const uint32_t first = uint32_t(list.direct.size());
      add_commands(source, range, materials[material], list.direct);
      const uint32_t count = uint32_t(list.direct.size()) - first;
      if (count > 0) list.calls.push_back({r, mesh, material, first, count});
    }
  }
  if (Status fits = fit(device, source, list); !fits) return fits;
  std::memcpy(list.commands.mapped, list.direct.data(), list.direct.size() * sizeof(Command));
  for (const SkinnedRange& range : source.ranges)
    write_instances(source, range, static_cast<InstanceAttributes*>(list.instances.mapped));
  return {};
}

}  // namespace sinew::app
