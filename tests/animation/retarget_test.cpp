// Retargeting: pairs of joints, and clips that other skeletons play.
#include "sinew/animation/retarget.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "message.h"
#include "rig.h"
#include "sinew/animation/pose.h"

namespace sinew::test {
namespace {

Skeleton skeleton_named(std::vector<std::string> names) {
  Skeleton skeleton;
  skeleton.parents.assign(names.size(), kNoJoint);
  skeleton.rest_pose.resize(names.size());
  skeleton.joint_names = std::move(names);
  return skeleton;
}

/// As text: "from to" of each pair.
std::string pairs_of(const Skeleton& from, const Skeleton& to) {
  const auto pairs = pair_joints(from, to);
  if (!pairs) return pairs.error().message;
  std::string text;
  for (const JointPair& pair : *pairs) text += from.joint_names[pair.from] + ">" + to.joint_names[pair.to] + " ";
  return text;
}

TEST(PairJoints, ComparesNamesWithoutPrefixes) {
  const Skeleton plain = skeleton_named({"Hips", "Spine", "Head", "Tail"});
  EXPECT_EQ(pairs_of(skeleton_named({"Head", "Hips"}), plain), "Hips>Hips Head>Head ");
  EXPECT_EQ(pairs_of(skeleton_named({"mixamorig:Hips", "mixamorig:Spine", "mixamorig:Head"}), plain),
            "mixamorig:Hips>Hips mixamorig:Spine>Spine mixamorig:Head>Head ");
  EXPECT_EQ(pairs_of(plain, skeleton_named({"a|b:Head"})), "Head>a|b:Head ");
  EXPECT_EQ(pairs_of(skeleton_named({"Scene", "Bip01 Hips", "Bip01 Spine", "Bip01 Head", "Bip01 Tail"}), plain),
            "Bip01 Hips>Hips Bip01 Spine>Spine Bip01 Head>Head Bip01 Tail>Tail ");
  EXPECT_EQ(pairs_of(skeleton_named({"x_Hips", "x_Head"}), skeleton_named({"y_Head", "y_Hips"})),
            "x_Head>y_Head x_Hips>y_Hips ");
}

TEST(PairJoints, TakesEqualNamesFirstAndNoneThatIsNotUnique) {
  EXPECT_EQ(pairs_of(skeleton_named({"a:Hand", "Hand", "Foot"}), skeleton_named({"Hand", "Foot"})),
            "Hand>Hand Foot>Foot ");
  EXPECT_EQ(pairs_of(skeleton_named({"l:Hand", "r:Hand", "Foot"}), skeleton_named({"Hand", "Foot"})), "Foot>Foot ");
  EXPECT_EQ(pairs_of(skeleton_named({"Hand"}), skeleton_named({"l:Hand", "r:Hand"})),
            "retarget: the skeletons have no joint name in common");
  EXPECT_EQ(pairs_of(skeleton_named({"hand"}), skeleton_named({"Hand"})),
            "retarget: the skeletons have no joint name in common");
  EXPECT_EQ(pairs_of(skeleton_named({":", "a"}), skeleton_named({":", "b"})), ":>: ");
  EXPECT_EQ(pairs_of(skeleton_named({}), skeleton_named({})), "retarget: the skeletons have no joint name in common");
}

TEST(PairJoints, TakesBonesOfVrmFirst) {
  Skeleton from = skeleton_named({"a", "b", "tail"}), to = skeleton_named({"b", "x", "a", "tail"});
  from.humanoid_names = {"hips", "head", ""}, to.humanoid_names = {"hips", "", "leftFoot", ""};
  EXPECT_EQ(pairs_of(from, to), "a>b tail>tail ");
  to.humanoid_names.clear();
  EXPECT_EQ(pairs_of(from, to), "b>b a>a tail>tail ");
}

TEST(PairJoints, OfEqualNamesTakesThoseBelowEqualNames) {
  const auto below = [](std::vector<std::string> names, std::vector<int32_t> parents) {
    Skeleton skeleton = skeleton_named(std::move(names));
    skeleton.parents = std::move(parents);
    return skeleton;
  };
  const auto indices = [](const Skeleton& from, const Skeleton& to) {
    const std::vector<JointPair> pairs = pair_joints(from, to).value();
    std::string text;
    for (const JointPair& pair : pairs) text += std::to_string(pair.from) + ">" + std::to_string(pair.to) + " ";
    return text;
  };
  const Skeleton arms = below({"root", "l", "Hand", "r", "Hand"}, {-1, 0, 1, 0, 3});
  EXPECT_EQ(indices(arms, below({"root", "r", "Hand", "l", "Hand"}, {-1, 0, 1, 0, 3})), "0>0 3>1 4>2 1>3 2>4 ");
  EXPECT_EQ(indices(arms, below({"Hand", "top", "r", "Hand", "l", "Hand"}, {-1, -1, 1, 2, 1, 4})), "3>2 4>3 1>4 2>5 ");
  EXPECT_EQ(
      indices(below({"root", "Hand", "Hand"}, {-1, 0, 0}), below({"Hand", "root", "Hand", "Hand"}, {-1, -1, 1, 1})),
      "0>1 1>2 2>3 ")
      << "siblings by their order";
  EXPECT_EQ(indices(arms, below({"root", "Hand", "Hand"}, {-1, 0, 0})), "0>0 ") << "either hand may be either";
  EXPECT_EQ(
      indices(below({"root", "node_1", ""}, {-1, 0, 1}), below({"x", "root", "node_2", "node_7"}, {-1, -1, 1, 2})),
      "0>1 1>2 2>3 ")
      << "nameless ones by their place";
}

class RetargetTest : public testing::Test {
 protected:
  RetargetTest() {
    from_ = random_rig({.joints = 12, .clips = 1, .even_keys = false});
    Track<Vec3>& walk = from_.clips[0].tracks[0].translation;
    walk.times_seconds = {0, 0.5f, 1};
    walk.values = {{0, 0, 0}, {0.3f, 0.1f, 0}, {0.6f, 0, 0.5f}};
    std::erase_if(from_.clips[0].tracks, [](const JointTracks& tracks) { return tracks.joint > 12; });
    for (size_t i = 1; i < from_.clips[0].tracks.size(); ++i) from_.clips[0].tracks[i].translation = {};
    EXPECT_TRUE(validate(from_.clips[0], 12));
    from_.mesh.positions.resize(1);  // a character with a mesh: its rest pose is its bind pose
  }

