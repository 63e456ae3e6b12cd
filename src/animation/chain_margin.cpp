// How far chains can carry vertices away from where the clips have them.
//
// A chain turns joints, and with them all that hangs on them, about their own places. So a vertex stays, before and
// after, within the joint's reach of the place of the chain's first joint: the sum of the bones between them. It moves
// by twice that at most. A chain that hangs on another one is moved by both.
#include <algorithm>
#include <cmath>
#include <variant>

#include "asset/exceptions.h"
#include "bounding_extent.h"
#include "sinew/animation/bounds.h"

namespace sinew {

using namespace internal;
namespace {

/// Ranges that hold every delta of every node, in any layers of the bake's clips.
std::vector<DeltaRange> ranges_of_all(const BakedCharacter& baked) {
  const BakedClip rest = rest_clip();
  RangeMerge base, additions;
  const auto for_each_clip = [&](const auto& visit) {
    visit(base, delta_ranges(baked, rest));
    for (const BakedClip& clip : baked.clips) visit(clip.additive ? additions : base, delta_ranges(baked, clip));
  };
  for_each_clip([](RangeMerge& merge, const std::vector<DeltaRange>& ranges) { merge.find_centers(ranges); });
  for_each_clip([](RangeMerge& merge, const std::vector<DeltaRange>& ranges) { merge.include(ranges); });
  if (!additions.is_empty()) return added(base.ranges(), additions.ranges());
  return {base.ranges().begin(), base.ranges().end()};
}

/// For each node, the largest distance from its place to a vertex that it moves, itself or by nodes below it. Negative:
/// it moves none.
std::vector<double> reaches_of(const BakedCharacter& baked, std::span<const AttachedVertices> attached) {
  const std::vector<DeltaRange> ranges = ranges_of_all(baked);
  const size_t count = baked.nodes.size();
  std::vector<double> sizes(count), bones(count), reaches(count, -INFINITY);
  for (size_t node = 0; node < count; ++node) {  // parents come first
    const int32_t parent = baked.nodes[node].parent;
    const double above = parent < 0 ? std::abs(double(baked.scale)) : sizes[size_t(parent)];
    const Vec3 origin = parent < 0 ? Vec3{} : baked.nodes[size_t(parent)].origin;
    bones[node] = above * farthest(ranges[node].translation, origin);
    sizes[node] = above * ranges[node].max_scale;
  }
  for (size_t node = count; node-- > 0;) {
    if (!attached[node].vertices.is_empty())
      reaches[node] = std::max(reaches[node], sizes[node] * attached[node].radius);
    const int32_t parent = baked.nodes[node].parent;
    if (parent >= 0) reaches[size_t(parent)] = std::max(reaches[size_t(parent)], bones[node] + reaches[node]);
  }
  return reaches;
}

bool turns(const Chain& chain, int32_t joint) {
  if (const auto* two_bone = std::get_if<TwoBoneChain>(&chain.kind)) return int32_t(two_bone->upper) == joint;
  const auto& joints = std::get<AimChain>(chain.kind).joints;
  return std::any_of(joints.begin(), joints.end(), [&](const AimJoint& own) { return int32_t(own.joint) == joint; });
}

}  // namespace

Result<float> measure_chain_margin(const Character& character, const BakedCharacter& baked,
                                   std::span<const Chain> chains, std::span<const Wearable> wearables) SINEW_TRY {
  if (Status status = check_measured(character, baked, wearables); !status) return status.error();
  if (Status status = validate(chains, character); !status) return status.error();
  if (chains.empty()) return 0.0f;
  const Mesh worn = wearables.empty() ? Mesh() : dressed(character, wearables).mesh;
  const Mesh& mesh = wearables.empty() ? character.mesh : worn;
  const auto attached = attach_vertices(mesh, baked, morphed_positions(mesh, baked));
  const std::vector<double> reaches = reaches_of(baked, attached);

  // Of each node: what the chains above it and its own carry, and which of them have begun above.
  std::vector<double> carried(baked.nodes.size());
  std::vector<uint32_t> begun(baked.nodes.size());
  double margin = 0;
  for (size_t node = 0; node < baked.nodes.size(); ++node) {
    const int32_t parent = baked.nodes[node].parent;
    if (parent >= 0) carried[node] = carried[size_t(parent)], begun[node] = begun[size_t(parent)];
    for (uint32_t c = 0; c < chains.size(); ++c) {
      if ((begun[node] >> c & 1) != 0 || !turns(chains[c], baked.nodes[node].joint)) continue;
      begun[node] |= 1u << c;
      carried[node] += 2 * std::max(reaches[node], 0.0);
    }
    margin = std::max(margin, carried[node]);
  }
  if (!std::isfinite(float(margin)))
    return Error{ErrorCode::kInvalidData, "chains: the bake reaches beyond what floats hold"};
  return float(margin);
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

}  // namespace sinew
