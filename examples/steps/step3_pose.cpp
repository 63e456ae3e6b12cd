// Step 3, a pose by hand: one transform for each joint of a skeleton, relative to its parent. From the root to the ends
// they become matrices in model space.
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "example.h"
#include "person.h"
#include "shapes.h"
#include "sinew/animation/pose.h"

namespace {

using namespace sinew;

constexpr Vec3 kRaise{0.70710678f, 0, 0.70710678f};  // in the space of a joint of the right arm: raises it sideways

uint32_t joint_named(const Skeleton& skeleton, const char* name) {
  const auto joint = find_joint(skeleton, name);
  if (!joint) host::fail(std::string("the character has no joint \"") + name + "\"");
  return *joint;
}

void run(const host::Options& options) {
  const Character character = steps::load_person(options.file);
  const Skeleton& skeleton = character.skeleton;
  const uint32_t upper_arm = joint_named(skeleton, "upper_arm_r"), forearm = joint_named(skeleton, "forearm_r");
  const uint32_t hand = joint_named(skeleton, "hand_r"), head = joint_named(skeleton, "head");
  std::vector<Vec3> colors(skeleton.joint_count(), steps::kBlue);
  for (const uint32_t joint : {upper_arm, forearm, head}) colors[joint] = steps::kOrange;
  std::vector<Matrix3x4d> model_from_joint(skeleton.joint_count()), walked(skeleton.joint_count());
  std::vector<Transform> pose;
  steps::Canvas canvas(options, "sinew: step 3, a pose by hand", steps::camera_for(character));
  while (canvas.begin_frame()) {
    // The pose: three joints turn about an axis in their own space, all others stay as in the rest pose.
    const float swing = std::sin(float(canvas.seconds()) * 2 * 3.14159265f);
    pose = skeleton.rest_pose;
    pose[upper_arm].rotation = pose[upper_arm].rotation * steps::rotation_about(kRaise, 95);
    pose[forearm].rotation = pose[forearm].rotation * steps::rotation_about(kRaise, 35 + 35 * swing);
    pose[head].rotation = pose[head].rotation * steps::rotation_about({0, 0, 1}, 12 * swing);

    // A parent comes before its children, so its matrix is there when theirs are made.
    for (uint32_t j = 0; j < skeleton.joint_count(); ++j) {
      const int32_t parent = skeleton.parents[j];
      const Matrix3x4d& above = parent == kNoJoint ? skeleton.model_from_root : model_from_joint[size_t(parent)];
      model_from_joint[j] = above * to_matrix(pose[j]);
    }
    steps::draw_bones(canvas, skeleton, model_from_joint, colors);
    canvas.end_frame();
  }
  walk_hierarchy(skeleton, pose, walked);  // does the same
  std::printf("hand_r is at %s.\n", steps::text(transform_point(model_from_joint[hand], {})).c_str());
  std::printf("Difference from walk_hierarchy(): %.6f\n", steps::difference(model_from_joint, walked));
}

}  // namespace

int main(int argc, char** argv) {
  return host::run_program(example::program("sinew_example_step3_pose", "step 3: a skeleton, posed by hand", run), argc,
                           argv);
}
