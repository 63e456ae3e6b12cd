// Levels of a character that moves: what they promise, and characters that are not people.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "animation/rig.h"
#include "brute_force.h"
#include "long_run.h"
#include "sinew/animation/evaluator.h"
#include "sinew/animation/weights.h"
#include "sinew/asset/cpu_skin.h"
#include "sinew/asset/model.h"
#include "sinew/import/import.h"
#include "sinew/import/lod.h"

namespace sinew {
namespace {

using test::LevelDraw;
using test::SurfacePick;

/// A character, its levels, and both as a crowd poses them.
class Posed {
 public:
  Posed(const Character& character, const ModelLevel& level)
      : character_(character),
        level_(level),
        evaluator_(level.baked),
        vertices_(character.mesh.indices.begin(), character.mesh.indices.end()) {}

  void pose(const Playback& playback) {
    std::vector<float> weights(character_.mesh.target_count());
    ASSERT_TRUE(evaluate_weights_exact(character_, {&playback, 1}, uint32_t(weights.size()), weights));
    std::vector<Matrix3x4> palette(character_.skin.palette_size());
    ASSERT_TRUE(evaluate_exact(character_, {&playback, 1}, uint32_t(palette.size()), palette, scratch_));
    skin(character_.mesh, palette, weights, fine_);
    if (level_.has_palette()) {
      palette.resize(level_.skin.palette_size());
      ASSERT_TRUE(evaluator_.evaluate({&playback, 1}, uint32_t(palette.size()), palette));
    }
    if (level_.mesh.targets.empty()) weights.clear();
    skin(level_.mesh, palette, weights, coarse_);
  }

  /// The larger of the distances of points of both surfaces to the other one: all vertices of the character, and
  /// `points` of the level.
  double distance(LevelDraw& draw, int points) const {
    double worst = 0;
    for (const uint32_t v : vertices_)
      worst = std::max(worst, test::distance_to(fine_[v], {coarse_, level_.mesh.indices}));
    for (int i = 0; i < points; ++i) {
      const Vec3 p = SurfacePick(level_.mesh.indices, draw).in(coarse_);
      worst = std::max(worst, test::distance_to(p, {fine_, character_.mesh.indices}));
    }
    return worst;
  }

 private:
  static void skin(const Mesh& mesh, std::span<const Matrix3x4> palette, std::span<const float> weights,
                   std::vector<Vec3>& positions) {
    positions.resize(mesh.vertex_count());
    std::vector<Vec3> normals(positions.size());
    skin_on_cpu(mesh, palette, positions, normals, {}, weights);
  }

