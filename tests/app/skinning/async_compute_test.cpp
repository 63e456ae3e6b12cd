// Frames in flight, with skinning in a submission of its own: the semaphore waits of the submissions, as the queues get
// them.
#include "gpu/host.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "built_in.h"
#include "child.h"
#include "long_run.h"
#include "must.h"
#include "render/renderer.h"
#include "submission_log.h"

namespace sinew::app {
namespace {

using test::Submission;

constexpr AsyncCompute kNone = AsyncCompute::kNone, kShared = AsyncCompute::kSharedQueue,
                       kSecond = AsyncCompute::kSecondQueue;

/// The two submissions of a frame.
struct Submitted {
  Submission skinning, drawing;
  std::set<VkBuffer> written, drawn;  // pages of vertices; what this frame does not update is in `drawn` only
};

/// A small crowd on a device without timestamps. On a CPU device the skinner adds barriers before timestamps, which
/// would hide missing waits.
class Frames : public ::testing::Test {
 protected:
  void SetUp() override {
    SINEW_SKIP_WITHOUT_DEVICE();
    setenv("VK_LAYER_ENABLES", "VALIDATION_CHECK_ENABLE_SYNCHRONIZATION_VALIDATION_QUEUE_SUBMIT", 1);
    auto instance = create_instance({.validate = true, .window_extensions = {}});
    if (!instance && instance.error().code == ErrorCode::kUnsupported)
      GTEST_SKIP() << "NO VALIDATION LAYERS: frames in flight were not tested here";
    ASSERT_TRUE(instance) << instance.error().message;
    instance_ = std::move(*instance);
    make_device();
    models_ = test::built_in_models();
    scene_ = make_scene(models_, 12, 1);
    evaluation_ = std::make_unique<Evaluation>(models_, 1);
    log_.emplace();
  }
  void TearDown() override { unsetenv("VK_LAYER_ENABLES"); }  // programs of later tests would inherit it
  void make_device() {
    auto info = must(choose_device(must(list_devices(instance_)), ""));
    info.timestamps = false;
    info.timestamp_bits = 0;
    if (info.second_queue) info.second_queue->timestamp_bits = 0;
    device_ = must(create_device(instance_, info));
  }

  AsyncCompute async() const { return device_.second_queue ? kSecond : kShared; }
  std::unique_ptr<Renderer> make_renderer(uint32_t frames_in_flight, AsyncCompute async) {
    RendererInfo info;
    info.skinning.evaluation = evaluation_.get();
    info.skinning.frames_in_flight = frames_in_flight;
    info.skinning.async = async;
    info.samples = 1, info.width = 64, info.height = 36;
    auto renderer = must(Renderer::create(device_, models_, scene_, info));
    log_->clear();
    return renderer;
  }
  Status draw(Renderer& renderer, uint32_t frame) {
    if (auto begun = renderer.begin_frame(); !begun) return begun.error();
    FrameRequest request;
    request.seconds = frame / 60.0;
    request.camera = frame_crowd(scene_);
    return renderer.draw_frame(request);
  }
  /// Draws enough frames to use every frame slot three times.
  std::vector<Submitted> draw_frames(uint32_t frames_in_flight) {
    const auto renderer = make_renderer(frames_in_flight, async());
    std::vector<Submitted> frames;
    for (uint32_t i = 0; i < 3 * frames_in_flight + 2; ++i) {
      EXPECT_TRUE(draw(*renderer, i));
      EXPECT_EQ(log_->submissions.size(), 2 * (i + 1));
      Submitted& frame = frames.emplace_back();
      frame.skinning = log_->submissions[2 * i], frame.drawing = log_->submissions[2 * i + 1];
      for (const GroupRange& placed : renderer->skinning().all_ranges()) {
        frame.drawn.insert(placed.range->vertices);
        if (renderer->plan().groups[placed.group].updated) frame.written.insert(placed.range->vertices);
      }
    }
    EXPECT_TRUE(renderer->finish());
    return frames;
  }

