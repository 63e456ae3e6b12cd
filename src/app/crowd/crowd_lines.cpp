#include "crowd/crowd_lines.h"

#include <algorithm>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <glm/vec4.hpp>

#include "scene/exact_poses.h"
#include "scene/pose.h"

namespace sinew::app {
namespace {

constexpr uint32_t kPyramid = line_color(0x66e0ff, 230);
constexpr float kPyramidWidth = 2;
constexpr float kScreenShare = 0.2f;  // of the pyramid's length: where a rectangle shows the picture
constexpr float kThin = 0.5f;         // lines of a crowd are thinner than those of one character

Vec3 to_vec3(glm::vec3 v) { return {v.x, v.y, v.z}; }

struct Candidate {
  float distance = 0;  // from the eye, squared
  uint32_t character = 0, instance = 0, posed_mesh = 0;
};

/// The instances in the plan that are in front of the camera.
std::vector<Candidate> candidates_of(const CrowdBones::Moment& moment) {
  const crowd::Plan& plan = moment.plan;
  const Vec3 eye = to_vec3(moment.view.eye);
  std::vector<Candidate> candidates;
  for (const crowd::PosedBatch& batch : plan.batches) {
    if (batch.previous_poses || batch.is_worn()) continue;
    for (uint32_t mesh = batch.first_mesh; mesh < batch.first_mesh + batch.mesh_count; ++mesh) {
      const crowd::PosedMesh& posed = plan.posed_meshes[mesh];
      for (uint32_t i = posed.first_instance; i < posed.first_instance + posed.instance_count; ++i) {
        const Vec3 at = moment.scene.positions[plan.instances[i]];
        const bool in_front = (moment.view.clip_from_world * glm::vec4(at.x, at.y, at.z, 1)).w > 0;
        if (in_front) candidates.push_back({dot(at - eye, at - eye), batch.character, plan.instances[i], mesh});
      }
    }
  }
  return candidates;
}

}  // namespace

CrowdBones::CrowdBones(std::span<const Model> models) : models_(models) {
  for (const Model& model : models) moving_.push_back(moving_joints(model.character));
}

void CrowdBones::add(const Moment& moment, float thickness, Lines& lines) {
  std::vector<Candidate> candidates = candidates_of(moment);
  const size_t count = std::min(candidates.size(), size_t(kMaxInstancesWithBones));
  const auto nearer = [](const Candidate& a, const Candidate& b) { return a.distance < b.distance; };
  std::partial_sort(candidates.begin(), candidates.begin() + std::ptrdiff_t(count), candidates.end(), nearer);
  candidates.resize(count);
  for (const auto& [distance, character, instance, mesh] : candidates) {
    const Model& model = models_[character];
    const Playback playback = moment.plan.posed_meshes[mesh].shared
                                  ? moment.plan.playbacks[mesh]
                                  : playback_at(model, moment.scene.pace(instance), moment.seconds);
    palette_.resize(model.character.skin.palette_size());
    evaluate_exact_or_throw(model.character, {&playback, 1}, uint32_t(palette_.size()), palette_, scratch_,
                            model.masks);
    add_bones({model.character.skeleton, scratch_.model_from_joint, world_from_model(moment.scene, character, instance),
               kThin * thickness},
              moving_[character], kNoJoint, kNoJoint, lines);
  }
}

void add_view_pyramid(const View& view, float length, float thickness, Lines& lines) {
  const glm::mat4 world_from_clip = glm::inverse(view.clip_from_world);
  const auto far_point = [&](float x, float y) {
    const glm::vec4 point = world_from_clip * glm::vec4(x, y, 1, 1);
    return glm::vec3(point) / point.w;
  };
  const float depth = glm::length(far_point(0, 0) - view.eye);
  const auto corner = [&](int i, float at) {
    constexpr float kX[] = {-1, 1, 1, -1}, kY[] = {-1, -1, 1, 1};
    return to_vec3(view.eye + (far_point(kX[i % 4], kY[i % 4]) - view.eye) * (at / depth));
  };
  const auto add = [&](Vec3 from, Vec3 to) {
    lines.tested.push_back(make_line(from, to, kPyramid, kPyramidWidth * thickness));
  };
  for (int i = 0; i < 4; ++i) {
    add(to_vec3(view.eye), corner(i, length));
    for (float at : {kScreenShare * length, length}) add(corner(i, at), corner(i + 1, at));
  }
}

}  // namespace sinew::app
