// Step 5, skinning on the CPU: several matrices move a vertex, each by its weight.
#include <cstdio>
#include <vector>

#include "person.h"
#include "shapes.h"
#include "sinew/animation/evaluator.h"
#include "sinew/animation/pose.h"
#include "sinew/asset/cpu_skin.h"

namespace {

using namespace sinew;

/// The weighted mean of the matrices that move a vertex.
Matrix3x4 blend(std::span<const Influence> influences, std::span<const Matrix3x4> palette) {
  Matrix3x4 mean{{{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}};
  for (const Influence& influence : influences) {
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 4; ++column)
        mean.m[row][column] += influence.weight * palette[influence.entry].m[row][column];
    }
  }
  return mean;
}

void run(const host::Options& options) {
  const Character character = steps::load_person(options.file);
  const Mesh& mesh = character.mesh;
  const uint32_t clip = steps::clip_of(character, "walk");
  const std::vector<Vec3> colors = steps::vertex_colors(character);
  std::vector<Matrix3x4> palette(character.skin.palette_size());
  std::vector<Vec3> positions(mesh.vertex_count()), normals(mesh.vertex_count());
  EvaluationScratch scratch;
  steps::Canvas canvas(options, "sinew: step 5, skinning on the CPU", steps::camera_for(character));
  while (canvas.begin_frame()) {
    // Steps 2 to 4 in one call: a playback becomes a palette.
    const float time_seconds = clip_time(character.clips[clip], canvas.seconds(), Looping::kLoop);
    const Playback playback = Playback::of(clip, time_seconds);
    example::check(evaluate_exact(character, {&playback, 1}, character.skin.palette_size(), palette, scratch));

    for (uint32_t v = 0; v < mesh.vertex_count(); ++v) {
      const Matrix3x4 model_from_mesh = blend(mesh.influences_of(v), palette);
      positions[v] = transform_point(model_from_mesh, mesh.positions[v]);
      normals[v] = transform_normal(matrix_cast<double>(model_from_mesh), mesh.normals[v]);
    }
    canvas.draw(mesh, positions, normals, colors);
    canvas.end_frame();
  }
  std::vector<Vec3> expected(positions.size());
  skin_on_cpu(mesh, palette, expected, normals);  // does the same, and morph targets and dual quaternions
  std::printf("%u vertices; difference from skin_on_cpu(): %.6f m\n", mesh.vertex_count(),
              steps::difference(positions, expected));
}

}  // namespace

int main(int argc, char** argv) {
  return host::run_program(
      example::program("sinew_example_step5_cpu_skinning", "step 5: vertices skinned on the CPU", run), argc, argv);
}
