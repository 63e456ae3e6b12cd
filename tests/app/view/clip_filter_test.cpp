// The list of clips of the viewer: what a filter leaves, the neighbors in it, and the front that names share.
#include "viewer/viewer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sinew::app {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<Clip> clips_of(std::vector<std::string> names) {
  std::vector<Clip> clips;
  for (std::string& name : names) clips.emplace_back().name = std::move(name);
  return clips;
}

TEST(ClipFilter, LeavesTheClipsWhoseNamesContainIt) {
  const auto clips = clips_of({"Walk", "Run", "walk_back", "Sidewalk", "idle"});
  EXPECT_THAT(filtered_clips(clips, "walk"), ElementsAre(0, 2, 3));
  EXPECT_THAT(filtered_clips(clips, "WALK_"), ElementsAre(2));
  EXPECT_THAT(filtered_clips(clips, ""), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(filtered_clips(clips, "xyz"), IsEmpty());
  EXPECT_THAT(filtered_clips({}, ""), IsEmpty());
}

TEST(ClipFilter, NeighborsAreThoseOfTheFilter) {
  const uint32_t left[] = {2, 5, 9};
  EXPECT_EQ(neighbor(left, 5, 1), 9u);
  EXPECT_EQ(neighbor(left, 5, -1), 2u);
  EXPECT_EQ(neighbor(left, 9, 1), 2u) << "after the last comes the first";
  EXPECT_EQ(neighbor(left, 2, -1), 9u);
  EXPECT_EQ(neighbor(left, 6, 1), 9u) << "of a clip that the filter hides";
  EXPECT_EQ(neighbor(left, 6, -1), 5u);
  EXPECT_EQ(neighbor(left, 0, -1), 9u);
  EXPECT_EQ(neighbor(left, 20, 1), 2u);
}

TEST(ClipFilter, TheSharedFrontEndsAtABar) {
  EXPECT_EQ(shared_front(clips_of({"Rig|Walk", "Rig|Wave"})), 4u);
  EXPECT_EQ(shared_front(clips_of({"Rig|a|Walk", "Rig|a|Idle"})), 6u);
  EXPECT_EQ(shared_front(clips_of({"Walk", "Wave"})), 0u) << "letters that two names share by chance";
  EXPECT_EQ(shared_front(clips_of({"Rig|Walk", "Idle"})), 0u);
  EXPECT_EQ(shared_front(clips_of({"Rig|Walk", "Rig|Walk"})), 4u);
  EXPECT_EQ(shared_front(clips_of({"Rig|Walk"})), 0u) << "one name";
  EXPECT_EQ(shared_front({}), 0u);
}

}  // namespace
}  // namespace sinew::app
