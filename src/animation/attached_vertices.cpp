#include "attached_vertices.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "sinew/animation/evaluator.h"

namespace sinew::internal {
namespace {

/// The smallest and the largest weight of a morph target that any layers of baked clips can give.
struct WeightRange {
  double low = 0, high = 0;
};

std::vector<WeightRange> weight_ranges(const BakedCharacter& baked) {
  const auto include = [](WeightRange& range, double value) {
    range.low = std::min(range.low, value), range.high = std::max(range.high, value);
  };
  std::vector<WeightRange> blended(baked.target_count()), added(baked.target_count());
  for (size_t clip = 0; clip < baked.clip_weights.size(); ++clip) {
    const BakedWeights& weights = baked.clip_weights[clip];
    std::vector<WeightRange>& ranges = baked.clips[clip].additive ? added : blended;
    for (size_t i = 0; i < size_t(weights.frame_count) * weights.target_count; ++i) {
      const uint32_t target = baked.weight_targets[weights.first_target + i % weights.target_count];
      include(ranges[target], double(baked.weight_values[weights.first_value + i]));
    }
  }
  for (size_t t = 0; t < blended.size(); ++t) {
    blended[t].low += double(baked.rest_weights[t]) + kMaxLayers * added[t].low;
    blended[t].high += double(baked.rest_weights[t]) + kMaxLayers * added[t].high;
  }
  return blended;
}

/// Positions and influences: what bounds depend on.
void append(const Mesh& mesh, Mesh& to) {
  const auto first = uint32_t(to.influences.size());
  to.positions.insert(to.positions.end(), mesh.positions.begin(), mesh.positions.end());
  to.influences.insert(to.influences.end(), mesh.influences.begin(), mesh.influences.end());
  for (size_t v = 1; v < mesh.first_influence.size(); ++v)
    to.first_influence.push_back(first + mesh.first_influence[v]);
}

}  // namespace

Status check_measured(const Character& character, const BakedCharacter& baked, std::span<const Wearable> wearables) {
  for (const Wearable& wearable : wearables) {
    const Mesh none;
    const Mesh& mesh = wearable.meshes.empty() ? none : wearable.meshes.front();
    if (Status status = validate(mesh, character.skin.palette_size()); !status) {
      return Error{status.error().code, "wearable '" + wearable.name + "': " + status.error().message};
    }
  }
  if (Status status = validate(character.mesh, character.skin.palette_size()); !status) return status.error();
  if (Status status = validate(baked); !status) return status.error();
  return validate(baked, character);
}

Character dressed(const Character& character, std::span<const Wearable> wearables) {
  Character all;
  all.skeleton = character.skeleton, all.skin = character.skin;
  all.clips = character.clips, all.mesh = character.mesh;
  for (const Wearable& wearable : wearables) append(wearable.meshes.front(), all.mesh);
  return all;
}

std::vector<BoxD> morphed_positions(const Mesh& mesh, const BakedCharacter& baked) {
  std::vector<BoxD> boxes(mesh.vertex_count());
  for (uint32_t v = 0; v < mesh.vertex_count(); ++v) {
    const double at[3] = {mesh.positions[v].x, mesh.positions[v].y, mesh.positions[v].z};
    boxes[v].include(at, at);
  }
  const std::vector<WeightRange> ranges = weight_ranges(baked);
  for (size_t t = 0; t < mesh.targets.size(); ++t) {
    const MorphTarget& target = mesh.targets[t];
    for (size_t i = 0; i < target.vertices.size(); ++i) {
      BoxD& box = boxes[target.vertices[i]];
      const double difference[3] = {target.positions[i].x, target.positions[i].y, target.positions[i].z};
      for (int axis = 0; axis < 3; ++axis) {
        const double a = ranges[t].low * difference[axis], b = ranges[t].high * difference[axis];
        box.low[axis] += std::min(a, b), box.high[axis] += std::max(a, b);
      }
    }
  }
  return boxes;
}

std::vector<uint32_t> nodes_of_entries(const BakedCharacter& baked) {
  std::vector<uint32_t> node_of(baked.palette_size);
  for (uint32_t node = 0; node < baked.nodes.size(); ++node) {
    if (baked.nodes[node].entry >= 0) node_of[size_t(baked.nodes[node].entry)] = node;
  }
  return node_of;
}

std::vector<AttachedVertices> attach_vertices(const Mesh& mesh, const BakedCharacter& baked,
                                              std::span<const BoxD> positions) {
  const std::vector<uint32_t> node_of = nodes_of_entries(baked);
  std::vector<AttachedVertices> attached(baked.nodes.size());
  for (uint32_t v = 0; v < mesh.vertex_count(); ++v) {
    for (const Influence influence : mesh.influences_of(v)) {
      const uint32_t node = node_of[influence.entry];
      AttachedVertices& own = attached[node];
      own.vertices.include(positions[v].low, positions[v].high);
      own.radius = std::max(own.radius, farthest(positions[v], baked.nodes[node].origin));
    }
  }
  return attached;
}

double farthest(const BoxD& box, Vec3 origin) {
  const auto along = [](double low, double high, double from) {
    return std::max(std::abs(low - from), std::abs(high - from));
  };
  return std::hypot(along(box.low[0], box.high[0], origin.x), along(box.low[1], box.high[1], origin.y),
                    along(box.low[2], box.high[2], origin.z));
}

}  // namespace sinew::internal
