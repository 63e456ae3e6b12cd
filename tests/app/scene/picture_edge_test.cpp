// The default camera of each scene: no head is cut by the lower edge of its pictures. That of the stadium shows people.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "scene/camera.h"
#include "scene/exact_poses.h"
#include "scene/moving.h"
#include "scene/scenes/scenes.h"
#include "scene/stage.h"

namespace sinew::app {
namespace {

constexpr float kHeadRadius = 0.12f;  // meters, of a person of scale 1
constexpr float kNear = 16;           // meters from the eye: heads further away are not at the lower edge

/// The palette entry that moves the head, and the middle of the head's vertices.
struct Head {
  uint32_t entry = 0;
  Vec3 middle;

  explicit Head(const Character& character) {
    const int32_t joint = int32_t(find_joint(character.skeleton, "head").value());
    const auto& entries = character.skin.entries;
    entry = uint32_t(std::ranges::find(entries, joint, &PaletteEntry::joint) - entries.begin());
    Box box = kEmptyBox;
    for (uint32_t v = 0; v < character.mesh.vertex_count(); ++v) {
      const Influence first = character.mesh.influences_of(v).front();
      if (first.entry == entry && first.weight >= 0.99f) include(box, character.mesh.positions[v]);
    }
    middle = (box.low + box.high) * 0.5f;
  }
};

/// The middle of an instance's head in world space.
Vec3 head_of(const Scene& scene, const Model& model, const Head& head, uint32_t model_index, uint32_t instance) {
  const Playback playback = playback_at(model, scene.pace(instance), scene.seconds);
  const auto palette = exact_palette(model.character, model.character.skin, playback, model.masks);
  return transform_point(world_from_model(scene, model_index, instance),
                         transform_point(palette[head.entry], head.middle));
}

/// Whether a head is partly above the lower edge of a picture, and partly below it. Beside the picture it is not seen.
bool is_cut(const View& view, Vec3 middle, float radius) {
  const auto seen_at = [&](float y) { return view.clip_from_world * glm::vec4(middle.x, y, middle.z, 1); };
  const glm::vec4 top = seen_at(middle.y + radius), bottom = seen_at(middle.y - radius);
  if (top.w <= 0.05f || bottom.w <= 0.05f || std::abs(top.x) > top.w) return false;
  return top.y < top.w && bottom.y > bottom.w;
}

/// The scenes that are for looking at; the others are for measuring, and stay as they are.
std::vector<std::string> names_of_places() {
  std::vector<std::string> all;
  for (const SceneKind& kind : scene_kinds()) {
    if (kind.name != "crowd" && kind.name != "stress") all.emplace_back(kind.name);
  }
  return all;
}

class LowerEdge : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, LowerEdge, ::testing::ValuesIn(names_of_places()),
                         [](const auto& of) { return of.param; });

TEST_P(LowerEdge, CutsNoHead) {
  const std::vector<Model> models = test::our_models(GetParam());
  std::vector<Head> heads;
  for (const Model& model : models) heads.emplace_back(model.character);
  for (const uint32_t count : {40u, 100u, 300u, 1000u, 10'000u, 100'000u}) {
    Scene scene = find_scene(GetParam())->make(models, {count, 1, count == 300 ? 0.5f : 0.1f});
    uint32_t near = 0;
    for (double seconds = 0; seconds <= 10; seconds += 0.25) {
      scene.seconds = seconds;
      move_scene(seconds, {}, scene);
      const View view = view_of(frame_crowd(scene, seconds), 1280, 720);
      for (const Batch& batch : scene.batches) {
        for (uint32_t i = batch.first_instance; i < batch.first_instance + batch.instance_count; ++i) {
          const Vec3 feet = scene.positions[i];
          if (std::hypot(feet.x - view.eye.x, feet.z - view.eye.z) > kNear) continue;
          const Vec3 head = head_of(scene, models[batch.model], heads[batch.model], batch.model, i);
          ++near;
          EXPECT_FALSE(is_cut(view, head, kHeadRadius * scene.looks[i].turn.scale()))
              << count << ": instance " << i << " at " << feet.x << ", " << feet.z << " after " << seconds << " s";
        }
      }
    }
    EXPECT_GT(near, 100u) << count;
  }
}

/// More of it than grass, roof and sky do, where the stand is all around.
TEST(Stadium, PeopleFillThePicture) {
  constexpr uint32_t kColumns = 16, kRows = 9;
  const std::vector<Model> models = test::our_models("stadium");
  for (const uint32_t count : {2000u, 10'000u, 50'000u}) {
    const Scene scene = find_scene("stadium")->make(models, {count, 1});
    const View view = view_of(frame_crowd(scene), 1280, 720);
    std::set<uint32_t> cells;
    for (const Vec3 feet : scene.positions) {
      for (const float height : {0.2f, 0.6f, 1.0f}) {
        const glm::vec4 at = view.clip_from_world * glm::vec4(feet.x, feet.y + height, feet.z, 1);
        if (at.w <= 0 || std::abs(at.x) >= at.w || std::abs(at.y) >= at.w) continue;
        cells.insert(uint32_t((at.y / at.w + 1) / 2 * kRows) * kColumns + uint32_t((at.x / at.w + 1) / 2 * kColumns));
      }
    }
    EXPECT_GT(double(cells.size()) / (kColumns * kRows), 0.5) << count;
  }
}

}  // namespace
}  // namespace sinew::app
