// Vulkan calls of the program's renderer fail one by one, and the program goes on in each of three ways. The counts are
// printed. The long run: each call in each way, which takes some minutes; else the first and the last call of each
// function, in one or two of the ways.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "instances.h"
#include "long_run.h"
#include "renderer_fixture.h"
#include "volk_faults.h"

namespace sinew::app {
namespace {

using sinew::test::VolkFaults;

/// What the program does after a call has failed.
enum class Way {
  kRetry,    // the same with the same renderer
  kReplace,  // all of it with another renderer
  kDestroy,  // destroys the renderer
};
constexpr Way kWays[] = {Way::kRetry, Way::kReplace, Way::kDestroy};

struct Fault {
  VkResult result = VK_SUCCESS;
  Way way = Way::kRetry;
  int call = 0;  // the number of calls before the one that fails
};

/// What messages call the thing whose call failed. The library's messages name the function instead.
const std::map<std::string, const char*> kNouns = {
    {"vkAllocateCommandBuffers", "command buffer"},
    {"vkAllocateDescriptorSets", "descriptor set"},
    {"vkAllocateMemory", "memory"},
    {"vkBeginCommandBuffer", "recording"},
    {"vkBindBufferMemory", "buffer"},
    {"vkBindImageMemory", "image"},
    {"vkCreateBuffer", "buffer"},
    {"vkCreateBufferView", "view"},
    {"vkCreateCommandPool", "command pool"},
    {"vkCreateDescriptorPool", "descriptor pool"},
    {"vkCreateDescriptorSetLayout", "descriptor set layout"},
    {"vkCreateFence", "fence"},
    {"vkCreateFramebuffer", "framebuffer"},
    {"vkCreateGraphicsPipelines", "pipeline"},
    {"vkCreateImage", "image"},
    {"vkCreateImageView", "view"},
    {"vkCreatePipelineLayout", "pipeline layout"},
    {"vkCreateQueryPool", "query pool"},
    {"vkCreateRenderPass", "render pass"},
    {"vkCreateSampler", "sampler"},
    {"vkCreateSemaphore", "semaphore"},
    {"vkCreateShaderModule", "shader"},
    {"vkEndCommandBuffer", "recording"},
    {"vkMapMemory", "buffer"},
    {"vkQueueSubmit", "submission"},
    {"vkQueueWaitIdle", "waiting"},
    {"vkResetCommandPool", "command pool"},
    {"vkResetFences", "fence"},
    {"vkWaitForFences", "frame"},
};

/// Another kind of memory may do, and the library can do with smaller buffers.
bool has_second_choice(const std::string& function) {
  return function == "vkAllocateMemory" || function == "vkBindBufferMemory" || function == "vkCreateBuffer" ||
         function == "vkMapMemory";
}

/// A use of the renderer after which its last picture is always the same.
class Use {
 public:
  Use(const Device& device, std::span<const Model> models, Scene& scene, const RendererInfo& info)
      : device_(device), models_(models), scene_(scene), info_(info) {}

  Result<std::unique_ptr<Renderer>> create() const { return Renderer::create(device_, models_, scene_, info_); }

  /// Pages and draw lists grow from the first frame to the third. The poses of the last frames are the same, whichever
  /// of them they are updated in.
  std::vector<std::function<Status(Renderer&)>> steps() {
    std::vector<std::function<Status(Renderer&)>> steps;
    const auto draw = [&](double seconds, bool near) {
      steps.push_back([=, this](Renderer& renderer) { return draw_frame(renderer, seconds, near); });
    };
    for (int frame = 0; frame < 4; ++frame) draw(5 + 0.01 * frame, frame < 2);
    steps.push_back([this](Renderer& renderer) { return renderer.set_vertex_colors(0, colors_); });
    steps.push_back([](Renderer& renderer) { return renderer.set_coloring(Coloring::kVertices, false); });
    draw(5.05, false);
    steps.push_back([](Renderer& renderer) { return renderer.resize(48, 40); });
    draw(5.06, false);
    steps.push_back([](Renderer& renderer) { return renderer.set_samples(4); });
    for (int frame = 0; frame < 5; ++frame) draw(5.07, false);
    steps.push_back([](Renderer& renderer) { return renderer.finish(); });
    steps.push_back([this](Renderer& renderer) { return read(renderer); });
    return steps;
  }

  std::vector<uint8_t> picture;
  uint32_t not_updated = 0;  // poses of all frames that were those of the frame before
  bool shows_lines_and_overlay = false;

