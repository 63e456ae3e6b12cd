// How the scale of a parent reaches its children: FBX's inherit types, three levels deep.
//
// The expected positions follow the formulas of Autodesk's FBX SDK (its example "Transformations", function
// CalculateGlobalTransform): 0 is R r S s, 1 is R S r s, 2 is R r s.
#include "fbx_fixture.h"

namespace sinew::test {
namespace {

struct Pose {
  Own3 translation, degrees, scale;
};

OwnMatrix inverse_scale(const Own3& s) { return own_scale({1 / s[0], 1 / s[1], 1 / s[2]}); }

/// A node in model space. `turn` and `scale` make up the linear part.
struct Placed {
  OwnMatrix whole, turn, scale;
  Own3 own_scale_factors{1, 1, 1};
};

Placed place(const Placed& parent, const Pose& local, int inherit) {
  const OwnMatrix turn = own_euler(local.degrees), scale = own_scale(local.scale);
  OwnMatrix linear;
  Placed placed;
  if (inherit == 0) {
    placed.turn = parent.turn * turn, placed.scale = parent.scale * scale;
    linear = placed.turn * placed.scale;
  } else if (inherit == 1) {
    linear = parent.whole.linear() * turn * scale;
    placed.turn = parent.turn * turn;
    placed.scale = own_turned_back(placed.turn) * linear;
  } else {
    placed.turn = parent.turn * turn;
    placed.scale = parent.scale * inverse_scale(parent.own_scale_factors) * scale;
    linear = placed.turn * placed.scale;
  }
  placed.whole = own_shift(parent.whole * local.translation) * linear;
  placed.own_scale_factors = local.scale;
  return placed;
}

/// Poses of three joints, one below the other, at the begin and at the end of a second.
struct Chain {
  std::array<Pose, 3> from, to;

