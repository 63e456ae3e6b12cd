// Transforms of FBX nodes: orders of rotations, pivots and offsets, geometric transforms, at keys and between them.
#include "fbx_fixture.h"

namespace sinew::test {
namespace {

using ::testing::IsEmpty;

constexpr double kTimes[] = {0, 0.2, 0.5, 0.9, 1};

std::string numbers(const char* name, const Own3& v) { return fbx_property(name, {v[0], v[1], v[2]}); }

class FbxNodesTest : public FbxFixture {
 protected:
  /// A joint with a probe. Its properties are animated from one value to the other in a second.
  void add_arm(const std::string& properties) {
    arm_ = file_.add_model("Arm", FbxBuilder::kRoot, properties, "Mesh");
    file_.add_mesh(arm_, FbxProbe::points(), FbxProbe::polygons());
    layer_ = file_.add_layer(file_.add_stack("move", 0, 1));
  }
  void animate(const std::string& property, const Own3& from, const Own3& to) {
    const FbxBuilder::Id node = file_.add_curve_node(layer_, arm_, property);
    for (size_t axis = 0; axis < 3; ++axis) {
      file_.add_curve(node, std::string("d|") + char('X' + axis), {{0, 1}, {from[axis], to[axis]}});
    }
  }
  template <class Expected>
  void expect_motion(Expected expected) {
    const Character character = load(file_.text());
    EXPECT_THAT(report_.warnings, IsEmpty());
    for (const double time : kTimes) {
      SCOPED_TRACE(time);
      expect_probe(pose(character, 0, float(time)), expected(time), 3e-5);
    }
  }

