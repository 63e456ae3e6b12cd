// The memory budget: which quality limits it reduces, in which order, and when it refuses the crowd.
#include "crowd/budget.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "child.h"
#include "skinning/skinning.h"

namespace sinew::app {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

std::vector<Model> built_in() {
  std::vector<Model> models;
  auto model = load_model(SINEW_SOURCE_DIR "/assets/character.glb", {});
  EXPECT_TRUE(model);
  models.push_back(std::move(*model));
  EXPECT_TRUE(add_levels(models[0]));
  return models;
}

TEST(Budget, ReducesLevelsThenPosesThenNothing) {
  QualityLimits limits;
  std::vector<float> pixels;
  std::vector<uint32_t> poses;
  while (const auto next = reduced(limits, true)) {
    EXPECT_TRUE(next->error_pixels > limits.error_pixels || limits.error_pixels == 64);
    EXPECT_EQ(next->error_pixels < 64 ? next->unique_poses : 0, 0u) << "poses are reduced before levels";
    limits = *next;
    (limits.unique_poses ? poses.push_back(limits.unique_poses) : pixels.push_back(limits.error_pixels));
  }
  EXPECT_EQ(pixels, (std::vector<float>{2, 4, 8, 16, 32, 64}));
  EXPECT_EQ(poses, (std::vector<uint32_t>{4096, 2048, 1024, 512, 256}));
  EXPECT_EQ(reduced({1, 800}, false)->error_pixels, 1) << "there are no levels to reduce";
  EXPECT_EQ(reduced({1, 800}, false)->unique_poses, 400u) << "starts from the given number of poses";
  EXPECT_FALSE(reduced({64, 5}, true)) << "fewer poses than any budget leaves";
}

struct Fitted {
  bool fits = false;
  QualityLimits limits;
  uint64_t needed = 0;
  std::string message;
};

class BudgetOfACrowd : public ::testing::Test {
 protected:
  BudgetOfACrowd() : models_(built_in()), scene_(make_scene(models_, 2000, 3)) {}

  View view() const { return view_of(frame_crowd(scene_), 1280, 720); }
  Fitted fit(uint64_t bytes) {
    VisibilityPass visibility_pass(models_, scene_, {.cull = false}, pool_);
    Budget budget(models_, {.bytes = bytes});
    const Status status = budget.fit(visibility_pass, view(), 20);
    if (status) {
      EXPECT_LE(needed_bytes(models_, visibility_pass.last(), {.bytes = bytes}), bytes);
      EXPECT_EQ(visibility_pass.last().counters.visible, 2000u) << "the budget may not remove instances";
    }
    return {bool(status), visibility_pass.limits(), budget.max_needed(), status ? "" : status.error().message};
  }

