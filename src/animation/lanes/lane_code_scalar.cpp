// The scalar lane code, for machines without vectors: one lane, plain loops, the same steps in double precision.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "baked_sample.h"
#include "chain_solver.h"
#include "joint_delta.h"
#include "lanes/lane_chains.h"
#include "lanes/lane_code.h"
#include "sinew/asset/compact_matrix.h"

namespace sinew::internal {
namespace {

constexpr size_t kStateRows = 16;  // as in the vector lane code; only the matrix is used here

/// The delta of node `i` in one layer.
JointDelta read(const LaneProgram& program, const LaneSet& set, const Lane& lane, const NodeQuantization& quantization,
                size_t i) {
  const size_t index = i * (program.scales ? 2 : 1) * kChannelsPerBlock;
  const auto channel_value = [&](size_t c) {
    const int16_t value = between(lane.frame[index + c], lane.frame[index + c + set.frame_stride], lane.share);
    return double(float(value * 65536) * quantization.scale[c] + quantization.center[c]);
  };
  JointDelta delta;
  for (size_t c = 0; c < 4; ++c) delta.rotation[c] = channel_value(c);
  // A quaternion between two frames is shorter than 1, and would count for less in a blend.
  const double length = std::sqrt(dot(delta.rotation, delta.rotation));
  for (double& v : delta.rotation) v /= length > 0 ? length : 1;
  for (size_t c = 0; c < 3; ++c) delta.translation[c] = channel_value(4 + c);
  for (size_t c = 0; program.scales && c < 6; ++c) delta.scale[c] = channel_value(kChannelsPerBlock + c);
  return delta;
}

double weight_of(const Lane& lane, size_t i) {
  return double(lane.weight) * double(lane.mask == nullptr ? 1.0f : lane.mask[i]);
}

/// sum = sum * (1 - share) + other * share. With a negative `cosine`, the other quaternion changes its sign.
void mix(const JointDelta& other, double share, double cosine, JointDelta& sum) {
  const auto towards = [&](double& a, double b) { a += (b - a) * share; };
  for (size_t c = 0; c < 4; ++c) towards(sum.rotation[c], cosine < 0 ? -other.rotation[c] : other.rotation[c]);
  for (size_t c = 0; c < 3; ++c) towards(sum.translation[c], other.translation[c]);
  for (size_t c = 0; c < 6; ++c) towards(sum.scale[c], other.scale[c]);
}

/// The delta of node `i`: the mean of the blended layers, then the additive layers in order.
JointDelta blended(const LaneProgram& program, const LaneSet& set, size_t i) {
  const NodeQuantization& quantization = program.nodes[i].range;
  JointDelta sum = read(program, set, set.lanes[0][0], quantization, i), first = sum;
  double weights = weight_of(set.lanes[0][0], i);
  for (uint32_t l = 1; l < set.layer_count; ++l) {
    const Lane& lane = set.lanes[l][0];
    const double weight = weight_of(lane, i);
    if (!(weight > 0)) continue;
    const JointDelta next = read(program, set, lane, quantization, i);
    if (!(weights > 0)) first = next;
    weights += weight;
    mix(next, weight / weights, dot(first.rotation, next.rotation), sum);
  }
  for (uint32_t l = set.layer_count; l < set.layer_count + set.additive_count; ++l) {
    const Lane& lane = set.lanes[l][0];
    const JointDelta addition = read(program, set, lane, program.additive_quantizations[i], i);
    JointDelta partial;  // the identity
    mix(addition, std::min(weight_of(lane, i), 1.0), addition.rotation[3], partial);
    sum = add(sum, partial);
  }
  if (!(dot(sum.rotation, sum.rotation) > 1e-24)) sum.rotation[3] = 1;
  return sum;
}

Matrix3x4d load(const float* state) {
  Matrix3x4d matrix;
  for (size_t i = 0; i < 12; ++i) matrix.m[i / 4][i % 4] = state[i];
  return matrix;
}

void store(const Matrix3x4d& matrix, float* out) {
  for (size_t i = 0; i < 12; ++i) out[i] = float(matrix.m[i / 4][i % 4]);
}

/// Entry `entry` of a palette.
void store_entry(const LaneSet& set, const Matrix3x4d& matrix, float scale, size_t entry) {
  if (!set.compact) return store(matrix, set.palettes[0] + 12 * entry);
  const CompactMatrix packed = compact(matrix_cast<float>(matrix), scale);
  std::memcpy(set.palettes[0] + 4 * entry, &packed, sizeof packed);
}

Matrix3x4d walked(const LaneProgram& program, const LaneSet& set, const ProgramNode& node, size_t i,
                  const float* state) {
  const Vec3 origin{node.origin[0], node.origin[1], node.origin[2]};
  return load(state + node.parent_state * kStateRows) * compose(blended(program, set, i), origin);
}

Vec3d place_of(const Matrix3x4d& matrix, const float (&origin)[3]) {
  const auto row = [&](int r) {
    return matrix.m[r][0] * origin[0] + matrix.m[r][1] * origin[1] + matrix.m[r][2] * origin[2] + matrix.m[r][3];
  };
  return {row(0), row(1), row(2)};
}

Vec3d direction_of(const Matrix3x4d& matrix, const float (&a)[3]) { return place_of(matrix, a) - place_of(matrix, {}); }

/// The chains of one set, as ChainWalk of the vector lane code has them.
class ScalarChains {
 public:
  ScalarChains(const LaneProgram& program, const LaneSet& set, float* state)
      : program_(program), set_(set), state_(state), step_(set.chains ? set.chains->steps.data() : nullptr) {}

