#include "scene/footing.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <new>
#include <variant>

#include "scene/exact_poses.h"
#include "scene/fire.h"
#include "scene/moving.h"
#include "sinew/animation/footsteps.h"
#include "sinew/animation/pose.h"

namespace sinew::app {
namespace {

constexpr float kMaxLowered = 0.4f;     // of the reach of a leg
constexpr float kSoftMinimum = 0.035f;  // likewise: what lowers sets in and ends softly
constexpr uint32_t kSamplesPerSecond = 60;
constexpr double kStepSeconds = 0.045;         // between the moments that are looked at
constexpr float kWeights[] = {1, 2, 3, 2, 1};  // of the mean
constexpr int kMoments = 4;                    // before and after: two of the mean, and two of the largest

/// Where an ankle goes on the ground, and the normal there. World space.
struct AnkleGoal {
  Vec3 position, normal;
};

/// Never above the smaller one, and smooth.
float soft_minimum(float a, float b, float width) {
  const float share = std::max(width - std::abs(a - b), 0.0f) / width;
  return std::min(a, b) - share * share * width / 4;
}

AnkleGoal goal_on(const Terrain& terrain, Vec3 at, float height) {
  const Vec3 normal = terrain.normal(at.x, at.z);
  return {terrain.ground(at.x, at.z) + normal * height, normal};
}

/// The goal of an ankle that the clip has at `upright`, in the upright space of an instance that stays at its position:
/// the same height above the ground, along the normal.
AnkleGoal standing_goal(const Scene& scene, uint32_t instance, Vec3 upright) {
  const Turn turn = scene.looks[instance].turn;
  return goal_on(*scene.terrain, scene.positions[instance] + turn(upright), upright.y * turn.scale());
}

/// A point beside a way, where someone is `way` meters along it: as far ahead along the way, and to the right.
Vec3 beside_way(const Place& place, float right) {
  return place.position + Vec3{place.along.z, 0, -place.along.x} * right;
}

/// The same of one that walks, and is `way` meters along its way: the ankle is as far ahead along the way. A foot that
/// is planted stays where it is, however the way bends.
AnkleGoal walking_goal(const Scene& scene, uint32_t instance, double way, Vec3 upright) {
  const float scale = scene.looks[instance].turn.scale();
  const Place place = place_on_way(scene, scene.role_of[instance], way + double(upright.z * scale));
  return goal_on(*scene.terrain, beside_way(place, upright.x * scale), upright.y * scale);
}

/// By how much the hip may be higher, so that a leg reaches its goal; negative: lower. Limited to a share of `reach`.
float max_raised(Vec3 hip, Vec3 goal, float reach) {
  const float across = std::hypot(goal.x - hip.x, goal.z - hip.z);
  const float raised = goal.y + std::sqrt(std::max(reach * reach - across * across, 0.0f)) - hip.y;
  return std::max(raised, -kMaxLowered * reach);
}

/// By how much a person is lowered for its legs: at least as much as the least of `raised`, and not less than 0.
/// Smooth. `reach` is that of a leg.
float lowering(std::span<const float> raised, float reach) {
  float least = 0;
  for (const float one : raised) least = soft_minimum(least, one, kSoftMinimum * reach);
  return -least;
}

/// The chains of a model that are legs, at most two.
struct Legs {
  uint32_t chains[2] = {};
  uint32_t count = 0;

  explicit Legs(const Model& model) {
    for (uint32_t chain = 0; chain < model.chains.size() && count < std::size(chains); ++chain) {
      if (std::holds_alternative<TwoBoneChain>(model.chains[chain].kind)) chains[count++] = chain;
    }
  }
};

/// How far the end of a leg gets from its hip without lag, as a share of the length of its bones.
float reach_share(const TwoBoneChain& chain) { return chain.reach * (1 - chain.soft); }

Vec3 mixed(Vec3 a, Vec3 b, float share) { return a + (b - a) * share; }

Vec3 place_in(const Matrix3x4d& model_from_joint) { return transform_point(matrix_cast<float>(model_from_joint), {}); }

/// The joints of a model in a moment of a clip, in upright space.
class PosedClip {
 public:
  PosedClip(const Model& model, uint32_t clip)
      : model_(model), clip_(clip), palette_(model.character.skin.palette_size()) {}

  void pose(float time_seconds) {
    const Playback playback = Playback::of(clip_, time_seconds);
    throw_if_failed(evaluate_exact(model_.character, {&playback, 1}, uint32_t(palette_.size()), palette_, scratch_));
  }
  Vec3 place(uint32_t joint) const {
    return transform_point(model_.world_from_model, place_in(scratch_.model_from_joint[joint]));
  }

