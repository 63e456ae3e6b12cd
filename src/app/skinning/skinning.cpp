#include "skinning/skinning.h"

#include <array>

#include "skinning/compute_skinning.h"
#include "skinning/cpu_skinning.h"
#include "skinning/vertex_skinning.h"
#include "system/clock.h"

namespace sinew::app {
namespace {

struct StrategyType {
  const char* name;
  SkinningProperties (*properties)(const SkinningInfo& info);
  Result<std::unique_ptr<SkinningStrategy>> (*create)(const Device& device, std::span<const Model> models,
                                                      const SkinningInfo& info);
};

/// In the order of SkinningMode.
constexpr std::array kStrategies = {StrategyType{"compute", ComputeSkinning::properties, ComputeSkinning::create},
                                    StrategyType{"vertex", VertexSkinning::properties, VertexSkinning::create},
                                    StrategyType{"cpu", CpuSkinning::properties, CpuSkinning::create}};

const StrategyType& type_of(SkinningMode mode) { return kStrategies[size_t(mode)]; }

}  // namespace

const char* name_of(SkinningMode mode) { return type_of(mode).name; }

SkinningProperties properties_of(const SkinningInfo& info) { return type_of(info.mode).properties(info); }

Result<Skinning> Skinning::create(const Device& device, std::span<const Model> models, const SkinningInfo& info) {
  auto strategy = type_of(info.mode).create(device, models, info);
  if (!strategy) return strategy.error();
  Skinning skinning;
  skinning.models_ = models;
  skinning.info_ = info;
  skinning.properties_ = properties_of(info);
  skinning.strategy_ = std::move(*strategy);
  skinning.group_ranges_.resize(info.update_groups);
  return skinning;
}

Status Skinning::prepare(const vulkan::Frame& frame, const crowd::Plan& plan) {
  if (Status begun = strategy_->begin_frame(frame); !begun) return begun;
  ranges_.clear();
  for (uint32_t g = 0; g < plan.groups.size(); ++g) {
    const crowd::UpdateGroup& group = plan.groups[g];
    if (group.updated) {
      const auto batches = std::span(plan.batches).subspan(group.first_batch, group.batch_count);
      if (Status updated = strategy_->update_group(g, batches, group_ranges_[g]); !updated) return updated;
    }
    append_ranges(group, group_ranges_[g]);
  }
  count(plan);
  return {};
}

void Skinning::append_ranges(const crowd::UpdateGroup& visible_group, std::span<const SkinnedRange> group) {
  const uint32_t first_page = ranges_.empty() ? 0 : ranges_.back().page + 1;
  for (SkinnedRange range : group) {
    range.batch += visible_group.first_batch;
    range.page += first_page;
    range.not_updated = !visible_group.updated;
    ranges_.push_back(range);
  }
}

void Skinning::count(const crowd::Plan& plan) {
  counters_ = {};
  for (const SkinnedRange& range : ranges_) {
    if (range.not_updated) continue;
    const Character& character = models_[plan.batches[range.batch].character].character;
    const size_t matrix_bytes = info_.compact_palettes ? sizeof(CompactMatrix) : sizeof(Matrix3x4);
    counters_.palette_bytes += uint64_t(range.mesh_count) * character.skin.palette_size() * matrix_bytes;
    if (properties_.vertex_shader_skins) continue;
    counters_.skinned_vertices += uint64_t(range.mesh_count) * range.vertex_count;
    counters_.skinned_bytes += range.vertices_bytes();
  }
}

SkinningCounters Skinning::counters() const {
  SkinningCounters counters = counters_;
  counters.copies = strategy_->copies();
  counters.dispatches = strategy_->dispatches();
  counters.reads = strategy_->static_reads();
  return counters;
}

EvaluationTimes Skinning::evaluate(const crowd::Plan& plan) {
  EvaluationTimes times;
  times.sample.begin_ms = now_ms();
  for (const SkinnedRange& range : ranges_) {
    if (range.not_updated) continue;
    const crowd::PosedBatch& batch = plan.batches[range.batch];
    const auto playbacks = std::span(plan.playbacks).subspan(batch.first_mesh + range.first_mesh, range.mesh_count);
    info_.evaluation->evaluate(
        {batch.character, playbacks, range.palette_stride, range.palettes, range.compact_palettes});
  }
  strategy_->convert_palettes(plan, ranges_);
  times.sample.end_ms = now_ms();
  if (strategy_->skin(plan, ranges_)) times.skin = {times.sample.end_ms, now_ms()};
  return times;
}

}  // namespace sinew::app
