#include "sinew/crowd/planner.h"
#include "sinew/profile.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "asset/exceptions.h"
#include "asset/for_each.h"
#include "budget.h"
#include "level_of_detail.h"
#include "plan_builder.h"
#include "playback.h"
#include "pose_sharing.h"
#include "previous_poses.h"
#include "update_rate.h"
#include "visibility.h"
#include "visible_instances.h"

namespace sinew::crowd {

using namespace internal;
using sinew::internal::for_each;
using sinew::internal::out_of_memory;
namespace {

constexpr uint32_t kInstancesPerTask = 2048;
constexpr double kMaxFrameSeconds = 0.25;  // a longer step is a pause or a jump in time

std::optional<Error> fault_of(const CharacterInfo& info, size_t index) {
  const auto fault = [&](const std::string& what) {
    return Error{ErrorCode::kInvalidArgument, "character " + std::to_string(index) + " of the crowd " + what};
  };
  if (info.character == nullptr) return fault("is null");
  if (info.levels.empty() || info.levels.size() > 255) return fault("has no level of detail, or more than 255");
  if (!(info.height > 0)) return fault("has no height");
  std::vector<bool> listed(info.character->clips.size());
  for (const uint32_t clip : info.clips) {
    if (clip >= listed.size()) return fault("has no clip " + std::to_string(clip));
    if (info.character->clips[clip].additive)
      return fault("lists clip " + std::to_string(clip) + ", which is additive");
    if (listed[clip]) return fault("lists clip " + std::to_string(clip) + " twice");
    listed[clip] = true;
  }
  return {};
}

template <class T>
bool fits(std::span<const T> optional, const Instances& instances) {
  return optional.empty() || optional.size() == instances.count();
}

Status validate(const Instances& instances, const Frame& frame) {
  const auto fault = [](const char* what) { return Error{ErrorCode::kInvalidArgument, what}; };
  if (frame.views.empty()) return fault("a frame of a crowd needs a view");
  if (!instances.world_from_model_source.at && instances.world_from_model.size() != instances.count())
    return fault("each instance needs a world_from_model");
  if (!instances.playback_source.at && instances.playbacks.size() != instances.count())
    return fault("each instance needs a playback");
  if (!fits(instances.speeds, instances) || !fits(instances.positions, instances) ||
      !fits(instances.scales, instances) || !fits(instances.extra_spheres, instances) ||
      !fits(instances.spheres, instances) || !fits(instances.phases, instances) ||
      !fits(instances.host_posed, instances))
    return fault("an optional array of the instances is neither empty nor of their number");
  return {};
}

Vec3 position_of(const Instances& instances, uint32_t i, const Matrix3x4& world_from_model) {
  if (!instances.positions.empty()) return instances.positions[i];
  const auto& m = world_from_model.m;
  return {m[0][3], m[1][3], m[2][3]};
}

}  // namespace

struct Planner::Impl {
  Impl(std::span<const CharacterInfo> infos, const Options& wanted, const ParallelFor& parallel_for);

  void set_limits(const QualityLimits& wanted, const ParallelFor& parallel_for);
  void share_poses(uint32_t unique_poses, const ParallelFor& parallel_for);
  Status plan(const Instances& of_host, const Frame& of_frame, const ParallelFor& parallel_for);
  void begin(const ParallelFor& parallel_for);
  void compute(const ParallelFor& parallel_for);
  void find_visible(Task& task);
  void decide(Task& task, VisibleInstance& visible, const Matrix3x4& world_from_model);
  bool may_be_drawn(uint32_t instance, const CharacterInfo& character) const;
  Sphere extra_sphere(uint32_t instance) const;
  float pixels_per_unit(const CharacterInfo& character, Vec3 position, float scale) const;
  UpdateFrame update_frame() const { return {instances, frame.views, number, frame.seconds, frame_seconds}; }
  Error refusal() const;
  /// After an error: the next frame updates all groups, because this one was not skinned. Only the counters stay.
  void forget() { plan_now.groups.clear(), plan_now.batches.clear(), plan_now.posed_meshes.clear(); }
  std::span<Task> active_tasks() { return std::span(tasks).first(task_count); }

