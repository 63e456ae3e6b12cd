#include "scene/footing.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <variant>

#include "scene/exact_poses.h"
#include "scene/footprints.h"
#include "scene/gait.h"
#include "scene/moving.h"

namespace sinew::app {
namespace {

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

/// A person as its clips pose it.
struct Posed {
  const Model& model;
  Matrix3x4 world_from_model;
  std::span<const Matrix3x4d> model_from_joint;

  Vec3 in_model(uint32_t joint) const {
    const auto& m = model_from_joint[joint].m;
    return {float(m[0][3]), float(m[1][3]), float(m[2][3])};
  }
  Vec3 in_world(uint32_t joint) const { return transform_point(world_from_model, in_model(joint)); }
  float length_of(const TwoBoneChain& chain) const {
    return length(in_world(chain.middle) - in_world(chain.upper)) +
           length(in_world(chain.end) - in_world(chain.middle));
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
  if (!evaluate_exact(model.character, {&own, 1}, size, palette, scratch)) throw std::bad_alloc();
  return scratch.model_from_joint;
}

struct Foot {
  uint32_t chain = 0;
  AnkleGoal goal;
};

float attention_of(uint64_t random) { return Random{mix(random ^ 0x62616c6c6f6f6e)}.between(kMinAttention, 1); }

/// A direction of world space, in model space.
Vec3 direction_in(const Matrix3x4d& model_from_world, Vec3 direction) {
  const Vec3 origin = transform_point(model_from_world, {});
  return normalize(transform_point(model_from_world, direction) - origin);
}

Matrix3x4d model_from_world(const Matrix3x4& world_from_model) {
  Matrix3x4d wide;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 4; ++column) wide.m[row][column] = world_from_model.m[row][column];
  }
  return inverse(wide);
}

/// Lowers a person, and finds its targets.
void place_person(std::span<const Model> models, double seconds, Scene& scene, PlacedPerson& person) {
  const uint32_t instance = person.instance, index = scene.model_of(instance);
  const Model& model = models[index];
  const Pace pace = scene.pace(instance);
  const Posed posed{model, world_from_model(scene, index, instance), pose(model, playback_at(model, pace, seconds))};
  const Legs legs = legs_of(model);
  Foot feet[2];
  float raised[2], reach = 1;
  for (uint32_t leg = 0; leg < legs.count; ++leg) {
    const auto& chain = std::get<TwoBoneChain>(model.chains[legs.chains[leg]].kind);
    const Vec3 upright = transform_point(scene.models[index].upright_from_model, posed.in_model(chain.end));
    const bool walks = scene.moves(instance);
    const AnkleGoal goal = walks ? walking_goal(scene, instance, way_of(scene, instance, seconds), upright)
                                 : standing_goal(scene, instance, upright);
    feet[leg] = {legs.chains[leg], goal};
    reach = posed.length_of(chain) * reach_share(chain);
    raised[leg] = max_raised(posed.in_world(chain.upper), goal.position, reach);
  }
  const bool foresees = legs.count > 0 && scene.moves(instance) && !model.gait.samples.empty();
  const float lowered =
      foresees ? walking_lowering(model, scene, instance, seconds) : lowering(std::span(raised, legs.count), reach);
  person.lowered = person.weight * lowered;
  scene.positions[instance].y -= person.lowered;
  const Matrix3x4d to_model = model_from_world(world_from_model(scene, index, instance));
  for (const Foot& foot : std::span(feet, legs.count))
    person.add(foot.chain, transform_point(to_model, foot.goal.position), person.weight,
               direction_in(to_model, foot.goal.normal));
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
  prints.clear(), scene.props.clear();
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