  Pose at(size_t joint, double t) const {
    return {own_mix(from[joint].translation, to[joint].translation, t),
            own_mix(from[joint].degrees, to[joint].degrees, t), own_mix(from[joint].scale, to[joint].scale, t)};
  }
};

struct Case {
  int second, third;  // the inherit types of the second and the third joint; the first has no parent
  bool is_uniform, is_animated, is_skinned;
};

Chain chain_of(const Case& c) {
  Chain chain;
  const Own3 uneven{2, 0.7, 1.3}, even{1.6, 1.6, 1.6}, other{0.8, 1.5, 1.1}, even_other{0.6, 0.6, 0.6};
  chain.from = {Pose{{1, 2, 3}, {0, 0, 30}, c.is_uniform ? even : uneven},
                Pose{{0, 2, 0.5}, {20, 40, 10}, c.is_uniform ? even_other : other},
                Pose{{0.3, 1.5, 0}, {-30, 15, 70}, {1, 1.2, 0.9}}};
  chain.to = chain.from;
  if (!c.is_animated) return chain;
  chain.to[0].scale = c.is_uniform ? Own3{0.9, 0.9, 0.9} : Own3{1, 1.4, 0.6};
  chain.to[1].scale = c.is_uniform ? Own3{1.4, 1.4, 1.4} : Own3{1.3, 0.9, 0.5};
  chain.to[1].degrees = {60, -20, 50};
  chain.to[2].scale = {0.7, 1, 1.4}, chain.to[2].translation = {0, 1, 1};
  return chain;
}

void animate(FbxBuilder& file, FbxBuilder::Id layer, FbxBuilder::Id model, const char* property, const Own3& from,
             const Own3& to) {
  const FbxBuilder::Id node = file.add_curve_node(layer, model, property);
  for (size_t axis = 0; axis < 3; ++axis) {
    file.add_curve(node, std::string("d|") + char('X' + axis), {{0, 1}, {from[axis], to[axis]}});
  }
}

std::string properties_of(const Pose& pose, int inherit) {
  const auto numbers = [](const Own3& v) { return std::vector<double>{v[0], v[1], v[2]}; };
  return fbx_property("InheritType", {double(inherit)}) + fbx_property("Lcl Translation", numbers(pose.translation)) +
         fbx_property("Lcl Rotation", numbers(pose.degrees)) + fbx_property("Lcl Scaling", numbers(pose.scale));
}

/// Each joint has a probe: a rigid mesh of its own, or a part of a skinned mesh at the origin.
std::string file_of(const Case& c, const Chain& chain) {
  FbxBuilder file;
  const FbxBuilder::Id body = c.is_skinned ? file.add_model("Body", FbxBuilder::kRoot, {}, "Mesh") : 0;
  std::array<FbxBuilder::Id, 3> joints;
  FbxBuilder::Id parent = FbxBuilder::kRoot;
  for (size_t i = 0; i < 3; ++i) {
    const int inherit = i == 0 ? 1 : i == 1 ? c.second : c.third;
    joints[i] = parent =
        file.add_model("Joint" + std::to_string(i), parent, properties_of(chain.from[i], inherit), "LimbNode");
    if (!c.is_skinned) file.add_mesh(joints[i], FbxProbe::points(), FbxProbe::polygons());
  }
  if (c.is_skinned) {
    std::vector<Vec3> points;
    std::vector<std::vector<int>> polygons;
    for (int i = 0; i < 3; ++i) {
      for (const Vec3 point : FbxProbe::points()) points.push_back(point);
      for (std::vector<int> polygon : FbxProbe::polygons()) {
        for (int& corner : polygon) corner += 4 * i;
        polygons.push_back(polygon);
      }
    }
    const FbxBuilder::Id skin = file.add_skin(file.add_mesh(body, points, polygons));
    for (int i = 0; i < 3; ++i) file.add_cluster(skin, joints[size_t(i)], {4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3});
  }
  const FbxBuilder::Id layer = file.add_layer(file.add_stack("move", 0, 1));
  for (size_t i = 0; i < 3; ++i) {
    const Pose &from = chain.from[i], &to = chain.to[i];
    animate(file, layer, joints[i], "Lcl Translation", from.translation, to.translation);
    if (!c.is_animated) continue;
    animate(file, layer, joints[i], "Lcl Rotation", from.degrees, to.degrees);
    animate(file, layer, joints[i], "Lcl Scaling", from.scale, to.scale);
  }
  return file.text();
}

class FbxInheritTest : public FbxFixture, public ::testing::WithParamInterface<Case> {};

TEST_P(FbxInheritTest, PositionsFollowTheFormulas) {
  const Chain chain = chain_of(GetParam());
  const Character character = load(file_of(GetParam(), chain));
  EXPECT_THAT(report_.warnings, ::testing::IsEmpty());
  for (const double time : {0.0, 0.21, 0.5, 0.83, 1.0}) {
    Placed placed;
    const Posed posed = pose(character, 0, float(time));
    const double tolerance = 1.2e-5 * double(diagonal_of(posed.positions));
    for (size_t i = 0; i < 3; ++i) {
      SCOPED_TRACE("joint " + std::to_string(i) + " at " + std::to_string(time));
      const int inherit = i == 0 ? 1 : i == 1 ? GetParam().second : GetParam().third;
      placed = place(placed, chain.at(i, time), inherit);
      expect_probe(posed, placed.whole, tolerance, 4 * i);
    }
  }
}

/// All combinations, but those where a joint that takes over shear has a child of type 0 or 2: what the rotation of a
/// sheared joint is, the formulas leave open.
std::vector<Case> cases() {
  std::vector<Case> all;
  for (int bits = 0; bits < 8; ++bits) {
    for (int second = 0; second < 3; ++second) {
      for (int third = 0; third < 3; ++third) {
        const bool is_uniform = (bits & 1) != 0;
        if (second == 1 && third != 1 && !is_uniform) continue;
        all.push_back({second, third, is_uniform, (bits & 2) != 0, (bits & 4) != 0});
      }
    }
  }
  return all;
}

std::string inherit_name(const ::testing::TestParamInfo<Case>& info) {
  const Case& c = info.param;
  return std::string("Types1") + char('0' + c.second) + char('0' + c.third) + (c.is_uniform ? "Even" : "Uneven") +
         (c.is_animated ? "Animated" : "Constant") + (c.is_skinned ? "Skinned" : "Rigid");
}

INSTANTIATE_TEST_SUITE_P(All, FbxInheritTest, ::testing::ValuesIn(cases()), inherit_name);

}  // namespace
}  // namespace sinew::test
