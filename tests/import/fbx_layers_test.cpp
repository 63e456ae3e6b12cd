// Layers of an FBX stack: how each is mixed with the layers below, for translations, rotations and scales.
#include "fbx_fixture.h"

namespace sinew::test {
namespace {

constexpr double kLayerTimes[] = {0, 0.13, 0.5, 0.77, 1};

class FbxLayersTest : public FbxFixture {
 protected:
  FbxLayersTest() {
    arm_ = file_.add_model("Arm", FbxBuilder::kRoot, {}, "Mesh");
    file_.add_mesh(arm_, FbxProbe::points(), FbxProbe::polygons());
    stack_ = file_.add_stack("move", 0, 1);
  }

  /// Adds a layer that animates one property of the arm from `from` to `to` in a second.
  FbxBuilder::Id add_layer(const std::string& properties, const std::string& property, const Own3& from,
                           const Own3& to) {
    const FbxBuilder::Id layer = file_.add_layer(stack_, properties);
    const FbxBuilder::Id node = file_.add_curve_node(layer, arm_, property);
    for (size_t axis = 0; axis < 3; ++axis) {
      file_.add_curve(node, std::string("d|") + char('X' + axis), {{0, 1}, {from[axis], to[axis]}});
    }
    return layer;
  }

  /// The probe is where `expected(time)` has it, at keys and between.
  template <class Expected>
  void expect_motion(Expected expected) {
    const Character character = load(file_.text());
    for (const double time : kLayerTimes) {
      SCOPED_TRACE(time);
      expect_probe(pose(character, 0, float(time)), expected(time));
    }
  }