  Clip retargeted(const Character& to) const {
    const auto pairs = pair_joints(from_.skeleton, to.skeleton);
    EXPECT_TRUE(pairs);
    Result<Clip> clip = retarget(from_.clips[0], from_, to, *pairs);
    EXPECT_TRUE(clip) << clip.error().message;
    EXPECT_TRUE(validate(*clip, to.skeleton.joint_count()));
    return std::move(*clip);
  }

  Character from_;
};

/// At times all over the clip. `skip`: joints at the start that only the other skeleton has.
void expect_same_motion(const Character& from, const Character& to, const Clip& clip, double tolerance,
                        size_t skip = 0) {
  for (float time = 0.001f; time <= 1; time += 0.0173f) {
    auto wanted = joints_at(from, from.clips[0], time), actual = joints_at(to, clip, time);
    for (size_t j = 0; j < actual.size(); ++j) {
      for (int row = 0; row < 3 && skip > 0; ++row) wanted[j + skip].m[row][3] = actual[j].m[row][3] = 0;
      ASSERT_LT(largest_difference(wanted[j + skip], actual[j]), tolerance) << "joint " << j << " at " << time;
    }
  }
}

TEST_F(RetargetTest, ARenamedCopyMovesTheSame) {
  Character copy = from_;
  for (std::string& name : copy.skeleton.joint_names) name = "mixamorig:" + name;
  expect_same_motion(from_, copy, retargeted(copy), 1e-5);
}

Quat conjugate(Quat q) { return {-q.x, -q.y, -q.z, q.w}; }
Vec3 rotated(Quat q, Vec3 v) { return transform_point(to_matrix({{}, q, {1, 1, 1}}), v); }

/// A file of motion alone: its rest pose is a frame of the motion, and says nothing.
TEST_F(RetargetTest, WithoutAMeshJointsHaveTheRestRotationsOfTheOther) {
  const Character to = from_;
  from_.mesh = {};
  sample_clip(from_.clips[0], from_.skeleton, 0.4f, from_.skeleton.rest_pose);
  for (uint32_t j = 0; j < 12; ++j) from_.skeleton.rest_pose[j].translation = to.skeleton.rest_pose[j].translation;
  expect_same_motion(from_, to, retargeted(to), 1e-5);
}

/// The bones of VRM's clips turn from the T-pose that their file has, whatever the axes of both are.
TEST_F(RetargetTest, ClipsOfVrmTurnFromTheirRestPose) {
  Character to = from_;
  from_.mesh = {};
  from_.skeleton.humanoid_names = from_.skeleton.joint_names, to.skeleton.humanoid_names = to.skeleton.joint_names;
  for (std::string& name : to.skeleton.joint_names) name = "other " + name.substr(name.size() - 1);
  const Quat turn = normalize(Quat{0.1f, 0.5f, -0.3f, 0.7f});
  from_.skeleton.rest_pose[11].rotation = from_.skeleton.rest_pose[11].rotation * turn;
  for (JointTracks& tracks : from_.clips[0].tracks)
    for (Quat& key : tracks.rotation.values)
      if (tracks.joint == 11) key = key * turn;
  const Clip clip = retargeted(to);
  for (float time = 0; time <= 1; time += 0.1f) {
    const auto wanted = joints_at(from_, from_.clips[0], time), actual = joints_at(to, clip, time);
    const Quat off = to_transform(wanted[11]).rotation * conjugate(turn);
    EXPECT_GT(std::abs(dot(off, to_transform(actual[11]).rotation)), 1 - 1e-5f) << time;
  }
}

/// As where a biped's pelvis is below a turned node of the scene, which the other skeleton lacks.
TEST_F(RetargetTest, WithoutAMeshATurnedJointAboveTurnsTheWholeCharacter) {
  from_.skeleton.model_from_root = {};
  const Character to = from_;
  from_.mesh = {};
  Skeleton& skeleton = from_.skeleton;
  for (int32_t& parent : skeleton.parents) ++parent;
  skeleton.parents.insert(skeleton.parents.begin(), kNoJoint);
  skeleton.joint_names.insert(skeleton.joint_names.begin(), "Above");
  skeleton.rest_pose.insert(skeleton.rest_pose.begin(), {{}, normalize(Quat{0.3f, -0.8f, 0.4f, 0.6f}), {1, 1, 1}});
  for (JointTracks& tracks : from_.clips[0].tracks) ++tracks.joint;
  expect_same_motion(from_, to, retargeted(to), 1e-5, 1);
}

/// The spine moves a little by itself, but it is not the root.
TEST_F(RetargetTest, TheRootMovesWithAJointAboveThatHasNoPair) {
  const Character to = from_;
  Clip& clip = from_.clips[0];
  Track<Vec3> wobble = clip.tracks[0].translation;
  from_.skeleton.joint_names[clip.tracks[0].joint] = "only here";
  clip.tracks[2].translation = wobble;
  const Clip moved = retargeted(to);
  std::vector<uint32_t> roots;
  for (const JointTracks& tracks : moved.tracks) {
    if (!tracks.translation.values.empty()) roots.push_back(tracks.joint);
  }
  EXPECT_EQ(roots, std::vector<uint32_t>{1});
}

/// The same character 250 times as large, z up, with joints whose axes point elsewhere.
TEST_F(RetargetTest, OtherAxesUnitsAndRestRotationsMoveTheSame) {
  constexpr float kScale = 250;
  from_.skeleton.model_from_root = {};
  from_.space = {{0, 1, 0}, {0, 0, 1}, 1};
  Character other = from_;
  other.space = {{0, 0, 1}, {0, -1, 0}, 0.01f};
  const Quat turn = normalize(Quat{1, 0, 0, 1});  // y up becomes z up
  std::mt19937 random(5);
  const auto part = [&] { return std::uniform_real_distribution<float>(-1, 1)(random); };
  const std::vector<Matrix3x4d> rest = joints_at(from_, Clip(), 0);
  std::vector<Quat> source(12), target(12);
  std::vector<Vec3> places(12);
  for (uint32_t j = 0; j < 12; ++j) {
    const int32_t parent = from_.skeleton.parents[j];
    const Quat above = parent == kNoJoint ? Quat() : target[size_t(parent)];
    const Vec3 origin = parent == kNoJoint ? Vec3() : places[size_t(parent)];
    const Quat local = from_.skeleton.rest_pose[j].rotation;
    source[j] = parent == kNoJoint ? local : source[size_t(parent)] * local;
    target[j] = turn * source[j] * normalize(Quat{part(), part(), part(), part()});
    places[j] = rotated(turn, transform_point(rest[j], {})) * kScale;
    other.skeleton.rest_pose[j] = {
        rotated(conjugate(above), places[j] - origin), conjugate(above) * target[j], {1, 1, 1}};
  }
  const std::vector<Matrix3x4d> other_rest = joints_at(other, Clip(), 0);
  const Clip clip = retargeted(other);
  for (const float time : {0.0f, 0.3f, 0.77f, 1.0f}) {
    const auto wanted = joints_at(from_, from_.clips[0], time), actual = joints_at(other, clip, time);
    for (size_t j = 0; j < wanted.size(); ++j) {
      // Points of the rest pose are carried to the same places.
      for (const Vec3 point : {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0.5f}}) {
        const Vec3 moved = transform_point(wanted[j] * inverse(rest[j]), point);
        const Vec3 other_moved = transform_point(actual[j] * inverse(other_rest[j]), rotated(turn, point) * kScale);
        EXPECT_LT(length(rotated(turn, moved) * kScale - other_moved), 2e-3f) << time << ", " << j;
      }
    }
  }
}

TEST_F(RetargetTest, TheRootMovesInProportionToTheHeight) {
  Character large = from_;
  for (Transform& rest : large.skeleton.rest_pose) rest.translation = rest.translation * 2;
  for (int row = 0; row < 3; ++row) large.skeleton.model_from_root.m[row][3] *= 2;
  const Clip clip = retargeted(large);
  const auto at = [&](const Character& character, const Clip& played, float time) {
    const Matrix3x4d root = joints_at(character, played, time)[0];
    return Vec3{float(root.m[0][3]), float(root.m[1][3]), float(root.m[2][3])};
  };
  const Vec3 small_way = at(from_, from_.clips[0], 1) - at(from_, from_.clips[0], 0);
  const Vec3 large_way = at(large, clip, 1) - at(large, clip, 0);
  EXPECT_GT(length(small_way), 0.5f);
  EXPECT_LT(length(large_way - small_way * 2), 1e-4f);
  for (const JointTracks& tracks : clip.tracks) {
    EXPECT_EQ(tracks.translation.values.empty(), tracks.joint != 0) << tracks.joint;
    EXPECT_TRUE(tracks.scale.values.empty());
  }
  // Of VRM's hips where both have them: here they are raised to the same height.
  for (Character* each : {&from_, &large}) {
    each->skeleton.humanoid_names.assign(12, ""), each->skeleton.humanoid_names[0] = "hips";
    each->skeleton.model_from_root = {}, each->skeleton.rest_pose[0].translation = {0, 3, 0};
  }
  const Clip same = retargeted(large);
  EXPECT_LT(
      length(at(large, same, 1) - at(large, same, 0) - (at(from_, from_.clips[0], 1) - at(from_, from_.clips[0], 0))),
      1e-4f);
}

TEST_F(RetargetTest, JointsWithoutAPairKeepTheirPlaceOnTheirParents) {
  Character other = from_;
  other.skeleton.joint_names[3] = "extra";
  const Clip clip = retargeted(other);
  EXPECT_EQ(clip.tracks.size(), 11u);
  std::vector<Transform> pose(12);
  sample_clip(clip, other.skeleton, 0.4f, pose);
  EXPECT_EQ(length(pose[3].translation - other.skeleton.rest_pose[3].translation), 0);
  const auto wanted = joints_at(from_, from_.clips[0], 0.4f), actual = joints_at(other, clip, 0.4f);
  for (uint32_t j = 0; j < 12; ++j) {
    if (j == 3 || from_.skeleton.parents[j] == 3) continue;
    for (int i = 0; i < 9; ++i) EXPECT_NEAR(wanted[j].m[i / 3][i % 3], actual[j].m[i / 3][i % 3], 1e-3) << j;
  }
}

TEST_F(RetargetTest, StepsStayStepsAndCubicTracksAreFollowed) {
  Track<Quat>& step = from_.clips[0].tracks[1].rotation;
  step.interpolation = Interpolation::kStep;
  Track<Vec3>& walk = from_.clips[0].tracks[0].translation;
  walk.interpolation = Interpolation::kCubic;
  walk.values = {{}, {0, 0, 0}, {3, 0, 0}, {0, 2, 0}, {0.3f, 0.1f, 0}, {0, 1, 0}, {}, {0.6f, 0, 0.5f}, {}};
  expect_same_motion(from_, from_, retargeted(from_), 2e-3);
}

TEST_F(RetargetTest, WeightsFindTheirTargetsByName) {
  Character other = from_;
  from_.mesh.targets = {{"blink", 0, {}, {}, {}, {}}, {"smile", 0, {}, {}, {}, {}}};
  other.mesh.targets = {{"smile", 0, {}, {}, {}, {}}, {"open", 0, {}, {}, {}, {}}};
  from_.clips[0].weights = {{0, {{0, 1}, {0, 1}}}, {1, {{0, 1}, {0.25f, 0.75f}}}};
  const auto pairs = pair_joints(from_.skeleton, other.skeleton);
  const Result<Clip> clip = retarget(from_.clips[0], from_, other, *pairs);
  ASSERT_TRUE(clip);
  ASSERT_EQ(clip->weights.size(), 1u);
  EXPECT_EQ(clip->weights[0].target, 0u);
  EXPECT_EQ(clip->weights[0].weight.values[1], 0.75f);
}

/// A key at 1e7 s beside a cubic one would make 600 million times.
TEST_F(RetargetTest, ClipsThatNeedTooManyPosesAreRefused) {
  const auto pairs = *pair_joints(from_.skeleton, from_.skeleton);
  Clip clip = from_.clips[0];
  clip.name = "long";
  for (const float end : {1e6f, 1e7f, 1e30f, 3e38f}) {
    JointTracks& tracks = clip.tracks[0];
    tracks.rotation = {{0, end}, std::vector<Quat>(6), Interpolation::kCubic};
    clip.end_seconds = end;
    const Result<Clip> moved = retarget(clip, from_, from_, pairs);
    ASSERT_FALSE(moved) << end;
    EXPECT_EQ(moved.error().code, ErrorCode::kUnsupported);
    EXPECT_NE(moved.error().message.find("retarget: clip 'long' of "), std::string::npos) << moved.error().message;
    EXPECT_LT(moved.error().message.size(), 140u) << moved.error().message;
  }
  clip.end_seconds = 2;  // the keys beyond it do not count
  const Result<Clip> cut = retarget(clip, from_, from_, pairs);
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->tracks[0].rotation.times_seconds.back(), 2);
  clip.end_seconds = 1e7f;
  clip.tracks[0].rotation.interpolation = Interpolation::kLinear;
  clip.tracks[0].rotation.values.resize(2);
  EXPECT_TRUE(retarget(clip, from_, from_, pairs)) << "few keys are few poses, however long the clip is";
}

