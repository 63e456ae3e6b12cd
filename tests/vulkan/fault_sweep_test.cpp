// Every Vulkan call of a skinner that can fail fails in turn, with each result, and the host goes on in each of three
// ways. The counts are printed.
#include <cstdio>
#include <optional>

#include "vulkan/host_allocator.h"
#include "vulkan/skinner_fixture.h"
#include "vulkan/watched_loader.h"

namespace sinew::test {
namespace {

using Counts = std::vector<TestCrowd::Count>;

constexpr uint32_t kKernel[] = {
#include "spirv/skin.comp.inc"
};

/// What the host does after a call has failed.
enum class Way {
  kRetry,    // calls it again
  kDestroy,  // destroys the skinner
  kGoOn,     // goes on without it: with another skinner, mesh or frame
};

struct Fault {
  VkResult result = VK_SUCCESS;
  Way way = Way::kRetry;
  int call = 0;  // the number of fallible calls before the one that fails
};

/// A host's allocator whose calls count as fallible calls of the loader. Its palettes are not device-local.
struct FaultyAllocator {
  HostAllocator host;
  WatchedLoader& watch;

  vulkan::AllocatorCallbacks callbacks() { return {this, allocate, free}; }

  static VkResult allocate(void* self, const VkBufferCreateInfo& info, vulkan::BufferUse use, vulkan::Allocation* out) {
    auto& own = *static_cast<FaultyAllocator*>(self);
    if (own.watch.fails("allocate")) return own.watch.failure;
    const VkResult result = HostAllocator::allocate(&own.host, info, use, out);
    out->memory_properties =
        use == vulkan::BufferUse::kDevice ? VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT : VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
    return result;
  }
  static void free(void* self, const vulkan::Allocation& allocation) {
    HostAllocator::free(&static_cast<FaultyAllocator*>(self)->host, allocation);
  }
};

/// What exists on the device.
struct Live {
  int objects = 0, allocations = 0;
  VkDeviceSize bytes = 0;

  friend bool operator==(const Live&, const Live&) = default;
};

/// One run of a host: it creates a skinner, adds meshes and prepares frames that need more and less memory. One call
/// fails on the way.
class FaultRun {
 public:
  FaultRun(TestDevice& device, WatchedLoader& watch, FaultyAllocator& allocator, Way way)
      : device_(device), watch_(watch), allocator_(allocator), way_(way) {}

  void run(const vulkan::SkinnerInfo& info) {
    auto skinner = attempt([&] { return vulkan::create_skinner(info); });
    if (!skinner && way_ == Way::kDestroy) return;
    if (!skinner) {
      auto other = info;
      other.format = vulkan::VertexFormat::kFloat;
      skinner = vulkan::create_skinner(other);
    }
    ASSERT_TRUE(skinner) << skinner.error().message;
    skinner_ = &*skinner;
    std::vector<TestCrowd> crowds;
    for (uint32_t group = 0; group < info.update_groups; ++group) crowds.emplace_back(device_, *skinner, group);
    use(crowds);
    if (failed_ && way_ == Way::kDestroy) return;
    ASSERT_NO_FATAL_FAILURE(expect_usable(*skinner, crowds));
  }

  bool failed() const { return failed_; }  // whether a call of the skinner returned an error

 private:
  bool stops() const { return failed_ && way_ == Way::kDestroy; }

  /// Calls `call`, which may fail. An error says what failed and leaves everything as it was. kRetry: calls it again.
  template <class Call>
  auto attempt(const Call& call) -> decltype(call()) {
    const Live before = live();
    auto outcome = call();
    if (outcome) return outcome;
    failed_ = true;
    const bool is_lost = watch_.failure == VK_ERROR_DEVICE_LOST;
    EXPECT_EQ(outcome.error().code, is_lost ? ErrorCode::kDeviceLost : ErrorCode::kOutOfMemory);
    EXPECT_EQ(outcome.error().vk_result, watch_.failure) << outcome.error().message;
    EXPECT_EQ(live(), before) << outcome.error().message;
    if (way_ != Way::kRetry) return outcome;
    outcome = call();
    EXPECT_TRUE(outcome);
    return outcome;
  }
  Live live() const { return {watch_.live_objects, allocator_.host.live, watch_.live_bytes}; }

  void use(std::vector<TestCrowd>& crowds) {
    for (TestCrowd& crowd : crowds) {
      add(crowd, {});
      if (stops()) return;
    }
    const uint32_t counts[] = {3, 60, 2};  // pages are made, grow, and are made anew
    for (const uint32_t count : counts) {
      draw_frame(crowds, count);
      if (stops()) return;
      if (frame_.number != 2) continue;
      for (TestCrowd& crowd : crowds) {
        add(crowd, {.vertices = 1300, .seed = 3});  // larger than the spare room of the first page of meshes
        if (stops()) return;
      }
    }
    (void)attempt([&] { return vulkan::experimental::reload_kernel(*skinner_, kKernel); });
  }

