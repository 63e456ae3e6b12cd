// A market square in a town: houses around it, a gate with guards, a fountain, stalls, and groups of people who talk.
#include <algorithm>
#include <cmath>

#include "scene/scenes/people.h"
#include "scene/scenes/town.h"
#include "scene/wardrobe.h"

namespace sinew::app {
namespace {

enum SquareAct : uint8_t { kTalk, kShow, kGuard, kStroll };
constexpr ActWish kWishes[] = {{" idle | wave | clap "}, {" dance | cheer "}, {" idle "}, {kWalkWords, false, 1.1f}};

// Lengths in meters.
constexpr uint32_t kMaxGroup = 6;
constexpr float kGroupSpacing = 2.6f;
constexpr float kSmallest = 15;     // half a side of the square
constexpr float kPerPerson = 3.0f;  // square meters of the square
constexpr float kLargest = 120;     // a larger one has no houses at its edge: they would be out of sight
constexpr float kStallX = 6.8f, kStallZ = 6.4f, kStallStep = 13.5f;
constexpr uint32_t kStallsAcross = 8;                          // at most
constexpr float kBlocksFrom = 48, kBlockX = 66, kBlockZ = 58;  // of houses in a large square
constexpr float kLane = 1.1f;                                  // half the width of the way of those who walk

/// Of the circle that a group stands on. A single person stands in its middle.
float group_radius(uint32_t size) { return size == 1 ? 0 : std::max(float(size) * 1.0f / (2 * kPi), 0.52f); }

/// Where the houses are, and what else is in the way of people.
struct Plan {
  float half = kSmallest;  // a side of the square
  Oval walk;
  std::vector<Vec3> stalls;
  std::vector<Vec3> blocks;  // middles of blocks of houses

  static constexpr float kBlockHalfX = 17, kBlockHalfZ = 9;

  explicit Plan(uint32_t count) {
    half = std::max(kSmallest, std::sqrt(float(count) * kPerPerson) / 2 + 4);
    walk = {0.12f * half, 0.8f * half};
    const auto across = std::min(uint32_t((half - 3 - kStallX) / kStallStep) + 1, kStallsAcross);
    const auto deep = std::min(uint32_t((half - 4 - kStallZ) / kStallStep) + 1, kStallsAcross);
    for (uint32_t i = 0; i < 4 * across * deep; ++i) {
      const float x = kStallX + kStallStep * float(i / 4 % across), z = kStallZ + kStallStep * float(i / 4 / across);
      add_stall_at({i % 2 == 0 ? x : -x, 0, i / 2 % 2 == 0 ? z : -z});
    }
    for (int i = -3; i <= 3; ++i) {
      for (int j = -3; j <= 3; ++j) {
        const Vec3 at{kBlockX * float(i), 0, kBlockZ * float(j)};
        const bool inside = std::abs(at.x) + kBlockHalfX < half - 9 && std::abs(at.z) + kBlockHalfZ < half - 9;
        if (length(at) > kBlocksFrom && inside && walk.distance(at.x, at.z) > 21) blocks.push_back(at);
      }
    }
  }

  void add_stall_at(Vec3 at) {
    if (walk.distance(at.x, at.z) > kLane + kStallRadius + 0.5f &&
        std::max(std::abs(at.x), std::abs(at.z)) < half - 3.5f)
      stalls.push_back(at);
  }

  /// Whether a circle is free.
  bool is_free(Vec3 at, float radius) const {
    if (std::hypot(at.x, at.z) < kFountainRadius + 0.4f + radius || walk.distance(at.x, at.z) < kLane + radius)
      return false;
    if (std::max(std::abs(at.x), std::abs(at.z)) > half - 1.3f - radius) return false;
    if (at.z < 3.5f - half + radius && std::abs(at.x) < 4.5f + radius) return false;  // the gate and its guards
    const auto near = [&](Vec3 stall) { return length(at - stall) < kStallRadius + 0.9f + radius; };
    const auto within = [&](Vec3 block) {
      return std::abs(at.x - block.x) < kBlockHalfX + radius && std::abs(at.z - block.z) < kBlockHalfZ + radius;
    };
    return std::ranges::none_of(stalls, near) && std::ranges::none_of(blocks, within);
  }

