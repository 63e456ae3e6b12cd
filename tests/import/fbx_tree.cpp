#include "fbx_tree.h"

#include <cmath>

namespace sinew::test {
namespace {

constexpr const char* kOrders[] = {"XYZ", "XZY", "YZX", "YXZ", "ZXY", "ZYX"};

std::string vector_property(const char* name, const Own3& v) { return fbx_property(name, {v[0], v[1], v[2]}); }

OwnMatrix shift_back(const Own3& by) { return own_shift({-by[0], -by[1], -by[2]}); }

/// The angles of a turn in an order, the second one from -90 to 90 degrees.
Own3 angles_of(const OwnMatrix& turn, std::string_view order) {
  const size_t a = size_t(order[0] - 'X'), b = size_t(order[1] - 'X'), c = size_t(order[2] - 'X');
  const double sign = b == (a + 1) % 3 ? 1 : -1, degrees = 180 / std::numbers::pi;
  const auto& m = turn.rows;
  Own3 result;
  result[a] = degrees * std::atan2(sign * m[c][b], m[c][c]);
  result[b] = degrees * std::asin(std::clamp(-sign * m[c][a], -1.0, 1.0));
  result[c] = degrees * std::atan2(sign * m[b][a], m[a][a]);
  return result;
}

/// A share of a turn about its axis, by Rodrigues' formula.
OwnMatrix share_of(const OwnMatrix& turn, double share) {
  const auto& m = turn.rows;
  const double cosine = std::clamp((m[0][0] + m[1][1] + m[2][2] - 1) / 2, -1.0, 1.0), angle = std::acos(cosine);
  if (angle < 1e-9) return {};
  const double s = 2 * std::sin(angle);
  const Own3 axis = {(m[2][1] - m[1][2]) / s, (m[0][2] - m[2][0]) / s, (m[1][0] - m[0][1]) / s};
  const double sine = std::sin(angle * share), rest = 1 - std::cos(angle * share);
  OwnMatrix result;
  for (size_t r = 0; r < 3; ++r) {
    for (size_t c = 0; c < 3; ++c) {
      const double cross = r == c ? 0 : ((c + 1) % 3 == r ? 1 : -1) * axis[3 - r - c];
      result.rows[r][c] = (r == c ? 1 - rest : 0) + rest * axis[r] * axis[c] + sine * cross;
    }
  }
  return result;
}

/// What a layer makes of the value below it.
Own3 mixed(const OwnLayer& layer, char property, std::string_view order, const Own3& below, const Own3& top,
           double seconds) {
  if (layer.mode == 1) return top;
  const double percent = layer.weights ? layer.weights->value(seconds) : 100 * layer.weight;
  const double weight = std::clamp(percent / 100, 0.0, 1.0), kept = layer.mode == 0 ? 1 : 1 - weight;
  if (property == 'R' && !layer.adds_angles) {
    const OwnMatrix from = own_euler(below, order), to = own_euler(top, order);
    const OwnMatrix turn = layer.mode == 0 ? to : own_turned_back(from) * to;
    return angles_of(from * share_of(turn, weight), order);
  }
  Own3 result;
  for (size_t i = 0; i < 3; ++i) {
    const bool multiplies = property == 'S' && !layer.adds_scales;
    result[i] = multiplies ? std::pow(below[i], kept) * std::pow(top[i], weight) : kept * below[i] + weight * top[i];
  }
  return result;
}

Own3 value_of(const OwnStack* stack, size_t node, char property, std::string_view order, const Own3& rest,
              double seconds) {
  Own3 value = rest;
  for (size_t i = 0; stack != nullptr && i < stack->layers.size(); ++i) {
    const OwnLayer& layer = stack->layers[i];
    const auto found = layer.animated.find({node, property});
    if (found == layer.animated.end() || !stack->plays(layer)) continue;
    const Own3 top = found->second.at(seconds);
    value = i == 0 ? top : mixed(layer, property, order, value, top, seconds);
  }
  return value;
}

/// A node in model space. `turn` and `scale` make up the linear part.
struct Placed {
  OwnMatrix whole, turn, scale;
  Own3 factors{1, 1, 1};  // its own scale
};

Placed place(const Placed& parent, const OwnNode& node, const Own3& moved, const Own3& degrees, const Own3& scaled) {
  const bool turns_more = node.is_active && !node.is_limit_only;
  const OwnMatrix turn =
      turns_more ? own_euler(node.pre) * own_euler(degrees, kOrders[node.order]) * own_turned_back(own_euler(node.post))
                 : own_euler(degrees);
  const OwnMatrix scale = own_scale(scaled);
  const OwnMatrix local = own_shift(moved) * own_shift(node.rotation_offset) * own_shift(node.rotation_pivot) * turn *
                          shift_back(node.rotation_pivot) * own_shift(node.scaling_offset) *
                          own_shift(node.scaling_pivot) * scale * shift_back(node.scaling_pivot);
  Placed placed;
  placed.turn = parent.turn * turn, placed.factors = scaled;
  const Own3& f = parent.factors;
  OwnMatrix linear;
  if (node.inherit == 1) {
    linear = parent.whole.linear() * turn * scale;
    placed.scale = own_turned_back(placed.turn) * linear;
  } else {
    const OwnMatrix from = node.inherit == 0 ? parent.scale : parent.scale * own_scale({1 / f[0], 1 / f[1], 1 / f[2]});
    placed.scale = from * scale;
    linear = placed.turn * placed.scale;
  }
  placed.whole = own_shift(parent.whole * local.shift()) * linear;
  return placed;
}

/// 16 numbers, columns one after the other.
std::vector<double> columns_of(const OwnMatrix& matrix) {
  std::vector<double> result;
  for (size_t c = 0; c < 4; ++c) {
    for (size_t r = 0; r < 3; ++r) result.push_back(matrix.rows[r][c]);
    result.push_back(c == 3 ? 1 : 0);
  }
  return result;
}

}  // namespace

Own3 OwnAnimated::at(double seconds) const {
  Own3 value = fixed;
  for (size_t i = 0; i < 3; ++i) {
    if (curves[i]) value[i] = curves[i]->value(seconds);
  }
  return value;
}

bool OwnStack::plays(const OwnLayer& layer) const {
  const bool has_solo = std::any_of(layers.begin(), layers.end(), [](const OwnLayer& l) { return l.is_solo; });
  return !layer.is_muted && (layer.is_solo || !has_solo);
}

/// Of layers that play.
std::vector<const OwnCurve*> OwnStack::curves() const {
  std::vector<const OwnCurve*> result;
  for (const OwnLayer& layer : layers) {
    if (!plays(layer)) continue;
    if (layer.weights) result.push_back(&*layer.weights);
    for (const auto& [property, animated] : layer.animated) {
      for (const auto& curve : animated.curves) {
        if (curve) result.push_back(&*curve);
      }
    }
  }
  return result;
}

OwnMatrix OwnNode::geometric() const {
  return own_shift(geometric_shift) * own_euler(geometric_turn) * own_scale(geometric_scale);
}

/// Those that are not as usual.
std::string OwnNode::properties() const {
  std::string text;
  const std::tuple<const char*, const Own3&, double> vectors[] = {{"RotationOffset", rotation_offset, 0},
                                                                  {"RotationPivot", rotation_pivot, 0},
                                                                  {"PreRotation", pre, 0},
                                                                  {"PostRotation", post, 0},
                                                                  {"ScalingOffset", scaling_offset, 0},
                                                                  {"ScalingPivot", scaling_pivot, 0},
                                                                  {"Lcl Translation", translation, 0},
                                                                  {"Lcl Rotation", rotation, 0},
                                                                  {"Lcl Scaling", scale, 1},
                                                                  {"GeometricTranslation", geometric_shift, 0},
                                                                  {"GeometricRotation", geometric_turn, 0},
                                                                  {"GeometricScaling", geometric_scale, 1}};
  for (const auto& [name, value, usual] : vectors) {
    if (value != Own3{usual, usual, usual}) text += vector_property(name, value);
  }
  if (order != 0) text += fbx_property("RotationOrder", {double(order)});
  if (!is_active) text += fbx_property("RotationActive", {0});
  if (is_limit_only) text += fbx_property("RotationSpaceForLimitOnly", {1});
  return text + fbx_property("InheritType", {double(inherit)});
}

std::vector<OwnMatrix> OwnTree::model_from_meshes(const OwnStack* stack, double seconds) const {
  std::vector<Placed> placed;
  std::vector<OwnMatrix> result;
  for (size_t i = 0; i < nodes.size(); ++i) {
    const OwnNode& node = nodes[i];
    const auto value = [&](char property, const Own3& rest) {
      return value_of(stack, i, property, kOrders[node.order], rest, seconds);
    };
    placed.push_back(place(node.parent < 0 ? Placed() : placed[size_t(node.parent)], node, value('T', node.translation),
                           value('R', node.rotation), value('S', node.scale)));
    result.push_back(placed.back().whole * (body ? joint_from_mesh[i] * body->geometric() : node.geometric()));
  }
  return result;
}

std::vector<size_t> OwnTree::order() const {
  std::vector<size_t> result;
  const auto visit = [&](const auto& self, int parent) -> void {
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i].parent == parent) result.push_back(i), self(self, int(i));
    }
  };
  visit(visit, -1);
  return result;
}

