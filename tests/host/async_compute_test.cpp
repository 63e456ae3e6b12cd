// When compute gets a submission of its own.
#include "host/frame_slots.h"

#include <gtest/gtest.h>

namespace host {
namespace {

constexpr AsyncCompute kNone = AsyncCompute::kNone, kShared = AsyncCompute::kSharedQueue,
                       kSecond = AsyncCompute::kSecondQueue;

TEST(AsyncCompute, IsChosenIfItCanOverlapDrawing) {
  EXPECT_EQ(choose_async(AsyncChoice::kAuto, {true, true, true}), kSecond);
  EXPECT_EQ(choose_async(AsyncChoice::kAuto, {true, true, false}), kNone) << "no second queue";
  EXPECT_EQ(choose_async(AsyncChoice::kAuto, {true, false, true}), kNone) << "one frame at a time";
  EXPECT_EQ(choose_async(AsyncChoice::kOn, {true, false, true}), kSecond);
  EXPECT_EQ(choose_async(AsyncChoice::kOn, {true, true, false}), kShared);
  EXPECT_EQ(choose_async(AsyncChoice::kOn, {false, true, true}), kNone)
      << "the device does not compute before it draws";
  EXPECT_EQ(choose_async(AsyncChoice::kOff, {true, true, true}), kNone);
}

}  // namespace
}  // namespace host