 private:
  const Model& model_;
  uint32_t clip_;
  std::vector<Matrix3x4> palette_;
  EvaluationScratch scratch_;
};

/// What the two legs of a walker need at a time.
float lowering_at(const Model& model, const Scene& scene, uint32_t instance, double seconds) {
  const Gait& gait = model.gait;
  const Clip& clip = model.character.clips[model.acts[scene.roles[scene.role_of[instance]].act].clips.front()];
  const double played = clip_seconds_at(scene.pace(instance), seconds);
  const float in_clip = clip_time(clip, played, Looping::kLoop) - clip.start_seconds;
  const float at = in_clip / clip.duration_seconds() * float(gait.samples.size() - 1);
  const auto index = std::min(size_t(at), gait.samples.size() - 2);
  const float share = at - float(index), scale = scene.looks[instance].turn.scale();
  const double way = way_of(scene, instance, seconds);
  const Place place = place_on_way(scene, scene.role_of[instance], way);
  const Turn turn{place.along.z * scale, place.along.x * scale};
  float raised[2];
  for (size_t leg = 0; leg < 2; ++leg) {
    const Gait::Leg &before = gait.samples[index][leg], &after = gait.samples[index + 1][leg];
    const Vec3 hip = place.position + turn(mixed(before.hip, after.hip, share));
    const AnkleGoal goal = walking_goal(scene, instance, way, mixed(before.ankle, after.ankle, share));
    raised[leg] = max_raised(hip, goal.position, gait.reach[leg] * scale);
  }
  return lowering(raised, gait.reach[0] * scale);
}

/// By how much a person who walks with the clip of Model::gait is lowered. It looks ahead and back for some tenths of a
/// second: hips go down before a foot lands that is low, and no faster than people do. World space, meters.
float walking_lowering(const Model& model, const Scene& scene, uint32_t instance, double seconds) {
  float needed[2 * kMoments + 1];
  for (int i = -kMoments; i <= kMoments; ++i)
    needed[i + kMoments] = lowering_at(model, scene, instance, seconds + i * kStepSeconds);
  // The mean of the largest of five: each of those is at least what is needed now.
  float sum = 0, weights = 0;
  for (size_t i = 0; i < std::size(kWeights); ++i) {
    sum += kWeights[i] * *std::max_element(needed + i, needed + i + 5);
    weights += kWeights[i];
  }
  return sum / weights;
}

constexpr float kAboveGround = 0.007f;  // meters
constexpr float kSoleAhead = 0.058f;    // of a person of 1.8 m: of the middle before the ankle
constexpr Vec3 kFresh{0.15f, 0.10f, 0.055f}, kFaded{0.455f, 0.35f, 0.205f};  // linear; faded: as a path
constexpr float kOutlineHeight = 1.8f;

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
  const Vec3 right = cross(print.normal, print.ahead);
  const auto add = [&](const Outline& point) {
    const Vec3 at =
        print.at + print.normal * kAboveGround + (right * point.right + print.ahead * point.ahead) * print.scale;
    vertices.push_back(stand_vertex(at, print.normal, color));
  };
  for (size_t i = 1; i + 1 < kCount; ++i) add(outline[0]), add(outline[i]), add(outline[i + 1]);
}

Footprint print_at(const Scene& scene, uint16_t role, double way, const Step& step, float scale) {
  const Place place = place_on_way(scene, role, way + double(step.sole.z * scale));
  const Vec3 at = beside_way(place, step.sole.x * scale), normal = scene.terrain->normal(at.x, at.z);
  const Vec3 ahead = normalize(cross(Vec3{place.along.z, 0, -place.along.x}, normal));
  return {scene.terrain->ground(at.x, at.z), ahead, normal, scale, 0};
}

constexpr uint32_t kPeopleAtOnce = 4;   // that one task places
constexpr float kLetGo = 1.0f / 3;      // of near_people: those whose feet are let go
constexpr float kBehind = 1;            // meters behind the eye, up to which people are near
constexpr float kMinAttention = 0.55f;  // of heads that follow the balloon: their weight
constexpr uint32_t kMaxTargets = 3;     // of a person: legs and head

struct Near {
  float distance = 0;
  uint32_t instance = 0;
};

/// One of the near people: what it gets.
struct PlacedPerson {
  uint32_t instance = 0;
  float weight = 1;   // 1: its feet are on the ground; less: they are let go
  float lowered = 0;  // meters
  ChainTarget targets[kMaxTargets];
  uint32_t target_count = 0;

