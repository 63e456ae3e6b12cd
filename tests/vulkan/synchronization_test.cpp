// Barriers and semaphores between skinning and its consumers. Synchronization validation checks them, so some tests
// leave out a barrier on purpose, to show that validation reports it.
#include <algorithm>

#include "vulkan/skinner_fixture.h"
#include "vulkan/vertex_reader.h"

namespace sinew::test {
namespace {

using vulkan::Barriers;

constexpr uint32_t kMeshVertices = 100, kInstances = 4;
constexpr VkDeviceSize kBytes = VkDeviceSize{kMeshVertices} * kInstances * 16;

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

  /// The library records the barriers to these consumers.
  TestSkinnerInfo with_library_barrier(vulkan::Consumers consumers) const {
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
    reader_->draw(cmd, range.vertices, range.vertices_offset, kMeshVertices * kInstances);
  }
  void barrier(VkCommandBuffer cmd, const vulkan::Consumers& from, const vulkan::Consumers& to) const {
    const VkMemoryBarrier memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = from.accesses, .dstAccessMask = to.accesses};
    device_->vk.CmdPipelineBarrier(cmd, from.stages, to.stages, 0, 1, &memory, 0, nullptr, 0, nullptr);
  }
  /// Records two frames of one crowd into one command buffer, each followed by `consume`.
  template <class Consume>
  void run_two_frames(const TestSkinnerInfo& info, const Consume& consume) {
    auto skinner = make_skinner(info);
    TestCrowd crowd(*device_, skinner);
    crowd.add({.vertices = kMeshVertices});
    device_->submit_and_wait([&](VkCommandBuffer cmd) {
      for (uint32_t i = 0; i < 2; ++i) {
        crowd.prepare({i + 1, i, 0}, Counts{{0, kInstances}});
        skinner.record(cmd);
        consume(cmd, skinner.ranges()[0]);
      }
    });
  }
  /// Uploads a mesh in one frame, and copies its static data out behind it.
  void copy_an_uploaded_mesh(const TestSkinnerInfo& info) {
    auto skinner = make_skinner(info);
    const auto mesh = skinner.add_mesh(make_mesh({.vertices = kMeshVertices}), 8);
    ASSERT_TRUE(mesh);
    ASSERT_TRUE(skinner.begin_frame({1, 0, 0}));
    const vulkan::MeshBuffer data = skinner.mesh_buffer(*mesh);
    const VkBufferCopy region = {data.offset, 0, std::min(data.size_bytes, kBytes)};
    device_->submit_and_wait([&](VkCommandBuffer cmd) {
      skinner.record(cmd);
      device_->vk.CmdCopyBuffer(cmd, data.buffer, copy_.handle, 1, &region);
    });
  }
  void expect_message(const char* hazard) {
    const auto messages = device_->take_messages();
    ASSERT_FALSE(messages.empty()) << "validation did not report the missing barrier";
    EXPECT_NE(messages[0].find(hazard), std::string::npos) << messages[0];
  }

  bool across_submits_ = false;
  TestBuffer copy_;
  std::unique_ptr<VertexReader> reader_;
};

TEST_F(Synchronized, LibraryBarrierToVertexInput) {
  run_two_frames(with_library_barrier(vulkan::kVertexInput),
                 [&](VkCommandBuffer cmd, const vulkan::InstanceRange& range) { draw(cmd, range); });
}

TEST_F(Synchronized, LibraryBarrierToSeveralConsumers) {
  run_two_frames(with_library_barrier(vulkan::kTransferRead | vulkan::kVertexInput),
                 [&](VkCommandBuffer cmd, const vulkan::InstanceRange& range) {
                   draw(cmd, range);
                   copy_out(cmd, range);
                   barrier(cmd, {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT},
                           {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT});
                 });
}

/// The static data of a mesh (mesh_buffer()) is ready where the consumers read it.
TEST_F(Synchronized, LibraryBarrierIncludesUploads) {
  copy_an_uploaded_mesh(with_library_barrier(vulkan::kTransferRead));
}

/// A host that skins each frame in one submission and draws it in another. The previous frame's vertices are kept, so
/// that a frame can be skinned while the previous one is drawn.
class SeparateSubmissions : public Synchronized {
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
    crowd.add({.vertices = kMeshVertices});
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

TEST_F(SeparateSubmissions, NeedOnlySemaphores) { run_frames(true, true); }

TEST_F(SeparateSubmissions, ValidationReportsDrawingThatDoesNotWait) {
  run_frames(false, true);
  expect_message("SYNC-HAZARD-READ-AFTER-WRITE");
}

TEST_F(SeparateSubmissions, ValidationReportsSkinningThatDoesNotWait) {
  run_frames(true, false);
  expect_message("SYNC-HAZARD-WRITE-AFTER");
}

TEST_F(Synchronized, ValidationReportsAMissingBarrierBeforeADraw) {
  run_two_frames(skinner_info(), [&](VkCommandBuffer cmd, const vulkan::InstanceRange& range) { draw(cmd, range); });
  expect_message("SYNC-HAZARD-READ-AFTER-WRITE");
}

TEST_F(Synchronized, ValidationReportsAMissingBarrierBeforeACopy) {
  run_two_frames(skinner_info(),
                 [&](VkCommandBuffer cmd, const vulkan::InstanceRange& range) { copy_out(cmd, range); });
  expect_message("SYNC-HAZARD-READ-AFTER-WRITE");
}

TEST_F(Synchronized, ValidationReportsAMissingBarrierAfterAnUpload) {
  copy_an_uploaded_mesh(skinner_info());
  expect_message("SYNC-HAZARD-READ-AFTER-WRITE");
}

TEST_F(Synchronized, ValidationReportsAMissingBarrierBeforePagesAreOverwritten) {
  run_two_frames(skinner_info(), [&](VkCommandBuffer cmd, const vulkan::InstanceRange& range) {
    barrier(cmd, {vulkan::kWriteStage, vulkan::kWriteAccess}, vulkan::kVertexInput);
    draw(cmd, range);
  });
  expect_message("SYNC-HAZARD-WRITE-AFTER");
}

}  // namespace
}  // namespace sinew::test
