// People on a street: they come in at one end, walk along a lane and leave at the other; some stop on the way. Each has
// a slot in the arrays of crowd::Instances, and a free slot gets the next person who comes.
#pragma once

#include <cstdint>
#include <deque>
#include <random>
#include <vector>

#include "sinew/animation/player.h"
#include "sinew/asset/model.h"
#include "sinew/crowd/attachments.h"
#include "sinew/crowd/frame.h"

namespace street {

inline constexpr float kLength = 52;             // meters along x, around the origin
inline constexpr double kStepSeconds = 1. / 60;  // the longest step of Street::advance()

class Street {
 public:
  explicit Street(uint32_t max_people) : max_people_(max_people) {}

  /// From now on people of this model come. `number` is that of the model in the crowd.
  void open(uint32_t number, sinew::SharedModel model);
  /// No more of them come; those on the street walk on, and leave.
  void close(uint32_t number) { kinds_[number].is_open = false; }
  /// Forgets the model, when none of them is on the street.
  void remove(uint32_t number) { kinds_[number] = {}; }
  uint32_t people_of(uint32_t number) const { return kinds_[number].people; }

  void advance(double step_seconds);

  /// Valid until the next call that changes the street.
  sinew::crowd::Instances instances() const;
  const std::vector<sinew::Vec3>& tints() const { return tints_; }  // of clothes, by slot
  /// The hands that hold a lantern.
  std::vector<sinew::crowd::SocketRequest> lanterns() const;

  uint32_t slot_count() const { return uint32_t(models_.size()); }
  uint32_t came() const { return came_; }
  uint32_t left() const { return left_; }

 private:
  /// The people of one model. A player plays the clips of one character, so each kind has its own, with a place for
  /// every slot; the places of others rest.
  struct Kind {
    sinew::SharedModel model;
    sinew::Player player;
    uint32_t walk = 0, idle = 0;  // clips
    float speed = 1;              // of the walk, in meters per second
    uint32_t people = 0;
    bool is_open = false;
  };
  struct Lane {
    float z = 0, direction = 1;  // along x
    float speed = 1;             // of all in the lane: there is no overtaking
    std::deque<uint32_t> slots;  // in the order in which they came
  };
  struct Person {
    uint32_t lane = 0, playing = 0;  // a clip
    float walked = 0, side = 0;      // meters along the lane, and beside it
    float turn = 0, size = 1;
    float stop_at = 0, stop_seconds = 0;
    uint32_t stop_clip = 0;
    bool has_lantern = false;
  };
  static std::vector<Lane> make_lanes();
  void enter();
  void leave(Lane& lane);
  uint32_t take_slot();
  void walk(const Lane& lane, uint32_t slot, float room, float step_seconds);
  void play(uint32_t slot, uint32_t clip, float fade_seconds);
  void place(uint32_t slot);
  float random() { return float(engine_() >> 8) / float(1 << 24); }  // from 0 to 1, the same on all machines

  uint32_t max_people_;
  std::mt19937 engine_;
  std::vector<Kind> kinds_;  // by the number of the model
  std::vector<Lane> lanes_ = make_lanes();
  double seconds_to_next_ = 0;
  uint32_t came_ = 0, left_ = 0;
  std::vector<uint32_t> free_slots_;
  // By slot:
  std::vector<Person> people_;
  std::vector<uint32_t> models_;       // UINT32_MAX: the slot is free
  std::vector<uint32_t> generations_;  // how many people have had the slot
  std::vector<sinew::Matrix3x4> places_;
  std::vector<sinew::Playback> playbacks_;
  std::vector<float> speeds_;
  std::vector<sinew::Vec3> tints_;
};

}  // namespace street
