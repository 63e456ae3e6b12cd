// Clips of real models: the bake keeps the default bound, what crowds read stays within the error that the bake states,
// of morph weights too, and bounds contain all vertices.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <ostream>

#include "bounds_subject.h"
#include "distance.h"
#include "rig.h"
#include "sinew/animation/weights.h"
#include "sinew/import/import.h"

namespace sinew::test {
namespace {

namespace fs = std::filesystem;

constexpr double kModelFloatSums = 1e-6;  // meters; the lane code adds in single precision
constexpr size_t kTimesPerClip = 100;

std::vector<fs::path> available_models() {
  std::vector<fs::path> paths = {fs::path(SINEW_SOURCE_DIR) / "assets" / "character.glb"};
  const fs::path models = fs::path(SINEW_SHARED_DIR) / "models";
  if (!fs::exists(models)) return paths;
  for (const auto& entry : fs::recursive_directory_iterator(models)) {
    const std::string extension = entry.path().extension().string();
    if (extension == ".glb" || extension == ".gltf" || extension == ".fbx") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

TEST(Models, EveryClipIsBakedAndEvaluatedWithinTheBound) {
  const std::vector<fs::path> paths = available_models();
  for (const fs::path& path : paths) {
    SCOPED_TRACE(path.filename());
    Result<Character> character = load_character(path.string());
    ASSERT_TRUE(character) << character.error().message;
    Result<BakedCharacter> baked = bake(*character);
    ASSERT_TRUE(baked) << baked.error().message;
    for (uint32_t clip = 0; clip < character->clips.size(); ++clip) {
      const double measured = largest_error(*character, *baked, clip, kTimesPerClip);
      // Between two frames of this file its curves turn joints by more than any rate of a bake follows: near a rotation
      // of 90 degrees about y, the angles about x and z swing by many degrees.
      const float allowed = path.filename() == "Male_Casual.fbx" ? 30.0f : 1.0f;
      EXPECT_LE(baked->clips[clip].error, allowed * BakeOptions().max_error) << baked->clips[clip].name;
      EXPECT_LE(measured, double(baked->clips[clip].error) + kModelFloatSums) << baked->clips[clip].name;
    }
  }
  if (paths.size() == 1) GTEST_SKIP() << "NOT DONE FOR ALL MODELS: " << SINEW_SHARED_DIR << "/models is not there";
}

TEST(Models, BoundsContainAnyLayers) {
  const std::vector<fs::path> paths = available_models();
  if (paths.size() == 1) GTEST_SKIP() << "NO MODELS in " << SINEW_SHARED_DIR << "/models";
  for (const fs::path& path : paths) {
    SCOPED_TRACE(path.filename());
    Result<Character> character = load_character(path.string());
    ASSERT_TRUE(character) << character.error().message;
    const Subject subject(std::move(*character));
    const auto clips = uint32_t(subject.baked.clips.size());
    for (uint32_t clip = 0; clip < clips; ++clip) expect_clip_inside(subject, clip, 12);
    for (size_t layers = 2; layers <= kMaxLayers && clips > 0; ++layers) expect_layers_inside(subject, layers, 15);
  }
}

// --- morph weights ---

constexpr size_t kTimesPerMorphClip = 1000;
constexpr double kMorphFloatSums = 1e-6;  // meters; skinning and the lane code add in single precision

struct Model {
  const char* name;
  fs::path file;
};

void PrintTo(const Model& model, std::ostream* out) { *out << model.name; }

/// All that both ways of evaluation give at some times of a clip.
struct Evaluated {
  Evaluated(const Character& character, const BakedCharacter& baked, std::span<const Playback> playbacks)
      : targets(character.mesh.target_count()),
        exact_weights(playbacks.size() * targets, NAN),
        crowd_weights(exact_weights),
        exact_palettes(evaluate_exact(character, playbacks)),
        crowd_palettes(evaluate_baked(baked, playbacks)) {
    EXPECT_TRUE(evaluate_weights_exact(character, playbacks, targets, exact_weights));
    EXPECT_TRUE(evaluate_weights(baked, playbacks, targets, crowd_weights));
  }

  std::span<const float> exact(size_t i) const { return std::span(exact_weights).subspan(i * targets, targets); }
  std::span<const float> crowd(size_t i) const { return std::span(crowd_weights).subspan(i * targets, targets); }

  uint32_t targets;
  std::vector<float> exact_weights, crowd_weights;
  Palettes exact_palettes, crowd_palettes;
};

struct Distances {
  double weights_alone = 0, positions = 0;  // of vertices, in meters
  double moved = 0;                         // by the targets, in meters
};

/// Between both evaluations of a clip. `weights_alone`: both with the exact palette.
Distances measure(const Character& character, const BakedCharacter& baked, uint32_t clip) {
  std::mt19937 random(clip);
  std::vector<Playback> playbacks;
  for (const float time : times_to_compare(character.clips[clip], kTimesPerMorphClip, random)) {
    playbacks.push_back({{{clip, time, 1}}});
  }
  Evaluated at(character, baked, playbacks);
  const double meters = 1.8 / extent_of(character);
  const std::vector<float> none(at.targets);
  Distances result;
  for (size_t i = 0; i < playbacks.size(); ++i) {
    const std::span<const Matrix3x4> palette = at.exact_palettes.of(i);
    const std::vector<Vec3> exact = skinned_positions(character.mesh, palette, at.exact(i));
    const auto to = [&](std::span<const Matrix3x4> other, std::span<const float> weights) {
      return meters * double(largest_distance(exact, skinned_positions(character.mesh, other, weights)));
    };
    result.weights_alone = larger(result.weights_alone, to(palette, at.crowd(i)));
    result.positions = larger(result.positions, to(at.crowd_palettes.of(i), at.crowd(i)));
    result.moved = larger(result.moved, to(palette, none));
  }
  return result;
}

/// Checks every clip with weights at many times. Returns how far its targets move a vertex, in meters.
double expect_within_stated_error(const Character& character, const BakedCharacter& baked) {
  double moved = 0;
  for (uint32_t clip = 0; clip < character.clips.size(); ++clip) {
    const BakedWeights& weights = baked.clip_weights[clip];
    if (weights.target_count == 0) continue;
    SCOPED_TRACE(baked.clips[clip].name);
    const double stated = double(weights.error);
    const Distances distances = measure(character, baked, clip);
    EXPECT_LE(distances.weights_alone, stated + kMorphFloatSums);
    EXPECT_LE(distances.positions, stated + double(baked.clips[clip].error) + kMorphFloatSums);
    moved = std::max(moved, distances.moved);
  }
  return moved;
}

class MorphModels : public ::testing::TestWithParam<Model> {};

TEST_P(MorphModels, OfACrowdAreWithinTheStatedError) {
  const Model& model = GetParam();
  if (!fs::exists(model.file)) GTEST_SKIP() << "NO MODEL " << model.file;
  const Result<Character> character = load_character(model.file.string());
  ASSERT_TRUE(character) << character.error().message;
  const Result<BakedCharacter> baked = bake(*character);
  ASSERT_TRUE(baked) << baked.error().message;
  for (const BakedWeights& weights : baked->clip_weights) EXPECT_LE(weights.error, BakeOptions().max_error);
  EXPECT_GT(expect_within_stated_error(*character, *baked), 0.001) << "the file moves its targets";
  // At the rate of the keys a bake is exact. A rate of its own, too low, tests the bound where it is large.
  const Result<BakedCharacter> coarse = bake(*character, {.min_frames_per_second = 7, .max_frames_per_second = 7});
  ASSERT_TRUE(coarse) << coarse.error().message;
  expect_within_stated_error(*character, *coarse);
}

const Model kModels[] = {
    {"BuiltIn", SINEW_SOURCE_DIR "/assets/character.glb"},
    {"AnimatedMorphCube", SINEW_SHARED_DIR "/next/morph/AnimatedMorphCube.glb"},
    {"SimpleMorph", SINEW_SHARED_DIR "/next/morph/SimpleMorph.gltf"},
    {"AnimatedMorphCubeOfAssimp",
     SINEW_ASSIMP_MODELS_DIR "/glTF2/glTF-Sample-Models/AnimatedMorphCube-glTF/AnimatedMorphCube.gltf"},
};

INSTANTIATE_TEST_SUITE_P(Files, MorphModels, ::testing::ValuesIn(kModels), ::testing::PrintToStringParamName());

}  // namespace
}  // namespace sinew::test
