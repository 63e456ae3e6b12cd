// The comparison behind --validate finds what is wrong: one weight, one palette entry.
#include "report/validate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "child.h"
#include "commands/graphics_context.h"
#include "render/renderer.h"

namespace sinew::app {
namespace {

using ::testing::HasSubstr;

/// Moves a tenth of a second weight to the first, in the first vertex that has two large ones.
void change_one_weight(Mesh& mesh) {
  for (uint32_t vertex = 0; vertex < mesh.vertex_count(); ++vertex) {
    const uint32_t first = mesh.first_influence[vertex];
    if (mesh.first_influence[vertex + 1] - first < 2 || mesh.influences[first].weight > 0.9f) continue;
    mesh.influences[first].weight += 0.1f * mesh.influences[first + 1].weight;
    mesh.influences[first + 1].weight *= 0.9f;
    return;
  }
  FAIL() << "no vertex with two influences";
}

class Validation : public ::testing::Test {
 protected:
  void SetUp() override {
    SINEW_SKIP_WITHOUT_DEVICE();
    CrowdOptions options;
    options.validate = true;
    ASSERT_TRUE(set_up(options, context_));
    auto model = load_model(SINEW_SOURCE_DIR "/assets/character.glb", {});
    ASSERT_TRUE(model);
    models_.push_back(std::move(*model));
    drawn_ = models_;
    scene_ = make_scene(models_, 5, 1);
  }

  /// Draws a frame of `drawn_` and compares it with `models_`.
  Comparison compare() {
    auto evaluation = Evaluation::create(drawn_, 1);
    EXPECT_TRUE(evaluation);
    RendererInfo info;
    info.skinning = {evaluation->get()};
    info.samples = 1, info.width = 64, info.height = 36;
    auto renderer = Renderer::create(context_.device, drawn_, scene_, info);
    EXPECT_TRUE(renderer);
    EXPECT_TRUE((*renderer)->begin_frame());
    EXPECT_TRUE((*renderer)->draw_frame({.seconds = 5, .camera = frame_crowd(scene_)}));
    EXPECT_TRUE((*renderer)->finish());
    const auto compared =
        compare_frame(context_.device, models_, scene_, (*renderer)->visible_set(), (*renderer)->skinning(), 1);
    EXPECT_TRUE(compared);
    return compared ? *compared : Comparison();
  }

  GraphicsContext context_;
  std::vector<Model> models_, drawn_;
  Scene scene_;
};

TEST_F(Validation, PassesWhatIsRight) {
  const Comparison comparison = compare();
  EXPECT_GT(comparison.vertices, 0u);
  EXPECT_EQ(comparison.first_failure, "");
}

TEST_F(Validation, DetectsOneWrongWeight) {
  for (Level& level : drawn_[0].levels) change_one_weight(level.mesh);
  EXPECT_THAT(compare().first_failure, HasSubstr("diagonal"));
}

TEST_F(Validation, DetectsAWrongPaletteEntry) {
  drawn_[0].character.skin.entries.back().joint_from_mesh.m[0][3] += 0.01;
  EXPECT_THAT(compare().first_failure, HasSubstr("palette"));
}

}  // namespace
}  // namespace sinew::app
