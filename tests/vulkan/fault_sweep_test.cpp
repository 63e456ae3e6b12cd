// Every Vulkan call of a skinner that can fail fails by itself, with each result, and the host goes on in one of three
// ways, in the long run in each. The counts are printed. Of the thousands of allocations of host memory one in
// kHeapStride fails, in the long run all.
#include <cstdio>
#include <optional>

#include "heap_faults.h"
#include "long_run.h"
#include "vulkan/host_allocator.h"
#include "vulkan/skinner_fixture.h"
#include "vulkan/watched_loader.h"

namespace sinew::test {
namespace {

using Counts = std::vector<TestCrowd::Count>;

/// What the host does after a call has failed.
enum class Way {
  kRetry,    // calls it again
  kDestroy,  // destroys the skinner
  kGoOn,     // goes on without it: with another skinner, mesh or frame
};

constexpr int kWays = 3, kHeapStride = 7;

struct Fault {
  VkResult result = VK_SUCCESS;
  Way way = Way::kRetry;
  int call = 0;          // the number of fallible calls before the one that fails
  bool of_heap = false;  // `call` counts allocations of host memory by the skinner instead
};

/// A host's allocator whose calls count as fallible calls of the loader. Its palettes are not device-local.
struct FaultyAllocator {
  HostAllocator host;
  WatchedLoader& watch;

  vulkan::AllocatorCallbacks callbacks() { return {this, allocate, free}; }

  static VkResult allocate(void* self, const VkBufferCreateInfo& info, vulkan::BufferUse use, vulkan::Allocation* out) {
    const HeapFaultPause pause;
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
};

/// One run of a host: it creates a skinner, adds meshes and prepares frames that need more and less memory. One call
/// fails on the way.
class FaultRun {
 public:
  FaultRun(TestDevice& device, WatchedLoader& watch, FaultyAllocator& allocator, const Fault& fault)
      : device_(device),
        watch_(watch),
        allocator_(allocator),
        way_(fault.way),
        heap_allocations_left_(fault.of_heap ? fault.call : -1) {}

  void run(const TestSkinnerInfo& info) {
    auto skinner = attempt([&] { return create_skinner(info); });
    if (!skinner && way_ == Way::kDestroy) return;
    if (!skinner) {
      auto other = info;
      other.format = vulkan::VertexFormat::kFloat;
      skinner = create_skinner(other);
    }
    ASSERT_TRUE(skinner) << skinner.error().message;
    skinner_ = &*skinner;
    std::vector<TestCrowd> crowds;
    for (uint32_t group = 0; group < info.update_groups; ++group)
      crowds.emplace_back(device_, *skinner, group).compact = true;
    use(crowds);
    if (failed_ && way_ == Way::kDestroy) return;
    ASSERT_NO_FATAL_FAILURE(expect_usable(*skinner, crowds));
  }

  bool failed() const { return failed_; }  // whether a call of the skinner returned an error
  bool heap_failed() const { return heap_failed_; }

 private:
  bool stops() const { return failed_ && way_ == Way::kDestroy; }

  /// Calls `call`, which may fail. An error says what failed and leaves everything as it was. kRetry: calls it again.
  template <class Call>
  auto attempt(const Call& call) -> decltype(call()) {
    const Live before = live();
    auto outcome = call_with_heap_fault(call);
    if (outcome) return outcome;
    failed_ = true;
    const bool is_lost = watch_.failure == VK_ERROR_DEVICE_LOST;
    EXPECT_EQ(outcome.error().code, is_lost ? ErrorCode::kDeviceLost : ErrorCode::kOutOfMemory);
    if (!heap_failed_) {
      EXPECT_EQ(outcome.error().vk_result, watch_.failure) << outcome.error().message;
    }
    const Live after = live();
    EXPECT_EQ(after.bytes, before.bytes) << outcome.error().message;
    EXPECT_EQ(after.allocations, before.allocations) << outcome.error().message;
    // prepare() may keep descriptor sets that it could not use yet: the last Vulkan objects that it makes.
    EXPECT_LE(after.objects, before.objects + (heap_failed_ ? 1 : 0)) << outcome.error().message;
    if (way_ != Way::kRetry) return outcome;
    outcome = call();
    EXPECT_TRUE(outcome);
    return outcome;
  }
  template <class Call>
  auto call_with_heap_fault(const Call& call) -> decltype(call()) {
    if (heap_allocations_left_ < 0) return call();
    fail_heap_after(heap_allocations_left_);
    auto outcome = call();
    heap_allocations_left_ = heap_allocations_left();
    heap_failed_ = heap_has_failed();
    fail_heap_after(-1);
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
      add_prepared();
      if (stops()) return;
    }
    (void)attempt([&] { return vulkan::experimental::reload_kernel(*skinner_, kernel_words()); });
  }

  /// A mesh that cannot be added is replaced by a small one.
  void add(TestCrowd& crowd, const RigShape& shape) {
    if (const auto added = attempt([&] { return crowd.try_add(shape); }); added || stops()) return;
    crowd.add({.vertices = 20, .joints = 3});
  }

  /// A mesh that needs kernels of its own. One that cannot be added stays prepared.
  void add_prepared() {
    auto prepared = attempt([&] { return skinner_->prepare_mesh(morphing_, 8, "late"); });
    if (prepared) (void)attempt([&] { return skinner_->add_mesh(std::move(*prepared)); });
  }

