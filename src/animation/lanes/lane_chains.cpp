#include "lanes/lane_chains.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "chain_solver.h"
#include "joint_delta.h"

namespace sinew::internal {
namespace {

bool are_nodes_of(const BakedCharacter& baked, const BakePlan& plan) {
  const auto same = [](const BakedNode& a, const BakedNode& b) {
    return a.joint == b.joint && a.parent == b.parent && a.entry == b.entry;
  };
  return std::equal(baked.nodes.begin(), baked.nodes.end(), plan.nodes.begin(), plan.nodes.end(), same);
}

void write(Vec3 from, float (&to)[3]) { to[0] = from.x, to[1] = from.y, to[2] = from.z; }

class LaneChainMaker {
 public:
  LaneChainMaker(const BakedCharacter& baked, const BakePlan& plan, LaneChains& made, LaneProgram& program)
      : baked_(baked), plan_(plan), made_(made), program_(program) {}

  void add(uint32_t number) {
    const Chain& chain = made_.source[number];
    LaneChain& made = made_.chains[number];
    if (const auto* two_bone = std::get_if<TwoBoneChain>(&chain.kind))
      add_two_bone(number, *two_bone, made);
    else
      add_aim(number, std::get<AimChain>(chain.kind), made);
  }

 private:
  /// The node of a joint, or -1: the bake leaves out joints that move nothing.
  int32_t node_of(uint32_t joint) const {
    const auto found = std::find_if(baked_.nodes.begin(), baked_.nodes.end(),
                                    [&](const BakedNode& node) { return node.joint == int32_t(joint); });
    return found == baked_.nodes.end() ? -1 : int32_t(found - baked_.nodes.begin());
  }

  /// From the space of a node's joint to the bind pose, directions only.
  Vec3 in_bind_pose(int32_t node, Vec3 direction) const {
    Matrix3x4d bind = inverse(plan_.frames[size_t(node)].frame_from_model);
    for (auto& row : bind.m) row[3] = 0;
    return transform_point(bind, direction);
  }

  /// The two last states take turns: a node needs only that of its parent.
  void add_path(int32_t first, int32_t last, LaneChain& made) const {
    for (int32_t node = last; node != first; node = baked_.nodes[size_t(node)].parent)
      made.path.insert(made.path.begin(), {uint32_t(node), program_.nodes[size_t(node)]});
    uint32_t parent_state = program_.nodes[size_t(first)].state;
    for (size_t i = 0; i < made.path.size(); ++i) {
      made.path[i].walked.parent_state = parent_state;
      parent_state = made.path[i].walked.state = program_.state_count - 1 - uint32_t(i % 2);
    }
  }

  void add_two_bone(uint32_t number, const TwoBoneChain& chain, LaneChain& made) {
    const int32_t upper = node_of(chain.upper), middle = node_of(chain.middle), end = node_of(chain.end);
    if (upper < 0 || middle < 0 || end < 0) return;
    made.two_bone = &chain;
    write(normalize(in_bind_pose(upper, normalize(chain.pole))), made.pole);
    add_path(upper, end, made);
    while (made.path[made.middle].node != uint32_t(middle)) ++made.middle;
    made_.steps.push_back({uint32_t(upper), number, ChainJob::kUpper});
    made_.steps.push_back({uint32_t(middle), number, ChainJob::kTurn, 0});
    if (chain.end_orientation != EndOrientation::kFollow)
      made_.steps.push_back({uint32_t(end), number, ChainJob::kTurn, 4});
  }

  void add_aim(uint32_t number, const AimChain& chain, LaneChain& made) {
    const int32_t last = node_of(chain.joints.back().joint);
    if (last < 0) return;
    made.aim = &chain;
    write(in_bind_pose(last, normalize(chain.axis)), made.axis);
    write(in_bind_pose(last, chain.offset), made.offset);
    made.is_upright = length(chain.up) > 0;
    write(in_bind_pose(last, normalize(chain.up, {})), made.up);
    const double tangent = std::tan(double(chain.max_angle) / 2);
    made.swing_limit = float(tangent * tangent);
    add_aim_steps(number, chain, made);
  }

  /// Joints without a node are left out: the others share what they would have turned.
  void add_aim_steps(uint32_t number, const AimChain& chain, LaneChain& made) {
    std::vector<std::pair<int32_t, float>> nodes;
    float sum = 0;
    for (const AimJoint& joint : chain.joints) {
      if (node_of(joint.joint) < 0) continue;
      nodes.emplace_back(node_of(joint.joint), joint.share);
      sum += joint.share;
    }
    add_path(nodes.front().first, nodes.back().first, made);
    for (size_t i = 0; i < nodes.size(); ++i) {
      const bool is_first = i == 0, is_last = i + 1 == nodes.size();
      const ChainJob job = is_first && is_last ? ChainJob::kOnlyAim
                           : is_first          ? ChainJob::kFirstAim
                           : is_last           ? ChainJob::kLastAim
                                               : ChainJob::kNextAim;
      made_.steps.push_back({uint32_t(nodes[i].first), number, job, 0, nodes[i].second / sum});
    }
  }

  const BakedCharacter& baked_;
  const BakePlan& plan_;
  LaneChains& made_;
  const LaneProgram& program_;
};

}  // namespace

Result<LaneChains> make_lane_chains(const Character& character, const Skin& skin, const BakedCharacter& baked,
                                    std::span<const Chain> chains, LaneProgram& program) {
  BakePlan plan = plan_bake(character, skin, false);
  if (!are_nodes_of(baked, plan)) plan = plan_bake(character, skin, true);
  if (!are_nodes_of(baked, plan))
    return Error{ErrorCode::kInvalidArgument, "chains: the bake is not of this character and skin"};

  LaneChains made;
  made.source.assign(chains.begin(), chains.end());
  made.chains.resize(chains.size());
  write(normalize(character.space.up), made.up);
  if (!program.walks_ahead) program.state_count += 2;
  program.walks_ahead = true;
  LaneChainMaker maker(baked, plan, made, program);
  for (uint32_t number = 0; number < chains.size(); ++number) maker.add(number);
  std::sort(made.steps.begin(), made.steps.end(),
            [](const ChainStep& a, const ChainStep& b) { return a.node < b.node; });
  made.steps.emplace_back();
  return made;
}

}  // namespace sinew::internal