std::string OwnTree::text() const {
  FbxBuilder file;
  std::vector<FbxBuilder::Id> ids;
  for (const OwnNode& node : nodes) {
    const FbxBuilder::Id parent = node.parent < 0 ? FbxBuilder::kRoot : ids[size_t(node.parent)];
    const std::string name = "Node" + std::to_string(ids.size());
    ids.push_back(body ? file.add_model(name, parent, node.properties())
                       : file.add_probe(name, parent, node.properties()));
  }
  if (body) {
    std::vector<Vec3> points;
    std::vector<std::vector<int>> polygons;
    for (int i = 0; i < int(4 * nodes.size()); i += 4) {
      for (const Vec3 point : FbxProbe::points()) points.push_back(point);
      for (const std::vector<int>& p : FbxProbe::polygons()) polygons.push_back({p[0] + i, p[1] + i, p[2] + i});
    }
    const FbxBuilder::Id model = file.add_model("Body", FbxBuilder::kRoot, body->properties(), "Mesh");
    const FbxBuilder::Id skin = file.add_skin(file.add_mesh(model, points, polygons));
    for (int i = 0; i < int(nodes.size()); ++i) {
      file.add_cluster(skin, ids[size_t(i)], {4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3},
                       columns_of(joint_from_mesh[size_t(i)]), columns_of(own_turn('X', 20)));
    }
  }
  for (const OwnStack& stack : stacks) {
    const FbxBuilder::Id id = file.add_stack("clip" + std::to_string(&stack - stacks.data()), stack.start, stack.stop);
    for (const OwnLayer& layer : stack.layers) {
      const auto is = [](const char* name, bool value) { return fbx_property(name, {value ? 1.0 : 0.0}); };
      const FbxBuilder::Id above = file.add_layer(
          id, fbx_property("BlendMode", {double(layer.mode)}) + fbx_property("Weight", {100 * layer.weight}) +
                  is("RotationAccumulationMode", layer.adds_angles) + is("ScaleAccumulationMode", layer.adds_scales) +
                  is("Mute", layer.is_muted) + is("Solo", layer.is_solo));
      if (layer.weights) file.animate(above, above, "Weight", "d|Weight", layer.weights->written());
      for (const auto& [property, animated] : layer.animated) {
        const char* name = property.second == 'T'   ? "Lcl Translation"
                           : property.second == 'R' ? "Lcl Rotation"
                                                    : "Lcl Scaling";
        std::string fixed;
        for (size_t i = 0; i < 3; ++i) fixed += fbx_property(std::string("d|") + char('X' + i), {animated.fixed[i]});
        const FbxBuilder::Id node = file.add_curve_node(above, ids[property.first], name, fixed);
        for (size_t i = 0; i < 3; ++i) {
          if (animated.curves[i])
            file.add_curve(node, std::string("d|") + char('X' + i), animated.curves[i]->written());
        }
      }
    }
  }
  return file.text();
}