  void add(uint32_t chain, Vec3 position, float of_weight, Vec3 normal) {
    targets[target_count++] = {instance, chain, position, of_weight, normal};
  }
};

/// Without the overlay of the arms: it moves no foot.
Playback without_masks(Playback playback) {
  for (Layer& layer : playback.layers) {
    if (layer.mask != 0) layer.weight = 0;
  }
  return playback;
}

/// The joints in model space. Valid until the next call of the thread.
std::span<const Matrix3x4d> pose(const Model& model, const Playback& playback) {
  thread_local EvaluationScratch scratch;
  thread_local std::vector<Matrix3x4> palette;
  const uint32_t size = model.character.skin.palette_size();
  palette.resize(std::max<size_t>(palette.size(), size));
  const Playback own = without_masks(playback);
  throw_if_failed(evaluate_exact(model.character, {&own, 1}, size, palette, scratch));
  return scratch.model_from_joint;
}

float attention_of(uint64_t random) { return Random{mix(random ^ 0x62616c6c6f6f6e)}.between(kMinAttention, 1); }

/// A direction of world space, in model space.
Vec3 direction_in(const Matrix3x4d& model_from_world, Vec3 direction) {
  const Vec3 origin = transform_point(model_from_world, {});
  return normalize(transform_point(model_from_world, direction) - origin);
}

/// Lowers a person, and finds its targets.
void place_person(std::span<const Model> models, double seconds, Scene& scene, PlacedPerson& person) {
  const uint32_t instance = person.instance, index = scene.model_of(instance);
  const Model& model = models[index];
  const Pace pace = scene.pace(instance);
  const auto model_from_joint = pose(model, playback_at(model, pace, seconds));
  const Matrix3x4 to_world = world_from_model(scene, index, instance);
  const auto in_world = [&](uint32_t joint) { return transform_point(to_world, place_in(model_from_joint[joint])); };
  const Legs legs(model);
  AnkleGoal goals[2];
  float raised[2], reach = 1;
  for (uint32_t leg = 0; leg < legs.count; ++leg) {
    const auto& chain = std::get<TwoBoneChain>(model.chains[legs.chains[leg]].kind);
    const Vec3 upright = transform_point(scene.models[index].upright_from_model, place_in(model_from_joint[chain.end]));
    goals[leg] = scene.moves(instance) ? walking_goal(scene, instance, way_of(scene, instance, seconds), upright)
                                       : standing_goal(scene, instance, upright);
    const Vec3 hip = in_world(chain.upper), knee = in_world(chain.middle), ankle = in_world(chain.end);
    reach = (length(knee - hip) + length(ankle - knee)) * reach_share(chain);
    raised[leg] = max_raised(hip, goals[leg].position, reach);
  }
  const bool foresees = legs.count > 0 && scene.moves(instance) && !model.gait.samples.empty();
  const float lowered =
      foresees ? walking_lowering(model, scene, instance, seconds) : lowering(std::span(raised, legs.count), reach);
  person.lowered = person.weight * lowered;
  scene.positions[instance].y -= person.lowered;
  const Matrix3x4d to_model = inverse(matrix_cast<double>(world_from_model(scene, index, instance)));
  for (uint32_t leg = 0; leg < legs.count; ++leg)
    person.add(legs.chains[leg], transform_point(to_model, goals[leg].position), person.weight,
               direction_in(to_model, goals[leg].normal));
  if (!scene.balloon) return;
  for (uint32_t chain = 0; chain < model.chains.size(); ++chain) {
    if (std::holds_alternative<TwoBoneChain>(model.chains[chain].kind)) continue;
    person.add(chain, transform_point(to_model, scene.balloon->at(seconds)), person.weight * attention_of(pace.random),
               {});
  }
}

/// The people nearest to the eye, and not behind it, ascending by instance. Valid until the next call of the thread.
std::span<PlacedPerson> find_near(const Scene& scene, const Orbit& camera) {
  thread_local std::vector<Near> near;
  thread_local std::vector<PlacedPerson> people;
  near.clear(), people.clear();
  const glm::vec3 eye = eye_of(camera), forward = axes_of(camera).forward;
  for (uint32_t i = 0; i < scene.count(); ++i) {
    const Vec3 to = scene.positions[i] - Vec3{eye.x, eye.y, eye.z};
    if (dot(to, {forward.x, forward.y, forward.z}) > -kBehind) near.push_back({length(to), i});
  }
  const auto full = size_t(scene.near_people), all = full + size_t(kLetGo * float(full));
  const auto nearer = [](const Near& a, const Near& b) { return a.distance < b.distance; };
  const auto split = [&](size_t count) {
    if (count < near.size()) std::nth_element(near.begin(), near.begin() + std::ptrdiff_t(count), near.end(), nearer);
    return count < near.size() ? near[count].distance : INFINITY;
  };
  const float gone = split(all);
  near.resize(std::min(near.size(), all));
  const float held = split(full);
  for (const Near& one : near) {
    const float weight = std::isinf(gone) ? 1 : std::clamp((gone - one.distance) / (gone - held), 0.0f, 1.0f);
    PlacedPerson& person = people.emplace_back();
    person.instance = one.instance, person.weight = weight * weight * (3 - 2 * weight);
  }
  std::ranges::sort(people, {}, &PlacedPerson::instance);
  return people;
}

/// Those that were lowered stand again where their middle meets the ground.
void raise_all(Scene& scene) {
  for (const Lowered& one : scene.lowered) {
    Vec3& position = scene.positions[one.instance];
    position.y = scene.terrain->height(position.x, position.z);
  }
}

/// Footprints of those nearby, and the balloon.
void place_props(std::span<const Model> models, std::span<const PlacedPerson> people, double seconds, Scene& scene) {
  thread_local std::vector<Footprint> prints;
  prints.clear();
  for (const PlacedPerson& person : people) {
    if (scene.moves(person.instance))
      add_footprints(models[scene.model_of(person.instance)], scene, person.instance, seconds, prints);
  }
  for (const Footprint& print : prints) draw_footprint(print, scene.props);
  if (!scene.balloon) return;
  const Vec3 at = scene.balloon->at(seconds);
  for (StandVertex vertex : scene.balloon->mesh) {
    vertex.position = vertex.position + at;
    scene.props.push_back(vertex);
  }
}

}  // namespace