  FbxBuilder file_;
  FbxBuilder::Id arm_ = 0, layer_ = 0;
};

const Own3 kFrom{20, -30, 100}, kTo{80, 45, -60};

/// Angles go component by component: a rotation by 360 degrees between two keys is made.
TEST_F(FbxNodesTest, FullTurnsAreMade) {
  add_arm({});
  animate("Lcl Rotation", {0, 0, 0}, {0, 720, 0});
  expect_motion([](double t) { return own_turn('Y', 720 * t); });
}

TEST_F(FbxNodesTest, RotationsFollowTheirOrder) {
  const char* orders[] = {"XYZ", "XZY", "YZX", "YXZ", "ZXY", "ZYX"};
  for (int order = 0; order < 6; ++order) {
    SCOPED_TRACE(orders[order]);
    file_ = {};
    add_arm(fbx_property("RotationOrder", {double(order)}));
    animate("Lcl Rotation", kFrom, kTo);
    expect_motion([&](double t) { return own_euler(own_mix(kFrom, kTo, t), orders[order]); });
  }
}

/// Pre- and post-rotations turn in the order XYZ, whatever the node's own order is.
TEST_F(FbxNodesTest, PreRotationIsAppliedAndPostRotationIsInverted) {
  add_arm(numbers("PreRotation", {10, 20, 30}) + numbers("PostRotation", {-40, 50, 5}) +
          fbx_property("RotationOrder", {5}) + fbx_property("RotationActive", {1}));
  animate("Lcl Rotation", kFrom, kTo);
  expect_motion([](double t) {
    return own_euler({10, 20, 30}) * own_euler(own_mix(kFrom, kTo, t), "ZYX") *
           own_turned_back(own_euler({-40, 50, 5}));
  });
}

TEST_F(FbxNodesTest, InactivePreAndPostRotationAndOrderAreIgnored) {
  add_arm(numbers("PreRotation", {10, 20, 30}) + numbers("PostRotation", {-40, 50, 5}) +
          fbx_property("RotationOrder", {5}) + fbx_property("RotationActive", {0}));
  animate("Lcl Rotation", kFrom, kTo);
  expect_motion([](double t) { return own_euler(own_mix(kFrom, kTo, t)); });
}

TEST_F(FbxNodesTest, PreRotationOfLimitsAloneIsIgnored) {
  add_arm(numbers("PreRotation", {10, 20, 30}) + fbx_property("RotationSpaceForLimitOnly", {1}));
  animate("Lcl Rotation", kFrom, kTo);
  expect_motion([](double t) { return own_euler(own_mix(kFrom, kTo, t)); });
}

/// T * Roff * Rp * Rpre * R * Rpost^-1 * Rp^-1 * Soff * Sp * S * Sp^-1, with rotation and scale that change.
TEST_F(FbxNodesTest, PivotsAndOffsetsAreThoseOfTheFormula) {
  const Own3 rotation_offset{1, 2, 3}, rotation_pivot{0.5, -1, 2}, scaling_offset{-1, 0, 4}, scaling_pivot{2, 1, 0};
  add_arm(numbers("RotationOffset", rotation_offset) + numbers("RotationPivot", rotation_pivot) +
          numbers("ScalingOffset", scaling_offset) + numbers("ScalingPivot", scaling_pivot) +
          numbers("PreRotation", {10, 20, 30}) + numbers("PostRotation", {-40, 50, 5}));
  animate("Lcl Rotation", kFrom, kTo);
  animate("Lcl Scaling", {1, 2, 0.5}, {2, 0.5, 1});
  animate("Lcl Translation", {0, 0, 0}, {1, 5, 0});
  const auto back = [](const Own3& v) { return own_shift({-v[0], -v[1], -v[2]}); };
  expect_motion([&](double t) {
    const OwnMatrix turn =
        own_euler({10, 20, 30}) * own_euler(own_mix(kFrom, kTo, t)) * own_turned_back(own_euler({-40, 50, 5}));
    return own_shift(own_mix({0, 0, 0}, {1, 5, 0}, t)) * own_shift(rotation_offset) * own_shift(rotation_pivot) * turn *
           back(rotation_pivot) * own_shift(scaling_offset) * own_shift(scaling_pivot) *
           own_scale(own_mix({1, 2, 0.5}, {2, 0.5, 1}, t)) * back(scaling_pivot);
  });
}

/// One joint for each node that moves something, however many pivots it has.
TEST_F(FbxNodesTest, PivotsAddNoJoints) {
  add_arm(numbers("RotationPivot", {1, 2, 3}) + numbers("PreRotation", {10, 20, 30}));
  animate("Lcl Rotation", kFrom, kTo);
  EXPECT_THAT(load(file_.text()).skeleton.joint_names, ::testing::ElementsAre("Arm"));
}

TEST_F(FbxNodesTest, PropertiesThatANodeDoesNotHaveAreThoseOfItsTemplate) {
  add_arm({});
  animate("Lcl Rotation", kFrom, kTo);
  std::string text = file_.text();
  text.insert(text.find("Objects: {"),
              "Definitions: {\nObjectType: \"Model\" {\nPropertyTemplate: \"FbxNode\" {\n" +
                  fbx_properties(numbers("PreRotation", {10, 20, 30}) + numbers("Lcl Translation", {1, 2, 3})) +
                  "}\n}\n}\n");
  const Character character = load(text);
  expect_probe(pose(character, 0, 1), own_shift({1, 2, 3}) * own_euler({10, 20, 30}) * own_euler(kTo));
}

const Own3 kMoved{0, 0, 9}, kTurned{0, 0, 90}, kScaled{2, 3, 4};
std::string geometric() {
  return numbers("GeometricTranslation", kMoved) + numbers("GeometricRotation", kTurned) +
         numbers("GeometricScaling", kScaled);
}
OwnMatrix geometric_matrix() { return own_shift(kMoved) * own_euler(kTurned) * own_scale(kScaled); }

TEST_F(FbxNodesTest, GeometricTransformMovesOnlyTheMeshOfItsNode) {
  add_arm(geometric());
  const FbxBuilder::Id hand = file_.add_model("Hand", arm_, numbers("Lcl Translation", {0, 1, 0}), "Mesh");
  file_.add_mesh(hand, FbxProbe::points(), FbxProbe::polygons());
  animate("Lcl Rotation", kFrom, kTo);
  const Character character = load(file_.text());
  EXPECT_THAT(report_.warnings, IsEmpty());
  for (const double time : kTimes) {
    const OwnMatrix arm = own_euler(own_mix(kFrom, kTo, time));
    const Posed posed = pose(character, 0, float(time));
    expect_probe(posed, arm * geometric_matrix(), 1e-4);
    expect_probe(posed, arm * own_shift({0, 1, 0}), 3e-5, 4);
  }
}

TEST_F(FbxNodesTest, GeometricTransformIsAppliedBeforeSkinning) {
  const FbxBuilder::Id body = file_.add_model("Body", FbxBuilder::kRoot, geometric(), "Mesh");
  const FbxBuilder::Id skin = file_.add_skin(file_.add_mesh(body, FbxProbe::points(), FbxProbe::polygons()));
  arm_ = file_.add_model("Arm", FbxBuilder::kRoot);
  file_.add_cluster(skin, arm_, {0, 1, 2, 3});
  layer_ = file_.add_layer(file_.add_stack("move", 0, 1));
  animate("Lcl Rotation", kFrom, kTo);
  const Character character = load(file_.text());
  EXPECT_THAT(report_.warnings, IsEmpty());
  for (const double time : kTimes) {
    expect_probe(pose(character, 0, float(time)), own_euler(own_mix(kFrom, kTo, time)) * geometric_matrix(), 1e-4);
  }
}

// --- skins ---

TEST_F(FbxNodesTest, JointThatIsNotInTheFileStaysWhereItWasBound) {
  const FbxBuilder::Id body = file_.add_model("Body", FbxBuilder::kRoot, {}, "Mesh");
  const FbxBuilder::Id skin = file_.add_skin(file_.add_mesh(body, FbxProbe::points(), FbxProbe::polygons()));
  const std::vector<double> down = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -2, 0, 1},
                            up = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 7, 2, 0, 1};
  file_.add_cluster(skin, 9999, {0, 1, 2, 3}, down, up);
  expect_probe(pose(load(file_.text())), own_shift({7, 0, 0}));
}

