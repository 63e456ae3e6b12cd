#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "asset/error.h"
#include "asset/exceptions.h"
#include "asset/for_each.h"
#include "asset/plain_text.h"
#include "baked_sample.h"
#include "chain_solver.h"
#include "lanes/lane_chains.h"
#include "palette_size.h"
#include "scratch_pool.h"
#include "sinew/animation/evaluator.h"
#include "sinew/asset/baked_character.h"
#include "sinew/asset/parallel.h"
#include "sinew/profile.h"

namespace sinew {

namespace internal {

// Orders instances by the kinds of their layers, those with targets of chains apart. All instances of a lane set have
// one shape, so that no lane does needless work.

/// The kinds of an instance's layers, and whether it has targets.
struct Shape {
  uint32_t blended = 0, added = 0;
  bool masked = false, targeted = false;

  static constexpr size_t kCount = 4 * (kMaxLayers + 1) * (kMaxLayers + 1);
  size_t index() const { return ((targeted * 2u + masked) * (kMaxLayers + 1) + blended) * (kMaxLayers + 1) + added; }
};

class ShapeOrder {
 public:
  /// Sorts `instances` by shape, then by index. `targets` ascend by instance. Throws std::bad_alloc.
  void sort(const BakedCharacter& baked, std::span<const Playback> instances, std::span<const ChainTarget> targets,
            size_t max_per_task, const ParallelFor& parallel_for);

  /// Indices of instances of one shape, at most `max_per_task` in each task.
  std::span<const std::span<const uint32_t>> tasks() const { return tasks_; }

 private:
  std::vector<uint8_t> shapes_;   // of each instance
  std::vector<uint32_t> order_;   // all instances
  std::vector<uint32_t> places_;  // [piece][shape]: the number of instances, then where the next one goes in order_
  std::vector<std::span<const uint32_t>> tasks_;
};

namespace {

constexpr uint32_t kMinPerPiece = 4096;
static_assert(Shape::kCount <= UINT8_MAX);

/// A layer without a weight, or of a clip that does not exist, is not played.
bool is_played(const BakedCharacter& baked, const Layer& layer) {
  return layer.weight > 0 && layer.clip < baked.clips.size();
}

Shape shape_of(const BakedCharacter& baked, const Playback& playback) {
  Shape shape;
  for (const Layer& layer : playback.layers) {
    if (!is_played(baked, layer)) continue;
    const bool additive = baked.clips[layer.clip].additive;
    shape.added += additive;
    shape.blended += !additive;
    shape.masked = shape.masked || layer.mask != 0;
  }
  if (shape.blended == 0) shape.blended = 1;                   // the rest pose is a layer
  if (shape.blended + shape.added == 1) shape.masked = false;  // a mask has no effect on a single layer
  return shape;
}

}  // namespace

/// Stable counting sort.
void ShapeOrder::sort(const BakedCharacter& baked, std::span<const Playback> instances,
                      std::span<const ChainTarget> targets, size_t max_per_task, const ParallelFor& parallel_for) {
  const uint32_t count = uint32_t(instances.size());
  const Pieces pieces(count, kMinPerPiece);
  shapes_.resize(count), order_.resize(count);
  places_.assign(pieces.count() * Shape::kCount, 0);
  for_each(parallel_for, pieces.count(), [&](uint32_t piece) {
    uint32_t* counts = places_.data() + piece * Shape::kCount;
    std::span<const ChainTarget> rest = targets_from(targets, pieces.begin(piece));
    for (uint32_t i = pieces.begin(piece); i < pieces.end(piece); ++i) {
      Shape shape = shape_of(baked, instances[i]);
      for (; !rest.empty() && rest[0].instance == i; rest = rest.subspan(1)) shape.targeted = true;
      shapes_[i] = uint8_t(shape.index());
      ++counts[shapes_[i]];
    }
  });
  tasks_.clear();
  uint32_t next = 0;
  for (size_t shape = 0; shape < Shape::kCount; ++shape) {
    const uint32_t first = next;
    for (uint32_t piece = 0; piece < pieces.count(); ++piece) {
      uint32_t& place = places_[piece * Shape::kCount + shape];
      next += std::exchange(place, next);
    }
    for (size_t begin = first; begin < next; begin += max_per_task)
      tasks_.push_back(std::span(order_).subspan(begin, std::min(max_per_task, next - begin)));
  }
  for_each(parallel_for, pieces.count(), [&](uint32_t piece) {
    uint32_t* places = places_.data() + piece * Shape::kCount;
    for (uint32_t i = pieces.begin(piece); i < pieces.end(piece); ++i) order_[places[shapes_[i]]++] = i;
  });
}

/// A socket, and which of LaneSet::socket_states it follows.
struct FollowedEntry {
  uint32_t state = 0;
  Matrix3x4 mesh_from_socket;
};

/// 64-byte aligned floats.
class AlignedFloats {
 public:
  /// Their values are undefined.
  void resize(size_t floats) { cache_lines_.resize((floats + 15) / 16); }
  float* data() { return cache_lines_.empty() ? nullptr : cache_lines_.data()->floats; }

