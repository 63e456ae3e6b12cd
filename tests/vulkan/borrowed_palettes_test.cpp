// Batches that read the palettes of another batch: see SkinnerBatch::palettes_of.
#include <algorithm>
#include <numeric>
#include <optional>
#include <random>

#include "heap_faults.h"
#include "vulkan/skinner_fixture.h"

namespace sinew::test {
namespace {

using vulkan::InstanceRange;
using vulkan::PaletteFormat;
using vulkan::SkinnerBatch;
using Words = std::vector<uint32_t>;

/// A mesh in the skinner of a test.
struct Rig {
  RigShape shape;
  PaletteFormat format = PaletteFormat::kMatrices;
  Blend blend = Blend::kLinear;
  uint32_t room = 0;  // PaletteKind::target_count
};

class BorrowedPalettes : public SkinnerTest {
 protected:
  vulkan::MeshId add(vulkan::Skinner& skinner, const Rig& rig) const {
    Mesh mesh = make_mesh(rig.shape);
    mesh.blend = rig.blend;
    const auto id = skinner.add_mesh(mesh, rig.shape.joints, "rig", kBox, {rig.format, 1, rig.room});
    EXPECT_TRUE(id) << id.error().message;
    return id ? *id : vulkan::MeshId{};
  }

  static void write_palette(const InstanceRange& range, uint32_t i, uint32_t seed) {
    const auto palette = make_palette(range.palette_size, seed, RigScaling::kNone);
    const size_t first = size_t{i} * range.palette_stride;
    for (size_t e = 0; e < palette.size(); ++e) {
      if (range.compact_palettes.empty())
        range.palettes[first + e] = palette[e];
      else
        range.compact_palettes[first + e] = compact(palette[e]);
    }
    const auto weights = make_weights(range.target_count, seed);
    std::copy(weights.begin(), weights.end(), range.weights.begin() + i * range.weight_stride);
  }

  /// Palettes of all ranges that have their own. That of an instance has the seed `seeds[its index]`.
  static void write_palettes(const vulkan::Skinner& skinner, std::span<const uint32_t> seeds, uint32_t group = 0) {
    for (const InstanceRange& range : skinner.ranges(group)) {
      if (range.palette_stride == 0) continue;
      for (uint32_t i = 0; i < range.instance_count; ++i) write_palette(range, i, seeds[range.first_instance + i]);
    }
  }

  void skin(vulkan::Skinner& skinner) {
    device_->submit_and_wait([&](VkCommandBuffer cmd) { skinner.record(cmd); });
  }

  /// The vertices of each instance of a batch.
  std::vector<Words> vertices(const vulkan::Skinner& skinner, uint32_t batch, bool previous = false,
                              uint32_t group = 0) const {
    std::vector<Words> all;
    for (const InstanceRange& range : skinner.ranges(group)) {
      if (range.batch != batch) continue;
      const VkDeviceSize bytes = VkDeviceSize{range.vertex_count} * range.vertex_bytes;
      const Words words = device_->read_back(previous ? range.previous_vertices : range.vertices,
                                             previous ? range.previous_vertices_offset : range.vertices_offset,
                                             bytes * range.instance_count);
      for (uint32_t i = 0; i < range.instance_count; ++i) {
        const auto begin = words.begin() + ptrdiff_t(i * bytes / 4);
        all.emplace_back(begin, begin + ptrdiff_t(bytes / 4));
      }
    }
    return all;
  }

