// Who reads what was skinned, and who waits for whom. Barriers validation is the judge, so the tests also show
// that it does complain where a barrier is missing.
#include "vulkan/skinner_fixture.h"
#include "vulkan/vertex_reader.h"

namespace sinew::test {
namespace {

using Counts = std::vector<TestCrowd::Count>;
using vulkan::Barriers;

constexpr uint32_t kVertices = 100, kInstances = 4;
constexpr VkDeviceSize kBytes = VkDeviceSize{kVertices} * kInstances * 16;

class Synchronized : public SkinnerTest {
 protected:
  void SetUp() override {
    make_device({.across_submits = across_submits_});
    if (device_ == nullptr) return;
    copy_ = device_->make_buffer(kBytes, VK_BUFFER_USAGE_TRANSFER_DST_BIT, true);
    reader_ = std::make_unique<VertexReader>(*device_);
  }
  void TearDown() override {
    reader_.reset();
    if (device_ != nullptr) device_->free_buffer(copy_);
    SkinnerTest::TearDown();
  }

  vulkan::SkinnerInfo released_to(vulkan::Consumers consumers) const {
    auto info = skinner_info();
    info.barriers = Barriers::kLibrary;
    info.consumers = consumers;
    return info;
  }

  void copy_out(VkCommandBuffer cmd, const vulkan::InstanceRange& range) const {
    const VkBufferCopy region = {range.vertices_offset, 0, kBytes};
    device_->vk.CmdCopyBuffer(cmd, range.vertices, copy_.handle, 1, &region);
  }
  void draw(VkCommandBuffer cmd, const vulkan::InstanceRange& range) const {
    reader_->draw(cmd, range.vertices, range.vertices_offset, kVertices * kInstances);
  }
  void barrier(VkCommandBuffer cmd, const vulkan::Consumers& from, const vulkan::Consumers& to) const {
    const VkMemoryBarrier memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = from.accesses, .dstAccessMask = to.accesses};
    device_->vk.CmdPipelineBarrier(cmd, from.stages, to.stages, 0, 1, &memory, 0, nullptr, 0, nullptr);
  }
  /// Two frames of one crowd in one command buffer, each consumed.
  template <class Consume>
  void run_two_frames(const vulkan::SkinnerInfo& info, const Consume& consume) {
    auto skinner = make_skinner(info);
    TestCrowd crowd(*device_, skinner);
    crowd.add({.vertices = kVertices});
    device_->slice([&](VkCommandBuffer cmd) {
      for (uint32_t i = 0; i < 2; ++i) {
        crowd.prepare({i + 1, i, 0}, Counts{{0, kInstances}});
        skinner.record(cmd);
        consume(cmd, skinner.ranges()[0]);
      }
    });
  }
  void expect_message(const char* hazard) {
    const auto messages = device_->take_messages();
    ASSERT_FALSE(messages.empty()) << "validation did not see the missing barrier";
    EXPECT_NE(messages[0].find(hazard), std::string::npos) << messages[0];
  }

