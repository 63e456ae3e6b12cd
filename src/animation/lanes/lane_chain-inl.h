// Chains inside the walk of the hierarchy. Included once for each instruction set, by lane_code.cpp.
//
// A chain has to know where it ends before its first node is turned, so that node's children are walked ahead as they
// would be without the chain, along the path to the end only. Then each node of the chain is turned as it is walked:
// its children and its entry in the palette never see another state.
#if defined(SINEW_LANE_CHAIN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_LANE_CHAIN_INL_H_
#undef SINEW_LANE_CHAIN_INL_H_
#else
#define SINEW_LANE_CHAIN_INL_H_
#endif

#include <cstddef>
#include <utility>

#include "lanes/lane_solve-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::internal::HWY_NAMESPACE {
#if HWY_TARGET & SINEW_LANE_TARGETS

/// The chains of one set.
template <bool kScales, Layers kLayers>
class ChainWalk {
 public:
  HWY_INLINE ChainWalk(const LaneProgram& program, const LaneSet& set, float* states)
      : program_(program), set_(set), states_(states), step_(set.chains->steps.data()) {
    for (size_t l = 0; l < layer_count(); ++l) prepare(set, l, layers_[l]);
  }

  /// Whether the next step is of this node.
  HWY_INLINE bool stops_at(size_t node) const { return step_->node == node; }

  /// Takes that step. `walked` has the layers of the walk, of which the vector `ahead` is decoded up to
  /// `ahead_lane_blocks`.
  HWY_NOINLINE void take(Layer* walked, size_t ahead, size_t ahead_lane_blocks) {
    const ChainStep& step = *step_++;
    if ((set_.targeted >> step.chain & 1) == 0) return;
    walked_ = walked, ahead_ = ahead, ahead_lane_blocks_ = ahead_lane_blocks;
    take(step);
  }

 private:
  static constexpr size_t kChannelBlocks = kScales ? 2 : 1;

  HWY_INLINE size_t layer_count() const { return kLayers == Layers::kOne ? 1 : set_.layer_count + set_.additive_count; }

  HWY_INLINE void take(const ChainStep& step) {
    const LaneChain& chain = set_.chains->chains[step.chain];
    const ProgramNode& node = program_.nodes[step.node];
    float* const state = state_of(node.state);
    float* const carried = set_.carried + step.chain * kCarriedRows * W;
    Turn turn;
    switch (step.job) {
      case ChainJob::kUpper:
        turn = begin_two_bone(step, chain, node, carried);
        break;
      case ChainJob::kTurn:
        turn = load_turn(carried + step.carried_row * W);
        break;
      case ChainJob::kFirstAim:
        turn = begin_aim(step, chain, carried);
        break;
      case ChainJob::kNextAim:
        turn = share_of(load_plan(carried), step.share);
        break;
      case ChainJob::kLastAim:
        turn = finish(aim_of(chain, node, state), chain, load_plan(carried), step.share, set_.chains->up);
        break;
      case ChainJob::kOnlyAim:
        turn = aim_alone(step, chain, aim_of(chain, node, state));
        break;
    }
    turn_state<kScales>(turn, node, all(program_.scale), state);
  }

  HWY_INLINE float* state_of(size_t state) const { return states_ + state * kStateRows * W; }

  HWY_INLINE Turn begin_two_bone(const ChainStep& step, const LaneChain& chain, const ProgramNode& node,
                                 float* carried) {
    const float* state = state_of(node.state);
    TwoBones bones;
    bones.upper = place_of(state, node.origin);
    bones.middle = bones.upper;  // replaced in the loop, which g++ does not see
    bones.pole = direction_of(state, chain.pole);
    for (size_t i = 0; i + 1 < chain.path.size(); ++i) {
      const ProgramNode& walked = chain.path[i].walked;
      walk_ahead(chain.path[i]);
      if (i == chain.middle) bones.middle = place_of(state_of(walked.state), walked.origin);
    }
    bones.end = place_ahead(chain.path.back());
    const TwoBoneTurns turns = solve(bones, *chain.two_bone, target_of(step), set_.chains->up);
    store_turn(turns.middle, carried);
    if (chain.two_bone->end_orientation != EndOrientation::kFollow) store_turn(turns.end, carried + 4 * W);
    return turns.upper;
  }

  HWY_INLINE Turn begin_aim(const ChainStep& step, const LaneChain& chain, float* carried) {
    for (const PathNode& node : chain.path) walk_ahead(node);
    const ProgramNode& last = chain.path.back().walked;
    const LaneAimPlan made = plan(aim_of(chain, last, state_of(last.state)), chain, target_of(step));
    store_turn(made.total, carried);
    store_point(made.target, carried + 4 * W);
    hn::Store(made.weight, kFloat, carried + 7 * W);
    return share_of(made, step.share);
  }

  HWY_INLINE Turn aim_alone(const ChainStep& step, const LaneChain& chain, const Aim& aim) const {
    return finish(aim, chain, plan(aim, chain, target_of(step)), 1, set_.chains->up);
  }

  static HWY_INLINE Turn share_of(const LaneAimPlan& plan, float share) {
    return weighted(plan.total, hn::Mul(plan.weight, all(share)));
  }

