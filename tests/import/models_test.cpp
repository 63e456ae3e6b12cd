// Every available rigged file loads with the expected content, and its clips move it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <ostream>

#include "asset/larger_error.h"
#include "files.h"
#include "posing.h"
#include "sinew/experimental/gather_lines.h"
#include "sinew/import/import.h"

namespace sinew::test {
namespace {

/// The expected content of a file. For formats without indices, vertices are counted after welding.
struct Expected {
  const char* file;
  uint32_t skinning_joints;  // distinct joints of the palette entries
  uint32_t clips;
  uint32_t vertices;
  uint32_t skinned_vertices;
  uint32_t images = 0;
  bool moves = true;
};

std::ostream& operator<<(std::ostream& out, const Expected& expected) { return out << expected.file; }

uint32_t skinning_joints(const Skin& skin) {
  std::vector<int32_t> joints;
  for (const PaletteEntry& entry : skin.entries) {
    if (entry.joint != kNoJoint && (joints.empty() || joints.back() != entry.joint)) joints.push_back(entry.joint);
  }
  return uint32_t(joints.size());
}

/// The largest distance between a vertex at the start and after 40 % of a clip, over all clips, as a share of the
/// diagonal.
float largest_move(const Character& character) {
  float largest = 0;
  for (size_t clip = 0; clip < character.clips.size(); ++clip) {
    const Clip& c = character.clips[clip];
    const Posed start = pose(character, int(clip), c.start_seconds);
    const Posed later = pose(character, int(clip), c.start_seconds + 0.4f * c.duration_seconds());
    float farthest = 0;
    for (size_t v = 0; v < start.positions.size(); ++v)
      farthest = std::max(farthest, length(start.positions[v] - later.positions[v]));
    largest = sinew::internal::larger_error(largest, farthest / diagonal_of(start.positions));
  }
  return largest;
}

Character expect_loads(const std::filesystem::path& folder, const Expected& expected) {
  ImportReport report;
  Character character = must(load_character((folder / expected.file).string(), {}, &report));
  EXPECT_EQ(skinning_joints(character.skin), expected.skinning_joints);
  EXPECT_EQ(character.clips.size(), expected.clips);
  EXPECT_EQ(character.mesh.vertex_count(), expected.vertices);
  EXPECT_EQ(report.skinned_vertices, expected.skinned_vertices);
  EXPECT_EQ(character.images.size(), expected.images);
  EXPECT_EQ(largest_move(character) > 0.01f, expected.moves) << largest_move(character);
  return character;
}

class SharedModelTest : public ::testing::TestWithParam<Expected> {};

/// The order for skinning is never more scattered than that of the file, but for rounding of small meshes.
TEST_P(SharedModelTest, LoadsAndMovesWithFewCacheLinesOfPalettes) {
  const std::filesystem::path folder = std::filesystem::path(SINEW_SHARED_DIR) / "models";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "NO MODELS in " << folder;
  Character character = expect_loads(folder, GetParam());
  const double of_file = *experimental::gather_lines(character.mesh);
  ASSERT_TRUE(order_by_influences(character.mesh));
  EXPECT_LE(*experimental::gather_lines(character.mesh), 1.05 * of_file);
}

struct Scatter {
  std::string file;
  double before, limit;  // cache lines for 64 vertices, sorted by the number of influences alone; at most
};

class ScatterTest : public ::testing::TestWithParam<Scatter> {};

TEST_P(ScatterTest, IsWithinItsLimit) {
  if (!std::filesystem::exists(GetParam().file)) GTEST_SKIP() << "NO MODEL " << GetParam().file;
  Character character = must(load_character(GetParam().file));
  ASSERT_TRUE(order_by_influences(character.mesh));
  const double lines = *experimental::gather_lines(character.mesh);
  EXPECT_LE(lines, GetParam().limit);
  EXPECT_LT(lines, 0.8 * GetParam().before);
}

INSTANTIATE_TEST_SUITE_P(Models, ScatterTest,
                         ::testing::Values(Scatter{SINEW_SOURCE_DIR "/assets/character.glb", 40.6, 25},
                                           Scatter{SINEW_SHARED_DIR "/models/kaykit/Knight.glb", 15.4, 12.5},
                                           Scatter{SINEW_SHARED_DIR "/models/cesium/CesiumMan.glb", 65.1, 34}));

class AssimpModelTest : public ::testing::TestWithParam<Expected> {};

TEST_P(AssimpModelTest, LoadsAndMoves) {
  const std::filesystem::path folder = SINEW_ASSIMP_MODELS_DIR;
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "NO MODELS in " << folder << ": install assimp-testmodels";
  expect_loads(folder, GetParam());
}

TEST(HalfLifeTest, SkeletonHasOneRootAndItsAnimationIsRead) {
  const std::filesystem::path file = std::filesystem::path(SINEW_ASSIMP_MODELS_DIR) / "MDL/MDL (HL1)/man.mdl";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "NO MODEL " << file << ": install assimp-testmodels";
  ImportReport report;
  const Character character = must(load_character(file.string(), {}, &report));
  for (const std::string& line : report.warnings) EXPECT_EQ(line.find("its animation is not read"), line.npos) << line;
  const std::vector<int32_t>& parents = character.skeleton.parents;
  EXPECT_EQ(std::count(parents.begin(), parents.end(), kNoJoint), 1);
}

std::string expected_name(const ::testing::TestParamInfo<Expected>& info) { return to_test_name(info.param.file); }

// Joints, clips and vertices are those of models/MANIFEST.md, with two exceptions. Knight's skin has 41 joints, but its
// vertices use fewer. FBX files have fewer vertices after welding.
const Expected kSharedModels[] = {
    {"cesium/CesiumMan.glb", 19, 1, 3273, 3273, 1},
    {"cesium/RiggedSimple.glb", 2, 1, 96, 96},
    {"khronos/Fox.glb", 22, 3, 1728, 1728, 1},
    {"khronos/SimpleSkin.gltf", 2, 1, 10, 10},
    {"kaykit/Knight.glb", 22, 76, 7024, 3716, 1},
    {"raylib/greenman.glb", 6, 4, 196, 196, 1},
    {"raylib/greenman_hat.glb", 0, 0, 49, 0, 1, false},
    {"raylib/greenman_sword.glb", 0, 0, 88, 0, 1, false},
    {"raylib/greenman_shield.glb", 0, 0, 64, 0, 1, false},
    {"kenney/character.glb", 6, 4, 1038, 0},
    {"quaternius/Shark.fbx", 8, 1, 1258, 1258},
    {"quaternius/Skeleton.fbx", 11, 5, 2105, 2105},
    {"quaternius/Trex.fbx", 28, 6, 3496, 3496},
    {"quaternius/Male_Casual.fbx", 28, 11, 3970, 3970},
};

// The best rigged files of Debian's assimp-testmodels. The clip of the SMD file moves nothing.
const Expected kAssimp[] = {
    {"X/Testwuson.X", 37, 3, 3205, 3205},
    {"X/BCN_Epileptic.X", 54, 1, 3014, 3014},
    {"X/anim_test.x", 2, 1, 485, 485},
    {"FBX/animation_with_skeleton.fbx", 14, 1, 4220, 4220},
    {"FBX/huesitos.fbx", 8, 1, 128, 128},
    {"glTF2/simple_skin/simple_skin.gltf", 2, 1, 10, 10},
    {"MDL/MDL (HL1)/man.mdl", 6, 6, 239, 239, 5},
    {"BVH/01_01.bvh", 34, 1, 492, 492},
    {"BVH/Boxing_Toes.bvh", 26, 1, 396, 396},
    {"CSM/ThomasFechten.csm", 44, 1, 1034, 1034},
    {"SMD/WusonSMD.smd", 1, 1, 2117, 2117, 0, false},
    {"MD5/SimpleCube.md5mesh", 2, 0, 24, 24, 0, false},
    {"Collada/box_nested_animation.dae", 1, 1, 24, 24},
};

INSTANTIATE_TEST_SUITE_P(Models, SharedModelTest, ::testing::ValuesIn(kSharedModels), expected_name);
INSTANTIATE_TEST_SUITE_P(Models, AssimpModelTest, ::testing::ValuesIn(kAssimp), expected_name);

}  // namespace
}  // namespace sinew::test
