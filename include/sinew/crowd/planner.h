// The planner: decides each frame which instances of a crowd are drawn, and with how much work each.
//
// An instance that no view sees is culled. Others get a level of detail, may share a pose, or keep the pose of the
// previous frame where the error does not show. The cost of all later stages depends on the plan, not on the number of
// instances. Nothing here knows of Vulkan: a plan serves any skinner.
//
//   Planner::create()              once: measures the motion of the clips, which may take a second
//   plan(instances, frame)         each frame
//   last().batches                 each frame: Skinner::prepare() for each group that is updated
//   last().playbacks               each frame: CrowdEvaluator::evaluate() for each batch that is updated
//   last().posed_meshes            each frame: the host draws their instances
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "sinew/api.h"
#include "sinew/asset/parallel.h"
#include "sinew/asset/result.h"
#include "sinew/crowd/frame.h"
#include "sinew/crowd/model_info.h"
#include "sinew/crowd/plan.h"

namespace sinew::crowd {

/// A limit on the device memory for meshes, palettes and skinned vertices. Quality is reduced until a frame fits: first
/// the error of levels of detail doubles, up to 64 pixels; then poses are shared; then there are fewer of them.
struct MemoryBudget {
  uint64_t bytes = 0;                             // 0: no limit, quality is never reduced
  uint32_t kept_palettes = 2, kept_vertices = 1;  // of how many frames the host keeps them; vertices: 2 with
                                                  // SkinnerInfo::keep_previous
  uint32_t vertex_bytes = 16;                     // of one skinned vertex
};

/// The optimizations, and their bounds. Pixels of levels and of shared poses are those in the middle of an instance: at
/// half its height above Instances::positions. Where it plays a clip whose bounds lie further from the rest pose than
/// one and a half times its size, as of a person who walks away, they are those at the nearest point of the bounds of
/// what it plays: all of its way. Clips that stay in place, with the way in Instances::world_from_model, get coarser
/// levels.
struct PlanOptions {
  bool cull = true;           // leave out instances that no view sees; never one that is seen
  bool levels = true;         // draw small instances with coarser levels: within error_pixels
  bool update_rate = true;    // evaluate and skin distant instances in some frames only: within kMaxUpdateErrorPixels
  uint32_t unique_poses = 0;  // share about this many poses among small instances: see shared_radians(); 0: no sharing
  /// Of the surface of a level of detail, above 0. Colors have no bound: layers of cloth that lie close together may
  /// swap where they are small. Less shows finer levels.
  float error_pixels = 1;
  MemoryBudget budget = {};
  /// Every instance is drawn at this level of detail, or at the coarsest that its model has: for tools and
  /// comparisons. Without `levels` it is ignored; with it the memory budget reduces poses alone.
  std::optional<uint32_t> level = {};
  /// Not an optimization: find Plan::previous_poses, for motion vectors. An instance that changes its level of detail
  /// is skinned twice in that frame. Where the memory budget has no room for that, it has no previous pose.
  ///
  /// With update rates the motion of a pose is that of what is drawn: none in the frames that keep it, and that of all
  /// these frames in the one that updates it. So a picture can be reprojected, as temporal anti-aliasing and upscaling
  /// do. It differs from smooth motion by up to twice kMaxUpdateErrorPixels. For motion blur, whose length is that of
  /// the motion, set update_rate = false.
  bool previous_poses = false;
};

/// A coarser level of detail replaces the one of the frame before only if its error is below this share of
/// PlanOptions::error_pixels: an instance at the border between two levels does not flicker.
inline constexpr float kLevelHysteresis = 0.9f;
/// The largest error of a vertex whose pose is not updated in a frame, in pixels, as far as the samples of clips tell.
inline constexpr float kMaxUpdateErrorPixels = 1;
/// Levels of detail with a palette of their own of at most so many entries are evaluated and skinned in every frame:
/// that costs less than to find out whether the pose of a frame before still does.
inline constexpr uint32_t kMaxAlwaysUpdatedPalette = 16;
/// An instance of this height or more, in pixels, does not share a pose.
inline constexpr float kNoSharingAbovePixels = 120;

/// Limits of two optimizations. A memory budget reduces quality here.
struct QualityLimits {
  float error_pixels = 1;     // as in PlanOptions
  uint32_t unique_poses = 0;  // as in PlanOptions
};

/// The sphere around an instance in all its poses, and around `extra`; for Instances::spheres. Infinite without bounds.
SINEW_API Sphere bounding_sphere(const ModelInfo& model, const Matrix3x4& world_from_model, const Sphere& extra = {});

/// The lowest point that an instance reaches in any pose, as its height along `up`; 0 without bounds. For
/// SunShadows::lowest_ground.
SINEW_API float lowest_point(const ModelInfo& model, const Matrix3x4& world_from_model, Vec3 up = {0, 1, 0});

/// The largest angle in radians between the rotations of two palettes of equal size: what Planner::shared_radians()
/// bounds. Matrices may scale, but must not shear.
SINEW_API double angle_between(std::span<const Matrix3x4> a, std::span<const Matrix3x4> b);

/// A model with all measurements that take long: made by Planner::measure() on any thread, for
/// Planner::add_model(). Default-made or moved from, it is empty.
class SINEW_API MeasuredModel {
 public:
  MeasuredModel() noexcept;
  MeasuredModel(MeasuredModel&&) noexcept;
  MeasuredModel& operator=(MeasuredModel&&) noexcept;
  ~MeasuredModel();