 private:
  Status draw_frame(Renderer& renderer, double seconds, bool near) {
    scene_.playbacks.clear();
    for (const CrowdInstance& instance : test::instances_of(scene_))
      scene_.playbacks.push_back(playback_at(models_[0], test::pace_of(instance), seconds));
    Orbit camera = frame_crowd(scene_);
    if (near) camera.distance *= 0.3f;
    FrameRequest request{.seconds = seconds, .camera = camera};
    if (shows_lines_and_overlay) request.lines = &lines_, request.overlay = &overlay_;
    if (auto begun = renderer.begin_frame(); !begun) return begun.error();
    Status drawn = renderer.draw_frame(request);
    if (drawn) not_updated += renderer.plan().counters.not_updated;
    return drawn;
  }
  Status read(Renderer& renderer) {
    auto rgba = read_picture(device_, renderer.target());
    if (!rgba) return rgba.error();
    picture = std::move(*rgba);
    return {};
  }

  const Device& device_;
  std::span<const Model> models_;
  Scene& scene_;
  RendererInfo info_;
  std::vector<uint32_t> colors_ = std::vector<uint32_t>(models_[0].mesh(0).vertex_count(), 0xff40c0ff);
  Lines lines_{{make_line({0, 0, 0}, {0, 2, 0}, line_color(0xff8000), 3)}, {make_dot({0, 1, 0}, ~0u, 5)}};
  Overlay overlay_{{{{{2, 2}}, {{20, 2}}, {{2, 20}}}, {0, 1, 2}, {{0, 0, 40, 40, 0, 3, 0}}}, {1, 1, 1, {255}}};
};

class RendererFaults : public test::RendererTest {
 protected:
  void prepare() override {
    models_.clear();
    models_.push_back(
        must(load_model(SINEW_SOURCE_DIR "/assets/character.glb", {}, {.clips = std::vector<uint32_t>{2}})));
    make_small(models_[0]);
    scene_ = make_scene(models_, 16, 1);
    faults_.emplace(context_.device.handle);
  }
  void TearDown() override {
    if (!faults_) return;
    faults_.reset();
    evaluation_.reset();
    context_.device = Device();  // the validation layers report objects that were not destroyed
    EXPECT_EQ(validation_messages(context_.instance), 0u);
  }

  /// Few vertices and texels.
  static void make_small(Model& model) {
    ASSERT_TRUE(add_levels(model));
    model.levels.erase(model.levels.begin(), model.levels.end() - 1);
    for (sinew::Image& image : model.character.images) image = {image.name, 2, 2, std::vector<uint8_t>(16, 200)};
  }

  void sweep(Use& use, const char* configuration) {
    run(use, {});
    expected_ = use.picture;
    ASSERT_FALSE(expected_.empty());
    EXPECT_GT(use.not_updated, 0u);
    if (test::is_long_run()) {
      ASSERT_NO_FATAL_FAILURE(sweep_every_call(use));
    } else {
      ASSERT_NO_FATAL_FAILURE(sweep_each_function(use));
    }
    EXPECT_GT(reported_, 0);
    std::printf("%s: fault points: %d, survived: %d, reported as errors: %d\n", configuration, points_, points_,
                reported_);
    if (!test::is_long_run()) return;
    for (const std::string& message : messages_) std::printf("  %s\n", message.c_str());
  }

 private:
  /// Memory of the host runs out where that of the device does not in the way before.
  void sweep_every_call(Use& use) {
    for (const Way way : kWays) {
      ASSERT_NO_FATAL_FAILURE(sweep_calls(use, way, {VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_OUT_OF_HOST_MEMORY}));
      ASSERT_NO_FATAL_FAILURE(sweep_calls(use, way, {VK_ERROR_DEVICE_LOST}));
    }
  }

  void sweep_calls(Use& use, Way way, const std::vector<VkResult>& results) {
    const int count = int(calls_that_may_have(use, results[0]).size());
    EXPECT_GT(count, 10);
    for (int call = 0; call < count; ++call) {
      EXPECT_TRUE(fails_at(use, {results[size_t(call + int(way)) % results.size()], way, call}));
      ASSERT_FALSE(HasFailure());
    }
  }

  std::vector<std::string> calls_that_may_have(Use& use, VkResult result) {
    faults_->failure = result, faults_->calls.clear();
    run(use, {});
    return faults_->calls;
  }

