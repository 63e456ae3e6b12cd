#include "workload.h"

#include <algorithm>
#include <cmath>

#include "scene/exact_poses.h"
#include "scene/scene.h"
#include "sinew/animation/evaluator.h"
#include "sinew/animation/weights.h"
#include "sinew/asset/cpu_skin.h"
#include "sinew/asset/skin.h"

namespace sinew::bench {
namespace {

constexpr uint64_t kSeed = 1;                 // the program's default
constexpr double kSceneSeconds = 0;           // the first frame
constexpr uint32_t kMeasuredInstances = 200;  // the bounding box is that of the first instances
constexpr float kMargin = 0.25f;              // of the box's size, for the other instances

std::vector<Playback> make_playbacks(const app::Model& model, uint32_t count) {
  const app::Scene scene = app::make_scene({&model, 1}, count, kSeed);
  std::vector<Playback> playbacks;
  for (uint32_t i = 0; i < scene.count(); ++i) {
    playbacks.push_back(app::playback_at(model, scene.pace(i), kSceneSeconds));
  }
  return playbacks;
}

Box box_of_poses(const Workload& workload) {
  const Mesh& mesh = workload.character().mesh;
  std::vector<Vec3> positions(mesh.vertex_count()), normals(mesh.vertex_count());
  Box box = kEmptyBox;
  for (uint32_t i = 0; i < std::min(kMeasuredInstances, workload.instance_count()); ++i) {
    skin_on_cpu(mesh, workload.palette(i), positions, normals);
    box = merge(box, bounding_box(positions));
  }
  return box;
}

}  // namespace

Result<app::Model> load_with_tangents(const std::string& path) {
  app::LoadOptions options;
  options.import.tangents = true;
  if (!path.empty()) return app::load_model(path, options);
  const Result<std::string> builtin = app::find_builtin_character();
  if (!builtin) return builtin.error();
  return app::load_model(*builtin, options);
}

Result<Workload> make_workload(const app::Model& model, uint32_t instances) {
  Workload workload{.model = model,
                    .palette_stride = uint32_t(palette_stride(model.character.skin.palette_size())),
                    .dual_quaternion_mesh = model.character.mesh,
                    .playbacks = make_playbacks(model, instances)};
  workload.dual_quaternion_mesh.blend = Blend::kDualQuaternion;
  workload.palettes.resize(size_t{instances} * workload.palette_stride);
  EvaluationScratch scratch;
  const Status evaluated = evaluate_exact(model.character, workload.playbacks, workload.palette_stride,
                                          workload.palettes, scratch, app::factors_of(model.masks));
  if (!evaluated) return evaluated.error();
  workload.palette_scale = float(std::cbrt(std::abs(determinant(matrix_cast<double>(workload.palettes[0])))));
  const uint32_t targets = model.character.mesh.target_count();
  workload.weights.resize(size_t{instances} * targets);
  const Status weighted = evaluate_weights_exact(model.character, workload.playbacks, targets, workload.weights);
  if (!weighted) return weighted.error();
  const Box poses = box_of_poses(workload);
  const Vec3 margin = size_of(poses) * kMargin;
  workload.box = {poses.low - margin, poses.high + margin};
  return workload;
}

}  // namespace sinew::bench
