// A level of detail with a palette of its own in a crowd: what is skinned, sockets, masks, poses of the host.
#include <gmock/gmock.h>

#include <filesystem>
#include <set>

#include "app/scene/exact_poses.h"
#include "crowd_fixture.h"
#include "merged_level.h"
#include "message.h"
#include "sinew/experimental/crowd_parts.h"

namespace sinew::test {
namespace {

using ::testing::HasSubstr;
using vulkan::CrowdOptions;
using vulkan::Draw;
using vulkan::SkinnedCrowd;

constexpr float kNear = 3, kFar = 300;  // meters: the finest level, and the coarsest
constexpr uint32_t kMerged = 2;         // the level with a palette of its own

const SharedModel& merged_model() {
  static const SharedModel model = std::make_shared<Model>(with_merged_level(*built_in_model()));
  return model;
}

SharedModel without_sockets() {
  auto model = std::make_shared<Model>(*merged_model());
  model->sockets.clear();
  model->levels[kMerged - 1].sockets.clear();
  return model;
}

class LevelPaletteTest : public CrowdTest {};

float error_of(const BakedCharacter& baked) {
  float error = 0;
  for (const BakedClip& clip : baked.clips) error = std::max(error, clip.error);
  return error;
}

TEST(LevelPalettes, FormAValidModelThatAFileHolds) {
  const Model& model = *merged_model();
  ASSERT_EQ(message_of(validate(model)), "");
  EXPECT_LT(model.skin(kMerged).palette_size(), model.skin(0).palette_size() / 2 + 5);
  EXPECT_EQ(&model.bake(1), &model.baked);
  EXPECT_EQ(&model.skin(1), &model.character.skin);
  const std::string path = (std::filesystem::path(::testing::TempDir()) / "merged.sinew").string();
  ASSERT_TRUE(write_model_file(path, model));
  const auto stored = load_model_file(path);
  ASSERT_TRUE(stored) << stored.error().message;
  EXPECT_TRUE((*stored)->has_palette(kMerged));
  EXPECT_FALSE((*stored)->has_palette(1));
  EXPECT_TRUE((*stored)->levels == model.levels);
  EXPECT_EQ(model.levels[kMerged - 1].sockets.size(), 1u);
  const auto again = load_model(path);  // nothing is made again
  ASSERT_TRUE(again);
  EXPECT_TRUE((*again)->has_palette(kMerged));
}

TEST(LevelPalettes, LevelsAreMadeAgainForOtherSockets) {
  const std::string path = (std::filesystem::path(::testing::TempDir()) / "merged_sockets.sinew").string();
  ASSERT_TRUE(write_model_file(path, *merged_model()));
  ModelOptions options;
  options.sockets = {{"left", "hand_l", {}}};
  const auto remade = load_model(path, options);
  ASSERT_TRUE(remade) << remade.error().message;
  ASSERT_EQ((*remade)->sockets.size(), 2u);
  EXPECT_EQ((*remade)->sockets[1].name, "left") << "behind that of the file";
  EXPECT_EQ((*remade)->baked.frames.size(), merged_model()->baked.frames.size());
  EXPECT_GT((*remade)->levels.size(), 0u);
  EXPECT_EQ(message_of(validate(**remade)), "");
}

TEST(LevelPalettes, PartsThatDoNotFitAreNamed) {
  const auto broken = [](auto change) {
    Model model = *merged_model();
    change(model.levels[kMerged - 1], model);
    return message_of(validate(model));
  };
  const auto level = [](const char* what) { return HasSubstr("level of detail 2: " + std::string(what)); };
  EXPECT_THAT(broken([](ModelLevel& l, Model&) { l.skin.entries[1].joint = 999; }), level(""));
  EXPECT_THAT(broken([](ModelLevel& l, Model&) { l.skin.entries.pop_back(); }), level(""));
  EXPECT_THAT(broken([](ModelLevel& l, Model& m) { l.mesh.influences[0].entry = uint16_t(m.baked.palette_size - 1); }),
              level(""));
  EXPECT_THAT(broken([](ModelLevel& l, Model&) { l.baked.nodes[1].parent = 99; }), level("bake: "));
  EXPECT_THAT(broken([](ModelLevel& l, Model& m) { l.baked = m.baked; }), level("bake: it has"));
  EXPECT_THAT(broken([](ModelLevel& l, Model&) { l.baked.clips.pop_back(); }), level("bake: it has"));
  EXPECT_THAT(broken([](ModelLevel& l, Model&) { l.baked.clips[0].end_seconds += 1; }), level("bake: clip"));
  EXPECT_THAT(broken([](ModelLevel& l, Model&) { l.baked.joint_count -= 1; }), level("bake: "));
  EXPECT_THAT(broken([](ModelLevel& l, Model&) { l.baked = {}; }), level("bake: "));
  EXPECT_THAT(broken([](ModelLevel& l, Model&) { l.sockets.clear(); }), level("it has 0 sockets, the model has 1"));
  EXPECT_THAT(broken([](ModelLevel& l, Model&) { l.sockets[0].entry = l.skin.palette_size(); }),
              level("socket 'hand': the palette has no entry"));
  EXPECT_THAT(broken([](ModelLevel& l, Model& m) {
                l.mesh.targets = m.character.mesh.targets;
                l.mesh.targets.resize(1);
              }),
              level(""));
  EXPECT_THAT(broken([](ModelLevel&, Model& m) { m.levels[0].sockets = m.levels[1].sockets; }),
              HasSubstr("level of detail 1: it has a bake or sockets"));
  EXPECT_THAT(broken([](ModelLevel&, Model& m) { m.levels[0].mesh.targets.clear(); }),
              HasSubstr("other morph targets"));
}

TEST_F(LevelPaletteTest, SkinsWithThePaletteOfTheLevel) {
  const Model& model = *merged_model();
  SkinnedCrowd crowd = make_crowd({.planner = {.cull = false, .update_rate = false}}, {&merged_model(), 1});
  const Host host = make_host(model, 12);
  ASSERT_TRUE(run_frame(crowd, host, view_from(kFar)));
  const float bound = 1e-5f * model.largest_extent() + 3 * error_of(model.bake(kMerged));  // far from their joints
  uint32_t drawn = 0;
  for (const Draw& draw : crowd.draws()) {
    ASSERT_EQ(draw.level, kMerged);
    for (const crowd::DrawCommand& command : crowd.commands().subspan(draw.first_command, draw.command_count)) {
      ++drawn;
      const VkDeviceSize first = (VkDeviceSize{draw.first_vertex} + VkDeviceSize(command.vertex_offset)) * 16;
      const auto positions = read_positions({draw.vertex_buffer, first}, draw.vertex_count);
      const uint32_t instance = crowd.instances()[command.first_instance];
      const auto wanted =
          app::exact_positions(model.character, model.skin(kMerged), model.mesh(kMerged), host.playbacks[instance]);
      EXPECT_LT(largest_distance(positions, wanted), bound) << instance;
    }
  }
  EXPECT_GE(drawn, 12u);
  EXPECT_EQ(expect_all_drawn(crowd), 12u);  // by the level's bake, to rounding
  ASSERT_FALSE(crowd.draws().empty());
  const vulkan::InstanceRange& range = *crowd.draws()[0].range;
  EXPECT_EQ(range.palette_size, model.skin(kMerged).palette_size());
  EXPECT_EQ(range.target_count, 0u);  // morph weights are dropped
}

TEST_F(LevelPaletteTest, NearAndFarInstancesStandInOneFrame) {
  SkinnedCrowd crowd = make_crowd({.planner = {.cull = false, .update_rate = false}}, {&merged_model(), 1});
  Host host = make_host(*merged_model(), 6);
  for (uint32_t i = 0; i < 6; i += 2) host.places[i].m[2][3] = -kFar;
  ASSERT_TRUE(run_frame(crowd, host, view_from(kNear)));
  EXPECT_EQ(expect_all_drawn(crowd), 6u);
  std::set<uint32_t> levels;
  for (const Draw& draw : crowd.draws()) levels.insert(draw.level);
  EXPECT_THAT(levels, ::testing::Contains(kMerged));
  EXPECT_GT(levels.size(), 1u);
}

TEST_F(LevelPaletteTest, SocketsFollowTheJointsThatTheyAreOn) {
  const Model& model = *merged_model();
  SkinnedCrowd crowd = make_crowd({.planner = {.cull = false, .update_rate = false}}, {&merged_model(), 1});
  const Host host = make_host(model, 6);
  ASSERT_TRUE(run_frame(crowd, host, view_from(kFar)));
  std::vector<crowd::SocketRequest> requests;
  for (uint32_t i = 0; i < 6; ++i) requests.push_back({i, 0});
  std::vector<Matrix3x4> out(6);
  crowd.place_sockets(host.instances(), requests, out);
  for (uint32_t i = 0; i < 6; ++i) {
    // The hand is no joint that was merged.
    const auto palette = app::exact_palette(model.character, model.character.skin, host.playbacks[i]);
    const Socket& socket = model.sockets[0].socket;
    const Vec3 wanted = transform_point(palette[socket.entry], transform_point(socket.mesh_from_socket, {}));
    for (int row = 0; row < 3; ++row)
      EXPECT_NEAR(out[i].m[row][3], (&wanted.x)[row] + host.places[i].m[row][3], 5e-4f) << i;
  }
}

TEST_F(LevelPaletteTest, MasksReachEveryPalette) {
  const Model& model = *merged_model();
  SkinnedCrowd crowd = make_crowd({.planner = {.cull = false, .update_rate = false}}, {&merged_model(), 1});
  Host host = make_host(model, 2);
  for (Playback& playback : host.playbacks) {
    playback.layers[0] = {0, 0.3f, 1, *find_mask(model, "rest")};
    playback.layers[1] = {1, 0.4f, 1, *find_mask(model, "arm")};
  }
  ASSERT_TRUE(run_frame(crowd, host, view_from(kFar)));
  EXPECT_EQ(expect_all_drawn(crowd), 2u);
  const Draw before = crowd.draws()[0];
  ASSERT_EQ(before.level, kMerged);
  const auto masked = read_positions(slice_of(before), before.vertex_count);
  std::vector<float> nothing(model.character.skeleton.joint_count());
  ASSERT_TRUE(crowd.set_mask(0, *find_mask(model, "arm"), nothing));
  ASSERT_TRUE(run_frame(crowd, host, view_from(kFar)));
  const Draw& after = crowd.draws()[0];
  EXPECT_GT(largest_distance(read_positions(slice_of(after), after.vertex_count), masked), 1e-2f);
}

TEST_F(LevelPaletteTest, CompactPalettesShowTheSame) {
  const SharedModel model = without_sockets();
  ASSERT_EQ(message_of(validate(*model)), "");
  CrowdOptions options{.planner = {.cull = false, .update_rate = false}};
  options.compact_palettes = true;
  SkinnedCrowd crowd = make_crowd(options, {&model, 1});
  Host host = make_host(*model, 4);
  for (uint32_t i = 0; i < 4; i += 2) host.places[i].m[2][3] = -kFar;
  ASSERT_TRUE(run_frame(crowd, host, view_from(kNear)));
  EXPECT_GT(crowd.skinner().memory_usage().expanded_bytes, 0u);
  std::set<uint32_t> levels;
  for (const Draw& draw : crowd.draws()) {
    levels.insert(draw.level);
    EXPECT_FALSE(draw.range->compact_palettes.empty());
    const auto positions = read_positions(slice_of(draw), draw.vertex_count);
    const Playback& playback = host.playbacks[crowd.instances()[draw.first_instance]];
    EXPECT_LT(largest_distance(positions, expected(*model, draw.level, playback)), 1e-4f);
  }
  EXPECT_THAT(levels, ::testing::Contains(kMerged));
  EXPECT_GT(levels.size(), 1u);
}

TEST_F(LevelPaletteTest, AHostPosedInstanceHasThePaletteOfTheCharacter) {
  const Model& model = *merged_model();
  const std::vector<std::vector<uint8_t>> frames = {{0, 0, 1, 0}, {0, 1, 1, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}};
  for (const bool previous_poses : {false, true}) {
    SkinnedCrowd crowd =
        make_crowd({.planner = {.cull = false, .previous_poses = previous_poses}}, {&merged_model(), 1});
    Host host = make_host(model, 4);
    frame_ = 0;
    for (const std::vector<uint8_t>& host_posed : frames) {
      host.host_posed = host_posed;
      const crowd::View view = view_from(kFar);
      ++frame_;
      ASSERT_TRUE(crowd.update({.number = frame_}, host.instances(), {&view, 1}));
      for (uint32_t instance = 0; instance < 4; ++instance) {
        const size_t entries = crowd.host_pose(instance).palette.size();
        EXPECT_EQ(entries, host_posed[instance] ? model.baked.palette_size : 0) << instance;
      }
      device_->submit_and_wait([&](VkCommandBuffer cmd) { crowd.record(cmd); });
      for (const Draw& draw : crowd.draws()) {
        for (uint32_t i = 0; i < draw.instance_count; ++i) {
          const uint32_t instance = crowd.instances()[draw.first_instance + i];
          EXPECT_EQ(draw.level, host_posed[instance] ? 1 : kMerged) << instance;
        }
      }
      for (const crowd::PosedBatch& batch : crowd.plan().batches)  // previous poses too
        EXPECT_TRUE(!batch.host_posed || batch.level != kMerged) << "frame " << frame_;
    }
  }
}

TEST_F(LevelPaletteTest, AnotherEvaluatorIsToldTheLevel) {
  struct Calls {
    std::vector<uint32_t> levels, palette_sizes;
  } calls;
  vulkan::experimental::CrowdParts parts;
  parts.poses = {
      [](void* user_data, uint32_t, uint32_t level, std::span<const Playback>, const vulkan::InstanceRange& range) {
        static_cast<Calls*>(user_data)->levels.push_back(level);
        static_cast<Calls*>(user_data)->palette_sizes.push_back(range.palette_size);
        return Status();
      },
      &calls};
  auto crowd = vulkan::experimental::create_crowd(skinner_info(), {&merged_model(), 1},
                                                  {.planner = {.cull = false, .update_rate = false}}, parts);
  ASSERT_TRUE(crowd);
  ASSERT_TRUE(run_frame(*crowd, make_host(*merged_model(), 2), view_from(kFar)));
  EXPECT_THAT(calls.levels, ::testing::ElementsAre(kMerged));
  EXPECT_THAT(calls.palette_sizes, ::testing::ElementsAre(merged_model()->skin(kMerged).palette_size()));
}

TEST_F(LevelPaletteTest, TheBudgetCountsThePaletteOfTheLevel) {
  const auto needed = [&](const SharedModel& model) {
    crowd::PlanOptions planner{.cull = false, .update_rate = false};
    planner.budget.bytes = uint64_t{1} << 40;
    SkinnedCrowd crowd = make_crowd({.planner = planner}, {&model, 1});
    EXPECT_TRUE(run_frame(crowd, make_host(*model, 10), view_from(kFar)));
    return crowd.planner().needed_bytes();
  };
  auto whole = std::make_shared<Model>(*merged_model());  // the same mesh with the palette of the character
  ModelLevel& level = whole->levels[kMerged - 1];
  level = {(*make_levels(built_in_model()->character.mesh))[1].mesh, level.error};
  const uint64_t saved = palette_stride(whole->skin(0).palette_size(), level.mesh.target_count()) -
                         palette_stride(merged_model()->skin(kMerged).palette_size());
  EXPECT_GT(saved, 0u);
  const uint64_t kept = 2, spare_halves = 3;  // needed_bytes() adds a half
  EXPECT_GE(needed(whole) - needed(merged_model()), 10 * saved * sizeof(Matrix3x4) * kept * spare_halves / 2);
}

TEST(LevelPalettes, AFinestLevelWithAPaletteOfItsOwnIsRefused) {
  const Model& model = *merged_model();
  const crowd::Level levels[] = {{.vertex_count = 10, .palette_size = 3}};
  crowd::ModelInfo info;
  info.character = &model.character, info.levels = levels, info.height = 1;
  const auto planner = crowd::Planner::create({&info, 1}, {});
  ASSERT_FALSE(planner);
  EXPECT_THAT(planner.error().message, HasSubstr("has a finest level with a palette of its own"));
}

}  // namespace
}  // namespace sinew::test