  static HWY_INLINE Aim aim_of(const LaneChain& chain, const ProgramNode& node, const float* state) {
    return {place_of(state, node.origin), direction_of(state, chain.axis), direction_of(state, chain.offset),
            direction_of(state, chain.up)};
  }

  HWY_INLINE Target target_of(const ChainStep& step) const {
    static_assert(offsetof(ChainTarget, position) == 8 && offsetof(ChainTarget, weight) == 20 &&
                  offsetof(ChainTarget, normal) == 24);
    const ChainTarget* const* targets = set_.targets + step.chain * kMaxLanes;
    Words at[4], normal[4];
    load_targets(targets, 2, at);      // x y z weight
    load_targets(targets, 5, normal);  // weight x y z
    const auto floats = [](Words words) { return hn::BitCast(kFloat, words); };
    return clean({{floats(at[0]), floats(at[1]), floats(at[2])},
                  floats(at[3]),
                  {floats(normal[1]), floats(normal[2]), floats(normal[3])}});
  }

  /// Four words of each lane's target, from `first` on.
  static HWY_INLINE void load_targets(const ChainTarget* const* targets, size_t first, Words (&words)[4]) {
    for (size_t i = 0; i < 4; ++i) {
      const uint32_t* blocks[kBlocks];
      for (size_t b = 0; b < kBlocks; ++b) blocks[b] = reinterpret_cast<const uint32_t*>(targets[b * 4 + i]) + first;
      words[i] = load_blocks<false>(blocks);
    }
    transpose_blocks(words);
  }

  static HWY_INLINE Point load_point(const float* rows) { return {row(rows, 0), row(rows, 1), row(rows, 2)}; }
  static HWY_INLINE void store_point(const Point& point, float* rows) {
    hn::Store(point.x, kFloat, rows), hn::Store(point.y, kFloat, rows + W), hn::Store(point.z, kFloat, rows + 2 * W);
  }
  static HWY_INLINE Turn load_turn(const float* rows) { return {load_point(rows), row(rows, 3)}; }
  static HWY_INLINE void store_turn(const Turn& turn, float* rows) {
    store_point(turn.v, rows);
    hn::Store(turn.w, kFloat, rows + 3 * W);
  }
  static HWY_INLINE LaneAimPlan load_plan(const float* rows) {
    return {load_turn(rows), load_point(rows + 4 * W), row(rows, 7)};
  }

  /// Walks a node of a path, as it would be without the chain.
  HWY_INLINE void walk_ahead(const PathNode& path) {
    walk<kScales>(program_, path.walked, values_of(path), states_, [] {});
  }

  /// The place of a node of a path, of which no more is needed.
  HWY_INLINE Point place_ahead(const PathNode& path) {
    const Channels channels = values_of(path);
    const float* parent = state_of(path.walked.parent_state);
    const auto along = [&](size_t i) {
      return hn::MulAdd(row(parent, i * 4 + 2), channels.translation[2],
                        hn::MulAdd(row(parent, i * 4 + 1), channels.translation[1],
                                   hn::MulAdd(row(parent, i * 4), channels.translation[0], row(parent, i * 4 + 3))));
    };
    return {along(0), along(1), along(2)};
  }

  HWY_INLINE Channels values_of(const PathNode& path) {
    const size_t first = path.node * kChannelBlocks;
    const Layer* layers = decoded((first + kChannelBlocks - 1) / kBlocks, first / kBlocks);
    if constexpr (kLayers == Layers::kOne) {
      return read<kScales>(layers[0], path.walked.range, first);
    } else {
      return blend<kScales, kLayers>(program_, set_, layers, path.node, first);
    }
  }

  /// Layers with the vectors `first` and `last`, which may be the same, decoded. Those of the walk have what comes
  /// next.
  HWY_INLINE const Layer* decoded(size_t last, size_t first) {
    if (last <= ahead_) {
      if (last == ahead_) decode_from(walked_, last, std::exchange(ahead_lane_blocks_, kBlocks));
      return walked_;
    }
    for (size_t vector = first; vector <= last; ++vector) {
      if (std::exchange(decoded_[vector % 2], vector) != vector) decode_from(layers_, vector, 0);
    }
    return layers_;
  }

  HWY_INLINE void decode_from(Layer* layers, size_t vector, size_t lane_block) const {
    for (; lane_block < kBlocks; ++lane_block) {
      for (size_t l = 0; l < layer_count(); ++l) decode(layers[l], set_.frame_stride, vector, lane_block);
    }
  }

  const LaneProgram& program_;
  const LaneSet& set_;
  float* states_;
  const ChainStep* step_;
  Layer* walked_ = nullptr;
  size_t ahead_ = 0, ahead_lane_blocks_ = 0;  // see take()
  size_t decoded_[2] = {SIZE_MAX, SIZE_MAX};  // the vectors in the words of layers_
  Layer layers_[kLayers == Layers::kOne ? 1 : kMaxBlendedLayers];
};

/// Of sets without targets.
struct NoChains {
  static constexpr bool stops_at(size_t) { return false; }
  static void take(Layer*, size_t, size_t) {}
};

#endif  // HWY_TARGET & SINEW_LANE_TARGETS
}  // namespace sinew::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // SINEW_LANE_CHAIN_INL_H_
