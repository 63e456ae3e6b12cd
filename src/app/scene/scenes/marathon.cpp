// A street race: runners go round a block of houses, past spectators behind barriers and through an arch.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "scene/scenes/people.h"
#include "scene/scenes/town.h"

namespace sinew::app {
namespace {

enum RaceAct : uint8_t { kRun, kCheer };
constexpr ActWish kWishes[] = {{kRunWords, false, 2.8f}, {" cheer | cheering | clap | wave | waving | idle "}};

// Lengths in meters.
constexpr float kRunners = 0.45f;  // share of the people
constexpr float kLaneWidth = 1.0f, kRowDepth = 3.1f, kJitter = 0.75f;
constexpr float kDrift = 0.22f;                   // by which a runner gets ahead or falls behind
constexpr float kPlace = 0.78f, kBehind = 0.82f;  // of those who watch: side by side, and row by row
constexpr float kBarrier = 0.9f, kWatch = 0.75f;  // from the outer lanes, and from the barrier
constexpr float kBlock = 20;                      // the block of houses has at least this radius
constexpr float kArch = 13.5f;                    // before the camera
constexpr float kEyeRoom = 5;                     // behind the inner barrier: the camera stands there
constexpr float kSeen = 150;                      // what is built along the street
constexpr Top kShirts[] = {kRedTop,  kYellowTop, kBlueTop,      kGreenTop,
                           kPinkTop, kCreamTop,  kTurquoiseTop, kOrangeTop};  // of runners

/// The street is an oval. Its straight side at -z is the one that is seen: runners go along x there.
struct Street {
  uint32_t runners, lanes, rows, watch_rows;
  float half_straight, middle;  // radius of the middle of the street
  float camera_x = 0;

  explicit Street(uint32_t count) {
    runners = uint32_t(float(count) * kRunners + 0.5f);  // one person alone watches: a runner would soon be gone
    lanes = std::clamp(uint32_t(std::sqrt(float(count)) / 4), 5u, 250u);
    rows = std::max((runners + lanes - 1) / lanes, 1u);
    const float watched = std::max(0.9f * float(rows) * kRowDepth, 14.0f);  // meters of the straight side
    watch_rows = std::max(uint32_t(std::ceil(float(count - runners) * kPlace / (1.6f * watched))), 1u);
    middle = kBlock + half_width() + kBarrier + float(watch_rows) * kBehind + 2;
    const float needed = (float(rows) + 3) * kRowDepth - 2 * kPi * (middle - half_width());
    half_straight = std::max({needed / 4, 0.65f * watched, 16.0f});
    camera_x = half_straight - std::min(0.25f * half_straight, 12.0f);
  }
  float half_width() const { return float(lanes) * kLaneWidth / 2; }
  Oval lane(uint32_t index) const {
    return {half_straight, middle + (float(index) + 0.5f) * kLaneWidth - half_width()};
  }
  float barrier(float side) const { return middle + side * (half_width() + kBarrier); }
  float houses(float side) const {
    const float watch = kWatch + float(watch_rows) * kBehind + 1.2f;
    return barrier(side) + side * (side > 0 ? watch : std::max(watch, kEyeRoom));
  }
  /// Meters along a lane, in the direction of the runners, to x of the straight side that is seen.
  float meters_to(const Oval& lane, float x) const { return lane.perimeter() / 2 - half_straight + x; }
};

/// What the camera sees of the street: from behind the inner barrier, over the heads of those who watch there, towards
/// the runners and the other side. It stands so far from the lanes that all runners leave through the right edge of the
/// picture, none through the lower one, which would cut their heads.
struct Sight {
  static constexpr float kTurn = 0.55f, kAhead = 12, kLookedAt = 1.25f;  // radians; meters
  static constexpr float kChin = 1.25f;                                  // meters: of the shortest
  float height, pitch, beside;                                           // `beside`: from the first lane, meters

