#include "scene/footprints.h"

#include <cmath>
#include <iterator>
#include <new>

#include "scene/exact_poses.h"
#include "scene/moving.h"
#include "sinew/animation/footsteps.h"
#include "sinew/animation/pose.h"

namespace sinew::app {
namespace {

constexpr float kAboveGround = 0.007f;  // meters
constexpr float kSoleAhead = 0.055f;    // of a person of 1.8 m: of the middle before the ankle
constexpr Vec3 kFresh{0.15f, 0.10f, 0.055f}, kFaded{0.455f, 0.35f, 0.205f};  // linear; faded: as a path
constexpr float kPersonHeight = 1.8f;

/// A point of a print, to the right of its middle and ahead, meters.
struct Outline {
  float right, ahead;
};
constexpr Outline kSole[] = {{-0.030f, -0.02f}, {-0.048f, 0.05f}, {-0.036f, 0.12f},
                             {0.036f, 0.12f},   {0.048f, 0.05f},  {0.030f, -0.02f}};
constexpr Outline kHeel[] = {{-0.030f, -0.12f}, {-0.033f, -0.045f}, {0.033f, -0.045f}, {0.030f, -0.12f}};

/// A convex outline as a fan.
template <size_t kCount>
void add_outline(const Outline (&outline)[kCount], const Footprint& print, uint32_t color,
                 std::vector<StandVertex>& vertices) {
  const Vec3 right = cross(print.normal, print.ahead), n = print.normal * 127;
  const auto add = [&](const Outline& point) {
    const Vec3 at =
        print.at + print.normal * kAboveGround + (right * point.right + print.ahead * point.ahead) * print.scale;
    vertices.push_back({at, {int8_t(std::lround(n.x)), int8_t(std::lround(n.y)), int8_t(std::lround(n.z)), 0}, color});
  };
  for (size_t i = 1; i + 1 < kCount; ++i) add(outline[0]), add(outline[i]), add(outline[i + 1]);
}

Footprint print_at(const Scene& scene, uint16_t role, double way, const Step& step, float scale) {
  const Place place = place_on_way(scene, role, way + double(step.sole.z * scale));
  const Vec3 right{place.along.z, 0, -place.along.x};
  const Vec3 at = place.position + right * (step.sole.x * scale);
  Footprint print{scene.terrain->ground(at.x, at.z), {}, scene.terrain->normal(at.x, at.z), scale, 0};
  print.ahead = normalize(cross(right, print.normal));
  return print;
}

}  // namespace

std::vector<Step> steps_of(const Model& model, uint32_t clip) {
  const auto feet = find_feet(model.character.skeleton);
  const auto markers = find_footsteps(model.character, clip);
  if (!feet || !*feet || !markers) return {};
  std::vector<Step> steps;
  EvaluationScratch scratch;
  std::vector<Matrix3x4> palette(model.character.skin.palette_size());
  for (const Marker& marker : *markers) {
    const Playback playback{{{clip, marker.time_seconds, 1}}};
    evaluate_exact_or_throw(model.character, {&playback, 1}, uint32_t(palette.size()), palette, scratch);
    const uint32_t joint = marker.name == "left foot down" ? (*feet)->left : (*feet)->right;
    const auto& m = scratch.model_from_joint[joint].m;
    const Vec3 ankle = transform_point(model.world_from_model, Vec3{float(m[0][3]), float(m[1][3]), float(m[2][3])});
    steps.push_back({marker.time_seconds, {ankle.x, 0, ankle.z + kSoleAhead * model.height / kPersonHeight}});
  }
  return steps;
}

void add_footprints(const Model& model, const Scene& scene, uint32_t instance, double seconds,
                    std::vector<Footprint>& prints) {
  const Role& role = scene.roles[scene.role_of[instance]];
  if (role.act >= model.acts.size() || !model.acts[role.act].walk || model.steps.empty()) return;
  const Clip& clip = model.character.clips[model.acts[role.act].clips.front()];
  const Pace pace = scene.pace(instance);
  const double played = clip_seconds_at(pace, seconds), duration = double(clip.duration_seconds());
  const float scale = scene.looks[instance].turn.scale();
  for (const Step& step : model.steps) {
    const double in_clip = double(step.time_seconds - clip.start_seconds);
    double since = played - in_clip - std::floor((played - in_clip) / duration) * duration;  // clip seconds
    for (; since < double(kFootprintSeconds) * double(pace.speed); since += duration) {
      const double age = since / double(pace.speed);
      const double way = way_of(scene, instance, seconds - age);
      prints.push_back(print_at(scene, scene.role_of[instance], way, step, scale));
      prints.back().age_seconds = float(age);
    }
  }
}

void draw_footprint(const Footprint& print, std::vector<StandVertex>& vertices) {
  const float share = print.age_seconds / kFootprintSeconds, faded = share * share;
  const Vec3 mixed = kFresh + (kFaded - kFresh) * faded;
  const uint32_t color = pack_color(mixed.x, mixed.y, mixed.z);
  add_outline(kSole, print, color, vertices), add_outline(kHeel, print, color, vertices);
}

}  // namespace sinew::app
