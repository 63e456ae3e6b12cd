#include "sinew/animation/footsteps.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string>
#include <string_view>

#include "asset/exceptions.h"
#include "sinew/animation/pose.h"

namespace sinew {

using namespace internal;
namespace {

constexpr double kFootSamplesPerSecond = 120, kMaxFootPoses = 1u << 24;
constexpr double kMinRange = 0.01;                              // of the skeleton's height: less is no step
constexpr double kLowShare = 1.0 / 10, kRaisedShare = 1.0 / 3;  // of the range of heights, from the lowest
constexpr double kStillShare = 1.0 / 5;                         // of the fastest fall before it
constexpr double kLoopShare = 1.0 / 10;                         // of the range: how far the ends of a loop may differ

Error refuse_footsteps(const std::string& why) { return {ErrorCode::kInvalidArgument, "footsteps: " + why}; }

// --- feet by name ---

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_letter(char c) { return is_upper(c) || (c >= 'a' && c <= 'z'); }

/// Words in lower case. A capital letter after or before a small one begins a word, and any other character ends one:
/// "LeftFoot", "LFoot" and "foot_l" have two. "left" and "right" before other letters are words of their own.
std::vector<std::string> words_of_joint(std::string_view name) {
  std::vector<std::string> words(1);
  for (size_t i = 0; i < name.size(); ++i) {
    const bool before_small = i + 1 < name.size() && is_letter(name[i + 1]) && !is_upper(name[i + 1]);
    const bool new_word = i > 0 && is_upper(name[i]) && (!is_upper(name[i - 1]) || before_small);
    const bool after_side = words.back() == "left" || words.back() == "right";
    if (!is_letter(name[i]) || new_word || after_side) words.emplace_back();
    if (is_letter(name[i])) words.back() += is_upper(name[i]) ? char(name[i] - 'A' + 'a') : name[i];
  }
  std::erase(words, "");
  return words;
}

bool has_any(const std::vector<std::string>& words, std::initializer_list<std::string_view> of) {
  return std::find_first_of(words.begin(), words.end(), of.begin(), of.end()) != words.end();
}

/// The first joint with a word of `part` and one of the side.
std::optional<uint32_t> find_part(const Skeleton& skeleton, std::string_view part,
                                  std::initializer_list<std::string_view> side) {
  for (uint32_t joint = 0; joint < skeleton.joint_names.size(); ++joint) {
    const std::vector<std::string> words = words_of_joint(skeleton.joint_names[joint]);
    const bool is_control = has_any(words, {"ik", "fk", "roll", "ctrl", "control", "pole", "target", "toe", "twist"});
    if (!is_control && has_any(words, {part}) && has_any(words, side)) return joint;
  }
  return std::nullopt;
}

std::optional<uint32_t> find_foot(const Skeleton& skeleton, std::initializer_list<std::string_view> side) {
  const std::optional<uint32_t> foot = find_part(skeleton, "foot", side);
  return foot ? foot : find_part(skeleton, "ankle", side);
}

bool is_below(const Skeleton& skeleton, uint32_t joint, uint32_t above) {
  int32_t parent = skeleton.parents[joint];
  while (parent > int32_t(above)) parent = skeleton.parents[size_t(parent)];
  return parent == int32_t(above);
}

/// The first joint below a foot that is a toe or a ball; the foot itself where there is none.
uint32_t toes_of(const Skeleton& skeleton, uint32_t foot) {
  for (uint32_t joint = foot + 1; joint < skeleton.joint_names.size(); ++joint) {
    const std::vector<std::string> words = words_of_joint(skeleton.joint_names[joint]);
    const bool is_control = has_any(words, {"ik", "fk", "roll", "ctrl", "control", "pole", "target", "end"});
    if (!is_control && has_any(words, {"toe", "toes", "ball"}) && is_below(skeleton, joint, foot)) return joint;
  }
  return foot;
}

std::optional<Feet> feet_of(const Skeleton& skeleton) {
  const auto left = find_foot(skeleton, {"left", "l"}), right = find_foot(skeleton, {"right", "r"});
  if (!left || !right) return std::nullopt;
  return Feet{*left, *right};
}

// --- heights ---

/// Heights of joints at uniform times, from the start of the clip to its end.
struct HeightsOverTime {
  uint32_t intervals = 0;
  std::vector<std::vector<double>> of_joint;  // [joints][intervals + 1]
};

/// A point in the space of a joint.
struct JointPoint {
  uint32_t joint = 0;
  Vec3 point{};
};

double height_of(const Matrix3x4d& model_from_joint, Vec3 up, Vec3 point = {}) {
  const auto row = [&](int r) {
    const auto& m = model_from_joint.m[r];
    return m[0] * double(point.x) + m[1] * double(point.y) + m[2] * double(point.z) + m[3];
  };
  return row(0) * double(up.x) + row(1) * double(up.y) + row(2) * double(up.z);
}

uint32_t intervals_of(const Clip& clip) {
  return uint32_t(std::max(1.0, std::ceil(double(clip.duration_seconds()) * kFootSamplesPerSecond)));
}

float time_at(const Clip& clip, uint32_t sample, uint32_t intervals) {
  return float(clip.start_seconds + double(clip.duration_seconds()) * sample / intervals);
}

HeightsOverTime heights_in(const Character& character, const Clip& clip, std::span<const JointPoint> points) {
  const Skeleton& skeleton = character.skeleton;
  const Vec3 up = normalize(character.space.up);
  std::vector<Transform> pose(skeleton.joint_count());
  std::vector<Matrix3x4d> model_from_joint(skeleton.joint_count());
  HeightsOverTime heights{intervals_of(clip), std::vector<std::vector<double>>(points.size())};
  for (uint32_t sample = 0; sample <= heights.intervals; ++sample) {
    sample_clip(clip, skeleton, time_at(clip, sample, heights.intervals), pose);
    walk_hierarchy(skeleton, pose, model_from_joint);
    for (size_t j = 0; j < points.size(); ++j)
      heights.of_joint[j].push_back(height_of(model_from_joint[points[j].joint], up, points[j].point));
  }
  return heights;
}

double rest_height(const Character& character) {
  std::vector<Matrix3x4d> model_from_joint(character.skeleton.joint_count());
  walk_hierarchy(character.skeleton, character.skeleton.rest_pose, model_from_joint);
  double lowest = INFINITY, highest = -INFINITY;
  for (const Matrix3x4d& matrix : model_from_joint) {
    const double height = height_of(matrix, normalize(character.space.up));
    lowest = std::min(lowest, height), highest = std::max(highest, height);
  }
  return model_from_joint.empty() ? 0 : highest - lowest;
}

/// The tip of the toes: of the vertices that the toes move most, or the foot where it has none, the furthest from the
/// ankle. Without such a vertex the joint itself.
JointPoint tip_of(const Character& character, uint32_t foot) {
  const Skeleton& skeleton = character.skeleton;
  const Mesh& mesh = character.mesh;
  JointPoint tip{toes_of(skeleton, foot), {}};
  if (mesh.positions.empty() || !validate(mesh, character.skin.palette_size())) return tip;
  std::vector<Matrix3x4d> model_from_joint(skeleton.joint_count());
  walk_hierarchy(skeleton, skeleton.rest_pose, model_from_joint);
  const Vec3 ankle = transform_point(inverse(model_from_joint[tip.joint]), transform_point(model_from_joint[foot], {}));
  float furthest = 0;
  for (uint32_t vertex = 0; vertex < mesh.vertex_count(); ++vertex) {
    const PaletteEntry& entry = character.skin.entries[mesh.influences_of(vertex).front().entry];
    if (entry.joint != int32_t(tip.joint)) continue;
    const Vec3 point = transform_point(entry.joint_from_mesh, mesh.positions[vertex]);
    if (length(point - ankle) > furthest) furthest = length(point - ankle), tip.point = point;
  }
  return tip;
}

// --- steps ---

/// The samples at which a joint is set down. A loop is followed twice: in the first round only its state is found.
std::vector<uint32_t> steps_in(const std::vector<double>& heights, double min_range) {
  const auto [lowest, highest] = std::minmax_element(heights.begin(), heights.end());
  const double range = *highest - *lowest;
  if (!(range >= min_range)) return {};
  const auto intervals = uint32_t(heights.size() - 1);
  const bool is_loop = std::abs(heights.back() - heights.front()) <= kLoopShare * range;
  std::vector<uint32_t> steps;
  bool was_raised = false;
  double fastest = 0;
  for (uint32_t i = 1; i <= (is_loop ? 2 * intervals : intervals); ++i) {
    const uint32_t sample = (i - 1) % intervals + 1;
    const double height = heights[sample] - *lowest, fall = heights[sample - 1] - heights[sample];
    if (height > kRaisedShare * range) was_raised = true;
    fastest = was_raised ? std::max(fastest, fall) : 0;
    if (!was_raised || height > kLowShare * range || fall > kStillShare * fastest) continue;
    if (!is_loop || i > intervals) steps.push_back(is_loop && sample == intervals ? 0 : sample);
    was_raised = false, fastest = 0;
  }
  return steps;
}

/// The samples at which a joint is lifted: where it is set down if time runs backward.
std::vector<uint32_t> lifts_in(std::vector<double> heights, double min_range) {
  std::reverse(heights.begin(), heights.end());
  const auto intervals = uint32_t(heights.size() - 1);
  std::vector<uint32_t> lifts = steps_in(heights, min_range);
  for (uint32_t& sample : lifts) sample = intervals - sample;
  return lifts;
}

std::string name_of_step(const Skeleton& skeleton, const std::optional<Feet>& feet, uint32_t joint, bool up) {
  const char* const moment = up ? " up" : " down";
  if (feet && joint == feet->left) return std::string("left foot") + moment;
  if (feet && joint == feet->right) return std::string("right foot") + moment;
  return skeleton.joint_names[joint] + (up ? moment : "");
}

Status check(const Character& character, uint32_t clip, std::span<const uint32_t> joints) {
  const uint32_t joint_count = character.skeleton.joint_count();
  if (clip >= character.clips.size()) return refuse_footsteps("there is no clip " + std::to_string(clip));
  const Clip& given = character.clips[clip];
  if (given.additive) return refuse_footsteps("clip '" + given.name + "' is additive");
  if (joints.size() > joint_count) {
    return refuse_footsteps(std::to_string(joints.size()) + " joints were given, and the character has " +
                            std::to_string(joint_count));
  }
  for (const uint32_t joint : joints) {
    if (joint >= joint_count) {
      return refuse_footsteps("there is no joint " + std::to_string(joint) + ", of " + std::to_string(joint_count));
    }
  }
  if (Status status = validate(character.skeleton); !status) return status;
  if (Status status = validate(given, joint_count, character.mesh.target_count()); !status) return status;
  if (double(given.duration_seconds()) * kFootSamplesPerSecond * joint_count > kMaxFootPoses) {
    return refuse_footsteps("clip '" + given.name + "' is too long");
  }
  return {};
}

/// A joint that touches the ground, and what leaves it last.
struct GroundJoint {
  uint32_t joint = 0;
  JointPoint last;
};

std::vector<Marker> footsteps(const Character& character, const Clip& clip, const std::optional<Feet>& feet,
                              std::span<const GroundJoint> joints, StepMoments moments) {
  std::vector<JointPoint> followed;
  for (const GroundJoint& joint : joints) followed.insert(followed.end(), {{joint.joint, {}}, joint.last});
  const HeightsOverTime heights = heights_in(character, clip, followed);
  const double min_range = kMinRange * rest_height(character);
  std::vector<Marker> markers;
  const auto add = [&](const std::vector<uint32_t>& samples, uint32_t joint, bool up) {
    for (const uint32_t sample : samples) {
      const float time = std::min(time_at(clip, sample, heights.intervals), clip.end_seconds);
      markers.push_back({time, name_of_step(character.skeleton, feet, joint, up)});
    }
  };
  for (size_t j = 0; j < joints.size(); ++j) {
    add(steps_in(heights.of_joint[2 * j], min_range), joints[j].joint, false);
    if (moments == StepMoments::kDownAndUp)
      add(lifts_in(heights.of_joint[2 * j + 1], min_range), joints[j].joint, true);
  }
  std::ranges::stable_sort(markers, [](const Marker& a, const Marker& b) { return a.time_seconds < b.time_seconds; });
  return markers;
}

}  // namespace

Result<std::optional<Feet>> find_feet(const Skeleton& skeleton) SINEW_TRY { return feet_of(skeleton); }
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Result<std::vector<Marker>> find_footsteps(const Character& character, uint32_t clip, std::span<const uint32_t> joints,
                                           StepMoments moments) SINEW_TRY {
  if (Status status = check(character, clip, joints); !status) return status.error();
  const Skeleton& skeleton = character.skeleton;
  const std::optional<Feet> feet = feet_of(skeleton);
  if (joints.empty() && !feet) return refuse_footsteps("no joint of '" + character.name + "' has the name of a foot");
  std::vector<GroundJoint> ground;
  for (const uint32_t joint : joints) ground.push_back({joint, {joint, {}}});
  const auto last_of = [&](uint32_t foot) {
    return moments == StepMoments::kDownAndUp ? tip_of(character, foot) : JointPoint{foot, {}};
  };
  if (joints.empty()) ground = {{feet->left, last_of(feet->left)}, {feet->right, last_of(feet->right)}};
  return footsteps(character, character.clips[clip], feet, ground, moments);
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

}  // namespace sinew
