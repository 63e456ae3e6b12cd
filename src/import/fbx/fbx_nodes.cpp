#include "fbx/fbx_nodes.h"

#include <algorithm>
#include <cmath>

namespace sinew::internal {
namespace {

constexpr Double3 kOnes{1, 1, 1};
constexpr double kSameScale = 1e-6;

EulerOrder order_of(int64_t number) {  // 6, spherical, has no meaning that exporters agree on
  return number >= 0 && number <= 5 ? EulerOrder(number) : EulerOrder::kXyz;
}

FbxInherit inherit_of(int64_t number) {
  return number == 0 ? FbxInherit::kScaleByScale : number == 2 ? FbxInherit::kNotFromParent : FbxInherit::kNormal;
}

FbxPivots read_pivots(const FbxProperties& properties) {
  FbxPivots pivots;
  pivots.rotation_offset = properties.vector("RotationOffset", {});
  pivots.rotation_pivot = properties.vector("RotationPivot", {});
  pivots.scaling_offset = properties.vector("ScalingOffset", {});
  pivots.scaling_pivot = properties.vector("ScalingPivot", {});
  const bool is_active = properties.integer("RotationActive", 1) != 0;
  if (!is_active || properties.integer("RotationSpaceForLimitOnly", 0) != 0) return pivots;
  pivots.order = order_of(properties.integer("RotationOrder", 0));
  pivots.before = from_euler(properties.vector("PreRotation", {}), EulerOrder::kXyz);
  pivots.after = conjugate(from_euler(properties.vector("PostRotation", {}), EulerOrder::kXyz));
  return pivots;
}

/// The translation of the whole transform.
Double3 whole_translation(const FbxPivots& pivots, const Double3& translation, const Double4& rotation,
                          const Double3& scale) {
  const Double3 scaled = pivots.scaling_pivot - scale * pivots.scaling_pivot;
  const Double3 turned = rotate(rotation, scaled + pivots.scaling_offset - pivots.rotation_pivot);
  return translation + pivots.rotation_offset + pivots.rotation_pivot + turned;
}

/// What is known of a scale at all times.
struct ScaleRange {
  bool is_one = true, is_uniform = true;

