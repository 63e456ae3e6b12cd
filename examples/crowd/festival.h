// Where the characters of the festival are, and what they play. A circle in the middle, where limp bodies are tossed
// into the air; around it spectators, and lanes in which others walk, many with a torch.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/animation/evaluator.h"
#include "sinew/asset/math.h"
#include "sinew/asset/model.h"
#include "sinew/crowd/frame.h"

namespace festival {

inline constexpr uint32_t kTossPlaces = 6, kTossersPerPlace = 9;

/// The clips of a character that its instances play.
struct Clips {
  uint32_t walk = 0, idle = 0, dance = 0, cheer = 0, wave = 0;
};

Clips clips_of(const sinew::Character& character);

/// All arrays have one element per instance. The first kTossPlaces instances are limp bodies: the host poses them.
class Festival {
 public:
  /// `model` must outlive it. Torchbearers raise an arm if it has the masks "all but the arm" and "arm".
  Festival(const sinew::Model& model, uint32_t count);

  /// Moves those that walk.
  void advance(double step_seconds);

  /// What the planner reads. Valid until the next call.
  sinew::crowd::Instances instances();

  /// Sets where a limp body is.
  void set_body(uint32_t body, const sinew::Matrix3x4& world_from_model, sinew::Vec3 middle);
  /// The ground below a limp body.
  static sinew::Vec3 toss_place(uint32_t body);

  std::vector<sinew::Vec3> tints;      // of clothes
  std::vector<uint32_t> torchbearers;  // instances

 private:
  enum class Role : uint8_t { kBody, kTosser, kSpectator, kWalker, kTorchbearer };
  struct Place {
    float radius = 0, angle = 0;  // around the middle of the festival
    float facing = 0;             // angle about y; 0 faces +z
  };
  void add(Role role, const Place& place);
  void place(uint32_t instance);
  sinew::Playback playback(uint32_t instance, double seconds) const;
  sinew::Layer raised_arm(double seconds) const;
  float random(uint32_t instance, uint32_t salt) const;

  const sinew::Character& character_;
  Clips clips_;
  uint32_t walk_mask_ = 0, arm_mask_ = 0;  // a raised arm while the rest walks; 0: there is none
  std::vector<Role> roles_;
  std::vector<Place> places_;
  std::vector<uint32_t> characters_;
  std::vector<sinew::Matrix3x4> world_from_model_;
  std::vector<float> speeds_;
  std::vector<uint8_t> host_posed_;
  std::vector<sinew::crowd::Sphere> extra_spheres_;
};

}  // namespace festival