 private:
  friend class Planner;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Plans the frames of one crowd. The same arguments give the same plans, for any number of threads. One call at a
/// time. A frame that needs no more memory than the frames before allocates nothing.
class SINEW_API Planner {
 public:
  /// Copies `models`; what they point to must stay until the planner ends or the model is gone, see remove_model().
  /// Measures all of ModelInfo::clips where an option needs it: some milliseconds for each second of a clip. Errors:
  /// kInvalidArgument (no model, a null character, a clip out of range, additive or listed twice, no level or more than
  /// 255, a finest level with a palette of its own, more than kMaxWearables wearables, no height; error_pixels not
  /// above 0), kOutOfMemory.
  static Result<Planner> create(std::span<const ModelInfo> models, const PlanOptions& options,
                                const ParallelFor& parallel_for = {});
  Planner() noexcept;  // empty, as one that was moved from: calls that can fail return kInvalidArgument
  Planner(Planner&&) noexcept;
  Planner& operator=(Planner&&) noexcept;
  ~Planner();

  /// Plans a frame. Reduced quality limits stay for later frames. Errors: kInvalidArgument (an array of another size,
  /// too many instances, a target of an instance that is not there; no view, or one without pixels_per_radian;
  /// shadows of a sun that is not above the horizon), with the last plan unchanged; kOutOfMemory: host memory, or the
  /// memory budget, where nothing is left to reduce. Then last() may not be used but for its counters, needed_bytes()
  /// says what the frame needs, and the next frame updates every group.
  Status plan(const Instances& instances, const PlanFrame& frame, const ParallelFor& parallel_for = {});

  /// Measures a model for add_model(), some milliseconds for each second of a clip where an option needs it. May run
  /// beside other calls, on any thread. Errors: those of create().
  Result<MeasuredModel> measure(const ModelInfo& model, const ParallelFor& parallel_for = {}) const;

  /// Adds a model between two plans. Returns its number, for Instances::models: that of a model that is gone, else the
  /// next one. Costs some microseconds, and some nanoseconds for each level of all models. Errors, with the
  /// planner unchanged and the measured model used up: kInvalidArgument (it is empty, or measured by a planner with
  /// other options), kOutOfMemory.
  Result<uint32_t> add_model(MeasuredModel model);

  /// Removes a model between two plans: no instance of it is drawn from the next plan on. Its number stays taken,
  /// and what its ModelInfo points to must stay, until is_gone(): for `kept_plans` plans, such as those of frames in
  /// flight, or some more. The others keep their numbers and poses. Error: kInvalidArgument (there is no such
  /// model).
  Status remove_model(uint32_t model, uint32_t kept_plans = 0);

  /// Whether a number is that of no model, and no plan has batches of the one that had it.
  bool is_gone(uint32_t model) const;

  /// The plan of the last frame. Valid until the next call of plan().
  const Plan& last() const;

  /// The next plan updates every group, and has no previous poses. Call it if a plan could not be evaluated or skinned.
  /// last() may not be used until then.
  void update_all();

  /// The limits of the next plan. At first one pixel, and the poses of the options. Costs some microseconds; the first
  /// call that shares poses measures all clips as create() does, unless the options share poses or have a budget.
  /// Errors, with the limits unchanged: kInvalidArgument (error_pixels not above 0), kOutOfMemory.
  Status set_limits(const QualityLimits& limits, const ParallelFor& parallel_for = {});
  const QualityLimits& limits() const;

  /// How far chains can carry vertices of a model out of its bounds, in model units: measure_chain_margin(). From the
  /// next plan on, the sphere of an instance with targets is larger by this, times its scale. 0 at first. Errors, with
  /// nothing changed: kInvalidArgument (no such model; below 0, or not finite).
  Status set_chain_margin(uint32_t model, float margin);

  /// The largest rotation error of a joint in a shared pose, in radians, as far as the samples of the clips can tell.
  float shared_radians() const;

  /// An estimate of the device memory that the last frame planned needs, and of the largest frame that fitted; bytes.
  /// Includes half as much again for pages that grow. 0 without a budget.
  uint64_t needed_bytes() const;
  uint64_t max_needed_bytes() const;

 private:
  struct Impl;
  explicit Planner(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace sinew::crowd
