// A limp body that is tossed into the air: the pose is not from a clip. Each joint hangs from its parent as a pendulum;
// the result is a palette, as the library takes it from any source: a physics engine, inverse kinematics, a network.
#pragma once

#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <span>
#include <vector>

#include "sinew/asset/character.h"
#include "sinew/asset/math.h"

namespace festival {

class LimpBody {
 public:
  /// `place` is on the ground; `phase` from 0 to 1 tells bodies apart.
  LimpBody(const sinew::Character& character, sinew::Vec3 place, float phase);

  void advance(double step_seconds);

  sinew::Matrix3x4 world_from_model() const;
  sinew::Vec3 middle() const { return {center_.x, center_.y, center_.z}; }

  /// Writes the palette: palette_size matrices.
  void write_palette(std::span<sinew::Matrix3x4> palette) const;

 private:
  /// The end of a joint: a weight that hangs from it.
  struct Pendulum {
    uint32_t joint = 0, child = 0;
    glm::vec3 end{0}, end_before{0};  // world space
    bool started = false;
  };
  void toss(double seconds);
  void swing(Pendulum& pendulum, float step_seconds);

  const sinew::Character& character_;
  glm::vec3 place_, center_{0}, middle_of_model_{0};
  glm::quat tumble_{1, 0, 0, 0};
  float phase_ = 0;
  double seconds_ = 0;
  std::vector<sinew::Transform> pose_;  // local space
  std::vector<sinew::Matrix3x4d> model_from_joint_;
  std::vector<Pendulum> pendulums_;
};

}  // namespace festival