  /// Stalls look away from the middle of their alley.
  static float stall_heading(Vec3 stall) {
    return int(std::lround((std::abs(stall.z) - kStallZ) / kStallStep)) % 2 == 0 ? 0 : kPi;
  }
};

void add_houses(const Plan& plan, Random& random, Architecture& town) {
  const float s = plan.half, street = 3.2f, gate = 6.6f;
  for (const Vec3 block : plan.blocks) {
    const Vec3 left{-Plan::kBlockHalfX + 1, 0, 0}, right{Plan::kBlockHalfX - 1, 0, 0},
        front{0, 0, Plan::kBlockHalfZ - 1};
    add_house_row(town, block + left + front, block + right + front, random, false);
    add_house_row(town, block + right - front, block + left - front, random, false);
  }
  if (s > kLargest) return;
  const Vec3 rows[][2] = {{{-s - 6, 0, -s}, {-gate, 0, -s}}, {{gate, 0, -s}, {s + 6, 0, -s}},
                          {{s, 0, -s}, {s, 0, -street}},     {{s, 0, street}, {s, 0, s}},
                          {{s + 6, 0, s}, {street, 0, s}},   {{-street, 0, s}, {-s - 6, 0, s}},
                          {{-s, 0, s}, {-s, 0, street}},     {{-s, 0, -street}, {-s, 0, -s}}};
  for (const auto& [from, to] : rows) add_house_row(town, from, to, random, false);
}

void build(const Plan& plan, Random& random, Architecture& town) {
  add_fountain(town, {});
  for (const Vec3 stall : plan.stalls) add_stall(town, stall, Plan::stall_heading(stall), random);
  add_houses(plan, random, town);
  add_gate(town, {0, 0, -plan.half - 0.6f}, 0);
  const Vec3 up{0, 6.2f, 0};
  for (const float z : {-0.45f, 0.15f}) {
    if (plan.half < 45)
      add_bunting(town, Vec3{-plan.half, 0, z * plan.half} + up, Vec3{plan.half, 0, z * plan.half} + up, 40);
  }
  for (uint32_t i = 0; i < 26 && plan.half < kLargest; ++i) {
    const float angle = 2 * kPi * random.unit(), far = plan.half * 1.45f + random.between(10, 30);
    town.move_to(polar(far, angle));
    town.add_tree(random.between(9, 14), {0.05f, 0.15f, 0.03f}, i % 3 == 0);
  }
}

void add_guards(const Plan& plan, uint32_t count, People& people) {
  const uint16_t round = people.add_walk(kStroll, {plan.walk.half_straight, plan.walk.radius - 0.45f});
  for (const float x : {-2.9f, 2.9f}) {
    if (count > 8) people.stand(kGuard, {x, 0, 1.7f - plan.half}, x > 0 ? -0.2f : 0.2f, {}, Who::kGuard);
  }
  const uint32_t patrols = std::min(count / 50 + (count >= 20 ? 1 : 0), 24u);
  const float perimeter = plan.walk.perimeter();
  for (uint32_t i = 0; i < 2 * patrols; ++i)
    people.walk(round, perimeter * (0.62f + float(i / 2) / float(patrols)) + 1.5f * float(i % 2), {}, Who::kGuard);
}

/// Those who look at the goods, and who sells them.
void add_customers(const Plan& plan, const Orbit& camera, uint32_t wanted, People& people) {
  for (const Vec3 stall : plan.stalls) {
    const float heading = Plan::stall_heading(stall), front = heading == 0 ? 1.0f : -1.0f;
    const float xs[] = {0.1f, -0.8f, 0.75f}, zs[] = {-0.3f, 1.9f, 2.0f};
    for (int i = 0; i < 3 && wanted > 0; ++i) {
      Random random = people.random(0x637573);
      const Vec3 at = stall + Vec3{xs[i] * front, 0, zs[i] * front};
      if (crops(camera, at) || (i > 0 && random.unit() < 0.3f)) continue;
      people.stand(kTalk, at, heading + (i == 0 ? 0 : kPi) + random.between(-0.3f, 0.3f));
      --wanted;
    }
  }
}

void add_group(Vec3 middle, uint32_t size, People& people) {
  Random random = people.random(0x67726f7570);
  const float radius = group_radius(size), turn = random.between(0, 2 * kPi);
  const bool shows = size > 1 && random.unit() < 0.16f;
  for (uint32_t i = 0; i < size; ++i) {
    const float angle = turn + 2 * kPi * float(i) / float(size);
    people.stand(shows ? kShow : kTalk, middle + polar(radius, angle), angle + kPi + random.between(-0.35f, 0.35f));
  }
}

/// Some who talk right before the camera.
void add_nearest(const Orbit& camera, uint32_t wanted, People& people, std::vector<Vec3>& taken) {
  const Axes axes = axes_of(camera);
  const glm::vec3 eye = eye_of(camera);
  const float nearest = 0.95f * eye.y / std::tan(camera.pitch + 0.36f);  // below, the picture ends at their feet
  constexpr float kAside[] = {-2.3f, 2.5f, -0.4f, -5.4f, 5.6f},
                  kAhead[] = {0.9f, 1.5f, 4.4f, 3.6f, 4.2f};  // meters, of the nearest whole person
  for (int i = 0; i < 5 && wanted >= 4; ++i, wanted -= 4) {
    const Vec3 ahead = normalize(Vec3{axes.forward.x, 0, axes.forward.z}), right{axes.right.x, 0, axes.right.z};
    const Vec3 middle = Vec3{eye.x, 0, eye.z} + right * kAside[i] + ahead * (nearest + kAhead[i]);
    if (std::hypot(middle.x, middle.z) < kFountainRadius + 1.3f) continue;
    taken.push_back(middle);
    for (uint32_t person = 0; person < 4; ++person) {
      Random random = people.random(0x6e656172);
      // An open circle: two of them look towards the camera.
      const float angle = std::atan2(ahead.x, ahead.z) + (float(person) - 1.5f) * 1.15f + random.between(-0.1f, 0.1f);
      people.stand(kTalk, middle + polar(0.72f, angle), angle + kPi + random.between(-0.3f, 0.3f));
    }
  }
}

void add_groups(const Plan& plan, const Orbit& camera, uint64_t seed, const std::vector<Vec3>& taken, People& people) {
  uint32_t tries = 0;
  const auto most = uint32_t(8 * plan.half * plan.half / (kGroupSpacing * kGroupSpacing));
  for (uint32_t group = 0; !people.full(); ++group) {
    Random random{mix(seed ^ mix(group ^ 0x73717561))};
    const bool again = tries++ > most;  // all is full: outside the houses
    const uint32_t size = 1 + uint32_t(random.next() % kMaxGroup);
    Vec3 middle = sunflower_position(group, kGroupSpacing);
    const float radius = group_radius(size) + 0.35f;
    if (!again && !plan.is_free(middle, radius)) continue;
    if (again && std::max(std::abs(middle.x), std::abs(middle.z)) < plan.half + 14) continue;
    const float near = radius + 0.2f;
    const Vec3 corners[] = {middle, middle + Vec3{near, 0, 0}, middle - Vec3{near, 0, 0}, middle + Vec3{0, 0, near},
                            middle - Vec3{0, 0, near}};
    const auto near_taken = [&](Vec3 other) { return length(other - middle) < 1.4f + radius; };
    if (std::ranges::any_of(taken, near_taken)) continue;
    if (std::ranges::any_of(corners, [&](Vec3 at) { return crops(camera, at); })) continue;
    add_group(middle, size, people);
  }
}

/// Above the heads of people near the fountain, towards the gate.
Orbit camera_of(const Plan& plan) {
  const float back = std::clamp(0.52f * plan.half, 11.2f, 15.0f), up = std::clamp(0.05f * plan.half, 0.0f, 3.2f);
  return orbit_between({0.16f * back, 2.3f + up, back}, {-0.02f * back, 1.45f, -0.3f * back});
}

Scene make_square(std::span<const Model> models, const SceneRequest& request) {
  const auto [count, seed, children] = request;
  People people(models, request);
  const Plan plan(count);
  const Orbit camera = camera_of(plan);
  for (const uint8_t act : {kTalk, kShow, kGuard}) people.add_role({.act = act});  // the role has the act's number
  add_guards(plan, count, people);
  const Oval beside_guards{plan.walk.half_straight, plan.walk.radius + 0.62f};
  people.walk_in_file(kStroll, {beside_guards, count / 14, 2.2f, true, true, 0.25f});
  add_customers(plan, camera, count / 5, people);
  std::vector<Vec3> taken;
  add_nearest(camera, count / 4, people, taken);
  add_groups(plan, camera, seed, taken, people);
  Random random{mix(seed ^ 0x746f776e)};
  Architecture town(people.scale());
  build(plan, random, town);
  Scene scene = people.scene({.built = town, .radius = 1.2f * plan.half, .clear_meters = 75, .camera = camera});
  scene.outfits = choose_outfits(models, scene);
  return scene;
}

}  // namespace

SceneKind square_scene() {
  return {.name = "square",
          .characters = 500,
          .made_for = 2000,
          .description =
              "a market square: groups who talk among stalls around a fountain, houses, a gate with guards who patrol",
          .looks = " farmer | merchant | swordsman | weaver ",
          .choose_clips = [](Model& model) { choose_acts(model, kWishes); },
          .make = make_square,
          .has_children = true,
          .dressed = true};
}

}  // namespace sinew::app
