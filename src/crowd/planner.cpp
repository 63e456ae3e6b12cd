#include "sinew/crowd/planner.h"
#include "sinew/profile.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "asset/exceptions.h"
#include "asset/for_each.h"
#include "asset/largest_scale.h"
#include "budget.h"
#include "frame_faults.h"
#include "instance_block.h"
#include "level_of_detail.h"
#include "plan_builder.h"
#include "playback.h"
#include "pose_sharing.h"
#include "previous_poses.h"
#include "roster.h"
#include "sphere_test.h"
#include "update_rate.h"
#include "visibility.h"
#include "visible_instances.h"

namespace sinew::crowd {

using namespace internal;
using sinew::internal::for_each;
using sinew::internal::out_of_memory;
namespace {

// A task has at least so many instances, and there are not many more tasks than this: each counts by mesh and group.
constexpr uint32_t kMinInstancesPerTask = 2048, kMaxTasks = 256;
constexpr double kMaxFrameSeconds = 0.25;  // a longer step is a pause or a jump in time

Error empty_planner() {
  return {ErrorCode::kInvalidArgument, "planner: it is empty, because create() did not make it or it was moved from"};
}

Error no_error_pixels() { return {ErrorCode::kInvalidArgument, "error_pixels must be above 0"}; }

}  // namespace

struct MeasuredModel::Impl {
  Measured measured;
};

struct Planner::Impl {
  Impl(std::span<const ModelInfo> infos, const PlanOptions& wanted, const ParallelFor& parallel_for);

  WantedMotion wanted_motion() const {
    return {options.update_rate, options.unique_poses > 0 || options.budget.bytes > 0};
  }
  uint32_t add(Measured& measured);
  void release_removed();
  void set_limits(const QualityLimits& wanted, const ParallelFor& parallel_for);
  void keep_rotation_paths(std::span<ClipMotion> motions);
  void share_poses(uint32_t unique_poses, const ParallelFor& parallel_for);
  Status plan(const Instances& of_host, const PlanFrame& of_frame, const ParallelFor& parallel_for);
  void begin(const ParallelFor& parallel_for);
  void compute(bool again, const ParallelFor& parallel_for);
  void find_visible(Task& task);
  void decide_again(Task& task);
  SphereBits test_spheres(Block& block) const;
  Sphere sphere_of_instance(Block& block, uint32_t instance) const;
  bool is_occluded(const Block& block, uint32_t instance) const;
  void follow_generation(uint32_t instance);
  void add_inside(Task& task, Block& block, uint32_t instance);
  void add_bounded(Task& task, Block& block, uint32_t instance);
  void add_visible(Task& task, Block& block, uint32_t instance, const Playback* playback, bool shadow_only);
  uint32_t choose_level(uint32_t instance, uint32_t model, float pixels_per_unit, bool host_posed);
  void decide(Task& task, Block* block, size_t index, const Level& level);
  void decide_pose(Task& task, Block* block, size_t index, const Level& level, const Playback& playback);
  uint32_t bucket_of(const VisibleInstance& visible, const Playback& playback) const;
  void choose_group(Task& task, Block* block, size_t index, const Playback& playback);
  bool may_plan_again() const { return options.budget.bytes > 0; }
  bool has_decisions(const Level& level) const { return !buckets.empty() || (update_rates && may_skip_updates(level)); }
  Sphere extra_sphere(uint32_t instance) const;
  float pixels_per_unit(uint32_t model, Vec3 position, float scale) const;
  std::optional<float> pixels_of_bounds(Block& block, uint32_t instance, const Playback& playback) const;
  UpdateFrame update_frame() const { return {instances, frame.views, number, frame.seconds, frame_seconds}; }
  Error refusal() const;
  /// After an error: the next frame updates all groups, because this one was not skinned. Only the counters stay.
  void forget() {
    plan_now.groups.clear(), plan_now.batches.clear(), plan_now.posed_meshes.clear();
    plan_now.playbacks.clear(), plan_now.wearers.clear(), plan_now.instances.clear(), plan_now.previous_poses.clear();
  }
  std::span<Task> active_tasks() { return std::span(tasks).first(task_count); }