  void include(const Double3& scale) {
    const auto differ = [](double a, double b) {
      return !(std::abs(a - b) <= kSameScale * std::max(1.0, std::abs(b)));
    };
    if (differ(scale[0], scale[1]) || differ(scale[0], scale[2])) is_uniform = is_one = false;
    if (differ(scale[0], 1)) is_one = false;
  }
};

void include(const FbxStack& stack, uint32_t object, const Double3& rest, ScaleRange& range) {
  const FbxChannel channel(stack, {object, "Lcl Scaling"}, rest, FbxChannel::Kind::kScale);
  if (!channel.is_animated()) return;
  std::vector<double> times = {stack.start_seconds, stack.stop_seconds};
  channel.append_breaks(stack.start_seconds, stack.stop_seconds, times);
  sort_breaks(times);
  for (size_t i = 0; i < times.size(); ++i) {
    range.include(channel.value(times[i], Side::kAt));
    range.include(channel.value(times[i], Side::kAfter));
    const double duration = i + 1 < times.size() ? times[i + 1] - times[i] : 0;
    for (const double share : {0.25, 0.5, 0.75}) range.include(channel.value(times[i] + duration * share, Side::kAt));
  }
}

}  // namespace

bool FbxPivots::move_with_rotation() const {
  return !is_zero(scaling_pivot) || !is_zero(scaling_offset) || !is_zero(rotation_pivot);
}

FbxNodes::FbxNodes(const FbxObjects& objects, const FbxStacks& stacks)
    : objects_(objects), node_of_object_(objects.count(), -1) {
  read_hierarchy();
  inherit_visibility();
  simplify_inheritance(stacks);
}

const FbxNode* FbxNodes::node_of(uint32_t object) const {
  const int32_t node = node_of_object_[object];
  return node < 0 ? nullptr : &nodes_[size_t(node)];
}

/// Walks from the scene's root. Models that are connected to nothing are roots too; what only they themselves hold is
/// left out.
void FbxNodes::read_hierarchy() {
  struct Visit {
    uint32_t object;
    int32_t parent;
  };
  std::vector<Visit> pending;
  const auto push_children = [&](uint32_t object, int32_t parent) {
    const std::vector<uint32_t> children = objects_.sources_of(object, "Model");
    for (auto child = children.rbegin(); child != children.rend(); ++child) pending.push_back({*child, parent});
  };
  const auto walk = [&] {
    while (!pending.empty()) {
      const Visit visit = pending.back();
      pending.pop_back();
      if (node_of_object_[visit.object] >= 0) continue;
      node_of_object_[visit.object] = int32_t(nodes_.size());
      read_node(visit.object, visit.parent);
      push_children(visit.object, int32_t(nodes_.size()) - 1);
    }
  };
  push_children(0, -1);
  walk();
  uint32_t models = 0;
  for (uint32_t object = 1; object < objects_.count(); ++object) {
    if (objects_[object].type != "Model") continue;
    ++models;
    const auto& targets = objects_[object].targets;
    const bool has_parent = std::any_of(targets.begin(), targets.end(), [&](const FbxLink& target) {
      return target.property.empty() && objects_[target.object].type == "Model";
    });
    if (!has_parent) pending.push_back({object, -1}), walk();
  }
  cyclic_models_ = models - uint32_t(nodes_.size());
}

void FbxNodes::read_node(uint32_t object, int32_t parent) {
  const FbxProperties& properties = objects_[object].properties;
  FbxNode node;
  node.object = object, node.parent = parent;
  node.inherit = parent < 0 ? FbxInherit::kNormal : inherit_of(properties.integer("InheritType", -1));
  node.pivots = read_pivots(properties);
  node.layer_order = order_of(properties.integer("RotationOrder", 0));
  node.translation = properties.vector("Lcl Translation", {});
  node.rotation = properties.vector("Lcl Rotation", {});
  node.scaling = properties.vector("Lcl Scaling", kOnes);
  const Double3 moved = properties.vector("GeometricTranslation", {});
  const Double3 turned = properties.vector("GeometricRotation", {}),
                scaled = properties.vector("GeometricScaling", kOnes);
  node.has_geometric_transform = !is_zero(moved) || !is_zero(turned) || scaled != kOnes;
  node.node_from_geometry = to_matrix(DoubleTransform{moved, from_euler(turned, EulerOrder::kXyz), scaled});
  node.is_visible = properties.real("Visibility", 1) != 0;
  nodes_.push_back(node);
}

void FbxNodes::inherit_visibility() {
  for (FbxNode& node : nodes_) {
    const bool inherits = objects_[node.object].properties.integer("Visibility Inheritance", 1) != 0;
    if (inherits && node.parent >= 0 && !nodes_[size_t(node.parent)].is_visible) node.is_visible = false;
  }
}

/// Finds out where it matters that a node does not take over a scale as usual, and splits the parents there.
void FbxNodes::simplify_inheritance(const FbxStacks& stacks) {
  std::vector<bool> needs_range(nodes_.size());
  for (const FbxNode& node : nodes_) {
    if (node.inherit != FbxInherit::kNormal) needs_range[size_t(node.parent)] = true;
  }
  std::vector<ScaleRange> ranges(nodes_.size());
  for (size_t i = 0; i < nodes_.size(); ++i) {
    FbxNode& node = nodes_[i];
    if (node.inherit != FbxInherit::kNormal) {
      const ScaleRange& parent = ranges[size_t(node.parent)];
      const bool by_scale = node.inherit == FbxInherit::kScaleByScale;
      if (by_scale ? parent.is_uniform : parent.is_one) {
        node.inherit = FbxInherit::kNormal;  // makes no difference
      } else {
        nodes_[size_t(node.parent)].is_split = true;
        node.scale_from = by_scale ? node.parent : nodes_[size_t(node.parent)].scale_from;
      }
    }
    if (!needs_range[i]) continue;
    ranges[i].include(node.scaling);
    for (const FbxStack& stack : stacks.stacks()) include(stack, node.object, node.scaling, ranges[i]);
    if (node.scale_from < 0) continue;
    ranges[i].is_one = ranges[i].is_one && ranges[size_t(node.scale_from)].is_one;
    ranges[i].is_uniform = ranges[i].is_uniform && ranges[size_t(node.scale_from)].is_uniform;
  }
}

/// Below a split node come first the nodes that do not take over its scale, then its second node with the others: the
/// scene's nodes are in depth-first order.
void FbxNodes::append_to(Scene& scene) {
  struct Step {
    size_t node;
    bool is_second;  // the node with the scale of a split node
  };
  scene.nodes.push_back({"RootNode", -1, {}, {}});
  std::vector<std::vector<size_t>> children(nodes_.size());
  std::vector<Step> pending;
  for (size_t i = nodes_.size(); i-- > 0;) {
    if (nodes_[i].parent < 0) pending.push_back({i, false});
    if (nodes_[i].parent >= 0) children[size_t(nodes_[i].parent)].push_back(i);  // the last one first
  }
  const FbxStack still;
  const FbxMotion rest(*this, still);
  while (!pending.empty()) {
    const Step step = pending.back();
    pending.pop_back();
    const bool is_split = nodes_[step.node].is_split, has_second = is_split && !step.is_second;
    append_node(step.node, step.is_second, rest, scene);
    if (has_second) pending.push_back({step.node, true});
    for (const size_t child : children[step.node]) {
      const bool takes_scale = nodes_[child].inherit == FbxInherit::kNormal;
      if (!is_split || takes_scale == step.is_second) pending.push_back({child, false});
    }
  }
}

/// Appends a node, or the second one of a split node, in its rest pose.
void FbxNodes::append_node(size_t i, bool is_second, const FbxMotion& rest, Scene& scene) {
  FbxNode& node = nodes_[i];
  const std::string& name = objects_[node.object].name;
  const Double3 scale = rest.scale(i, 0, Side::kAt);
  const uint32_t index = uint32_t(scene.nodes.size());
  node.full_node = index;
  if (is_second) {
    set_rest(scene.nodes.emplace_back(SceneNode{name + " scale", int32_t(node.unscaled_node), {}, {}}),
             to_float(DoubleTransform{{}, {0, 0, 0, 1}, scale}));
    return;
  }
  node.unscaled_node = index;
  uint32_t parent = 0;
  if (node.parent >= 0) {
    const FbxNode& above = nodes_[size_t(node.parent)];
    parent = node.inherit == FbxInherit::kNormal ? above.full_node : above.unscaled_node;
  }
  DoubleTransform transform{rest.translation(i, 0, Side::kAt), rest.rotation(i, 0, Side::kAt), scale};
  if (node.is_split) transform.scale = kOnes;
  set_rest(scene.nodes.emplace_back(SceneNode{name, int32_t(parent), {}, {}}), to_float(transform));
}

// --- motion ---

FbxMotion::FbxMotion(const FbxNodes& nodes, const FbxStack& stack) : nodes_(nodes.nodes()) {
  for (const FbxNode& node : nodes_) {
    channels_.push_back(
        {FbxChannel(stack, {node.object, "Lcl Translation"}, node.translation),
         FbxChannel(stack, {node.object, "Lcl Rotation"}, node.rotation, FbxChannel::Kind::kRotation, node.layer_order),
         FbxChannel(stack, {node.object, "Lcl Scaling"}, node.scaling, FbxChannel::Kind::kScale)});
  }
}

Double4 FbxMotion::rotation(size_t node, double seconds, Side side) const {
  const FbxPivots& pivots = nodes_[node].pivots;
  const Double4 turned = from_euler(channels_[node].rotation.value(seconds, side), pivots.order);
  return multiply(multiply(pivots.before, turned), pivots.after);
}

Double3 FbxMotion::translation(size_t i, double seconds, Side side) const {
  const FbxNode& node = nodes_[i];
  const Double3 moved = channels_[i].translation.value(seconds, side);
  const bool is_simple = !node.pivots.move_with_rotation();
  const Double3 whole = is_simple ? moved + node.pivots.rotation_offset
                                  : whole_translation(node.pivots, moved, rotation(i, seconds, side),
                                                      channels_[i].scaling.value(seconds, side));
  return node.inherit == FbxInherit::kNormal ? whole : whole * scale(size_t(node.parent), seconds, side);
}

Double3 FbxMotion::scale(size_t i, double seconds, Side side) const {
  Double3 scale = channels_[i].scaling.value(seconds, side);
  for (int32_t from = nodes_[i].scale_from; from >= 0; from = nodes_[size_t(from)].scale_from) {
    scale = scale * channels_[size_t(from)].scaling.value(seconds, side);
  }
  return scale;
}

bool FbxMotion::moves(size_t i) const {
  const FbxNode& node = nodes_[i];
  if (channels_[i].translation.is_animated()) return true;
  if (node.inherit != FbxInherit::kNormal && scales(size_t(node.parent))) return true;
  return node.pivots.move_with_rotation() && (turns(i) || channels_[i].scaling.is_animated());
}

bool FbxMotion::scales(size_t i) const {
  for (int32_t node = int32_t(i); node >= 0; node = nodes_[size_t(node)].scale_from) {
    if (channels_[size_t(node)].scaling.is_animated()) return true;
  }
  return false;
}

void FbxMotion::append_translation_breaks(size_t i, double begin, double end, std::vector<double>& times) const {
  const FbxNode& node = nodes_[i];
  channels_[i].translation.append_breaks(begin, end, times);
  if (node.pivots.move_with_rotation()) {
    channels_[i].rotation.append_breaks(begin, end, times);
    channels_[i].scaling.append_breaks(begin, end, times);
  }
  if (node.inherit != FbxInherit::kNormal) append_scale_breaks(size_t(node.parent), begin, end, times);
}

void FbxMotion::append_scale_breaks(size_t i, double begin, double end, std::vector<double>& times) const {
  for (int32_t node = int32_t(i); node >= 0; node = nodes_[size_t(node)].scale_from) {
    channels_[size_t(node)].scaling.append_breaks(begin, end, times);
  }
}

}  // namespace sinew::internal