  FbxBuilder file_;
  FbxBuilder::Id arm_ = 0, stack_ = 0;
};

std::string mode(int blend, double weight = 100) {
  return fbx_property("BlendMode", {double(blend)}) + fbx_property("Weight", {weight});
}
constexpr int kAdditive = 0, kOverride = 1, kPassThrough = 2;

const Own3 kLayerFrom{1, 2, 3}, kLayerTo{2, 0, 5}, kTopFrom{10, 0, 0}, kTopTo{0, 20, 30};

TEST_F(FbxLayersTest, AdditiveLayerAddsItsTranslationByItsWeight) {
  add_layer({}, "Lcl Translation", kLayerFrom, kLayerTo);
  add_layer(mode(kAdditive, 25), "Lcl Translation", kTopFrom, kTopTo);
  expect_motion([](double t) {
    return own_shift(own_mix(kLayerFrom, kLayerTo, t)) * own_shift(own_mix({2.5, 0, 0}, {0, 5, 7.5}, t));
  });
}

TEST_F(FbxLayersTest, LayersOfThreeAreMixedFromTheLowest) {
  add_layer({}, "Lcl Translation", kLayerFrom, kLayerTo);
  add_layer(mode(kPassThrough, 50), "Lcl Translation", {7, 7, 7}, {7, 7, 7});
  add_layer(mode(kAdditive), "Lcl Translation", {1, 0, 0}, {1, 0, 0});
  expect_motion([](double t) {
    return own_shift({1, 0, 0}) * own_shift(own_mix(own_mix(kLayerFrom, kLayerTo, t), {7, 7, 7}, 0.5));
  });
}

TEST_F(FbxLayersTest, OverrideReplacesWhatIsBelow) {
  add_layer({}, "Lcl Translation", kLayerFrom, kLayerTo);
  add_layer(mode(kOverride), "Lcl Translation", kTopFrom, kTopTo);
  expect_motion([](double t) { return own_shift(own_mix(kTopFrom, kTopTo, t)); });
}

TEST_F(FbxLayersTest, OverrideOfAnotherPropertyLeavesTheRest) {
  add_layer({}, "Lcl Translation", kLayerFrom, kLayerTo);
  add_layer(mode(kOverride), "Lcl Scaling", {2, 2, 2}, {3, 3, 3});
  expect_motion([](double t) {
    return own_shift(own_mix(kLayerFrom, kLayerTo, t)) * own_scale(own_mix({2, 2, 2}, {3, 3, 3}, t));
  });
}

TEST_F(FbxLayersTest, PassThroughMixesByItsWeight) {
  add_layer({}, "Lcl Translation", kLayerFrom, kLayerTo);
  add_layer(mode(kPassThrough, 75), "Lcl Translation", kTopFrom, kTopTo);
  expect_motion([](double t) {
    return own_shift(own_mix(own_mix(kLayerFrom, kLayerTo, t), own_mix(kTopFrom, kTopTo, t), 0.75));
  });
}

TEST_F(FbxLayersTest, AnimatedWeightIsEvaluatedAtEveryTime) {
  add_layer({}, "Lcl Translation", kLayerFrom, kLayerTo);
  const FbxBuilder::Id layer = add_layer(mode(kPassThrough), "Lcl Translation", kTopFrom, kTopTo);
  file_.animate(layer, layer, "Weight", "d|Weight", {{0, 0.5, 1}, {0, 100, 20}});
  expect_motion([](double t) {
    const double weight = t < 0.5 ? 2 * t : 1 - 1.6 * (t - 0.5);
    return own_shift(own_mix(own_mix(kLayerFrom, kLayerTo, t), own_mix(kTopFrom, kTopTo, t), weight));
  });
}

TEST_F(FbxLayersTest, AdditiveRotationsOfALayerAreComposedAsRotations) {
  add_layer({}, "Lcl Rotation", {20, 30, 40}, {60, -10, 80});
  add_layer(mode(kAdditive) + fbx_property("RotationAccumulationMode", {0}), "Lcl Rotation", {90, 0, 0}, {0, 0, 45});
  expect_motion([](double t) {
    return own_euler(own_mix({20, 30, 40}, {60, -10, 80}, t)) * own_euler(own_mix({90, 0, 0}, {0, 0, 45}, t));
  });
}

/// Half of a rotation about one axis is half its angle.
TEST_F(FbxLayersTest, WeightOfAComposedRotationIsAShareOfItsAngle) {
  add_layer({}, "Lcl Rotation", {20, 30, 40}, {60, -10, 80});
  add_layer(mode(kAdditive, 50), "Lcl Rotation", {0, 90, 0}, {0, 30, 0});
  expect_motion([](double t) {
    return own_euler(own_mix({20, 30, 40}, {60, -10, 80}, t)) * own_euler(own_mix({0, 45, 0}, {0, 15, 0}, t));
  });
}

TEST_F(FbxLayersTest, RotationsOfAChannelAreAddedAsAngles) {
  add_layer({}, "Lcl Rotation", {20, 30, 40}, {60, -10, 80});
  add_layer(mode(kAdditive, 50) + fbx_property("RotationAccumulationMode", {1}), "Lcl Rotation", {90, 0, 0},
            {0, 0, 45});
  expect_motion([](double t) { return own_euler(own_mix({65, 30, 40}, {60, -10, 102.5}, t)); });
}

TEST_F(FbxLayersTest, PassThroughOfAChannelMixesAngles) {
  add_layer({}, "Lcl Rotation", {0, 0, 0}, {100, 0, 0});
  add_layer(mode(kPassThrough, 25) + fbx_property("RotationAccumulationMode", {1}), "Lcl Rotation", {0, 40, 80},
            {0, 40, 80});
  expect_motion([](double t) { return own_euler({75 * t, 10, 20}); });
}

TEST_F(FbxLayersTest, ScalesAreMultiplied) {
  add_layer({}, "Lcl Scaling", {1, 2, 3}, {2, 2, 1});
  add_layer(mode(kAdditive, 50), "Lcl Scaling", {4, 9, 1}, {4, 9, 16});
  expect_motion([](double t) {
    const Own3 below = own_mix({1, 2, 3}, {2, 2, 1}, t), above = own_mix({4, 9, 1}, {4, 9, 16}, t);
    return own_scale(below) * own_scale({2, 3, std::sqrt(above[2])});
  });
}

TEST_F(FbxLayersTest, ScalesAreAddedWhereTheLayerSaysSo) {
  add_layer({}, "Lcl Scaling", {1, 2, 3}, {2, 2, 1});
  add_layer(mode(kAdditive, 50) + fbx_property("ScaleAccumulationMode", {1}), "Lcl Scaling", {4, 9, 1}, {4, 9, 16});
  expect_motion([](double t) { return own_scale(own_mix({3, 6.5, 3.5}, {4, 6.5, 9}, t)); });
}

TEST_F(FbxLayersTest, MutedLayersAreLeftOut) {
  add_layer({}, "Lcl Translation", kLayerFrom, kLayerTo);
  add_layer(mode(kAdditive) + fbx_property("Mute", {1}), "Lcl Translation", kTopFrom, kTopTo);
  expect_motion([](double t) { return own_shift(own_mix(kLayerFrom, kLayerTo, t)); });
}

TEST_F(FbxLayersTest, OnlySoloLayersPlayWhereThereAreSome) {
  add_layer({}, "Lcl Scaling", {2, 2, 2}, {3, 3, 3});
  add_layer(mode(kAdditive) + fbx_property("Solo", {1}), "Lcl Translation", kTopFrom, kTopTo);
  add_layer(mode(kAdditive), "Lcl Translation", kTopFrom, kTopTo);
  expect_motion([](double t) { return own_shift(own_mix(kTopFrom, kTopTo, t)); });
}

/// The lowest layer is the value itself, whatever its mode and weight.
TEST_F(FbxLayersTest, LowestLayerReplacesTheRestValue) {
  FbxBuilder file;
  arm_ = file.add_model("Arm", FbxBuilder::kRoot, fbx_property("Lcl Translation", {50, 60, 70}), "Mesh");
  file.add_mesh(arm_, FbxProbe::points(), FbxProbe::polygons());
  stack_ = file.add_stack("move", 0, 1);
  file_ = file;
  add_layer(mode(kAdditive, 10), "Lcl Translation", kLayerFrom, kLayerTo);
  expect_motion([](double t) { return own_shift(own_mix(kLayerFrom, kLayerTo, t)); });
}

}  // namespace
}  // namespace sinew::test
