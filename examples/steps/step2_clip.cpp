// Step 2, a clip: the joint of step 1 has keys, which are rotations at some times. Between two keys it interpolates.
#include <cmath>
#include <cstdio>

#include "shapes.h"
#include "sinew/animation/pose.h"

namespace {

using namespace sinew;

/// A skeleton of one joint, which stands where that of step 1 does.
Skeleton make_skeleton() { return {{"arm"}, {kNoJoint}, {{.translation = {0, 1.4f, 0}}}, {}}; }

/// A clip with one track: the rotation of joint 0. The last key is that of the beginning, so that a loop has no jump.
Clip make_clip() {
  Track<Quat> keys;
  keys.times_seconds = {0, 0.5f, 0.8f, 1.3f, 1.6f};
  for (const float degrees : {0.0f, 60.0f, 60.0f, -40.0f, 0.0f})
    keys.values.push_back(steps::rotation_about({0, 0, 1}, degrees));
  Clip clip{.name = "signal", .tracks = {{.joint = 0, .rotation = keys}}};
  set_time_range(clip);  // from the first key to the last
  return clip;
}

/// The rotation at a time of the clip: that of the keys before and after it, in between (nlerp).
Quat sample(const Track<Quat>& keys, float time_seconds) {
  size_t after = 1;
  while (after + 1 < keys.times_seconds.size() && keys.times_seconds[after] <= time_seconds) ++after;
  const float from = keys.times_seconds[after - 1], to = keys.times_seconds[after];
  const float t = (time_seconds - from) / (to - from);
  const Quat a = keys.values[after - 1], b = dot(a, keys.values[after]) < 0 ? -keys.values[after] : keys.values[after];
  const auto mix = [t](float x, float y) { return x + t * (y - x); };
  return normalize(Quat{mix(a.x, b.x), mix(a.y, b.y), mix(a.z, b.z), mix(a.w, b.w)});
}

void run(const host::Options& options) {
  const Skeleton skeleton = make_skeleton();
  const Clip clip = make_clip();
  const Track<Quat>& keys = clip.tracks[0].rotation;
  const Mesh arm = steps::box({-0.15f, -0.08f, -0.04f}, {1.0f, 0.08f, 0.04f});
  const Vec3 tip{1, 0, 0};
  Transform joint = skeleton.rest_pose[0], sampled;
  float time_seconds = 0;
  steps::Canvas canvas(options, "sinew: step 2, a clip", steps::kSignalCamera);
  while (canvas.begin_frame()) {
    time_seconds = float(std::fmod(canvas.seconds(), double(clip.duration_seconds())));  // in a loop
    joint.rotation = sample(keys, time_seconds);
    canvas.draw(arm, to_matrix(joint), steps::kOrange);

    // Behind it, pale: the arm at each key.
    for (const Quat& key : keys.values)
      canvas.draw(arm, to_matrix({.translation = {0, 1.4f, -0.15f}, .rotation = key}), steps::kPale);
    steps::draw_signal_post(canvas);
    canvas.end_frame();
  }
  // sample_clip() does the same for the tracks of all joints.
  sample_clip(clip, skeleton, time_seconds, {&sampled, 1}, RotationBlend::kNlerp);
  std::printf("At %.3f s of the clip the tip of the arm is at %s.\n", double(time_seconds),
              steps::text(transform_point(to_matrix(joint), tip)).c_str());
  std::printf("Difference from sample_clip(): %.6f\n",
              double(length(transform_point(to_matrix(joint), tip) - transform_point(to_matrix(sampled), tip))));
}

}  // namespace

int main(int argc, char** argv) {
  const host::Program program{
      .name = "sinew_example_step2_clip", .summary = "step 2: a clip, whose keys turn the joint", .run = run};
  return host::run_program(program, argc, argv);
}