  Instance instance_;
  Device device_;
  std::vector<Model> models_;
  Scene scene_;
  std::unique_ptr<Evaluation> evaluation_;
  std::optional<test::SubmissionLog> log_;
};

/// The value of the semaphore of `other` that the submission waits for; 0 if it does not wait for it.
uint64_t waited_value(const Submission& submission, const Submission& other) {
  for (const test::Wait& wait : submission.waits) {
    if (wait.semaphore == other.signals.at(0).semaphore) return wait.value;
  }
  return 0;
}

/// Whether `frame` writes a page that `before` draws.
bool writes_pages_drawn_by(const Submitted& before, const Submitted& frame) {
  return std::any_of(frame.written.begin(), frame.written.end(),
                     [&](VkBuffer page) { return before.drawn.contains(page); });
}

/// Each frame skins on the second queue, with stages that it has, before it draws.
TEST_F(Frames, SkinAndDrawOnTheirQueues) {
  constexpr VkPipelineStageFlags kComputeQueueStages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT |
                                                       VK_PIPELINE_STAGE_TRANSFER_BIT |
                                                       VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT;
  const std::vector<Submitted> frames = draw_frames(3);
  EXPECT_NE(log_->stages[frames[0].skinning.cmd], 0u) << "the upload of the meshes has a barrier";
  for (const Submitted& frame : frames) {
    EXPECT_EQ(frame.skinning.queue, device_.second_queue ? device_.second_queue : device_.queue);
    EXPECT_EQ(frame.drawing.queue, device_.queue);
    EXPECT_EQ(frame.skinning.waits.at(0).stages & ~kComputeQueueStages, 0u);
    EXPECT_EQ(log_->stages[frame.skinning.cmd] & ~kComputeQueueStages, 0u);
    EXPECT_EQ(waited_value(frame.drawing, frame.skinning), frame.skinning.signals.at(0).value);
    EXPECT_EQ(frame.drawing.waits.at(0).stages, VkPipelineStageFlags(VK_PIPELINE_STAGE_VERTEX_INPUT_BIT));
  }
  if (!device_.second_queue)
    GTEST_SKIP() << "NO SECOND QUEUE ON THIS DEVICE: skinning that overlaps drawing was not tested";
}

/// No frame writes a page that is still drawn, or waits for more than that: it is skinned while the previous frame is
/// drawn. Submissions wait for earlier ones only.
TEST_F(Frames, WaitForThePagesThatTheyWriteAndNotForThePreviousFrame) {
  for (uint32_t frames_in_flight : {1u, 2u, 3u, 4u}) {
    SCOPED_TRACE(frames_in_flight);
    const std::vector<Submitted> frames = draw_frames(frames_in_flight);
    for (size_t i = 0; i < frames.size(); ++i) {
      for (size_t before = 0; before < i; ++before) {
        const uint64_t drawn = frames[before].drawing.signals.at(0).value;
        const bool waits = waited_value(frames[i].skinning, frames[before].drawing) >= drawn;
        EXPECT_TRUE(waits || !writes_pages_drawn_by(frames[before], frames[i])) << before << " and " << i;
        EXPECT_FALSE(waits && before + 1 == i && frames_in_flight > 2) << i;
      }
    }
    std::map<VkSemaphore, uint64_t> signaled;
    for (const Submission& submission : log_->submissions) {
      for (const test::Wait& wait : submission.waits) EXPECT_LE(wait.value, signaled[wait.semaphore]);
      for (const test::Signal& signal : submission.signals) {
        EXPECT_GT(signal.value, signaled[signal.semaphore]);
        signaled[signal.semaphore] = signal.value;
      }
    }
  }
  EXPECT_EQ(validation_messages(instance_), 0u);
}

TEST_F(Frames, AreInFlightInAllFrameSlots) {
  for (const AsyncCompute how : {kNone, async()}) {
    for (uint32_t frames_in_flight : test::some_of({1u, 3u, 2u, 4u}, 2)) {
      const auto renderer = make_renderer(frames_in_flight, how);
      for (uint32_t i = 0; i < 2 * frames_in_flight + 1; ++i) EXPECT_TRUE(draw(*renderer, i));
      EXPECT_EQ(log_->max_in_flight, frames_in_flight) << name_of(how);
      EXPECT_TRUE(renderer->finish());
      EXPECT_EQ(renderer->take_times().size(), 2 * frames_in_flight + 1);
    }
  }
}

TEST_F(Frames, LaterOnesAreDrawnAfterAFailedSubmission) {
  for (int succeeding = 4; succeeding < 8; ++succeeding) {
    const auto renderer = make_renderer(2, async());
    log_->succeeding = succeeding;
    uint32_t failed = 0;
    for (uint32_t i = 0; i < 8; ++i) failed += !draw(*renderer, i);
    EXPECT_EQ(failed, 1u) << "later frames are not drawn, though the slot is free";
    EXPECT_TRUE(renderer->finish());
  }
  EXPECT_EQ(validation_messages(instance_), 0u);
}

TEST_F(Frames, AllowChangesBetweenThem) {
  const auto renderer = make_renderer(3, async());
  uint32_t frame = 0;
  const auto draw_some = [&] {
    for (uint32_t i = 0; i < 4; ++i) EXPECT_TRUE(draw(*renderer, frame++));
  };
  draw_some();
  EXPECT_TRUE(renderer->resize(48, 48));
  draw_some();
  EXPECT_TRUE(renderer->set_samples(4));
  draw_some();
  auto words = std::make_shared<ShaderWords>(builtin_shaders());
  for (const Shader shader : {Shader::kSkin, Shader::kCrowdVertex})
    (*words)[size_t(shader)] = must(compile_shader(shader));
  EXPECT_TRUE(renderer->set_shaders(words));
  draw_some();
  EXPECT_TRUE(renderer->finish());
  EXPECT_EQ(validation_messages(instance_), 0u);
}

TEST_F(Frames, WithoutSemaphoreWaitsAreReportedByValidation) {
  log_->without_waits = true;
  draw_frames(3);
  EXPECT_GT(validation_messages(instance_), 0u);
}

}  // namespace
}  // namespace sinew::app
