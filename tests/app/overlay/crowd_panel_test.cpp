// The panel of `sinew crowd --window`, used through Dear ImGui without a window: each control sets what it says.
#include "crowd/panel.h"

#include <gmock/gmock.h>
#include <imgui.h>

#include <cstdlib>

#include "controls.h"
#include "renderer_fixture.h"
#include "window/interface.h"

namespace sinew::app::test {
namespace {

class CrowdPanel : public RendererTest {
 protected:
  void prepare() override {
    setenv("SINEW_CONTROLS", controls_file().c_str(), 1);
    ASSERT_TRUE(add_levels(models_[0]));
    scene_ = make_scene(models_, 12, 1);
    renderer_ = draw_frame(models_, small_info(320, 240));
    for (int i = 0; i < 300; ++i) times_.frames.push(10 + i % 5);
    for (const FrameTimes& frame : renderer_->take_times()) times_.add_stages(frame, {});
  }

  void open(float scale, uint32_t width, uint32_t height) {
    interface_.emplace(scale);
    width_ = width, height_ = height;
    ImGui::GetIO().MousePos = {-1, -1};
    for (int i = 0; i < 3; ++i) frame();  // Dear ImGui needs some to find sizes
  }

  /// One frame of the panel.
  const Overlay& frame() {
    interface_->begin(width_, height_);
    draw_crowd_panels({*renderer_, times_, budget_, 8, can_draw_wireframe_, message_, problem_, picked_},
                      interface_->scale(), switches_);
    return interface_->end();
  }

  void click(const std::string& name) {
    const auto all = controls_in(controls_file());
    ASSERT_TRUE(all.contains(name)) << name;
    const Area area = all.at(name);
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = {float(area.left + area.right) / 2, float(area.top + area.bottom) / 2};
    for (const bool down : {false, true, false}) {
      io.MouseDown[0] = down;
      frame();
    }
    frame();
  }

  template <class Value>
  void expect_choices(const std::string& name, std::initializer_list<std::pair<const char*, Value>> words,
                      const Value& value) {
    for (const auto& [word, wanted] : words) {
      click(name + " " + word);
      EXPECT_EQ(value, wanted) << name << " " << word;
    }
  }

