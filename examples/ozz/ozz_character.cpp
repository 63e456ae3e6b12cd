#include "ozz_character.h"

#include <ozz/animation/offline/animation_builder.h>
#include <ozz/animation/offline/raw_animation.h>
#include <ozz/animation/offline/raw_skeleton.h>
#include <ozz/animation/offline/skeleton_builder.h>
#include <ozz/animation/runtime/local_to_model_job.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "example.h"
#include "sinew/animation/pose.h"

namespace example {
namespace {

using ozz::animation::offline::RawAnimation;
using ozz::animation::offline::RawSkeleton;

constexpr float kFramesPerSecond = 60;  // at which clips become keys of ozz

ozz::math::Float3 to_ozz(sinew::Vec3 v) { return {v.x, v.y, v.z}; }
ozz::math::Quaternion to_ozz(sinew::Quat q) { return {q.x, q.y, q.z, q.w}; }

RawSkeleton::Joint::Children children_of(const sinew::Skeleton& skeleton, int32_t parent) {
  RawSkeleton::Joint::Children children;
  for (uint32_t j = 0; j < skeleton.joint_count(); ++j) {
    if (skeleton.parents[j] != parent) continue;
    RawSkeleton::Joint& joint = children.emplace_back();
    const sinew::Transform& rest = skeleton.rest_pose[j];
    joint.name = skeleton.joint_names[j].c_str();
    joint.transform = {to_ozz(rest.translation), to_ozz(rest.rotation), to_ozz(rest.scale)};
    joint.children = children_of(skeleton, int32_t(j));
  }
  return children;
}

ozz::unique_ptr<ozz::animation::Animation> make_clip(const sinew::Skeleton& skeleton, const sinew::Clip& clip,
                                                     std::span<const int32_t> joint_of) {
  RawAnimation raw;
  raw.tracks.resize(joint_of.size());
  raw.duration = std::max(clip.duration_seconds(), 1 / kFramesPerSecond);
  const int frames = int(std::ceil(raw.duration * kFramesPerSecond)) + 1;
  std::vector<sinew::Transform> pose(skeleton.joint_count());
  for (int frame = 0; frame < frames; ++frame) {
    const float time = raw.duration * float(frame) / float(frames - 1);
    sinew::sample_clip(clip, skeleton, clip.start_seconds + time, pose);
    for (size_t track = 0; track < joint_of.size(); ++track) {
      const sinew::Transform& at = pose[size_t(joint_of[track])];
      raw.tracks[track].translations.push_back({time, to_ozz(at.translation)});
      raw.tracks[track].rotations.push_back({time, to_ozz(at.rotation)});
      raw.tracks[track].scales.push_back({time, to_ozz(at.scale)});
    }
  }
  return ozz::animation::offline::AnimationBuilder()(raw);
}

}  // namespace

OzzCharacter::OzzCharacter(const sinew::Character& character) : character_(character) {
  RawSkeleton raw;
  raw.roots = children_of(character.skeleton, sinew::kNoJoint);
  skeleton_ = ozz::animation::offline::SkeletonBuilder()(raw);
  // ozz has an order of joints of its own: they are matched by name.
  const std::vector<std::string> names(skeleton_->joint_names().begin(), skeleton_->joint_names().end());
  joint_of_ = check(sinew::match_joints(character.skeleton, names));
  for (const sinew::Clip& clip : character.clips) clips_.push_back(make_clip(character.skeleton, clip, joint_of_));
  context_.Resize(skeleton_->num_joints());
  local_.resize(size_t(skeleton_->num_soa_joints()));
  models_.resize(size_t(skeleton_->num_joints()));
  model_from_joint_.resize(character.skeleton.joint_count());
}

void OzzCharacter::pose(uint32_t clip, double seconds, std::span<sinew::Matrix3x4> palette) {
  const ozz::animation::Animation& animation = *clips_[clip];
  ozz::animation::SamplingJob sample;
  sample.animation = &animation, sample.context = &context_;
  sample.ratio = float(std::fmod(seconds, double(animation.duration())) / double(animation.duration()));
  sample.output = {local_.data(), local_.size()};
  ozz::animation::LocalToModelJob walk;
  walk.skeleton = skeleton_.get();
  walk.input = {local_.data(), local_.size()}, walk.output = {models_.data(), models_.size()};
  if (!sample.Run() || !walk.Run()) host::fail("ozz refused a pose");
  for (size_t joint = 0; joint < models_.size(); ++joint) {
    float columns[16];
    for (int i = 0; i < 4; ++i) ozz::math::StorePtrU(models_[joint].cols[i], columns + 4 * i);
    // What is above the root of the skeleton, such as the axes of the file, is not in ozz's skeleton.
    model_from_joint_[size_t(joint_of_[joint])] =
        character_.skeleton.model_from_root * sinew::matrix_cast<double>(sinew::from_columns(columns));
  }
  sinew::build_palette(character_.skin, model_from_joint_, palette);
}

}  // namespace example
