#include "gpu/skin_once.h"

#include <algorithm>

#include "gpu/host.h"
#include "gpu/skinner_info.h"
#include "sinew/asset/skinned_vertex.h"
#include "sinew/vulkan/skinner.h"

namespace sinew::app {
namespace {

SkinnedMesh decode(std::span<const SkinnedVertex> vertices) {
  SkinnedMesh mesh;
  for (const SkinnedVertex& vertex : vertices) {
    mesh.positions.push_back({vertex.position[0], vertex.position[1], vertex.position[2]});
    mesh.normals.push_back(decode_normal(vertex.normal));
  }
  return mesh;
}

}  // namespace

Result<SkinnedMesh> skin_once(const Device& device, const Mesh& mesh, std::span<const Matrix3x4> palette,
                              std::span<const float> weights) {
  if (mesh.positions.empty()) return SkinnedMesh{};
  auto skinner = vulkan::create_skinner(skinner_info(device, 1, vulkan::kTransferRead));
  if (!skinner) return skinner.error();
  const auto id = skinner->add_mesh(mesh, uint32_t(palette.size()), "pose");
  if (!id) return id.error();
  const vulkan::Batch batch{*id, 1};
  if (Status begun = skinner->begin_frame({}); !begun) return begun.error();
  if (Status prepared = skinner->prepare(0, {&batch, 1}); !prepared) return prepared.error();
  const vulkan::InstanceRange range = skinner->ranges().front();
  std::copy(palette.begin(), palette.end(), range.palettes.begin());
  std::copy(weights.begin(), weights.end(), range.weights.begin());

  const VkBufferCopy all{range.vertices_offset, 0, range.vertex_count * sizeof(SkinnedVertex)};
  const auto readback =
      create_buffer(device, all.size, VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryKind::kReadback, "skinned vertices");
  if (!readback) return readback.error();
  const Status status = run_once(device, "skinning", [&](VkCommandBuffer cmd) {
    skinner->record(cmd);
    vkCmdCopyBuffer(cmd, range.vertices, readback->get(), 1, &all);
  });
  if (!status) return status.error();
  return decode({static_cast<const SkinnedVertex*>(readback->mapped), range.vertex_count});
}

}  // namespace sinew::app
