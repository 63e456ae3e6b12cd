#include "limp_body.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "sinew/animation/pose.h"
#include "sinew/glm.h"

namespace festival {
namespace {

constexpr float kGravity = 9.81f, kFlightSeconds = 1.15f, kHandsHeight = 1.75f;  // meters above the ground
constexpr float kKeptSpeed = 0.965f;                                             // of a pendulum, per step
constexpr float kMaxBend = 0.8f;                                                 // radians, from the rest pose
constexpr float kMinLength = 0.07f;  // share of the height: shorter joints, such as fingers, stay as they are

glm::vec3 origin_of(const sinew::Matrix3x4d& matrix) {
  return {float(matrix.m[0][3]), float(matrix.m[1][3]), float(matrix.m[2][3])};
}

glm::vec3 transformed(const sinew::Matrix3x4d& matrix, glm::vec3 point) {
  return sinew::to_glm(sinew::transform_point(matrix, sinew::from_glm(point)));
}

/// `direction` with an angle of at most kMaxBend to `rest`; both have unit length.
glm::vec3 limited(glm::vec3 direction, glm::vec3 rest) {
  const float along = glm::dot(direction, rest);
  const glm::vec3 across = direction - rest * along;
  const float size = glm::length(across);
  if (along > std::cos(kMaxBend) || size < 1e-6f) return along > 0 ? direction : rest;
  return rest * std::cos(kMaxBend) + across * (std::sin(kMaxBend) / size);
}

/// The smallest rotation from one direction to another.
glm::quat between(glm::vec3 from, glm::vec3 to) {
  const glm::vec3 axis = glm::cross(from, to);
  return glm::normalize(glm::quat(1 + glm::dot(from, to), axis.x, axis.y, axis.z));
}

}  // namespace

LimpBody::LimpBody(const sinew::Character& character, sinew::Vec3 place, float phase)
    : character_(character), place_(sinew::to_glm(place)), phase_(phase) {
  const sinew::Skeleton& skeleton = character.skeleton;
  pose_ = skeleton.rest_pose;
  model_from_joint_.resize(skeleton.joint_count());
  sinew::walk_hierarchy(skeleton, pose_, model_from_joint_);
  glm::vec3 low(INFINITY), high(-INFINITY);
  for (const sinew::Matrix3x4d& joint : model_from_joint_)
    low = glm::min(low, origin_of(joint)), high = glm::max(high, origin_of(joint));
  middle_of_model_ = (low + high) * 0.5f;
  const float shortest = kMinLength * (high.y - low.y);
  std::vector<bool> used(skeleton.joint_count());
  for (uint32_t child = 0; child < skeleton.joint_count(); ++child) {
    const int32_t parent = skeleton.parents[child];
    if (parent < 0 || skeleton.parents[size_t(parent)] < 0 || used[size_t(parent)]) continue;
    const glm::vec3 bone = origin_of(model_from_joint_[child]) - origin_of(model_from_joint_[size_t(parent)]);
    if (glm::length(bone) <= shortest) continue;
    used[size_t(parent)] = true;
    pendulums_.push_back({uint32_t(parent), child});
  }
  std::sort(pendulums_.begin(), pendulums_.end(), [](const auto& a, const auto& b) { return a.joint < b.joint; });
  toss(0);
}

/// Up, down and around: the body is always in free flight, and thrown again as it reaches the hands.
void LimpBody::toss(double seconds) {
  const double flights = seconds / kFlightSeconds + phase_;
  const float in_flight = float(flights - std::floor(flights)) * kFlightSeconds;
  const float height = kGravity / 2 * in_flight * (kFlightSeconds - in_flight);
  center_ = place_ + glm::vec3(0, kHandsHeight + height, 0);
  const float turn = float(std::fmod(flights * 2.2, 6.2831853));
  const glm::vec3 axis = glm::normalize(glm::vec3(std::cos(phase_ * 9), 0.35f, std::sin(phase_ * 9)));
  tumble_ = glm::angleAxis(turn, axis) * glm::angleAxis(1.4f, glm::vec3(1, 0, 0));
}

void LimpBody::advance(double step_seconds) {
  seconds_ += step_seconds;
  toss(seconds_);
  pose_ = character_.skeleton.rest_pose;
  for (Pendulum& pendulum : pendulums_) {
    // Joints come after their parents, so what hangs from a joint sees how that one has swung.
    sinew::walk_hierarchy(character_.skeleton, pose_, model_from_joint_);
    swing(pendulum, float(std::min(step_seconds, 1.0 / 30)));
  }
  sinew::walk_hierarchy(character_.skeleton, pose_, model_from_joint_);
}

/// Moves the end of a joint as a free weight, pulls it back to its distance from the joint, and turns the joint to it.
void LimpBody::swing(Pendulum& pendulum, float step_seconds) {
  const sinew::Matrix3x4d world_from_joint =
      sinew::matrix_cast<double>(world_from_model()) * model_from_joint_[pendulum.joint];
  const glm::vec3 origin = origin_of(world_from_joint);
  const glm::vec3 rest = transformed(world_from_joint, sinew::to_glm(pose_[pendulum.child].translation)) - origin;
  const float length = glm::length(rest);
  if (!pendulum.started) pendulum.end = pendulum.end_before = origin + rest, pendulum.started = true;
  const glm::vec3 inertia = (pendulum.end - pendulum.end_before) * kKeptSpeed;
  glm::vec3 end = pendulum.end + inertia - glm::vec3(0, kGravity * step_seconds * step_seconds, 0);
  end = origin + length * limited(glm::normalize(end - origin), rest / length);
  pendulum.end_before = pendulum.end, pendulum.end = end;

  // Both directions in the space of the joint itself, where its rotation can be appended.
  const sinew::Matrix3x4d joint_from_world = sinew::inverse(world_from_joint);
  const glm::vec3 from = glm::normalize(sinew::to_glm(pose_[pendulum.child].translation));
  const glm::vec3 to = glm::normalize(transformed(joint_from_world, end));
  const glm::quat turned = sinew::to_glm(pose_[pendulum.joint].rotation) * between(from, to);
  pose_[pendulum.joint].rotation = sinew::normalize(sinew::from_glm(turned));
}

sinew::Matrix3x4 LimpBody::world_from_model() const {
  const glm::vec3 moved = center_ - tumble_ * middle_of_model_;
  return sinew::matrix_cast<float>(sinew::to_matrix({sinew::from_glm(moved), sinew::from_glm(tumble_), {1, 1, 1}}));
}

void LimpBody::write_palette(std::span<sinew::Matrix3x4> palette) const {
  sinew::build_palette(character_.skin, model_from_joint_, palette);
}

}  // namespace festival