  Roster roster;
  PlanOptions options;
  QualityLimits limits;
  LevelsOfDetail levels;
  std::vector<uint32_t> generations;  // of each instance, when it was visible last
  std::vector<PoseBuckets> buckets;   // of each model, where poses are shared
  std::optional<UpdateRates> update_rates;
  std::optional<PreviousPoses> previous_poses;
  PlanBuilder builder;
  Visibility visibility;
  std::vector<Task> tasks;  // as many as ever were needed: their lists keep their memory
  uint32_t task_count = 0;
  uint64_t needed = 0, max_needed = 0;

  // The current frame.
  Instances instances;
  PlanFrame frame;
  uint64_t number = 0;
  double frame_seconds = 1 / 60.0;  // about the time between frames
  bool skin_level_changes = true;   // as in PlanSource
  Plan plan_now, previous;
};

Planner::Impl::Impl(std::span<const ModelInfo> infos, const PlanOptions& wanted, const ParallelFor& parallel_for)
    : roster(infos), options(wanted), builder(roster.models) {
  const WantedMotion measured = wanted_motion();
  std::vector<ClipMotion> motions = measure_motion(roster.models, measured, parallel_for);
  if (options.update_rate) update_rates.emplace(roster.models, motions);
  if (measured.turned) keep_rotation_paths(motions);
  if (options.previous_poses) previous_poses.emplace();
  limits = {options.error_pixels, options.unique_poses};
  share_poses(limits.unique_poses, parallel_for);
}

uint32_t Planner::Impl::add(Measured& measured) {
  const uint32_t added = roster.free_number();
  struct Undo {
    Roster* roster;
    uint32_t number;
    ~Undo() {
      if (roster != nullptr) roster->leave(number);
    }
  } undo{&roster, added};
  roster.enter(added, measured);
  if (update_rates) update_rates->set_model(added, measured.info, measured.motion);
  share_poses(limits.unique_poses, {});
  builder.set_models(roster.models);
  undo.roster = nullptr;
  roster.admit(added);
  return added;
}

/// The next plan cannot repeat a batch of these.
void Planner::Impl::release_removed() {
  const std::vector<uint32_t> gone = roster.release(number, plan_now);
  if (gone.empty()) return;
  for (const uint32_t model : gone) {
    if (update_rates) update_rates->clear_model(model);
  }
  share_poses(limits.unique_poses, {});
  builder.set_models(roster.models);
}

void Planner::Impl::set_limits(const QualityLimits& wanted, const ParallelFor& parallel_for) {
  if (wanted.unique_poses != limits.unique_poses) share_poses(wanted.unique_poses, parallel_for);
  if (wanted.error_pixels != limits.error_pixels) levels.forget();
  limits = wanted;
}

void Planner::Impl::keep_rotation_paths(std::span<ClipMotion> motions) {
  std::vector<std::vector<ClipPath>> measured;
  for (ClipMotion& motion : motions) measured.push_back(std::move(motion.turned));
  roster.rotation_paths = std::move(measured);
}

/// Changes nothing if memory runs out. Measures clips only if create() did not expect that poses are shared.
void Planner::Impl::share_poses(uint32_t unique_poses, const ParallelFor& parallel_for) {
  if (unique_poses > 0 && roster.rotation_paths.empty()) {
    std::vector<ClipMotion> motions = measure_motion(roster.models, {.turned = true}, parallel_for);
    keep_rotation_paths(motions);
  }
  uint32_t meshes = 0;
  for (const ModelInfo& model : roster.models) meshes += uint32_t(model.levels.size());
  const uint32_t buckets_per_mesh = std::max(unique_poses / std::max(meshes, 1u), 1u);
  std::vector<PoseBuckets> made;
  for (size_t i = 0; i < roster.models.size() && unique_poses > 0; ++i) {
    const bool gone = roster.models[i].character == nullptr;
    made.push_back(gone ? PoseBuckets() : PoseBuckets(roster.models[i], roster.rotation_paths[i], buckets_per_mesh));
  }
  buckets = std::move(made);
}

Status Planner::Impl::plan(const Instances& of_host, const PlanFrame& of_frame, const ParallelFor& parallel_for) {
  const double since = of_frame.seconds - frame.seconds;
  if (since > 0 && since < kMaxFrameSeconds) frame_seconds += (since - frame_seconds) / 4;
  instances = of_host, frame = of_frame;
  begin(parallel_for);
  for (bool again = false;; again = true) {
    compute(again, parallel_for);
    if (!may_plan_again()) return {};
    needed = internal::needed_bytes(roster.models, plan_now, options.budget);
    if (needed <= options.budget.bytes) {
      max_needed = std::max(max_needed, needed);
      return {};
    }
    if (std::exchange(skin_level_changes, false) && builder.has_level_changes()) continue;
    const auto lower = reduced(limits, roster.has_levels && options.levels && !options.level);
    if (!lower) return refusal();
    set_limits(*lower, parallel_for);
  }
}

void Planner::Impl::begin(const ParallelFor& parallel_for) {
  ++number;
  visibility.set(frame);
  if (roster.has_removed) release_removed();
  std::swap(plan_now, previous);
  const uint32_t count = instances.count();
  if (!instances.generations.empty()) generations.resize(count);
  levels.set_instance_count(count);
  // A task counts by key: so memory follows the instances, however many models and levels there are.
  const uint32_t keys = builder.mesh_count() * (kUpdateGroups + 1);
  const uint32_t per_task = std::max({kMinInstancesPerTask, (count / kMaxTasks + 63) / 64 * 64, (keys + 63) / 64 * 64});
  task_count = (count + per_task - 1) / per_task;
  if (tasks.size() < task_count) tasks.resize(task_count);
  for (uint32_t t = 0; t < task_count; ++t) {
    const uint32_t first = t * per_task;
    tasks[t].first_instance = first, tasks[t].instance_count = std::min(per_task, count - first);
  }
  skin_level_changes = true;
  if (update_rates) update_rates->begin(number, count, previous, parallel_for);
  if (previous_poses) previous_poses->begin(number, count, previous, parallel_for);
}

/// `again`: the frame was planned with higher quality, and did not fit. Then visibility is known.
void Planner::Impl::compute(bool again, const ParallelFor& parallel_for) {
  plan_now.seconds = frame.seconds;
  plan_now.groups.assign(update_rates ? kUpdateGroups : 1, {.seconds = frame.seconds});
  const PreviousPoses* poses = previous_poses ? &*previous_poses : nullptr;
  const PlanSource source{instances, active_tasks(), buckets, previous, poses, skin_level_changes};
  builder.begin(source, plan_now.groups.size());
  for_each(parallel_for, task_count, [&](uint32_t task) {
    again ? decide_again(tasks[task]) : find_visible(tasks[task]);
    if (!update_rates) builder.count_task(task);
  });
  if (update_rates) {
    const UpdateFrame now = update_frame();
    update_rates->begin_groups(now, active_tasks(), plan_now.groups);
    for_each(parallel_for, task_count, [&](uint32_t task) {
      update_rates->resolve(now, plan_now.groups, tasks[task]);
      builder.count_task(task);
    });
  }
  builder.build(source, parallel_for, plan_now);
}

Sphere Planner::Impl::extra_sphere(uint32_t instance) const {
  const SphereSource& source = instances.extra_sphere_source;
  if (source.at) return source.at(source.user_data, instance);
  return instances.extra_spheres.empty() ? Sphere() : instances.extra_spheres[instance];
}

Sphere Planner::Impl::sphere_of_instance(Block& block, uint32_t instance) const {
  const uint32_t model = instances.models[instance];
  const bool given = !instances.spheres.empty();
  Sphere sphere =
      given ? instances.spheres[instance]
            : sphere_of(roster.boxes[model], transform_of(instances, block, instance), extra_sphere(instance));
  if (roster.chain_margins[model] > 0 && has_targets(instances, instance)) {
    const float scale = sinew::internal::largest_scale(transform_of(instances, block, instance));
    sphere.radius += roster.chain_margins[model] * scale;
  }
  return sphere;
}

/// Of the instances of a block: which may be drawn, and which certainly are.
SphereBits Planner::Impl::test_spheres(Block& block) const {
  const uint64_t all = ~uint64_t{0} >> (64 - block.count);
  if (!options.cull) return {all, all};
  const uint64_t targeted = with_targets(instances, block.first, block.count);
  block.has_spheres = instances.spheres.empty() || !roster.all_bounded || targeted != 0;
  if (!block.has_spheres) return visibility.test(instances.spheres.subspan(block.first, block.count));
  uint64_t unbounded = 0;
  for (uint32_t i = 0; i < block.count; ++i) {
    const uint32_t instance = block.first + i, model = instances.models[instance];
    if (!roster.is_there(model)) continue;
    unbounded |= uint64_t{!is_bounded(roster.models[model])} << i;
    block.spheres[i] = sphere_of_instance(block, instance);
  }
  const SphereBits found = visibility.test(std::span(block.spheres).first(block.count));
  return {found.may_be_drawn | unbounded, found.inside | unbounded | (found.may_be_drawn & targeted)};
}

/// The sphere test is the only work for an instance that is culled by it, with occlusion also for one that is hidden,
/// and an instance whose sphere is wholly inside a view needs no further one: the box of what it plays is inside the
/// sphere. No box is known for one with targets: its sphere decides.
void Planner::Impl::find_visible(Task& task) {
  clear_with_margin(task.visible), clear_with_margin(task.updates);
  clear_with_margin(task.buckets);
  task.new_slots = 0, task.shadow_only = 0, task.occluded = 0;
  const uint32_t end = task.first_instance + task.instance_count;
  Block block;
  for (block.first = task.first_instance; block.first < end; block.first += kSpheresAtOnce) {
    block.count = std::min(kSpheresAtOnce, end - block.first), block.asked = 0;
    const SphereBits bits = test_spheres(block);
    for (uint64_t left = bits.may_be_drawn; left != 0; left &= left - 1) {
      const uint32_t place = uint32_t(std::countr_zero(left)), instance = block.first + place;
      if (!roster.is_there(instances.models[instance])) continue;
      if ((bits.inside >> place & 1) != 0) {
        add_inside(task, block, instance);
      } else {
        add_bounded(task, block, instance);
      }
    }
  }
  const bool keeps_ahead = update_rates && may_plan_again() && instances.playback_source.at;
  fill_with_margin(task.ahead, keeps_ahead ? task.visible.size() : 0, PlaybackAhead());
}

inline uint32_t Planner::Impl::choose_level(uint32_t instance, uint32_t model, float pixels_per_unit, bool host_posed) {
  const std::span<const Level> own = roster.models[model].levels;
  if (!options.levels) return 0;
  if (options.level) [[unlikely]]
    return nearest_level(own, *options.level, host_posed);
  return levels.choose(instance, own, pixels_per_unit, limits.error_pixels, host_posed);
}

/// With other limits. Asks the host for transforms that were not needed before, and for nothing else.
void Planner::Impl::decide_again(Task& task) {
  if (update_rates) update_rates->begin_again(instances, task);
  fill_with_margin(task.buckets, buckets.empty() ? 0 : task.visible.size(), kNoBucket);
  for (size_t i = 0; i < task.visible.size(); ++i) {
    VisibleInstance& visible = task.visible[i];
    visible.group = 0;
    const uint32_t model = instances.models[visible.instance];
    const uint32_t level = choose_level(visible.instance, model, visible.pixels_per_unit, visible.host_posed);
    visible.mesh = builder.first_mesh_of(model) + level, visible.level = uint8_t(level);
    decide(task, nullptr, i, roster.models[model].levels[level]);
  }
}

bool Planner::Impl::is_occluded(const Block& block, uint32_t instance) const {
  if (!options.cull || !visibility.has_occlusion() || !is_bounded(roster.models[instances.models[instance]]))
    return false;
  return visibility.is_occluded(block.has_spheres ? block.spheres[instance - block.first]
                                                  : instances.spheres[instance]);
}

/// Adds an instance that is wholly inside a view, unless something hides it.
void Planner::Impl::add_inside(Task& task, Block& block, uint32_t instance) {
  if (is_occluded(block, instance)) return void(++task.occluded);
  add_visible(task, block, instance, nullptr, false);
}

/// Adds an instance if it, or its shadow, may be visible with the bounds of what it plays.
void Planner::Impl::add_bounded(Task& task, Block& block, uint32_t instance) {
  const ModelInfo& model = roster.models[instances.models[instance]];
  const Matrix3x4& world_from_model = transform_of(instances, block, instance);
  const Playback playback = playback_at(instances, instance, frame.seconds);
  const bool visible = visibility.may_be_visible(model, world_from_model, playback, extra_sphere(instance));
  if (!visible && !visibility.may_cast_visible_shadow(model, world_from_model, playback)) return;
  if (is_occluded(block, instance)) return void(++task.occluded);
  add_visible(task, block, instance, &playback, !visible);
}

/// A new instance follows no other one.
void Planner::Impl::follow_generation(uint32_t instance) {
  if (instances.generations[instance] == generations[instance]) return;
  generations[instance] = instances.generations[instance];
  levels.forget(instance);
  if (update_rates) update_rates->forget(instance);
  if (previous_poses) previous_poses->forget(instance);
}

/// Of an instance of scale 1 that stands where this one stands.
inline float Planner::Impl::pixels_per_unit(uint32_t model, Vec3 position, float scale) const {
  const Vec3 center = position + frame.up * (roster.models[model].height * scale / 2);
  float pixels = 0;
  for (const View& view : frame.views) pixels = std::max(pixels, view.pixels_per_radian / length(center - view.eye));
  return pixels * scale;
}

/// `playback` is what the instance plays, where that is known.
void Planner::Impl::add_visible(Task& task, Block& block, uint32_t instance, const Playback* playback,
                                bool shadow_only) {
  if (!instances.generations.empty()) follow_generation(instance);
  const uint32_t model = instances.models[instance];
  const float scale = instances.scales.empty() ? 1 : instances.scales[instance];
  const bool host_posed = !instances.host_posed.empty() && instances.host_posed[instance] != 0;
  float pixels = pixels_per_unit(model, position_of(instances, block, instance), scale);
  std::optional<Playback> asked;
  if (roster.has_roaming_clips && !roster.roaming_clips[model].empty()) [[unlikely]] {
    if (playback == nullptr) playback = &asked.emplace(playback_at(instances, instance, frame.seconds));
    pixels = pixels_of_bounds(block, instance, *playback).value_or(pixels);
  }
  const uint32_t level = choose_level(instance, model, pixels, host_posed);
  const size_t index = task.visible.size();
  // Not made elsewhere and copied: what is written in parts is slow to read as a whole.
  VisibleInstance& visible = task.visible.emplace_back();
  visible.instance = instance;
  visible.mesh = builder.first_mesh_of(model) + level;
  visible.pixels_per_unit = pixels;
  visible.level = uint8_t(level);
  visible.host_posed = host_posed;
  visible.shadow_only = shadow_only;
  task.shadow_only += shadow_only;
  if (playback) set_playback(task, index, *playback);
  if (update_rates) task.updates.emplace_back();
  if (!buckets.empty()) task.buckets.push_back(kNoBucket);
  const Level& own = roster.models[model].levels[level];
  if (has_decisions(own) || may_plan_again()) decide(task, &block, index, own);
}

/// Decides how much work a visible instance of a level is: whether it shares a pose, and its update group. `block` is
/// null in a frame that is planned again.
void Planner::Impl::decide(Task& task, Block* block, size_t index, const Level& level) {
  const VisibleInstance& visible = task.visible[index];
  if (visible.has_playback) return decide_pose(task, block, index, level, task.playbacks[index]);
  decide_pose(task, block, index, level, playback_at(instances, visible.instance, frame.seconds));
}

void Planner::Impl::decide_pose(Task& task, Block* block, size_t index, const Level& level, const Playback& playback) {
  const VisibleInstance& visible = task.visible[index];
  uint32_t bucket = kNoBucket;
  if (!buckets.empty()) task.buckets[index] = bucket = bucket_of(visible, playback);
  if (update_rates && may_skip_updates(level) && bucket == kNoBucket) choose_group(task, block, index, playback);
  if (!visible.has_playback && kept_mesh_of(task, index) == kNoPosedMesh) set_playback(task, index, playback);
}

uint32_t Planner::Impl::bucket_of(const VisibleInstance& visible, const Playback& playback) const {
  const uint32_t model = instances.models[visible.instance];
  const bool is_small = roster.models[model].height * visible.pixels_per_unit < kNoSharingAbovePixels;
  return is_small && !has_own_pose(instances, visible.instance) ? buckets[model].bucket_of(playback) : kNoBucket;
}

void Planner::Impl::choose_group(Task& task, Block* block, size_t index, const Playback& playback) {
  VisibleInstance& visible = task.visible[index];
  if (visible.shadow_only || has_own_pose(instances, visible.instance)) return;
  UpdateChoice& choice = task.updates[index];
  if (choice.pixels_per_unit < 0) {
    Matrix3x4 computed;
    const Matrix3x4& world_from_model = block ? transform_of(instances, *block, visible.instance)
                                              : internal::transform_of(instances, visible.instance, computed);
    choice.pixels_per_unit =
        update_rates->pixels_per_unit(update_frame(), instances.models[visible.instance], world_from_model);
  }
  update_rates->assign_group(update_frame(), task, visible, choice, playback);
}

/// At the distance of an instance from its bounds, if a clip that it plays may carry it away from where it is.
std::optional<float> Planner::Impl::pixels_of_bounds(Block& block, uint32_t instance, const Playback& playback) const {
  const uint32_t model = instances.models[instance];
  const std::vector<bool>& roaming = roster.roaming_clips[model];
  const auto roams = [&](const Layer& layer) {
    return layer.weight > 0 && layer.clip < roaming.size() && roaming[layer.clip];
  };
  if (std::none_of(std::begin(playback.layers), std::end(playback.layers), roams)) return {};
  const Matrix3x4& world_from_model = transform_of(instances, block, instance);
  float pixels = 0;
  for (const View& view : frame.views) {
    const float distance = distance_to_bounds(roster.models[model], world_from_model, playback, view.eye);
    pixels = std::max(pixels, view.pixels_per_radian / distance);
  }
  return pixels * (instances.scales.empty() ? 1 : instances.scales[instance]);
}

Error Planner::Impl::refusal() const {
  constexpr uint64_t kMebibyte = 1 << 20;
  const auto mebibytes = [](uint64_t bytes) {
    return std::to_string(bytes / kMebibyte + (bytes % kMebibyte > 0)) + " MiB";
  };
  return {ErrorCode::kOutOfMemory, "the memory budget is " + mebibytes(options.budget.bytes) + ": the " +
                                       std::to_string(plan_now.counters.visible) + " visible instances need " +
                                       mebibytes(needed) + ", after coarser levels of detail and shared poses"};
}

Planner::Planner() noexcept = default;
Planner::Planner(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Planner::Planner(Planner&&) noexcept = default;
Planner& Planner::operator=(Planner&&) noexcept = default;
Planner::~Planner() = default;

Result<Planner> Planner::create(std::span<const ModelInfo> models, const PlanOptions& options,
                                const ParallelFor& parallel_for) SINEW_TRY {
  if (models.empty()) return Error{ErrorCode::kInvalidArgument, "a crowd needs a model"};
  for (size_t i = 0; i < models.size(); ++i) {
    if (auto fault = fault_of(models[i], i)) return std::move(*fault);
  }
  if (!(options.error_pixels > 0)) return no_error_pixels();
  return Planner(std::make_unique<Impl>(models, options, parallel_for));
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Status Planner::plan(const Instances& instances, const PlanFrame& frame, const ParallelFor& parallel_for) SINEW_TRY {
  SINEW_PROFILE_SCOPE("sinew plan");
  if (!impl_) return empty_planner();
  if (Status valid = validate(instances, frame); !valid) return valid;
  Status planned = impl_->plan(instances, frame, parallel_for);
  if (!planned) impl_->forget();
  return planned;
}
SINEW_CATCH_BAD_ALLOC(update_all(); return out_of_memory();)

MeasuredModel::MeasuredModel() noexcept = default;
MeasuredModel::MeasuredModel(MeasuredModel&&) noexcept = default;
MeasuredModel& MeasuredModel::operator=(MeasuredModel&&) noexcept = default;
MeasuredModel::~MeasuredModel() = default;

Result<MeasuredModel> Planner::measure(const ModelInfo& info, const ParallelFor& parallel_for) const SINEW_TRY {
  if (!impl_) return empty_planner();
  if (auto fault = fault_of(info, 0)) return std::move(*fault);
  MeasuredModel measured;
  measured.impl_ = std::make_unique<MeasuredModel::Impl>();
  Measured& made = measured.impl_->measured;
  made.info = info, made.wanted = impl_->wanted_motion();
  made.motion = std::move(measure_motion({&info, 1}, made.wanted, parallel_for).front());
  made.roaming_clips = find_roaming_clips(info);
  return measured;
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Result<uint32_t> Planner::add_model(MeasuredModel model) SINEW_TRY {
  if (!impl_) return empty_planner();
  if (!model.impl_) return Error{ErrorCode::kInvalidArgument, "add_model: it is empty: Planner::measure() makes one"};
  const WantedMotion wanted = impl_->wanted_motion(), measured = model.impl_->measured.wanted;
  if ((wanted.moved && !measured.moved) || (wanted.turned && !measured.turned))
    return Error{ErrorCode::kInvalidArgument, "add_model: it was measured by a planner with other options"};
  return impl_->add(model.impl_->measured);
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Status Planner::remove_model(uint32_t model, uint32_t kept_plans) SINEW_TRY {
  if (!impl_) return empty_planner();
  if (!impl_->roster.is_there(model))
    return Error{ErrorCode::kInvalidArgument, "the planner has no model " + std::to_string(model)};
  impl_->roster.remove(model, impl_->number + kept_plans);
  return {};
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

bool Planner::is_gone(uint32_t model) const {
  return !impl_ || model >= impl_->roster.models.size() || impl_->roster.models[model].character == nullptr;
}

const Plan& Planner::last() const {
  static const Plan none;
  return impl_ ? impl_->plan_now : none;
}

void Planner::update_all() {
  if (impl_) impl_->forget();
}

Status Planner::set_limits(const QualityLimits& limits, const ParallelFor& parallel_for) SINEW_TRY {
  if (!impl_) return empty_planner();
  if (!(limits.error_pixels > 0)) return no_error_pixels();
  impl_->set_limits(limits, parallel_for);
  return {};
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

const QualityLimits& Planner::limits() const {
  static const QualityLimits none;
  return impl_ ? impl_->limits : none;
}

Status Planner::set_chain_margin(uint32_t model, float margin) {
  if (!impl_) return empty_planner();
  if (!impl_->roster.is_there(model))
    return Error{ErrorCode::kInvalidArgument, "the planner has no model " + std::to_string(model)};
  if (!(margin >= 0) || std::isinf(margin))
    return Error{ErrorCode::kInvalidArgument, "a margin of chains must be a length, and finite"};
  impl_->roster.chain_margins[model] = margin;
  return {};
}

float Planner::shared_radians() const {
  float radians = 0;
  if (!impl_) return radians;
  for (const PoseBuckets& buckets : impl_->buckets) radians = std::max(radians, buckets.radians());
  return std::min(radians, std::numbers::pi_v<float>);  // no two rotations differ by more; the path may be longer
}

uint64_t Planner::needed_bytes() const { return impl_ ? impl_->needed : 0; }
uint64_t Planner::max_needed_bytes() const { return impl_ ? impl_->max_needed : 0; }

}  // namespace sinew::crowd
