// What a depth image hides: compared with pictures of spheres that are drawn pixel by pixel.
#include "sinew/crowd/occlusion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "crowd_world.h"

namespace sinew::crowd {
namespace {

constexpr uint32_t kWidth = 211, kHeight = 117;  // of the pictures: not powers of two
constexpr float kNear = 0.5f, kFar = 400;

/// A camera at `eye` that looks along -z, turned by an angle around the vertical, with a field of view of 60 degrees.
View camera(Vec3 eye, float angle, bool reversed) {
  const float f = 1.7320508f, c = std::cos(angle), s = std::sin(angle);
  const float scale = reversed ? kNear / (kFar - kNear) : kFar / (kNear - kFar);
  const float offset = (reversed ? kFar : kNear) * scale;
  const float of_eye[4][4] = {{f * kHeight / kWidth, 0, 0, 0}, {0, -f, 0, 0}, {0, 0, scale, offset}, {0, 0, -1, 0}};
  const float eye_from_world[3][3] = {{c, 0, -s}, {0, 1, 0}, {s, 0, c}};
  View view;
  view.eye = eye, view.pixels_per_radian = f * kHeight / 2;
  for (int row = 0; row < 4; ++row) {
    float at_eye = 0;
    for (int column = 0; column < 3; ++column) {
      float& m = view.clip_from_world[4 * column + row];
      m = 0;
      for (int k = 0; k < 3; ++k) m += of_eye[row][k] * eye_from_world[k][column];
      at_eye += m * std::array{eye.x, eye.y, eye.z}[size_t(column)];
    }
    view.clip_from_world[12 + row] = of_eye[row][3] - at_eye;
  }
  return view;
}

struct Ray {
  Vec3 from, along;  // `along`: one unit along the camera's axis
};

/// Through the middle of a pixel.
Ray ray_of(Vec3 eye, float angle, uint32_t x, uint32_t y) {
  const float slope = 1 / 1.7320508f * 2 / kHeight, c = std::cos(angle), s = std::sin(angle);
  const float right = (float(x) + 0.5f - kWidth / 2.0f) * slope, up = (kHeight / 2.0f - float(y) - 0.5f) * slope;
  return {eye, {c * right - s, up, -s * right - c}};
}

/// The distance along the camera's axis at which a ray enters a sphere, beyond the near plane; infinite: it does not.
double distance_to(const Ray& ray, const Sphere& sphere) {
  const Vec3 to = sphere.center - ray.from;
  const double a = double(dot(ray.along, ray.along)), b = double(dot(ray.along, to));
  const double c = double(dot(to, to)) - double(sphere.radius) * double(sphere.radius);
  const double discriminant = b * b - a * c;
  if (discriminant < 0) return std::numeric_limits<double>::infinity();
  for (const double sign : {-1.0, 1.0}) {
    const double at = (b + sign * std::sqrt(discriminant)) / a;
    if (at >= double(kNear)) return at;
  }
  return std::numeric_limits<double>::infinity();
}

/// What a camera saw.
struct Picture {
  Picture(Vec3 of_eye, float of_angle, bool is_reversed)
      : eye(of_eye), angle(of_angle), reversed(is_reversed), distances(kWidth * kHeight, kFar) {}

  void draw(const Sphere& sphere) {
    for (uint32_t i = 0; i < distances.size(); ++i)
      distances[i] = std::min(distances[i], distance_to(ray_of(eye, angle, i % kWidth, i / kWidth), sphere));
  }
  /// Of these pixels.
  void draw_wall(uint32_t left, uint32_t right, uint32_t top, uint32_t bottom, double distance) {
    for (uint32_t y = top; y < bottom; ++y)
      for (uint32_t x = left; x < right; ++x) distances[y * kWidth + x] = std::min(distances[y * kWidth + x], distance);
  }
  bool shows(const Sphere& sphere) const {
    for (uint32_t i = 0; i < distances.size(); ++i) {
      const double at = distance_to(ray_of(eye, angle, i % kWidth, i / kWidth), sphere);
      if (at < double(kFar) && at <= distances[i]) return true;
    }
    return false;
  }
  float depth_at(double distance) const {
    const double far = kFar, near = kNear;
    return float(reversed ? near * (far - distance) / (distance * (far - near))
                          : far * (distance - near) / (distance * (far - near)));
  }
  /// `depths` must outlive the image.
  DepthImage image(std::vector<float>& depths) const {
    DepthImage image{.width = kWidth, .height = kHeight};
    depths.clear();
    for (const double distance : distances) depths.push_back(depth_at(distance));
    image.depth = depths;
    image.view = camera(eye, angle, reversed), image.reversed = reversed;
    return image;
  }