  /// A group that cannot be prepared is drawn as in the frame before.
  void draw_frame(std::vector<TestCrowd>& crowds, uint32_t count) {
    const uint64_t number = frame_.number + 1;
    frame_ = in_flight(number, 2);
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
    frame_ = in_flight(frame_.number + 1, 2);
    ASSERT_TRUE(skinner.begin_frame(frame_));
    for (TestCrowd& crowd : crowds) crowd.prepare_group(frame_, Counts{{0, 4}, {1, 1}});
    for (TestCrowd& crowd : crowds) crowd.poison();
    record();
    for (TestCrowd& crowd : crowds) crowd.expect_frame(frame_.number);
  }

  TestDevice& device_;
  WatchedLoader& watch_;
  FaultyAllocator& allocator_;
  const Mesh morphing_ = make_mesh({.vertices = 1500, .targets = 2});
  Way way_;
  int64_t heap_allocations_left_ = -1;  // before one fails; negative: none fails
  vulkan::Skinner* skinner_ = nullptr;
  vulkan::SkinnerFrame frame_{.number = 0};
  bool failed_ = false, heap_failed_ = false;
};

class FaultSweep : public SkinnerTest {
 protected:
  void SetUp() override {
    make_device({});
    watch_device();
  }
  void watch_device() {
    if (device_ == nullptr) return;
    watch_ = std::make_unique<WatchedLoader>(*device_);
    watch_->keep_pipelines = true;
    watch_->change_limits = [](VkPhysicalDeviceProperties& properties) {
      properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;  // palettes may be copied
    };
    allocator_.emplace(FaultyAllocator{{*device_}, *watch_});
  }
  TestSkinnerInfo watched_info() const {
    auto info = skinner_info();
    watch_->attach(info);
    info.tuning.max_page_bytes = 40000;
    info.tuning.by_influences = false;
    return info;
  }

  TestSkinnerInfo with_the_hosts_allocator() {
    auto info = watched_info();
    info.allocator = allocator_->callbacks();
    info.update_groups = 2;
    info.keep_previous = true;
    return info;
  }

  /// Without validation: the layers allocate on this thread, too.
  void leave_out_validation() {
    watch_.reset();
    device_.reset();
    make_device({.validate = false});
    watch_device();
  }

  /// Runs the host once with this fault. Returns whether a call failed: not where there are fewer calls.
  bool survives(const TestSkinnerInfo& info, const Fault& fault) {
    SCOPED_TRACE(testing::Message() << "result " << fault.result << ", way " << int(fault.way) << ", call "
                                    << fault.call);
    watch_->failed = 0;
    watch_->failure = fault.result;
    watch_->succeeding = fault.of_heap ? -1 : fault.call;
    bool reported = false, heap_failed = false;
    {
      FaultRun run(*device_, *watch_, *allocator_, fault);
      run.run(info);
      reported = run.failed(), heap_failed = run.heap_failed();
    }
    watch_->succeeding = -1;
    const bool fell_back = fault.result != VK_ERROR_DEVICE_LOST;  // a smaller or other allocation may do
    EXPECT_TRUE(watch_->failed == 0 || reported || fell_back) << "the error was not reported";
    EXPECT_EQ(watch_->live_objects, 0);
    EXPECT_EQ(watch_->live_bytes, 0u);
    EXPECT_EQ(allocator_->host.live, 0);
    reported_ += reported;
    return watch_->failed > 0 || heap_failed;
  }

  /// Lets each fallible call fail with each result. In the long run in each way of going on, else the ways take turns.
  void sweep(const TestSkinnerInfo& info, const char* configuration) {
    for (const VkResult result : {VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_DEVICE_LOST})
      ASSERT_NO_FATAL_FAILURE(sweep_calls(info, {.result = result}));
    report(configuration, "fault points");
  }
  /// Likewise allocations of host memory, each in one way: the ways take turns.
  void sweep_heap(const TestSkinnerInfo& info, const char* configuration) {
    ASSERT_NO_FATAL_FAILURE(sweep_calls(info, {.result = VK_ERROR_OUT_OF_HOST_MEMORY, .of_heap = true}));
    report(configuration, "fault points of host memory");
  }
  void sweep_calls(const TestSkinnerInfo& info, Fault fault) {
    for (fault.way = Way::kRetry; fault.way <= Way::kGoOn; fault.way = Way(int(fault.way) + 1)) {
      const int before = points_, stride = fault.of_heap && !is_long_run() ? kHeapStride : 1;
      const bool take_turns = fault.of_heap || !is_long_run();
      for (fault.call = take_turns ? stride * int(fault.way) : 0; survives(info, fault);
           fault.call += take_turns ? kWays * stride : stride) {
        ++points_;
        ASSERT_FALSE(HasFailure());
      }
      EXPECT_GT(points_, before);
    }
  }
  void report(const char* configuration, const char* what) const {
    EXPECT_GT(reported_, 0);
    std::printf("%s: %s, all survived: %d, reported as errors: %d\n", configuration, what, points_, reported_);
  }

  std::unique_ptr<WatchedLoader> watch_;
  std::optional<FaultyAllocator> allocator_;
  int points_ = 0, reported_ = 0;
};

TEST_F(FaultSweep, WithTheLibrarysMemoryAndBarriers) {
  auto info = watched_info();
  info.barriers = vulkan::Barriers::kLibrary;
  sweep(info, "library's memory");
}

TEST_F(FaultSweep, WithTheHostsAllocatorAndUpdateGroups) { sweep(with_the_hosts_allocator(), "host's allocator"); }

TEST_F(FaultSweep, OfHostMemory) {
  leave_out_validation();
  auto info = watched_info();
  info.barriers = vulkan::Barriers::kLibrary;
  sweep_heap(info, "library's memory");
}

TEST_F(FaultSweep, OfHostMemoryWithTheHostsAllocator) {
  leave_out_validation();
  sweep_heap(with_the_hosts_allocator(), "host's allocator");
}

}  // namespace
}  // namespace sinew::test