  std::vector<CharacterInfo> characters;
  Options options;
  QualityLimits limits;
  bool has_levels = false;
  std::vector<Box> boxes;  // of each character: around all its poses; model space
  LevelsOfDetail levels;
  std::vector<std::vector<ClipPath>> rotation_paths;  // of each character, where poses are shared
  std::vector<PoseBuckets> buckets;                   // of each character, where poses are shared
  std::optional<UpdateRates> update_rates;
  std::optional<PreviousPoses> previous_poses;
  PlanBuilder builder;
  Visibility visibility;
  std::vector<Task> tasks;  // as many as ever were needed: their lists keep their memory
  uint32_t task_count = 0;
  uint64_t needed = 0, max_needed = 0;

  // The current frame.
  Instances instances;
  Frame frame;
  uint64_t number = 0;
  double frame_seconds = 1 / 60.0;  // about the time between frames
  bool skin_level_changes = true;   // as in PlanSource
  Plan plan_now, previous;
};

Planner::Impl::Impl(std::span<const CharacterInfo> infos, const Options& wanted, const ParallelFor& parallel_for)
    : characters(infos.begin(), infos.end()), options(wanted), builder(characters) {
  for (const CharacterInfo& character : characters) {
    boxes.push_back(character.bounds ? box_of(*character.bounds) : Box());
    has_levels |= character.levels.size() > 1;
  }
  if (options.update_rate) update_rates.emplace(characters, parallel_for);
  if (options.previous_poses) previous_poses.emplace();
  limits = {options.error_pixels, options.unique_poses};
  share_poses(limits.unique_poses, parallel_for);
}

void Planner::Impl::set_limits(const QualityLimits& wanted, const ParallelFor& parallel_for) {
  if (wanted.unique_poses != limits.unique_poses) share_poses(wanted.unique_poses, parallel_for);
  limits = wanted;
}

/// Changes nothing if memory runs out.
void Planner::Impl::share_poses(uint32_t unique_poses, const ParallelFor& parallel_for) {
  if (unique_poses > 0 && rotation_paths.empty()) {
    std::vector<std::vector<ClipPath>> measured;
    for (const CharacterInfo& character : characters)
      measured.push_back(measure_rotation_paths(character, parallel_for));
    rotation_paths = std::move(measured);
  }
  uint32_t meshes = 0;
  for (const CharacterInfo& character : characters) meshes += uint32_t(character.levels.size());
  const uint32_t buckets_per_mesh = std::max(unique_poses / meshes, 1u);
  std::vector<PoseBuckets> made;
  for (size_t i = 0; i < characters.size() && unique_poses > 0; ++i)
    made.emplace_back(characters[i], rotation_paths[i], buckets_per_mesh);
  buckets = std::move(made);
}

Status Planner::Impl::plan(const Instances& of_host, const Frame& of_frame, const ParallelFor& parallel_for) {
  const double since = of_frame.seconds - frame.seconds;
  if (since > 0 && since < kMaxFrameSeconds) frame_seconds += (since - frame_seconds) / 4;
  instances = of_host, frame = of_frame;
  begin(parallel_for);
  for (;;) {
    compute(parallel_for);
    if (options.budget.bytes == 0) return {};
    needed = internal::needed_bytes(characters, plan_now, options.budget);
    if (needed <= options.budget.bytes) {
      max_needed = std::max(max_needed, needed);
      return {};
    }
    if (std::exchange(skin_level_changes, false) && builder.has_level_changes()) continue;
    const auto lower = reduced(limits, has_levels && options.levels);
    if (!lower) return refusal();
    set_limits(*lower, parallel_for);
  }
}

void Planner::Impl::begin(const ParallelFor& parallel_for) {
  ++number;
  visibility.set(frame);
  std::swap(plan_now, previous);
  const uint32_t count = instances.count();
  levels.set_instance_count(count);
  task_count = (count + kInstancesPerTask - 1) / kInstancesPerTask;
  if (tasks.size() < task_count) tasks.resize(task_count);
  for (uint32_t t = 0; t < task_count; ++t) {
    const uint32_t first = t * kInstancesPerTask;
    tasks[t].first_instance = first, tasks[t].instance_count = std::min(kInstancesPerTask, count - first);
  }
  skin_level_changes = true;
  if (update_rates) update_rates->begin(number, count, previous, parallel_for);
  if (previous_poses) previous_poses->begin(number, count, previous, parallel_for);
}

void Planner::Impl::compute(const ParallelFor& parallel_for) {
  for_each(parallel_for, task_count, [&](uint32_t task) { find_visible(tasks[task]); });
  plan_now.seconds = frame.seconds;
  plan_now.groups.assign(1, {.seconds = frame.seconds});
  const UpdateFrame now = update_frame();
  if (update_rates) update_rates->begin_groups(now, active_tasks(), plan_now.groups);
  const PreviousPoses* poses = previous_poses ? &*previous_poses : nullptr;
  const PlanSource source{active_tasks(), buckets, previous, poses, skin_level_changes};
  builder.begin(source, plan_now.groups.size());
  for_each(parallel_for, task_count, [&](uint32_t task) {
    if (update_rates) update_rates->resolve(now, plan_now.groups, tasks[task]);
    builder.count_task(task);
  });
  builder.build(source, parallel_for, plan_now);
}

Sphere Planner::Impl::extra_sphere(uint32_t instance) const {
  const SphereSource& source = instances.extra_sphere_source;
  if (source.at) return source.at(source.user_data, instance);
  return instances.extra_spheres.empty() ? Sphere() : instances.extra_spheres[instance];
}

bool Planner::Impl::may_be_drawn(uint32_t instance, const CharacterInfo& character) const {
  if (!character.bounds || !character.baked) return true;
  if (!instances.spheres.empty()) return visibility.may_be_drawn(instances.spheres[instance]);
  const Box& box = boxes[instances.characters[instance]];
  return visibility.may_be_drawn(sphere_of(box, instances.transform_of(instance), extra_sphere(instance)));
}

/// The sphere test is the only work for an instance that is culled by it.
void Planner::Impl::find_visible(Task& task) {
  clear_with_margin(task.visible);
  task.new_slots = 0, task.shadow_only = 0;
  for (uint32_t i = task.first_instance; i < task.first_instance + task.instance_count; ++i) {
    if (instances.characters[i] >= characters.size()) continue;
    const CharacterInfo& character = characters[instances.characters[i]];
    if (options.cull && !may_be_drawn(i, character)) continue;
    const Matrix3x4 world_from_model = instances.transform_of(i);
    const Playback playback = playback_at(instances, i, frame.seconds);
    const bool visible = !options.cull || !character.bounds || !character.baked ||
                         visibility.may_be_visible(character, world_from_model, playback, extra_sphere(i));
    if (!visible && !visibility.may_cast_visible_shadow(character, world_from_model, playback)) continue;
    VisibleInstance& added = task.visible.emplace_back();
    added.instance = i, added.character = instances.characters[i];
    added.playback = playback, added.shadow_only = !visible;
    decide(task, added, world_from_model);
  }
}

/// How much work a visible instance is: its level of detail, whether it shares a pose, and its update group.
void Planner::Impl::decide(Task& task, VisibleInstance& visible, const Matrix3x4& world_from_model) {
  const CharacterInfo& character = characters[visible.character];
  const float scale = instances.scales.empty() ? 1 : instances.scales[visible.instance];
  const Vec3 position = position_of(instances, visible.instance, world_from_model);
  const float pixels = pixels_per_unit(character, position, scale);
  task.shadow_only += visible.shadow_only;
  if (options.levels) visible.level = levels.choose(visible.instance, character.levels, pixels, limits.error_pixels);
  visible.host_posed = !instances.host_posed.empty() && instances.host_posed[visible.instance] != 0;
  if (visible.host_posed) return;
  if (!buckets.empty() && character.height * pixels < kNoSharingAbovePixels)
    visible.bucket = buckets[visible.character].bucket_of(visible.playback);
  if (update_rates && !visible.shadow_only && visible.bucket == kNoBucket)
    update_rates->assign_group(update_frame(), task, visible, world_from_model);
}

/// Of an instance of scale 1 that stands where this one stands.
float Planner::Impl::pixels_per_unit(const CharacterInfo& character, Vec3 position, float scale) const {
  const Vec3 center = position + frame.up * (character.height * scale / 2);
  float pixels = 0;
  for (const View& view : frame.views) pixels = std::max(pixels, view.pixels_per_radian / length(center - view.eye));
  return pixels * scale;
}

Error Planner::Impl::refusal() const {
  const auto mebibytes = [](uint64_t bytes) { return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MiB"; };
  return {ErrorCode::kOutOfMemory, "the memory budget is " + mebibytes(options.budget.bytes) + ": the " +
                                       std::to_string(plan_now.counters.visible) + " visible instances need " +
                                       mebibytes(needed) + ", after coarser levels of detail and shared poses"};
}

namespace {

Error empty_planner() {
  return {ErrorCode::kInvalidArgument, "planner: it is empty, because create() did not make it or it was moved from"};
}

Error no_error_pixels() { return {ErrorCode::kInvalidArgument, "error_pixels must be above 0"}; }

}  // namespace

Planner::Planner() noexcept = default;
Planner::Planner(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Planner::Planner(Planner&&) noexcept = default;
Planner& Planner::operator=(Planner&&) noexcept = default;
Planner::~Planner() = default;

Result<Planner> Planner::create(std::span<const CharacterInfo> characters, const Options& options,
                                const ParallelFor& parallel_for) SINEW_TRY {
  if (characters.empty()) return Error{ErrorCode::kInvalidArgument, "a crowd needs a character"};
  for (size_t i = 0; i < characters.size(); ++i) {
    if (auto fault = fault_of(characters[i], i)) return std::move(*fault);
  }
  if (!(options.error_pixels > 0)) return no_error_pixels();
  return Planner(std::make_unique<Impl>(characters, options, parallel_for));
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Status Planner::plan(const Instances& instances, const Frame& frame, const ParallelFor& parallel_for) SINEW_TRY {
  SINEW_PROFILE_SCOPE("sinew plan");
  if (!impl_) return empty_planner();
  if (Status valid = validate(instances, frame); !valid) return valid;
  Status planned = impl_->plan(instances, frame, parallel_for);
  if (!planned) impl_->forget();
  return planned;
}
SINEW_CATCH_BAD_ALLOC(update_all(); return out_of_memory();)

const Plan& Planner::last() const {
  static const Plan none;
  return impl_ ? impl_->plan_now : none;
}

void Planner::update_all() {
  if (impl_) impl_->forget();
}

Status Planner::set_limits(const QualityLimits& limits) SINEW_TRY {
  if (!impl_) return empty_planner();
  if (!(limits.error_pixels > 0)) return no_error_pixels();
  impl_->set_limits(limits, {});
  return {};
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

const QualityLimits& Planner::limits() const {
  static const QualityLimits none;
  return impl_ ? impl_->limits : none;
}

float Planner::shared_radians() const {
  float radians = 0;
  if (!impl_) return radians;
  for (const PoseBuckets& buckets : impl_->buckets) radians = std::max(radians, buckets.radians());
  return radians;
}

uint64_t Planner::needed_bytes() const { return impl_ ? impl_->needed : 0; }
uint64_t Planner::max_needed_bytes() const { return impl_ ? impl_->max_needed : 0; }

}  // namespace sinew::crowd
