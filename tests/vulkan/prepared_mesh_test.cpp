// Meshes that are prepared beside frames: the errors of add_mesh(), kernels that are built once, and memory that does
// not grow while meshes come and go. Sessions (session.h) compare what they look like.
#include <algorithm>
#include <chrono>
#include <deque>
#include <future>
#include <optional>
#include <set>
#include <thread>

#include "vulkan/skinner_fixture.h"

namespace sinew::test {
namespace {

using vulkan::MeshId;
using vulkan::PaletteFormat;
using vulkan::PreparedMesh;

/// The built-in kernel, one instruction longer: an OpNop before the OpReturn and OpFunctionEnd that it ends with.
std::vector<uint32_t> other_kernel() {
  std::vector<uint32_t> words(kernel_words().begin(), kernel_words().end());
  words.insert(words.end() - 2, 0x00010000);
  return words;
}

class PreparedMeshes : public SkinnerTest {
 protected:
  static PreparedMesh prepared(const vulkan::Skinner& skinner, const Mesh& mesh, const char* name = "late") {
    Result<PreparedMesh> made = skinner.prepare_mesh(mesh, 8, name, kBox);
    EXPECT_TRUE(made) << made.error().message;
    return made ? std::move(*made) : PreparedMesh();
  }
  /// Of all pipelines that exist, those whose SPIR-V has so many bytes.
  long built_from(size_t code_bytes) const {
    return std::ranges::count_if(watch_->live_pipelines, [&](const auto& live) { return live.second == code_bytes; });
  }
};

// --- errors ---

TEST_F(PreparedMeshes, AreRefusedWhereTheyAreEmptyOrOfAnotherSkinner) {
  std::optional<vulkan::Skinner> first(make_skinner(skinner_info()));
  auto second = make_skinner(skinner_info());
  vulkan::Skinner nothing;
  const Mesh mesh = make_mesh({});
  const std::string empty =
      "add_mesh: the prepared mesh is empty, because prepare_mesh() did not make it, or it was added or moved from";
  EXPECT_EQ(message_of(first->add_mesh(PreparedMesh())), empty);
  PreparedMesh one = prepared(*first, mesh, "knight");
  PreparedMesh taken = std::move(one);
  EXPECT_EQ(message_of(first->add_mesh(std::move(one))), empty) << "moved from";
  expect_refused(second.add_mesh(std::move(taken)), ErrorCode::kInvalidArgument,
                 "add_mesh: another skinner prepared mesh 'knight'");
  EXPECT_TRUE(first->add_mesh(std::move(taken))) << "it is as it was";
  EXPECT_EQ(message_of(first->add_mesh(std::move(taken))), empty) << "added twice";

  const std::string no_skinner = "skinner: it is empty, because create_skinner() did not make it or it was moved from";
  EXPECT_EQ(nothing.prepare_mesh(mesh, 8).error().message, no_skinner);
  PreparedMesh survivor = prepared(*first, mesh, "");
  EXPECT_EQ(message_of(nothing.add_mesh(std::move(survivor))), no_skinner);
  first.reset();
  auto third = make_skinner(skinner_info());  // perhaps where the first one was
  EXPECT_EQ(message_of(third.add_mesh(std::move(survivor))), "add_mesh: another skinner prepared mesh");
}

/// prepare_mesh() refuses what add_mesh() does, in the same words where the mesh has a name.
TEST_F(PreparedMeshes, ErrorsAreThoseOfAddMesh) {
  std::vector<std::string> messages;
  auto info = with_messages(skinner_info(), messages);
  info.tuning.max_page_bytes = 16000;
  auto skinner = make_skinner(info);
  Mesh bad = make_mesh({}), none;
  bad.positions.pop_back();
  none.first_influence = {0};
  for (const Mesh& mesh : {bad, none, make_mesh({.vertices = 1001})}) {
    const auto added = skinner.add_mesh(mesh, 8, "knight");
    const auto made = skinner.prepare_mesh(mesh, 8, "knight");
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().message, message_of(added));
    EXPECT_EQ(made.error().code, added.error().code);
    EXPECT_EQ(messages.back(), made.error().message);
  }
  EXPECT_EQ(messages.size(), 6u) << "each error reaches the callback";
  EXPECT_EQ(skinner.prepare_mesh(none, 8, nullptr).error().message, "mesh has no vertices");
  EXPECT_EQ(message_of(skinner.add_mesh(none, 8, nullptr)), "mesh '1' has no vertices");
  EXPECT_EQ(skinner.prepare_mesh(make_mesh({}), 8, "a", {}, {PaletteFormat(7)}).error().message,
            "mesh 'a': unknown format of palettes 7");
}

// --- kernels ---

/// While a kernel is built, all calls go on. They are made inside the driver's call: where one waits, the test hangs.
TEST_F(PreparedMeshes, LetAllCallsGoOnWhileAKernelIsBuilt) {
  auto skinner = make_skinner(watched_info());
  TestCrowd crowd(*device_, skinner);
  const uint32_t first = crowd.add({.max_influences = 1});
  crowd.run_frame({.number = 1}, Counts{{first, 2}});
  bool called = false;
  watch_->while_compiling = [&] {
    const uint32_t second = crowd.add({.max_influences = 1, .seed = 2});
    crowd.run_frame({.number = 2}, Counts{{first, 3}, {second, 3}});
    skinner.remove_mesh(crowd.id(second));
    crowd.run_frame({.number = 3}, Counts{{first, 4}});
    called = true;
  };
  Mesh mesh = make_mesh({.targets = 2});
  PreparedMesh late = prepared(skinner, mesh);
  EXPECT_TRUE(called);
  const uint32_t added = crowd.add_prepared(std::move(late), std::move(mesh), 8);
  crowd.run_frame({.number = 4}, Counts{{first, 2}, {added, 3}});
}

TEST_F(PreparedMeshes, OfTwoThatBuildTheSameKernelShareOne) {
  auto skinner = make_skinner(watched_info());
  const Mesh mesh = make_mesh({.min_influences = 4});
  PreparedMesh inner;
  watch_->while_compiling = [&] { inner = prepared(skinner, mesh); };
  PreparedMesh outer = prepared(skinner, mesh);
  EXPECT_EQ(watch_->destroyed_pipelines, 1) << "the second one";
  const int calls = watch_->fallible_calls;
  PreparedMesh later = prepared(skinner, mesh);
  EXPECT_EQ(watch_->fallible_calls, calls) << "what is there is not built again";
  EXPECT_EQ(watch_->live_pipelines.size(), 1u);
  inner = {};
  EXPECT_EQ(watch_->live_pipelines.size(), 1u) << "the others need it";
  TestCrowd crowd(*device_, skinner);
  const uint32_t one = crowd.add_prepared(std::move(outer), mesh, 8);
  crowd.run_frame({.number = 1}, Counts{{one, 3}});
  const uint32_t two = crowd.add_prepared(std::move(later), mesh, 8), three = crowd.add(mesh, 8);
  crowd.run_frame({.number = 2}, Counts{{one, 2}, {two, 2}, {three, 2}});
  EXPECT_EQ(watch_->live_pipelines.size(), 1u);
}

/// No kernel of the old SPIR-V is left, whether the mesh was prepared before, or while the kernel was replaced.
TEST_F(PreparedMeshes, HaveTheKernelThatReplacedTheirs) {
  const std::vector<uint32_t> other = other_kernel();
  for (const bool meanwhile : {false, true}) {
    auto skinner = make_skinner(watched_info());
    TestCrowd crowd(*device_, skinner);
    const uint32_t first = crowd.add({.min_influences = 4});
    crowd.run_frame({.number = 1}, Counts{{first, 2}});
    const auto reload = [&] { EXPECT_TRUE(vulkan::experimental::reload_kernel(skinner, other)); };
    if (meanwhile) watch_->while_compiling = reload;
    Mesh mesh = make_mesh({.min_influences = 2});
    mesh.blend = Blend::kDualQuaternion;
    PreparedMesh late = prepared(skinner, mesh);
    if (!meanwhile) reload();
    const uint32_t added = crowd.add_prepared(std::move(late), std::move(mesh), 8);
    for (uint64_t frame = 2; frame <= 4; ++frame) crowd.run_frame({.number = frame}, Counts{{first, 2}, {added, 3}});
    EXPECT_EQ(built_from(kernel_words().size_bytes()), 0);
    EXPECT_GT(built_from(other.size() * sizeof(uint32_t)), 1);
  }
}

/// A mesh is destroyed after its skinner, with the kernels that it holds.
TEST_F(PreparedMeshes, MayOutliveTheSkinner) {
  PreparedMesh late;
  {
    auto skinner = make_skinner(watched_info());
    late = prepared(skinner, make_mesh({}));
  }
  EXPECT_EQ(watch_->live_objects, int(watch_->live_pipelines.size()));
  EXPECT_GT(watch_->live_objects, 0);
  late = {};
  EXPECT_EQ(watch_->live_objects, 0);
}

// --- threads ---

/// What the threads hand to the owner of the skinner.
struct Arrival {
  Mesh mesh;
  PreparedMesh prepared;
};

/// Both threads need the same kernels, in another order. The owner draws, adds, removes and replaces the kernel.
TEST_F(PreparedMeshes, AreMadeByTwoThreadsWhileTheOwnerDraws) {
  constexpr uint32_t kThreads = 2, kMeshes = 6;
  auto skinner = make_skinner(skinner_info());
  TestCrowd crowd(*device_, skinner);
  const uint32_t first = crowd.add({.max_influences = 1});
  std::vector<std::promise<Arrival>> promises(kThreads * kMeshes);
  std::vector<std::future<Arrival>> arrivals;
  for (std::promise<Arrival>& promise : promises) arrivals.push_back(promise.get_future());
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (uint32_t i = 0; i < kMeshes; ++i) {
        const uint32_t influences = 1 + (i + t * kMeshes / 2) % kMeshes;
        Mesh mesh = make_mesh({.vertices = 40 + i,
                               .min_influences = std::min(influences, 4u),
                               .max_influences = influences,
                               .targets = i % 2});
        PreparedMesh late = prepared(skinner, mesh);
        promises[t * kMeshes + i].set_value({std::move(mesh), std::move(late)});
      }
    });
  }
  Counts counts = {{first, 2}};
  uint64_t frame = 0;
  while (!arrivals.empty()) {
    crowd.run_frame({.number = ++frame}, counts);
    const auto ready = std::ranges::find_if(
        arrivals, [](const auto& one) { return one.wait_for(std::chrono::seconds(0)) == std::future_status::ready; });
    if (ready == arrivals.end()) continue;
    Arrival arrival = ready->get();
    arrivals.erase(ready);
    counts.push_back({crowd.add_prepared(std::move(arrival.prepared), std::move(arrival.mesh), 8), 2});
    if (arrivals.size() == kMeshes) {
      EXPECT_TRUE(vulkan::experimental::reload_kernel(skinner, kernel_words()));
    }
    if (counts.size() <= 4) continue;
    skinner.remove_mesh(crowd.id(counts[1].mesh));
    counts.erase(counts.begin() + 1);
  }
  for (std::thread& thread : threads) thread.join();
  crowd.run_frame({.number = ++frame}, counts);
}