  explicit Sight(const Street& street) {
    height = 2.6f + std::clamp(0.015f * float(street.lanes * street.rows), 0.0f, 1.6f) +
             0.02f * float(std::min(street.lanes, 60u));
    pitch = std::atan2(height - kLookedAt, kAhead);
    const float drop = height - kChin, depth = drop / lower_edge();
    beside = std::sin(kTurn) * depth + std::cos(kTurn) * right_edge(depth, drop) + 0.25f;
  }
  /// Meters down per meter ahead.
  float lower_edge() const { return std::tan(pitch + Orbit().field_of_view / 2); }
  /// Meters to the right of what is some meters ahead and below the eye.
  float right_edge(float ahead, float below) const {
    return wide() * (ahead * std::cos(pitch) + below * std::sin(pitch));
  }
  static float wide() { return std::tan(Orbit().field_of_view / 2) * 16 / 9; }
  /// The least distance along the street at which the feet of runners in a lane are in the picture.
  float first_row(uint32_t lane) const {
    const float across = beside + float(lane) * kLaneWidth, c = std::cos(kTurn), s = std::sin(kTurn);
    const float wide_ahead = wide() * std::cos(pitch);
    const float in_width = (across * (c - wide_ahead * s) - wide() * height * std::sin(pitch)) / (s + wide_ahead * c);
    const float in_height = (height / lower_edge() - across * s) / c;
    return std::clamp(std::max(in_width, in_height), 0.0f, 30.0f) + 0.4f;
  }
  Orbit camera(const Street& street) const {
    const glm::vec3 eye(street.camera_x, height, -street.lane(0).radius + beside);
    return orbit_between(eye, {eye.x - kAhead * std::cos(kTurn), kLookedAt, eye.z - kAhead * std::sin(kTurn)});
  }
};

void add_runners(const Street& street, const Sight& sight, uint64_t seed, People& people) {
  std::vector<uint16_t> roles;
  for (uint32_t lane = 0; lane < street.lanes; ++lane) roles.push_back(people.add_walk(kRun, street.lane(lane), true));
  for (uint32_t i = 0; i < street.runners; ++i) {
    Random random{mix(seed ^ mix(i ^ 0x72756e))};
    const uint32_t lane = i % street.lanes, row = i / street.lanes;
    const float first = 0.6f * kRowDepth * Random{mix(seed ^ mix(lane))}.unit();
    const float back = first + float(row) * kRowDepth + kJitter * (1 + random.between(-1, 1));
    const Top shirt = kShirts[random.next() % std::size(kShirts)];
    const float x = street.camera_x - sight.first_row(lane) - back;
    people.walk(roles[lane], street.meters_to(street.lane(lane), x), {shirt}, Who::kAthlete);
  }
}

/// On both sides, the nearest to the arch first.
void add_spectators(const Street& street, const Orbit& camera, People& people) {
  const uint16_t role = people.add_role({.act = kCheer});
  const float arch = street.camera_x - kArch;
  const auto in_row = uint32_t(4 * street.half_straight / kPlace);  // enough to reach the end of the straight side
  for (uint32_t i = 0; !people.full(); ++i) {
    Random random = people.random(mix(i));
    const float side = i % 2 == 0 ? 1.0f : -1.0f;
    const uint32_t place = i / 2 / street.watch_rows, along = place % in_row;
    const uint32_t row = i / 2 % street.watch_rows + place / in_row * street.watch_rows;
    const float x = arch + (along % 2 == 0 ? 0.5f : -0.5f) * kPlace * float(along + 1) +
                    (row % 2 == 0 ? 0 : kPlace / 2) + random.between(-0.1f, 0.1f);
    if (std::abs(x) > street.half_straight || (row > 0 && random.unit() < 0.12f)) continue;
    const float far = street.barrier(side) + side * (kWatch + float(row) * kBehind + random.between(-0.06f, 0.06f));
    const Vec3 at{x, 0, -far};
    if (crops(camera, at) || std::abs(x - arch) < 0.9f) continue;
    people.stand(role, at, (side > 0 ? 0 : kPi) + random.between(-0.5f, 0.5f));
  }
}

/// A strip of the street, between two distances from its middle line.
void add_strip(const Street& street, float inner, float outer, float y, Color color, Architecture& built) {
  const auto points = [&](float radius) { return Oval{street.half_straight, radius}.points(1, 24); };
  built.add_between(points(inner), y, points(outer), y, true, [&](float) { return color; });
}

/// Two rows of checkers across the street: on it, or one above the other.
void add_checkers(Vec3 at, Vec3 row, const Street& street, Architecture& built) {
  const float size = 0.5f, half = street.half_width() + 0.4f;
  const auto across = uint32_t(2 * half / size);
  for (uint32_t i = 0; i < across; ++i) {
    for (uint32_t j = 0; j < 2; ++j) {
      const Color color = (i + j) % 2 == 0 ? Color{0.85f, 0.85f, 0.82f} : Color{0.02f, 0.02f, 0.022f};
      const Vec3 a = at + row * float(j) + Vec3{0, 0, size * float(i) - half}, b = a + Vec3{0, 0, size};
      built.add_quad(b, a, a + row, b + row, color);
    }
  }
}

void add_arch(const Street& street, Architecture& built) {
  constexpr Color kRed{0.60f, 0.03f, 0.03f}, kYellow{0.85f, 0.50f, 0.04f};
  const float x = street.camera_x - kArch, half = street.half_width() + 0.45f, top = 5.2f;
  for (const float side : {-1.0f, 1.0f}) {
    const float z = -street.middle + side * (half + 0.1f);
    built.add_box({{x - 0.45f, 0, z - 0.4f}, {x + 0.45f, top, z + 0.4f}}, kRed);
    for (const float y : {1.0f, 2.4f})
      built.add_box({{x - 0.47f, y, z - 0.42f}, {x + 0.47f, y + 0.45f, z + 0.42f}}, kYellow);
  }
  const float z = -street.middle;
  built.add_box({{x - 0.45f, 3.9f, z - half - 0.5f}, {x + 0.45f, top, z + half + 0.5f}}, kRed);
  add_checkers({x + 0.55f, 4.15f, z}, {0, 0.4f, 0}, street, built);
  add_checkers({x + 0.5f, -0.015f, z}, {-0.5f, 0, 0}, street, built);
}

void add_barriers(const Street& street, Architecture& built) {
  constexpr Color kPanels[] = {
      {0.70f, 0.68f, 0.62f}, {0.55f, 0.04f, 0.04f}, {0.05f, 0.14f, 0.45f}, {0.80f, 0.48f, 0.04f}};
  constexpr float kLength = 2.2f, kHeight = 1.0f;
  for (const float side : {-1.0f, 1.0f}) {
    const float z = -street.barrier(side);
    float x = std::max(street.camera_x - kSeen, -street.half_straight);
    for (uint32_t i = 0; x < street.half_straight; x += kLength, ++i) {
      built.add_box({{x + 0.04f, 0.12f, z - 0.03f}, {x + kLength - 0.04f, kHeight - 0.12f, z + 0.03f}},
                    kPanels[i % std::size(kPanels)]);
      built.add_beam({x, kHeight, z}, {x + kLength, kHeight, z}, 0.06f, {0.35f, 0.36f, 0.38f});
      built.add_box({{x - 0.03f, 0, z - 0.04f}, {x + 0.03f, kHeight, z + 0.04f}}, {0.30f, 0.31f, 0.33f});
    }
  }
}

void build(const Street& street, Random& random, Architecture& built) {
  const float half = street.half_width() + kBarrier;
  built.vary(0.04f);
  add_strip(street, street.middle - half, street.middle + half, -0.04f, {0.075f, 0.077f, 0.085f}, built);
  built.vary(0);
  for (const float side : {-1.0f, 1.0f}) {
    const float line = street.middle + side * (street.half_width() + 0.25f);
    add_strip(street, line - 0.08f, line + 0.08f, -0.02f, {0.7f, 0.7f, 0.66f}, built);
  }
  add_arch(street, built);
  add_barriers(street, built);
  const float from = std::max(street.camera_x - kSeen, -street.half_straight - 10), to = street.half_straight + 14;
  const float out = street.houses(1), in = street.houses(-1);
  add_house_row(built, {from, 0, -out}, {to, 0, -out}, random, false);
  add_house_row(built, {std::min(to - 14, street.half_straight), 0, -in},
                {std::max(from, -street.half_straight), 0, -in}, random, false);
  if (street.half_straight < kSeen) {
    const float end = -street.half_straight - out;
    add_house_row(built, {end, 0, 0}, {end, 0, -out}, random, false);
    add_house_row(built, {end + 16, 0, -out + 4}, {from, 0, -out}, random, false);
  }
  for (float x = street.camera_x - kArch - 9; x > from && street.lanes < 20; x -= 17)
    add_bunting(built, {x, 6.6f, -out}, {x - 2, 6.6f, -in}, uint32_t((out - in) * 1.1f));
  for (uint32_t i = 0; i < 16; ++i) {
    built.move_to({random.between(-0.9f, 0.9f) * street.half_straight, 0, random.between(-0.3f, 0.8f) * (in - 12)});
    built.add_tree(random.between(7, 11), {0.06f, 0.17f, 0.03f}, false);
  }
}

Scene make_marathon(std::span<const Model> models, const SceneRequest& request) {
  People people(models, request);
  const Street street(request.count);
  const Sight sight(street);
  const Orbit camera = sight.camera(street);
  add_runners(street, sight, request.seed, people);
  add_spectators(street, camera, people);
  Random random{mix(request.seed ^ 0x737472656574)};
  Architecture built(people.scale());
  build(street, random, built);
  return people.scene({.built = built,
                       .radius = street.half_straight + street.middle,
                       .clear_meters = 80,
                       .drift_meters = kDrift,
                       .camera = camera});
}

}  // namespace

SceneKind marathon_scene() {
  return {.name = "marathon",
          .made_for = 10'000,
          .description = "a street race: runners past cheering people behind barriers, through an arch, between houses",
          .looks = " farmer | merchant | weaver | player | runner ",
          .choose_clips = [](Model& model) { choose_acts(model, kWishes); },
          .make = make_marathon,
          .has_children = true};
}

}  // namespace sinew::app