  Vec3 eye;
  float angle;
  bool reversed;
  std::vector<double> distances;  // of each pixel
};

class RandomSpheres {
 public:
  explicit RandomSpheres(uint32_t seed) : random_(seed) {}
  float between(float low, float high) { return std::uniform_real_distribution<float>(low, high)(random_); }
  /// Anywhere around a camera at the origin; many cross its near plane and the border of its picture.
  Sphere next(float reach, float max_radius) {
    const Vec3 center{between(-reach, reach), between(-reach / 3, reach / 3), between(-reach, reach / 10)};
    return {center, between(0.05f, max_radius)};
  }

 private:
  std::mt19937 random_;
};

/// Spheres hide spheres. Whoever shows a pixel must stay; most of those in the picture that show none should not.
TEST(DepthPyramid, HidesNoSphereThatShowsAPixelOfRandomPictures) {
  uint32_t hidden = 0, hidden_in_sight = 0, shown = 0;
  for (uint32_t seed = 0; seed < 24; ++seed) {
    SCOPED_TRACE(seed);
    RandomSpheres random(seed);
    Picture picture({random.between(-2, 2), 1, 2}, random.between(-0.5f, 0.5f), seed % 2 == 1);
    for (int i = 0; i < 25; ++i) picture.draw(random.next(30, 6));
    std::vector<float> depths;
    DepthPyramid pyramid;
    ASSERT_TRUE(pyramid.build(picture.image(depths)));
    for (int i = 0; i < 150; ++i) {
      const Sphere sphere = random.next(100, i % 8 == 0 ? 8 : 0.8f);
      const bool is_shown = picture.shows(sphere), is_hidden = pyramid.is_hidden(sphere);
      ASSERT_FALSE(is_shown && is_hidden) << "sphere " << i;
      shown += is_shown, hidden += is_hidden;
      const Picture empty(picture.eye, picture.angle, picture.reversed);
      hidden_in_sight += !is_shown && empty.shows(sphere);
    }
  }
  EXPECT_GT(shown, 300u);
  EXPECT_GT(hidden_in_sight, 300u);
  EXPECT_GT(hidden, hidden_in_sight / 2) << "of " << hidden_in_sight;
}

/// The rectangle of a sphere is tight: a wall of exactly the pixels that the sphere touches hides it, one without the
/// outermost column or row of them does not.
TEST(DepthPyramid, NeedsThePixelsOfASphereAndNoMore) {
  for (const bool reversed : {false, true}) {
    for (int i = 0; i < 40; ++i) {
      RandomSpheres random{uint32_t(i)};
      const Sphere sphere{{random.between(-5, 5), random.between(-2, 2), -30}, random.between(0.2f, 0.45f)};
      uint32_t left = kWidth, right = 0, top = kHeight, bottom = 0;  // of the pixels in whose middle it shows
      for (uint32_t p = 0; p < kWidth * kHeight; ++p) {
        if (std::isinf(distance_to(ray_of({}, 0, p % kWidth, p / kWidth), sphere))) continue;
        left = std::min(left, p % kWidth), right = std::max(right, p % kWidth + 1);
        top = std::min(top, p / kWidth), bottom = std::max(bottom, p / kWidth + 1);
      }
      const auto hidden_by = [&](uint32_t l, uint32_t r, uint32_t t, uint32_t b, double distance) {
        Picture picture({}, 0, reversed);
        picture.draw_wall(l, r, t, b, distance);
        std::vector<float> depths;
        DepthPyramid pyramid;
        EXPECT_TRUE(pyramid.build(picture.image(depths)));
        return pyramid.is_hidden(sphere);
      };
      const double before = 29.45 - double(sphere.radius), inside = 30.05 - double(sphere.radius);
      EXPECT_TRUE(hidden_by(left - 1, right + 1, top - 1, bottom + 1, before));
      EXPECT_FALSE(hidden_by(left - 1, right + 1, top - 1, bottom + 1, inside)) << "it sticks out of the wall";
      EXPECT_FALSE(hidden_by(left + 1, right + 1, top - 1, bottom + 1, before));
      EXPECT_FALSE(hidden_by(left - 1, right - 1, top - 1, bottom + 1, before));
      EXPECT_FALSE(hidden_by(left - 1, right + 1, top + 1, bottom + 1, before));
      EXPECT_FALSE(hidden_by(left - 1, right + 1, top - 1, bottom - 1, before));
    }
  }
}

/// A wall across the whole picture.
struct Wall {
  explicit Wall(bool reversed = false, double distance = 20) : picture({}, 0, reversed) {
    picture.draw_wall(0, kWidth, 0, kHeight, distance);
    image = picture.image(depths);
  }
  bool hides(const Sphere& sphere) {
    EXPECT_TRUE(pyramid.build(image));
    return pyramid.is_hidden(sphere);
  }