  std::vector<Model> models_;
  Scene scene_;
  ThreadPool pool_{1};
};

TEST_F(BudgetOfACrowd, ReducesMoreTheSmallerItIs) {
  Fitted last = fit(uint64_t(1) << 40);  // no limit is reduced
  ASSERT_TRUE(last.fits);
  EXPECT_EQ(last.limits.error_pixels, 1);
  EXPECT_EQ(last.limits.unique_poses, 0u);
  uint32_t coarser = 0, fewer_poses = 0;
  for (Fitted now = fit(last.needed - 1); now.fits; now = fit(last.needed - 1)) {
    EXPECT_LT(now.needed, last.needed);
    EXPECT_GE(now.limits.error_pixels, last.limits.error_pixels);
    EXPECT_TRUE(now.limits.unique_poses == 0 || now.limits.error_pixels == 64);
    coarser += now.limits.error_pixels > last.limits.error_pixels;
    fewer_poses += now.limits.unique_poses != last.limits.unique_poses;
    last = now;
  }
  EXPECT_GE(coarser, 3u);
  EXPECT_GE(fewer_poses, 2u);
  const std::string message = fit(last.needed - 1).message;
  EXPECT_THAT(message, HasSubstr("--memory-budget"));
  EXPECT_THAT(message, HasSubstr("MiB are needed for the 2000 in sight"));
}

TEST_F(BudgetOfACrowd, ReducedLimitsStayReduced) {
  const uint64_t all = fit(uint64_t(1) << 40).needed;
  VisibilityPass visibility_pass(models_, scene_, {.cull = false}, pool_);
  Budget budget(models_, {.bytes = all / 2});
  ASSERT_TRUE(budget.fit(visibility_pass, view(), 20));
  const QualityLimits limits = visibility_pass.limits();
  EXPECT_GT(limits.error_pixels, 1);
  const View distant = view_of({{}, 0, 0.3f, 5000}, 1280, 720);
  ASSERT_TRUE(budget.fit(visibility_pass, distant, 21));
  EXPECT_EQ(visibility_pass.limits().error_pixels, limits.error_pixels);
  EXPECT_GE(budget.max_needed(), needed_bytes(models_, visibility_pass.last(), {}))
      << "max_needed() is not that of the largest frame";
}

TEST_F(BudgetOfACrowd, CountsWhatEachSkinningModeKeeps) {
  VisibilityPass visibility_pass(models_, scene_, {.cull = false, .levels = false}, pool_);
  const VisibleSet& visible_set = visibility_pass.compute(view(), 20);
  // Bytes of pages, without the half that needed_bytes() adds for growth.
  const auto pages = [&](SkinningMode mode, uint32_t frames_in_flight, AsyncCompute async = AsyncCompute::kNone) {
    SkinningInfo skinning{.mode = mode, .frames_in_flight = frames_in_flight};
    skinning.async = async;
    const KeptFrames kept = properties_of(skinning).kept;
    const BudgetInfo info{1, kept.palettes, kept.vertices};
    return (needed_bytes(models_, visible_set, info) - needed_bytes(models_, VisibleSet(), info)) * 2 / 3;
  };
  const uint64_t palettes = 2000 * uint64_t((models_[0].character.skin.palette_size() + 3) / 4) * 192;
  const uint64_t vertices = 2000 * uint64_t(models_[0].character.mesh.vertex_count()) * 16;
  EXPECT_EQ(pages(SkinningMode::kCompute, 3), 3 * palettes + vertices);
  EXPECT_EQ(pages(SkinningMode::kCompute, 3, AsyncCompute::kSharedQueue), 3 * palettes + 2 * vertices);
  EXPECT_EQ(pages(SkinningMode::kCompute, 3, AsyncCompute::kSecondQueue), 3 * palettes + 2 * vertices);
  EXPECT_EQ(pages(SkinningMode::kVertex, 3), 3 * palettes);
  EXPECT_EQ(pages(SkinningMode::kCpu, 3), palettes + 3 * vertices);
}

class BudgetOption : public ::testing::Test {
 protected:
  void SetUp() override { SINEW_SKIP_WITHOUT_DEVICE(); }
  test::Outcome crowd(const test::Folder& folder, const char* count, const char* budget,
                      const std::string& skinning = "compute") {
    return test::sinew({"crowd", "--characters", count, "--frames", "6", "--warmup", "0", "--size", "320x180",
                        "--skinning", skinning, "--memory-budget", budget, "--json", folder.path("crowd.json")});
  }
};

TEST_F(BudgetOption, CoversTheDeviceMemoryInUse) {
  const test::Folder folder;
  const test::Outcome outcome = crowd(folder, "300", "5", "compute,vertex,cpu");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json runs = Json::parse(test::read(folder.path("crowd.json")))["runs"];
  for (const Json& run : runs) {
    EXPECT_LE(run["held_bytes"], run["budget"]["needed_bytes"]) << run["skinning"];
    EXPECT_GE(run["held_bytes"], run["palette_bytes"].get<uint64_t>() + run["skinned_bytes"].get<uint64_t>());
    EXPECT_LE(run["budget"]["needed_bytes"], run["budget"]["bytes"]);
  }
  EXPECT_EQ(runs[0]["budget"]["lod_pixels"], 64);
  EXPECT_GT(runs[0]["unique_poses"], 0);
  EXPECT_GT(runs[0]["shared_poses"], 0);
  EXPECT_THAT(outcome.out, HasSubstr("levels of detail within 64 pixels"));
}

TEST_F(BudgetOption, TooSmallForOneCharacterIsRefused) {
  const test::Folder folder;
  const test::Outcome outcome = crowd(folder, "1", "0.1");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("--memory-budget 0.1"));
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_TRUE(folder.files().empty());
}

}  // namespace
}  // namespace sinew::app
