// Labels in command buffers: their counts read as a person writes them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "renderer_fixture.h"

namespace sinew::app {
namespace {

/// Logs the program's labels while it exists; not those of the library.
class LabelLog {
 public:
  LabelLog() : real_(std::exchange(vkCmdBeginDebugUtilsLabelEXT, begin)) { current = this; }
  LabelLog(const LabelLog&) = delete;
  ~LabelLog() { vkCmdBeginDebugUtilsLabelEXT = real_; }

  std::vector<std::string> labels;

 private:
  static VKAPI_ATTR void VKAPI_CALL begin(VkCommandBuffer cmd, const VkDebugUtilsLabelEXT* label) {
    current->labels.push_back(label->pLabelName);
    current->real_(cmd, label);
  }

  static inline LabelLog* current = nullptr;
  PFN_vkCmdBeginDebugUtilsLabelEXT real_;
};

class Labels : public test::RendererTest {
 protected:
  std::vector<std::string> labels_of(uint32_t characters) {
    scene_ = make_scene(models_, characters, 1);
    RendererInfo info = small_info(64, 36);
    info.skinning.planner = {.cull = false};
    info.draw.passes = 3;
    LabelLog log;
    draw_frame(models_, info);
    return log.labels;
  }
};

TEST_F(Labels, HaveTheSingularForOneThing) {
  EXPECT_THAT(labels_of(1), ::testing::ElementsAre("frame 1", "sinew draw 1 character", "shadow map 0: 1 draw",
                                                   "ground and 1 soft shadow", "depth: 1 draw", "crowd: 1 draw"));
  EXPECT_THAT(labels_of(2), ::testing::ElementsAre("frame 1", "sinew draw 2 characters", "shadow map 0: 2 draws",
                                                   "ground and 2 soft shadows", "depth: 2 draws", "crowd: 2 draws"));
}

}  // namespace
}  // namespace sinew::app
