// Update groups: the output of a group that is not updated stays unchanged to the byte, whatever other groups do.
#include <algorithm>
#include <array>

#include "vulkan/skinner_fixture.h"
#include "vulkan/vertex_reader.h"
#include "vulkan/watched_loader.h"

namespace sinew::test {
namespace {

using Counts = std::vector<TestCrowd::Count>;

/// A skinner with two update groups. Most tests prepare `near` in each frame and `far` in some frames only.
class UpdateGroups : public SkinnerTest {
 protected:
  TestSkinnerInfo grouped_info() const {
    auto info = skinner_info();
    info.update_groups = 2;
    return info;
  }
  void record(vulkan::Skinner& skinner) {
    device_->submit_and_wait([&](VkCommandBuffer cmd) { skinner.record(cmd); });
  }
};

TEST_F(UpdateGroups, GroupThatIsNotUpdatedKeepsItsBytes) {
  for (const bool keep_previous : {false, true}) {
    auto info = grouped_info();
    info.tuning.max_page_bytes = 20000;
    info.keep_previous = keep_previous;
    auto skinner = make_skinner(info);
    TestCrowd near(*device_, skinner, 0), far(*device_, skinner, 1);
    near.add({.vertices = 101}), far.add({.vertices = 40, .joints = 3}), far.add({.vertices = 77});
    uint64_t updated = 0;
    for (uint64_t frame = 1; frame <= 8; ++frame) {
      const vulkan::SkinnerFrame number{frame, uint32_t(frame % 2), frame - 1};
      near.prepare(number, Counts{{0, uint32_t(5 * frame)}});  // pages are added and freed meanwhile
      near.poison();
      if (frame % 3 == 1) {
        far.prepare(number, Counts{{0, 3}, {1, uint32_t(20 + frame)}});
        far.poison();
        updated = frame;
      }
      record(skinner);
      near.expect_frame(frame);
      far.expect_frame(updated);
      const uint64_t far_instances = frame == updated ? 3 + 20 + frame : 0;
      EXPECT_EQ(skinner.counters().instances, 5 * frame + far_instances);
    }
  }
}

TEST_F(UpdateGroups, RangesSayWhichFrameSkinsThem) {
  auto skinner = make_skinner(grouped_info());
  TestCrowd near(*device_, skinner, 0), far(*device_, skinner, 1);
  near.add({.vertices = 60}), far.add({.vertices = 40}), far.add({.vertices = 77});
  const auto frame_of = [&](uint32_t group) { return skinner.ranges(group).front().skinned_frame; };
  near.prepare({1, 1, 0}, Counts{{0, 3}});
  far.prepare({1, 1, 0}, Counts{{0, 2}, {1, 2}});
  EXPECT_EQ(frame_of(0), 1u);
  EXPECT_EQ(frame_of(1), 1u);
  EXPECT_NE(skinner.ranges(0).front().mesh.value, skinner.ranges(1).front().mesh.value);
  EXPECT_NE(skinner.ranges(1).front().mesh.value, skinner.ranges(1).back().mesh.value);
  record(skinner);
  near.prepare({2, 0, 1}, Counts{{0, 3}});
  EXPECT_EQ(frame_of(0), 2u);
  EXPECT_EQ(frame_of(1), 1u);  // not updated
  // SkinnerFrame 2 is not recorded: frame 3 skins its group. It is discarded, and frame 4 does.
  ASSERT_TRUE(skinner.begin_frame({3, 1, 2}));
  EXPECT_EQ(frame_of(0), 3u);
  record(skinner);
  ASSERT_TRUE(skinner.discard_frame());
  ASSERT_TRUE(skinner.begin_frame({4, 0, 3}));
  EXPECT_EQ(frame_of(0), 4u);
  EXPECT_EQ(frame_of(1), 1u);
  record(skinner);
}

TEST_F(UpdateGroups, EmptyGroupFreesItsPagesOnly) {
  auto skinner = make_skinner(grouped_info());
  TestCrowd near(*device_, skinner, 0), far(*device_, skinner, 1);
  near.add({}), far.add({});
  near.prepare({1, 0, 0}, Counts{{0, 9}});
  far.prepare({1, 0, 0}, Counts{{0, 500}});
  near.poison(), far.poison();
  record(skinner);
  const VkDeviceSize both = skinner.memory_usage().skinned_bytes;
  far.prepare({2, 1, 1}, Counts{});
  record(skinner);
  EXPECT_TRUE(skinner.ranges(1).empty());
  EXPECT_EQ(skinner.memory_usage().skinned_bytes, both - 500 * 100 * 16);
  near.expect_frame(1);
}

/// A host that skins in the vertex shader reads the palettes of all groups in every frame.
TEST_F(UpdateGroups, PalettesAreNotOverwrittenWhileAFrameMayReadThem) {
  for (const uint32_t frames_in_flight : {2u, 3u}) {
    auto info = grouped_info();
    info.frames_in_flight = frames_in_flight;
    auto skinner = make_skinner(info);
    TestCrowd near(*device_, skinner, 0), far(*device_, skinner, 1);
    near.add({}), far.add({});
    std::vector<std::pair<const Matrix3x4*, uint64_t>> reads;  // palettes of `far`, and the frame that reads them
    for (uint64_t frame = 1; frame <= 13; ++frame) {
      const uint64_t last_completed = frame > frames_in_flight ? frame - frames_in_flight : 0;
      const vulkan::SkinnerFrame number{frame, uint32_t(frame % frames_in_flight), last_completed};
      near.prepare(number, Counts{{0, 1}});
      if (frame % (2 * frames_in_flight) == 1) {  // always in the same frame slot
        far.prepare(number, Counts{{0, 2}});
        for (const auto& [palettes, reader] : reads) {
          EXPECT_TRUE(reader <= last_completed || palettes != skinner.ranges(1)[0].palettes.data())
              << "frame " << frame << " writes palettes that frame " << reader << " may read";
        }
      }
      record(skinner);
      reads.push_back({skinner.ranges(1)[0].palettes.data(), frame});
    }
  }
}

TEST_F(UpdateGroups, PreviousVerticesOfAGroupThatIsNotUpdatedAreItsCurrentOnes) {
  auto info = grouped_info();
  info.keep_previous = true;
  auto skinner = make_skinner(info);
  TestCrowd near(*device_, skinner, 0), far(*device_, skinner, 1);
  near.add({.vertices = 33}), far.add({.vertices = 50});
  const auto skin = [&](uint64_t frame, bool update) {
    const vulkan::SkinnerFrame number{frame, uint32_t(frame % 2), frame - 1};
    near.prepare(number, Counts{{0, 3}});
    if (update) far.prepare(number, Counts{{0, 4}});
    record(skinner);
    near.expect_previous(frame - 1, frame, std::array{frame == 1 ? 0u : 3u});
  };
  skin(1, true);
  skin(2, true);
  far.expect_previous(1, 2, std::array{4u});
  skin(3, false);
  far.expect_previous(2, 2, std::array{4u});
  skin(4, false);
  skin(5, true);
  far.expect_previous(2, 5, std::array{4u});
  far.expect_frame(5);
}

TEST_F(UpdateGroups, GroupThatWasNotRecordedIsRecordedInTheNextFrame) {
  auto skinner = make_skinner(grouped_info());
  TestCrowd near(*device_, skinner, 0), far(*device_, skinner, 1);
  near.add({}), far.add({});
  far.prepare({1, 0, 0}, Counts{{0, 4}});
  far.poison();
  near.prepare({2, 1, 0}, Counts{{0, 2}});
  near.poison();
  record(skinner);
  far.expect_frame(1), near.expect_frame(2);
  EXPECT_FALSE(test::prepare(skinner, {2, 0, 1}, {}, {}, 1)) << "frame 2 is recorded";
}

TEST_F(UpdateGroups, RemovedMeshIsFreedWhileItsGroupIsNotUpdated) {
  auto skinner = make_skinner(grouped_info());
  TestCrowd near(*device_, skinner, 0), far(*device_, skinner, 1);
  near.add({}), far.add({.seed = 2});
  near.prepare({1, 0, 0}, Counts{{0, 2}}), far.prepare({1, 0, 0}, Counts{{0, 4}});
  near.poison(), far.poison();
  record(skinner);
  const VkDeviceSize meshes = skinner.memory_usage().mesh_bytes;
  skinner.remove_mesh(far.id(0));
  near.prepare({2, 1, 0}, Counts{{0, 2}});
  record(skinner);
  EXPECT_GT(skinner.memory_usage().deferred_bytes, 0u) << "frame 1 may still read it";
  near.prepare({3, 0, 2}, Counts{{0, 2}});
  EXPECT_EQ(skinner.memory_usage().deferred_bytes, 0u) << "a group that is not updated needs no mesh";
  EXPECT_LT(skinner.memory_usage().mesh_bytes, meshes);
  const auto removed = far.batches(Counts{{0, 4}});
  EXPECT_FALSE(test::prepare(skinner, {3, 0, 2}, removed, {}, 1));
  record(skinner);
  EXPECT_EQ(skinner.counters().instances, 2u) << "a group whose prepare() failed must not be skinned";
  far.expect_frame(1);
}

TEST_F(UpdateGroups, PagesStayForFramesThatUpdateNoGroup) {
  auto skinner = make_skinner(grouped_info());
  TestCrowd near(*device_, skinner, 0), far(*device_, skinner, 1);
  near.add({}), far.add({.seed = 2});
  far.prepare({1, 0, 0}, Counts{{0, 4}});
  record(skinner);
  skinner.remove_mesh(near.id(0));
  const vulkan::MemoryUsage before = skinner.memory_usage();
  far.prepare({6, 1, 4}, Counts{{0, 400}});  // frames 2 to 5 were drawn without a call to the skinner
  EXPECT_EQ(skinner.memory_usage().deferred_bytes, before.deferred_bytes + before.skinned_bytes);
  near.prepare({6, 1, 5}, Counts{});
  EXPECT_EQ(skinner.memory_usage().deferred_bytes, 0u);
}

TEST_F(UpdateGroups, RemovedMeshStaysUntilAPreparedGroupIsRecorded) {
  auto skinner = make_skinner(grouped_info());
  TestCrowd near(*device_, skinner, 0), far(*device_, skinner, 1);
  near.add({}), far.add({.seed = 2});
  far.prepare({1, 0, 0}, Counts{{0, 4}});
  far.poison();
  skinner.remove_mesh(far.id(0));
  near.prepare({3, 1, 2}, Counts{{0, 2}});  // the host says that all earlier frames have completed
  near.poison();
  record(skinner);
  far.expect_frame(1), near.expect_frame(3);
  near.prepare({4, 0, 2}, Counts{{0, 2}});
  EXPECT_GT(skinner.memory_usage().deferred_bytes, 0u) << "frame 3 may still read it";
  near.prepare({4, 0, 3}, Counts{{0, 2}});
  EXPECT_EQ(skinner.memory_usage().deferred_bytes, 0u);
}

TEST_F(UpdateGroups, FailureInOneGroupLeavesTheOthersUnchanged) {
  auto skinner = make_skinner(grouped_info());
  TestCrowd near(*device_, skinner, 0), far(*device_, skinner, 1);
  near.add({}), far.add({});
  near.prepare({1, 0, 0}, Counts{{0, 2}}), far.prepare({1, 0, 0}, Counts{{0, 4}});
  near.poison(), far.poison();
  record(skinner);

  near.prepare({2, 1, 1}, Counts{{0, 3}});
  near.poison();
  const vulkan::SkinnerBatch unknown_mesh{{99}, 1};
  EXPECT_FALSE(test::prepare(skinner, {2, 1, 1}, {&unknown_mesh, 1}, {}, 1));
  const Status no_group = test::prepare(skinner, {2, 1, 1}, {}, {}, 2);
  ASSERT_FALSE(no_group);
  EXPECT_EQ(no_group.error().message, "prepare: group 2 of 2");
  EXPECT_TRUE(skinner.ranges(2).empty());
  record(skinner);
  near.expect_frame(2), far.expect_frame(1);

  EXPECT_FALSE(test::prepare(skinner, {3, 0, 2}, {&unknown_mesh, 1}, {}, 0));
  far.prepare({3, 0, 2}, Counts{{0, 7}});
  far.poison();
  record(skinner);
  near.expect_frame(2), far.expect_frame(3);
}

TEST_F(UpdateGroups, LibraryBarrierIncludesGroupsThatAreNotUpdated) {
  auto info = grouped_info();
  info.barriers = vulkan::Barriers::kLibrary;
  info.frames_in_flight = 5;
  auto skinner = make_skinner(info);
  TestCrowd near(*device_, skinner, 0), far(*device_, skinner, 1);
  near.add({.vertices = 50}), far.add({.vertices = 60});
  const VertexReader reader(*device_);
  device_->submit_and_wait([&](VkCommandBuffer cmd) {
    for (uint32_t frame = 1; frame <= 5; ++frame) {
      near.prepare({frame, frame - 1, 0}, Counts{{0, 4}});
      if (frame % 2 == 1) far.prepare({frame, frame - 1, 0}, Counts{{0, 3}});
      skinner.record(cmd);
      for (uint32_t group : {0u, 1u}) {
        const vulkan::InstanceRange& range = skinner.ranges(group)[0];
        reader.draw(cmd, range.vertices, range.vertices_offset, range.instance_count * range.vertex_count);
      }
    }
  });
}

TEST_F(UpdateGroups, EachGroupHasItsOwnNamesAndLabels) {
  WatchedLoader watch(*device_);
  auto info = grouped_info();
  watch.attach(info);
  auto skinner = make_skinner(info);
  TestCrowd near(*device_, skinner, 0), far(*device_, skinner, 1);
  near.add({}), far.add({});
  near.prepare({1, 0, 0}, Counts{{0, 2}}), far.prepare({1, 0, 0}, Counts{{0, 3}});
  record(skinner);
  EXPECT_EQ(watch.labels, with_copies(skinner, {"sinew", "sinew upload 2 meshes", "",
                                                "sinew skin 2 instances, 200 vertices, 1 dispatch, group 0", "",
                                                "sinew skin 3 instances, 300 vertices, 1 dispatch, group 1", "", ""}));
  for (const char* name : {"sinew.palette[0]", "sinew.palette[2]", "sinew.vertices[0]", "sinew.vertices[1]",
                           "sinew.jobs[2]", "sinew.skin.sets[2]"}) {
    EXPECT_NE(std::find(watch.names.begin(), watch.names.end(), name), watch.names.end()) << name;
  }
}

}  // namespace
}  // namespace sinew::test
