// The comparison behind --validate finds what is wrong: one weight, one palette entry.
#include "crowd/report/validate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "renderer_fixture.h"

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

class Validation : public test::RendererTest {
 protected:
  void prepare() override {
    drawn_ = models_;
    scene_ = make_scene(models_, 5, 1);
  }

  /// Draws a frame of `drawn_` and compares it with `models_`.
  Comparison compare() {
    Evaluation evaluation(drawn_, 1);
    RendererInfo info;
    info.skinning = {&evaluation};
    info.samples = 1, info.width = 64, info.height = 36;
    const auto renderer = draw_frame(drawn_, info);
    return must(compare_frame(context_.device, models_, scene_, renderer->plan(), renderer->skinning(), 1));
  }

  std::vector<Model> drawn_;
};

TEST_F(Validation, PassesWhatIsRight) {
  const Comparison comparison = compare();
  EXPECT_GT(comparison.vertices.value_or(0), 0u);
  EXPECT_EQ(comparison.first_failure, "");
}

TEST_F(Validation, DetectsOneWrongWeight) {
  change_one_weight(drawn_[0].character.mesh);
  EXPECT_THAT(compare().first_failure, HasSubstr("diagonal"));
}

TEST_F(Validation, DetectsAWrongPaletteEntry) {
  drawn_[0].character.skin.entries.back().joint_from_mesh.m[0][3] += 0.01;
  EXPECT_THAT(compare().first_failure, HasSubstr("palette"));
}

}  // namespace
}  // namespace sinew::app
