// Places of FBX nodes, of their meshes and skins, at keys of all layers of curves and between them.
#include <algorithm>

#include "fbx_fixture.h"
#include "fbx_tree.h"

namespace sinew::test {
namespace {

class FbxNodesTest : public FbxFixture {
 protected:
  FbxBuilder file_;
};

/// Just before, at and just after some keys and repetitions of keys, and at other times, in seconds of the clip. Where
/// a repetition begins with a jump, the value is that of either side: such times are left out.
std::vector<float> times_of(const OwnStack& stack, OwnRandom& random) {
  std::vector<float> times;
  const std::vector<const OwnCurve*> curves = stack.curves();
  for (int i = 0; i < 12; ++i) {
    times.push_back(float(random.between(0, stack.stop - stack.start)));
    const std::vector<double> breaks =
        curves[size_t(random.below(int(curves.size())))]->breaks(stack.start, stack.stop);
    if (breaks.empty()) continue;
    const double time = breaks[size_t(random.below(int(breaks.size())))];
    const float seconds = float(time - stack.start);
    if (seconds > 0) times.push_back(std::nextafter(seconds, 0.0f));
    if (seconds > 0 && time < stack.stop) times.push_back(std::nextafter(seconds, 9.0f));
    const bool is_seam =
        std::any_of(curves.begin(), curves.end(), [&](const auto* curve) { return curve->is_seam(time); });
    if (!is_seam) times.push_back(seconds);
  }
  return times;
}

class FbxRandomTree : public FbxFixture, public ::testing::WithParamInterface<int> {
 protected:
  /// All vertices, in the rest pose or at a time of a clip.
  void expect_places(const Character& character, const OwnTree& tree, const OwnStack* stack, int clip, float seconds) {
    const Posed posed = pose(character, clip, seconds);
    const std::vector<OwnMatrix> expected =
        tree.model_from_meshes(stack, stack == nullptr ? 0 : stack->start + double(seconds));
    const double diagonal = std::max(diagonal_of(posed.positions), diagonal_of(pose(character).positions));
    const std::vector<size_t> order = tree.order();
    for (size_t i = 0; i < order.size(); ++i) {
      const size_t node = tree.body ? i : order[i];
      SCOPED_TRACE("node " + std::to_string(node));
      expect_probe(posed, expected[node], 3e-5 * diagonal, 4 * i);
    }
  }
};

/// Each with all subsets of the six pivots and offsets, in trees of all inherit types, with layers of random curves.
TEST_P(FbxRandomTree, IsWhereTheProductOfMatricesIs) {
  for (uint32_t subset = 0; subset < 64 && !HasFailure(); ++subset) {
    const uint32_t seed = uint32_t(GetParam()) * 64 + subset;
    OwnRandom random(seed);
    const OwnTree tree = random_tree(random, subset);
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Character character = load(tree.text());
    expect_places(character, tree, nullptr, -1, 0);
    int clip = 0;
    const auto is_silent = [](const OwnStack& stack) { return stack.curves().empty(); };  // it is left out with a line
    // Where layers mix rotations a half turn apart, the rotation jumps, and a line says how far tracks are away then.
    const bool may_jump = std::any_of(tree.stacks.begin(), tree.stacks.end(),
                                      [](const OwnStack& stack) { return stack.layers.size() > 1; });
    std::erase_if(report_.warnings,
                  [&](const std::string& line) { return may_jump && line.ends_with("the file's curves"); });
    EXPECT_EQ(int(report_.warnings.size()), std::count_if(tree.stacks.begin(), tree.stacks.end(), is_silent))
        << ::testing::PrintToString(report_.warnings);
    for (const OwnStack& stack : tree.stacks) {
      if (is_silent(stack)) continue;
      SCOPED_TRACE("clip " + std::to_string(clip));
      ASSERT_LT(size_t(clip), character.clips.size());
      EXPECT_FLOAT_EQ(character.clips[size_t(clip)].end_seconds, float(stack.stop - stack.start));
      for (const float seconds : times_of(stack, random)) {
        SCOPED_TRACE(seconds);
        expect_places(character, tree, &stack, clip, seconds);
      }
      ++clip;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Seeds, FbxRandomTree, ::testing::Range(0, 2));

/// One joint for each node that moves something, however many pivots it has.
TEST_F(FbxNodesTest, PivotsAddNoJoints) {
  const FbxBuilder::Id arm = file_.add_probe(
      "Arm", FbxBuilder::kRoot, fbx_property("RotationPivot", {1, 2, 3}) + fbx_property("PreRotation", {10, 20, 30}));
  file_.animate(file_.add_layer(file_.add_stack("move", 0, 1)), arm, "Lcl Rotation", "d|X", {{0, 1}, {0, 90}});
  EXPECT_THAT(load(file_.text()).skeleton.joint_names, ::testing::ElementsAre("Arm"));
}

TEST_F(FbxNodesTest, HierarchiesOfTenThousandModelsAreReadOrRefused) {
  FbxBuilder::Id parent = FbxBuilder::kRoot;
  for (int i = 0; i < 10000; ++i) parent = file_.add_model("J", parent);
  file_.add_mesh(parent, FbxProbe::points(), FbxProbe::polygons());
  refusal_of(file_.text());  // must not run out of stack
}

TEST_F(FbxNodesTest, SkinsSayHowTheyAreBlended) {
  const std::string linear = "SkinningType: \"Linear\"\n", rigid = "SkinningType: \"Rigid\"\n",
                    dual = "SkinningType: \"DualQuaternion\"\n", mixed = "SkinningType: \"Blend\"\n";
  const auto with = [&](const std::vector<double>& shares) { return mixed + fbx_array("BlendWeights", shares); };
  const std::tuple<std::vector<std::string>, Blend> rows[] = {{{""}, Blend::kLinear},
                                                              {{linear}, Blend::kLinear},
                                                              {{rigid}, Blend::kLinear},
                                                              {{dual}, Blend::kDualQuaternion},
                                                              {{with({0, 0, 0, 0})}, Blend::kLinear},
                                                              {{with({1, 1, 1, 1})}, Blend::kDualQuaternion},
                                                              {{with({1, 1, 1, 0})}, Blend::kDualQuaternion},
                                                              {{with({0.2, 0, 1, 0})}, Blend::kLinear},
                                                              {{linear, dual, dual}, Blend::kDualQuaternion},
                                                              {{linear, linear, dual}, Blend::kLinear}};
  for (const auto& [skins, blend] : rows) {
    FbxBuilder file;
    for (const std::string& records : skins) {
      const FbxBuilder::Id body = file.add_probe("Body");
      file.add_cluster(file.add_skin(body + 1, records), body, {0, 1, 2, 3});
    }
    EXPECT_EQ(load(file.text()).mesh.blend, blend) << ::testing::PrintToString(skins);
  }
}

}  // namespace
}  // namespace sinew::test