// --- random trees ---

namespace {

OwnAnimated random_animated(OwnRandom& random, char property, bool is_uniform, bool has_layers, const OwnStack& stack) {
  CurveRange range;
  range.begin = stack.start - 1, range.end = stack.stop + 1;
  const double turn = has_layers ? 50 : 300;
  range.low = property == 'S' ? 0.6 : property == 'R' ? -turn : -2;
  range.high = property == 'S' ? 1.6 : property == 'R' ? turn : 2;
  range.steepest = property == 'S' ? 1 : property == 'R' ? turn : 5;
  OwnAnimated result;
  result.fixed = random.vector(range.low, range.high);
  for (auto& curve : result.curves) {
    if (!random.chance(70)) continue;
    curve = random_curve(random, range);
    // Scales must stay away from 0, and angles of layers below a half turn.
    for (OwnCurve::Beyond* beyond : {&curve->before, &curve->after}) {
      const bool runs_away = beyond->mode == 'K' || beyond->mode == 'A';
      if (runs_away && (property == 'S' || (property == 'R' && has_layers))) beyond->mode = 'M';
    }
    for (FbxKeyAttribute& key : curve->keys.attributes) {
      if (property == 'S' && (key.flags & kFbxCubic) != 0) key = {kFbxCubic | kFbxProgressive};
    }
  }
  if (is_uniform) {
    result.curves[1] = result.curves[2] = result.curves[0];
    result.fixed[1] = result.fixed[2] = result.fixed[0];
  }
  return result;
}

OwnStack random_stack(OwnRandom& random, const std::vector<OwnNode>& nodes) {
  OwnStack stack;
  stack.start = random.exactly(0, 1), stack.stop = stack.start + random.exactly(0.5, 2);
  const int count = random.chance(50) ? 1 : 2 + random.below(2);
  for (int i = 0; i < count; ++i) {
    OwnLayer& layer = stack.layers.emplace_back();
    layer.mode = random.below(3), layer.weight = random.one_of({1.0, 0.25, 0.7});
    layer.adds_angles = random.chance(40), layer.adds_scales = random.chance(40);
    layer.is_muted = i > 0 && random.chance(10), layer.is_solo = random.chance(5);
    if (i > 0 && random.chance(40)) {
      CurveRange percent;
      percent.low = 0, percent.high = 100, percent.begin = stack.start, percent.end = stack.stop;
      layer.weights = random_curve(random, percent);
    }
    for (size_t n = 0; n < nodes.size(); ++n) {
      for (const char property : {'T', 'R', 'S'}) {
        if (!random.chance(i == 0 ? 60 : 35) || (property == 'S' && nodes[n].keeps_scale)) continue;
        layer.animated[{n, property}] =
            random_animated(random, property, property == 'S' && nodes[n].is_uniform, count > 1, stack);
      }
    }
  }
  return stack;
}

OwnNode random_node(OwnRandom& random, uint32_t subset) {
  OwnNode node;
  Own3* const pivots[] = {
      &node.rotation_offset, &node.rotation_pivot, &node.scaling_offset, &node.scaling_pivot, &node.pre, &node.post};
  for (size_t i = 0; i < 6; ++i) {
    if ((subset >> i & 1) != 0) *pivots[i] = random.vector(i < 4 ? -2 : -90, i < 4 ? 2 : 90);
  }
  node.order = random.below(6);
  node.is_active = random.chance(85), node.is_limit_only = random.chance(10);
  node.translation = random.vector(-2, 2), node.rotation = random.vector(-180, 180);
  node.keeps_scale = random.chance(25), node.is_uniform = node.keeps_scale || random.chance(40);
  if (!node.keeps_scale && random.chance(70)) node.scale = random.vector(0.6, 1.6);
  if (node.is_uniform) node.scale[1] = node.scale[2] = node.scale[0];
  if (random.chance(30)) node.geometric_shift = random.vector(-2, 2);
  if (random.chance(30)) node.geometric_turn = random.vector(-90, 90);
  if (random.chance(30)) node.geometric_scale = random.vector(0.5, 2);
  return node;
}

/// A transform without a mirror.
OwnMatrix random_transform(OwnRandom& random) {
  return own_shift(random.vector(-2, 2)) * own_euler(random.vector(-180, 180)) * own_scale(random.vector(0.5, 2));
}

}  // namespace

