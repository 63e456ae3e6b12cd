#include "crowd/picked.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <glm/vec4.hpp>
#include <numbers>
#include <optional>

#include "scene/exact_poses.h"
#include "scene/lines.h"
#include "sinew/glm.h"
#include "system/text.h"

namespace sinew::app {
namespace {

constexpr uint32_t kRing = line_color(0xffd040, 255), kHidden = line_color(0xffd040, 70);
constexpr uint32_t kRingLines = 40;
constexpr float kRingWidth = 2.5f;
constexpr float kAboveGround = 0.03f;  // of the model's height
constexpr float kChest = 0.62f;        // of the model's height
constexpr float kRingRadius = 0.3f;    // of the model's height

/// How an instance is drawn in a plan.
struct DrawnAs {
  uint32_t level = 0, group = 0;
  bool updated = false;    // in this frame
  uint32_t instances = 1;  // that show the pose
  bool shared = false;     // the pose is that of a bucket, not its own
};

/// Nothing for an instance that the plan does not draw.
std::optional<DrawnAs> drawn_as(const crowd::Plan& plan, uint32_t instance) {
  for (const crowd::PosedBatch& batch : plan.batches) {
    if (batch.previous_poses || batch.is_worn()) continue;
    for (const crowd::PosedMesh& mesh : std::span(plan.posed_meshes).subspan(batch.first_mesh, batch.mesh_count)) {
      const auto of_mesh = std::span(plan.instances).subspan(mesh.first_instance, mesh.instance_count);
      if (std::ranges::find(of_mesh, instance) == of_mesh.end()) continue;
      return DrawnAs{batch.level, batch.group, plan.groups[batch.group].updated, mesh.instance_count, mesh.shared};
    }
  }
  return {};
}

std::string rate_of(const DrawnAs& drawn) {
  const char* const every = drawn.group == 0 ? "every frame" : drawn.group < 3 ? "every 2nd frame" : "every 4th frame";
  return text("%u: %s%s", drawn.group, every, drawn.updated ? "" : ", not this one");
}

/// The clips with their times and weights.
void add_playback(const Character& character, const Playback& playback,
                  std::vector<std::pair<std::string, std::string>>& rows) {
  for (const Layer& layer : playback.layers) {
    if (!(layer.weight > 0) || layer.clip >= character.clips.size()) continue;
    rows.emplace_back(printable(character.clips[layer.clip].name),
                      text("%.2f s, weight %.2f%s", double(layer.time_seconds), double(layer.weight),
                           layer.mask != 0 ? ", masked" : ""));
  }
}

}  // namespace

crowd::Ray ray_through(const Orbit& camera, uint32_t width, uint32_t height, float x, float y) {
  const Axes axes = axes_of(camera);
  const glm::vec3 eye = eye_of(camera);
  const float half = std::tan(camera.field_of_view / 2), pixel = 2 * half / float(std::max(height, 1u));
  const glm::vec3 through =
      axes.forward + axes.right * ((x - float(width) / 2) * pixel) - axes.up * ((y - float(height) / 2) * pixel);
  return {{eye.x, eye.y, eye.z}, {through.x, through.y, through.z}};
}

std::vector<std::pair<std::string, std::string>> describe_picked(std::span<const Model> models,
                                                                 const vulkan::SkinnedCrowd& crowd,
                                                                 const crowd::PickHit& hit) {
  const Model& model = models[hit.model];
  std::vector<std::pair<std::string, std::string>> rows{
      {"person", text("%u: %s", hit.instance, printable(model.name).c_str())}};
  const auto drawn = drawn_as(crowd.plan(), hit.instance);
  const auto playback = crowd.playback_of(hit.instance);
  if (!drawn || !playback) {
    rows.emplace_back("drawn", "not in this frame");
    return rows;
  }
  add_playback(model.character, *playback, rows);
  rows.emplace_back("level of detail", text("%u, %s triangles", drawn->level,
                                            grouped(model.mesh(drawn->level).indices.size() / 3).c_str()));
  rows.emplace_back("update group", rate_of(*drawn));
  rows.emplace_back("pose", drawn->instances > 1 ? text("shared by %u", drawn->instances)
                                                 : std::string(drawn->shared ? "of a bucket" : "its own"));
  rows.emplace_back("triangle hit", text("%u of level %u", hit.triangle, hit.level));
  if (hit.joint != kNoJoint)
    rows.emplace_back("joint hit", printable(model.character.skeleton.joint_names[size_t(hit.joint)]));
  return rows;
}

void add_ring(const Scene& scene, uint32_t instance, float thickness, Lines& lines) {
  const float size = scene.tallest * scene.looks[instance].turn.scale();
  const Vec3 feet = scene.positions[instance];
  const auto point = [&](uint32_t i) {
    const float angle = 2 * std::numbers::pi_v<float> * float(i) / kRingLines;
    const float x = feet.x + kRingRadius * size * std::sin(angle), z = feet.z + kRingRadius * size * std::cos(angle);
    const float ground = scene.terrain ? scene.terrain->height(x, z) : feet.y;
    return Vec3{x, ground + kAboveGround * size, z};
  };
  for (uint32_t i = 0; i < kRingLines; ++i) {
    lines.tested.push_back(make_line(point(i), point(i + 1), kRing, kRingWidth * thickness));
    lines.through.push_back(make_line(point(i), point(i + 1), kHidden, kRingWidth * thickness));
  }
}

glm::vec3 chest_of(std::span<const Model> models, const Scene& scene, uint32_t instance) {
  const Vec3 feet = scene.positions[instance];
  const float size = models[scene.model_of(instance)].height * scene.looks[instance].turn.scale();
  return {feet.x, feet.y + kChest * size, feet.z};
}

namespace {

constexpr uint32_t kPyramid = line_color(0x66e0ff, 230);
constexpr float kPyramidWidth = 2;
constexpr float kScreenShare = 0.2f;  // of the pyramid's length: where a rectangle shows the picture
constexpr float kThin = 0.5f;         // lines of a crowd are thinner than those of one character

struct Candidate {
  float distance = 0;  // from the eye, squared
  uint32_t character = 0, instance = 0, posed_mesh = 0;
};

/// The instances in the plan that are in front of the camera.
std::vector<Candidate> candidates_of(const CrowdBones::Moment& moment) {
  const crowd::Plan& plan = moment.plan;
  const Vec3 eye = from_glm(moment.view.eye);
  std::vector<Candidate> candidates;
  for (const crowd::PosedBatch& batch : plan.batches) {
    if (batch.previous_poses || batch.is_worn()) continue;
    for (uint32_t mesh = batch.first_mesh; mesh < batch.first_mesh + batch.mesh_count; ++mesh) {
      const crowd::PosedMesh& posed = plan.posed_meshes[mesh];
      for (uint32_t i = posed.first_instance; i < posed.first_instance + posed.instance_count; ++i) {
        const Vec3 at = moment.scene.positions[plan.instances[i]];
        const bool in_front = (moment.view.clip_from_world * glm::vec4(at.x, at.y, at.z, 1)).w > 0;
        if (in_front) candidates.push_back({dot(at - eye, at - eye), batch.model, plan.instances[i], mesh});
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
    throw_if_failed(evaluate_exact(model.character, {&playback, 1}, uint32_t(palette_.size()), palette_, scratch_,
                                   factors_of(model.masks)));
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
    return from_glm(view.eye + (far_point(kX[i % 4], kY[i % 4]) - view.eye) * (at / depth));
  };
  const auto add = [&](Vec3 from, Vec3 to) {
    lines.tested.push_back(make_line(from, to, kPyramid, kPyramidWidth * thickness));
  };
  for (int i = 0; i < 4; ++i) {
    add(from_glm(view.eye), corner(i, length));
    for (float at : {kScreenShare * length, length}) add(corner(i, at), corner(i + 1, at));
  }
}

}  // namespace sinew::app
