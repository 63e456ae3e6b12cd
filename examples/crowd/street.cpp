#include "street.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "host/program.h"
#include "sinew/animation/footsteps.h"
#include "sinew/animation/pose.h"

namespace street {
namespace {

using host::check;
using namespace sinew;

constexpr uint32_t kNoModel = UINT32_MAX;  // of a free slot: the instance is not drawn
constexpr float kApart = 1.3f;             // meters between two people of a lane
constexpr float kUsualSpeed = 1.1f;        // meters per second
constexpr float kFadeSeconds = 0.3f;

constexpr Vec3 kTints[] = {{0.16f, 0.38f, 0.42f}, {0.50f, 0.14f, 0.10f}, {0.55f, 0.36f, 0.08f}, {0.14f, 0.20f, 0.42f},
                           {0.24f, 0.36f, 0.13f}, {0.40f, 0.14f, 0.32f}, {0.55f, 0.50f, 0.42f}, {0.12f, 0.12f, 0.15f}};

/// The clip with this name, or another one.
uint32_t clip_of(const Character& character, const char* name) { return find_clip(character.clips, name).value_or(0); }

/// How fast a character has to be moved that walks in place, so that its feet do not slide: as fast as the foot that is
/// on the ground, the lower one, goes backward. Model units per second; the median of a loop.
float walking_speed(const Character& character, uint32_t clip) {
  constexpr uint32_t kSamples = 120;
  const auto feet = check(find_feet(character.skeleton));
  if (!feet) return kUsualSpeed;
  const Clip& walk = character.clips[clip];
  const float step = walk.duration_seconds() / kSamples;
  std::vector<Transform> pose(character.skeleton.joint_count());
  std::vector<Matrix3x4d> model_from_joint(pose.size());
  std::vector<float> speeds;
  Vec3 before[2];
  for (uint32_t i = 0; i <= kSamples; ++i) {
    sample_clip(walk, character.skeleton, walk.start_seconds + step * float(i), pose);
    walk_hierarchy(character.skeleton, pose, model_from_joint);
    Vec3 now[2];
    for (int side = 0; side < 2; ++side) {
      const Matrix3x4d& foot = model_from_joint[side == 0 ? feet->left : feet->right];
      now[side] = {float(foot.m[0][3]), float(foot.m[1][3]), float(foot.m[2][3])};
    }
    const int lower = now[0].y < now[1].y ? 0 : 1;
    if (i > 0) speeds.push_back((before[lower].z - now[lower].z) / step);
    std::copy(now, now + 2, before);
  }
  std::nth_element(speeds.begin(), speeds.begin() + kSamples / 2, speeds.end());
  return std::max(speeds[kSamples / 2], 0.1f);
}

}  // namespace

std::vector<Street::Lane> Street::make_lanes() {
  std::vector<Lane> lanes;
  for (const float z : {0.6f, 1.75f, 2.9f, 4.1f}) {
    for (const float side : {-1.0f, 1.0f}) lanes.push_back({side * z, side, 1.35f - 0.1f * z + 0.03f * side, {}});
  }
  return lanes;
}

void Street::open(uint32_t number, SharedModel model) {
  const Character& character = model->character;
  Kind kind{.player = Player(character, slot_count()), .walk = clip_of(character, "walk"), .is_open = true};
  kind.idle = clip_of(character, "idle");
  kind.speed = walking_speed(character, kind.walk);
  // What the player then says of root_motion() fades in and out with the clip.
  const Clip& walk = character.clips[kind.walk];
  const Vec3 stride{0, 0, kind.speed * walk.duration_seconds()};
  RootTrack track{.start_seconds = walk.start_seconds, .end_seconds = walk.end_seconds, .motions = {{}, {stride}}};
  check(kind.player.set_root_track(kind.walk, std::move(track)));
  kind.model = std::move(model);
  if (number >= kinds_.size()) kinds_.resize(number + 1);
  kinds_[number] = std::move(kind);
}

void Street::advance(double step_seconds) {
  for (Kind& kind : kinds_) check(kind.player.advance(step_seconds));
  for (Lane& lane : lanes_) {
    float ahead = INFINITY;
    for (const uint32_t slot : lane.slots) {
      walk(lane, slot, ahead - people_[slot].walked, float(step_seconds));
      ahead = people_[slot].walked;
    }
    if (!lane.slots.empty() && people_[lane.slots.front()].walked > kLength) leave(lane);
  }
  seconds_to_next_ -= step_seconds;
  if (seconds_to_next_ > 0) return;
  seconds_to_next_ += kLength / kUsualSpeed / max_people_;
  enter();
}

/// Someone comes in, if there is room and a model.
void Street::enter() {
  std::vector<uint32_t> open;
  for (uint32_t number = 0; number < kinds_.size(); ++number) {
    if (kinds_[number].is_open) open.push_back(number);
  }
  const auto lane = uint32_t(random() * float(lanes_.size()));
  std::deque<uint32_t>& queue = lanes_[lane].slots;
  const bool has_room = queue.empty() || people_[queue.back()].walked > kApart;
  if (open.empty() || !has_room || came_ - left_ == max_people_) return;

  const uint32_t slot = take_slot(), number = open[size_t(random() * float(open.size()))];
  Kind& kind = kinds_[number];
  models_[slot] = number, ++generations_[slot], ++kind.people, ++came_;
  const Vec3 tint = kTints[size_t(random() * float(std::size(kTints)))];
  tints_[slot] = tint * (0.7f + 0.6f * random());
  Person& person = people_[slot] = {.lane = lane, .side = (random() - 0.5f) * 0.3f, .size = 0.94f + 0.1f * random()};
  person.has_lantern = random() < 0.2f;
  if (std::abs(lanes_[lane].z) > 4 && random() < 0.5f) {  // beside the houses, where there is something to see
    constexpr const char* kStops[] = {"wave", "cheer", "idle", "dance"};
    person.stop_clip = clip_of(kind.model->character, kStops[size_t(random() * 4)]);
    person.stop_at = 4 + (kLength - 8) * random(), person.stop_seconds = 3 + 5 * random();
  }
  queue.push_back(slot);
  play(slot, kind.walk, 0);
  place(slot);
}

/// The first of a lane is at its end.
void Street::leave(Lane& lane) {
  const uint32_t slot = lane.slots.front();
  Kind& kind = kinds_[models_[slot]];
  lane.slots.pop_front();
  check(kind.player.reset(slot));
  --kind.people, ++left_;
  models_[slot] = kNoModel;
  free_slots_.push_back(slot);
}

/// A free slot, or a new one at the end of all arrays.
uint32_t Street::take_slot() {
  if (free_slots_.empty()) {
    const uint32_t slot = slot_count();
    const auto grow = [&](auto&... arrays) { (arrays.resize(slot + 1), ...); };
    grow(people_, models_, generations_, places_, playbacks_, speeds_, tints_);
    for (Kind& kind : kinds_) check(kind.player.resize(slot + 1));
    return slot;
  }
  const uint32_t slot = free_slots_.back();
  free_slots_.pop_back();
  return slot;
}

/// A step of a person with so much room to the next one ahead.
void Street::walk(const Lane& lane, uint32_t slot, float room, float step_seconds) {
  Person& person = people_[slot];
  const Kind& kind = kinds_[models_[slot]];
  const bool stops = person.stop_seconds > 0 && person.walked > person.stop_at;
  if (stops) person.stop_seconds -= step_seconds;
  const float needed = person.playing == kind.walk ? kApart : kApart + 0.4f;  // to start again
  const uint32_t clip = stops ? person.stop_clip : room < needed ? kind.idle : kind.walk;
  if (clip != person.playing) play(slot, clip, kFadeSeconds);
  person.walked += kind.player.root_motion(slot).translation.z * person.size;
  const float turn = stops ? -lane.direction * 1.2f : 0;  // to the middle of the street
  person.turn += std::clamp(turn - person.turn, -2 * step_seconds, 2 * step_seconds);
  playbacks_[slot] = kind.player.playback(slot);
  place(slot);
}

void Street::play(uint32_t slot, uint32_t clip, float fade_seconds) {
  Person& person = people_[slot];
  Kind& kind = kinds_[models_[slot]];
  PlayOptions options{.start_seconds = random() * 2};
  if (clip == kind.walk) options.speed = lanes_[person.lane].speed / (kind.speed * person.size);
  check(kind.player.cross_fade(slot, clip, fade_seconds, options));
  person.playing = clip, speeds_[slot] = options.speed;
  playbacks_[slot] = kind.player.playback(slot);
}

void Street::place(uint32_t slot) {
  const Person& person = people_[slot];
  const Lane& lane = lanes_[person.lane];
  const float x = lane.direction * (person.walked - kLength / 2);
  const float facing = lane.direction * std::numbers::pi_v<float> / 2 + person.turn;  // 0 is +z
  const float c = person.size * std::cos(facing), s = person.size * std::sin(facing);
  places_[slot] = {{{c, 0, s, x}, {0, person.size, 0, 0}, {-s, 0, c, lane.z + person.side}}};
}

crowd::Instances Street::instances() const {
  crowd::Instances instances{.models = models_, .world_from_model = places_, .playbacks = playbacks_};
  instances.speeds = speeds_, instances.generations = generations_;
  return instances;
}

std::vector<crowd::SocketRequest> Street::lanterns() const {
  std::vector<crowd::SocketRequest> requests;
  for (uint32_t slot = 0; slot < slot_count(); ++slot) {
    if (models_[slot] != kNoModel && people_[slot].has_lantern) requests.push_back({slot, 0});  // the only socket
  }
  return requests;
}

}  // namespace street