  Picture picture;
  std::vector<float> depths;
  DepthImage image;
  DepthPyramid pyramid;
};

TEST(DepthPyramid, KeepsSpheresThatItDoesNotKnowAllOf) {
  for (const bool reversed : {false, true}) {
    Wall wall(reversed);
    EXPECT_TRUE(wall.hides({{0, 0, -40}, 1}));
    EXPECT_FALSE(wall.hides({{0, 0, -10}, 1})) << "before it";
    EXPECT_FALSE(wall.hides({{0, 0, -20.5f}, 1})) << "through it";
    EXPECT_FALSE(wall.hides({{0, 0, 40}, 1})) << "behind the eye";
    EXPECT_FALSE(wall.hides({{0, 0, -40}, 41})) << "around the eye";
    EXPECT_FALSE(wall.hides({{0, 0, -0.5f}, 0.1f})) << "through the near plane";
    EXPECT_FALSE(wall.hides({{0, 0, -kFar}, 1})) << "through the far plane";
    const float side = 40 / 1.7320508f;  // of the upper border at distance 40
    EXPECT_TRUE(wall.hides({{0, side - 2, -40}, 1}));
    for (const float sign : {-1.0f, 1.0f}) {
      EXPECT_FALSE(wall.hides({{0, sign * side, -40}, 1})) << "on the border";
      EXPECT_FALSE(wall.hides({{sign * side * kWidth / kHeight, 0, -40}, 1})) << "on the border";
    }
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInfinity = std::numeric_limits<float>::infinity();
    EXPECT_FALSE(wall.hides({{0, 0, -40}, kInfinity}));
    EXPECT_FALSE(wall.hides({{0, 0, -40}, kNan}));
    EXPECT_FALSE(wall.hides({{0, kNan, -40}, 1}));
    wall.depths[kWidth * (kHeight / 2) + kWidth / 2] = kNan;
    EXPECT_FALSE(wall.hides({{0, 0, -40}, 1})) << "a depth that is none hides nothing";
  }
}

TEST(DepthPyramid, GrowsSpheresByTheMargin) {
  Wall wall;
  EXPECT_TRUE(wall.hides({{0, 0, -23}, 1}));
  wall.image.margin = 1.9f;
  EXPECT_TRUE(wall.hides({{0, 0, -23}, 1}));
  wall.image.margin = 2.1f;
  EXPECT_FALSE(wall.hides({{0, 0, -23}, 1}));
}

TEST(DepthPyramid, HidesNothingWithoutAnImage) {
  Wall wall;
  const Sphere behind{{0, 0, -40}, 1};
  EXPECT_FALSE(DepthPyramid().is_hidden(behind));
  EXPECT_TRUE(wall.hides(behind));
  wall.pyramid.clear();
  EXPECT_FALSE(wall.pyramid.is_hidden(behind));
  EXPECT_TRUE(wall.hides(behind));
  for (const auto& [width, height] : {std::pair{0u, kHeight}, {kWidth, 0u}, {kWidth, kHeight - 1}, {16385u, 1u}}) {
    DepthImage wrong = wall.image;
    wrong.width = width, wrong.height = height;
    const Status built = wall.pyramid.build(wrong);
    ASSERT_FALSE(built);
    EXPECT_EQ(built.error().code, ErrorCode::kInvalidArgument);
    EXPECT_FALSE(wall.pyramid.is_hidden(behind));
  }
}

/// A view along z, of x and y from -1 to 1; the depth is z.
DepthImage flat_image(uint32_t width, uint32_t height, std::span<const float> depths, bool reversed) {
  return {.width = width, .height = height, .depth = depths, .view = {}, .reversed = reversed};
}

/// Of images of all small sizes each pixel counts, wherever it is and on whatever level it is read: behind a hole of
/// one pixel nothing is hidden.
TEST(DepthPyramid, HidesNothingBehindAHoleOfOnePixel) {
  for (uint32_t width = 1; width <= 18; ++width) {
    for (uint32_t height = 1; height <= 18; ++height) {
      std::vector<float> depths(size_t{width} * height, 0.1f);
      DepthImage image = flat_image(width, height, depths, false);
      for (int row : {2, 6, 10, 14}) image.view.clip_from_world[row] = 0;  // z changes little over a sphere
      image.view.clip_from_world[10] = 0.01f, image.view.clip_from_world[14] = 0.5f;
      const Sphere all{{}, 1};
      DepthPyramid pyramid;
      ASSERT_TRUE(pyramid.build(image));
      ASSERT_TRUE(pyramid.is_hidden(all)) << width << " x " << height;
      for (float& hole : depths) {
        hole = 1;
        ASSERT_TRUE(pyramid.build(image));
        ASSERT_FALSE(pyramid.is_hidden(all)) << width << " x " << height << ": pixel " << &hole - depths.data();
        hole = 0.1f;
      }
    }
  }
}

/// A depth image has rounded depths of what is drawn: it must not hide that itself.
TEST(DepthPyramid, DoesNotHideTheSurfaceThatItShows) {
  for (const bool reversed : {false, true}) {
    const std::vector<float> depths(16, 0.5f);
    DepthPyramid pyramid;
    ASSERT_TRUE(pyramid.build(flat_image(4, 4, depths, reversed)));
    const auto hides = [&](double behind) {  // the nearest point of a sphere is so far behind the picture
      const double radius = 0.125, z = reversed ? 0.5 - behind - radius : 0.5 + behind + radius;
      return pyramid.is_hidden({{0, 0, float(z)}, float(radius)});
    };
    EXPECT_FALSE(hides(-1e-4));
    EXPECT_FALSE(hides(0));
    EXPECT_FALSE(hides(1.2e-7)) << "a step of 24 bits";
    EXPECT_TRUE(hides(1e-6));
  }
}

/// A crowd before a camera, and a wall before half of it.
class Crowd : public ::testing::Test {
 protected:
  Crowd() {
    info_ = actor_.info();
    for (uint32_t i = 0; i < 900; ++i)
      world_.add(info_, 0, {float(i % 30) * 2 - 29, -1, -40 - 2 * float(i / 30)}, 0, 0.2f);
    picture_.draw_wall(0, kWidth / 2, 0, kHeight, 30);
    EXPECT_TRUE(pyramid_.build(picture_.image(depths_)));
  }
  PlanCounters planned(std::span<const View> views, OcclusionSource source, PlanOptions options = {},
                       std::optional<SunShadows> shadows = {}) {
    auto planner = Planner::create({&info_, 1}, options);
    EXPECT_TRUE(planner);
    EXPECT_TRUE(planner->plan(world_.instances(), {.views = views, .shadows = shadows, .occlusion = source}));
    drawn_ = planner->last().instances;
    std::sort(drawn_.begin(), drawn_.end());
    const PlanCounters& counters = planner->last().counters;
    EXPECT_EQ(counters.visible + counters.culled, world_.characters.size());
    EXPECT_LE(counters.occluded, counters.culled);
    return counters;
  }