  /// The first call of a function, which may leave a renderer that is made in part, and its last call.
  void sweep_each_function(Use& use) {
    const VkResult result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    const std::vector<std::string> made = calls_that_may_have(use, result);
    std::map<std::string, std::pair<int, int>> of_function;
    for (int i = 0; i < int(made.size()); ++i) of_function.try_emplace(made[size_t(i)], i, i).first->second.second = i;
    bool retries = false;
    for (const auto& [function, calls] : of_function) {
      retries = !retries;
      const Fault faults[] = {{result, Way::kDestroy, calls.first},
                              {result, retries ? Way::kRetry : Way::kReplace, calls.second}};
      for (const Fault& fault : faults) {
        EXPECT_TRUE(fails_at(use, fault)) << function;
        ASSERT_FALSE(HasFailure());
      }
    }
  }

  /// Lets one call fail. False: there are fewer calls.
  bool fails_at(Use& use, const Fault& fault) {
    faults_->failure = fault.result, faults_->succeeding = fault.call, faults_->failed.clear();
    SCOPED_TRACE(testing::Message() << "result " << fault.result << ", way " << int(fault.way) << ", call "
                                    << fault.call);
    const bool was_reported = run(use, fault);
    const bool failed = !faults_->failed.empty();
    EXPECT_TRUE(was_reported || !failed || has_second_choice(faults_->failed)) << faults_->failed;
    faults_->succeeding = -1;
    EXPECT_EQ(faults_->live_objects(), 0) << faults_->failed;
    EXPECT_EQ(validation_messages(context_.instance), 0u) << faults_->failed;
    const bool was_destroyed = was_reported && fault.way == Way::kDestroy;
    EXPECT_EQ(use.picture, was_destroyed ? std::vector<uint8_t>() : expected_) << faults_->failed;
    points_ += failed, reported_ += was_reported;
    return failed;
  }

  /// Returns whether a call of the renderer returned an error.
  bool run(Use& use, const Fault& fault) {
    use.picture.clear();
    bool has_failed = false;
    auto renderer = use.create();
    if (!renderer) {
      has_failed = true;
      expect_error(renderer.error());
      EXPECT_EQ(faults_->live_objects(), 0) << "a renderer that could not be made";
      if (fault.way == Way::kDestroy) return true;
      renderer = use.create();
    }
    const auto steps = use.steps();
    for (size_t step = 0; renderer && step < steps.size(); ++step) {
      const Status done = steps[step](**renderer);
      if (done) continue;
      EXPECT_FALSE(has_failed) << "step " << step << ", again: " << done.error().message;
      if (std::exchange(has_failed, true)) return true;
      expect_error(done.error());
      if (fault.way == Way::kDestroy) return true;
      if (fault.way == Way::kRetry) {
        --step;
        continue;
      }
      *renderer = nullptr;
      renderer = use.create();
      step = size_t(-1);
    }
    EXPECT_TRUE(renderer) << "made again: " << (renderer ? "" : renderer.error().message);
    return has_failed;
  }

  /// One line that says what could not be made.
  void expect_error(const Error& error) {
    const bool is_lost = faults_->failure == VK_ERROR_DEVICE_LOST;
    EXPECT_EQ(error.code, is_lost ? ErrorCode::kDeviceLost : ErrorCode::kOutOfMemory) << error.message;
    EXPECT_EQ(error.vk_result, faults_->failure) << error.message;
    EXPECT_EQ(error.message.find('\n'), std::string::npos) << error.message;
    const auto noun = kNouns.find(faults_->failed);
    const bool named = noun != kNouns.end() && error.message.find(noun->second) != std::string::npos;
    EXPECT_TRUE(named || error.message.find(faults_->failed) != std::string::npos)
        << faults_->failed << " is not named: " << error.message;
    messages_.insert(faults_->failed + ": " + error.message);
  }

  std::optional<VolkFaults> faults_;
  std::vector<uint8_t> expected_;
  std::set<std::string> messages_;
  int points_ = 0, reported_ = 0;
};

TEST_F(RendererFaults, OfComputeSkinningWithShadowMaps) {
  RendererInfo info = small_info(64, 36, SkinningMode::kCompute);
  info.draw.passes = 4;
  Use use(context_.device, models_, scene_, info);
  sweep(use, "compute, 4 passes");
}

TEST_F(RendererFaults, OfSkinningInASubmissionOfItsOwn) {
  RendererInfo info = small_info(64, 36, SkinningMode::kCompute);
  info.skinning.async = AsyncCompute::kSharedQueue;
  Use use(context_.device, models_, scene_, info);
  sweep(use, "compute, two submissions");
}

TEST_F(RendererFaults, OfVertexSkinningWithLinesAndOverlay) {
  Use use(context_.device, models_, scene_, small_info(64, 36, SkinningMode::kVertex));
  use.shows_lines_and_overlay = true;
  sweep(use, "vertex, lines and overlay");
}

}  // namespace
}  // namespace sinew::app
