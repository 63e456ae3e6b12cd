#include "scene/model.h"

#include <cmath>
#include <filesystem>
#include <system_error>
#include <utility>

#include "scene/exact_poses.h"
#include "scene/names.h"
#include "scene/prepared.h"
#include "sinew/animation/evaluator.h"
#include "sinew/asset/mesh.h"
#include "sinew/import/lod.h"
#include "sinew/import/model.h"
#include "system/paths.h"

namespace sinew::app {
namespace {

/// An arm's first joint.
std::optional<uint32_t> find_arm(const Skeleton& skeleton) {
  const auto joint = find_joint(skeleton, "clavicle_r");
  return joint ? joint : find_joint(skeleton, "upper_arm_r");
}

constexpr float kSmallest = 0.4f, kLargest = 2.3f;    // meters; plausible sizes of people
constexpr float kLowest = 0.05f, kHighest = 30;       // meters; plausible sizes of anything that lives
constexpr uint32_t kMaxClips = 24, kPoseSamples = 4;  // measured: clips, and poses of each

bool is_playable(const Clip& clip) { return clip.duration_seconds() > 0.1f && !has_excluded_name(clip.name); }

/// The playable clips. Where there is none: all clips that move. Additive clips never count.
std::vector<uint32_t> choose_clips(const std::vector<Clip>& clips) {
  std::vector<uint32_t> playable, moving;
  for (uint32_t i = 0; i < clips.size(); ++i) {
    if (clips[i].additive) continue;
    if (is_playable(clips[i])) playable.push_back(i);
    if (clips[i].duration_seconds() > 0) moving.push_back(i);
  }
  return playable.empty() ? moving : playable;
}

/// What single poses take, in model units. Upright: y is up, z the front.
struct Measure {
  Box body = kEmptyBox;               // upright, of the rest pose
  std::vector<float> floors, widths;  // upright, one per measured clip: the lowest vertex, and the widest pose
  Box unrotated = kEmptyBox;          // of all poses, with the axes of the file
};

/// Upright. A pose of its own, wherever a clip has carried it.
Box measure_pose(const Model& model, const Playback& playback, const Matrix3x4& rotation, Box& unrotated) {
  Box box = kEmptyBox;
  for (const Vec3 position : exact_positions(model.character, playback)) {
    include(box, transform_point(rotation, position));
    include(unrotated, position);
  }
  return box;
}

/// A rest pose that no clip comes near, such as one of scale 0, shows nothing.
bool is_of_another_size(const Box& rest, const Box& pose) {
  const float a = length(size_of(rest)), b = length(size_of(pose));
  return a < b / 10 || a > b * 10;
}

float width_of(const Box& box) { return std::max(size_of(box).x, size_of(box).z); }

Measure measure_poses(const Model& model, const Matrix3x4& rotation) {
  Measure measure;
  measure.body = measure_pose(model, Playback(), rotation, measure.unrotated);
  const size_t step = model.clips.size() / kMaxClips + 1;
  for (size_t i = 0; i < model.clips.size(); i += step) {
    const Clip& clip = model.character.clips[model.clips[i]];
    float floor = kEmptyBox.low.y, width = 0;
    for (uint32_t sample = 0; sample < kPoseSamples; ++sample) {
      const float time = clip.start_seconds + clip.duration_seconds() * float(sample) / kPoseSamples;
      const Box pose = measure_pose(model, Playback::of(model.clips[i], time), rotation, measure.unrotated);
      if (i == 0 && sample == 0 && is_of_another_size(measure.body, pose)) measure.body = pose;
      floor = std::min(floor, pose.low.y), width = std::max(width, width_of(pose));
    }
    measure.floors.push_back(floor), measure.widths.push_back(width);
  }
  if (model.clips.empty()) measure.floors = {measure.body.low.y}, measure.widths = {width_of(measure.body)};
  return measure;
}

float median(std::vector<float> values) {
  std::nth_element(values.begin(), values.begin() + std::ptrdiff_t(values.size() / 2), values.end());
  return values[values.size() / 2];
}

/// The meters of a unit of the file, for a model of a height in units.
float choose_unit(float stature, float of_file, Sizing sizing) {
  constexpr float kCentimeter = 0.01f;
  const auto is_within = [=](float unit, float low, float high) {
    return stature * unit >= low && stature * unit <= high;
  };
  if (sizing == Sizing::kItsOwn) {
    for (const float unit : {of_file, of_file * kCentimeter}) {
      if (is_within(unit, kLowest, kHighest)) return unit;
    }
  }
  return is_within(of_file, kSmallest, kLargest) ? of_file : kPersonHeight / stature;
}

/// Scales the model to meters and moves its feet to the ground. The size is that of the rest pose: a clip that walks or
/// raises a sword changes no one's height. The floor and the width are medians over the clips: one fall does not lift
/// the whole crowd, and arms that only the rest pose stretches keep it no wider.
Status fit_to_ground(Model& model, Sizing sizing) {
  const ModelSpace& space = model.character.space;
  Matrix3x4 rotation = matrix_cast<float>(target_from_source({space.up, space.front}));
  const Measure measure = measure_poses(model, rotation);
  if (!is_within(measure.unrotated.low, kMaxCoordinate) || !is_within(measure.unrotated.high, kMaxCoordinate)) {
    return Error{ErrorCode::kInvalidData, model.name + ": its clips move vertices beyond 1e9 units from the origin"};
  }
  const float height = size_of(measure.body).y, floor = median(measure.floors), width = median(measure.widths);
  const float middle_x = (measure.body.low.x + measure.body.high.x) / 2;
  const float middle_z = (measure.body.low.z + measure.body.high.z) / 2;

  const float stature =
      std::max({height, width_of(measure.body) * 0.6f, 1e-6f});  // for a long animal the length counts
  const float scale = choose_unit(stature, space.meters_per_unit, sizing);
  for (auto& row : rotation.m) {
    for (float& entry : row) entry *= scale;
  }
  rotation.m[0][3] = -middle_x * scale, rotation.m[1][3] = -floor * scale, rotation.m[2][3] = -middle_z * scale;
  model.world_from_model = rotation;
  model.height = height * scale;
  model.radius = width * scale / 2;
  model.diagonal = length(size_of(measure.unrotated));
  return {};
}

/// The mask of the arm overlay is the first, also of a file that has it.
void add_arm_mask(Model& model) {
  if (!model.arm_overlay) return;
  const std::vector<float>& factors = model.arm_overlay->joint_mask;
  std::erase_if(model.masks, [&](const NamedMask& mask) { return mask.factors == factors; });
  model.masks.insert(model.masks.begin(), {"arm", factors});
}

/// Makes the meshes of wearables for levels that the model has got apart from them.
Status fit_wearables(Model& model) {
  if (model.wearables.empty()) return {};
  for (Wearable& wearable : model.wearables) wearable.meshes.resize(model.level_count());
  CharacterFile file = take_file(model);
  const Status fitted = add_wearables(file, {});
  give_back(std::move(file), model);
  return fitted;
}

/// True if levels were kept of an earlier run.
Result<bool> add_kept_levels(const std::string& key, Model& model) {
  if (!read_levels(key, model)) return false;
  const Status fitted = fit_wearables(model);
  if (!fitted) return fitted.error();
  return true;
}

/// The options are the program's own. So an invalid argument is a fault of the file.
ErrorCode fault_of_file(ErrorCode code) { return code == ErrorCode::kInvalidArgument ? ErrorCode::kInvalidData : code; }

}  // namespace

JointRange joints_below(const Skeleton& skeleton, int32_t joint) {
  const uint32_t count = skeleton.joint_count();
  if (joint < 0) return {0, count};
  if (uint32_t(joint) >= count) return {};
  // Joints are in depth-first order: the first that follows with a parent before `joint` is not below it.
  uint32_t end = uint32_t(joint) + 1;
  while (end < count && skeleton.parents[end] >= joint) ++end;
  return {uint32_t(joint), end};
}

std::optional<ArmOverlay> find_arm_overlay(const Character& character) {
  const auto arm = find_arm(character.skeleton);
  if (!arm) return {};
  std::optional<uint32_t> wave;
  ArmOverlay overlay;
  for (uint32_t i = 0; i < character.clips.size(); ++i) {
    const std::string& name = character.clips[i].name;
    if (character.clips[i].additive) continue;
    if (name == "wave" || name == "Wave") wave = i;
    if (name == "idle" || name == "Idle" || name == "walk" || name == "Walk") overlay.base_clips.push_back(i);
  }
  if (!wave || overlay.base_clips.empty()) return {};
  overlay.clip = *wave;
  const JointRange below = joints_below(character.skeleton, int32_t(*arm));
  overlay.joint_mask.resize(character.skeleton.joint_count(), 0.0f);
  std::fill(overlay.joint_mask.begin() + below.begin, overlay.joint_mask.begin() + below.end, 1.0f);
  return overlay;
}

void restrict_overlay(Model& model) {
  if (!model.arm_overlay) return;
  const auto is_left_out = [&](uint32_t clip) { return std::ranges::find(model.clips, clip) == model.clips.end(); };
  std::erase_if(model.arm_overlay->base_clips, is_left_out);
  if (is_left_out(model.arm_overlay->clip) || model.arm_overlay->base_clips.empty()) model.arm_overlay.reset();
}

bool has_normal_map(const Model& model) {
  return std::ranges::any_of(model.character.mesh.parts, [&](const MeshPart& part) {
    return part.index_count > 0 && model.character.materials[part.material].normal_texture.image >= 0;
  });
}

Result<Model> make_model(const std::string& path, CharacterFile file, const ModelOptions& options) {
  Model model;
  model.name = stem_of(path);
  give_back(std::move(file), model);
  if (options.order == VertexOrder::kByInfluences) {
    if (Status ordered = order_by_influences(model.character.mesh); !ordered) return ordered.error();
  }
  if (model.character.mesh.indices.empty()) return Error{ErrorCode::kInvalidData, path + ": has no triangles to draw"};
  model.clips = options.clips ? *options.clips : choose_clips(model.character.clips);
  model.changes_clips = options.changes_clips;
  model.regions = region_colors(model.character);
  model.tinted = options.tinted && model.regions;
  if (model.changes_clips) model.arm_overlay = find_arm_overlay(model.character);
  restrict_overlay(model);
  add_arm_mask(model);
  if (Status fitted = fit_to_ground(model, options.sizing); !fitted) return fitted.error();
  return model;
}

Result<Model> load_model(const std::string& path, const LoadOptions& options, const ModelOptions& model_options) {
  auto file = load_file(path, options);
  if (!file) return file.error();
  return make_model(path, std::move(*file), model_options);
}

CharacterFile take_file(Model& model) {
  CharacterFile file;
  file.character = std::move(model.character);
  if (model.is_baked()) file.baked = std::exchange(model.baked, {});
  if (file.baked && model.has_bounds) file.bounds = std::move(model.bounds);
  model.has_bounds = false;
  file.report = std::move(model.report);
  file.levels = std::move(model.levels);
  file.sockets = std::move(model.sockets);
  file.masks = std::move(model.masks);
  file.wearables = std::move(model.wearables);
  return file;
}

void give_back(CharacterFile file, Model& model) {
  model.character = std::move(file.character);
  model.baked = file.baked ? std::move(*file.baked) : BakedCharacter();
  model.has_bounds = file.baked && file.bounds;
  if (model.has_bounds) model.bounds = std::move(*file.bounds);
  model.report = file.report ? std::move(*file.report) : ImportReport();
  model.levels = std::move(file.levels);
  model.sockets = std::move(file.sockets);
  model.masks = std::move(file.masks);
  model.wearables = std::move(file.wearables);
}

Status complete(Model& model, const Completion& completion) {
  const bool lacks_levels = completion.levels && model.levels.empty();
  const std::string key = lacks_levels ? levels_key(model) : std::string();
  const Result<bool> kept = lacks_levels ? add_kept_levels(key, model) : false;
  if (!kept) return kept.error();
  const bool makes_levels = lacks_levels && !*kept;
  if (model.is_whole() && !makes_levels) return {};
  TimedBake bake{[&](double share) {
    if (completion.progress.report) completion.progress.report(completion.progress.user_data, share);
  }};
  sinew::ModelOptions options{.convert_space = false, .progress = bake.progress()};
  options.parallel_for = completion.parallel_for;
  if (!makes_levels) options.levels = {{}, options.levels.max_error, false};
  CharacterFile file = take_file(model);
  if (makes_levels) file.bounds.reset();  // else the file would be whole, and no levels would be made
  const size_t warnings = file.report->warnings.size();
  const Status completed = complete_file(file, options);
  give_back(std::move(file), model);
  if (!completed) return Error{fault_of_file(completed.error().code), model.name + ": " + completed.error().message};
  model.bake_ms += bake.ms;
  if (makes_levels && model.report.warnings.size() == warnings)
    keep_levels(key, model);  // else the next run says it too
  return {};
}

Status add_levels(Model& model, const ParallelFor& parallel_for, std::vector<std::string>* warnings) {
  if (!model.levels.empty()) return {};
  const std::string key = levels_key(model);
  const Result<bool> kept = add_kept_levels(key, model);
  if (!kept) return kept.error();
  if (*kept) return {};
  std::vector<std::string> missing;
  const LevelContext context{model.sockets, model.masks, model.baked.options, parallel_for, &missing};
  auto levels = make_levels(model.character, context);
  if (!levels) return Error{fault_of_file(levels.error().code), model.name + ": " + levels.error().message};
  model.levels = std::move(*levels);
  if (missing.empty()) keep_levels(key, model);  // else the next run says it too
  if (warnings != nullptr) warnings->insert(warnings->end(), missing.begin(), missing.end());
  return fit_wearables(model);
}

Result<std::string> find_builtin_character() {
  std::error_code error;
  const std::filesystem::path installed = installed_folder() / "character.glb",
                              source = source_folder() / "assets/character.glb";
  if (std::filesystem::exists(installed, error)) return utf8_of(installed);
  if (!source_folder().empty() && std::filesystem::exists(source, error)) return utf8_of(source);
  return Error{ErrorCode::kNotFound, "the built-in character is not at " + utf8_of(installed) + ": name a file"};
}

std::vector<std::string> find_builtin_looks() {
  const auto builtin = find_builtin_character();
  if (!builtin) return {};
  std::vector<std::string> looks;
  std::error_code error;
  const std::filesystem::path folder = path_of(*builtin).parent_path() / "looks";
  for (std::filesystem::directory_iterator i(folder, error), end; !error && i != end; i.increment(error)) {
    if (i->path().extension() == ".glb") looks.push_back(utf8_of(i->path()));
  }
  std::sort(looks.begin(), looks.end());
  return looks;
}

bool is_armed_look(const std::string& path) { return stem_of(path) == "swordsman"; }

std::optional<std::string> find_builtin_clips() {
  const auto builtin = find_builtin_character();
  if (!builtin) return {};
  std::error_code error;
  const std::filesystem::path clips = path_of(*builtin).parent_path() / "extra_clips.glb";
  if (!std::filesystem::exists(clips, error)) return {};
  return utf8_of(clips);
}

bool is_builtin_character(const std::string& path) {
  std::error_code error;
  const auto builtin = find_builtin_character();
  return builtin && std::filesystem::equivalent(path_of(path), path_of(*builtin), error);
}

LevelFacts facts_of(const Model& model, uint32_t level) {
  const Mesh& mesh = model.mesh(level);
  LevelFacts facts;
  facts.triangles = uint32_t(mesh.indices.size() / 3), facts.vertices = mesh.vertex_count();
  facts.joints = model.skin(level).palette_size();
  facts.influences = max_influences(mesh);
  facts.parts = uint32_t(std::ranges::count_if(mesh.parts, [](const MeshPart& part) { return part.index_count > 0; }));
  facts.error_meters = level == 0 ? 0 : model.levels[level - 1].error * model.meters_per_unit();
  facts.height_pixels = facts.error_meters > 0 ? model.height / facts.error_meters : INFINITY;
  return facts;
}

std::vector<LevelFacts> level_facts(const Model& model) {
  std::vector<LevelFacts> facts;
  for (uint32_t level = 0; level < model.level_count(); ++level) facts.push_back(facts_of(model, level));
  return facts;
}

}  // namespace sinew::app
