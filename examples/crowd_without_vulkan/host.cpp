#include "host.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "sinew/animation/bake.h"
#include "sinew/animation/pose.h"
#include "sinew/import/import.h"

namespace example {

using namespace sinew;
namespace {

constexpr float kSpacing = 2;         // meters
constexpr float kFieldOfView = 0.9f;  // radians, vertical

Matrix3x4 translated(Matrix3x4 matrix, float x, float z) {
  matrix.m[0][3] += x, matrix.m[2][3] += z;
  return matrix;
}

Matrix3x4 upright_of(const Character& character) {
  Matrix3x4 matrix = matrix_cast<float>(target_from_source({character.space.up, character.space.front}));
  for (auto& row : matrix.m) {
    for (float& element : row) element *= character.space.meters_per_unit;
  }
  return matrix;
}

crowd::Level level_of(const Mesh& mesh, float error) { return {error, mesh.vertex_count(), 0}; }

}  // namespace

Result<std::unique_ptr<Actor>> load_actor(const std::string& path, const std::string& worker) {
  auto file = import_isolated(path, {}, {.program = worker, .bake = BakeOptions()});
  if (!file) return file.error();
  auto actor = std::make_unique<Actor>();
  actor->character = std::move(file->character);
  actor->baked = std::move(*file->baked);
  auto bounds = measure_bounds(actor->character, actor->baked);
  if (!bounds) return bounds.error();
  actor->bounds = std::move(*bounds);
  auto coarser = make_levels(actor->character.mesh);
  if (!coarser) return coarser.error();
  actor->coarser = std::move(*coarser);

  const float meters = actor->character.space.meters_per_unit;
  actor->levels.push_back(level_of(actor->character.mesh, 0));
  for (const ModelLevel& level : actor->coarser) actor->levels.push_back(level_of(level.mesh, level.error * meters));
  for (uint32_t clip = 0; clip < actor->character.clips.size(); ++clip) {
    if (!actor->character.clips[clip].additive) actor->clips.push_back(clip);
  }
  actor->upright = upright_of(actor->character);
  return actor;
}

Crowd make_crowd(const Actor& actor, uint32_t count) {
  Crowd crowd;
  const uint32_t columns = uint32_t(std::ceil(std::sqrt(double(count))));
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t column = i % columns, row = i / columns;
    const float x = (float(column) - float(columns - 1) / 2) * kSpacing, z = -float(row) * kSpacing;
    crowd.characters.push_back(0);
    crowd.world_from_model.push_back(translated(actor.upright, x, z));
  }
  crowd.playbacks.resize(count);
  return crowd;
}

void play(const Actor& actor, double seconds, Crowd& crowd) {
  if (actor.clips.empty()) return;
  for (size_t i = 0; i < crowd.playbacks.size(); ++i) {
    const uint32_t index = actor.clips[i % actor.clips.size()];
    const Clip& clip = actor.character.clips[index];
    crowd.playbacks[i].layers[0] = {index, clip_time(clip, seconds + double(i) * 0.37, Looping::kLoop), 1};
  }
}

crowd::View camera(float width, float height) {
  constexpr float kNear = 0.1f;
  const float focal = 1 / std::tan(kFieldOfView / 2);
  crowd::View view;
  view.eye = {0, 1.6f, 6};
  view.pixels_per_radian = height * focal / 2;
  // Looks along -z. Depth goes from 1 at kNear to 0 far away.
  const float columns[16] = {focal * height / width, 0, 0, 0, 0, -focal, 0, 0, 0, 0, 0, -1, 0, 0, kNear, 0};
  std::copy(columns, columns + 16, view.clip_from_world);
  // clip_from_view * view_from_world: the view is only moved, not turned.
  for (int row = 0; row < 4; ++row) {
    float& last = view.clip_from_world[12 + row];
    last -= columns[row] * view.eye.x + columns[4 + row] * view.eye.y + columns[8 + row] * view.eye.z;
  }
  return view;
}

Result<std::vector<Drawn>> draw(const Actor& actor, const Crowd& crowd, const crowd::Plan& plan,
                                std::vector<std::vector<Matrix3x4>>& palettes) {
  const uint32_t palette_size = actor.baked.palette_size;
  const CrowdEvaluator evaluator(actor.baked);
  palettes.resize(plan.groups.size());
  std::vector<Drawn> drawn;
  for (uint32_t g = 0; g < plan.groups.size(); ++g) {
    const crowd::UpdateGroup& group = plan.groups[g];
    if (group.batch_count == 0) continue;
    // The posed meshes of a group follow each other, and so do their palettes. A group that is not updated keeps both.
    const auto batches = std::span(plan.batches).subspan(group.first_batch, group.batch_count);
    const uint32_t first = batches.front().first_mesh, end = batches.back().first_mesh + batches.back().mesh_count;
    if (group.updated) {
      palettes[g].resize(size_t{end - first} * palette_size);
      const auto playbacks = std::span(plan.playbacks).subspan(first, end - first);
      if (Status done = evaluator.evaluate(playbacks, palette_size, palettes[g]); !done) return done.error();
    }
    for (const crowd::PosedBatch& batch : batches) {
      for (uint32_t m = batch.first_mesh; m < batch.first_mesh + batch.mesh_count; ++m) {
        const crowd::PosedMesh& mesh = plan.posed_meshes[m];
        const auto palette = std::span(palettes[g]).subspan(size_t{m - first} * palette_size, palette_size);
        for (uint32_t i = mesh.first_instance; i < mesh.first_instance + mesh.instance_count; ++i) {
          const uint32_t instance = plan.instances[i];
          const Mesh& level = actor.mesh(batch.level);
          Vec3 position{};
          for (const Influence& influence : level.influences_of(0))
            position = position + transform_point(palette[influence.entry], level.positions[0]) * influence.weight;
          drawn.push_back({instance, batch.level, m, mesh.shared, group.updated,
                           transform_point(crowd.world_from_model[instance], position)});
        }
      }
    }
  }
  return drawn;
}

}  // namespace example