  const Character& character_;
  const ModelLevel& level_;
  CrowdEvaluator evaluator_;
  EvaluationScratch scratch_;
  std::set<uint32_t> vertices_;  // of triangles
  std::vector<Vec3> fine_, coarse_;
};

/// One clip, or two mixed.
Playback random_playback(const Character& character, LevelDraw& draw) {
  Playback playback;
  const size_t layers = 1 + draw.below(2);
  for (size_t i = 0; i < layers && !character.clips.empty(); ++i) {
    const uint32_t clip = draw.below(character.clips.size());
    const Clip& own = character.clips[clip];
    playback.layers[i] = {clip, draw.between(own.start_seconds, own.end_seconds), draw.between(0.1f, 1.1f)};
  }
  return playback;
}

double worst_distance(const Character& character, const ModelLevel& level, int poses, int points, uint32_t seed) {
  Posed posed(character, level);
  LevelDraw draw(seed);
  double worst = 0;
  for (int i = 0; i < poses; ++i) {
    posed.pose(random_playback(character, draw));
    worst = std::max(worst, posed.distance(draw, points));
  }
  return worst;
}

/// The built-in character and its levels.
struct BuiltIn {
  Character character = load_character(SINEW_SOURCE_DIR "/assets/character.glb", {}).value();
  std::vector<ModelLevel> levels = make_levels(character, {}).value();
};

void expect_promise_kept(const BuiltIn& built_in) {
  const auto& [character, levels] = built_in;
  const int poses = test::is_long_run() ? 6 : 1;
  for (size_t i = 0; i < levels.size(); ++i) {
    const double worst = worst_distance(character, levels[i], poses, 40, uint32_t(i + 1));
    EXPECT_LE(worst, double(levels[i].error) * 1.02) << "level " << i + 1;
    EXPECT_GT(worst, double(levels[i].error) * 0.05) << "level " << i + 1;  // the promise says something
  }
}

void expect_few_triangles_and_joints_at_the_end(const BuiltIn& built_in) {
  const auto& [character, levels] = built_in;
  ASSERT_GE(levels.size(), 7u);
  for (size_t i = 0; i < levels.size(); ++i) {
    const size_t before = i == 0 ? character.mesh.indices.size() : levels[i - 1].mesh.indices.size();
    EXPECT_LT(levels[i].mesh.indices.size(), before);
    EXPECT_GE(levels[i].error, i == 0 ? 0 : levels[i - 1].error);
  }
  const ModelLevel& last = levels.back();
  EXPECT_LE(last.mesh.indices.size() / 3, 24u);
  EXPECT_LE(last.mesh.vertex_count(), 24u);
  EXPECT_LE(last.skin.palette_size(), 10u);
  EXPECT_LT(last.error, 0.4f);  // of 1.8 m
  EXPECT_EQ(last.mesh.parts.size(), 1u);
  EXPECT_EQ(max_influences(last.mesh), 1u);
  EXPECT_EQ(character.materials[last.mesh.parts[0].material].name, kSmallLevelMaterial);
}

void expect_valid_model(const BuiltIn& built_in) {
  CharacterFile file;
  file.character = built_in.character, file.levels = built_in.levels;
  EXPECT_TRUE(validate(file));
  const std::string path = testing::TempDir() + "sinew_levels.sinew";
  ASSERT_TRUE(write_character_file(path, file));
  const auto read = must(load_character_file(path));
  EXPECT_EQ(read.levels.back().skin.palette_size(), file.levels.back().skin.palette_size());
  EXPECT_EQ(read.levels.back().baked.clips.size(), file.levels.back().baked.clips.size());
}

/// One test: making the levels takes seconds.
TEST(LevelsOfACharacter, OfTheBuiltInOneAreFewAndKeepTheirPromise) {
  const BuiltIn built_in;
  expect_promise_kept(built_in);
  expect_few_triangles_and_joints_at_the_end(built_in);
  expect_valid_model(built_in);
}

/// A box around each joint of a rig.
Character boxes_on_rig(const test::RigOptions& options, float size) {
  Character character = test::random_rig(options);
  character.mesh = {};
  Mesh& mesh = character.mesh;
  mesh.first_influence = {0};
  for (uint32_t entry = 0; entry < character.skin.palette_size(); ++entry) {
    const uint32_t first = mesh.vertex_count();
    const Matrix3x4 mesh_from_joint = matrix_cast<float>(inverse(character.skin.entries[entry].joint_from_mesh));
    for (int i = 0; i < 8; ++i) {
      const Vec3 corner{i & 1 ? size : -size, i & 2 ? size : -size, i & 4 ? size : -size};
      mesh.positions.push_back(transform_point(mesh_from_joint, corner));
      mesh.normals.push_back(normalize(corner));
      mesh.uvs.push_back({});
      mesh.influences.push_back({uint16_t(entry), 1});
      mesh.first_influence.push_back(uint32_t(mesh.influences.size()));
    }
    for (const uint32_t i :
         {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5})
      mesh.indices.push_back(first + i);
  }
  mesh.parts = {{"boxes", PartKind::kSkinned, 0, 0, mesh.vertex_count(), 0, uint32_t(mesh.indices.size())}};
  if (character.materials.empty()) character.materials.emplace_back();
  return character;
}

TEST(LevelsOfACharacter, OfIslandsKeepTheirPromise) {
  Character character = boxes_on_rig({.joints = 12, .clips = 3, .swing = 0.7f}, 0.05f);
  ASSERT_TRUE(validate(character));
  const auto levels = must(make_levels(character, {}));
  EXPECT_FALSE(levels.empty());
  for (const ModelLevel& level : levels)
    EXPECT_LE(worst_distance(character, level, 10, 60, 5), double(level.error) * 1.02 + 1e-4);
}

/// `scale` is a power of two: then all numbers are rounded alike.
Character scaled(Character character, float scale) {
  for (Vec3& position : character.mesh.positions) position = position * scale;
  for (auto& row : character.skeleton.model_from_root.m) row[3] *= double(scale);
  for (PaletteEntry& entry : character.skin.entries) {
    for (auto& row : entry.joint_from_mesh.m) row[3] *= double(scale);
  }
  for (Transform& rest : character.skeleton.rest_pose) rest.translation = rest.translation * scale;
  for (Clip& clip : character.clips) {
    for (JointTracks& tracks : clip.tracks) {
      for (Vec3& value : tracks.translation.values) value = value * scale;
    }
  }
  return character;
}

TEST(LevelsOfACharacter, OfTwoMillimetersAreThoseOfTwoMeters) {
  Character tall = boxes_on_rig({.joints = 6, .clips = 1, .swing = 0.5f}, 0.05f), tiny = scaled(tall, 1.0f / 1024);
  const auto of_tiny = must(make_levels(tiny, {})), of_tall = must(make_levels(tall, {}));
  ASSERT_EQ(of_tiny.size(), of_tall.size());
  for (size_t i = 0; i < of_tiny.size(); ++i) {
    EXPECT_EQ(of_tiny[i].mesh.indices, of_tall[i].mesh.indices) << i;
    EXPECT_FLOAT_EQ(of_tiny[i].error * 1024, of_tall[i].error) << i;
  }
}

TEST(LevelsOfACharacter, WithoutClipsOrWithOneTriangleAreMadeOrNot) {
  Character still = boxes_on_rig({.joints = 12, .clips = 0}, 0.05f);
  still.mesh.blend = Blend::kDualQuaternion;  // in the rest pose as linear
  const auto levels = must(make_levels(still, {}));
  for (const ModelLevel& level : levels) {
    EXPECT_LE(worst_distance(still, level, 1, 200, 5), double(level.error) * 1.02);
    EXPECT_EQ(level.mesh.blend, still.mesh.blend);
  }
  Character one = test::random_rig({.joints = 3, .clips = 1});
  one.mesh = test::triangle(0.1f);
  if (one.materials.empty()) one.materials.emplace_back();
  const auto of_one = must(make_levels(one, {}));
  EXPECT_TRUE(of_one.empty());
  one.mesh = {}, one.mesh.first_influence = {0};
  EXPECT_TRUE(make_levels(one, {}).value().empty());
}

TEST(LevelsOfACharacter, WithWrongOptionsAreRefused) {
  Character character = boxes_on_rig({.joints = 4, .clips = 1}, 0.05f);
  for (const LodOptions& wrong : {LodOptions{.triangle_shares = {1.5f}}, LodOptions{.triangle_shares = {0.2f, 0.4f}},
                                  LodOptions{.max_error = 0}}) {
    EXPECT_EQ(must_fail(make_levels(character, {}, wrong)).code, ErrorCode::kInvalidArgument);
  }
  character.mesh.indices[0] = 100000;
  EXPECT_EQ(make_levels(character, {}).error().code, ErrorCode::kInvalidData);
}

/// A thousand in the long run.
TEST(LevelsOfACharacter, OfManyJointsHaveFew) {
  const uint32_t joints = test::is_long_run() ? 1000 : 150;
  Character character = boxes_on_rig({.joints = joints, .clips = 1, .swing = 0.05f, .branching = 2}, 0.02f);
  const auto levels = must(make_levels(character, {}));
  ASSERT_FALSE(levels.empty());
  EXPECT_TRUE(levels.back().has_palette());
  EXPECT_LT(levels.back().skin.palette_size(), joints / 2);
}

/// The last level of boxes with a texture of one texel, whose alpha is `alpha`; in half of them `other`, by vertex
/// colors.
ModelLevel last_level_with_masks(uint8_t alpha, AlphaMode mode, uint8_t other) {
  Character character = boxes_on_rig({.joints = 3, .clips = 0}, 0.1f);
  character.images = {{"red", 1, 1, {255, 0, 0, alpha}}};
  character.materials[0].base_color_texture.image = 0;
  character.materials[0].alpha_mode = mode, character.materials[0].alpha_cutoff = 0.1f;
  character.mesh.colors.resize(other == alpha ? 0 : character.mesh.vertex_count(), {65535, 65535, 65535, 65535});
  for (size_t v = 0; v < character.mesh.colors.size() / 2; ++v) character.mesh.colors[v].a = uint16_t(other * 257);
  return make_levels(character, {}, {.triangle_shares = {}}).value().back();
}

TEST(LevelsOfACharacter, HaveTheColorsAndMasksOfWhatIsSeen) {
  const float red = 0.2126f;
  const Mesh hair = last_level_with_masks(253, AlphaMode::kOpaque, 253).mesh;
  ASSERT_EQ(hair.second_uvs.size(), hair.vertex_count());
  for (size_t v = 0; v < hair.vertex_count(); ++v) {
    EXPECT_EQ(hair.colors[v], (VertexColor{65535, 0, 0, 65535}));
    EXPECT_EQ(hair.uvs[v].x, 0);
    EXPECT_NEAR(hair.uvs[v].y, red, 1e-5f);
    EXPECT_TRUE(hair.second_uvs[v] == Vec2());
  }
  const Mesh trousers = last_level_with_masks(251, AlphaMode::kOpaque, 251).mesh;
  for (const Vec2 uv : trousers.second_uvs) EXPECT_NEAR(uv.y, red, 1e-5f);
  EXPECT_TRUE(last_level_with_masks(250, AlphaMode::kOpaque, 250).mesh.second_uvs.empty());  // there are four masks
  EXPECT_TRUE(last_level_with_masks(255, AlphaMode::kOpaque, 255).mesh.second_uvs.empty());
  EXPECT_TRUE(last_level_with_masks(252, AlphaMode::kMask, 252).mesh.second_uvs.empty());
}

TEST(LevelsOfACharacter, ShareAVertexBetweenMasks) {
  const Mesh mesh = last_level_with_masks(255, AlphaMode::kOpaque, 252).mesh;
  ASSERT_EQ(mesh.second_uvs.size(), mesh.vertex_count());
  bool has_share = false;
  for (const Vec2 uv : mesh.second_uvs) {
    EXPECT_GE(uv.x, 0);
    EXPECT_LT(uv.x, 0.25f) << "red has 0.2126; a fit may be a little above";
    has_share |= uv.x > 0.001f && uv.x < 0.21f;
  }
  EXPECT_TRUE(has_share);
}

TEST(LevelsOfACharacter, MasksCountAsWhatTheyCover) {
  Character character = boxes_on_rig({.joints = 8, .clips = 1}, 0.1f);
  character.images = {{"hole", 1, 1, {255, 0, 0, 0}}};
  character.materials[0].base_color_texture.image = 0;
  character.materials[0].alpha_mode = AlphaMode::kMask;
  LevelContext context;
  std::vector<std::string> warnings;
  context.warnings = &warnings;
  EXPECT_TRUE(make_levels(character, context, {.triangle_shares = {}}).value().empty());
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0], "no small levels of detail: nothing of it is seen from outside");
}

TEST(LevelsOfACharacter, ThatCannotBeBakedAreLeftOutWithAWarning) {
  Character character = boxes_on_rig({.joints = 12, .clips = 1}, 0.1f);
  character.clips[0].end_seconds = 1e7f;
  LevelContext context;
  std::vector<std::string> warnings;
  context.warnings = &warnings;
  const auto levels = must(make_levels(character, context));
  for (const ModelLevel& level : levels) EXPECT_FALSE(level.has_palette());
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("no small levels of detail: bake: clip"), std::string::npos) << warnings[0];
}

}  // namespace
}  // namespace sinew