  std::unique_ptr<Renderer> renderer_;
  std::optional<Interface> interface_;
  uint32_t width_ = 0, height_ = 0;
  TimeHistory times_;
  CrowdSwitches switches_;
  uint64_t budget_ = 0;
  bool can_draw_wireframe_ = true;
  std::string message_, problem_;
  std::vector<std::pair<std::string, std::string>> picked_;
};

TEST_F(CrowdPanel, EachChoiceSetsItsValue) {
  open(1, 800, 1400);
  using enum SkinningMode;
  using enum Coloring;
  expect_choices("characters",
                 {{"10", 10u},
                  {"100", 100},
                  {"1k", 1000},
                  {"2k", 2000},
                  {"5k", 5000},
                  {"10k", 10'000},
                  {"20k", 20'000},
                  {"50k", 50'000},
                  {"100k", 100'000}},
                 switches_.characters);
  expect_choices("skinning", {{"vertex", kVertex}, {"cpu", kCpu}, {"compute", kCompute}}, switches_.skinning);
  expect_choices("shared poses", {{"256", 256u}, {"1k", 1000}, {"4k", 4000}, {"off", 0}},
                 switches_.optimizations.unique_poses);
  expect_choices("passes", {{"6", 6u}, {"5", 5}, {"4", 4}, {"3", 3}, {"2", 2}, {"1", 1}}, switches_.draw.passes);
  expect_choices("colors",
                 {{"level", kLevel}, {"update group", kUpdateGroup}, {"influences", kVertices}, {"lit", kLit}},
                 switches_.draw.coloring);
}

TEST_F(CrowdPanel, EachCheckBoxTurnsOneThingOnAndOff) {
  open(1, 800, 1400);
  const std::pair<const char*, bool*> kBoxes[] = {{"culling", &switches_.optimizations.cull},
                                                  {"levels of detail", &switches_.optimizations.levels},
                                                  {"update rate", &switches_.optimizations.update_rate},
                                                  {"wireframe", &switches_.draw.wireframe},
                                                  {"bones", &switches_.bones},
                                                  {"pause", &switches_.paused},
                                                  {"orbit", &switches_.orbiting},
                                                  {"freeze the visible set", &switches_.frozen}};
  for (const auto& [name, value] : kBoxes) {
    const bool before = *value;
    click(name);
    EXPECT_EQ(*value, !before) << name;
    click(name);
    EXPECT_EQ(*value, before) << name;
  }
}

TEST_F(CrowdPanel, OffersNothingThatTheDeviceOrTheColorsExclude) {
  can_draw_wireframe_ = false;
  switches_.draw.coloring = Coloring::kVelocity;
  open(1, 800, 1400);
  click("wireframe");
  EXPECT_FALSE(switches_.draw.wireframe);
  const auto all = controls_in(controls_file());
  for (const char* name : {"colors lit", "colors level", "skinning vertex"}) EXPECT_FALSE(all.contains(name)) << name;
}

TEST_F(CrowdPanel, NothingThatComesMovesAControl) {
  open(1, 800, 600);
  auto before = controls_in(controls_file());
  message_ = "--memory-budget 1: 4 MiB are needed for the 200 in sight";
  problem_ = "crowd.frag:3: error: 'colr' : undeclared identifier";
  picked_ = {{"person", "7: farmer"}, {"walk", "0.50 s, weight 1.00"}};
  for (int i = 0; i < 3; ++i) frame();
  auto after = controls_in(controls_file());
  for (const char* name : {"message", "problem", "panel ##message", "follow", "panel person"})
    EXPECT_EQ(after.erase(name), 1u) << name;
  for (const auto& [name, area] : before) EXPECT_EQ(after[name].top, area.top) << name;
  EXPECT_EQ(after.size(), before.size());
}

TEST_F(CrowdPanel, OfASmallPictureIsATitle) {
  picked_ = {{"person", "7: farmer"}};
  open(1, 800, 600);
  EXPECT_TRUE(controls_in(controls_file()).contains("frame graph") && controls_in(controls_file()).contains("follow"));
  for (const auto& [width, height] : {std::pair(300u, 200u), {1u, 1u}, {719u, 600u}, {800u, 359u}}) {
    width_ = 800, height_ = 600;
    frame();
    width_ = width, height_ = height;
    for (int i = 0; i < 2; ++i) frame();
    for (const auto& [name, area] : controls_in(controls_file()))
      EXPECT_TRUE(name.starts_with("panel ")) << width << ": " << name;
  }
  EXPECT_EQ(controls_in(controls_file()).size(), 2u);
  width_ = 720, height_ = 360;
  for (int i = 0; i < 2; ++i) frame();
  EXPECT_TRUE(controls_in(controls_file()).contains("frame graph") && controls_in(controls_file()).contains("follow"))
      << "as it was";
}

/// The built-in font is 7 pixels wide at a scale of 1.
TEST_F(CrowdPanel, FitsIntoThePictureAtEachScale) {
  budget_ = 64 << 20;
  for (const float scale : {1.0f, 2.0f}) {
    const uint32_t width = uint32_t(800 * scale), height = uint32_t(600 * scale);
    open(scale, width, height);
    const Overlay& overlay = frame();
    for (const OverlayVertex& vertex : overlay.lists.vertices) {
      EXPECT_LE(vertex.position[0], 316 * scale);
      if (HasFailure()) break;
    }
    for (const OverlayDraw& draw : overlay.lists.draws) {
      EXPECT_LE(draw.x + int32_t(draw.width), int32_t(width));
      EXPECT_LE(draw.y + int32_t(draw.height), int32_t(height));
    }
    for (const auto& [name, area] : controls_in(controls_file())) {
      EXPECT_GE(area.left, 8 * scale) << name;
      EXPECT_LE(area.right, 308 * scale) << name;
      const size_t space = name.rfind(' ');
      const bool button = area.bottom - area.top < 20 * scale && area.right - area.left < 100 * scale;
      if (!button || space == std::string::npos) continue;
      EXPECT_GE(area.right - area.left, 7 * scale * float(name.size() - space - 1)) << name << " is cut off";
    }
    interface_.reset();
  }
}

}  // namespace
}  // namespace sinew::app::test