  const test::RigActor actor_{5};
  ModelInfo info_;
  test::CrowdWorld world_{1};
  Picture picture_{{}, 0, false};
  View view_ = camera({}, 0, false);
  std::vector<float> depths_;
  DepthPyramid pyramid_;
  std::vector<uint32_t> drawn_;
};

TEST_F(Crowd, LosesExactlyThoseBehindAWall) {
  const PlanCounters without = planned({&view_, 1}, {});
  const std::vector<uint32_t> all = drawn_;
  const PlanCounters with = planned({&view_, 1}, pyramid_.source());
  EXPECT_EQ(without.occluded, 0u);
  EXPECT_EQ(with.occluded, without.visible - with.visible);
  std::vector<uint32_t> expected;
  for (const uint32_t instance : all) {
    const Sphere& sphere = world_.spheres[instance];
    // The wall ends at x = 0, up to a pixel; the picture at the left.
    const float pixel = 2.0f / kHeight / 1.7320508f * -sphere.center.z;
    if (std::abs(sphere.center.x + sphere.radius) < 2 * pixel) continue;
    const bool in_picture = sphere.center.x - sphere.radius * 1.5f > sphere.center.z / 1.7320508f * kWidth / kHeight;
    const bool behind = sphere.center.x + sphere.radius < 0 && in_picture;
    const bool is_drawn = std::binary_search(drawn_.begin(), drawn_.end(), instance);
    EXPECT_NE(behind, is_drawn) << instance;
  }
  EXPECT_GT(with.occluded, 200u);
  EXPECT_GT(with.visible, 200u);
}

TEST_F(Crowd, IsWholeWithoutCulling) {
  const PlanCounters counters = planned({&view_, 1}, pyramid_.source(), {.cull = false});
  EXPECT_EQ(counters.visible, 900u);
  EXPECT_EQ(counters.occluded, 0u);
}

TEST_F(Crowd, IsDrawnWhereAnotherViewNeedsIt) {
  const uint32_t hidden = planned({&view_, 1}, pyramid_.source()).occluded;
  const View away = camera({}, 3.14159265f, false);
  EXPECT_EQ(planned(std::array{view_, away}, pyramid_.source()).occluded, hidden);
  EXPECT_EQ(planned(std::array{view_, view_}, pyramid_.source()).occluded, 0u) << "the image is of the first view only";
  DepthImage second = picture_.image(depths_);
  second.view_index = 1;
  ASSERT_TRUE(pyramid_.build(second));
  EXPECT_EQ(planned(std::array{away, view_}, pyramid_.source()).occluded, hidden);
  EXPECT_EQ(planned({&view_, 1}, pyramid_.source()).occluded, 0u);
}

TEST_F(Crowd, KeepsThoseWhoseShadowLeavesTheWall) {
  const uint32_t hidden = planned({&view_, 1}, pyramid_.source()).occluded;
  const SunShadows noon{{0, 1, 0}, -1, 0}, from_left{{-2, 1, 0}, -1, 0}, from_before{{0, 1, 4}, -1, 0};
  const uint32_t at_noon = planned({&view_, 1}, pyramid_.source(), {}, noon).occluded;
  EXPECT_GT(at_noon, hidden * 3 / 4);
  const uint32_t to_the_right = planned({&view_, 1}, pyramid_.source(), {}, from_left).occluded;
  EXPECT_LT(to_the_right, at_noon);
  EXPECT_GT(to_the_right, hidden / 3);
  EXPECT_GT(planned({&view_, 1}, pyramid_.source(), {}, from_before).occluded, hidden / 2);
  SunShadows blurred = noon;
  blurred.margin = 100;
  EXPECT_EQ(planned({&view_, 1}, pyramid_.source(), {}, blurred).occluded, 0u);
}

TEST_F(Crowd, KeepsCharactersWithoutBounds) {
  info_.bounds = nullptr;
  EXPECT_EQ(planned({&view_, 1}, pyramid_.source()).visible, 900u);
}

}  // namespace
}  // namespace sinew::crowd