TEST_F(FbxNodesTest, ClusterThatNamesAMissingVertexIsRefused) {
  const FbxBuilder::Id body = file_.add_model("Body", FbxBuilder::kRoot, {}, "Mesh");
  const FbxBuilder::Id skin = file_.add_skin(file_.add_mesh(body, FbxProbe::points(), FbxProbe::polygons()));
  file_.add_cluster(skin, body, {0, 4});
  EXPECT_THAT(refusal_of(file_.text()), ::testing::HasSubstr("names vertex 4 of 4"));
}

Blend blend_of(FbxBuilder& file, const std::vector<std::string>& skins, FbxFixture* = nullptr) {
  const FbxBuilder::Id arm = file.add_model("Arm", FbxBuilder::kRoot);
  for (const std::string& records : skins) {
    const FbxBuilder::Id body = file.add_model("Body", FbxBuilder::kRoot, {}, "Mesh");
    const FbxBuilder::Id mesh = file.add_mesh(body, FbxProbe::points(), FbxProbe::polygons());
    file.add_cluster(file.add_skin(mesh, records), arm, {0, 1, 2, 3});
  }
  const TemporaryFolder folder;
  const Result<Character> character = load_character(folder.write("a.fbx", file.text()));
  if (!character) throw std::runtime_error(character.error().message);
  return character->mesh.blend;
}

