// Step 1, a joint: a place and a rotation. The vertices of an arm are bound to it: they follow.
#include <cmath>
#include <cstdio>
#include <vector>

#include "shapes.h"

namespace {

using namespace sinew;

void run(const host::Options& options) {
  // The vertices of the arm are given in joint space: the joint is at the origin, and the tip of the arm at x = 1.
  const Mesh arm = steps::box({-0.15f, -0.08f, -0.04f}, {1.0f, 0.08f, 0.04f});
  const Vec3 tip{1, 0, 0};
  std::vector<Vec3> positions(arm.vertex_count()), normals(arm.vertex_count());
  Matrix3x4d model_from_joint;
  float degrees = 0;
  steps::Canvas canvas(options, "sinew: step 1, a joint", steps::kSignalCamera);
  while (canvas.begin_frame()) {
    // The joint is 1.4 m above the ground, and turned about its z axis.
    degrees = 50 * std::sin(float(canvas.seconds()) * 3.14159265f);
    const Transform joint{.translation = {0, 1.4f, 0}, .rotation = steps::rotation_about({0, 0, 1}, degrees)};
    model_from_joint = to_matrix(joint);

    // Each vertex from joint space to model space.
    for (uint32_t v = 0; v < arm.vertex_count(); ++v) {
      positions[v] = transform_point(model_from_joint, arm.positions[v]);
      normals[v] = transform_normal(model_from_joint, arm.normals[v]);
    }
    canvas.draw(arm, positions, normals, {&steps::kOrange, 1});
    steps::draw_signal_post(canvas);
    steps::draw_axes(canvas, model_from_joint, 0.5f);
    canvas.end_frame();
  }
  std::printf("The joint is turned by %.2f degrees.\n", double(degrees));
  std::printf("The tip of the arm: %s in joint space, %s in model space.\n", steps::text(tip).c_str(),
              steps::text(transform_point(model_from_joint, tip)).c_str());
}

}  // namespace

int main(int argc, char** argv) {
  const host::Program program{
      .name = "sinew_example_step1_joint", .summary = "step 1: a joint, and a mesh that follows it", .run = run};
  return host::run_program(program, argc, argv);
}