  /// The vertices of `rig` with a palette of its own for each seed, which has the entries of `lender`.
  std::vector<Words> alone(const TestSkinnerInfo& info, const Rig& rig, const Rig& lender,
                           std::span<const uint32_t> seeds) {
    auto skinner = make_skinner(info);
    Rig own = rig;
    const Mesh mesh = make_mesh(rig.shape);
    own.shape.joints = lender.shape.joints;
    Mesh same = mesh;
    same.blend = rig.blend;
    const auto id = skinner.add_mesh(same, own.shape.joints, "rig", kBox, {rig.format});
    const SkinnerBatch batch{*id, uint32_t(seeds.size())};
    EXPECT_TRUE(prepare(skinner, {.number = 1}, {&batch, 1}));
    write_palettes(skinner, seeds);
    skin(skinner);
    return vertices(skinner, 0);
  }
};

/// 70 instances in any order, in runs, and one of them twice.
std::vector<uint32_t> some_instances(uint32_t count) {
  std::vector<uint32_t> chosen(count);
  std::iota(chosen.begin(), chosen.end(), 0u);
  std::mt19937 random(5);
  std::shuffle(chosen.begin() + 30, chosen.end(), random);
  chosen.resize(70);
  chosen[69] = chosen[0];
  return chosen;
}

std::vector<uint32_t> seeds_of(uint32_t count, uint32_t first = 1) {
  std::vector<uint32_t> seeds(count);
  std::iota(seeds.begin(), seeds.end(), first);
  return seeds;
}

template <class T>
std::vector<T> picked(std::span<const T> all, std::span<const uint32_t> chosen) {
  std::vector<T> result;
  for (const uint32_t i : chosen) result.push_back(all[i]);
  return result;
}

/// A lender, and a mesh with palettes of the same kind.
struct Pair {
  Rig lender, rig;
};

const Pair kPairs[] = {
    {{{.vertices = 90}}, {{.vertices = 33, .seed = 7}}},
    {{{.vertices = 90}}, {{.vertices = 33, .joints = 2, .max_influences = 2, .seed = 7}}},  // of another stride
    {{{.vertices = 90, .targets = 5}}, {{.vertices = 20, .seed = 3}}},                      // weights behind palettes
    {{{.vertices = 90, .targets = 50}}, {{.vertices = 20, .seed = 3}, PaletteFormat::kMatrices, Blend::kLinear, 50}},
    {{{.vertices = 50}, PaletteFormat::kCompact}, {{.vertices = 70, .joints = 3}, PaletteFormat::kCompact}},
    {{{.vertices = 50}, PaletteFormat::kRigid}, {{.vertices = 70}, PaletteFormat::kRigid}},
    {{{.vertices = 50}, PaletteFormat::kMatrices, Blend::kDualQuaternion},
     {{.vertices = 40}, PaletteFormat::kMatrices, Blend::kDualQuaternion}},
    {{{.vertices = 50}, PaletteFormat::kCompact, Blend::kDualQuaternion},
     {{.vertices = 40}, PaletteFormat::kCompact, Blend::kDualQuaternion}},
};

/// With pages of a few instances too, so that batch and lender are divided at other places.
TEST_F(BorrowedPalettes, GiveTheVerticesOfPalettesOfTheirOwn) {
  for (const VkDeviceSize page_bytes : {VkDeviceSize{0}, VkDeviceSize{15000}}) {
    for (const Pair& pair : kPairs) {
      SCOPED_TRACE(page_bytes + size_t(&pair - kPairs));
      auto info = skinner_info();
      if (page_bytes != 0) info.tuning.max_page_bytes = page_bytes;
      auto skinner = make_skinner(info);
      const auto lender = add(skinner, pair.lender), other = add(skinner, {{.vertices = 11}}),
                 rig = add(skinner, pair.rig);
      const auto chosen = some_instances(100);
      const SkinnerBatch batches[] = {{lender, 100}, {rig, 70, 0, chosen}, {other, 3}, {rig, 100, 0}};
      ASSERT_TRUE(prepare(skinner, {.number = 1}, batches));
      const auto seeds = seeds_of(100);
      write_palettes(skinner, seeds);
      skin(skinner);
      const auto all = alone(info, pair.rig, pair.lender, seeds);
      EXPECT_EQ(vertices(skinner, 3), all);
      EXPECT_EQ(vertices(skinner, 1), picked<Words>(all, chosen));
    }
  }
}

/// Nothing is there to write, and the bytes of palettes count once.
TEST_F(BorrowedPalettes, CostNoPalettes) {
  auto info = skinner_info();
  info.debug_checks = vulkan::DebugChecks::kOn;
  auto skinner = make_skinner(info);
  const auto lender = add(skinner, {{.vertices = 50}}), rig = add(skinner, {{.vertices = 20}});
  const uint32_t chosen[] = {8, 2, 3};
  const SkinnerBatch batches[] = {{lender, 10}, {rig, 3, 0, chosen}};
  ASSERT_TRUE(prepare(skinner, {.number = 1}, batches));
  ASSERT_EQ(skinner.ranges().size(), 2u);
  const InstanceRange& range = skinner.ranges()[1];
  EXPECT_TRUE(range.palettes.empty() && range.compact_palettes.empty() && range.weights.empty());
  EXPECT_EQ(range.palette_buffer, VkBuffer(VK_NULL_HANDLE));
  EXPECT_EQ(range.palette_stride, 0u);
  EXPECT_EQ(range.instance_count, 3u);
  EXPECT_EQ(range.vertex_count, 20u);
  write_palettes(skinner, seeds_of(10));
  EXPECT_TRUE(skinner.check_palettes());
  skin(skinner);
  const vulkan::SkinnerCounters counters = skinner.counters();
  EXPECT_EQ(counters.skinned_vertices, 10u * 50 + 3u * 20);
  EXPECT_EQ(counters.palette_bytes, 10u * 8 * sizeof(Matrix3x4));
  EXPECT_EQ(counters.instances, 13u);

  ASSERT_TRUE(prepare(skinner, {.number = 2}, batches));
  const Status unwritten = skinner.check_palettes();
  ASSERT_FALSE(unwritten);
  EXPECT_NE(unwritten.error().message.find("batch 0"), std::string::npos) << unwritten.error().message;
}

/// What is not worn is a batch of no instances.
TEST_F(BorrowedPalettes, OfNoInstanceCostNothing) {
  auto skinner = make_skinner(skinner_info());
  const auto lender = add(skinner, {{.vertices = 50}}), rig = add(skinner, {{.vertices = 20}});
  const SkinnerBatch batches[] = {{lender, 10}, {rig, 0, 0}};
  ASSERT_TRUE(prepare(skinner, {.number = 1}, batches));
  write_palettes(skinner, seeds_of(10));
  skin(skinner);
  EXPECT_EQ(skinner.counters().skinned_vertices, 500u);
  EXPECT_EQ(skinner.ranges().size(), 1u);
}

TEST_F(BorrowedPalettes, GivePreviousVerticesAndKeepThemInAGroupThatRests) {
  auto info = skinner_info();
  info.keep_previous = true, info.update_groups = 2;
  auto skinner = make_skinner(info);
  const Rig rig{{.vertices = 20}};
  const auto lender = add(skinner, {{.vertices = 50}}), worn = add(skinner, rig);
  const uint32_t chosen[] = {1, 4};
  const SkinnerBatch batches[] = {{lender, 6}, {worn, 2, 0, chosen}};
  std::vector<Words> before;
  for (uint64_t frame = 1; frame <= 3; ++frame) {
    ASSERT_TRUE(prepare(skinner, {.number = frame}, batches, {}, 1));
    const auto seeds = seeds_of(6, uint32_t(100 * frame));
    write_palettes(skinner, seeds, 1);
    skin(skinner);
    const auto now = vertices(skinner, 1, false, 1);
    EXPECT_EQ(now, alone(info, rig, {{.vertices = 50}}, picked<uint32_t>(seeds, chosen)));
    EXPECT_EQ(vertices(skinner, 1, true, 1), frame == 1 ? now : before);
    before = now;
  }
  ASSERT_TRUE(prepare(skinner, {.number = 4}, std::span(batches).first(1)));
  write_palettes(skinner, seeds_of(6));
  skin(skinner);
  EXPECT_EQ(vertices(skinner, 1, false, 1), before);
  EXPECT_EQ(vertices(skinner, 1, true, 1), before);
}

TEST_F(BorrowedPalettes, NeedRoomForVerticesInPagesOfTheHost) {
  auto skinner = make_skinner(skinner_info());
  const Rig body{{.vertices = 50}}, rig{{.vertices = 20}};
  const SkinnerBatch batches[] = {{add(skinner, body), 10}, {add(skinner, rig), 10, 0}};
  const auto needed = skinner.page_requirements(batches);
  ASSERT_TRUE(needed);
  ASSERT_EQ(needed->size(), 1u);
  EXPECT_GE((*needed)[0].size_bytes, 10u * 70 * 16);
}

/// Other instances make other jobs, and no other buffer.
TEST_F(BorrowedPalettes, StayWithinWhatIsReserved) {
  auto info = skinner_info();
  info.frames_in_flight = 1;
  auto skinner = make_skinner(info);
  const auto lender = add(skinner, {{.vertices = 50}}), rig = add(skinner, {{.vertices = 300}});
  const SkinnerBatch most[] = {{lender, 200}, {rig, 200, 0}};
  ASSERT_TRUE(skinner.reserve(most));
  ASSERT_TRUE(prepare(skinner, {.number = 1}, most));
  write_palettes(skinner, seeds_of(200));
  skin(skinner);
  const auto usage = skinner.memory_usage();
  std::vector<uint32_t> backwards(200);
  for (uint32_t i = 0; i < 200; ++i) backwards[i] = 199 - i;
  const SkinnerBatch other[] = {{lender, 200}, {rig, 200, 0, backwards}};
  ASSERT_TRUE(prepare(skinner, {.number = 2}, other));
  EXPECT_EQ(skinner.memory_usage().job_bytes, usage.job_bytes);
  EXPECT_EQ(skinner.buffer_changes(), 1u);
}

/// Frames that are alike allocate nothing.
TEST_F(BorrowedPalettes, NeedNoMemoryInSteadyFrames) {
  device_.reset();
  make_device({.validate = false});  // the layers allocate on this thread, too
  auto skinner = make_skinner(skinner_info());
  const auto lender = add(skinner, {{.vertices = 50}}), rig = add(skinner, {{.vertices = 20}});
  const auto chosen = some_instances(100);
  const SkinnerBatch batches[] = {{lender, 100}, {rig, 70, 0, chosen}};
  for (uint64_t frame = 1; frame <= 6; ++frame) {
    const int64_t before = heap_allocations();
    ASSERT_TRUE(prepare(skinner, {.number = frame}, batches));
    if (frame > 4) {
      EXPECT_EQ(heap_allocations(), before);
    }
    skin(skinner);
  }
}

TEST_F(BorrowedPalettes, AreRefusedWithAReason) {
  auto skinner = make_skinner(skinner_info());
  const auto lender = add(skinner, {{.vertices = 50}}), rig = add(skinner, {{.vertices = 20}}),
             large = add(skinner, {{.vertices = 20, .joints = 9}}), morphed = add(skinner, {{.targets = 2}}),
             compact = add(skinner, {{.vertices = 20}, PaletteFormat::kCompact}),
             rigid = add(skinner, {{.vertices = 20}, PaletteFormat::kRigid}),
             dual = add(skinner, {{.vertices = 20}, PaletteFormat::kMatrices, Blend::kDualQuaternion});
  const uint32_t chosen[] = {0, 10};
  const struct {
    std::vector<SkinnerBatch> batches;
    const char* why;
  } cases[] = {
      {{{lender, 10}, {rig, 10, 1}}, "not before it"},
      {{{rig, 10, 1}, {lender, 10}}, "not before it"},
      {{{lender, 10}, {rig, 10, 7}}, "not before it"},
      {{{lender, 10}, {rig, 10, 0}, {rig, 10, 1}}, "has none of its own"},
      {{{lender, 10}, {large, 10, 0}}, "more palette entries"},
      {{{lender, 10}, {morphed, 10, 0}}, "morph targets"},
      {{{lender, 10}, {compact, 10, 0}}, "different kinds"},
      {{{lender, 10}, {rigid, 10, 0}}, "different kinds"},
      {{{lender, 10}, {dual, 10, 0}}, "dual quaternions"},
      {{{lender, 10}, {rig, 11, 0}}, "no instance 10 of 10"},
      {{{lender, 10}, {rig, 2, 0, chosen}}, "no instance 10 of 10"},
      {{{lender, 11}, {rig, 3, 0, chosen}}, "of 3 instances it names 2"},
      {{{lender, 11}, {rig, 2, vulkan::kOwnPalettes, chosen}}, "names instances"},
  };
  uint64_t frame = 0;
  for (const auto& [batches, why] : cases) {
    const Status status = prepare(skinner, {.number = ++frame}, batches);
    ASSERT_FALSE(status) << why;
    EXPECT_NE(status.error().message.find(why), std::string::npos) << status.error().message;
    EXPECT_NE(status.error().message.find("batch "), std::string::npos) << status.error().message;
    EXPECT_FALSE(skinner.reserve(batches));
    EXPECT_FALSE(skinner.page_requirements(batches));
  }
}

}  // namespace
}  // namespace sinew::test
