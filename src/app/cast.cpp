#include "cast.h"

#include <algorithm>
#include <numeric>

namespace sinew::app {
namespace {

constexpr uint32_t kLookedAtAtOnce = 2048;  // instances

}  // namespace

Casting::Casting(std::span<const Model> models, const Scene& scene, const CastOptions& options, ThreadPool& pool)
    : models_(models), scene_(scene), options_(options), pool_(pool) {
  for (uint32_t model = 0; model < models.size(); ++model) {
    for (uint32_t level = 0; level < models[model].levels.size(); ++level)
      meshes_.push_back({model, level, uint32_t(meshes_.size())});
  }
  for (const Batch& batch : scene.batches) {
    for (uint32_t i = batch.first_instance; i < batch.first_instance + batch.instance_count && options.cull; ++i)
      spheres_.push_back(sphere_of(models[batch.model], scene.instances[i]));
    for (uint32_t done = 0; done < batch.instance_count; done += kLookedAtAtOnce) {
      const uint32_t count = std::min(kLookedAtAtOnce, batch.instance_count - done);
      chunks_.push_back({batch.model, batch.first_instance + done, count, {}});
    }
  }
}

const Cast& Casting::cast(const View& view, double seconds) {
  const Look frame{frustum_of(view.clip_from_world), seconds};
  pool_.for_each(uint32_t(chunks_.size()), [&](uint32_t chunk) { look(chunks_[chunk], frame); });
  sort_by_mesh();
  cast_.seconds = seconds;
  cast_.batches.clear(), cast_.copies.clear(), cast_.playbacks.clear(), cast_.sharers.clear();
  for (const CastBatch& mesh : meshes_) {
    const uint32_t first = first_of_mesh_[mesh.mesh], end = first_of_mesh_[mesh.mesh + 1];
    if (first < end) add_batch(mesh, std::span(sorted_).subspan(first, end - first));
  }
  cast_.counters.visible = uint32_t(sorted_.size());
  cast_.counters.culled = uint32_t(scene_.instances.size() - sorted_.size());
  return cast_;
}

/// All that is done for everybody is the sphere's test.
void Casting::look(Chunk& chunk, const Look& frame) const {
  const Model& model = models_[chunk.model];
  chunk.seen.clear();
  for (uint32_t i = chunk.first_instance; i < chunk.first_instance + chunk.instance_count; ++i) {
    if (options_.cull && !may_see(frame.frustum, spheres_[i])) continue;
    const CrowdInstance& instance = scene_.instances[i];
    const Playback playback = playback_at(model, instance, frame.seconds);
    if (options_.cull && model.bounds && !may_see(frame.frustum, model, instance, playback)) continue;
    chunk.seen.push_back({i, 0, playback});
  }
}

/// Counts, then places: stable.
void Casting::sort_by_mesh() {
  std::vector<uint32_t> first_of_model(models_.size());
  for (const CastBatch& mesh : meshes_) {
    if (mesh.level == 0) first_of_model[mesh.model] = mesh.mesh;
  }
  first_of_mesh_.assign(meshes_.size() + 1, 0);
  for (const Chunk& chunk : chunks_) {
    for (const Member& member : chunk.seen) ++first_of_mesh_[first_of_model[chunk.model] + member.level + 1];
  }
  std::partial_sum(first_of_mesh_.begin(), first_of_mesh_.end(), first_of_mesh_.begin());
  sorted_.resize(first_of_mesh_.back());
  std::vector<uint32_t> next(first_of_mesh_.begin(), first_of_mesh_.end() - 1);
  for (const Chunk& chunk : chunks_) {
    for (const Member& member : chunk.seen) sorted_[next[first_of_model[chunk.model] + member.level]++] = &member;
  }
}

void Casting::add_batch(const CastBatch& mesh, std::span<const Member* const> members) {
  CastBatch batch = mesh;
  batch.first_copy = uint32_t(cast_.copies.size());
  batch.copy_count = uint32_t(members.size());
  cast_.batches.push_back(batch);
  for (const Member* member : members) {
    cast_.copies.push_back({member->instance, uint32_t(cast_.sharers.size()), 1});
    cast_.playbacks.push_back(member->playback);
    cast_.sharers.push_back(member->instance);
  }
}

}  // namespace sinew::app
