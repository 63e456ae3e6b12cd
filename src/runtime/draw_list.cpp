#include "draw_list.h"

#include <algorithm>

#include "crowd_impl.h"

namespace sinew::vulkan::internal {
void append_ranges(const crowd::Plan& plan, const experimental::SkinningBackend& backend,
                   std::vector<PlacedRange>& placed) {
  for (uint32_t group = 0; group < plan.groups.size(); ++group) {
    for (const InstanceRange& range : backend.ranges(group)) {
      const uint32_t batch = plan.groups[group].first_batch + range.batch;
      placed.push_back({group, batch, plan.batches[batch].first_mesh + range.first_instance, &range});
    }
  }
  if (!plan.wearers.empty()) std::ranges::sort(placed, {}, &PlacedRange::first_mesh);
}

void DrawList::build(const CrowdImpl& crowd, const crowd::Plan& plan, const ParallelFor& parallel_for) {
  clear();
  posed_meshes_.clear();
  crowd_ = &crowd;
  uint32_t command_count = 0;
  for (const AlphaMode mode : {AlphaMode::kOpaque, AlphaMode::kMask, AlphaMode::kBlend}) add(mode, plan, command_count);
  commands_.resize(command_count);
  write_commands(parallel_for);
}

void DrawList::add(AlphaMode mode, const crowd::Plan& plan, uint32_t& command_count) {
  const CrowdOptions& options = crowd_->options;
  for (const PlacedRange& placed : crowd_->placed) {
    const PosedMeshes meshes = std::span(plan.posed_meshes).subspan(placed.first_mesh, placed.range->instance_count);
    const uint32_t own = crowd::count_draws(meshes);
    if (own == 0) continue;  // poses of the frame before, and what is not drawn in this frame
    const crowd::PosedBatch& batch = plan.batches[placed.batch];
    for (const MaterialPiece& piece : crowd_->models.mesh_of(batch).pieces) {
      if (piece.alpha_mode != mode) continue;
      append(*placed.range, batch, piece, meshes);
      Draw& draw = draws_.back();
      draw.pulled = options.vertex_pulling || draw.vertex_count <= options.max_pulled_vertices;
      draw.first_command = command_count, draw.command_count = draw.pulled != 0 ? 1 : own;
      command_count += draw.command_count;
    }
  }
}

void DrawList::append(const InstanceRange& range, const crowd::PosedBatch& batch, const MaterialPiece& piece,
                      PosedMeshes meshes) {
  Draw& draw = draws_.emplace_back();
  draw.model = batch.model, draw.level = batch.level, draw.material = piece.material;
  draw.wearable = batch.wearable;
  draw.vertex_count = range.vertex_count;
  const CrowdModel& model = crowd_->models[batch.model];
  draw.first_stream_vertex = model.first_vertex + crowd_->models.mesh_of(batch).first_vertex;
  draw.first_index = model.first_index + piece.first_index, draw.index_count = piece.index_count;
  const auto all = crowd::instanced_draw(meshes, {});
  draw.first_instance = all.first_instance, draw.instance_count = all.instance_count;
  draw.vertex_buffer = range.vertices, draw.first_vertex = first_vertex_of(range);
  draw.range = &range;
  draw.crowd = crowd_;
  posed_meshes_.push_back(meshes);
}

void DrawList::write_commands(const ParallelFor& parallel_for) {
  for_each_index(parallel_for, uint32_t(draws_.size()), [&](uint32_t i) {
    const Draw& draw = draws_[i];
    const crowd::DrawInfo info{draw.first_index, draw.index_count, 0, draw.vertex_count};
    const auto commands = std::span(commands_).subspan(draw.first_command, draw.command_count);
    if (draw.pulled != 0)
      commands.front() = crowd::instanced_draw(posed_meshes_[i], info);
    else
      crowd::write_draws(posed_meshes_[i], info, commands);
  });
}

}  // namespace sinew::vulkan::internal
