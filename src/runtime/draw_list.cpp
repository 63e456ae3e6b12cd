#include "draw_list.h"

#include <algorithm>

namespace sinew::vulkan::internal {
namespace {

std::span<const crowd::PosedMesh> meshes_of(const crowd::Plan& plan, const PlacedRange& placed) {
  return std::span(plan.posed_meshes).subspan(placed.first_mesh, placed.range->instance_count);
}

}  // namespace

void append_ranges(const crowd::Plan& plan, const experimental::SkinningBackend& backend,
                   std::vector<PlacedRange>& placed) {
  for (uint32_t group = 0; group < plan.groups.size(); ++group) {
    for (const InstanceRange& range : backend.ranges(group)) {
      const uint32_t batch = plan.groups[group].first_batch + range.batch;
      const crowd::PosedBatch& posed = plan.batches[batch];
      placed.push_back({group, batch, posed.mesh, posed.first_mesh + range.first_instance, &range});
    }
  }
}

void DrawList::build(const CrowdImpl& crowd, const CrowdModels& models, const crowd::Plan& plan,
                     std::span<const PlacedRange> placed, const CrowdOptions& options) {
  clear();
  placed_.clear();
  crowd_ = &crowd, posed_meshes_ = plan.posed_meshes;
  uint32_t command_count = 0;
  for (const AlphaMode mode : {AlphaMode::kOpaque, AlphaMode::kMask, AlphaMode::kBlend}) {
    for (const PlacedRange& range : placed) {
      const uint32_t own = crowd::count_draws(meshes_of(plan, range));
      if (own == 0) continue;  // poses of the frame before, and what is not drawn in this frame
      const CrowdLevel& level = models.level(plan.batches[range.batch].mesh);
      for (const MaterialPiece& piece : level.pieces) {
        if (piece.alpha_mode != mode) continue;
        append(range, level, piece, command_count);
        Draw& draw = draws_.back();
        draw.pulled = options.vertex_pulling || draw.vertex_count <= options.max_pulled_vertices;
        draw.command_count = draw.pulled != 0 ? 1 : own;
        command_count += draw.command_count;
      }
    }
  }
  commands_.resize(command_count);
  write_commands(plan, options.parallel_for);
}

void DrawList::append(const PlacedRange& placed, const CrowdLevel& level, const MaterialPiece& piece,
                      uint32_t first_command) {
  const InstanceRange& range = *placed.range;
  Draw& draw = draws_.emplace_back();
  draw.model = level.model, draw.level = level.level, draw.material = piece.material;
  draw.vertex_count = range.vertex_count;
  draw.first_stream_vertex = level.first_stream_vertex;
  draw.first_index = piece.first_index, draw.index_count = piece.index_count;
  const auto all = crowd::instanced_draw(posed_meshes_.subspan(placed.first_mesh, range.instance_count), {});
  draw.first_instance = all.first_instance, draw.instance_count = all.instance_count;
  draw.vertices = {range.vertices, range.vertices_offset};
  draw.first_command = first_command;
  draw.range = &range;
  draw.crowd = crowd_;
  placed_.push_back(&placed);
}

void DrawList::write_commands(const crowd::Plan& plan, const ParallelFor& parallel_for) {
  for_each_index(parallel_for, uint32_t(draws_.size()), [&](uint32_t i) {
    const Draw& draw = draws_[i];
    const crowd::DrawInfo info{draw.first_index, draw.index_count, 0, draw.vertex_count};
    const auto meshes = meshes_of(plan, *placed_[i]);
    const auto commands = std::span(commands_).subspan(draw.first_command, draw.command_count);
    if (draw.pulled != 0)
      commands.front() = crowd::instanced_draw(meshes, info);
    else
      crowd::write_draws(meshes, info, commands);
  });
}

}  // namespace sinew::vulkan::internal
