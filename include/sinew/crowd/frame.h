// The input of a plan: the host's instances, its views and the time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "sinew/animation/evaluator.h"
#include "sinew/api.h"
#include "sinew/asset/math.h"

namespace sinew::crowd {

/// A sphere in world space.
struct Sphere {
  Vec3 center;
  float radius = 0;
};

/// What instances play, as a function. Planner::plan() calls it for instances that may be visible, at most twice for
/// each, on the threads of the plan. Equal arguments must give equal playbacks.
struct PlaybackSource {
  void* user_data = nullptr;
  Playback (*at)(void* user_data, uint32_t instance, double seconds) = nullptr;
};

/// world_from_model of instances, as a function: a host may keep them in a smaller form. Called on the threads of the
/// call that takes the instances, for those that may be visible (without Instances::spheres: for all); by
/// Planner::plan() at most twice for each. Equal arguments must give equal matrices within a frame.
struct TransformSource {
  void* user_data = nullptr;
  Matrix3x4 (*at)(void* user_data, uint32_t instance) = nullptr;
};

/// What else is drawn with instances, as a function: see Instances::extra_spheres. Called as a TransformSource is.
struct SphereSource {
  void* user_data = nullptr;
  Sphere (*at)(void* user_data, uint32_t instance) = nullptr;
};

/// What is known to be hidden, as a function: whether all of a sphere is behind something that is not of the crowd, or
/// behind instances that are certainly drawn, in a view of the frame. A sphere contains an instance in all its poses,
/// or a part of the way of its shadow. False where that is not certain. Called on the threads of the plan, for spheres
/// that the view may see; once for most instances. Equal arguments must give equal answers within a frame. A ready-made
/// one: DepthPyramid, sinew/crowd/occlusion.h.
struct OcclusionSource {
  void* user_data = nullptr;
  /// `view`: index in PlanFrame::views.
  bool (*is_hidden)(void* user_data, const Sphere& sphere, uint32_t view) = nullptr;
};

/// The most instances of a crowd: a plan counts their posed meshes in 32 bits.
inline constexpr uint32_t kMaxInstances = 1 << 28;

/// The host's instances, at most kMaxInstances, as arrays with one element per instance. An optional array may be
/// empty. The arrays are only read, and only during the call that takes them. An instance keeps its index as long as it
/// lives. An index without an instance has a number without a model, such as UINT32_MAX.
struct Instances {
  std::span<const uint32_t> models = {};  // numbers of models of the planner, or of the SkinnedCrowd; an
                                          // instance of a number without a model is never drawn
  /// Where each instance is: this array, or `world_from_model_source`.
  std::span<const Matrix3x4> world_from_model = {};

  /// What each instance plays now: an array, or a function. The function is better with update rates: a pose that is
  /// shown in four frames is then evaluated for the middle of these frames. It is used if it is set.
  std::span<const Playback> playbacks = {};
  PlaybackSource playback_source = {};

  std::span<const float> speeds = {};    // optional: clip seconds per second; 1 without
  std::span<const Vec3> positions = {};  // optional: of the feet; without: the translation of world_from_model.
                                         // Distances are measured from there, see PlanOptions
  std::span<const float> scales = {};    // optional: factor on the sizes in ModelInfo; 1 without

  /// Optional: what else is drawn with an instance, such as a soft shadow or a name: visible if this sphere is.
  /// This array, or `extra_sphere_source`.
  std::span<const Sphere> extra_spheres = {};
  /// Optional, to save time: bounding_sphere() of each instance, with its element of `extra_spheres`. Without, it is
  /// computed in every frame.
  std::span<const Sphere> spheres = {};

  /// Optional: in which frames of its update rate an instance is updated. Not the phase of a clip.
  std::span<const uint8_t> phases = {};
  /// Optional: not 0: the host writes this instance's palette itself. Culling knows only the bounds of its clips: if
  /// the host's pose can leave them, give an element of `extra_spheres` that contains it.
  std::span<const uint8_t> host_posed = {};

  /// Optional: where chains of instances shall be: ascending by instance, all below count(), only of those that have
  /// any. Such an instance shares no pose, and is updated in every frame. Culling adds Planner::set_chain_margin() to
  /// its bounds, also to its element of `spheres`; a SkinnedCrowd calls set_chain_margin() by itself, in
  /// set_chains().
  std::span<const ChainTarget> targets = {};

  /// Optional: what each instance wears: bit w is wearable w of its model, Model::wearables[w]; bits beyond are
  /// ignored. Empty: nothing. With update rates a changed outfit shows when the pose is updated next, within four
  /// frames. Bounds of a model contain its wearables.
  std::span<const uint64_t> outfits = {};

  /// Optional: which instance this is, of those that have had its index one after another. An instance whose number
  /// differs from the one that was visible last is new: it has no previous pose, keeps no pose, and its level of detail
  /// is chosen anew. Without, a new instance with the index of an old one of the same model follows that one.
  std::span<const uint32_t> generations = {};

  /// Functions in place of the arrays of these names; used if they are set.
  TransformSource world_from_model_source = {};
  SphereSource extra_sphere_source = {};

  uint32_t count() const { return uint32_t(models.size()); }
  Matrix3x4 transform_of(uint32_t instance) const {
    const TransformSource& source = world_from_model_source;
    return source.at ? source.at(source.user_data, instance) : world_from_model[instance];
  }
};

/// View::pixels_per_radian of a view that needs no detail, as of a shadow map: it only keeps instances from being
/// culled.
inline constexpr float kNoDetail = -1;

/// A view into the world. An instance is drawn if any view may see it.
struct View {
  /// Column-major, as glm and GLSL have it. Clip space is that of Vulkan: y down, depth from 0 to 1, or from 1 to 0.
  /// With glm: negate [1][1] of the projection; front faces are then VK_FRONT_FACE_COUNTER_CLOCKWISE.
  float clip_from_world[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  Vec3 eye;
  /// In the middle of the picture a length s at distance d covers s / d times this many pixels. Picture height / (2 *
  /// tan(field of view / 2)). Above 0, or kNoDetail.
  float pixels_per_radian = 0;

  /// The view of a camera. `field_of_view`: the vertical angle in radians, above 0 and below pi; `height`: of the
  /// picture, in pixels. With others the view has no pixels_per_radian, and is refused.
  SINEW_API static View from_camera(std::span<const float, 16> clip_from_world, Vec3 eye, float field_of_view,
                                    float height);
  /// A view that needs no detail.
  SINEW_API static View for_culling(std::span<const float, 16> clip_from_world);
};

/// A directional light with shadow maps. An instance that the first view does not see is kept if its shadow may be
/// seen.
struct SunShadows {
  Vec3 to_sun{0, 1, 0};     // direction, of any length, above the horizon: dot(to_sun, PlanFrame::up) > 0
  float lowest_ground = 0;  // height along PlanFrame::up below which no surface receives a shadow
  float margin = 0;         // world units by which a shadow may be displaced, as by its filter
};

/// One frame of the host.
struct PlanFrame {
  double seconds = 0;  // the host's time, for PlaybackSource and update rates. 0 in all: a frame is 1/60 s
  std::span<const View> views = {};  // at least one; the first is that of the camera
  std::optional<SunShadows> shadows = {};
  Vec3 up{0, 1, 0};  // of unit length
  /// Optional: instances that all views hide are culled, if their shadows are hidden too. Without PlanOptions::cull,
  /// and for models without bounds, it is not asked. On a plain it costs more than it saves.
  OcclusionSource occlusion = {};
};

}  // namespace sinew::crowd
