// Which instances a view may see, and whose shadows: one instance with simple bounds, and views of small boxes whose
// contents are known.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "crowd_world.h"
#include "planned_host.h"

namespace sinew::crowd {
namespace {

using test::view_of;

constexpr float kHalfWidth = 0.3f, kHeight = 1.8f;
constexpr Box kBody{{-kHalfWidth, 0, -kHalfWidth}, {kHalfWidth, kHeight, kHalfWidth}};

View view_of_ground(float x, float y = 0) { return view_of({x, y, 0}, {0.1f, 0.1f, 0.1f}); }

/// One instance at the origin.
struct Alone {
  CharacterBounds bounds = test::bounds_like(actor().bounds, kBody);
  Matrix3x4 world_from_model{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
  Playback playback;
  Sphere extra;
  std::optional<SunShadows> shadows;
  std::optional<float> chain_margin;  // set: it has a target

  /// Whether it is drawn, with the sphere that the planner computes and with the host's, which must be the same.
  bool is_drawn(std::span<const View> views) const {
    const bool computed = is_drawn(views, std::nullopt),
               given = is_drawn(views, bounding_sphere(info(), world_from_model, extra));
    EXPECT_EQ(computed, given);
    return computed;
  }
  bool is_drawn(const View& view) const { return is_drawn(std::span(&view, 1)); }

  ModelInfo info() const {
    ModelInfo character = actor_info();
    character.bounds = &bounds;
    return character;
  }

 private:
  bool is_drawn(std::span<const View> views, std::optional<Sphere> sphere) const {
    const ModelInfo character = info();
    auto planner = Planner::create({&character, 1}, {.update_rate = false});
    EXPECT_TRUE(planner);
    constexpr uint32_t kFirst = 0;
    Instances instances{.models = {&kFirst, 1}, .world_from_model = {&world_from_model, 1}};
    instances.playbacks = {&playback, 1};
    if (extra.radius > 0) instances.extra_spheres = {&extra, 1};
    if (sphere) instances.spheres = {&*sphere, 1};
    const ChainTarget target;
    if (chain_margin) {
      EXPECT_TRUE(planner->set_chain_margin(0, *chain_margin));
      instances.targets = {&target, 1};
    }
    EXPECT_TRUE(planner->plan(instances, {.seconds = 0, .views = views, .shadows = shadows}));
    return planner->last().counters.visible == 1;
  }
};

TEST(Visibility, EndsAtTheBounds) {
  const Alone alone;
  for (const Vec3 direction : {Vec3{1, 0, 0}, Vec3{-1, 0, 0}, Vec3{0, 0, 1}, Vec3{0, 0, -1}}) {
    const auto seen_at = [&](float distance) {
      return alone.is_drawn(view_of(direction * distance + Vec3{0, 0.9f, 0}, {0.1f, 0.1f, 0.1f}));
    };
    EXPECT_TRUE(seen_at(kHalfWidth + 0.09f));
    EXPECT_FALSE(seen_at(kHalfWidth + 0.11f));
  }
  EXPECT_TRUE(alone.is_drawn(view_of({0, kHeight + 0.09f, 0}, {0.1f, 0.1f, 0.1f})));
  EXPECT_FALSE(alone.is_drawn(view_of({0, kHeight + 0.11f, 0}, {0.1f, 0.1f, 0.1f})));
  EXPECT_TRUE(alone.is_drawn(view_of({0, -0.09f, 0}, {0.1f, 0.1f, 0.1f})));
  EXPECT_FALSE(alone.is_drawn(view_of({0, -0.11f, 0}, {0.1f, 0.1f, 0.1f})));
}

TEST(Visibility, FollowsTheSizeOfAnInstance) {
  Alone alone;
  for (int i = 0; i < 3; ++i) alone.world_from_model.m[i][i] = 4;
  EXPECT_TRUE(alone.is_drawn(view_of({0, 4 * kHeight, 0}, {0.1f, 0.1f, 0.1f})));
  EXPECT_FALSE(alone.is_drawn(view_of({0, 4 * kHeight + 0.2f, 0}, {0.1f, 0.1f, 0.1f})));
}

TEST(Visibility, ATargetMakesTheSphereLargerByTheMarginOfTheChains) {
  Alone alone;
  const float radius = length(kBody.high - kBody.low) / 2;
  const auto seen_at = [&](float distance) {
    return alone.is_drawn(view_of({distance, kHeight / 2, 0}, {0.1f, 0.1f, 0.1f}));
  };
  EXPECT_FALSE(seen_at(radius - 0.1f)) << "no target: the box decides";
  alone.chain_margin = 0;
  EXPECT_TRUE(seen_at(radius + 0.09f)) << "no box is known";
  EXPECT_FALSE(seen_at(radius + 0.11f));
  alone.chain_margin = 1.5f;
  EXPECT_TRUE(seen_at(radius + 1.59f));
  EXPECT_FALSE(seen_at(radius + 1.61f));
  for (int i = 0; i < 3; ++i) alone.world_from_model.m[i][i] = 2;
  alone.world_from_model.m[1][3] = -kHeight / 2;
  EXPECT_TRUE(seen_at(2 * radius + 3.09f));
  EXPECT_FALSE(seen_at(2 * radius + 3.11f));
}

TEST(Visibility, MarginsOfChainsThatAreNoLengthsAreErrors) {
  const ModelInfo character = actor_info();
  auto planner = Planner::create({&character, 1}, {});
  ASSERT_TRUE(planner);
  for (const float margin : {-1.0f, NAN, INFINITY}) {
    EXPECT_EQ(planner->set_chain_margin(0, margin).error().message, "a margin of chains must be a length, and finite");
  }
  EXPECT_EQ(planner->set_chain_margin(1, 1).error().message, "the planner has no model 1");
  EXPECT_EQ(Planner().set_chain_margin(0, 1).error().code, ErrorCode::kInvalidArgument);
}

TEST(Visibility, FollowsTheBoundsOfWhatIsPlayed) {
  Alone alone;
  const View far = view_of({9, 1, 0}, {0.1f, 0.1f, 0.1f});
  EXPECT_FALSE(alone.is_drawn(far));
  const Box wide{{-10, 0, -10}, {10, 2, 10}};
  alone.bounds.layered = wide;
  EXPECT_FALSE(alone.is_drawn(far)) << "one clip is played";
  alone.bounds = test::bounds_like(actor().bounds, kBody);
  alone.bounds.rest = wide;
  EXPECT_TRUE(alone.is_drawn(far)) << "no clip is played";
  alone.playback.layers[0] = {0, 0, 1};
  EXPECT_FALSE(alone.is_drawn(far));
  alone.bounds.clips[0] = wide;
  EXPECT_TRUE(alone.is_drawn(far));
}

TEST(BoundingSphere, ContainsEverythingThatACharacterMayPlay) {
  const Box wide{{-10, 0, -10}, {10, 2, 10}};
  const auto radius_with = [&](auto widen) {
    Alone alone;
    widen(alone.bounds);
    return bounding_sphere(alone.info(), alone.world_from_model, {}).radius;
  };
  EXPECT_LT(radius_with([](CharacterBounds&) {}), 1.1f);
  EXPECT_GT(radius_with([&](CharacterBounds& bounds) { bounds.rest = wide; }), 14);
  EXPECT_GT(radius_with([&](CharacterBounds& bounds) { bounds.blended = wide; }), 14);
  EXPECT_GT(radius_with([&](CharacterBounds& bounds) { bounds.layered = wide; }), 14);
  EXPECT_GT(radius_with([&](CharacterBounds& bounds) { bounds.clips.back() = wide; }), 14);
}

TEST(Visibility, IncludesWhatElseIsDrawnWithAnInstance) {
  Alone alone;
  const View far = view_of({9, 1, 0}, {0.1f, 0.1f, 0.1f});
  alone.extra = {{8, 1, 0}, 0.8f};
  EXPECT_FALSE(alone.is_drawn(far));
  alone.extra.radius = 1;
  EXPECT_TRUE(alone.is_drawn(far));
}

/// A low sun: the shadow of a point is five times as long as the point is high.
TEST(Visibility, IncludesShadowsFromTheTopDownToTheLowestGround) {
  Alone alone;
  alone.shadows = {{5, 1, 0}, 0, 0};
  const float end = -5 * kHeight - kHalfWidth;
  EXPECT_TRUE(alone.is_drawn(view_of_ground(end + 0.05f)));
  EXPECT_FALSE(alone.is_drawn(view_of_ground(end - 0.15f)));
  EXPECT_FALSE(alone.is_drawn(view_of_ground(kHalfWidth + 0.15f))) << "towards the sun";
  const float lower_end = -5 * (kHeight + 2) - kHalfWidth;
  EXPECT_FALSE(alone.is_drawn(view_of_ground(lower_end + 0.05f, -2)));
  alone.shadows->lowest_ground = -2;
  EXPECT_TRUE(alone.is_drawn(view_of_ground(lower_end + 0.05f, -2)));
  EXPECT_FALSE(alone.is_drawn(view_of_ground(lower_end - 0.15f, -2)));
}

TEST(Visibility, IncludesTheMarginOfAShadow) {
  Alone alone;
  alone.shadows = {{0, 1, 0}, 0, 0};
  const View beside = view_of_ground(kHalfWidth + 1);
  EXPECT_FALSE(alone.is_drawn(beside));
  alone.shadows->margin = 0.8f;
  EXPECT_FALSE(alone.is_drawn(beside));
  alone.shadows->margin = 0.95f;
  EXPECT_TRUE(alone.is_drawn(beside));
}

TEST(Visibility, IncludesShadowsInTheFirstViewAndBodiesInAll) {
  Alone alone;
  alone.shadows = {{5, 1, 0}, 0, 0};
  const View at_shadow = view_of_ground(-6), at_body = view_of_ground(0), elsewhere = view_of_ground(20);
  EXPECT_TRUE(alone.is_drawn(std::array{at_shadow, elsewhere}));
  EXPECT_FALSE(alone.is_drawn(std::array{elsewhere, at_shadow}));
  EXPECT_TRUE(alone.is_drawn(std::array{elsewhere, at_body}));
  EXPECT_FALSE(alone.is_drawn(elsewhere));
}

}  // namespace
}  // namespace sinew::crowd