/// 40 clips of 20,000 keys: 2.4 hours at 5.5 keys a second. Each of them is within the limit.
TEST_F(RetargetTest, TheLimitHoldsForAllClipsTogether) {
  const auto pairs = *pair_joints(from_.skeleton, from_.skeleton);
  Clip clip{"one of many", 0, 20000, {}};
  Track<Quat> rotation;
  for (uint32_t key = 0; key <= 20000; ++key) {
    rotation.times_seconds.push_back(float(key));
    rotation.values.push_back({});
  }
  clip.tracks = {{1, {}, rotation, {}}};
  from_.clips.assign(20, clip);
  EXPECT_TRUE(retarget_clips(from_, from_, pairs));
  from_.clips.assign(40, clip);
  const auto moved = retarget_clips(from_, from_, pairs);
  ASSERT_FALSE(moved);
  EXPECT_NE(moved.error().message.find("are left of 16777216"), std::string::npos) << moved.error().message;
}

/// Each target of one name gets the keys of the same track.
TEST_F(RetargetTest, CopiesOfWeightsCountToo) {
  Character other = from_;
  from_.mesh.targets = {{"open", 0, {}, {}, {}, {}}};
  other.mesh.targets.assign(2000, {"open", 0, {}, {}, {}, {}});
  Track<float> track;
  for (uint32_t key = 0; key < 10000; ++key) track.times_seconds.push_back(float(key)), track.values.push_back(0);
  from_.clips[0].weights = {{0, track}};
  const auto pairs = *pair_joints(from_.skeleton, other.skeleton);
  EXPECT_FALSE(retarget(from_.clips[0], from_, other, pairs));
  other.mesh.targets.resize(100);
  const auto moved = retarget(from_.clips[0], from_, other, pairs);
  ASSERT_TRUE(moved);
  EXPECT_EQ(moved->weights.size(), 100u);
}