  bool across_submits_ = false;
  TestBuffer copy_;
  std::unique_ptr<VertexReader> reader_;
};

TEST_F(Synchronized, ReleasesToVertexInput) {
  run_two_frames(released_to(vulkan::kVertexInput),
                 [&](VkCommandBuffer cmd, const vulkan::InstanceRange& range) { draw(cmd, range); });
}

TEST_F(Synchronized, ReleasesToACopy) {
  run_two_frames(released_to(vulkan::kTransferRead), [&](VkCommandBuffer cmd, const vulkan::InstanceRange& range) {
    copy_out(cmd, range);
    barrier(cmd, {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT},  // of the copy's own target
            {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT});
  });
}

TEST_F(Synchronized, ReleasesToSeveralConsumers) {
  run_two_frames(released_to(vulkan::kTransferRead | vulkan::kVertexInput),
                 [&](VkCommandBuffer cmd, const vulkan::InstanceRange& range) {
                   draw(cmd, range);
                   copy_out(cmd, range);
                   barrier(cmd, {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT},
                           {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT});
                 });
}

TEST_F(Synchronized, ReleasesThePreviousFrameToo) {
  auto info = released_to(vulkan::kVertexInput);
  info.keep_previous = true;
  auto skinner = make_skinner(info);
  TestCrowd crowd(*device_, skinner);
  crowd.add({.vertices = kVertices});
  device_->slice([&](VkCommandBuffer cmd) {
    for (uint32_t i = 0; i < 2; ++i) {
      crowd.prepare({i + 1, i, 0}, Counts{{0, kInstances}});
      skinner.record(cmd);
      const vulkan::InstanceRange& range = skinner.ranges()[0];
      draw(cmd, range);
      reader_->draw(cmd, range.previous_vertices, range.previous_vertices_offset, kVertices * kInstances);
    }
  });
}

TEST_F(Synchronized, UploadsBesideMeshesInUse) {
  auto info = released_to(vulkan::kVertexInput);
  info.frames_in_flight = 3;
  auto skinner = make_skinner(info);
  TestCrowd crowd(*device_, skinner);
  device_->slice([&](VkCommandBuffer cmd) {
    for (uint32_t i = 0; i < 3; ++i) {
      crowd.add({.vertices = kVertices, .seed = i});
      crowd.prepare({i + 1, i, 0}, Counts{{0, kInstances}, {i, kInstances}});
      skinner.record(cmd);
      draw(cmd, skinner.ranges()[0]);
    }
  });
}

TEST_F(Synchronized, LeavesExternalBarriersToTheHost) {
  run_two_frames(skinner_info(), [&](VkCommandBuffer cmd, const vulkan::InstanceRange& range) {
    barrier(cmd, {vulkan::kWriteStage, vulkan::kWriteAccess}, vulkan::kVertexInput);
    draw(cmd, range);
    barrier(cmd, vulkan::kVertexInput, {vulkan::kWriteStage, vulkan::kWriteAccess});
  });
}

/// A host with a queue for skinning: each frame is skinned in one submission and drawn in another, and the last frame's
/// vertices are kept, so that a frame may be skinned while the last is drawn.
class SubmittedApart : public Synchronized {
 protected:
  void SetUp() override {
    across_submits_ = true;
    Synchronized::SetUp();
  }

  void run_frames(bool drawing_waits, bool skinning_waits) {
    auto info = skinner_info();
    info.keep_previous = true;
    info.frames_in_flight = 4;
    auto skinner = make_skinner(info);
    TestCrowd crowd(*device_, skinner);
    crowd.add({.vertices = kVertices});
    std::vector<VkSemaphore> drawn;
    for (uint32_t i = 0; i < 4; ++i) {
      crowd.prepare({i + 1, i, 0}, Counts{{0, kInstances}});
      const VkSemaphore skinned = device_->make_semaphore();
      TestOrder skinning{{}, vulkan::kWriteStage, skinned}, drawing{{}, vulkan::kVertexInput.stages, {}};
      if (skinning_waits && i >= 2) skinning.waits = {drawn[i - 2]};
      if (drawing_waits) drawing.waits = {skinned};
      drawn.push_back(drawing.signal = device_->make_semaphore());
      device_->submit([&](VkCommandBuffer cmd) { skinner.record(cmd); }, skinning);
      device_->submit([&](VkCommandBuffer cmd) { draw(cmd, skinner.ranges()[0]); }, drawing);
    }
    device_->finish();
    crowd.expect_frame(4);
  }
};

TEST_F(SubmittedApart, NeedsNothingButTheSemaphores) { run_frames(true, true); }

TEST_F(SubmittedApart, IsMissedByValidationWhereDrawingDoesNotWait) {
  run_frames(false, true);
  expect_message("SYNC-HAZARD-READ-AFTER-WRITE");
}

TEST_F(SubmittedApart, IsMissedByValidationWhereSkinningDoesNotWait) {
  run_frames(true, false);
  expect_message("SYNC-HAZARD-WRITE-AFTER");
}

TEST_F(Synchronized, IsMissedByValidationBeforeADraw) {
  run_two_frames(skinner_info(), [&](VkCommandBuffer cmd, const vulkan::InstanceRange& range) { draw(cmd, range); });
  expect_message("SYNC-HAZARD-READ-AFTER-WRITE");
}

TEST_F(Synchronized, IsMissedByValidationBeforeACopy) {
  run_two_frames(skinner_info(),
                 [&](VkCommandBuffer cmd, const vulkan::InstanceRange& range) { copy_out(cmd, range); });
  expect_message("SYNC-HAZARD-READ-AFTER-WRITE");
}

TEST_F(Synchronized, IsMissedByValidationBeforePagesAreOverwritten) {
  run_two_frames(skinner_info(), [&](VkCommandBuffer cmd, const vulkan::InstanceRange& range) {
    barrier(cmd, {vulkan::kWriteStage, vulkan::kWriteAccess}, vulkan::kVertexInput);
    draw(cmd, range);
  });
  expect_message("SYNC-HAZARD-WRITE-AFTER");
}

}  // namespace
}  // namespace sinew::test