TEST_F(FbxNodesTest, SkinsSayHowTheyAreBlended) {
  const std::string linear = "SkinningType: \"Linear\"\n", rigid = "SkinningType: \"Rigid\"\n",
                    dual = "SkinningType: \"DualQuaternion\"\n", mixed = "SkinningType: \"Blend\"\n";
  const auto with = [&](std::vector<double> shares) { return mixed + fbx_array("BlendWeights", shares); };
  const auto is = [](const std::vector<std::string>& skins) {
    FbxBuilder file;
    return blend_of(file, skins);
  };
  EXPECT_EQ(is({{}}), Blend::kLinear);
  EXPECT_EQ(is({linear}), Blend::kLinear);
  EXPECT_EQ(is({rigid}), Blend::kLinear);
  EXPECT_EQ(is({dual}), Blend::kDualQuaternion);
  EXPECT_EQ(is({with({0, 0, 0, 0})}), Blend::kLinear);
  EXPECT_EQ(is({with({1, 1, 1, 1})}), Blend::kDualQuaternion);
  EXPECT_EQ(is({with({1, 1, 1, 0})}), Blend::kDualQuaternion);
  EXPECT_EQ(is({with({0.2, 0, 1, 0})}), Blend::kLinear);
  EXPECT_EQ(is({linear, dual, dual}), Blend::kDualQuaternion);
  EXPECT_EQ(is({linear, linear, dual}), Blend::kLinear);
}

// --- the space of the file ---

TEST_F(FbxNodesTest, AxesAndUnitAreThoseOfTheFile) {
  add_arm({});
  const ModelSpace plain = load(file_.text()).space;
  EXPECT_FLOAT_EQ(plain.meters_per_unit, 0.01f);
  EXPECT_EQ(plain.up.y, 1);
  EXPECT_EQ(plain.front.z, 1);
  const auto axis = [](const char* name, double index, double sign) {
    return fbx_property(name, {index}) + fbx_property(std::string(name) + "Sign", {sign});
  };
  const ModelSpace other = load(file_.text(axis("UpAxis", 2, 1) + axis("FrontAxis", 1, -1) + axis("CoordAxis", 0, 1) +
                                           fbx_property("UnitScaleFactor", {2.54})))
                               .space;
  EXPECT_FLOAT_EQ(other.meters_per_unit, 0.0254f);
  EXPECT_EQ(other.up.z, 1);
  EXPECT_EQ(other.up.y, 0);
  EXPECT_EQ(other.front.y, -1);
}

TEST_F(FbxNodesTest, ModelsThatHoldEachOtherAreLeftOut) {
  add_arm({});
  const FbxBuilder::Id a = file_.add("Model", "Model::A", "Null"), b = file_.add("Model", "Model::B", "Null");
  file_.connect(a, b), file_.connect(b, a);
  load(file_.text());
  EXPECT_THAT(report_.warnings, ::testing::Contains("2 models: it is its own ancestor, left out"));
}

TEST_F(FbxNodesTest, ModelsThatNothingHoldsAreRoots) {
  arm_ = file_.add("Model", "Model::Arm", "Mesh", fbx_properties(numbers("Lcl Translation", {1, 2, 3})));
  file_.add_mesh(arm_, FbxProbe::points(), FbxProbe::polygons());
  expect_probe(pose(load(file_.text())), own_shift({1, 2, 3}));
}

TEST_F(FbxNodesTest, HierarchiesOfTenThousandModelsAreReadOrRefused) {
  FbxBuilder::Id parent = FbxBuilder::kRoot;
  for (int i = 0; i < 10000; ++i) parent = file_.add_model("J", parent);
  file_.add_mesh(parent, FbxProbe::points(), FbxProbe::polygons());
  refusal_of(file_.text());  // must not run out of stack
}

TEST_F(FbxNodesTest, OldVersionsAreRefusedByName) {
  add_arm({});
  std::string text = file_.text();
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    return changed.replace(changed.find(from), from.size(), to);
  };
  EXPECT_THAT(refusal_of(replaced("FBXVersion: 7400", "FBXVersion: 5800")), ::testing::HasSubstr("FBX 5.8"));
  EXPECT_EQ(refusal_of(replaced("FBXVersion: 7400", "FBXVersion: 7700")), "");
}

}  // namespace
}  // namespace sinew::test