// --- meshes that come and go ---

/// In turn of five sizes. Three are there at a time, one of them prepared, one drawn first in the frame that adds it.
TEST_F(PreparedMeshes, AThousandTakeTheMemoryOfTen) {
  constexpr uint32_t kSizes[] = {400, 90, 1500, 33, 700}, kTurn = 10, kMeshes = 1000;
  auto info = watched_info();
  info.tuning.by_influences = false;
  auto skinner = make_skinner(info);
  std::vector<Mesh> meshes;
  for (const uint32_t vertices : kSizes) meshes.push_back(make_mesh({.vertices = vertices, .seed = vertices}));
  std::set<uint32_t> ids;
  std::deque<MeshId> present;
  std::vector<VkDeviceSize> after_first;
  for (uint32_t i = 1; i <= kMeshes; ++i) {
    const Mesh& mesh = meshes[i % meshes.size()];
    const Result<MeshId> id = i % 2 == 0 ? skinner.add_mesh(prepared(skinner, mesh)) : skinner.add_mesh(mesh, 8);
    ASSERT_TRUE(id) << id.error().message;
    ids.insert(id->value);
    present.push_back(*id);
    std::vector<vulkan::SkinnerBatch> batches;
    for (const MeshId mesh_id : present) batches.push_back({mesh_id, 2});
    ASSERT_TRUE(test::prepare(skinner, {.number = i}, batches));
    record(skinner);
    if (present.size() == 3) {
      skinner.remove_mesh(present.front());
      present.pop_front();
    }
    if (i % kTurn != 0) continue;
    const vulkan::MemoryUsage usage = skinner.memory_usage();
    const std::vector<VkDeviceSize> bytes = {usage.mesh_bytes,     usage.staging_bytes,
                                             usage.deferred_bytes, usage.block_bytes,
                                             usage.palette_bytes,  usage.skinned_bytes,
                                             usage.job_bytes,      usage.palette_copy_bytes,
                                             watch_->live_bytes,   VkDeviceSize(watch_->live_objects)};
    if (after_first.empty()) after_first = bytes;
    ASSERT_EQ(bytes, after_first) << "after " << i << " meshes";
  }
  EXPECT_EQ(ids.size(), kMeshes) << "ids of removed meshes come again";
}

}  // namespace
}  // namespace sinew::test
