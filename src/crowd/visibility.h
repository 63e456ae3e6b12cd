// Frustum culling with conservative bounds: a culled instance is invisible for certain, others may be visible.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/animation/evaluator.h"
#include "sinew/asset/math.h"
#include "sinew/crowd/frame.h"
#include "sinew/crowd/model_info.h"

namespace sinew::crowd::internal {

inline constexpr float kSlack = 1e-3f;  // world units; margin for float rounding of coordinates up to some hundreds

/// The frustum of a view in world space. What lies behind one of its planes is invisible.
struct Frustum {
  std::array<Vec4, 6> planes;  // unit normal that points inwards, and distance
};

struct SphereBits;

/// The planes of a view's clip space.
Frustum frustum_of(const View& view);

bool may_be_visible(const Frustum& frustum, const Sphere& sphere);

/// The box around all poses that a model can play; model space.
Box box_of(const CharacterBounds& bounds);

/// The sphere around a box of an instance, in world space, and around `extra` if that has a radius.
Sphere sphere_of(const Box& box, const Matrix3x4& world_from_model, const Sphere& extra);

/// For each clip in Character::clips: whether its box leaves the neighborhood of the middle, as of a person who walks
/// away from where the instance is. Empty if none does, and without bounds.
std::vector<bool> find_roaming_clips(const ModelInfo& model);

/// The distance of a point from the box of what an instance plays; 0 inside. The model must have bounds.
float distance_to_bounds(const ModelInfo& model, const Matrix3x4& world_from_model, const Playback& playback,
                         Vec3 point);

/// What a frame shows: the frusta of its views, and how far shadows are followed in the first one.
class Visibility {
 public:
  void set(const PlanFrame& frame);

  /// Whether instances or their shadows may be visible, from spheres around them; at most kSpheresAtOnce.
  SphereBits test(std::span<const Sphere> spheres) const;

  /// Whether an instance may be visible, from the bounds of what it plays. The model must have bounds. `extra` is of
  /// Instances::extra_spheres.
  bool may_be_visible(const ModelInfo& model, const Matrix3x4& world_from_model, const Playback& playback,
                      const Sphere& extra) const;
  bool may_cast_visible_shadow(const ModelInfo& model, const Matrix3x4& world_from_model,
                               const Playback& playback) const;

  /// Whether the frame's occlusion hides an instance, with its shadow, from all views; from the sphere around it.
  bool has_occlusion() const { return occlusion_.is_hidden != nullptr; }
  bool is_occluded(const Sphere& sphere) const;

 private:
  bool is_hidden(const Sphere& sphere, uint32_t view) const;
  bool is_shadow_hidden(const Sphere& sphere) const;
  Vec3 sweep_from(float top) const;

  std::vector<Frustum> frusta_;  // of each view
  std::optional<SunShadows> shadows_;
  OcclusionSource occlusion_;
  Vec3 up_{0, 1, 0};
};

}  // namespace sinew::crowd::internal
