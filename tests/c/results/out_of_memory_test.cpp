// Failing allocations in the calls that make players, root tracks, sockets and attachments, and in those that
// measure characters: each returns the error.
#include "out_of_memory.h"

#include <gtest/gtest.h>

#include "sinew/c/sinew.h"

namespace sinew {
namespace {

using test::expect_out_of_memory;

SinewError error = SINEW_INIT(SinewError);

Status status_of(SinewResult result) {
  if (result == SINEW_OK) return {};
  return Error{ErrorCode(result - 1), {}};
}

/// The built-in character, baked.
class CInterfaceOutOfMemory : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(sinew_character_import(SINEW_SOURCE_DIR "/assets/character.glb", nullptr, &character_, &error), SINEW_OK);
    ASSERT_EQ(sinew_character_bake(character_, nullptr, &error), SINEW_OK);
  }
  void TearDown() override { sinew_character_destroy(character_); }

  /// The call makes a handle; a call that fails makes none.
  template <class Handle, class Make>
  Handle* make(const Make& make_handle) {
    Handle* handle = nullptr;
    expect_out_of_memory([&] { return status_of(make_handle(&handle)); },
                         [&] {
                           EXPECT_EQ(handle, nullptr);
                           EXPECT_STREQ(error.message, "out of memory");
                         });
    return handle;
  }

  uint32_t baked() const {
    SinewCharacterInfo info = SINEW_INIT(SinewCharacterInfo);
    EXPECT_EQ(sinew_character_info(character_, &info, &error), SINEW_OK);
    return info.baked;
  }

  SinewCharacter* character_ = nullptr;
};

TEST_F(CInterfaceOutOfMemory, OfPlayersAndRootTracks) {
  auto* player = make<SinewPlayer>([&](auto out) { return sinew_player_create(character_, 5, 0, out, &error); });
  expect_out_of_memory([&] { return status_of(sinew_player_resize(player, 50, &error)); });
  SinewRootTrack* track = nullptr;
  const auto extract = [&] { return sinew_character_extract_root_motion(character_, 4, 1, &track, &error); };
  expect_out_of_memory([&] { return status_of(extract()); }, [&] { EXPECT_EQ(baked(), 1u); });
  EXPECT_EQ(baked(), 0u);
  expect_out_of_memory([&] { return status_of(sinew_player_set_root_track(player, 4, track, &error)); });
  sinew_root_track_destroy(track);
  sinew_player_destroy(player);
}

TEST_F(CInterfaceOutOfMemory, OfMarkers) {
  uint32_t walk = 0;
  ASSERT_EQ(sinew_character_find_clip(character_, "walk", &walk, &error), SINEW_OK);
  const auto count = [&] {
    SinewClip clip = SINEW_INIT(SinewClip);
    EXPECT_EQ(sinew_character_clip(character_, walk, &clip, &error), SINEW_OK);
    return clip.marker_count;
  };
  const SinewMarker clap = {0.25f, "a name that is too long to be kept without the heap"};
  expect_out_of_memory([&] { return status_of(sinew_character_set_markers(character_, walk, &clap, 1, &error)); },
                       [&] { EXPECT_EQ(count(), 0u); });
  const uint32_t toe = 1;
  uint32_t before = 0;  // sorting does without its memory: such a call succeeds
  expect_out_of_memory(
      [&] {
        before = count();
        return status_of(sinew_character_add_footsteps(character_, walk, &toe, 1, SINEW_STEPS_DOWN, &error));
      },
      [&] { EXPECT_EQ(count(), before); });
}

TEST_F(CInterfaceOutOfMemory, OfSockets) {
  ASSERT_EQ(sinew_character_add_palette_entry(character_, 0, &error), SINEW_OK);
  ASSERT_EQ(sinew_character_bake(character_, nullptr, &error), SINEW_OK);
  auto* evaluator = make<SinewEvaluator>([&](auto out) { return sinew_evaluator_create(character_, out, &error); });
  SinewSocket socket;
  ASSERT_EQ(sinew_character_make_socket(character_, 0, nullptr, &socket, &error), SINEW_OK);
  expect_out_of_memory([&] { return status_of(sinew_evaluator_set_sockets(evaluator, &socket, 1, &error)); });
  sinew_evaluator_destroy(evaluator);
}

TEST_F(CInterfaceOutOfMemory, OfAttachments) {
  SinewPlannerModel described = SINEW_INIT(SinewPlannerModel);
  described.character = character_;
  SinewPlannerInfo info = SINEW_INIT(SinewPlannerInfo);
  info.model_count = 1, info.models = &described, info.without = SINEW_WITHOUT_CULLING;
  SinewPlanner* planner = nullptr;
  ASSERT_EQ(sinew_planner_create(&info, &planner, &error), SINEW_OK);
  const uint32_t socket_count = 1;
  auto* attachments = make<SinewAttachments>(
      [&](auto out) { return sinew_attachments_create(planner, &socket_count, 1, out, &error); });
  const uint32_t characters[3] = {};
  const SinewMatrix3x4 places[3] = {};
  const SinewPlayback playbacks[3] = {};
  const SinewView view = {{}, {}, 1};
  SinewInstances instances = SINEW_INIT(SinewInstances);
  instances.count = 3, instances.models = characters, instances.world_from_model = places;
  instances.playbacks = playbacks;
  SinewCrowdFrame frame = SINEW_INIT(SinewCrowdFrame);
  frame.view_count = 1, frame.views = &view;
  ASSERT_EQ(sinew_planner_plan(planner, &instances, &frame, nullptr, &error), SINEW_OK);
  SinewMatrix3x4* matrices = nullptr;
  uint64_t count = 0;
  const auto of = [&] { return sinew_attachments_of(attachments, 0, &matrices, &count, &error); };
  expect_out_of_memory([&] { return status_of(sinew_attachments_begin(attachments, nullptr, &error)); },
                       [&] { EXPECT_EQ(of(), SINEW_INVALID_ARGUMENT); });
  EXPECT_EQ(of(), SINEW_OK);
  sinew_attachments_destroy(attachments);
  sinew_planner_destroy(planner);
}

TEST_F(CInterfaceOutOfMemory, OfMeasuredCharacters) {
  const uint32_t clip = 0;
  SinewPlannerModel described = SINEW_INIT(SinewPlannerModel);
  described.character = character_, described.clips = &clip, described.clip_count = 1;
  SinewPlannerInfo info = SINEW_INIT(SinewPlannerInfo);
  info.model_count = 1, info.models = &described;
  SinewPlanner* planner = nullptr;
  ASSERT_EQ(sinew_planner_create(&info, &planner, &error), SINEW_OK);
  const auto measure = [&](auto out) { return sinew_planner_measure(planner, &described, nullptr, out, &error); };
  sinew_measured_model_destroy(make<SinewMeasuredModel>(measure));
  sinew_planner_destroy(planner);
}

}  // namespace
}  // namespace sinew