TEST_F(RetargetTest, AllClipsMoveAsEachAlone) {
  from_.clips.push_back(random_rig({.joints = 12, .clips = 2, .seed = 8}).clips[1]);
  for (JointTracks& tracks : from_.clips[1].tracks) tracks.translation = {};  // no root
  const auto pairs = *pair_joints(from_.skeleton, from_.skeleton);
  const auto all = retarget_clips(from_, from_, pairs);
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    const auto alone = retarget(from_.clips[i], from_, from_, pairs);
    EXPECT_TRUE(alone->tracks == (*all)[i].tracks) << i;
  }
}

TEST_F(RetargetTest, BadInputGetsALine) {
  const auto message = [&](const Clip& clip, const Character& to, std::vector<JointPair> pairs) {
    return message_of(retarget(clip, from_, to, pairs));
  };
  Clip additive = from_.clips[0];
  additive.additive = true;
  EXPECT_EQ(message(additive, from_, {{0, 0}}), "retarget: clip '" + additive.name + "' is additive");
  EXPECT_EQ(message(from_.clips[0], from_, {}), "retarget: there are no pairs of joints");
  EXPECT_EQ(message(from_.clips[0], from_, {{0, 0}, {1, 0}}), "retarget: pair 1 is out of range or out of order");
  EXPECT_EQ(message(from_.clips[0], from_, {{12, 0}}), "retarget: pair 0 is out of range or out of order");
  EXPECT_EQ(message(from_.clips[0], from_, {{0, 12}}), "retarget: pair 0 is out of range or out of order");
  Character flat = from_;
  flat.name = "flat";
  for (Transform& rest : flat.skeleton.rest_pose) rest.translation = {};
  EXPECT_EQ(message(from_.clips[0], flat, {{0, 0}}), "retarget: the joints of 'flat' have no height");
  Clip turning = from_.clips[0];
  for (JointTracks& tracks : turning.tracks) tracks.translation = {};
  EXPECT_EQ(message(turning, flat, {{0, 0}}), "") << "nothing is scaled";
}

}  // namespace
}  // namespace sinew::test