  /// A mesh that cannot be added is replaced by a small one.
  void add(TestCrowd& crowd, const RigShape& shape) {
    if (const auto added = attempt([&] { return crowd.try_add(shape); }); added || stops()) return;
    crowd.add({.vertices = 20, .joints = 3});
  }

  /// A group that cannot be prepared is drawn as in the frame before.
  void draw_frame(std::vector<TestCrowd>& crowds, uint32_t count) {
    const uint64_t number = frame_.number + 1;
    frame_ = vulkan::in_flight(number, 2);
    ASSERT_TRUE(skinner_->begin_frame(frame_));
    for (TestCrowd& crowd : crowds) {
      const Counts counts = number < 3 ? Counts{{0, count}} : Counts{{0, count}, {1, 2}};
      (void)attempt([&] { return crowd.try_prepare(frame_, counts); });
      if (stops()) return;
    }
    record();
  }
  void record() {
    device_.submit_and_wait([&](VkCommandBuffer cmd) { skinner_->record(cmd); });
  }

  /// Everything works that worked before the fault: a frame of all groups has the right vertices.
  void expect_usable(vulkan::Skinner& skinner, std::vector<TestCrowd>& crowds) {
    watch_.succeeding = -1;
    frame_ = vulkan::in_flight(frame_.number + 1, 2);
    ASSERT_TRUE(skinner.begin_frame(frame_));
    for (TestCrowd& crowd : crowds) crowd.prepare_group(frame_, Counts{{0, 4}, {1, 1}});
    for (TestCrowd& crowd : crowds) crowd.poison();
    record();
    for (TestCrowd& crowd : crowds) crowd.expect_frame(frame_.number);
  }

  TestDevice& device_;
  WatchedLoader& watch_;
  FaultyAllocator& allocator_;
  Way way_;
  vulkan::Skinner* skinner_ = nullptr;
  vulkan::Frame frame_{.number = 0};
  bool failed_ = false;
};

class FaultSweep : public SkinnerTest {
 protected:
  void SetUp() override {
    SkinnerTest::SetUp();
    if (device_ == nullptr) return;
    watch_ = std::make_unique<WatchedLoader>(*device_);
    watch_->keep_pipelines = true;
    watch_->change_limits = [](VkPhysicalDeviceProperties& properties) {
      properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;  // palettes may be copied
    };
    allocator_.emplace(FaultyAllocator{{*device_}, *watch_});
  }
  vulkan::SkinnerInfo watched_info() const {
    auto info = skinner_info();
    watch_->attach(info);
    info.tuning.max_page_bytes = 40000;
    info.tuning.by_influences = false;
    return info;
  }

  /// Runs the host once with this fault. Returns whether a call failed: not where there are fewer calls.
  bool survives(const vulkan::SkinnerInfo& info, const Fault& fault) {
    SCOPED_TRACE(testing::Message() << "result " << fault.result << ", way " << int(fault.way) << ", call "
                                    << fault.call);
    watch_->failed = 0;
    watch_->failure = fault.result;
    watch_->succeeding = fault.call;
    bool reported = false;
    {
      FaultRun run(*device_, *watch_, *allocator_, fault.way);
      run.run(info);
      reported = run.failed();
    }
    watch_->succeeding = -1;
    const bool fell_back = fault.result != VK_ERROR_DEVICE_LOST;  // a smaller or other allocation may do
    EXPECT_TRUE(watch_->failed == 0 || reported || fell_back) << "the error was not reported";
    EXPECT_EQ(watch_->live_objects, 0);
    EXPECT_EQ(watch_->live_bytes, 0u);
    EXPECT_EQ(allocator_->host.live, 0);
    reported_ += reported;
    return watch_->failed > 0;
  }

  /// Lets each fallible call fail with each result, in each way of going on.
  void sweep(const vulkan::SkinnerInfo& info, const char* configuration) {
    int points = 0;
    reported_ = 0;
    for (const VkResult result : {VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_DEVICE_LOST}) {
      for (const Way way : {Way::kRetry, Way::kDestroy, Way::kGoOn}) {
        const int before = points;
        for (int call = 0; survives(info, {result, way, call}); ++call) {
          ++points;
          ASSERT_FALSE(HasFailure());
        }
        EXPECT_GT(points, before);
      }
    }
    EXPECT_GT(reported_, 0);
    std::printf("%s: fault points: %d, survived: %d, reported as errors: %d\n", configuration, points, points,
                reported_);
  }

  std::unique_ptr<WatchedLoader> watch_;
  std::optional<FaultyAllocator> allocator_;
  int reported_ = 0;
};

TEST_F(FaultSweep, WithTheLibrarysMemoryAndBarriers) {
  auto info = watched_info();
  info.barriers = vulkan::Barriers::kLibrary;
  sweep(info, "library's memory");
}

TEST_F(FaultSweep, WithTheHostsAllocatorAndUpdateGroups) {
  auto info = watched_info();
  info.allocator = allocator_->callbacks();
  info.update_groups = 2;
  info.keep_previous = true;
  sweep(info, "host's allocator");
}

}  // namespace
}  // namespace sinew::test