 private:
  struct alignas(64) CacheLine {
    float floats[16];
  };
  std::vector<CacheLine> cache_lines_;
};

/// The memory of one task.
struct TaskScratch {
  AlignedFloats state, output, socket_states, carried;
  std::vector<const ChainTarget*> targets;  // see LaneSet::targets
};

}  // namespace internal

using namespace internal;
namespace {

constexpr size_t kLaneSetsPerTask = 16;
constexpr size_t kStreamingBytes = size_t(8) << 20;  // more than a core's own caches hold; see benchmarks/results
constexpr uint32_t kValuesPerCacheLine = 32;
constexpr size_t kCacheLineBytes = 64;

/// The data of one call of evaluate(), shared by its tasks.
struct Evaluation {
  const BakedCharacter& baked;
  const LaneProgram& program;
  const LaneCode& lane_code;
  std::span<const std::vector<float>> masks;  // a factor for each node
  const LaneChains& chains;
  std::span<const Playback> instances;
  std::span<const ChainTarget> targets;
  uint32_t palette_stride;
  std::byte* palettes;
  size_t entry_bytes;  // of a Matrix3x4 or a CompactMatrix
  std::span<const FollowedEntry> sockets;
  uint32_t socket_states;  // nodes that sockets follow
  Matrix3x4* socket_output;
  bool on_cache_lines;  // the lane code writes `palettes` itself; else they are copied
  bool stream;
};

/// A lane that plays the rest pose, which is the first frames of a bake.
Lane resting_lane(const BakedCharacter& baked) { return {baked.values_of(0), 0, 1, nullptr}; }

Lane lane_of(const Evaluation& evaluation, const Layer& layer) {
  const BakedCharacter& baked = evaluation.baked;
  const FramePosition at = frame_position(baked.clips[layer.clip], layer.time_seconds);
  const bool masked = layer.mask > 0 && layer.mask <= evaluation.masks.size();
  return {baked.values_of(at.frame), at.share, layer.weight,
          masked ? evaluation.masks[layer.mask - 1].data() : nullptr};
}

/// Fills one lane of each layer from an instance's playback: first the blended layers, then the additive ones.
void fill_lane(const Evaluation& evaluation, const Playback& playback, size_t lane, LaneSet& set) {
  const BakedCharacter& baked = evaluation.baked;
  size_t blended = 0, added = set.layer_count;
  float heaviest = 0;
  for (const Layer& layer : playback.layers) {
    if (!is_played(baked, layer)) continue;
    const bool additive = baked.clips[layer.clip].additive;
    Lane& filled = set.lanes[additive ? added++ : blended++][lane];
    filled = lane_of(evaluation, layer);
    if (additive) filled.weight = std::min(filled.weight, 1.0f);
    if (!additive) heaviest = std::max(heaviest, layer.weight);
  }
  if (blended == 0) set.lanes[0][lane] = resting_lane(baked);
  // Weights add to 1. They are divided by the heaviest first, so that their sum neither overflows nor becomes 0.
  float sum = 0;
  for (size_t i = 0; i < blended; ++i) {
    float& weight = set.lanes[i][lane].weight;
    weight = weight == heaviest ? 1 : weight / heaviest;
    sum += weight;
  }
  for (size_t i = 0; i < blended; ++i) set.lanes[i][lane].weight /= sum;
}

/// The lane code writes whole cache lines, so palettes must begin and end at cache lines.
bool are_on_cache_lines(const std::byte* palettes, uint32_t palette_stride) {
  return reinterpret_cast<uintptr_t>(palettes) % kCacheLineBytes == 0 && palette_stride % kEntriesPerQuad == 0;
}

/// The floats of one instance's palette, rounded up to whole cache lines.
size_t palette_floats(const Evaluation& evaluation) {
  return align_up(evaluation.program.entry_count, kEntriesPerQuad) * evaluation.entry_bytes / sizeof(float);
}

float* palette_of(const Evaluation& evaluation, uint32_t instance) {
  return reinterpret_cast<float*>(evaluation.palettes +
                                  size_t(instance) * evaluation.palette_stride * evaluation.entry_bytes);
}

/// Assigns an instance to every lane; lanes without an instance repeat the first. `scratch_output` gets the palettes
/// that the lane code may not write in place: one for each lane, or one that all lanes without an instance share.
void fill_lanes(const Evaluation& evaluation, std::span<const uint32_t> instances, float* scratch_output,
                LaneSet& set) {
  const size_t scratch_stride = evaluation.on_cache_lines ? 0 : palette_floats(evaluation);
  for (size_t lane = 0; lane < evaluation.lane_code.lanes; ++lane) {
    const bool used = lane < instances.size();
    const uint32_t instance = instances[used ? lane : 0];
    fill_lane(evaluation, evaluation.instances[instance], lane, set);
    set.palettes[lane] =
        used && evaluation.on_cache_lines ? palette_of(evaluation, instance) : scratch_output + lane * scratch_stride;
  }
  // Scratch output is not streamed: it is shared by lanes, or read again to copy it, and both are fast only in a cache.
  set.stream = evaluation.stream && evaluation.on_cache_lines && instances.size() == evaluation.lane_code.lanes;
}

/// Lanes without an instance have no target. `instances` ascend; takes their targets, and those before, off `rest`.
void fill_targets(std::span<const uint32_t> instances, std::span<const ChainTarget>& rest, TaskScratch& scratch,
                  LaneSet& set) {
  std::fill(scratch.targets.begin(), scratch.targets.end(), &kNoTarget);
  set.targeted = 0;
  for (size_t lane = 0; lane < instances.size(); ++lane) {
    for (; !rest.empty() && rest[0].instance <= instances[lane]; rest = rest.subspan(1)) {
      if (rest[0].instance < instances[lane]) continue;
      scratch.targets[rest[0].chain * kMaxLanes + lane] = &rest[0];
      set.targeted |= rest[0].weight > 0 ? 1u << rest[0].chain : 0;
    }
  }
}

/// Makes room for the chains of sets whose lanes have targets.
void prepare_chains(const Evaluation& evaluation, TaskScratch& scratch, LaneSet& set) {
  const size_t chains = evaluation.chains.chains.size();
  scratch.targets.resize(chains * kMaxLanes);
  scratch.carried.resize(chains * kCarriedRows * evaluation.lane_code.lanes);
  set.chains = &evaluation.chains;
  set.targets = scratch.targets.data();
  set.carried = scratch.carried.data();
}

void copy_palettes(const Evaluation& evaluation, std::span<const uint32_t> instances, const LaneSet& set) {
  const size_t palette_bytes = evaluation.program.entry_count * evaluation.entry_bytes;
  for (size_t lane = 0; lane < instances.size(); ++lane) {
    std::memcpy(palette_of(evaluation, instances[lane]), set.palettes[lane], palette_bytes);
  }
}

Matrix3x4 matrix_of(const float* rows, size_t lanes, size_t lane) {
  Matrix3x4 matrix;
  for (size_t i = 0; i < 12; ++i) matrix.m[i / 4][i % 4] = rows[i * lanes + lane];
  return matrix;
}

void write_sockets(const Evaluation& evaluation, std::span<const uint32_t> instances, const float* states) {
  const size_t lanes = evaluation.lane_code.lanes, count = evaluation.sockets.size();
  for (size_t lane = 0; lane < instances.size(); ++lane) {
    Matrix3x4* output = evaluation.socket_output + instances[lane] * count;
    for (size_t s = 0; s < count; ++s) {
      const FollowedEntry& socket = evaluation.sockets[s];
      output[s] = matrix_of(states + socket.state * 12 * lanes, lanes, lane) * socket.mesh_from_socket;
    }
  }
}

/// `instances` have one shape: all have targets, or none.
void evaluate_task(const Evaluation& evaluation, std::span<const uint32_t> instances, TaskScratch& scratch) {
  const size_t lanes = evaluation.lane_code.lanes;
  scratch.state.resize(state_floats(evaluation.program));
  scratch.output.resize(palette_floats(evaluation) * (evaluation.on_cache_lines ? 1 : lanes));
  scratch.socket_states.resize(evaluation.socket_output ? evaluation.socket_states * 12 * lanes : 0);

  LaneSet set;
  set.compact = evaluation.entry_bytes == sizeof(CompactMatrix);
  set.socket_states = scratch.socket_states.data();
  set.frame_stride = evaluation.baked.cache_lines_per_frame * kValuesPerCacheLine;
  const Shape shape = shape_of(evaluation.baked, evaluation.instances[instances[0]]);
  std::span<const ChainTarget> targets = targets_from(evaluation.targets, instances[0]);
  const bool has_targets = !targets.empty() && targets[0].instance == instances[0];
  if (has_targets) prepare_chains(evaluation, scratch, set);
  set.layer_count = shape.blended;
  set.additive_count = shape.added;
  set.masked = shape.masked;
  for (size_t first = 0; first < instances.size(); first += lanes) {
    const auto set_instances = instances.subspan(first, std::min(lanes, instances.size() - first));
    fill_lanes(evaluation, set_instances, scratch.output.data(), set);
    if (has_targets) fill_targets(set_instances, targets, scratch, set);
    evaluation.lane_code.evaluate(evaluation.program, set, scratch.state.data());
    if (!evaluation.on_cache_lines && evaluation.palettes != nullptr) copy_palettes(evaluation, set_instances, set);
    if (evaluation.socket_output) write_sockets(evaluation, set_instances, set.socket_states);
  }
  if (evaluation.stream) finish_streaming();
}

Status validate_mask(std::span<const float> joint_weights, uint32_t joint_count) {
  const auto refuse = [](const std::string& why) { return Error{ErrorCode::kInvalidArgument, "mask: " + why}; };
  if (joint_weights.size() != joint_count) {
    return refuse("it has " + std::to_string(joint_weights.size()) + " factors for " + std::to_string(joint_count) +
                  " joints");
  }
  for (size_t joint = 0; joint < joint_weights.size(); ++joint) {
    const float factor = joint_weights[joint];
    if (factor >= 0 && factor <= kMaxMaskFactor) continue;
    return refuse("the factor of joint " + std::to_string(joint) + " is " + decimal(double(factor)) +
                  ", not one from 0 to 1e6");
  }
  return {};
}

/// Spreads the factors of joints to the nodes of the walk. The delta of a constant node is the same in every layer, so
/// that the weights do not matter.
void spread_mask(const BakedCharacter& baked, std::span<const float> joint_weights, std::vector<float>& factors) {
  for (size_t i = 0; i < baked.nodes.size(); ++i) {
    const int32_t joint = baked.nodes[i].joint;
    factors[i] = joint == kNoJoint ? 1 : joint_weights[size_t(joint)];
  }
}

LaneCode find_lane_code(std::string_view name) {
  const std::span<const LaneCode> all = available_lane_code();
  const auto named = [&](const LaneCode& lane_code) { return lane_code.name == name; };
  const auto found = std::find_if(all.begin(), all.end(), named);
  return found == all.end() ? all[0] : *found;
}

Error scales_joints() {
  return {ErrorCode::kUnsupported, "compact palettes: the clips of this character scale joints"};
}

}  // namespace

struct CrowdEvaluator::Impl {
  Impl(const BakedCharacter& character, std::string_view instruction_set)
      : baked(character), program(character), lane_code(find_lane_code(instruction_set)) {}