OwnTree random_tree(OwnRandom& random, uint32_t subset) {
  OwnTree tree;
  const int count = 2 + random.below(4);
  std::vector<bool> is_sheared, is_uneven;
  for (int i = 0; i < count; ++i) {
    OwnNode node = random_node(random, i == count - 1 ? subset : subset & uint32_t(random.below(64)));
    node.parent = i == 0 ? -1 : std::max(0, i - 1 - random.below(2));
    const size_t parent = size_t(std::max(node.parent, 0));
    // What the rotation of a sheared parent is, the formulas of the types 0 and 2 leave open.
    node.inherit = i > 0 && is_sheared[parent] ? 1 : random.below(3);
    is_sheared.push_back(i > 0 && (is_sheared[parent] || (node.inherit == 1 && is_uneven[parent])));
    is_uneven.push_back(!node.is_uniform || (i > 0 && is_uneven[parent]));
    tree.nodes.push_back(node);
  }
  for (int i = 0; i < 2; ++i) tree.stacks.push_back(random_stack(random, tree.nodes));
  if (!random.chance(30)) return tree;
  tree.body = random_node(random, subset);
  for (int i = 0; i < count; ++i) tree.joint_from_mesh.push_back(random_transform(random));
  return tree;
}

}  // namespace sinew::test
