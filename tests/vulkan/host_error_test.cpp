// What hosts forget: the numbers of frames that have completed, command buffers, palettes that are not written, two
// calls at once. docs/misuse.md has what is refused with one message.
#include <array>
#include <thread>

#include "sinew/asset/compact_matrix.h"
#include "vulkan/skinner_fixture.h"

namespace sinew::test {
namespace {

using vulkan::DebugChecks;
using vulkan::PaletteFormat;

class HostErrors : public SkinnerTest {
 protected:
  TestSkinnerInfo checked_info() const {
    auto info = skinner_info();
    info.debug_checks = DebugChecks::kOn;
    return info;
  }

  /// Expects of instance `i` of a range that it shows `mesh` with the palette and the weights.
  void expect_shown(const vulkan::InstanceRange& range, uint32_t i, const Mesh& mesh,
                    std::span<const Matrix3x4> palette) {
    const auto words =
        device_->read_back(range.vertices, range.vertices_offset, range.instance_count * range.vertex_count * 16);
    const SkinnedWords instance{std::span(words).subspan(i * range.vertex_count * 4, range.vertex_count * 4), 16};
    expect_skinned(mesh, palette, instance, "instance " + std::to_string(i));
  }
};

// --- frames ---

/// Whatever the host counts: the fences that it waits for are those of the frames that it recorded.
TEST_F(HostErrors, AFrameNumberIsEnough) {
  auto info = skinner_info();
  info.frames_in_flight = 3;
  for (const std::array<uint64_t, 7>& numbers : {std::array<uint64_t, 7>{1, 2, 3, 4, 5, 6, 7},
                                                 {10, 20, 30, 40, 50, 60, 70},
                                                 {3, 6, 9, 12, 15, 18, 21},
                                                 {1, 2, 1000, 1001, 1002, 5000, 1ull << 40}}) {
    auto skinner = make_skinner(info);
    TestCrowd crowd(*device_, skinner);
    const uint32_t mesh = crowd.add({});
    for (size_t i = 0; i < numbers.size(); ++i) {
      if (numbers[i] % 10 == 0) {  // begun, and given up before anything was recorded: no fence is waited for
        EXPECT_TRUE(skinner.begin_frame({.number = numbers[i] - 5}));
      }
      crowd.run_frame({.number = numbers[i]}, Counts{{mesh, 5}});
      // The upload's memory is freed when the first frame has completed: in the fourth, which takes its slot.
      EXPECT_EQ(skinner.memory_usage().staging_bytes == 0, i >= 3) << "frame " << numbers[i];
    }
    const std::string next = std::to_string(numbers[6] + 1), before = std::to_string(numbers[2]);
    EXPECT_EQ(message_of(skinner.begin_frame({.number = numbers[6] + 1, .last_completed = numbers[2]})),
              "begin_frame: frame " + next + " says that frame " + before + " was the last to complete, and frame " +
                  std::to_string(numbers[3]) + " has completed");
  }
}

TEST_F(HostErrors, ARecordThatRecordsNothingIsCounted) {
  auto skinner = make_skinner(checked_info());
  TestCrowd crowd(*device_, skinner);
  const uint32_t mesh = crowd.add({});
  skinner.record(VK_NULL_HANDLE);
  EXPECT_EQ(skinner.counters().refused_records, 1u);
  crowd.prepare({.number = 1}, Counts{{mesh, 2}});
  skinner.record(VK_NULL_HANDLE);
  EXPECT_EQ(skinner.counters().refused_records, 2u);
  EXPECT_EQ(message_of(skinner.begin_frame({.number = 2})), "begin_frame: record() had no command buffer in frame 1");
  ASSERT_TRUE(skinner.begin_frame({.number = 2})) << "it is said once";
  record(skinner);
  EXPECT_EQ(skinner.counters().instances, 2u);
  record(skinner);
  EXPECT_EQ(skinner.counters().refused_records, 3u);
}

// --- palettes that are not written ---

TEST_F(HostErrors, PalettesThatAreNotWrittenAreNamed) {
  for (const PaletteFormat format : {PaletteFormat::kMatrices, PaletteFormat::kCompact}) {
    auto skinner = make_skinner(checked_info());
    const Mesh mesh = make_mesh({.vertices = 30, .joints = 5, .targets = 3});
    const auto id = skinner.add_mesh(mesh, 5, "knight", {}, {format});
    const vulkan::SkinnerBatch batches[] = {{*id, 2}, {*id, 9}};
    ASSERT_TRUE(test::prepare(skinner, {.number = 1}, batches));
    const auto write = [&](const vulkan::InstanceRange& range, uint32_t i) {
      const size_t first = size_t{i} * range.palette_stride;
      for (uint32_t e = 0; e < range.palette_size; ++e) {
        if (format == PaletteFormat::kCompact) {
          range.compact_palettes[first + e] = compact(Matrix3x4());
        } else {
          range.palettes[first + e] = {};
        }
      }
    };
    const auto write_weights = [&](const vulkan::InstanceRange& range, uint32_t i) {
      for (uint32_t t = 0; t < 3; ++t) range.weights[i * range.weight_stride + t] = 0;
    };
    const auto ranges = skinner.ranges();
    ASSERT_EQ(ranges.size(), 2u);
    EXPECT_EQ(message_of(skinner.check_palettes()),
              "check_palettes: frame 1: palettes are not written: group 0, batch 0, mesh 'knight', instances 0 to 1");
    for (const vulkan::InstanceRange& range : ranges) {
      for (uint32_t i = 0; i < range.instance_count; ++i) {
        if (range.batch == 0 || i < 3 || i > 6) write(range, i);
        if (range.batch == 0 || i != 8) write_weights(range, i);
      }
    }
    const std::string unwritten =
        "frame 1: palettes are not written: group 0, batch 1, mesh 'knight', instances 3 to 6";
    EXPECT_EQ(message_of(skinner.check_palettes()), "check_palettes: " + unwritten);
    record(skinner);
    EXPECT_EQ(message_of(skinner.begin_frame({.number = 2})), "begin_frame: " + unwritten);
    ASSERT_TRUE(skinner.begin_frame({.number = 2})) << "it is said once";
    ASSERT_TRUE(skinner.prepare(0, batches));
    for (const vulkan::InstanceRange& range : skinner.ranges()) {
      for (uint32_t i = 0; i < range.instance_count; ++i) {
        write(range, i);
        if (range.batch == 0 || i != 8) write_weights(range, i);
      }
    }
    EXPECT_EQ(message_of(skinner.check_palettes()),
              "check_palettes: frame 2: morph weights are not written: group 0, batch 1, mesh 'knight', instance 8");
    write_weights(skinner.ranges()[1], 8);
    EXPECT_TRUE(skinner.check_palettes());
    record(skinner);
    EXPECT_TRUE(skinner.begin_frame({.number = 3}));
  }
}

/// Without the checks. The memory is of a page that other palettes were in, and of a new one.
TEST_F(HostErrors, PalettesThatAreNotWrittenShowTheBindPose) {
  for (const PaletteFormat format : {PaletteFormat::kMatrices, PaletteFormat::kCompact}) {
    auto skinner = make_skinner(skinner_info());
    const Mesh mesh = make_mesh({.vertices = 30, .joints = 5, .targets = 3});
    Mesh unmorphed = mesh;
    unmorphed.targets.clear();
    const std::vector<Matrix3x4> identities(5);
    const auto id = skinner.add_mesh(mesh, 5, "knight", {}, {format});
    for (uint64_t frame = 1; frame <= 4; ++frame) {
      const vulkan::SkinnerBatch batch{*id, uint32_t(3 + 40 * frame)};  // pages have room to grow, and grow
      ASSERT_TRUE(test::prepare(skinner, {.number = frame}, {&batch, 1}));
      EXPECT_TRUE(skinner.check_palettes());
      record(skinner);
      const vulkan::InstanceRange range = skinner.ranges()[0];
      for (const uint32_t i : {0u, range.instance_count - 1}) expect_shown(range, i, unmorphed, identities);
    }
  }
}

/// A page holds what frames before wrote, never memory that was not written.
TEST_F(HostErrors, MemoryBetweenPalettesIsNeverUnwritten) {
  auto skinner = make_skinner(skinner_info());
  const auto small = skinner.add_mesh(make_mesh({.vertices = 20, .joints = 1}), 1);
  const auto large = skinner.add_mesh(make_mesh({.vertices = 20, .joints = 30}), 30);
  const vulkan::SkinnerBatch before[] = {{*small, 7}, {*small, 7}}, after[] = {{*large, 20}};
  for (uint64_t frame = 1; frame <= 4; ++frame) {
    ASSERT_TRUE(test::prepare(
        skinner, {.number = frame},
        frame <= 2 ? std::span<const vulkan::SkinnerBatch>(before) : std::span<const vulkan::SkinnerBatch>(after)));
    for (const vulkan::InstanceRange& range : skinner.ranges()) {
      for (const Matrix3x4& matrix : range.palettes) ASSERT_EQ(matrix.m[0][0], 1.0f);
    }
    record(skinner);
  }
}

// --- two calls at once ---

TEST_F(HostErrors, ACallInsideAnotherIsRefused) {
  auto skinner = make_skinner(skinner_info());
  const auto id = skinner.add_mesh(make_mesh({}), 8);
  ASSERT_TRUE(skinner.begin_frame({.number = 1}));
  struct Inside {
    vulkan::Skinner& skinner;
    std::vector<std::string> messages;
  } inside{skinner, {}};
  ParallelFor parallel_for{&inside, nullptr};
  parallel_for.run = [](void* data, uint32_t count, ParallelFor::Task task, void* task_data) {
    auto& [around, messages] = *static_cast<Inside*>(data);
    std::thread([&skinner = around, &list = messages] {
      list.push_back(message_of(skinner.begin_frame({.number = 2})));
      list.push_back(message_of(skinner.prepare(0, {})));
      list.push_back(message_of(skinner.add_mesh(make_mesh({}), 8)));
      list.push_back(message_of(skinner.prepare_mesh(make_mesh({}), 8)));
      skinner.record(VK_NULL_HANDLE);
    }).join();
    for (uint32_t i = 0; i < count; ++i) task(task_data, i);
  };
  const vulkan::SkinnerBatch batch{*id, 3};
  ASSERT_TRUE(skinner.prepare(0, {&batch, 1}, {}, parallel_for));
  const std::string why =
      ": prepare() of this skinner is running, in another thread or around this call; a skinner takes one call at a "
      "time";
  EXPECT_EQ(inside.messages, (std::vector<std::string>{"begin_frame" + why, "prepare" + why, "add_mesh" + why, ""}))
      << "prepare_mesh() alone may run";
  EXPECT_TRUE(skinner.prepare(0, {&batch, 1})) << "the call is over";
}

}  // namespace
}  // namespace sinew::test