  const BakedCharacter& baked;
  LaneProgram program;
  LaneCode lane_code;
  std::vector<std::vector<float>> masks;  // a factor for each node of the walk
  LaneChains chains;
  std::vector<FollowedEntry> sockets;
  uint32_t socket_states = 0;  // nodes that sockets follow
  ScratchPool<ShapeOrder> orders;
  ScratchPool<TaskScratch> task_scratch;
};

/// The arguments of evaluate().
struct CrowdEvaluator::Call {
  std::span<const Playback> instances;
  uint32_t palette_stride;
  std::span<std::byte> palettes;
  size_t entry_bytes;
  bool has_sockets;
  std::span<Matrix3x4> sockets;
  const ParallelFor& parallel_for;
  StoreMode store_mode;
  bool sockets_alone = false;  // no palettes
  std::span<const ChainTarget> targets = {};
};

std::unique_ptr<CrowdEvaluator::Impl> CrowdEvaluator::make_impl(const BakedCharacter& baked,
                                                                std::string_view instruction_set) SINEW_TRY {
  return std::make_unique<Impl>(baked, instruction_set);
}
SINEW_CATCH_BAD_ALLOC(return nullptr;)

CrowdEvaluator::CrowdEvaluator(const BakedCharacter& baked, std::string_view instruction_set) noexcept
    : impl_(make_impl(baked, instruction_set)), out_of_memory_(impl_ == nullptr) {}
CrowdEvaluator::CrowdEvaluator() noexcept = default;
CrowdEvaluator::~CrowdEvaluator() = default;
CrowdEvaluator::CrowdEvaluator(CrowdEvaluator&&) noexcept = default;
CrowdEvaluator& CrowdEvaluator::operator=(CrowdEvaluator&&) noexcept = default;

/// Why there is no impl_.
Error CrowdEvaluator::absent() const {
  if (out_of_memory_) return out_of_memory();
  return {ErrorCode::kInvalidArgument, "evaluator: it is empty, because it has no bake or was moved from"};
}

const BakedCharacter* CrowdEvaluator::baked() const { return impl_ ? &impl_->baked : nullptr; }

const char* CrowdEvaluator::instruction_set() const { return impl_ ? impl_->lane_code.name : "none"; }

Result<uint32_t> CrowdEvaluator::add_mask(std::span<const float> joint_weights) SINEW_TRY {
  if (!impl_) return absent();
  const BakedCharacter& baked = impl_->baked;
  if (Status status = validate_mask(joint_weights, baked.joint_count); !status) return status.error();
  std::vector<float> factors(baked.nodes.size());
  spread_mask(baked, joint_weights, factors);
  impl_->masks.push_back(std::move(factors));
  return uint32_t(impl_->masks.size());
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Status CrowdEvaluator::set_mask(uint32_t mask, std::span<const float> joint_weights) SINEW_TRY {
  if (!impl_) return absent();
  if (mask == 0 || mask > impl_->masks.size()) {
    return Error{ErrorCode::kInvalidArgument,
                 "mask: there is no mask " + std::to_string(mask) + ", of " + std::to_string(impl_->masks.size())};
  }
  if (Status status = validate_mask(joint_weights, impl_->baked.joint_count); !status) return status;
  spread_mask(impl_->baked, joint_weights, impl_->masks[mask - 1]);
  return {};
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Status CrowdEvaluator::set_sockets(std::span<const Socket> sockets) SINEW_TRY {
  if (!impl_) return absent();
  if (sockets.size() > INT16_MAX) {
    return Error{ErrorCode::kUnsupported,
                 "sockets: there are " + std::to_string(sockets.size()) + ", more than " + std::to_string(INT16_MAX)};
  }
  const std::vector<BakedNode>& baked = impl_->baked.nodes;
  std::vector<int16_t> states(baked.size(), -1);
  std::vector<FollowedEntry> followed;
  int16_t count = 0;
  for (size_t s = 0; s < sockets.size(); ++s) {
    const auto refuse = [&](ErrorCode code, const char* why) {
      return Error{code, "socket " + std::to_string(s) + ": " + why};
    };
    if (sockets[s].entry >= impl_->baked.palette_size) return refuse(ErrorCode::kInvalidArgument, "no such entry");
    const auto follows = [&](const BakedNode& node) { return node.entry == int32_t(sockets[s].entry); };
    const auto node = std::find_if(baked.begin(), baked.end(), follows);
    if (node == baked.end()) return refuse(ErrorCode::kUnsupported, "the entry is in no node of the bake");
    int16_t& state = states[size_t(node - baked.begin())];
    if (state < 0) state = count++;
    followed.push_back({uint32_t(state), sockets[s].mesh_from_socket});
  }
  for (size_t i = 0; i < baked.size(); ++i) impl_->program.nodes[i].socket_state = states[i];
  impl_->sockets = std::move(followed);
  impl_->socket_states = uint32_t(count);
  return {};
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Status CrowdEvaluator::set_chains(const Character& character, const Skin& skin,
                                  std::span<const Chain> chains) SINEW_TRY {
  if (!impl_) return absent();
  if (Status status = validate(chains, character); !status) return status;
  return put_value(make_lane_chains(character, skin, impl_->baked, chains, impl_->program), impl_->chains);
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Status CrowdEvaluator::set_chains(const Character& character, std::span<const Chain> chains) {
  return set_chains(character, character.skin, chains);
}

uint32_t CrowdEvaluator::socket_count() const { return impl_ ? uint32_t(impl_->sockets.size()) : 0; }

Status CrowdEvaluator::evaluate(std::span<const Playback> instances, uint32_t palette_stride,
                                std::span<Matrix3x4> palettes, const ParallelFor& parallel_for) const {
  return run({instances, palette_stride, std::as_writable_bytes(palettes), sizeof(Matrix3x4), false,
              std::span<Matrix3x4>(), parallel_for, StoreMode::kAuto});
}

Status CrowdEvaluator::evaluate(std::span<const Playback> instances, uint32_t palette_stride,
                                std::span<CompactMatrix> palettes, const ParallelFor& parallel_for) const {
  if (impl_ && impl_->program.scales) return scales_joints();
  return run({instances, palette_stride, std::as_writable_bytes(palettes), sizeof(CompactMatrix), false,
              std::span<Matrix3x4>(), parallel_for, StoreMode::kAuto});
}

Status CrowdEvaluator::evaluate(std::span<const Playback> instances, uint32_t palette_stride,
                                std::span<Matrix3x4> palettes, std::span<Matrix3x4> sockets,
                                const ParallelFor& parallel_for) const {
  return run({instances, palette_stride, std::as_writable_bytes(palettes), sizeof(Matrix3x4), true, sockets,
              parallel_for, StoreMode::kAuto});
}

Status CrowdEvaluator::evaluate(const EvaluationInfo& info, const ParallelFor& parallel_for) const {
  const bool is_compact = !info.compact_palettes.empty();
  if (is_compact && !info.palettes.empty())
    return Error{ErrorCode::kInvalidArgument, "palettes: there is room for both kinds"};
  if (is_compact && impl_ && impl_->program.scales) return scales_joints();
  Call call{info.instances,
            info.palette_stride,
            is_compact ? std::as_writable_bytes(info.compact_palettes) : std::as_writable_bytes(info.palettes),
            is_compact ? sizeof(CompactMatrix) : sizeof(Matrix3x4),
            !info.sockets.empty(),
            info.sockets,
            parallel_for,
            info.store_mode};
  call.sockets_alone = info.palettes.empty() && !is_compact && !info.sockets.empty();
  call.targets = info.targets;
  return run(call);
}

Status CrowdEvaluator::run(const Call& call) const SINEW_TRY {
  SINEW_PROFILE_SCOPE("sinew evaluate");
  if (!impl_) return absent();
  const size_t count = call.instances.size();
  if (!call.sockets_alone) {
    Status fits = check_palette_room(count, impl_->program.entry_count, call.palette_stride,
                                     call.palettes.size() / call.entry_bytes);
    if (!fits) return fits;
  }
  if (Status status = check_targets(call.targets, count, impl_->chains.chains.size()); !status) return status;
  const bool has_sockets = call.has_sockets && !impl_->sockets.empty();
  if (has_sockets && call.sockets.size() / impl_->sockets.size() < count)
    return Error{ErrorCode::kInvalidArgument, "sockets: too little room for those of all instances"};
  if (impl_->program.entry_count == 0 || (call.sockets_alone && !has_sockets)) return {};

  const bool large = count * call.palette_stride * call.entry_bytes > kStreamingBytes;
  const Evaluation evaluation{
      impl_->baked,
      impl_->program,
      impl_->lane_code,
      impl_->masks,
      impl_->chains,
      call.instances,
      call.targets,
      call.palette_stride,
      call.sockets_alone ? nullptr : call.palettes.data(),
      call.entry_bytes,
      impl_->sockets,
      impl_->socket_states,
      has_sockets ? call.sockets.data() : nullptr,
      !call.sockets_alone && are_on_cache_lines(call.palettes.data(), call.palette_stride),
      call.store_mode == StoreMode::kStreaming || (call.store_mode == StoreMode::kAuto && large),
  };
  const auto order = impl_->orders.take();
  order->sort(impl_->baked, call.instances, call.targets, impl_->lane_code.lanes * kLaneSetsPerTask, call.parallel_for);
  for_each(call.parallel_for, uint32_t(order->tasks().size()),
           [&](uint32_t task) { evaluate_task(evaluation, order->tasks()[task], *impl_->task_scratch.take()); });
  return {};
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

}  // namespace sinew
