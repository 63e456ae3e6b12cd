#include "workload.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "sinew/animation/evaluator.h"
#include "sinew/asset/cpu_skin.h"
#include "sinew/asset/mesh.h"
#include "sinew/import/import.h"

namespace sinew::bench {
namespace {

constexpr uint32_t kStrideUnit = 4;           // matrices; the library rounds strides up to this
constexpr uint32_t kMeasuredInstances = 200;  // the bounding box is that of the first instances
constexpr float kMargin = 0.25f;              // of the box's extent, for the other instances

std::vector<Playback> make_playbacks(const Character& character, uint32_t count) {
  std::mt19937 random(1);
  std::vector<Playback> playbacks(count);
  for (Playback& playback : playbacks) {
    if (character.clips.empty()) continue;
    Layer& layer = playback.layers[0];
    layer.weight = 1;
    layer.clip = uint32_t(random() % character.clips.size());
    layer.time_seconds = float(double(random()) / 4294967296.0) * character.clips[layer.clip].duration_seconds();
  }
  return playbacks;
}

void extend(Box& box, Vec3 p) {
  box.low = {std::min(box.low.x, p.x), std::min(box.low.y, p.y), std::min(box.low.z, p.z)};
  box.high = {std::max(box.high.x, p.x), std::max(box.high.y, p.y), std::max(box.high.z, p.z)};
}

Box box_of(std::span<const Vec3> points) {
  Box box{points[0], points[0]};
  for (const Vec3 p : points) extend(box, p);
  return box;
}

Box box_of_poses(const Workload& workload) {
  const Mesh& mesh = workload.character.mesh;
  std::vector<Vec3> positions(mesh.vertex_count()), normals(mesh.vertex_count());
  Box box;
  for (uint32_t i = 0; i < std::min(kMeasuredInstances, workload.instance_count()); ++i) {
    skin_on_cpu(mesh, workload.palette(i), positions, normals);
    const Box own = box_of(positions);
    if (i == 0) box = own;
    extend(box, own.low), extend(box, own.high);
  }
  return box;
}

}  // namespace

Result<Workload> make_workload(const std::string& path, uint32_t instances) {
  ImportOptions options;
  options.tangents = true;
  Result<Character> character = load_character(path.empty() ? SINEW_BUILTIN_CHARACTER : path, options);
  if (!character) return character.error();
  if (character->mesh.positions.empty()) return Error{ErrorCode::kInvalidData, path + ": it has no vertices"};
  Workload workload;
  workload.character = std::move(*character);
  Mesh& mesh = workload.character.mesh;
  if (Status ordered = order_by_influences(mesh); !ordered) return ordered.error();
  workload.mean_influences = double(mesh.influences.size()) / mesh.vertex_count();

  const uint32_t entries = workload.character.skin.palette_size();
  workload.palette_stride = (entries + kStrideUnit - 1) / kStrideUnit * kStrideUnit;
  workload.palettes.resize(size_t{instances} * workload.palette_stride);
  EvaluationScratch scratch;
  const Status evaluated = evaluate_crowd(workload.character, make_playbacks(workload.character, instances),
                                          workload.palette_stride, workload.palettes, scratch);
  if (!evaluated) return evaluated.error();
  const Box poses = box_of_poses(workload);
  const Vec3 extent = poses.high - poses.low;
  workload.diagonal = double(length(extent));
  workload.box = {poses.low - extent * kMargin, poses.high + extent * kMargin};
  return workload;
}

}  // namespace sinew::bench
