// Step 4, a palette: the final matrices. Each takes a vertex from mesh space to the space of a joint in the bind pose,
// and from there to model space in the pose of this frame.
#include <cmath>
#include <cstdio>
#include <vector>

#include "person.h"
#include "shapes.h"
#include "sinew/animation/pose.h"

namespace {

using namespace sinew;

/// A color for each palette entry.
Vec3 entry_color(uint32_t entry) {
  const float hue = 2.399963f * float(entry);  // neighbors get colors that differ
  const auto wave = [hue](float phase) { return 0.32f + 0.28f * std::cos(hue + phase); };
  return {wave(0), wave(2.1f), wave(4.2f)};
}

void run(const host::Options& options) {
  const Character character = steps::load_person(options.file);
  const Mesh& mesh = character.mesh;
  const Clip& clip = character.clips[steps::clip_of(character, "walk")];
  std::vector<Vec3> colors;
  for (uint32_t v = 0; v < mesh.vertex_count(); ++v) colors.push_back(entry_color(mesh.influences_of(v)[0].entry));
  std::vector<Transform> pose(character.skeleton.joint_count());
  std::vector<Matrix3x4d> model_from_joint(pose.size());
  std::vector<Matrix3x4> palette(character.skin.palette_size()), built(palette.size());
  std::vector<Vec3> positions(mesh.vertex_count()), normals(mesh.vertex_count());
  steps::Canvas canvas(options, "sinew: step 4, a palette", steps::camera_for(character));
  while (canvas.begin_frame()) {
    // Steps 2 and 3, by the library.
    sample_clip(clip, character.skeleton, clip_time(clip, canvas.seconds(), Looping::kLoop), pose);
    walk_hierarchy(character.skeleton, pose, model_from_joint);

    for (uint32_t e = 0; e < palette.size(); ++e) {
      const PaletteEntry& entry = character.skin.entries[e];
      const bool is_constant = entry.joint == kNoJoint;  // of vertices that no joint moves
      palette[e] = matrix_cast<float>(is_constant ? entry.joint_from_mesh
                                                  : model_from_joint[size_t(entry.joint)] * entry.joint_from_mesh);
    }

    // Each vertex follows one joint, that of its largest weight: the surface breaks where joints bend.
    for (uint32_t v = 0; v < mesh.vertex_count(); ++v) {
      const Matrix3x4& model_from_mesh = palette[mesh.influences_of(v)[0].entry];
      positions[v] = transform_point(model_from_mesh, mesh.positions[v]);
      normals[v] = transform_normal(matrix_cast<double>(model_from_mesh), mesh.normals[v]);
    }
    canvas.draw(mesh, positions, normals, colors);
    canvas.end_frame();
  }
  build_palette(character.skin, model_from_joint, built);  // does the same
  std::printf("%zu matrices; difference from build_palette(): %.6f\n", palette.size(),
              steps::difference(palette, built));
}

}  // namespace

int main(int argc, char** argv) {
  return host::run_program(
      example::program("sinew_example_step4_palette", "step 4: a palette, one matrix for each entry", run), argc, argv);
}