Gait gait_of(const Model& model, uint32_t index) {
  const Legs legs(model);
  if (legs.count != 2) return {};
  const Clip& clip = model.character.clips[index];
  const auto steps = std::max(uint32_t(std::ceil(clip.duration_seconds() * kSamplesPerSecond)), 1u);
  Gait gait;
  PosedClip posed(model, index);
  for (uint32_t i = 0; i <= steps; ++i) {
    posed.pose(clip.start_seconds + clip.duration_seconds() * float(i) / float(steps));
    auto& sample = gait.samples.emplace_back();
    for (size_t leg = 0; leg < 2; ++leg) {
      const auto& chain = std::get<TwoBoneChain>(model.chains[legs.chains[leg]].kind);
      const Vec3 hip = posed.place(chain.upper), knee = posed.place(chain.middle), ankle = posed.place(chain.end);
      sample[leg] = {hip, ankle};
      gait.reach[leg] = (length(knee - hip) + length(ankle - knee)) * reach_share(chain);
    }
  }
  return gait;
}

std::vector<Step> steps_of(const Model& model, uint32_t clip) {
  const auto feet = find_feet(model.character.skeleton);
  const auto markers = find_footsteps(model.character, clip);
  if (!feet || !*feet || !markers) return {};
  std::vector<Step> steps;
  PosedClip posed(model, clip);
  for (const Marker& marker : *markers) {
    posed.pose(marker.time_seconds);
    const Vec3 ankle = posed.place(marker.name == "left foot down" ? (*feet)->left : (*feet)->right);
    steps.push_back({marker.time_seconds, {ankle.x, 0, ankle.z + kSoleAhead * model.height / kOutlineHeight}});
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

std::vector<Chain> walking_chains(const Character& character) {
  auto found = find_chains(character);
  if (!found) throw std::bad_alloc();
  std::erase_if(*found, [](const Chain& chain) {
    return chain.name != "left leg" && chain.name != "right leg" && chain.name != "head";
  });
  return std::move(*found);
}

void place_scene(std::span<const Model> models, const Orbit& camera, double seconds, const ParallelFor& parallel_for,
                 Scene& scene) {
  if (scene.terrain) raise_all(scene);
  move_scene(seconds, parallel_for, scene);
  scene.props.clear();
  burn(seconds, scene);
  if (!scene.terrain) return;
  const std::span<PlacedPerson> people = find_near(scene, camera);
  const auto count = uint32_t(people.size());
  for_each_index(parallel_for, (count + kPeopleAtOnce - 1) / kPeopleAtOnce, [&](uint32_t task) {
    for (uint32_t i = task * kPeopleAtOnce; i < std::min((task + 1) * kPeopleAtOnce, count); ++i)
      place_person(models, seconds, scene, people[i]);
  });
  scene.lowered.swap(scene.lowered_before);
  scene.lowered.clear(), scene.targets.clear();
  for (const PlacedPerson& person : people) {
    scene.lowered.push_back({person.instance, person.lowered});
    scene.targets.insert(scene.targets.end(), person.targets, person.targets + person.target_count);
  }
  place_props(models, people, seconds, scene);
}

Vec3 Balloon::at(double seconds) const {
  const double turn = seconds * 0.105;
  return Vec3{float(7.5 * std::sin(turn + 0.6)), float(6.6 + 0.35 * std::sin(seconds * 0.5)),
              float(-1 - 5 * std::sin(2 * turn + 1.9))} *
         scale;
}

}  // namespace sinew::app
