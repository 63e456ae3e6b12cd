#include "render/draw_list.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <utility>

#include "shared/crowd.h"

namespace sinew::app {
namespace {

using shared::InstanceAttributes;
using Command = VkDrawIndexedIndirectCommand;

constexpr uint32_t kMeshesPerPiece = 512;

std::span<const crowd::PosedMesh> meshes_of(const crowd::Plan& plan, const SkinnedRange& range) {
  return std::span(plan.posed_meshes)
      .subspan(plan.batches[range.batch].first_mesh + range.first_mesh, range.mesh_count);
}

std::span<crowd::DrawCommand> as_draws(std::span<Command> commands) {
  static_assert(sizeof(crowd::DrawCommand) == sizeof(Command) &&
                offsetof(crowd::DrawCommand, vertex_offset) == offsetof(Command, vertexOffset));
  return {reinterpret_cast<crowd::DrawCommand*>(commands.data()), commands.size()};
}

std::span<const DrawCalls> calls_of(const DrawList& list, uint32_t range) {
  const auto found = std::equal_range(list.calls.begin(), list.calls.end(), DrawCalls{.range = range},
                                      [](const DrawCalls& a, const DrawCalls& b) { return a.range < b.range; });
  return {found.first, found.second};
}

/// The tint of the instances of a batch where it shows data; none where each instance has its own.
std::optional<uint32_t> data_tint(const DrawSource& source, const crowd::PosedBatch& batch) {
  if (source.coloring == Coloring::kLevel) return data_color(batch.level);
  if (source.coloring == Coloring::kUpdateGroup) return data_color(batch.group);
  return {};
}

InstanceAttributes attributes_of(const CrowdInstance& instance, uint32_t first_element, std::optional<uint32_t> tint) {
  InstanceAttributes attributes;
  for (int row = 0; row < 3; ++row) {
    const float* from = instance.world_from_model.m[row];
    attributes.world_from_model[row] = {from[0], from[1], from[2], from[3]};
  }
  attributes.tint = tint.value_or(instance.tint);
  attributes.first_element = first_element;
  attributes.shadow[0] = instance.position.x, attributes.shadow[1] = instance.position.z;
  attributes.shadow[2] = instance.shadow_radius;
  return attributes;
}

std::span<const crowd::PosedMesh> meshes_of(const DrawSource& source, const DrawPiece& piece) {
  return meshes_of(source.plan, source.ranges[piece.range]).subspan(piece.first_mesh, piece.mesh_count);
}

/// Writes in order and never reads: mapped memory may be slow to read.
void write_instances(const DrawSource& source, const DrawPiece& piece, InstanceAttributes* mapped) {
  const SkinnedRange& range = source.ranges[piece.range];
  const bool skins = source.vertices == VertexSource::kSkinning;
  const uint32_t step = skins ? range.palette_stride : range.vertex_count;
  const std::optional<uint32_t> tint = data_tint(source, source.plan.batches[range.batch]);
  uint32_t first_element = (skins ? range.first_entry : 0) + piece.first_mesh * step;
  for (const crowd::PosedMesh& mesh : meshes_of(source, piece)) {
    for (uint32_t s = mesh.first_instance; s < mesh.first_instance + mesh.instance_count; ++s)
      mapped[s] = attributes_of(source.scene.instances[source.plan.instances[s]], first_element, tint);
    first_element += step;
  }
}

void write_previous(const DrawSource& source, const DrawPiece& piece, PreviousAttributes* mapped) {
  for (const crowd::PosedMesh& mesh : meshes_of(source, piece)) {
    for (uint32_t s = mesh.first_instance; s < mesh.first_instance + mesh.instance_count; ++s) {
      const uint32_t instance = source.plan.instances[s];
      mapped[s] = {source.previous->address_of(source.plan.previous_poses[s]),
                   source.scene.moves() ? source.scene.walks[instance].moved : Vec3()};
    }
  }
}

/// Cuts every range into pieces.
void cut_ranges(const DrawSource& source, std::vector<DrawPiece>& pieces) {
  pieces.clear();
  for (uint32_t r = 0; r < source.ranges.size(); ++r) {
    const uint32_t count = source.ranges[r].mesh_count;
    for (uint32_t first = 0; first < count; first += kMeshesPerPiece)
      pieces.push_back({r, first, std::min(kMeshesPerPiece, count - first)});
  }
}

/// The number of commands of each piece and material becomes DrawPiece::first_command. The one command of an instanced
/// draw is written by the first piece of the range.
void count_commands(const DrawSource& source, std::vector<DrawPiece>& pieces) {
  for_each_index(source.parallel_for, uint32_t(pieces.size()), [&](uint32_t p) {
    DrawPiece& piece = pieces[p];
    piece.first_command = source.instanced() ? piece.first_mesh == 0 : count_draws(meshes_of(source, piece));
  });
}

/// The draw calls of each range and material, and where each piece begins within them.
void add_calls(const DrawSource& source, DrawList& list) {
  list.calls.clear();
  uint32_t next = 0;
  for (size_t p = 0; p < list.pieces.size();) {
    const uint32_t r = list.pieces[p].range, mesh = source.plan.batches[source.ranges[r].batch].mesh;
    uint32_t commands = 0;
    for (; p < list.pieces.size() && list.pieces[p].range == r; ++p)
      commands += std::exchange(list.pieces[p].first_command, commands);
    if (source.instanced() && crowd::instanced_draw(meshes_of(source.plan, source.ranges[r]), {}).instance_count == 0)
      commands = 0;
    const uint32_t materials = uint32_t(source.buffers.materials[mesh].size());
    for (uint32_t material = 0; material < materials && commands > 0; ++material, next += commands)
      list.calls.push_back({r, mesh, material, next, commands});
  }
  list.direct.resize(next);
}

/// The commands of a piece for all materials of its mesh.
void write_commands(const DrawSource& source, const DrawPiece& piece, std::span<const DrawCalls> calls_of_range,
                    std::span<Command> commands) {
  const SkinnedRange& range = source.ranges[piece.range];
  for (const DrawCalls& calls : calls_of_range) {
    const MaterialDraw& material = source.buffers.materials[calls.mesh][calls.material];
    const auto own = commands.subspan(calls.first_command + piece.first_command);
    if (!source.instanced()) {
      const crowd::DrawInfo info{material.first_index, material.index_count, piece.first_mesh * range.vertex_count,
                                 range.vertex_count};
      write_draws(meshes_of(source, piece), info, as_draws(own));
    } else if (piece.first_mesh == 0) {
      const crowd::DrawInfo info{material.first_index, material.index_count};
      as_draws(own).front() = crowd::instanced_draw(meshes_of(source.plan, range), info);
    }
  }
}

Status fit(const Device& device, const DrawSource& source, DrawList& list) {
  const VkDeviceSize instance_bytes = source.plan.instances.size() * sizeof(InstanceAttributes);
  const BufferSpec instances{instance_bytes, VK_WHOLE_SIZE, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, "sinew.instances"};
  if (Status fits = fit_upload_buffer(device, instances, list.instances); !fits) return fits;
  if (source.previous) {
    const BufferSpec previous{source.plan.instances.size() * sizeof(PreviousAttributes), VK_WHOLE_SIZE,
                              VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, "sinew.previous_vertices"};
    if (Status fits = fit_upload_buffer(device, previous, list.previous); !fits) return fits;
  }
  const VkDeviceSize command_bytes = list.direct.size() * sizeof(Command);
  const BufferSpec commands{command_bytes, VK_WHOLE_SIZE, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, "sinew.draw_commands"};
  return fit_upload_buffer(device, commands, list.commands);
}

}  // namespace

Status write_draw_list(const Device& device, const DrawSource& source, DrawList& list) {
  list.character_count = uint32_t(source.plan.instances.size());
  cut_ranges(source, list.pieces);
  count_commands(source, list.pieces);
  add_calls(source, list);
  if (Status fits = fit(device, source, list); !fits) return fits;
  for_each_index(source.parallel_for, uint32_t(list.pieces.size()), [&](uint32_t p) {
    const DrawPiece& piece = list.pieces[p];
    write_commands(source, piece, calls_of(list, piece.range), list.direct);
    write_instances(source, piece, static_cast<InstanceAttributes*>(list.instances.mapped));
    if (source.previous) write_previous(source, piece, static_cast<PreviousAttributes*>(list.previous.mapped));
  });
  std::memcpy(list.commands.mapped, list.direct.data(), list.direct.size() * sizeof(Command));
  return {};
}

}  // namespace sinew::app