  /// The matrix of a node after its chain has turned it.
  Matrix3x4d turned(size_t node, const Matrix3x4d& matrix) {
    if (step_ == nullptr || step_->node != node) return matrix;
    const ChainStep& step = *step_++;
    if ((set_.targeted >> step.chain & 1) == 0) return matrix;
    return rotated(matrix, rotation_at(step, matrix), place_of(matrix, program_.nodes[node].origin));
  }

 private:
  Rotation rotation_at(const ChainStep& step, const Matrix3x4d& matrix) {
    const LaneChain& chain = set_.chains->chains[step.chain];
    const ProgramNode& node = program_.nodes[step.node];
    float* const carried = set_.carried + step.chain * kCarriedRows;
    switch (step.job) {
      case ChainJob::kUpper:
        return begin_two_bone(step, chain, matrix, carried);
      case ChainJob::kTurn:
        return rotation_in(carried + step.carried_row);
      case ChainJob::kFirstAim:
        return share_of(begin_aim(step, chain, matrix, carried), double(step.share));
      case ChainJob::kNextAim:
        return share_of(plan_in(carried), double(step.share));
      case ChainJob::kLastAim:
        return finish(aim_pose(chain, node, matrix), chain, plan_in(carried), double(step.share));
      default: {
        const AimPose pose = aim_pose(chain, node, matrix);
        return finish(pose, chain, plan_aim(pose, *chain.aim, target_of(step)), 1);
      }
    }
  }

  Rotation begin_two_bone(const ChainStep& step, const LaneChain& chain, const Matrix3x4d& matrix, float* carried) {
    TwoBonePose pose;
    const ProgramNode& node = program_.nodes[step.node];
    pose.upper = place_of(matrix, node.origin), pose.pole = direction_of(matrix, chain.pole);
    for (size_t i = 0; i < chain.path.size(); ++i) {
      const Matrix3x4d ahead = walk_ahead(chain, i, matrix);
      if (i == chain.middle) pose.middle = place_of(ahead, chain.path[i].walked.origin);
      pose.end = place_of(ahead, chain.path[i].walked.origin);
    }
    const TwoBoneRotations rotations = solve_two_bone(pose, *chain.two_bone, target_of(step), up());
    keep(rotations.middle, carried), keep(rotations.end, carried + 4);
    return rotations.upper;
  }

  AimPlan begin_aim(const ChainStep& step, const LaneChain& chain, const Matrix3x4d& matrix, float* carried) {
    Matrix3x4d last;
    for (size_t i = 0; i < chain.path.size(); ++i) last = walk_ahead(chain, i, matrix);
    const AimPlan plan = plan_aim(aim_pose(chain, chain.path.back().walked, last), *chain.aim, target_of(step));
    keep(plan.total, carried);
    carried[4] = float(plan.target.x), carried[5] = float(plan.target.y), carried[6] = float(plan.target.z);
    carried[7] = float(plan.weight);
    return plan;
  }

  /// Node `i` of a path. `first`: the matrix of the chain's first node, which is not in its state yet.
  Matrix3x4d walk_ahead(const LaneChain& chain, size_t i, const Matrix3x4d& first) {
    const PathNode& path = chain.path[i];
    if (i == 0) store(first, state_ + path.walked.parent_state * kStateRows);
    const Matrix3x4d matrix = walked(program_, set_, path.walked, path.node, state_);
    store(matrix, state_ + path.walked.state * kStateRows);
    return matrix;
  }

  Rotation finish(const AimPose& pose, const LaneChain& chain, const AimPlan& plan, double share) const {
    return finish_aim(pose, *chain.aim, plan, share, up());
  }

  static AimPose aim_pose(const LaneChain& chain, const ProgramNode& node, const Matrix3x4d& matrix) {
    return {place_of(matrix, node.origin), direction_of(matrix, chain.axis), direction_of(matrix, chain.offset),
            direction_of(matrix, chain.up)};
  }

  Vec3 up() const { return {set_.chains->up[0], set_.chains->up[1], set_.chains->up[2]}; }
  CleanTarget target_of(const ChainStep& step) const {
    return clean(*set_.targets[step.chain * kMaxLanes]).value_or(CleanTarget{});
  }

  static void keep(const Rotation& rotation, float* rows) {
    rows[0] = float(rotation.v.x), rows[1] = float(rotation.v.y), rows[2] = float(rotation.v.z);
    rows[3] = float(rotation.w);
  }
  static Rotation rotation_in(const float* rows) { return {{rows[0], rows[1], rows[2]}, rows[3]}; }
  static AimPlan plan_in(const float* rows) { return {rotation_in(rows), {rows[4], rows[5], rows[6]}, rows[7]}; }

  const LaneProgram& program_;
  const LaneSet& set_;
  float* state_;
  const ChainStep* step_;
};

}  // namespace

void evaluate_scalar(const LaneProgram& program, const LaneSet& set, float* state) {
  const float scale = program.scale;
  store({{{scale, 0, 0, 0}, {0, scale, 0, 0}, {0, 0, scale, 0}}}, state);
  size_t entry = 0;
  ScalarChains chains(program, set, state);
  for (size_t i = 0; i < program.nodes.size(); ++i) {
    const ProgramNode& node = program.nodes[i];
    const Matrix3x4d skinning = chains.turned(i, walked(program, set, node, i, state));
    store(skinning, state + node.state * kStateRows);
    if (node.has_entry) store_entry(set, skinning, scale, entry++);
    if (node.socket_state >= 0 && set.socket_states != nullptr)
      store(skinning, set.socket_states + 12 * node.socket_state);
  }
  const Matrix3x4d model_space = {{{scale, 0, 0, 0}, {0, scale, 0, 0}, {0, 0, scale, 0}}};
  for (; entry % 4 != 0; ++entry) store_entry(set, model_space, scale, entry);
}

}  // namespace sinew::internal
