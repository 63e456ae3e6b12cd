// Our own character says the same in every format it is exported to.
#include <gtest/gtest.h>

#include <filesystem>

#include "posing.h"
#include "sinew/import.h"

namespace sinew::test {
namespace {

/// In metres, y up, z front.
std::vector<Vec3> upright(const ModelSpace& space, const std::vector<Vec3>& positions) {
  const Vec3 right = cross(space.up, space.front);
  std::vector<Vec3> result;
  for (const Vec3 p : positions) {
    result.push_back(Vec3{dot(p, right), dot(p, space.up), dot(p, space.front)} * space.meters_per_unit);
  }
  return result;
}

/// The clip whose name ends like this: formats put the armature's name, or another clip's, before it.
int clip_ending_in(const Character& character, const std::string& name) {
  for (size_t i = 0; i < character.clips.size(); ++i) {
    if (character.clips[i].name.ends_with(name)) return int(i);
  }
  return -1;
}

float to_nearest(Vec3 point, const std::vector<Vec3>& positions) {
  float nearest = INFINITY;
  for (const Vec3 p : positions) nearest = std::min(nearest, length(p - point));
  return nearest;
}

Vec2 mean_uv(const Mesh& mesh) {
  Vec2 sum;
  for (const Vec2 uv : mesh.uvs) sum = {sum.x + uv.x, sum.y + uv.y};
  return {sum.x / float(mesh.vertex_count()), sum.y / float(mesh.vertex_count())};
}

class FormatsTest : public ::testing::TestWithParam<const char*> {};

TEST_P(FormatsTest, OurCharacterIsTheSameAsInGltf) {
  const std::string stem = std::string(SINEW_SOURCE_DIR) + "/assets/character.";
  const Result<Character> gltf = load_character(stem + "glb"), other = load_character(stem + GetParam());
  ASSERT_TRUE(gltf) << gltf.error().message;
  ASSERT_TRUE(other) << other.error().message;
  EXPECT_EQ(gltf->images.size(), other->images.size());
  EXPECT_EQ(gltf->mesh.vertex_count(), other->mesh.vertex_count());
  EXPECT_NEAR(mean_uv(gltf->mesh).x, mean_uv(other->mesh).x, 1e-3f);
  EXPECT_NEAR(mean_uv(gltf->mesh).y, mean_uv(other->mesh).y, 1e-3f);
  ASSERT_FALSE(gltf->clips.empty());
  for (size_t i = 0; i < gltf->clips.size(); ++i) {
    const Clip& clip = gltf->clips[i];
    const int same = clip_ending_in(*other, clip.name);
    ASSERT_GE(same, 0) << clip.name;
    const float time = std::round(0.3f * clip.end_seconds * 30) / 30;  // at a frame
    const auto a = upright(gltf->space, pose(*gltf, int(i), time).positions);
    const auto b = upright(other->space, pose(*other, same, time).positions);
    float farthest = 0;
    for (size_t v = 0; v < a.size(); v += 17) farthest = std::max(farthest, to_nearest(a[v], b));
    EXPECT_LT(farthest, 2e-5f) << "metres, " << clip.name << " at " << time << " s";
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, FormatsTest, ::testing::Values("fbx", "dae"));

}  // namespace
}  // namespace sinew::test
